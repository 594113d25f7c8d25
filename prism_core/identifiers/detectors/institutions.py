"""Names made of ordinary words: of hospitals and schools, streets, firms, towns, sides of a case.

*Hospital Virgen de la Salud*, *calle Desengaño*, *Hermanos Rico, S.L.*, *Buenos Aires*: the words
before or after show that they are names, whatever they mean elsewhere. Only languages that list
such words have their texts read.

Entry: ``InstitutionDetector.find``: each of ``_build_rows``, then the words of each match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import ClassVar, NamedTuple

from prism_core.identifiers.base import Detector, Match, Span, Strength
from prism_core.identifiers.name_words import name_words
from prism_core.languages import Language, Places
from prism_core.record import Kind
from prism_core.settings import IdentifierClass

# *Virgen*, *Ntra.*, *Sant-Joan*, *D'Hebron*.
_CAPITAL = (
    r"(?:(?:Ntra|Nstra|Sra|Sta|Sto|Dra?|[A-Z])\.|"
    r"[A-ZÀ-ÖØ-Þ][^\W\d_]{0,60}(?:[-'’·][^\W\d_]{1,60}){0,8})(?!\w)"
)
_ARTICLE = "La|Las|Los|El"
_SMALL = f"de|del|la|las|los|el|lo|y|e|i|{_ARTICLE}|DE|DEL|LA|LAS|LOS|EL|LO|Y"
# * de la * in *Virgen de la Salud*.
_LINK = rf"[ -](?:(?:{_SMALL}) ){{0,3}}"
_FIRM = r",? (?:S\. ?[AL]\.(?: ?[UL]\.)?|S[AL]U?|S\. ?Coop\.)(?!\w)"
"""Legal forms of companies, where they are no initials."""
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
    classes: ClassVar = {
        "ADDRESS": IdentifierClass.GEOGRAPHY,
        "NAME": IdentifierClass.NAME,
        "ORGANISATION": IdentifierClass.NAME,
        "PLACE": IdentifierClass.GEOGRAPHY,
    }

    def __init__(self, language: Language) -> None:
        titles = {phrase for phrase in language.words.honorifics if len(phrase) > 1}
        self._name_nobody = name_words().particles | titles | language.places.kinds_of_institution
        self._build_rows = tuple(_build_rows(language.places))
        self._signs = frozenset().union(*(row.words for row in self._build_rows))
        self.signs_without_digits = None if self._build_rows else ()

    def may_find(self, text: str, *, has_digits: bool = True) -> bool:  # noqa: ARG002 # a name has none
        """Return True if ``text`` has a word of one of the rows."""
        return bool(self._signs) and not self._signs.isdisjoint(_LETTERS.findall(text.lower()))

    def find(self, text: str) -> Iterator[Match]:
        """Yield the names of ``text`` that words next to them identify."""
        words = _LETTERS.findall(text.lower())
        for label, signs, pattern in self._build_rows:
            for match in () if signs.isdisjoint(words) else pattern.finditer(text):
                for place in range(1, pattern.groups + 1):
                    if parts := tuple(self._parts(text, *match.span(place), label)):
                        yield Match(*match.span(place), label, Strength.SHAPED, parts)

    def _parts(self, text: str, start: int, end: int, label: str) -> Iterator[Span]:
        """Yield the words of a name, and particles between two of them: *Virgen de la Salud*."""
        between: list[Span] = []
        for word in _WORD.finditer(text, start, end):
            part = Span(*word.span(), label, Kind.NAME)
            if word.group() in name_words().particles:
                between.append(part)
            elif word.group().lower() not in self._name_nobody:
                yield from between if between and between[0].start > start else ()
                yield part
                between = []


def _build_rows(places: Places) -> Iterator[_Row]:
    heads = _in_any_case(places.before_streets | places.before_institutions)
    word = rf"(?!(?:{heads})(?!\w)){_CAPITAL}"
    name, small = rf"{word}(?:{_LINK}{word}){{0,5}}", rf"(?:(?:{_SMALL}) ){{0,3}}"
    if phrases := places.before_institutions:
        kinds = rf"(?: (?:{_in_any_case(places.kinds_of_institution)}))*"
        after = "|".join(f"(?<={phrase} )" for phrase in _ARTICLE.split("|"))  # *Hospital La paz*
        named = rf"({name}|(?:{after})[^\W\d_]+)"
        pattern = rf"\b(?:{_in_any_case(phrases)}){kinds} {small}[\"“«]?{named}"
        yield _Row("ORGANISATION", _first_words(phrases), re.compile(pattern))
        yield _Row("ORGANISATION", _FIRM_WORDS, re.compile(rf"\b({name}){_FIRM}"))
    if phrases := places.before_streets:
        pattern = rf"(?<!\w)(?:{_in_any_case(phrases)}) {small}({name})"
        yield _Row("ADDRESS", _first_words(phrases), re.compile(pattern))
    if phrases := places.of_several_words:
        not_small = frozenset(
            phrase for phrase in phrases if phrase.split()[0] in name_words().particles
        )
        towns = f"{_in_any_case(phrases - not_small)}|{_in_any_case(not_small, small=False)}"
        last = _first_words(" ".join(reversed(_LETTERS.findall(phrase))) for phrase in phrases)
        yield _Row("PLACE", last, re.compile(rf"\b({towns})(?!\w)"))
    if phrases := places.before_cases:
        side = rf"({_CAPITAL}(?:,? {small}{_CAPITAL}){{0,7}}?)"
        sides = rf"{side} (?:{places.versus}) {side}(?! ?[A-ZÀ-Þ])"
        pattern = rf"\b(?:{_in_any_case(phrases)})(?: de)?:? {sides}"
        yield _Row("NAME", _first_words(phrases), re.compile(pattern))


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
