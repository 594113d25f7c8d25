"""Tables of identifiers that are recognised by their form, and the detectors of single states.

Each table is a file of ``data/identifiers``; ``shapes.toml`` explains its rows. Entry:
``read_table``; ``CountryDetector`` reads the table of a state in texts in its language alone, since
elsewhere most of these forms are ordinary numbers.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import ClassVar, NamedTuple

from prism_core.identifiers import checksums
from prism_core.identifiers.base import Detector, Match, Span, Strength
from prism_core.identifiers.detectors.addresses import named_parts
from prism_core.languages import Language
from prism_core.resources import shipped_identifiers
from prism_core.settings import IdentifierClass

_PART = re.compile(r"\{([A-Z_]+)\}")
_NUMBER = r"(?<![\w@+])(?<!\d[-./,])(?:{PATTERN})(?![\w@]|[-/.,]\d)"
"""Number of a state: no letter, digit or address continues on either side."""
_NOTHING: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Shape:
    """Row of a table: text that matches ``pattern``, has the ``sign`` and passes ``check``.

    ``strength`` says how much a match proves. The sign is for speed: a text without it is not read
    further.
    """

    label: str
    pattern: re.Pattern[str]
    strength: Strength
    check: Callable[[str], bool] | None = None
    sign: re.Pattern[str] | None = None

    def find(self, text: str) -> Iterator[Match]:
        """Yield the matches in ``text``, which do not overlap."""
        for match in self.pattern.finditer(text):
            found = match.group()
            has_sign = self.sign is None or self.sign.search(found)
            if has_sign and (self.check is None or self.check(found)):
                yield Match(*match.span(), self.label, self.strength)


class ShapeTable(NamedTuple):
    """Content of a table: rows, patterns of addresses, and the sign of those without a digit."""

    shapes: tuple[Shape, ...]
    addresses: tuple[re.Pattern[str], ...]
    sign: str


def read_table(
    name: str, around: str, unchecked: Strength, given: Mapping[str, str] = _NOTHING
) -> ShapeTable:
    """Read the table ``name``; ``around`` is a pattern with ``{PATTERN}`` in place of a row's.

    ``unchecked`` is the strength of rows without a check, ``given`` are further parts of patterns.
    """
    text = (shipped_identifiers() / f"{name}.toml").read_text(encoding="utf-8")
    content, parts = tomllib.loads(text), dict(given)

    def fill(pattern: str | list[str]) -> str:
        whole = pattern if isinstance(pattern, str) else "|".join(pattern)
        return _PART.sub(lambda match: parts[match[1]], whole)

    for part, pattern in content["parts"].items():
        parts[part] = fill(pattern)
    shapes = []
    for row in content["rows"]:
        check = getattr(checksums, row["check"]) if "check" in row else None
        usual = Strength.CHECKED if check else unchecked
        strength = Strength[row["strength"]] if "strength" in row else usual
        pattern = re.compile(around.replace("{PATTERN}", fill(row["pattern"])))
        sign = re.compile(fill(row["sign"])) if "sign" in row else None
        shapes.append(Shape(row["label"], pattern, strength, check, sign))
    addresses = tuple(re.compile(fill(pattern)) for pattern in content.get("addresses", ()))
    return ShapeTable(tuple(shapes), addresses, content.get("sign", ""))


class CountryDetector(Detector):
    """Base class of detectors of numbers that a state issues, and of addresses in it.

    The groups ``name`` and ``town`` of its patterns of addresses are names.
    """

    classes: ClassVar[Mapping[str, IdentifierClass]] = {
        "ACCOUNT": IdentifierClass.ACCOUNT,
        "ADDRESS": IdentifierClass.GEOGRAPHY,
        "EMAIL": IdentifierClass.EMAIL,
        "LICENCE": IdentifierClass.LICENCE,
        "NATIONAL_ID": IdentifierClass.NATIONAL_ID,
        "PHONE": IdentifierClass.PHONE,
        "PLATE": IdentifierClass.VEHICLE,
        "RECORD": IdentifierClass.RECORD,
        "VAT": IdentifierClass.LICENCE,
    }

    def __init__(self, language: Language, *, is_read: bool) -> None:
        self.signs = self.signs_without_digits = ()
        self._table = ShapeTable((), (), "")
        self._function_words = language.words.function_words
        if is_read:
            streets = language.places.streets
            given = {
                "STREETS": streets,
                "SMALL_STREETS": streets.lower(),
                "CAPITAL_STREETS": streets.upper(),
            }
            self._table = read_table(language.code, _NUMBER, Strength.NAMED, given)
            self.signs = (re.compile(rf"\d|{self._table.sign}"),)
            self.signs_without_digits = (re.compile(self._table.sign),)

    def find(self, text: str) -> Iterator[Match]:
        """Yield numbers, with right check digits if they have any, and addresses."""
        yield from self.find_numbers(text)
        yield from self.find_addresses(text)

    def find_numbers(self, text: str) -> Iterator[Match]:
        """Yield the matches of each row in turn; matches of two rows may overlap."""
        for shape in self._table.shapes:
            yield from shape.find(text)

    def find_addresses(self, text: str) -> Iterator[Match]:
        """Yield the matches of each pattern in turn, in their parts."""
        for pattern in self._table.addresses:
            for match in pattern.finditer(text):
                yield Match(*match.span(), "ADDRESS", Strength.NAMED, self.address_parts(match))

    def address_parts(self, match: re.Match[str]) -> tuple[Span, ...]:
        """Return the parts of an address that identify it."""
        return named_parts(match, self._function_words)
