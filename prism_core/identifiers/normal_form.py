"""Normal forms: texts as a reader sees them, for comparing identifiers and for the patterns.

Entry: ``normalise`` and ``squash`` give the form in which identifiers are compared: what is
visible, with look-alike letters replaced by Latin ones. ``View`` is the text that patterns read.

Unicode names identify Latin letters in another form (``LATIN SMALL LETTER L WITH STROKE``,
``NEGATIVE CIRCLED LATIN CAPITAL LETTER A``). No Unicode name says which letters of other scripts
look like Latin ones. The tables below were made by eye, for the scripts whose letters pass
unnoticed in a Latin word; they are our own and not complete.
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
# LATIN SMALL LETTER L WITH STROKE gives L, REGIONAL INDICATOR SYMBOL LETTER A gives A.
_IN_ANOTHER_DRESS = re.compile(
    r"(?:[A-Z ]*LATIN|REGIONAL INDICATOR SYMBOL)(?: (?:SMALL|CAPITAL))?(?: LETTER| LIGATURE)?"
    r"(?: SMALL CAPITAL| SCRIPT| DOTLESS| BARRED| LONG| REVERSED| OPEN)* (?P<letter>[A-Z]|AE|OE|IJ)"
    r"(?: WITH .*)?"
)
_IGNORABLE = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Characters that are invisible though their category does not say so
(Default_Ignorable_Code_Point)."""
_TAGS = re.compile("[\U000e0020-\U000e007e]+")
_RIGHT_TO_LEFT = re.compile("[\u202e\u202b\u2067]")


def is_invisible(character: str) -> bool:
    """Return True if ``character`` alone shows nothing: joiners, marks, controls, selectors."""
    return unicodedata.category(character) in ("Mn", "Me", "Cf") or character in _IGNORABLE


def ascii_digit(character: str) -> str:
    """Return the ASCII digit for a digit of any script; empty for any other character."""
    value = unicodedata.digit(character, None)
    return "" if value is None else str(value)


def latin_lookalike(character: str) -> str:
    """Return the Latin letters that a casefolded character looks like, else itself.

    The result is in lower case: one letter, or two for a ligature.
    """
    if character in _ALIKE:
        return _ALIKE[character]
    if match := _IN_ANOTHER_DRESS.fullmatch(unicodedata.name(character, "")):
        return match["letter"].lower()
    return character


def replace_small_lookalikes(text: str) -> str:
    """Replace letters whose small form looks like another letter than their capital does."""
    return text.translate(_SMALL)


def hidden_text(text: str) -> str:
    """Return the text that invisible tag characters spell in ``text``."""
    runs = ("".join(chr(ord(c) - 0xE0000) for c in run) for run in _TAGS.findall(text))
    return " ".join(runs)


def has_right_to_left_text(text: str) -> bool:
    """Return True if ``text`` has a control character that displays letters from right to left."""
    return _RIGHT_TO_LEFT.search(text) is not None


_ALIKE = {
    foreign: latin
    for foreign_letters, latin_letters in _LOOK_ALIKE
    for foreign, latin in zip(foreign_letters, latin_letters, strict=True)
}
_SMALL = {ord(foreign): latin for foreign, latin in zip(*_SMALL_LOOK, strict=True)}

_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]+")
_NOT_AS_DECOMPOSED = (("™", " "), ("℠", " "), ("ϲ", "c"), ("Ϲ", "C"))
"""Characters whose compatibility forms look different, or run into the name before them."""
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


class _Shown(dict[int, str | None]):
    """Map from character codes to what is visible: nothing, a plain digit, or the character.

    It is filled as characters are met, so it has at most one entry for each Unicode character.
    """

    def __missing__(self, code: int) -> str | None:
        character = chr(code)
        self[code] = None if is_invisible(character) else ascii_digit(character) or character
        return self[code]


class _Looks(dict[int, str]):
    """Map from codes of casefolded characters to their Latin look-alike, else to themselves."""

    def __missing__(self, code: int) -> str:
        self[code] = latin_lookalike(chr(code))
        return self[code]


_SHOWN = _Shown()
_LOOKS = _Looks()


def visible_form(text: str) -> str:
    """Return the visible part of ``text``, in its own letter case.

    Full-width and styled letters and all digits become plain ones. Accents, soft hyphens,
    zero-width characters and controls are removed. ASCII text is returned as it is.
    """
    if text.isascii():
        return text
    for character, shown in _NOT_AS_DECOMPOSED:
        text = text.replace(character, shown)
    decomposed = unicodedata.normalize("NFKD", text)
    return _NOT_ASCII.sub(lambda match: match[0].translate(_SHOWN), decomposed)


def normalise(text: str) -> str:
    """Return ``visible_form`` without case, and with look-alike letters replaced by Latin ones.

    Other scripts become Latin letters as far as they look like them: the result is for comparing,
    not for reading.
    """
    if text.isascii():
        return text.lower()
    folded = visible_form(text).casefold()
    return folded if folded.isascii() else folded.translate(_LOOKS)


def normal_forms(texts: Sequence[str]) -> list[str]:
    """Apply ``normalise`` to each of ``texts``."""
    if "".join(texts).isascii():
        return list(map(str.lower, texts))
    return [text.lower() if text.isascii() else normalise(text) for text in texts]


def squash(text: str) -> str:
    """Return the normal form with letters and digits alone, so that spacing hides nothing."""
    normal = text.lower() if text.isascii() else normalise(text)
    return normal if normal.isalnum() else _NO_LETTER_OR_DIGIT.sub("", normal)


# Soft hyphen, zero-width characters, direction marks, word joiner, byte order mark.
_INVISIBLE = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]")
_BLANKS = (
    "\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000"
)
_HYPHENS = "\u2010\u2011\u2012\u2013\u2014\u2212\ufe63\uff0d"


_NOT_PLAIN = re.compile("[\u00a0\u0660-\U0010ffff]")
"""Characters that may look like a plain one; the first digits of another script are at U+0660."""


def _to_plain(match: re.Match[str]) -> str:
    """Return the plain character that the match looks like, else the match itself."""
    character = match.group()
    if character in _BLANKS:
        return " "
    if character in _HYPHENS:
        return "-"
    if "\uff01" <= character <= "\uff5e":
        return chr(ord(character) - 0xFEE0)
    return ascii_digit(character) if unicodedata.category(character) == "Nd" else character


def drop_invisible(text: str) -> str:
    """Remove soft hyphens, zero-width characters and direction marks from ``text``."""
    return _INVISIBLE.sub("", text)


class View:
    """Text that patterns read, with a map back to the source: ``text`` and ``span``."""

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
        """Map the non-empty range ``[start, end)`` of the view to a range of the source."""
        if self._starts is None:
            return start, end
        return self._starts[start], self._starts[end - 1] + 1
