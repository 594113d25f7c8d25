"""Selection of the rows of a dictionary that a translator can use, and their sureness.

Entry: ``for_translator`` merges all rows of a word and tag into one entry, the row of the
translator in use first (``preferred``), with the sureness from ``find_sureness``;
``unchanged_names`` are those that translators leave unchanged; ``read_names`` reads public names
that dictionaries are built for.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import compress
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from prism_core.dictionary.dictionary import (
    BEFORE,
    CALENDAR_TAGS,
    LEFT_PREFIX,
    PLACE,
)
from prism_core.dictionary.entry import Entry, Form
from prism_core.dictionary.glossary import GLOSSARY
from prism_core.resources import SHIPPED_NAMES, read_rows

EXTENDED = "extend"
"""Method of entries that were added to a dictionary, whichever translator it was made with."""

_READ_OFF_TEXTS = frozenset({"corpus", "names", "association"})
"""Methods that saw a translator's words in texts, where not every word that it knows occurs."""

DISAGREED = 0.85
"""Highest sureness of a translator's own form where other translators write another."""

BY_RULE = frozenset({"apertium", "fake"})
"""Translators by rule, whose forms reveal nothing of what another translator would write."""

_NAMES_IN_DICTIONARIES = {"azure": "microsoft", "openai-batch": "openai"}
"""Names in dictionaries of translators whose adapter has another name."""


def canonical_translator(translator: str) -> str:
    """Return the name in dictionaries of the translator that an adapter may ask."""
    return _NAMES_IN_DICTIONARIES.get(translator, translator)


def is_asked(entries: Iterable[Made | Entry], translator: str) -> bool:
    """Return True if ``translator`` was asked for a whole dictionary, each word in sentences."""
    translator = canonical_translator(translator)
    return any(
        entry.translator == translator and entry.method not in (*_READ_OFF_TEXTS, EXTENDED)
        for entry in entries
    )


_TRANSLATOR = attrgetter("translator")
_WORD_AND_TAG = attrgetter("word", "tag")
_ORIGIN = attrgetter("translator", "method", "tag")


class Made(NamedTuple):
    """Origin of a dictionary row: its translator, its method and its tag."""

    translator: str
    method: str
    tag: str


def known_tags(made: Collection[Made], translator: str) -> set[str]:
    """Return the tags of which ``for_translator`` may give entries."""
    known = known_translators(made, translator)
    return {row.tag for row in made if row.translator in known or row.tag == BEFORE}


def known_translators(made: Collection[Made | Entry], translator: str) -> set[str]:
    """Return the translators of whose rows a word needs one to be known to ``translator``."""
    translator = canonical_translator(translator)
    known = {GLOSSARY, translator}
    if not is_asked(made, translator):
        known.update(row.translator for row in made if row.method != EXTENDED)
    return known


def for_translator(entries: Sequence[Entry], translator: str) -> list[Entry]:
    """Return one entry for each word and tag, merged by ``preferred`` from its rows.

    Of a translator that was asked for a whole dictionary only the words of that are known (and
    those of extensions and the glossary): it may leave unchanged what another one knows. Of one
    whose words were read from texts all are known, its own forms first. A word that only another
    translator by rule knows is drawn only if it was seen in what others wrote (``calibrated``), and
    is in the class that most of its own are in with the others. The names that such a translator
    leaves unchanged, and its spelling of places, are not known. The texts before words change alike
    in all of them.
    """
    translator = canonical_translator(translator)
    rows: dict[tuple[str, str], list[Entry]] = {}
    for key, entry in zip(map(_WORD_AND_TAG, entries), entries, strict=True):
        rows.setdefault(key, []).append(entry)
    made = {*map(Made._make, map(_ORIGIN, entries))}
    known = known_translators(made, translator)
    strangers = BY_RULE - {translator}
    classes = _Classes(rows.values(), strangers)
    places = any(row.tag == PLACE and row.translator not in strangers for row in made)

    @cache
    def find_use(tag: str, translators: tuple[str, ...]) -> tuple[bool, bool]:
        """Return if the word of such rows is known, and if only strangers know it."""
        tellers = {name for name in translators if name in known or tag == BEFORE}
        is_strange = strangers.issuperset(tellers)
        is_own_spelling = tag.startswith(LEFT_PREFIX) or (places and tag == PLACE)
        return bool(tellers) and not (is_strange and is_own_spelling), is_strange

    chosen = []
    for (_, tag), found in rows.items():
        is_known, is_strange = find_use(tag, tuple(map(_TRANSLATOR, found)))
        if is_known:
            entry = preferred(found, translator)
            chosen.append(classes.translate(entry) if is_strange else entry)
    return chosen


