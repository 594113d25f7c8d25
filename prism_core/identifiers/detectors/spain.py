"""Numbers that Spain issues, and streets and telephones as they are written there.

Only texts in Spanish are read: see ``CountryDetector``. Spanish numbers that are recognised in any
text (DNI, NIE, IBAN, plates) are among the ``shapes``.

Entry: ``SpainDetector.find``: the rows of ``_NUMBERS``, then addresses, then their words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import ClassVar

from prism_core.identifiers import checksums
from prism_core.identifiers.base import Match, Span, Strength, kind_of
from prism_core.identifiers.name_words import PARTICLES
from prism_core.identifiers.national_numbers import CountryDetector, NationalNumber
from prism_core.languages import Language
from prism_core.record import Kind
from prism_core.settings import IdentifierClass

_NUMBERS = (
    NationalNumber(
        "VAT", r"[A-HJNP-SUVW][ -]?\d{2}\.?\d{3}\.?\d{2}[ -]?[0-9A-J]", checksums.spanish_company
    ),
    NationalNumber("NATIONAL_ID", r"\d\d[ /-]?\d{8}[ /-]?\d\d", checksums.spanish_social_security),
    NationalNumber("ACCOUNT", r"\d{4}([ -]?)\d{4}\1\d\d\1\d{10}", checksums.spanish_account),
    NationalNumber(
        "PLATE",
        r"(?:A|AB|AL|AV|B|BA|BI|BU|C|CA|CC|CE|CO|CR|CS|CU|GC|GE|GI|GR|GU|H|HU|IB|J|L|LE|LO|LU|M|MA|"
        r"ML|MU|NA|O|OR|OU|P|PM|PO|S|SA|SE|SG|SO|SS|T|TE|TF|TO|V|VA|VI|Z|ZA)[- ]\d{4}"
        r"[- ][A-Z]{1,2}",
    ),
    NationalNumber("PLATE", r"[a-z]{1,2}-\d{4}-[a-z]{1,2}"),
    NationalNumber("PHONE", r"[6-9]\d\d(?:([ .-])\d{3}\1\d{3}|([ .-])\d\d\2\d\d\2\d\d|\d{6})"),
    NationalNumber("PHONE", r"9\d([ .-])\d{3}\1\d\d\1\d\d"),
)
_HALF_ADDRESS = re.compile(
    r"(?:(?<![\w.+%-])[\w.+%-]+|[\w.+%-]{1,256})"
    r"(?=(?: ?@ ?| ?[\[(]?arroba[\])]? ?)[\w-]+\.\w)"
)
"""Local part of a mail address whose sign is written with blanks or in words: *ana (arroba)
mail.es*."""
_CAPITAL = r"[A-ZÁÉÍÓÚÑÜ][\w'’.\-]{0,60}"
# *Mayor*, *de la Cruz*, *Ramón y Cajal*.
_NAME = (
    rf"(?:(?:de|del|la|las|los|el|y|i|d['’])(?: |(?<=['’]))){{0,4}}{_CAPITAL}"
    rf"(?:[ -](?:(?:de|del|la|las|los|el|y|i|a) ){{0,3}}{_CAPITAL}){{0,5}}"
)
# *de la cruz*, but no preposition that begins another phrase (*en*, *por*).
_SMALL_WORD = (
    r"(?:(?:de|del|la|las|los|el|y) ){0,3}(?!(?:en|por|con|que|durante|desde|hasta|para|sin)\b)"
    r"[^\W\d_]{3,}"
)
_SMALL = rf"{_SMALL_WORD}(?: {_SMALL_WORD}){{0,3}}(?: [IVX]+\b)?"
"""Name in small letters, as forms are filled in: *pio XII*."""
# *, 12*, * nº 14 bis*, * km 12,5*; no year.
_NUMBER = (
    r"(?:,? ?(?:n\.?[º°o]\.?|núm\.?|num\.?|número|nº\.?|km\.?) ?| ?, ?| )"
    r"(?!(?:19|20)\d\d\b)\d{1,4}(?:[.,]\d)?(?:[-/]\d{1,4})?(?: ?(?:bis|[A-Z]\b))?"
)
# *piso 3*, *2º*, *esc. A*, *bajo*, *izda.*.
_PART = (
    r"(?:(?:[Pp]iso|[Pp]ta\.?|[Pp]uerta|[Pp]ortal|[Ee]sc\.?|[Ee]scalera|[Bb]loque|[Bb]q\.?|[Bb]ajo|"
    r"[Áá]tico|[Pp]lanta|[Ll]ocal) ?(?:\d{1,3}|[A-Z]\b)?\.?[ºª°]?|\d{1,2}\.?[ºª°]|\d{1,2}-\d{1,2}|"
    r"\d{1,2}(?=, ?[A-Z]\b)|"
    r"\d{1,2} ?[A-Z]\b|\d{1,2} ?[a-h](?=\s*(?:[.,;(]|\Z|\n|\d{5}))|"
    r"(?i:izda|iqda|izqda|izq|dcha|drcha|ctro)\b\.?|izquierda|derecha|[A-Z]\b|[sS]/[nN])"
)
# *28013 Madrid*, *CP: 28013*.
_TOWN = rf"(?:CP:? ?)?\d{{5}}(?:[ ,.-]{{1,3}}{_NAME})?"
_PIECE = re.compile(
    r"(?P<whole>\b[sS]/[nN]\b|\b[cC]/\.?|\bn\.?[º°]\.? ?\d+(?: ?[A-Za-z]\b)?|\b[Kk]m\.? ?\d+|"
    r"\b\d{1,3}\.[ºª°]|\b(?i:izda|iqda|izqda|izq|dcha|drcha|ctro|esc)\b)"
    r"|[^\W_]*\d\w*|[^\W\d_]+(?:['’][^\W\d_]+)*"
)
"""Pieces of an address: an abbreviation and its house number are one (*nº 14*, *km 12*). So are
*s/n* and an abbreviated side, which no translator reads as a word."""
_DOOR = re.compile(
    r"(?<![\w/])(?P<none>[sS]/[nN])(?![\w/])"
    r"|\d\.?[ºª°]?[ ,-]{1,3}(?P<side>(?i:izda|iqda|izqda|izq|dcha|drcha|ctro))(?!\w)"
)
"""Parts recognised without a known street: *Hermanos Falcó, s/n*, *4 izq.*"""


class SpainDetector(CountryDetector):
    """Detector of Spanish company and insurance numbers, accounts, plates, phones, addresses."""

    order = 45
    code = "es"
    numbers = _NUMBERS
    classes: ClassVar = {
        "ACCOUNT": IdentifierClass.ACCOUNT,
        "ADDRESS": IdentifierClass.GEOGRAPHY,
        "EMAIL": IdentifierClass.EMAIL,
        "NATIONAL_ID": IdentifierClass.NATIONAL_ID,
        "PHONE": IdentifierClass.PHONE,
        "PLATE": IdentifierClass.VEHICLE,
        "VAT": IdentifierClass.LICENCE,
    }

    def __init__(self, language: Language) -> None:
        written = language.places.streets
        known = f"{written}|{written.lower()}|{written.upper()}"
        streets = rf"(?:{known})\b[./]?|[Cc]/\.?|[Cc]\. ?/|C\.|P\.º|Pº"
        addresses = (
            rf"(?<!\w)(?:{streets}) ?"
            rf"(?P<name>{_NAME}|{_SMALL})(?:{_NUMBER}|,? [sS]/[nN])"
            rf"(?:,? ?(?:y )?{_PART}){{0,4}}(?!\w)(?:[ ,.;-]{{1,3}}{_TOWN})?",
            rf"(?<![\w.,/$€-])\d{{5}}[ ,-]{{1,2}}(?P<name>{_NAME})",
            # *Reyes Católicos, 19. 41013 Sevilla*
            rf"(?:(?<=[.,;:] )|(?<![^\n]))(?P<name>{_NAME}),? (?:\d{{1,3}}(?!\w)|[sS]/[nN])"
            r"(?=[^\n:;]{0,30}?[ -]\d{5},? [A-ZÀ-Þ])",
        )
        marks = "[sS]/[nN]|@|arroba"
        super().__init__(language, rf"\d|{marks}", marks, addresses)

    def find(self, text: str) -> Iterator[Match]:
        """Yield numbers, with right check digits if they have any, and addresses."""
        if not self.signs:
            return
        yield from self.find_numbers(text)
        for match in _HALF_ADDRESS.finditer(text):
            whole = Span(*match.span(), "EMAIL", Kind.CODE)
            yield Match(*match.span(), "EMAIL", Strength.NAMED, (whole,))
        for match in _DOOR.finditer(text):
            part = Span(*match.span(match.lastgroup or 0), "ADDRESS", Kind.CODE)
            yield Match(part.start, part.end, "ADDRESS", Strength.SHAPED, (part,))
        yield from self.find_addresses(text)

    def address_parts(self, match: re.Match[str]) -> tuple[Span, ...]:
        """Return every number and word of the name; the kind of street or floor is none."""
        found = list[Span]()
        for piece in _PIECE.finditer(match.group()):
            text = piece.group()
            start, end = match.start() + piece.start(), match.start() + piece.end()
            if piece.lastgroup:
                found.append(Span(start, end, "ADDRESS", Kind.CODE))
                continue
            is_named = match.start("name") <= start < match.end("name")
            is_door = len(text) == 1 and text.isupper()  # or cut short: *México D.F.*
            is_door &= start >= match.end("name") or text.lower() not in PARTICLES
            is_door |= len(text) == 1 and match.string[start - 2 : start].strip()[-1:].isdigit()
            grammar = text.lower() in self._function_words or (text[0].islower() and not is_named)
            if grammar and not is_door:
                continue
            kind = kind_of(text) if any(map(str.isdigit, text)) else Kind.NAME
            found.append(Span(start, end, "ADDRESS", kind))
        return tuple(found)


DETECTOR = SpainDetector
