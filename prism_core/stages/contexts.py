"""Texts before single words (*Knee* before *Left*), for the model on this machine.

A sentence is translated once, wherever it stands: its context is that of its first place in the
document with the least id.

Entry: ``Contexts.find``.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from prism_core.state import Store, Withheld
from prism_core.translation_memory import WordAlone

_LONGEST = 4
"""Largest number of words of a context: a longer text is no label."""


class Contexts:
    """Contexts of the words in a ``store``; documents' layouts are read once, on demand."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._before: dict[str, dict[str, str]] = {}

    def find(self, batch: Sequence[Withheld]) -> list[str]:
        """Return the text before each sentence of ``batch`` that is one word, else empty."""
        words = [held.id for held in batch if WordAlone.read(held.sentence.text)]
        if not words:
            return [""] * len(batch)
        before = {
            word: found
            for word, (document, _) in self._store.documents.first_with(words).items()
            if (found := self._read_document(document).get(word))
        }
        texts = self._store.recalled.fetch(set(before.values()))
        contexts = {word: texts[found][0] for word, found in before.items() if found in texts}
        labels = {word: text for word, text in contexts.items() if len(text.split()) <= _LONGEST}
        return [labels.get(held.id, "") for held in batch]

    def _read_document(self, document: str) -> dict[str, str]:
        """Return the sentence before each sentence of ``document``, by their ids."""
        if document not in self._before:
            places = (
                place.sentence
                for segment in self._store.documents.layout(document)
                for place in segment.places()
            )
            before: dict[str, str] = {}
            for first, second in pairwise(places):
                before.setdefault(second, first)
            self._before[document] = before
        return self._before[document]
