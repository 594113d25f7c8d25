"""A word dictionary in memory: look-up by word and tag, and the pools substitutes come from."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType

from prism_core.dictionary.entry import Entry

VOWELS = frozenset("aeiou")
NAME_TAGS = ("GIVEN", "SURNAME", "PLACE")
"""Tags of public names that the translator is known to leave unchanged."""

FUNCTION_TAG = "FUNCTION"
"""Tag of function words, whatever their part of speech: no substitutes, but they can be undone."""
CLOSED_TAGS = frozenset({FUNCTION_TAG, "MONTH", "WEEKDAY"})
"""Tags of closed sets, which are no pools for ordinary words."""


class Dictionary:
    """L for one language pair; immutable after construction.

    ``names`` holds the public names by class; being no ordinary
    words, they are found by no look-up.
    ``provenance`` says who built it from what (translator, date, text, licence); ``digest``
    identifies its content in reports and in the state store.
    """

    def __init__(
        self, entries: Iterable[Entry], provenance: Mapping[str, str], digest: str
    ) -> None:
        names: dict[str, list[str]] = {tag: [] for tag in NAME_TAGS}
        self._entries: dict[tuple[str, str], Entry] = {}
        for entry in entries:
            if entry.tag in names:
                names[entry.tag].append(entry.word)
            else:
                self._entries[entry.word, entry.tag] = entry
        self.names = MappingProxyType({tag: tuple(sorted(found)) for tag, found in names.items()})
        self._tags: dict[str, list[str]] = defaultdict(list)
        for word, tag in self._entries:
            self._tags[word].append(tag)
        self.provenance = MappingProxyType(dict(provenance))
        self.digest = digest

    def __len__(self) -> int:
        return len(self._entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self._entries.values())

    def find(self, word: str, tag: str) -> Entry | None:
        """The entry of ``word`` (any case) under ``tag``."""
        return self._entries.get((word.lower(), tag))

    def senses(self, word: str) -> list[Entry]:
        """Every entry of ``word``, most confident first."""
        lower = word.lower()
        entries = [self._entries[lower, tag] for tag in self._tags.get(lower, ())]
        return sorted(entries, key=lambda entry: -entry.confidence)

    def knows(self, word: str) -> bool:
        """Whether ``word`` has an entry under any tag: it is an ordinary, public word."""
        return word.lower() in self._tags

    def calendar_entry(self, word: str) -> Entry | None:
        """The entry of a month or weekday, in the closed set of its own kind."""
        return self.find(word, "MONTH") or self.find(word, "WEEKDAY")

    @cached_property
    def by_tag(self) -> Mapping[str, tuple[Entry, ...]]:
        """All entries of each tag, in decreasing score (ties by word, so the order is stable)."""
        groups: dict[str, list[Entry]] = defaultdict(list)
        for entry in self:
            groups[entry.tag].append(entry)
        return {
            tag: tuple(sorted(group, key=lambda entry: (-entry.score, entry.word)))
            for tag, group in groups.items()
        }


def starts_with_vowel(word: str) -> bool:
    """Whether ``word`` takes *an* rather than *a*, judged by its first letter."""
    return word[:1].lower() in VOWELS
