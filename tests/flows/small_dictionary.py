"""A dictionary for the fake translator: its translation of a word is the word with a mark."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from prism_core.dictionary import Entry, Form, save_dictionary
from prism_core.translators.adapters.fake import mark_words

_NOUNS = """
    apple bridge candle desk engine farmer garden hammer island jacket kettle ladder market needle
    orchard pencil quarry river saddle table umbrella valley window yard zebra basket corner
    letter doctor contract invoice payment patient hospital agreement meeting
""".split()
_ADJECTIVES = """
    big small old new green blue heavy light warm cold quick slow quiet loud bright dark round
    square clean dirty early late open empty full soft hard young strong weak
""".split()
_VERBS = """
    walk open close paint wash carry visit watch follow answer call clean cook count cover drop
    enter fill help invite join kick lift mark need offer pack push rent sail
""".split()


def write_small_dictionary(
    path: Path, say: Callable[[str], str] = mark_words, target: str = "es"
) -> Path:
    """Some hundred entries, each sure of itself, in pools of thirty; ``say`` translates a word."""
    words = [
        *((word, "NN") for word in _NOUNS),
        *((word + "s", "NNS") for word in _NOUNS),
        *((word, "JJ") for word in _ADJECTIVES),
        *((word, "VB") for word in _VERBS),
        *((word.removesuffix("e") + "ed", "VBD") for word in _VERBS),
    ]
    entries = [
        Entry(word, tag, (Form(say(word), 1.0),), "", confidence=1.0, calls=0.0)
        for word, tag in dict.fromkeys(words)
    ]
    save_dictionary(entries, {"source": "en", "target": target}, path)
    return path
