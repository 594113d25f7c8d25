"""Names made of ordinary words: of hospitals and schools, streets, firms, towns, sides of a case.

*Hospital Virgen de la Salud*, *calle Desengaño*, *Hermanos Rico, S.L.*, *Buenos Aires*: the words
before or after show that they are names, whatever they mean elsewhere. Only languages that list
such words have their texts read. The patterns are in ``data/identifiers/institutions.toml``.

Entry: ``InstitutionDetector.find``: each of ``_build_rows``, then the words of each match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from prism_core.identifiers.base import Detection, Detector, Span, Strength
from prism_core.identifiers.name_words import name_words
from prism_core.identifiers.shape_tables import read_patterns
from prism_core.languages import Language, Places
from prism_core.record import Kind

_FIRM_WORDS = frozenset("s sa sl sau slu".split())
_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:['’·][^\W\d_]+)*")


class _Row(NamedTuple):
    """Row of the table: the groups of ``pattern`` are names of the class ``label``.

    Every match contains one of ``words`` (in small letters), so that texts without one cost little.
    """

    label: str
    words: frozenset[str]
    pattern: re.Pattern[str]


class InstitutionDetector(Detector):
    """Detector that yields each word of such a name, without particles and kinds of institution."""

    order = 46

    def __init__(self, language: Language) -> None:
        titles = {phrase for phrase in language.words.honorifics if len(phrase) > 1}
        self._name_nobody = name_words().particles | titles | language.places.kinds_of_institution
        self._build_rows = tuple(_build_rows(language.places))
        self._signs = frozenset().union(*(row.words for row in self._build_rows))
        self.signs_without_digits = None if self._build_rows else ()

    def may_find(self, text: str, *, has_digits: bool = True) -> bool:  # noqa: ARG002 # a name has none
        """Return True if ``text`` has a word of one of the rows."""
        return bool(self._signs) and not self._signs.isdisjoint(_LETTERS.findall(text.lower()))

    def find(self, text: str) -> Iterator[Detection]:
        """Yield the names of ``text`` that words next to them identify."""
        words = _LETTERS.findall(text.lower())
        for label, signs, pattern in self._build_rows:
            for match in () if signs.isdisjoint(words) else pattern.finditer(text):
                for place in range(1, pattern.groups + 1):
                    parts, between = list[Span](), list[Span]()
                    for word in _WORD.finditer(text, *match.span(place)):
                        part = Span(*word.span(), label, Kind.NAME)
                        if word.group() in name_words().particles:
                            between.append(part)
                        elif word.group().lower() not in self._name_nobody:
                            if between and between[0].start > match.start(place):
                                parts += between  # *Virgen de la Salud*
                            parts.append(part)
                            between = []
                    if parts:
                        yield Detection(*match.span(place), label, Strength.SHAPED, tuple(parts))


def _build_rows(places: Places) -> Iterator[_Row]:
    towns = places.of_several_words
    not_small = frozenset(town for town in towns if town.split()[0] in name_words().particles)
    patterns = read_patterns(
        "institutions",
        {
            "HEADS": _in_any_case(places.before_streets | places.before_institutions),
            "INSTITUTIONS": _in_any_case(places.before_institutions),
            "KINDS": _in_any_case(places.kinds_of_institution),
            "STREETS": _in_any_case(places.before_streets),
            "TOWNS": _in_any_case(towns - not_small),
            "SMALL_TOWNS": _in_any_case(not_small, small=False),
            "CASES": _in_any_case(places.before_cases),
            "VERSUS": places.versus,
        },
    )
    if phrases := places.before_institutions:
        yield _Row("ORGANISATION", _first_words(phrases), patterns["institution"])
        yield _Row("ORGANISATION", _FIRM_WORDS, patterns["firm"])
    if phrases := places.before_streets:
        yield _Row("ADDRESS", _first_words(phrases), patterns["street"])
    if towns:
        last = _first_words(" ".join(reversed(_LETTERS.findall(town))) for town in towns)
        yield _Row("PLACE", last, patterns["town"])
    if phrases := places.before_cases:
        yield _Row("NAME", _first_words(phrases), patterns["sides"])


def _first_words(phrases: Iterable[str]) -> frozenset[str]:
    return frozenset(_LETTERS.findall(phrase)[0] for phrase in phrases)


def _in_any_case(phrases: Iterable[str], *, small: bool = True) -> str:
    """Return alternatives for small-letter ``phrases``: as they are, with capitals, in capitals."""
    cased = set[str]()
    for phrase in phrases:
        title = " ".join(
            w if w in name_words().particles else w.capitalize() for w in phrase.split()
        )
        cased |= {title[:1].upper() + title[1:], phrase.upper()}
        cased |= {phrase, phrase.capitalize()} if small else set()
    return "|".join(map(re.escape, sorted(cased, key=lambda form: (-len(form), form)))) or "(?!)"


DETECTOR = InstitutionDetector
