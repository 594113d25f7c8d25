"""Pools: the sets that substitutes are drawn from, by slot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from prism_core.dictionary.dictionary import Dictionary, starts_with_vowel
from prism_core.dictionary.entry import Entry
from prism_core.dictionary.preference import GLOSSARY

COARSEST_TAG = "NN"
"""What stands in for a word whose own tag has no pool."""


class Slot(NamedTuple):
    """What a place demands of its word.

    ``agreement`` holds the parts of a class, coarsest first: fewer parts are a wider class, none
    stands for any. ``vowel`` is None unless the word follows *a* or *an*, whose shape would
    otherwise tell the original's first letter.
    """

    tag: str
    agreement: tuple[str, ...] = ()
    vowel: bool | None = None

    def widening(self) -> Iterator[Slot]:
        """This slot, then each coarser one, the last for any class."""
        for length in range(len(self.agreement), -1, -1):
            yield Slot(self.tag, self.agreement[:length], self.vowel)


class Pools:
    """The words of a dictionary with confidence at least ``threshold``, grouped by slot.

    A word is in the pool of its own slot and in that of every wider one.
    """

    def __init__(self, dictionary: Dictionary, threshold: float, minimum: int) -> None:
        self._minimum = minimum
        self._pools = _group(
            (entry.tag, entry)
            for entry in dictionary
            if entry.confidence >= threshold and _may_stand_in(entry)
        )
        self._left = _group((tag, one) for tag, left in dictionary.left.items() for one in left)
        self._of_class: dict[tuple[str, str, bool | None], tuple[Entry, ...]] = {}

    def for_entry(self, entry: Entry, *, after_article: bool) -> tuple[Entry, ...]:
        """The pool that ``entry`` is hidden in: empty when it would be smaller than the minimum."""
        vowel = starts_with_vowel(entry.word) if after_article else None
        pool = self._of_class.get((entry.tag, entry.agreement, vowel))
        if pool is None:
            slot = Slot(entry.tag, entry.agreement_parts, vowel)
            pool = self._large(self._pools.get(wider, ()) for wider in slot.widening())
            self._of_class[entry.tag, entry.agreement, vowel] = pool
        return pool

    def for_unknown(self, tag: str, word: str, *, after_article: bool) -> tuple[Entry, ...]:
        """The pool for a word without an entry.

        Words that the translator does not know either, so that both are treated alike; where the
        dictionary has none of the tag, any word of it, else any noun.
        """
        vowel = starts_with_vowel(word) if after_article else None
        slots = (Slot(tag, (), vowel), Slot(COARSEST_TAG, (), vowel))
        pools = (pools.get(slot, ()) for slot in slots for pools in (self._left, self._pools))
        return self._large(pools)

    def _large(self, pools: Iterable[tuple[Entry, ...]]) -> tuple[Entry, ...]:
        return next((pool for pool in pools if len(pool) >= self._minimum), ())


def _may_stand_in(entry: Entry) -> bool:
    """Single public words: a phrase is replaced as one, but would show where it was put.

    A term of the user's glossary would tell the translator what the glossary holds, and the
    translator may render it otherwise.
    """
    return " " not in entry.word and entry.translator != GLOSSARY


def _group(entries: Iterable[tuple[str, Entry]]) -> dict[Slot, tuple[Entry, ...]]:
    """The entries of each slot, given with their tags."""
    groups: dict[Slot, list[Entry]] = defaultdict(list)
    joined: dict[tuple[str, str, bool], list[list[Entry]]] = {}
    for tag, entry in entries:
        vowel = starts_with_vowel(entry.word)
        kind = (tag, entry.agreement, vowel)
        if kind not in joined:
            slots = (Slot(tag, entry.agreement_parts, side) for side in (vowel, None))
            joined[kind] = [groups[wider] for slot in slots for wider in slot.widening()]
        for group in joined[kind]:
            group.append(entry)
    return {slot: tuple(group) for slot, group in groups.items()}
