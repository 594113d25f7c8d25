"""One entry a word out of what several translators make of it: the one in use comes first."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace

from prism_core.dictionary.entry import Entry

GLOSSARY = "glossary"
"""The translator of the user's own terms, which win over everything."""


def for_translator(entries: Iterable[Entry], translator: str) -> list[Entry]:
    """One entry for each word and tag, as ``preferred`` makes it of those for the same.

    Of a translator that has entries of its own only the words of these are known (and those of the
    glossary): what another one knows, it may leave as it is.
    """
    groups: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    has_own = False
    for entry in entries:
        groups[entry.word, entry.tag].append(entry)
        has_own = has_own or entry.translator == translator
    known = {GLOSSARY, translator}
    return [
        preferred(group, translator)
        for group in groups.values()
        if not has_own or any(entry.translator in known for entry in group)
    ]


def preferred(entries: Sequence[Entry], translator: str) -> Entry:
    """The entry to use with ``translator`` of those that several translators have for one word.

    The user's glossary wins, then the translator's own entry. For a translator that has none, the
    entry whose first form most others share, then the most confident. The forms of the others
    follow those of the chosen one: decoding tries them last.
    """
    if len(entries) == 1:
        return entries[0]
    votes = Counter(entry.forms[0].text for entry in entries)

    def rank(entry: Entry) -> tuple[bool, bool, int, float, str]:
        return (
            entry.translator == GLOSSARY,
            entry.translator == translator,
            votes[entry.forms[0].text],
            entry.confidence,
            entry.translator,
        )

    first, *others = sorted(entries, key=rank, reverse=True)
    known = {form.text for form in first.forms}
    added = {f.text: f for other in reversed(others) for f in other.forms if f.text not in known}
    return replace(first, forms=(*first.forms, *added.values()))
