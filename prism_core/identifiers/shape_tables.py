"""Patterns of identifiers as files of ``data/identifiers``.

Entry: ``read_patterns`` for patterns by name, ``read_table`` for rows, which ``shapes.toml``
explains.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from prism_core.identifiers import checksums
from prism_core.identifiers.base import Detection, Span, Strength, kind_of
from prism_core.identifiers.name_words import name_words
from prism_core.record import Kind
from prism_core.resources import SHIPPED_IDENTIFIERS

_FIELDS = frozenset("label pattern sign check strength".split())
_PART = re.compile(r"\{([A-Z_]+)\}")
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

    def find(self, text: str) -> Iterator[Detection]:
        """Yield the matches in ``text``, which do not overlap."""
        for match in self.pattern.finditer(text):
            found = match.group()
            has_sign = self.sign is None or self.sign.search(found)
            if has_sign and (self.check is None or self.check(found)):
                yield Detection(*match.span(), self.label, self.strength)


class ShapeTable(NamedTuple):
    """Content of a table: rows, patterns of addresses, and the sign of those without a digit.

    ``pieces`` is the pattern of what an address is cut into, None for numbers and words. ``alone``
    are labels, strengths and patterns of codes that are recognised without an address around them.
    ``order`` is that of a state's detector, if it has another than those of other states.
    """

    shapes: tuple[Shape, ...] = ()
    addresses: tuple[re.Pattern[str], ...] = ()
    sign: str = ""
    pieces: re.Pattern[str] | None = None
    alone: tuple[tuple[str, Strength, re.Pattern[str]], ...] = ()
    order: int | None = None


def _read(name: str, given: Mapping[str, str]) -> tuple[dict[str, Any], Callable[[Any], str]]:
    """Return the content of a file, and the function that puts its parts into a pattern."""
    text = (SHIPPED_IDENTIFIERS / f"{name}.toml").read_text(encoding="utf-8")
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
    pieces = re.compile(fill(content["pieces"])) if "pieces" in content else None
    alone = tuple(
        (row["label"], Strength[row["strength"]], re.compile(fill(row["pattern"])))
        for row in content.get("alone", ())
    )
    sign, order = content.get("sign", ""), content.get("order")
    return ShapeTable(tuple(shapes), addresses, sign, pieces, alone, order)


def find_address_parts(
    match: re.Match[str],
    pieces: re.Pattern[str],
    named: Sequence[tuple[int, int]],
    function_words: Set[str],
) -> Iterator[Span]:
    """Yield the ``pieces`` of an address that identify it.

    These are every number and single letter, and every word in the ranges ``named`` except function
    words; but a capitalised one there is part of a street name (*12 Still Road*).
    """
    for piece in pieces.finditer(match.string, *match.span()):
        text = piece.group()
        has_digits = any(map(str.isdigit, text))
        is_named = any(start <= piece.start() < end for start, end in named)
        is_street = is_named and text.istitle() and text.lower() not in name_words().particles
        is_grammar = text.lower() in function_words and not is_street
        if not is_grammar and (has_digits or is_named or len(text) == 1):
            yield Span(*piece.span(), "ADDRESS", kind_of(text) if has_digits else Kind.NAME)
