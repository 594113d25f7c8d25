"""Rich Text as in RTF files and Outlook messages: tokens, control words, code pages, a reader.

Entry: `RichTextReader.take`, for each of `read_tokens`; then groups are entered and left, a control
word may name the destination of its group (`enter_destination`), text is gathered where the reader
`takes` it, and `close` ends each stretch of text; `take_word` gets all control words except those
about encodings.
"""

from __future__ import annotations

import re
import struct
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from locale import windows_locale
from typing import Final

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.character_sets import encoding_of_page

_DEEPEST: Final = 1_000
_MOST_FALLBACK: Final = 16
_ENCODINGS: Final = {b"ansi": "cp1252", b"mac": "mac_roman", b"pc": "cp437", b"pca": "cp850"}
TEXT, TAG, KEPT_AS_IS, FONTS = "text", "tag", "kept", "fonts"
"""Kinds of places: text of a paragraph, HTML in it, content that is skipped, names of fonts."""

_TOKEN: Final = re.compile(
    rb"\\(?P<word>[A-Za-z]{1,40})(?P<number>-?\d{1,10})?[ ]?"
    rb"|\\'(?P<code>[0-9A-Fa-f]{2})"
    rb"|\\(?P<symbol>[^A-Za-z])"
    rb"|(?P<brace>[{}])"
    rb"|(?P<newline>[\r\n\0]+)"
    rb"|(?P<text>[^\\{}\r\n\0]+)"
)


def word_set(words: str) -> frozenset[bytes]:
    """Return the control words in ``words``."""
    return frozenset(word.encode("ascii") for word in words.split())


CONTAINERS: Final = word_set("field shp shpgrp shpinst shprslt do object info")
"""Destinations that hold no text of their own, but destinations that do."""

KEPT: Final = word_set(
    "colortbl stylesheet pict objdata fldinst listtable listoverridetable listtext pntext rsidtbl"
    " generator themedata colorschememapping latentstyles datastore xmlnstbl filetbl revtbl"
    " bkmkstart bkmkend template nonshppict xe tc tcn rxe txe upr ftnsep ftnsepc ftncn aftnsep"
    " aftnsepc aftncn nonesttables pn pntxta pntxtb mmath"
)
r"""Destinations that stay as they are, like all that are marked ``\*`` and are in no list here."""

CHARACTERS: Final = {
    b"emdash": "—", b"endash": "–", b"lquote": "‘", b"rquote": "’", b"ldblquote": "“",
    b"rdblquote": "”", b"bullet": "•", b"emspace": "\u2003", b"enspace": "\u2002",
    b"qmspace": "\u2005", b"zwj": "\u200d", b"zwnj": "\u200c", b"zwbo": "", b"zwnbo": "",
}  # fmt: skip
SYMBOLS: Final = {
    b"~": "\u00a0", b"_": "\u2011", b"-": "", b"{": "{", b"}": "}", b"\\": "\\",
}  # fmt: skip
"""Control words and symbols that stand for a character."""

SAME_AS: Final = {b"\t": b"tab", b"\r": b"par", b"\n": b"par"}
"""Symbols that have the effect of a control word."""
PARAGRAPH_ENDS: Final = word_set("par sect cell nestcell row nestrow")

LANGUAGES: Final = word_set("lang langnp deflang")
"""Control words that name a language by its Windows number."""
HIDING: Final = word_set("v deleted")
SYMBOL: Final = "symbol"
"""Encoding of symbol fonts, whose codes are pictures, not letters."""
_ESCAPES: Final = {
    "\\": b"\\\\", "{": b"\\{", "}": b"\\}", "\u00a0": b"\\~", "\u2011": b"\\_",
}  # fmt: skip

_PAGES_OF_CHARSETS: Final = {
    0: 1252, 77: 10000, 78: 10001, 79: 10003, 80: 10008, 81: 10002, 83: 10005, 84: 10004, 85: 10006,
    86: 10081, 87: 10021, 88: 10029, 89: 10007, 128: 932, 129: 949, 130: 1361, 134: 936, 136: 950,
    161: 1253, 162: 1254, 163: 1258, 177: 1255, 178: 1256, 186: 1257, 204: 1251, 222: 874,
    238: 1250, 254: 437, 255: 850,
}  # fmt: skip
"""Code pages by the character set of a font; a set that is not here is the document's."""
_SYMBOLS: Final = ((b"fcharset", 2), (b"cpg", 42))
"""Declarations of a symbol font."""
_FAMILY: Final = re.compile(r"[ _]+(?:CE|Cyr|Greek|Tur|Baltic|Hebrew|Arabic|\([\w ]+\))$")