def clean_calendar(entries: Sequence[Entry]) -> list[Entry]:
    """Return ``entries`` with weekdays and months cleaned of other words.

    Forms that belong to another word, or hold more than the word, are removed: *am* stands beside
    every German weekday, *encima martes* holds *martes*.
    """
    counts = Counter(
        (entry.tag, text)
        for entry in entries
        if entry.tag in CALENDAR_TAGS
        for text in entry.forms.texts
    )

    def clean(entry: Entry) -> Entry:
        first = entry.forms.texts[0]
        own = [
            form
            for form in entry.forms
            if form.text == first
            or (counts[entry.tag, form.text] == 1 and first not in form.text.split())
        ]
        return entry.replace_forms(own)._replace(others=tuple(map(clean, entry.others)))

    return [clean(entry) if entry.tag in CALENDAR_TAGS else entry for entry in entries]


def plural_weekdays(entries: Iterable[Entry], ending: str) -> list[Entry]:
    """Return plurals of weekdays (*Mondays*), tagged ``WEEKDAYS``.

    ``ending`` is the plural ending of the source, empty where no rule gives it. Target forms end in
    *s*, and so do all parts of one with hyphens (*terças-feiras*); or they are as they were.
    """

    def several(entry: Entry) -> Entry:
        forms = list[Form]()
        for form in entry.forms:
            plural = "-".join(f"{part.removesuffix('s')}s" for part in form.text.split("-"))
            forms += [form._replace(text=text) for text in dict.fromkeys((plural, form.text))]
        others = tuple(map(several, entry.others))
        made = entry._replace(word=entry.word + ending, tag="WEEKDAYS", others=others)
        return made.replace_forms(forms)

    return [several(entry) for entry in entries if ending and entry.tag == "WEEKDAY"]


def preferred(entries: Sequence[Entry], translator: str) -> Entry:
    """Return the entry to use with ``translator`` of those that several have for one word.

    The user's glossary wins, then the translator's own entry. For a translator that has none, the
    entry whose first form most others share wins, then the most confident. It keeps the ``others``.
    """
    sureness = find_sureness(entries, translator)
    if len(entries) == 1:
        (entry,) = entries
        return entry if entry.sureness == sureness else entry.replace_sureness(sureness)
    own = {entry.translator: entry for entry in entries}
    chosen = own.get(GLOSSARY) or own.get(translator)
    if chosen is None:
        others = [e for e in entries if translator in BY_RULE or e.translator not in BY_RULE]
        others = others or list(entries)
        firsts = Counter(entry.forms.texts[0] for entry in others)
        chosen = max(others, key=lambda e: (firsts[e.forms.texts[0]], e.confidence, e.translator))
    others = sorted([e for e in entries if e is not chosen], key=attrgetter("translator"))
    return chosen._replace(others=tuple(others), sureness=sureness)


def find_sureness(entries: Sequence[Entry], translator: str) -> float:
    """Return how surely ``translator`` writes a form of the entries' word, in [0, 1].

    Of a translator by rule only its own confidence counts. Others are as sure as the rows are
    ``calibrated``, else as the least confident of the rows that carry over; without rows of their
    own these have to agree on a form.
    """
    is_own, is_carried = _match_translators(tuple(map(_TRANSLATOR, entries)), translator)
    if translator in BY_RULE:
        return min([entry.confidence for entry in compress(entries, is_own)], default=0.0)
    carried = [*compress(entries, is_carried)]
    if carried and not any(is_own) and not _do_agree(carried):
        return 0.0
    if calibrated := max([entry.calibrated for entry in entries]):
        return calibrated
    least = min([entry.confidence for entry in carried], default=0.0)
    return least if len(carried) < 2 or _do_agree(carried) else min(least, DISAGREED)


