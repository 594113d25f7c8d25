"""Encoding: what is sent of a sentence, and its record."""
