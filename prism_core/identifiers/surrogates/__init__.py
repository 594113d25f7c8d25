"""Surrogates: replacements for identifiers that have the same form and that decoding can restore."""
