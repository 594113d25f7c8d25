"""Patterns of identifiers as files of ``data/identifiers``, and the detectors of single states.

Entry: ``read_patterns`` for patterns by name, ``read_table`` for rows, which ``shapes.toml``
explains. ``CountryDetector`` reads the table of a state in texts in its language alone, since
elsewhere most of these forms are ordinary numbers.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, ClassVar, NamedTuple

from prism_core.identifiers import checksums
from prism_core.identifiers.base import Detector, Match, Span, Strength, kind_of
from prism_core.identifiers.name_words import name_words
from prism_core.languages import Language
from prism_core.record import Kind
from prism_core.resources import shipped_identifiers
from prism_core.settings import IdentifierClass

_FIELDS = frozenset("label pattern sign check strength".split())
_PART = re.compile(r"\{([A-Z_]+)\}")
_NUMBER = r"(?<![\w@+])(?<!\d[-./,])(?:{PATTERN})(?![\w@]|[-/.,]\d)"
"""Number of a state: no letter, digit or address continues on either side."""
# *12b*, *Mayor*; *d'* apart from *Hebron*.
_PIECE = re.compile(r"[^\W_]*\d\w*|[^\W\d_]+(?:['’](?=[^\W\d_]))?")
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


def _read(name: str, given: Mapping[str, str]) -> tuple[dict[str, Any], Callable[[Any], str]]:
    """Return the content of a file, and the function that puts its parts into a pattern."""
    text = (shipped_identifiers() / f"{name}.toml").read_text(encoding="utf-8")
    content, parts = tomllib.loads(text), dict(given)

    def fill(pattern: str | list[str]) -> str:
        whole = pattern if isinstance(pattern, str) else "|".join(pattern)
        return _PART.sub(lambda match: parts[match[1]], whole)

    for part, pattern in content["parts"].items():
        parts[part] = fill(pattern)
    return content, fill


def read_patterns(name: str, given: Mapping[str, str]) -> dict[str, re.Pattern[str]]:
    """Read the patterns of a file; ``given`` are words of a language to put into them."""
    content, fill = _read(name, given)
    return {key: re.compile(fill(pattern)) for key, pattern in content["patterns"].items()}


def read_table(
    name: str, around: str, unchecked: Strength, given: Mapping[str, str] = _NOTHING
) -> ShapeTable:
    """Read the table ``name``; ``around`` is a pattern with ``{PATTERN}`` in place of a row's.

    ``unchecked`` is the strength of rows without a check; see ``read_patterns`` for ``given``.
    """
    content, fill = _read(name, given)
    shapes = []
    for row in content["rows"]:
        if unknown := row.keys() - _FIELDS:
            raise ValueError(f"{name}.toml: rows have no field {', '.join(sorted(unknown))}")
        check = getattr(checksums, row["check"]) if "check" in row else None
        usual = Strength.CHECKED if check else unchecked
        strength = Strength[row["strength"]] if "strength" in row else usual
        pattern = re.compile(around.replace("{PATTERN}", fill(row["pattern"])))
        sign = re.compile(fill(row["sign"])) if "sign" in row else None
        shapes.append(Shape(row["label"], pattern, strength, check, sign))
    addresses = tuple(re.compile(fill(pattern)) for pattern in content.get("addresses", ()))
    return ShapeTable(tuple(shapes), addresses, content.get("sign", ""))


def is_part_of_street_name(text: str) -> bool:
    """Return True if a capitalised function word is part of a street name: *12 Still Road*."""
    return text.istitle() and text.lower() not in name_words().particles


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
        """Return the parts of an address that identify it.

        These are every number and single letter, and every word of the groups ``name`` and
        ``town`` except function words. The kind of street or floor is none.
        """
        groups = match.re.groupindex
        named = [match.span(group) for group in ("name", "town") if group in groups]
        found = list[Span]()
        for piece in _PIECE.finditer(match.string, *match.span()):
            text = piece.group()
            has_digits = any(map(str.isdigit, text))
            is_named = any(start <= piece.start() < end for start, end in named)
            is_grammar = text.lower() in self._function_words and not (
                is_named and is_part_of_street_name(text)
            )
            if not is_grammar and (has_digits or is_named or len(text) == 1):
                kind = kind_of(text) if has_digits else Kind.NAME
                found.append(Span(*piece.span(), "ADDRESS", kind))
        return tuple(found)