@lru_cache(maxsize=4096)
def _match_translators(
    names: tuple[str, ...], translator: str
) -> tuple[tuple[bool, ...], tuple[bool, ...]]:
    """Return which of ``names`` are ``translator`` or the glossary, and which carry over."""
    own = (translator, GLOSSARY)
    return tuple(name in own for name in names), tuple(name not in BY_RULE for name in names)


def _do_agree(entries: Sequence[Entry]) -> bool:
    """Return True if the first forms of several ``entries`` are known to the others."""
    return len(entries) > 1 and all(
        entry.forms.texts[0] in other.forms.texts for entry in entries for other in entries
    )


class _Classes:
    """Agreement classes of translators by rule, expressed in those of the others.

    A class becomes what most of its words are in there, else what most words are that share its
    coarsest part; where the others have no classes, each keeps its own.
    """

    def __init__(self, rows: Iterable[Sequence[Entry]], strangers: frozenset[str]) -> None:
        votes: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
        for entries in rows:
            if len(entries) > 1:
                theirs = [entry for entry in entries if entry.translator in strangers]
                for other in entries if theirs else ():
                    if other.translator not in strangers and other.agreement:
                        for key in _class_keys(theirs[0]):
                            votes[key][other.agreement] += 1
        self._translated = {key: counts.most_common(1)[0][0] for key, counts in votes.items()}

    def translate(self, entry: Entry) -> Entry:
        """Return ``entry`` with its class in those of the others; no class if it is not known."""
        if not (entry.agreement and self._translated):
            return entry
        key = entry.tag, entry.agreement
        if key not in self._translated:
            self._translated[key] = self._translated.get(_class_keys(entry)[1], "")
        return entry.replace_agreement(self._translated[key])


def _class_keys(entry: Entry) -> tuple[tuple[str, str], tuple[str, str]]:
    return (entry.tag, entry.agreement), (entry.tag, entry.agreement_parts[0])


FILES = {"GIVEN": "given.txt", "SURNAME": "surnames.txt", "PLACE": "places.txt"}
CHECKED = frozenset({("en", "es"), ("en", "fr"), ("en", "de")})
"""Language pairs that the lists of unchanged names were made for."""


def read_names(folder: Path) -> list[tuple[str, str]]:
    """Return ``(name, tag)`` of every line of the name lists in ``folder``."""
    return [(name, tag) for name, tag, _ in _read_lines(folder)]


@cache
def unchanged_names(source: str, target: str, translator: str) -> Mapping[str, Sequence[str]]:
    """Return by tag the names that translators leave unchanged; none for an unchecked pair.

    Of a translator by rule they are those that it knows: it takes grammar from its word list.
    Besides the names of many countries a source language may have a folder of its own, of which a
    translator gets only the names that it is known to leave unchanged.
    """
    found: dict[str, list[str]] = {tag: [] for tag in FILES}
    translator = canonical_translator(translator)
    if (own := SHIPPED_NAMES / "unchanged" / source).exists():
        for name, tag, known in _read_lines(own):
            if f"{translator}:{target}" in known.split():
                found[tag].append(name)
    if (source, target) in CHECKED:
        for name, tag, known in _read_lines(SHIPPED_NAMES / "unchanged"):
            if translator not in BY_RULE or translator in known.split():
                found[tag].append(name)
    return found


def _read_lines(folder: Path) -> Iterator[tuple[str, str, str]]:
    """Yield name, tag, and the translators by rule that know the name."""
    for tag, file in FILES.items():
        for name, *known in read_rows(folder / file):
            yield name, tag, "".join(known)
