"""Numbers that Spain issues, and streets and telephones as they are written there.

Only texts in Spanish are read: see ``CountryDetector``. Spanish numbers that are recognised in any
text (DNI, NIE, IBAN, plates) are among the ``shapes``; all others, and the patterns of addresses,
are in ``data/identifiers/es.toml``. Here is what an address is cut into, and its parts elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from prism_core.identifiers.base import Match, Span, Strength, kind_of
from prism_core.identifiers.name_words import name_words
from prism_core.identifiers.shape_tables import CountryDetector
from prism_core.languages import Language
from prism_core.record import Kind

_HALF_ADDRESS = re.compile(
    r"(?:(?<![\w.+%-])[\w.+%-]+|[\w.+%-]{1,256})"
    r"(?=(?: ?@ ?| ?[\[(]?arroba[\])]? ?)[\w-]+\.\w)"
)
"""Local part of a mail address whose sign is written with blanks or in words: *ana (arroba)
mail.es*."""
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

    def __init__(self, language: Language) -> None:
        super().__init__(language, is_read=language.code == "es")

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
            is_door &= start >= match.end("name") or text.lower() not in name_words().particles
            is_door |= len(text) == 1 and match.string[start - 2 : start].strip()[-1:].isdigit()
            grammar = text.lower() in self._function_words or (text[0].islower() and not is_named)
            if grammar and not is_door:
                continue
            kind = kind_of(text) if any(map(str.isdigit, text)) else Kind.NAME
            found.append(Span(start, end, "ADDRESS", kind))
        return tuple(found)


DETECTOR = SpainDetector