class RichTokenKind(Enum):
    """Kind of a token."""

    WORD = "word"
    CODE = "code"
    SYMBOL = "symbol"
    BRACE = "brace"
    NEWLINE = "newline"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class RichToken:
    """Token in ``content[start:end]``.

    ``value`` is the control word, the symbol, or the bytes of text.

    ``number`` is the parameter of a control word, None without one. The blank that ends a control
    word belongs to it. A word without a blank (``ends_open``) would absorb text that is inserted
    after it.
    """

    kind: RichTokenKind
    start: int
    end: int
    value: bytes
    number: int | None = None
    ends_open: bool = False


def read_tokens(content: bytes) -> Iterator[RichToken]:
    """Yield the tokens of ``content`` without binary data. Raises ``DocumentError`` (corrupt)."""
    position = 0
    while position < len(content):
        match = _TOKEN.match(content, position)
        if match is None or match.lastgroup is None:
            raise DocumentError(DocumentFailure.CORRUPT)
        kind = RichTokenKind(match.lastgroup if match["word"] is None else "word")
        value: bytes = match[kind.value]
        position = match.end()
        if kind is RichTokenKind.WORD:
            number = None if match["number"] is None else int(match["number"])
            yield RichToken(kind, *match.span(), value, number, not match[0].endswith(b" "))
            if value == b"bin":
                position += max(0, number or 0)
        else:
            value = bytes.fromhex(value.decode("ascii")) if kind is RichTokenKind.CODE else value
            yield RichToken(kind, *match.span(), value)


@dataclass(slots=True)
class Font:
    """Font of the font table: its name, and the encoding of its text, empty for the usual one."""

    name: str = ""
    encoding: str = ""

    @property
    def family(self) -> str:
        """Name without the script; programs switch scripts inside a word."""
        return _FAMILY.sub("", self.name.partition(";")[0].strip())


def encode_text(text: str, fallback: int) -> bytes:
    r"""Encode ``text`` as RTF in ASCII; control characters are dropped.

    A character beyond ASCII becomes ``\u`` and a signed 16-bit number, or two of them for
    characters beyond 16 bits, followed by ``fallback`` marks.
    """
    mark = b"?" * fallback or b" "
    found = bytearray()
    for character in text:
        if character in _ESCAPES:
            found += _ESCAPES[character]
        elif " " <= character <= "~":
            found += character.encode()
        elif character >= " " and character != "\x7f":
            units = character.encode("utf-16-le", "surrogatepass")
            for number in struct.unpack(f"<{len(units) // 2}h", units):
                found += b"\\u%d" % number + mark
    return bytes(found)


def language_of(number: int | None) -> str:
    """Return the language (ISO 639) of the Windows ``number``; empty where there is none."""
    return windows_locale.get(number or 0, "").partition("_")[0]


def locale_of(tag: str) -> int:
    """Return the Windows number of the language ``tag``: the last of several, which is modern.

    Or 0.
    """
    return max(
        (n for n, name in windows_locale.items() if name == tag.replace("-", "_")), default=0
    )


@dataclass(slots=True)
class RichGroup:
    r"""State inside one group; a new group starts with the state around it.

    ``place`` says what kind of text the group holds, ``fresh`` that it is still empty, ``starred``
    that programs may skip it, ``flow`` that it has paragraphs of its own. ``fallback`` is the
    number of characters after a ``\u`` for programs that do not know it. ``look`` are the control
    words of the formatting, ``hiding`` those that hide text; ``owner`` tells fields apart.
    """

    place: str = TEXT
    fresh: bool = True
    starred: bool = False
    flow: bool = False
    fallback: int = 1
    font: int = -1
    language: int = 0
    owner: int = 0
    look: tuple[tuple[bytes, int], ...] = ()
    hiding: frozenset[bytes] = frozenset()
    cell: bool = False
    heading: bool = False


