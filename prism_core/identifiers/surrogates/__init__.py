"""Surrogates: replacements of identifiers that keep their form and that decoding can restore."""
