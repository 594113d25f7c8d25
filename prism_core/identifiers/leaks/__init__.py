"""Leak check: the last look at a finished text, however an identifier is written in it."""
