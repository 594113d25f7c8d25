"""Forms of a word that stand in its translations, though in no entry: *libérale* beside *libéral*.

Texts show some inflections of a word too seldom to align them. Its associates hold them: what
begins as a known form does, and is an inflection by its ending.

Entry: ``add_attested``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from prism_core.building.morphology import Endings
from prism_core.dictionary import (
    ASSOCIATED,
    CLOSED_TAGS,
    Entry,
    Form,
    common_start,
    without_accents,
)

LEAST_SHARED = 4
"""Letters that two inflections begin with alike."""
LONGEST_REST = {"JJ": 2, "VB": 5}
"""Letters after these at most, by how the tag begins; other words get no forms.

The number of a noun is part of what it means, so it is never sought.
"""
TELLING = {"JJ": "Number", "VB": "VerbForm"}
"""The category that a form has to have."""
STEMS = 2
"""So many of an entry's forms are compared: later ones may be another word."""


def add_attested(entries: Iterable[Entry], endings: Endings) -> Iterator[Entry]:
    """``entries``, those of adjectives and verbs with the associates that are forms of theirs.

    Such a form comes last, and only if its features, which the treebank has to tell, are none of
    the entry's.
    """
    entries = list(entries)
    associates = {entry.word: entry.forms for entry in entries if entry.tag == ASSOCIATED}
    kinds = _kinds_by_form(entries)
    for entry in entries:
        found = associates.get(entry.word)
        if found is None or entry.tag[:2] not in LONGEST_REST:
            yield entry
        else:
            least = min(entry.forms.scores)
            kind = entry.tag[:2]
            candidates = [text for text in found.texts if kind in kinds.get(text, {kind})]
            texts = _find_attested(entry, candidates, endings)
            added = [Form(text, least / 2, features) for text, features in texts]
            yield entry.replace_forms((*entry.forms, *added)) if added else entry


def _kinds_by_form(entries: Iterable[Entry]) -> dict[str, set[str]]:
    """The kinds of words that each text in lower case is known as a form of."""
    kinds: dict[str, set[str]] = {}
    for entry in entries:
        if entry.tag not in (ASSOCIATED, *CLOSED_TAGS):
            for text in entry.forms.texts:
                kinds.setdefault(text.lower(), set()).add(entry.tag[:2])
    return kinds


def _find_attested(
    entry: Entry, associates: Iterable[str], endings: Endings
) -> Iterator[tuple[str, tuple[str, ...]]]:
    known = {frozenset(f for f in one if "=" in f) for one in entry.forms.features}
    for text in associates:
        features = endings.features(text, entry.tag)
        is_telling = any(one.startswith(TELLING[entry.tag[:2]]) for one in features)
        is_new = text not in entry.forms.texts and frozenset(features) not in known and is_telling
        if is_new and endings.may_be(text, entry.tag) and _is_inflection(text, entry):
            known.add(frozenset(features))
            yield text, features


def _is_inflection(text: str, entry: Entry) -> bool:
    plain = without_accents(text)
    longest = LONGEST_REST[entry.tag[:2]]
    for form in map(without_accents, entry.forms.texts[:STEMS]):
        shared = common_start(plain, form)
        if shared >= LEAST_SHARED and max(len(plain), len(form)) - shared <= longest:
            return True
    return False
