"""Baselines of the benchmark of data subjects: see ``README.md``."""
