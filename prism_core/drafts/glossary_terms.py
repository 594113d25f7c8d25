"""The user's terms in a translation that is made here: ask for them, and check that they stand.

A neural model copies a word of the target language that stands in the source, and inflects the
words around it: *moved to the enfermaria*. So it is asked with the user's translation in the place
of the term.

Entry: ``SentenceTerms.find``; then ``put_in`` and ``stand_in``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple, Self

from prism_core.dictionary import Entry, Glossary, common_start
from prism_core.language import Sentence

_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST_INFLECTED = 4
"""Fewest letters of a word that may also stand with another last letter."""


class SentenceTerms(NamedTuple):
    """The terms of a sentence, and their places in its text, as the start and the end."""

    text: str
    terms: Sequence[tuple[int, int, Entry]] = ()

    @classmethod
    def find(cls, sentence: Sentence, glossary: Glossary) -> Self:
        """Find the terms of ``glossary`` in ``sentence``."""
        offsets = list(sentence.offsets()) if glossary else []
        return cls(
            sentence.text,
            [
                (offsets[position][0], offsets[position + length - 1][1], entry)
                for position, length, entry in glossary.find(sentence)
            ],
        )

    def put_in(self) -> str:
        """Return the text with the translations in the place of the terms."""
        parts: list[str] = []
        done = 0
        for start, end, entry in self.terms:
            parts += self.text[done:start], entry.forms.texts[0]
            done = end
        return "".join(parts) + self.text[done:]

    def stand_in(self, translation: str) -> bool:
        """Return True if a translation of every term surely stands in ``translation``.

        The last letter of a longer word may differ, or one may follow: words are inflected. It is
        not sure for a plural of which only the singular of the translation is known.
        """
        written = _WORD.findall(translation.lower())
        return all(
            (entry.tag != "NNS" or any(entry.forms.features))
            and any(_stands(_WORD.findall(text.lower()), written) for text in entry.forms.texts)
            for *_, entry in self.terms
        )


def _stands(words: Sequence[str], written: Sequence[str]) -> bool:
    starts = range(len(written) - len(words) + 1)
    return any(all(map(_is_form, words, written[start : start + len(words)])) for start in starts)


def _is_form(word: str, written: str) -> bool:
    if len(word) < _SHORTEST_INFLECTED:
        return word == written
    return common_start(word, written) >= len(word) - 1 and len(written) <= len(word) + 1
