"""What a word list says a word can be, held against what the tagger makes of it.

A small tagger guesses at words it has not met, and the list tells what they cannot be: *magnífica*
is no noun. Entry: ``use_readings``, once for a pipeline in whose folder is ``readings.json``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
from spacy.attrs import ORTH
from spacy.language import Language as Pipeline
from spacy.strings import StringStore
from spacy.tokens import Doc
from thinc.api import Model

from prism_core.language.forward import Floats

FILE = "readings.json"
_AGAINST = np.float32(3.0)
"""What a tag that the list does not give loses, in nats: where the tagger is surer, it is right."""


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
        self.tags = frozenset(tag for *_, tags in rules for tag in tags)

    @classmethod
    def read(cls, path: Path) -> Readings:
        """Those of a file that ``scripts.training.readings`` has written."""
        stored = json.loads(path.read_text("utf-8"))
        return cls(stored["lemmas"], stored["rules"])

    def of(self, word: str) -> frozenset[str]:
        """The tags that ``word``, in small letters, can have; empty where the list has it not."""
        found: set[str] = set()
        for cut in range(max(0, len(word) - self._longest), len(word) + 1):
            stem = word[:cut]
            for lemma_end, tags in self._rules.get(word[cut:], {}).items():
                for kind in self._kinds.get(stem + lemma_end, ()):
                    found |= tags.get(kind, set())
        return frozenset(found)


def use_readings(pipeline: Pipeline) -> None:
    """Have the tagger of ``pipeline`` count what its word list says, if it has one.

    Words with a capital stay the tagger's: they may be names. Nothing is kept of a text.
    """
    path = Path(pipeline.path) / FILE
    if path.is_file() and "tagger" in pipeline.pipe_names:
        tagger: Any = pipeline.get_pipe("tagger")
        frequent = pipeline.meta.get("frequent_words", ())
        against = _Against(Readings.read(path), tagger.labels, frequent, pipeline.vocab.strings)
        tagger.model = Model(
            "prism_readings", _predict, layers=[tagger.model], attrs={"against": against}
        )


class _Against:
    """What the word list has against the tags of words; of words it keeps ``frequent`` ones."""

    def __init__(
        self,
        readings: Readings,
        labels: Sequence[str],
        frequent: Sequence[str],
        strings: StringStore,
    ) -> None:
        self._readings = readings
        self._labels = labels
        self._places = {frozenset[str](): 0}
        self._table = np.zeros((1, len(labels)), np.float32)
        self._frequent = {strings[word]: self._place(word) for word in frequent}

    def __call__(self, docs: Sequence[Doc]) -> Iterator[Floats]:
        """What each tag loses, a row for each word of each of ``docs``."""
        written = np.concatenate([doc.to_array(ORTH) for doc in docs])
        distinct, places = np.unique(written, return_inverse=True)
        strings = docs[0].vocab.strings
        known = self._frequent
        rows = [
            known[one] if one in known else self._place(strings[one]) for one in distinct.tolist()
        ]
        lost = self._table[np.array(rows, np.intp)[places]]
        return iter(np.split(lost, list(accumulate(map(len, docs)))[:-1]))

    def _place(self, word: str) -> int:
        """The row of the table with what each tag loses for ``word``."""
        readings = self._readings.of(word) if word.islower() else frozenset()
        if readings not in self._places:
            against = self._readings.tags - readings
            lost = [[_AGAINST if label in against else 0 for label in self._labels]]
            self._places[readings] = len(self._table)
            self._table = np.concatenate([self._table, np.array(lost, np.float32)])
        return self._places[readings]


def _predict(
    model: Model[Any, Any],
    docs: Sequence[Doc],
    is_train: bool,  # noqa: ARG001 (as thinc calls it)
) -> tuple[list[Floats], None]:
    """What thinc calls; there is no way back, for nothing is trained here."""
    against: _Against = model.attrs["against"]
    scores = model.layers[0].predict(docs)
    return [row - lost for row, lost in zip(scores, against(docs), strict=True)], None
