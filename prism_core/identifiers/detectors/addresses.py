"""Streets with numbers and towns with postcodes, as several countries write them.

Foreign addresses keep their own form in any text. The form of domestic ones depends on the
language. The patterns are in ``data/identifiers/addresses.toml``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from prism_core.identifiers.base import Detection, Detector, Strength
from prism_core.identifiers.shape_tables import find_address_parts, read_patterns
from prism_core.languages import Language

# *12-14*, *Mayor*, *d'Hebron*.
_PIECE = re.compile(r"[^\W_]*\d\w*(?:[-/]\w+)*|[^\W\d_](?:[^\W\d_]|['’](?=[^\W\d_]))*")


class AddressDetector(Detector):
    """Detector of house numbers, streets and towns; each word and number is a part of its own."""

    order = 40
    signs_without_digits = ()

    def __init__(self, language: Language) -> None:
        places = language.places
        given = {"STREETS": places.streets, "ROOMS": places.rooms, "FLATS": places.flats}
        given["ORDINAL"] = language.numbers.ordinal
        self._patterns = read_patterns("addresses", given)
        self.signs = self._patterns["number_sign"], self._patterns["name_sign"]
        self._function_words = language.words.function_words

    def find(self, text: str) -> Iterator[Detection]:
        """Yield the streets and the towns with postcodes in ``text``."""
        if self._patterns["number_sign"].search(text):
            yield from self._matches(self._patterns["number_first"], text)
            yield from self._matches(self._patterns["town"], text)
        if self._patterns["name_sign"].search(text):
            yield from self._matches(self._patterns["name_first"], text)

    def _matches(self, pattern: re.Pattern[str], text: str) -> Iterator[Detection]:
        for match in pattern.finditer(text):
            parts = find_address_parts(match, _PIECE, [match.span()], self._function_words)
            yield Detection(*match.span(), "ADDRESS", Strength.NAMED, tuple(parts))


DETECTOR = AddressDetector
