"""One entry a word out of what several translators make of it: the one in use comes first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from operator import attrgetter

from prism_core.dictionary.entry import Entry

GLOSSARY = "glossary"
"""The translator of the user's own terms, which win over everything."""

EXTENDED = "extend"
"""The method of entries that were added to a dictionary, whoever it was made with."""

_READ_OFF_TEXTS = frozenset({"corpus", "names"})
"""Methods that saw a translator's words in texts: others that it knows were not in them."""

_CALLED = {"azure": "microsoft"}
"""Whose output the corpora say they are, where the adapter has another name."""

_TRANSLATOR = attrgetter("translator")


def for_translator(entries: Iterable[Entry], translator: str) -> list[Entry]:
    """One entry for each word and tag, as ``preferred`` makes it of those for the same.

    Of a translator that was asked for a whole dictionary only the words of that are known (and
    those of extensions and the glossary): what another one knows, it may leave as it is. Of one
    whose words were read off texts all are known, its own forms first.
    """
    translator = _CALLED.get(translator, translator)
    first: dict[tuple[str, str], Entry] = {}
    several: dict[tuple[str, str], list[Entry]] = {}
    translators: set[str] = set()
    asked: set[str] = set()
    for entry in entries:
        key = (entry.word, entry.tag)
        if entry.method != EXTENDED:
            translators.add(entry.translator)
            if entry.method not in _READ_OFF_TEXTS:
                asked.add(entry.translator)
        if first.setdefault(key, entry) is not entry:
            several.setdefault(key, [first[key]]).append(entry)
    known = {GLOSSARY, translator} | (set() if translator in asked else translators)
    chosen = {
        key: preferred(found, translator)
        for key, found in several.items()
        if not known.isdisjoint([entry.translator for entry in found])
    }
    return [
        chosen.get(key, entry)
        for key, entry in first.items()
        if key in chosen or entry.translator in known
    ]


def preferred(entries: Sequence[Entry], translator: str) -> Entry:
    """The entry to use with ``translator`` of those that several translators have for one word.

    The user's glossary wins, then the translator's own entry. For a translator that has none, the
    entry whose first form most others share, then the most confident. It keeps the ``others``.
    """
    if len(entries) == 1:
        return entries[0]
    own = {entry.translator: entry for entry in entries}
    chosen = own.get(GLOSSARY) or own.get(translator) or _most_agreed(entries)
    others = sorted([one for one in entries if one is not chosen], key=_TRANSLATOR)
    return chosen._replace(others=tuple(others))


def _most_agreed(entries: Sequence[Entry]) -> Entry:
    firsts = [entry.forms.texts[0] for entry in entries]
    return max(
        entries,
        key=lambda one: (firsts.count(one.forms.texts[0]), one.confidence, one.translator),
    )
