"""Numbers that a state issues, and streets and towns as they are written there.

``data/identifiers`` has a table for each language whose texts are read; in other texts most of
these forms are ordinary numbers. Numbers that are recognised in any text (IBAN, NIR, KVNR, DNI,
Steuer-ID, current plates, telephones) are among the ``shapes`` and ``phones``; those that a word
before them names (*RG*, *Az.*, *Police*) are in ``data/words``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from prism_core.identifiers.base import Detection, Detector, Span, Strength, kind_of
from prism_core.identifiers.name_words import name_words
from prism_core.identifiers.shape_tables import ShapeTable, find_address_parts, read_table
from prism_core.languages import Language
from prism_core.record import Kind
from prism_core.resources import SHIPPED_IDENTIFIERS

_NUMBER = r"(?<![\w@+])(?<!\d[-./,])(?:{PATTERN})(?![\w@]|[-/.,]\d)"
"""Number of a state: no letter, digit or address continues on either side."""
# *12b*, *Mayor*; *d'* apart from *Hebron*.
_PIECE = re.compile(r"[^\W_]*\d\w*|[^\W\d_]+(?:['’](?=[^\W\d_]))?")


class StateDetector(Detector):
    """Detector of the state whose language the texts are in, by its table.

    The groups ``name`` and ``town`` of its patterns of addresses are names.
    """

    order = 35

    def __init__(self, language: Language) -> None:
        self.signs = self.signs_without_digits = ()
        self._table = ShapeTable()
        self._function_words = language.words.function_words
        if (SHIPPED_IDENTIFIERS / f"{language.code}.toml").exists():
            streets = language.places.streets
            given = {
                "STREETS": streets,
                "SMALL_STREETS": streets.lower(),
                "CAPITAL_STREETS": streets.upper(),
            }
            self._table = read_table(language.code, _NUMBER, Strength.NAMED, given)
            self.order = self._table.order or self.order
            self.signs = (re.compile(rf"\d|{self._table.sign}"),)
            self.signs_without_digits = (re.compile(self._table.sign),)

    def find(self, text: str) -> Iterator[Detection]:
        """Yield numbers, with right check digits if they have any, and addresses in their parts.

        Matches of two rows may overlap.
        """
        for shape in self._table.shapes:
            yield from shape.find(text)
        for label, strength, pattern in self._table.alone:
            for match in pattern.finditer(text):
                place = match.span(match.lastgroup or 0)
                yield Detection(*place, label, strength, (Span(*place, label, Kind.CODE),))
        for pattern in self._table.addresses:
            for match in pattern.finditer(text):
                pieces = self._table.pieces
                if pieces is None:
                    groups = [name for name in ("name", "town") if name in pattern.groupindex]
                    named = list(map(match.span, groups))
                    parts = find_address_parts(match, _PIECE, named, self._function_words)
                else:
                    parts = self._cut(match, pieces)
                yield Detection(*match.span(), "ADDRESS", Strength.NAMED, tuple(parts))

    def _cut(self, match: re.Match[str], pieces: re.Pattern[str]) -> Iterator[Span]:
        """Yield every number of an address, its words with capitals and those of its ``name``.

        The group ``whole`` of a piece is a code. The kind of street or floor is no part.
        """
        for piece in pieces.finditer(match.group()):
            text = piece.group()
            start, end = match.start() + piece.start(), match.start() + piece.end()
            if piece.lastgroup:
                yield Span(start, end, "ADDRESS", Kind.CODE)
                continue
            is_named = match.start("name") <= start < match.end("name")
            is_door = len(text) == 1 and text.isupper()  # or cut short: *México D.F.*
            is_door &= start >= match.end("name") or text.lower() not in name_words().particles
            is_door |= len(text) == 1 and match.string[start - 2 : start].strip()[-1:].isdigit()
            is_grammar = text.lower() in self._function_words or (
                text[0].islower() and not is_named
            )
            if is_door or not is_grammar:
                kind = kind_of(text) if any(map(str.isdigit, text)) else Kind.NAME
                yield Span(start, end, "ADDRESS", kind)


DETECTOR = StateDetector
