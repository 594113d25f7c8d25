"""Letter case as part of a slot: the substitute is written as the original was."""

from __future__ import annotations


def in_case_of(word: str, pattern: str) -> str:
    """``word`` in the case of ``pattern``: capitals, a capital first letter, or as it is."""
    if pattern.islower():
        return word
    if len(pattern) > 1 and pattern.isupper():
        return word.upper()
    if pattern[:1].isupper():
        return word[:1].upper() + word[1:]
    return word


def own_case(word: str) -> str:
    """``word`` as a pattern for ``in_case_of``; the pronoun *I* is a capital everywhere."""
    return "i" if word == "I" else word
