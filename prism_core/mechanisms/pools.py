"""Pools: the sets that substitutes are drawn from, by slot."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from prism_core.dictionary.dictionary import Dictionary, starts_with_vowel
from prism_core.dictionary.entry import Entry

COARSEST_TAG = "NN"
"""What stands in for a word whose own tag has no pool."""


@dataclass(frozen=True, slots=True)
class Slot:
    """What a place demands of its word.

    ``agreement`` None stands for any class; ``vowel`` is None unless the word follows *a* or *an*,
    whose shape would otherwise tell the original's first letter.
    """

    tag: str
    agreement: str | None = None
    vowel: bool | None = None

    def wider(self) -> Slot:
        """The next coarser slot: any agreement class."""
        return Slot(self.tag, None, self.vowel)


class Pools:
    """All words of a dictionary with confidence at least ``threshold``, grouped by slot."""

    def __init__(self, dictionary: Dictionary, threshold: float, minimum: int) -> None:
        self._minimum = minimum
        self._pools: dict[Slot, tuple[Entry, ...]] = _group(
            entry for entry in dictionary if entry.confidence >= threshold
        )

    def for_entry(self, entry: Entry, *, after_article: bool) -> tuple[Entry, ...]:
        """The pool that ``entry`` is hidden in: empty when it would be smaller than the minimum."""
        vowel = starts_with_vowel(entry.word) if after_article else None
        slot = Slot(entry.tag, entry.agreement, vowel)
        return self._large_enough(slot) or self._large_enough(slot.wider())

    def for_tag(self, tag: str, word: str, *, after_article: bool) -> tuple[Entry, ...]:
        """The pool for a word without an entry: any word of its tag, else any noun."""
        vowel = starts_with_vowel(word) if after_article else None
        return self._large_enough(Slot(tag, None, vowel)) or self._large_enough(
            Slot(COARSEST_TAG, None, vowel)
        )

    def _large_enough(self, slot: Slot) -> tuple[Entry, ...]:
        pool = self._pools.get(slot, ())
        return pool if len(pool) >= self._minimum else ()


def _group(entries: Iterable[Entry]) -> dict[Slot, tuple[Entry, ...]]:
    groups: dict[Slot, list[Entry]] = defaultdict(list)
    for entry in entries:
        vowel = starts_with_vowel(entry.word)
        for agreement in (entry.agreement, None):
            for side in (vowel, None):
                groups[Slot(entry.tag, agreement, side)].append(entry)
    return {slot: tuple(group) for slot, group in groups.items()}
