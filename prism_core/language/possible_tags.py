"""Tags that the words of a list can have, as an input of the tagger.

A small tagger guesses at words that it has not met; the list excludes tags that they cannot have:
*magnífica* is no noun. Entry: ``use_possible_tags``, once for a pipeline with ``readings.json`` in
its folder; training, which has no such folder yet, begins with ``show_possible_tags``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from spacy.attrs import PREFIX
from spacy.language import Language as Pipeline
from spacy.vocab import Vocab

FILE = "readings.json"
_SUFFIX_LETTERS = 4
"""Number of last letters that describe a word missing from the list."""


class PossibleTags:
    """Tags that each word can have, by lemmas of each kind and the rules of their forms.

    ``lemmas`` has the words of each kind. A row of ``rules`` is the kind, the ending of a form, the
    ending of its lemma in place of that, and the tags of such a form.
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
            by_lemma_end = self._rules.setdefault(end, {}).setdefault(lemma_end, {})
            by_lemma_end.setdefault(kind, set()).update(tags)
        self._longest = max(map(len, self._rules), default=0)

    @classmethod
    def read(cls, path: Path) -> PossibleTags:
        """Read the file that ``scripts.training.readings`` writes."""
        stored = json.loads(path.read_text("utf-8"))
        return cls(stored["lemmas"], stored["rules"])

    def tags_of(self, word: str) -> frozenset[str]:
        """Return the possible tags of ``word``, in lower case; empty if it is not listed."""
        found: set[str] = set()
        for cut in range(max(0, len(word) - self._longest), len(word) + 1):
            stem = word[:cut]
            for lemma_end, tags in self._rules.get(word[cut:], {}).items():
                for kind in self._kinds.get(stem + lemma_end, ()):
                    found |= tags.get(kind, set())
        return frozenset(found)

    def describe(self, word: str) -> str:
        """Return a string for the tags of ``word``, by its ending or initial if it is unlisted."""
        if tags := self.tags_of(word.lower()):
            return f"{'' if word.islower() else '^'}{' '.join(sorted(tags))}"
        return f"?{word[-_SUFFIX_LETTERS:]}" if word.islower() else word[:1]


def show_possible_tags(vocab: Vocab, readings: PossibleTags) -> None:
    """Make ``readings`` describe every word of ``vocab`` in the attribute PREFIX.

    PREFIX normally holds the first letter, which says next to nothing about a word. spaCy computes
    such an attribute once a word, and its embeddings read it.
    """
    getters = vocab.lex_attr_getters  # type: ignore[attr-defined] # missing in the stubs
    getters[PREFIX] = readings.describe
    for lexeme in vocab:
        lexeme.prefix_ = readings.describe(lexeme.text)


def use_possible_tags(pipeline: Pipeline) -> None:
    """Make the word list of ``pipeline``, if any, describe words as it did in training."""
    path = Path(pipeline.path) / FILE
    if path.is_file():
        show_possible_tags(pipeline.vocab, PossibleTags.read(path))
