"""Which cells hold words that may change.

Numbers, codes, addresses and names of files stay as they are. So do texts that formulas, drop-down
lists and pivot tables look for: a cell with «Yes» that a formula compares with ``"Yes"`` would
change what the formula says.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from lxml import etree

from prism_core.formats.xlsx.line import decode

_LITERAL: Final = re.compile(r'"((?:[^"]|"")*+)"')
_BRACKET: Final = re.compile(r"\[((?:'.|[^\[\]'])++)\]")
_FORMULAS: Final = (
    "{*}f",
    "{*}formula",
    "{*}formula1",
    "{*}formula2",
    "{*}definedName",
    "{*}calculatedColumnFormula",
    "{*}totalsRowFormula",
)
_MOST_FORMULA: Final = 8192
"""Characters that programs allow a formula to have."""
_NAMES: Final = ("{*}cacheField", "{*}queryTableField")


_WORD: Final = re.compile(r"[!-~]+")
_SIGN: Final = re.compile(r"[\d_@\\]|[a-z][A-Z]|://|^www\.|\.[A-Za-z]{2,4}$")
"""What no word of a language has: a digit, an underscore, a capital inside, parts of an address."""


def fixed_texts(root: etree._Element) -> Iterator[str]:
    """What formulas below ``root`` quote or name in brackets, and the names of data fields.

    Folded, because programs compare without case.
    """
    for element in root.iter(*_FORMULAS):
        formula = (element.text or "")[:_MOST_FORMULA]
        for literal in _LITERAL.findall(formula) if '"' in formula else ():
            yield fold(literal.replace('""', '"'))
            yield from map(fold, literal.split(","))  # the entries of a drop-down list
        for name in _BRACKET.findall(formula) if "[" in formula else ():
            yield fold(re.sub("'(.)", r"\1", name).lstrip("@"))
    for element in root.iter(*_NAMES):
        yield fold(decode(str(element.get("name", ""))))


def fold(text: str) -> str:
    """Equal for texts that formulas take for the same."""
    return text.strip().casefold()


def is_prose(text: str) -> bool:
    """Whether the cell ``text`` is to be translated."""
    if not any(map(str.isalpha, text)):
        return False
    if _WORD.fullmatch(text) is None:
        return True
    return len(text) > 1 and _SIGN.search(text) is None
