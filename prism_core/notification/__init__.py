"""Tells whoever waits for the nightly run how it ended: in counts and classes, and nothing else."""
