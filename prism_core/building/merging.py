"""Dictionaries side by side: one made of several, and what changed between two."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from prism_core.dictionary import MEASURED, Entry, StoredDictionary
from prism_core.errors import ConfigurationError

NOTICEABLE = 0.1
"""A confidence counts as changed when it moved by at least this."""

_COUNTED = ("calls", "sentences")
"""Provenance that counts what a build took: of a merged file, what all of them took."""

_Key = tuple[str, str, str]


def merge(dictionaries: Sequence[StoredDictionary]) -> tuple[list[Entry], dict[str, str]]:
    """All entries of ``dictionaries`` and one provenance.

    Of two entries of one word, tag and translator the later built is kept, of two of one day that
    of the dictionary named last. Raises ``ConfigurationError`` for different language pairs.
    """
    pairs = {(d.provenance.get("source"), d.provenance.get("target")) for d in dictionaries}
    if len(pairs) > 1:
        named = ", ".join(sorted(f"{source}-{target}" for source, target in pairs))
        raise ConfigurationError(f"Dictionaries of one language pair can be merged, not {named}.")
    kept: dict[_Key, Entry] = {}
    for dictionary in dictionaries:
        for entry in dictionary.entries:
            known = kept.get(_key(entry))
            if known is None or entry.built >= known.built:
                kept[_key(entry)] = entry
    return list(kept.values()), _provenance(dictionaries)


def _provenance(dictionaries: Sequence[StoredDictionary]) -> dict[str, str]:
    """Every field of all; where they differ, the different values one after the other.

    What was measured of each by itself does not hold for several together.
    """
    merged: dict[str, dict[str, None]] = {}
    left_out = {*_COUNTED, "format_version"} | ({MEASURED} if len(dictionaries) > 1 else set())
    for dictionary in dictionaries:
        for name, value in dictionary.provenance.items():
            if name not in left_out:
                merged.setdefault(name, {})[value] = None
    fields = {name: "; ".join(values) for name, values in merged.items()}
    for name in _COUNTED:
        fields[name] = str(sum(int(d.provenance.get(name, 0)) for d in dictionaries))
    return fields


@dataclass(frozen=True, slots=True)
class EntryChange:
    """An entry that both dictionaries have, before and after."""

    before: Entry
    after: Entry

    @property
    def first_form(self) -> bool:
        """Whether the word is translated otherwise."""
        return self.before.forms[0].text != self.after.forms[0].text

    @property
    def confidence(self) -> bool:
        """Whether the confidence moved noticeably."""
        return abs(self.before.confidence - self.after.confidence) >= NOTICEABLE

    @property
    def agreement(self) -> bool:
        """Whether it is in another agreement class."""
        return self.before.agreement != self.after.agreement


@dataclass(frozen=True, slots=True)
class Difference:
    """What was ``added`` to and ``removed`` from a dictionary, and the entries ``changed``."""

    added: list[Entry] = field(default_factory=list)
    removed: list[Entry] = field(default_factory=list)
    changed: list[EntryChange] = field(default_factory=list)
    unchanged: int = 0


def difference(before: StoredDictionary, after: StoredDictionary) -> Difference:
    """How ``after`` differs from ``before``, entry by entry (word, tag and translator)."""
    old = {_key(entry): entry for entry in before.entries}
    new = {_key(entry): entry for entry in after.entries}
    shared = [EntryChange(old[key], new[key]) for key in sorted(old.keys() & new.keys())]
    changed = [
        change for change in shared if change.first_form or change.confidence or change.agreement
    ]
    return Difference(
        added=list(_of(new, old)),
        removed=list(_of(old, new)),
        changed=changed,
        unchanged=len(shared) - len(changed),
    )


def _of(entries: dict[_Key, Entry], others: dict[_Key, Entry]) -> Iterator[Entry]:
    return (entries[key] for key in sorted(entries.keys() - others.keys()))


def _key(entry: Entry) -> _Key:
    return entry.word, entry.tag, entry.translator
