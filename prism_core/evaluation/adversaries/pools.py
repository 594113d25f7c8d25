"""The pool of every replaced word, as its mechanism's public rules give it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from prism_core.dictionary.dictionary import Dictionary, starts_with_vowel
from prism_core.dictionary.entry import Entry
from prism_core.evaluation.inference import Pool
from prism_core.language.sentence import Sentence
from prism_core.mechanisms import Pools, Vocabulary, follows_article
from prism_core.record import Kind, Replacement

Prior = Mapping[str, int]
"""How often public text has each word, as it is written and in lower case."""
Found = tuple[Pool, tuple[Pool, ...]]
"""The pool of a replacement and its rivals (see ``Hidden``)."""


class PublicPools(Protocol):
    """Where a mechanism draws the substitute of a word from."""

    def of(self, sentence: Sentence, one: Replacement) -> Found:
        """The pool of ``one``, a replacement in ``sentence``, and its rivals."""
        ...

    def written(self, surface: str) -> str:
        """``surface`` as the words of the pools are written."""
        ...


class ThresholdPools:
    """Those of PRISM* by threshold: by slot, narrow where the class is large enough."""

    def __init__(
        self, dictionary: Dictionary, threshold: float, minimum: int, prior: Prior
    ) -> None:
        self._dictionary = dictionary
        self._pools = Pools(dictionary, threshold, minimum)
        self._prior = prior
        self._hidden = self._words_by_pool(e for e in dictionary if e.confidence >= threshold)
        self._made: dict[int, Pool] = {}
        self._places: dict[tuple[str, bool | None], list[Pool]] = defaultdict(list)
        for (tag, vowel), pools in self._hidden.items():
            for entries, words in pools.values():
                self._places[tag, vowel].append(self._pool(entries, frozenset(words)))

    def of(self, sentence: Sentence, one: Replacement) -> Found:
        """See ``PublicPools``. The place shows the tag, and *a* or *an* before it."""
        article = follows_article(sentence, one.position)
        if one.kind is Kind.UNKNOWN:
            tag = sentence.tokens[one.position].tag
            entries = self._pools.for_unknown(tag, one.word, after_article=article)
            return self._pool(entries, None), ()
        entry = self._dictionary.find(one.word, one.tag)
        if entry is None:
            raise LookupError("A word was replaced by an entry that it does not have.")
        pool = self._pool(self._pools.for_entry(entry, after_article=article), None)
        place = one.tag, starts_with_vowel(one.substitute) if article else None
        drawn = self.written(one.substitute)
        return pool, tuple(other for other in self._places[place] if drawn in other.order)

    def written(self, surface: str) -> str:
        """In lower case."""
        return surface.lower()

    def _pool(self, entries: Sequence[Entry], hides: frozenset[str] | None) -> Pool:
        if id(entries) not in self._made:
            order = {entry.word: entry.confidence for entry in entries}
            self._made[id(entries)] = Pool(order, self._prior, hides)
        return self._made[id(entries)]

    def _words_by_pool(
        self, entries: Iterable[Entry]
    ) -> dict[tuple[str, bool | None], dict[int, tuple[Sequence[Entry], set[str]]]]:
        found: dict[tuple[str, bool | None], dict[int, tuple[Sequence[Entry], set[str]]]]
        found = defaultdict(dict)
        for entry in entries:
            for article in (False, True):
                pool = self._pools.for_entry(entry, after_article=article)
                vowel = starts_with_vowel(entry.word) if article else None
                if pool:
                    _, words = found[entry.tag, vowel].setdefault(id(pool), (pool, set()))
                    words.add(entry.word)
        return found


class RatioPools:
    """Those of PRISM* by ratio: all words of the tag, whose best are taken in order."""

    def __init__(self, dictionary: Dictionary, minimum: int, prior: Prior) -> None:
        self._unknown = ThresholdPools(dictionary, 0.0, minimum, prior)
        self._tags = {
            tag: Pool({entry.word: entry.score for entry in entries}, prior)
            for tag, entries in dictionary.by_tag.items()
        }

    def of(self, sentence: Sentence, one: Replacement) -> Found:
        """See ``PublicPools``."""
        if one.kind is Kind.UNKNOWN:
            return self._unknown.of(sentence, one)
        return self._tags[one.tag], ()

    def written(self, surface: str) -> str:
        """In lower case."""
        return surface.lower()


class OnePool:
    """That of PRISM-R: V, for every word."""

    def __init__(self, dictionary: Dictionary, words: Vocabulary, prior: Prior) -> None:
        def confidence(word: str) -> float:
            senses = dictionary.senses(word)
            return senses[0].confidence if senses else 0.0

        self._pool = Pool({word: confidence(word) for word in words.words}, prior)

    def of(self, sentence: Sentence, one: Replacement) -> Found:  # noqa: ARG002 (all are alike)
        """See ``PublicPools``."""
        return self._pool, ()

    def written(self, surface: str) -> str:
        """As it is."""
        return surface
