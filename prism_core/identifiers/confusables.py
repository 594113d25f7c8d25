"""Characters that a reader takes for others, or does not see.

Unicode names say which letters are Latin ones in another dress (``LATIN SMALL LETTER L WITH
STROKE``, ``NEGATIVE CIRCLED LATIN CAPITAL LETTER A``). Which letters of other scripts look like
Latin ones no name says: the tables below were made by looking at them, for the scripts whose
letters pass unnoticed in a Latin word. They are ours, and not complete.
"""

from __future__ import annotations

import re
import unicodedata

_LOOK_ALIKE = (
    # Cyrillic, by the look of the capital, or of the small letter where only that one is alike
    ("авекмнорстухіјѕԛԝһӏүьгпѡѵԁґєԍ", "abekmhopctyxijsqwhlybrnwvdreg"),
    # Greek
    ("αβεζηικμνορτυχγωσϳϱ", "abezhikmnoptyxywojp"),
    # Armenian
    ("օոսհցզգյատլւ", "onuhgqqjwsli"),
    # Coptic
    ("ⲁⲃⲉⲏⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭⲍ", "abehikmnopctyxz"),
    # Cherokee (casefolding makes capitals of its small letters)
    ("ᎪᏴᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃᎩ", "abcdeghijklmprstvwzy"),
    # Lisu
    ("ꓐꓑꓓꓔꓖꓗꓙꓚꓜꓝꓡꓢꓣꓦꓧꓠꓟꓪꓫꓬꓮꓰꓲꓳꓴ", "bpdtgkjczflsrvhnmwxyaeiou"),
    # Latin letters whose names do not say what they look like, and marks that stand for letters
    ("ɑɩꞁðŋſ", "aildns"),
)
_SMALL_LOOK = ("ηνυμи", "nvuuu")
"""Letters whose small form looks like another Latin letter than their capital does."""
_IN_ANOTHER_DRESS = re.compile(
    r"(?:[A-Z ]*LATIN|REGIONAL INDICATOR SYMBOL)(?: (?:SMALL|CAPITAL))?(?: LETTER| LIGATURE)?"
    r"(?: SMALL CAPITAL| SCRIPT| DOTLESS| BARRED| LONG| REVERSED| OPEN)* (?P<letter>[A-Z]|AE|OE|IJ)"
    r"(?: WITH .*)?"
)
_IGNORABLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Shown as nothing though they are of no category that says so (Default_Ignorable_Code_Point)."""
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_RIGHT_TO_LEFT = re.compile("[\u202e\u202b\u2067]")


def is_invisible(character: str) -> bool:
    """Whether nothing is shown for ``character`` by itself: joiners, marks, controls, selectors."""
    return unicodedata.category(character) in ("Mn", "Me", "Cf") or character in _IGNORABLE


def digit_of(character: str) -> str:
    """The ASCII digit that ``character`` is in any script; empty if it is none."""
    value = unicodedata.digit(character, None)
    return "" if value is None else str(value)


def look_of(character: str) -> str:
    """What ``character`` (casefolded) looks like: a lower-case Latin letter or two, or itself."""
    if character in _ALIKE:
        return _ALIKE[character]
    if match := _IN_ANOTHER_DRESS.fullmatch(unicodedata.name(character, "")):
        return match["letter"].lower()
    return character


def small_look(text: str) -> str:
    """``text`` with the letters whose small form looks like another letter written as that one."""
    return text.translate(_SMALL)


def hidden_text(text: str) -> str:
    """What tag characters, which nobody sees, spell in ``text``."""
    runs = ("".join(chr(ord(c) - 0xE0000) for c in run) for run in _TAGS.findall(text))
    return " ".join(runs)


def is_turned(text: str) -> bool:
    """Whether ``text`` holds a control that has letters shown from right to left."""
    return _RIGHT_TO_LEFT.search(text) is not None


_ALIKE = {
    foreign: latin
    for these, those in _LOOK_ALIKE
    for foreign, latin in zip(these, those, strict=True)
}
_SMALL = {ord(foreign): latin for foreign, latin in zip(*_SMALL_LOOK, strict=True)}
