"""The user's terms in a translation that is made here: ask for them, and check that they stand.

A neural model copies a word of the target language that stands in the source, and inflects the
words around it: *moved to the enfermaria*. So it is asked with the user's translation in the place
of the term.

Entry: ``SentenceTerms.find``; then ``ask_for`` and ``stand_in``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple, Self

from prism_core.alignment import Span, put_in
from prism_core.dictionary import Entry, Glossary, common_start
from prism_core.language import Sentence

_WORD = re.compile(r"[^\W\d_]+")
_SHORTEST_INFLECTED = 4
"""Fewest letters of a word that may also stand with another last letter."""


class SentenceTerms(NamedTuple):
    """The terms of a sentence, by their places in its text."""

    text: str
    terms: Mapping[Span, Entry]

    @classmethod
    def find(cls, sentence: Sentence, glossary: Glossary) -> Self:
        """Find the terms of ``glossary`` in ``sentence``."""
        offsets = list(sentence.offsets()) if glossary else []
        found = glossary.find(sentence)
        terms = {
            (offsets[first][0], offsets[first + length - 1][1]): entry
            for first, length, entry in found
        }
        return cls(sentence.text, terms)

    def ask_for(self) -> str:
        """Return the text with the translations in the place of the terms."""
        changes = {span: (span, entry.forms.texts[0]) for span, entry in self.terms.items()}
        return put_in(self.text, changes)[0]

    def stand_in(self, translation: str) -> bool:
        """Return True if a translation of every term surely stands in ``translation``.

        The last letter of a longer word may differ, or one may follow: words are inflected. It is
        not sure for a plural of which only the singular of the translation is known.
        """
        written = _WORD.findall(translation.lower())
        return all(
            (entry.tag != "NNS" or any(entry.forms.features))
            and any(_stands(_WORD.findall(text.lower()), written) for text in entry.forms.texts)
            for entry in self.terms.values()
        )


def _stands(words: Sequence[str], written: Sequence[str]) -> bool:
    starts = range(len(written) - len(words) + 1)
    return any(all(map(_is_form, words, written[start : start + len(words)])) for start in starts)


def _is_form(word: str, written: str) -> bool:
    if len(word) < _SHORTEST_INFLECTED:
        return word == written
    return common_start(word, written) >= len(word) - 1 and len(written) <= len(word) + 1