class RichTextReader(ABC):
    """Reader that follows groups, fonts and encodings, and gathers text for its subclass.

    The stretch gathered so far lies in ``start:end`` of the file; ``start`` is None without one.
    ``glued`` says that a control word without a blank stands right before it.
    """

    passed_over: frozenset[str] = frozenset()
    """Places in which not even control words are followed."""

    def __init__(self) -> None:
        self.groups = [RichGroup()]
        self.fonts: dict[int, Font] = {}
        self.start: int | None = None
        self.end = 0
        self.glued = False
        self._encoding = "cp1252"
        self._raw = bytearray()
        self._texts: list[str] = []
        self._skip = 0
        self._ends_open = False

    @abstractmethod
    def enter_destination(self, word: bytes) -> bool:
        """Return True if ``word`` names the destination of its group, and set the group's place."""

    @abstractmethod
    def take_word(self, token: RichToken) -> None:
        """Handle a control word, or a symbol like it, that is no character and sets no encoding."""

    @abstractmethod
    def takes(self) -> bool:
        """Return True if text is wanted at this place."""

    @abstractmethod
    def close(self) -> None:
        """End the current stretch of text: see `end_stretch`."""

    def leave(self, group: RichGroup) -> None:  # noqa: B027 (most readers need not know)
        """Handle the end of ``group``."""

    @property
    def group(self) -> RichGroup:
        """Innermost group."""
        return self.groups[-1]

    @property
    def font(self) -> Font:
        """Font of the group; a new one when the file does not name it."""
        return self.fonts.get(self.group.font) or Font()

    def take(self, token: RichToken) -> bool:
        """Follow one token; return False when no group is open any more.

        Raises ``DocumentError``.
        """
        if token.kind is RichTokenKind.BRACE:
            self.close()
            self._skip = 0
            if token.value == b"{":
                if len(self.groups) > _DEEPEST:
                    raise DocumentError(DocumentFailure.TOO_LARGE)
                self.group.fresh = False
                self.groups.append(replace(self.group, fresh=True, starred=False, flow=False))
            elif len(self.groups) > 1:
                self.leave(self.groups.pop())
        elif token.kind is RichTokenKind.NEWLINE:
            pass
        elif self._skip:
            self._skip_fallback(token)
        elif self.group.place not in self.passed_over:
            self._follow_token(token)
        self._ends_open = token.ends_open
        return len(self.groups) > 1

    def _skip_fallback(self, token: RichToken) -> None:
        r"""Skip the replacement of a ``\u`` before it, which may be only a part of a text token."""
        if token.kind is not RichTokenKind.TEXT:
            self._skip -= 1
            self.end = token.end
            return
        taken = min(self._skip, len(token.value))
        self._skip -= taken
        self.end = token.start + taken
        if taken < len(token.value) and self._extend_stretch(replace(token, start=self.end)):
            self._raw += token.value[taken:]

    def _follow_token(self, token: RichToken) -> None:
        group = self.group
        if token.kind is RichTokenKind.WORD:
            if not (group.fresh and self.enter_destination(token.value)):
                self._follow_word(token)
        elif token.kind is RichTokenKind.SYMBOL and token.value == b"*" and group.fresh:
            group.starred = True
            return
        elif token.kind is RichTokenKind.SYMBOL and token.value in SYMBOLS:
            self.add(token, SYMBOLS[token.value])
        elif token.kind is RichTokenKind.SYMBOL:
            self.close()
            if token.value in SAME_AS:
                self.take_word(replace(token, value=SAME_AS[token.value]))
        elif group.place == FONTS:
            self.fonts.setdefault(group.font, Font()).name += token.value.decode("latin-1")
        elif self._extend_stretch(token):
            self._raw += token.value
        group.fresh = False

    def _follow_word(self, token: RichToken) -> None:
        word, number = token.value, token.number or 0
        if self.group.place == FONTS:
            if word == b"f":
                self.group.font = number
                self.fonts[number] = Font()
            elif word in (b"fcharset", b"cpg"):
                font = self.fonts.setdefault(self.group.font, Font())
                page = number if word == b"cpg" else _PAGES_OF_CHARSETS.get(number, 0)
                symbols = (word, number) in _SYMBOLS
                font.encoding = SYMBOL if symbols else encoding_of_page(page) or font.encoding
        elif word == b"u":
            self.add(token, chr(number % 65_536))
            self._skip = self.group.fallback
        elif word in CHARACTERS:
            self.add(token, CHARACTERS[word])
        else:
            self.close()
            if word in _ENCODINGS:
                self._encoding = _ENCODINGS[word]
            elif word == b"ansicpg":
                self._encoding = encoding_of_page(number) or self._encoding
            elif word == b"uc":
                self.group.fallback = min(max(number, 0), _MOST_FALLBACK)
            else:
                self.take_word(token)

    def add(self, token: RichToken, text: str) -> None:
        """Gather ``text``, which ``token`` stands for, if it is wanted."""
        if self._extend_stretch(token):
            self._decode()
            self._texts.append(text)

    def _extend_stretch(self, token: RichToken) -> bool:
        """Extend the stretch over ``token`` and return True if its text is wanted."""
        if not self.takes():
            return False
        if self.start is None:
            self.start, self.glued = token.start, self._ends_open
        self.end = token.end
        return True

    def _decode(self) -> None:
        if self._raw:
            font_encoding = "" if self.group.place == TAG else self.font.encoding
            encoding = self._encoding if font_encoding in ("", SYMBOL) else font_encoding
            self._texts.append(self._raw.decode(encoding, "replace"))
            self._raw.clear()

    def end_stretch(self) -> str:
        """End the current stretch and return its text, with signs for what no encoding has."""
        self._decode()
        text = "".join(self._texts).encode("utf-16-le", "surrogatepass")
        self._texts.clear()
        self.start = None
        return text.decode("utf-16-le", "replace")
