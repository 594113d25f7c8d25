"""What a word list says a word can be, which the tagger is shown.

A small tagger guesses at words it has not met, and the list tells what they cannot be: *magnífica*
is no noun. Entry: ``use_readings``, once for a pipeline in whose folder is ``readings.json``;
training, which has no such folder yet, begins with ``show_readings``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from spacy.attrs import PREFIX
from spacy.language import Language as Pipeline
from spacy.vocab import Vocab

FILE = "readings.json"
_END = 4
"""So many last letters describe a word that the list has not."""


class Readings:
    """The tags that each word can have, by lemmas of each kind and the rules of their forms.

    ``lemmas`` has the words of a kind; a row of ``rules`` is the kind, how a form ends, how its
    lemma ends in place of that, and the tags of such a form.
    """

    def __init__(
        self,
        lemmas: dict[str, Sequence[str]],
        rules: Sequence[tuple[str, str, str, Sequence[str]]],
    ) -> None:
        self._kinds: dict[str, list[str]] = {}
        for kind, words in lemmas.items():
            for word in words:
                self._kinds.setdefault(word, []).append(kind)
        self._rules: dict[str, dict[str, dict[str, set[str]]]] = {}
        for kind, end, lemma_end, tags in rules:
            of_end = self._rules.setdefault(end, {}).setdefault(lemma_end, {})
            of_end.setdefault(kind, set()).update(tags)
        self._longest = max(map(len, self._rules), default=0)

    @classmethod
    def read(cls, path: Path) -> Readings:
        """Those of a file that ``scripts.training.readings`` has written."""
        stored = json.loads(path.read_text("utf-8"))
        return cls(stored["lemmas"], stored["rules"])

    def tags_of(self, word: str) -> frozenset[str]:
        """The tags that ``word``, in small letters, can have; empty where the list has it not."""
        found: set[str] = set()
        for cut in range(max(0, len(word) - self._longest), len(word) + 1):
            stem = word[:cut]
            for lemma_end, tags in self._rules.get(word[cut:], {}).items():
                for kind in self._kinds.get(stem + lemma_end, ()):
                    found |= tags.get(kind, set())
        return frozenset(found)

    def describe(self, word: str) -> str:
        """One string for all words that can have the same tags, another for those with a capital.

        Of a word that the list has not it is the end, or the first letter of one with a capital.
        """
        if tags := self.tags_of(word.lower()):
            return f"{'' if word.islower() else '^'}{' '.join(sorted(tags))}"
        return f"?{word[-_END:]}" if word.islower() else word[:1]


def show_readings(vocab: Vocab, readings: Readings) -> None:
    """Have ``readings`` describe every word of ``vocab`` in the attribute PREFIX.

    The first letter, which is there otherwise, tells next to nothing of a word. spaCy works such an
    attribute out once for a word, and it is among those that embeddings read.
    """
    getters = vocab.lex_attr_getters  # type: ignore[attr-defined] # missing in the stubs
    getters[PREFIX] = readings.describe
    for lexeme in vocab:
        lexeme.prefix_ = readings.describe(lexeme.text)


def use_readings(pipeline: Pipeline) -> None:
    """Have the word list of ``pipeline``, if it has one, describe words as it did in training."""
    path = Path(pipeline.path) / FILE
    if path.is_file():
        show_readings(pipeline.vocab, Readings.read(path))
