"""Streets with numbers and towns with postcodes, as several countries write them.

Foreign addresses keep their own form in any text. The form of domestic ones depends on the
language.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from typing import ClassVar

from prism_core.identifiers.base import Detector, Match, Span, Strength, kind_of
from prism_core.identifiers.name_words import PARTICLES
from prism_core.languages import Language
from prism_core.record import Kind
from prism_core.settings import IdentifierClass

_CAPITAL = r"[A-ZÀ-ÖØ-ÞŁŚŻČŠŽ][\w'’.\-]{0,60}"
"""Capitalised word of bounded length, so that a line of capitals is read in linear time."""
_PARTICLE = (
    r"(?:de|du|des|la|le|les|del|della|delle|dei|di|do|da|dos|das|los|las|van|der|den|y|of|the|"
    r"[dl]['’])"
)
# *de Rivoli*, *del Prado Nuevo*, *d'Hebron*.
_NAMED = (
    rf"(?:{_PARTICLE}(?: |(?<=['’]))){{0,4}}{_CAPITAL}"
    rf"(?: (?:{_PARTICLE} ){{0,2}}{_CAPITAL}){{0,3}}"
)
# *12*, *12 b*, *12-14a*.
_HOUSE = r"\d{1,5}(?: ?[A-Za-z](?![\w]))?(?:[-/]\d{1,4}[A-Za-z]?)?"
_LATIN = (
    "Rue|rue|Avenue|avenue|Boulevard|boulevard|Place|place|Quai|quai|Chemin|chemin|Impasse|"
    "Allée|Via|Viale|Piazza|Corso|Vicolo|Largo|Calle|Avenida|Plaza|Paseo|Carrer|Ronda|Camino|"
    "Travesía|Rua|Praça|Travessa|Ulica|ulica|ul\\.|al\\.|Aleja"
)
_GERMANIC = (
    r"(?:straße|strasse|str\.|weg|platz|allee|gasse|ring|damm|ufer|steig|chaussee|markt|laan|"
    r"straat|plein|gracht|kade|dijk|gatan|vägen|vej|gade|katu|tie)"
)
# *Calle Mayor, 12*, *Hauptstraße 5*, *Lange Straße 7*, *Am Markt 3*.
_NAME_FIRST = re.compile(
    rf"(?<![\w.,/$€£-])(?:"
    rf"(?<!\d )(?<!\d, )(?:{_LATIN}) {_NAMED}"
    rf"(?:,? (?:n[º°o.]+ ?)?|,? nr\.? )(?!\d{{4}}){_HOUSE}(?: ?(?:bis|ter))?"
    r"(?:, \d{1,2}[º°ª](?: ?(?:[A-Z]\b|izq\.?|dcha\.?|derecha|izquierda))?)?"
    rf"|(?:{_CAPITAL} |{_CAPITAL}-)?[A-ZÄÖÜ][\w\-]*{_GERMANIC} {_HOUSE}"
    rf"|(?:[A-ZÄÖÜ][^\W\d_]*[ -]){{0,3}}(?:Straße|Strasse|Str\.|Platz|Allee|Ring|Weg) {_HOUSE}"
    r"|(?:Am|An der|An den|Auf dem|Auf der|Im|In der|Unter den|Zum|Zur|Beim|Hinter dem) "
    rf"{_CAPITAL}(?: {_CAPITAL})? (?!(?:19|20)\d\d\b){_HOUSE})(?!\w|[-/.]\d)"
)
# *D-10115 Berlin*, *1012 AB Amsterdam*, *, 28013 Madrid*, *, 00-950 Warszawa*.
_TOWN = re.compile(
    rf"(?<![\w.,/$€£-])(?:"
    rf"(?:[A-Z]{{1,2}}[- ])\d{{4,5}} {_CAPITAL}(?: {_CAPITAL})?"
    rf"|\d{{4}} ?[A-Z]{{2}},? {_CAPITAL}(?: {_CAPITAL})?"
    rf"|(?<=, )(?!(?:19|20)\d\d\b)\d{{4}} {_CAPITAL}"
    rf"|(?:(?<=[,–-] )|(?<=\d )|(?<=\A))\d{{5}},? {_CAPITAL}(?: {_CAPITAL})?"
    rf"|(?<=, )\d\d-\d{{3}} {_CAPITAL}|\d{{3}} \d\d {_CAPITAL}|(?<=, )\d{{4}}-\d{{3}} {_CAPITAL}"
    rf")(?![\w])"
)
# *12-14*, *Mayor*, *d'Hebron*.
_PIECE = re.compile(r"[^\W_]*\d\w*(?:[-/]\w+)*|[^\W\d_](?:[^\W\d_]|['’](?=[^\W\d_]))*")
# *12b*, *Mayor*; *d'* apart from *Hebron*.
_NAMED_PIECE = re.compile(r"[^\W_]*\d\w*|[^\W\d_]+(?:['’](?=[^\W\d_]))?")
# *12 H* of *12 High Street*.
_NUMBER_SIGN = re.compile(
    r"\d[A-Za-z]?(?:[-/]\w{1,4})?,? (?:(?:bis|ter),? )?(?:[A-ZÀ-Þ\d]|rue|av|bo|pl|qu|ch|ul)"
)
# *Mayor, 1* of *Calle Mayor, 12*.
_NAME_SIGN = re.compile(r"[A-ZÀ-ß][\w.'’-]{0,60},? (?:n[º°o.]+ ?|nr\.? )?\d")


def _number_first(language: Language) -> re.Pattern[str]:
    """Compile the pattern of *12 High Street* and *12 rue de Rivoli*."""
    places, numbers = language.places, language.numbers
    room = rf"(?:,? (?:{places.rooms})\.? ?#?\w{{1,5}}|,? #\w{{1,5}})?"
    return re.compile(
        rf"(?<![\w.,/$€£-])(?:(?:{places.flats}) \w{{1,4}},? )?{_HOUSE},? (?:"
        rf"(?:[NSEW]{{1,2}}\.? )?(?:{_CAPITAL} |\d{{1,3}}{numbers.ordinal} ){{1,4}}"
        rf"(?:{places.streets})(?!\w)\.?(?: [NSEW]{{1,2}}\b\.?)?{room}"
        rf"|(?:(?:bis|ter),? )?(?:{_LATIN}) {_NAMED})(?!\w|[-/.]\d)"
    )


def _is_part_of_street_name(text: str) -> bool:
    """Return True if a capitalised function word is part of a street name: *12 Still Road*."""
    return text.istitle() and text.lower() not in PARTICLES


def named_parts(match: re.Match[str], function_words: Set[str]) -> tuple[Span, ...]:
    """Return the parts of an address that identify it.

    These are every number and single letter, and every word of the groups ``name`` and ``town``
    except function words. The kind of street or floor is none.
    """
    named = [match.span(group) for group in ("name", "town") if group in match.re.groupindex]
    found = list[Span]()
    for piece in _NAMED_PIECE.finditer(match.string, *match.span()):
        text = piece.group()
        has_digits = any(map(str.isdigit, text))
        is_named = any(start <= piece.start() < end for start, end in named)
        is_grammar = text.lower() in function_words and not (
            is_named and _is_part_of_street_name(text)
        )
        if not is_grammar and (has_digits or is_named or len(text) == 1):
            kind = kind_of(text) if has_digits else Kind.NAME
            found.append(Span(*piece.span(), "ADDRESS", kind))
    return tuple(found)


class AddressDetector(Detector):
    """Detector of house numbers, streets and towns; each word and number is a part of its own."""

    order = 40
    signs, signs_without_digits = (_NUMBER_SIGN, _NAME_SIGN), ()
    classes: ClassVar = {"ADDRESS": IdentifierClass.GEOGRAPHY}

    def __init__(self, language: Language) -> None:
        self._number_first = _number_first(language)
        self._function_words = language.words.function_words

    def find(self, text: str) -> Iterator[Match]:
        """Yield the streets and the towns with postcodes in ``text``."""
        if _NUMBER_SIGN.search(text):
            yield from self._matches(self._number_first, text)
            yield from self._matches(_TOWN, text)
        if _NAME_SIGN.search(text):
            yield from self._matches(_NAME_FIRST, text)

    def _matches(self, pattern: re.Pattern[str], text: str) -> Iterator[Match]:
        for match in pattern.finditer(text):
            parts = []
            for piece in _PIECE.finditer(match.string, *match.span()):
                word = piece.group()
                if word.lower() not in self._function_words or _is_part_of_street_name(word):
                    kind = kind_of(word) if any(map(str.isdigit, word)) else Kind.NAME
                    parts.append(Span(*piece.span(), "ADDRESS", kind))
            yield Match(*match.span(), "ADDRESS", Strength.NAMED, tuple(parts))


DETECTOR = AddressDetector
