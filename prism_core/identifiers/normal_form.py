"""Texts as a reader sees them: for comparing identifiers, and for the patterns that look for them.

Entry: ``normalise`` and ``squash`` give the form in which identifiers are compared (what is seen,
then the letters that look alike), ``View`` what patterns read.

Unicode names say which letters are Latin ones in another dress (``LATIN SMALL LETTER L WITH
STROKE``, ``NEGATIVE CIRCLED LATIN CAPITAL LETTER A``). Which letters of other scripts look like
Latin ones no name says: the tables below were made by looking at them, for the scripts whose
letters pass unnoticed in a Latin word. They are ours, and not complete.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

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


def ascii_digit(character: str) -> str:
    """The ASCII digit that ``character`` is in any script; empty if it is none."""
    value = unicodedata.digit(character, None)
    return "" if value is None else str(value)


def latin_lookalike(character: str) -> str:
    """What ``character`` (casefolded) looks like: a lower-case Latin letter or two, or itself."""
    if character in _ALIKE:
        return _ALIKE[character]
    if match := _IN_ANOTHER_DRESS.fullmatch(unicodedata.name(character, "")):
        return match["letter"].lower()
    return character


def replace_small_lookalikes(text: str) -> str:
    """``text`` with the letters whose small form looks like another letter written as that one."""
    return text.translate(_SMALL)


def hidden_text(text: str) -> str:
    """What tag characters, which nobody sees, spell in ``text``."""
    runs = ("".join(chr(ord(c) - 0xE0000) for c in run) for run in _TAGS.findall(text))
    return " ".join(runs)


def has_right_to_left_text(text: str) -> bool:
    """Whether ``text`` holds a control that has letters shown from right to left."""
    return _RIGHT_TO_LEFT.search(text) is not None


_ALIKE = {
    foreign: latin
    for foreign_letters, latin_letters in _LOOK_ALIKE
    for foreign, latin in zip(foreign_letters, latin_letters, strict=True)
}
_SMALL = {ord(foreign): latin for foreign, latin in zip(*_SMALL_LOOK, strict=True)}

_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]+")
_NOT_AS_DECOMPOSED = (("™", " "), ("℠", " "), ("ϲ", "c"), ("Ϲ", "C"))
"""The compatibility forms of these do not look like them, or run into the name before them."""
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


class _Shown(dict[int, str | None]):
    """Character codes to what is seen of them: nothing, a plain digit, or themselves.

    Filled as characters are met, so it has at most one entry for each character there is.
    """

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        self[code] = None if is_invisible(character) else ascii_digit(character) or character
        return self[code]


class _Looks(dict[int, str]):
    """Codes of casefolded characters to the Latin letter that they look like, else themselves."""

    def __missing__(self, code: int) -> str:
        self[code] = latin_lookalike(chr(code))
        return self[code]


_SHOWN = _Shown()
_LOOKS = _Looks()


def visible_form(text: str) -> str:
    """``text`` in its own letter case, as far as it is seen.

    Full-width and styled letters and all digits become plain, accents go, and so do soft hyphens,
    zero-width characters and controls. ASCII has none of these.
    """
    if text.isascii():
        return text
    for character, shown in _NOT_AS_DECOMPOSED:
        text = text.replace(character, shown)
    return _NOT_ASCII.sub(_show_match, unicodedata.normalize("NFKD", text))


def _show_match(match: re.Match[str]) -> str:
    return match[0].translate(_SHOWN)


def normalise(text: str) -> str:
    """``visible`` without case, and with Latin letters for those that look like them.

    Other scripts are written in Latin letters as far as they look so: for comparing, not reading.
    """
    if text.isascii():
        return text.lower()
    folded = visible_form(text).casefold()
    return folded if folded.isascii() else folded.translate(_LOOKS)


def normal_forms(texts: Sequence[str]) -> list[str]:
    """``normalise`` for each of ``texts``."""
    if "".join(texts).isascii():
        return list(map(str.lower, texts))
    return [text.lower() if text.isascii() else normalise(text) for text in texts]


def squash(text: str) -> str:
    """The normal form with everything but letters and digits taken out: spacing hides nothing."""
    normal = text.lower() if text.isascii() else normalise(text)
    return normal if normal.isalnum() else _NO_LETTER_OR_DIGIT.sub("", normal)


_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_BLANKS = (
    "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
_HYPHENS = "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"


_NOT_PLAIN = re.compile("[\u00a0\u0660-\U0010ffff]")
"""What a plain character may look like; the first digits of another script are at U+0660."""


def _to_plain(match: re.Match[str]) -> str:
    """The plain character that looks like the one of ``match``, or that itself."""
    character = match.group()
    if character in _BLANKS:
        return " "
    if character in _HYPHENS:
        return "-"
    if "\uff01" <= character <= "\uff5e":
        return chr(ord(character) - 0xFEE0)
    return ascii_digit(character) if unicodedata.category(character) == "Nd" else character


def drop_invisible(text: str) -> str:
    """``text`` less soft hyphens, zero-width characters and marks of direction."""
    return _INVISIBLE.sub("", text)


class View:
    """``text`` is what patterns read; ``span`` tells where something of it stands in the source."""

    def __init__(self, source: str) -> None:
        self.text = source
        self._starts: list[int] | None = None
        if not source.isascii():
            self.text = _NOT_PLAIN.sub(_to_plain, source)
            if _INVISIBLE.search(source):
                characters = enumerate(self.text)
                self._starts = [i for i, shown in characters if not _INVISIBLE.match(shown)]
                self.text = _INVISIBLE.sub("", self.text)

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The characters of the source that ``[start, end)`` of the view stands for, not empty."""
        if self._starts is None:
            return start, end
        return self._starts[start], self._starts[end - 1] + 1
