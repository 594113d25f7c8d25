"""Rich Text as RTF files and Outlook messages both hold it: tokens, words, code pages, a reader.

entry: `RichTextReader.take`, for each of `read_tokens`; then groups are entered and left, a word
may say what its group is for (`enter_destination`), text is gathered where the reader `takes` it,
and `close` ends each stretch of it; `take_word` gets all words but those about encodings.
"""

from __future__ import annotations

import codecs
import re
import struct
from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from locale import windows_locale
from typing import Final

from prism_core.errors import DocumentError, DocumentFailure

_DEEPEST: Final = 1_000
_MOST_FALLBACK: Final = 16
_ENCODINGS: Final = {b"ansi": "cp1252", b"mac": "mac_roman", b"pc": "cp437", b"pca": "cp850"}
TEXT, TAG, KEPT_AS_IS, FONTS = "text", "tag", "kept", "fonts"
"""Places of text: of a paragraph, of the HTML in it, of what is passed over, of font names."""

_TOKEN: Final = re.compile(
    rb"\\(?P<word>[A-Za-z]{1,40})(?P<number>-?\d{1,10})?[ ]?"
    rb"|\\'(?P<code>[0-9A-Fa-f]{2})"
    rb"|\\(?P<symbol>[^A-Za-z])"
    rb"|(?P<brace>[{}])"
    rb"|(?P<newline>[\r\n\0]+)"
    rb"|(?P<text>[^\\{}\r\n\0]+)"
)


def word_set(words: str) -> frozenset[bytes]:
    """The control words in ``words``."""
    return frozenset(word.encode("ascii") for word in words.split())


CONTAINERS: Final = word_set("field shp shpgrp shpinst shprslt do object info")
"""Destinations that hold no text of their own, but destinations that do."""

KEPT: Final = word_set(
    "colortbl stylesheet pict objdata fldinst listtable listoverridetable listtext pntext rsidtbl"
    " generator themedata colorschememapping latentstyles datastore xmlnstbl filetbl revtbl"
    " bkmkstart bkmkend template nonshppict xe tc tcn rxe txe upr ftnsep ftnsepc ftncn aftnsep"
    " aftnsepc aftncn nonesttables pn pntxta pntxtb mmath"
)
"""Destinations that stay as they are; and so do all marked ``\\*`` that are in no list here."""

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
"""Symbols that do what a word does."""
PARAGRAPH_ENDS: Final = word_set("par sect cell nestcell row nestrow")

LANGUAGES: Final = word_set("lang langnp deflang")
"""Words that name a language by the number that Windows gives it."""
HIDING: Final = word_set("v deleted")
SYMBOL: Final = "symbol"
"""The fonts of symbols: their codes are pictures, not letters."""
_ESCAPES: Final = {
    "\\": b"\\\\", "{": b"\\{", "}": b"\\}", "\u00a0": b"\\~", "\u2011": b"\\_",
}  # fmt: skip

_CHARSETS: Final = {
    2: SYMBOL, 77: "mac_roman", 128: "cp932", 129: "cp949", 130: "johab", 134: "gbk", 136: "cp950",
    161: "cp1253", 162: "cp1254", 163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257",
    204: "cp1251", 222: "cp874", 238: "cp1250", 254: "cp437", 255: "cp850",
}  # fmt: skip
_PAGES: Final = {
    42: SYMBOL, 10000: "mac_roman", 65001: "utf-8", 65000: "utf-7", 936: "gbk", 1361: "johab",
    1200: "utf-16-le", 20127: "ascii", 20866: "koi8-r", 21866: "koi8-u", 50220: "iso-2022-jp",
    50221: "iso-2022-jp", 50225: "iso-2022-kr", 51932: "euc-jp", 51936: "gb2312",
    51949: "euc-kr", 52936: "hz", 54936: "gb18030",
} | {28590 + part: f"iso8859-{part}" for part in range(1, 16) if part != 12}  # fmt: skip
_FAMILY: Final = re.compile(r"[ _]+(?:CE|Cyr|Greek|Tur|Baltic|Hebrew|Arabic|\([\w ]+\))$")


class Mark(Enum):
    """What a token is."""

    WORD = "word"
    CODE = "code"
    SYMBOL = "symbol"
    BRACE = "brace"
    NEWLINE = "newline"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class RichToken:
    """``content[start:end]``: ``value`` is the control word, the symbol, or the bytes of text.

    ``number`` is the parameter of a control word, None when it has none. The blank that ends a
    control word belongs to it; without one (``ends_open``) the word would swallow text put there.
    """

    mark: Mark
    start: int
    end: int
    value: bytes
    number: int | None = None
    ends_open: bool = False


def read_tokens(content: bytes) -> Iterator[RichToken]:
    """The tokens of ``content``, binary data left out. Raises ``DocumentError`` (corrupt)."""
    position = 0
    while position < len(content):
        match = _TOKEN.match(content, position)
        if match is None or match.lastgroup is None:
            raise DocumentError(DocumentFailure.CORRUPT)
        mark = Mark(match.lastgroup if match["word"] is None else "word")
        value: bytes = match[mark.value]
        position = match.end()
        if mark is Mark.WORD:
            number = None if match["number"] is None else int(match["number"])
            yield RichToken(mark, *match.span(), value, number, not match[0].endswith(b" "))
            if value == b"bin":
                position += max(0, number or 0)
        else:
            value = bytes.fromhex(value.decode("ascii")) if mark is Mark.CODE else value
            yield RichToken(mark, *match.span(), value)


@dataclass(slots=True)
class Font:
    """A font of the font table: its name, and the encoding of text in it, empty for the usual."""

    name: str = ""
    encoding: str = ""

    @property
    def family(self) -> str:
        """The name without the script; programs switch between those inside a word."""
        return _FAMILY.sub("", self.name.partition(";")[0].strip())


def encoding_of_page(number: int) -> str:
    """The encoding of a code page; empty when it is not known."""
    name = _PAGES.get(number, f"cp{number}")
    if name == SYMBOL:
        return name
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""


def encode_text(text: str, fallback: int) -> bytes:
    """``text`` as RTF in ASCII; control characters go.

    What ASCII lacks is ``\\u`` and a signed 16-bit number, twice for characters beyond those, with
    ``fallback`` marks behind.
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
    """The language (ISO 639) that Windows gives ``number``; empty where it is none."""
    return windows_locale.get(number or 0, "").partition("_")[0]


def locale_of(tag: str) -> int:
    """The number of the language ``tag``, of several the last, which is the modern; 0: none."""
    return max(
        (n for n, name in windows_locale.items() if name == tag.replace("-", "_")), default=0
    )


@dataclass(slots=True)
class RichGroup:
    """What holds inside one group; a new group starts with what holds around it.

    ``place`` says what its text is, ``fresh`` that nothing stands in it yet, ``starred`` that it
    may be passed over, ``flow`` that it has paragraphs of its own. ``fallback`` is how many
    characters follow a ``\\u`` for programs that do not know it; ``look`` are the words that say
    how text looks, ``hiding`` those that hide it; ``owner`` tells fields apart.
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
    """Follows groups, fonts and encodings, and gathers text; what becomes of it is the subclass's.

    The stretch gathered so far lies in ``start:end`` of the file, ``start`` being None when there
    is none; ``glued`` says that a control word without a blank stands right before it.
    """

    passed_over: frozenset[str] = frozenset()
    """Places of which not even the words are followed."""

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
        """Whether ``word`` says what its group is for; then the group is that."""

    @abstractmethod
    def take_word(self, token: RichToken) -> None:
        """A word that says neither a character nor how text is encoded, or a symbol like it."""

    @abstractmethod
    def takes(self) -> bool:
        """Whether text is wanted here."""

    @abstractmethod
    def close(self) -> None:
        """End the stretch of text in the making: see `end_stretch`."""

    def leave(self, group: RichGroup) -> None:  # noqa: B027 (most readers need not know)
        """``group`` has ended."""

    @property
    def group(self) -> RichGroup:
        """The innermost group."""
        return self.groups[-1]

    @property
    def font(self) -> Font:
        """That of the group; a new one when the file does not name it."""
        return self.fonts.get(self.group.font) or Font()

    def take(self, token: RichToken) -> bool:
        """Follow one token; False when no group is open any more. Raises ``DocumentError``."""
        if token.mark is Mark.BRACE:
            self.close()
            self._skip = 0
            if token.value == b"{":
                if len(self.groups) > _DEEPEST:
                    raise DocumentError(DocumentFailure.TOO_LARGE)
                self.group.fresh = False
                self.groups.append(replace(self.group, fresh=True, starred=False, flow=False))
            elif len(self.groups) > 1:
                self.leave(self.groups.pop())
        elif token.mark is Mark.NEWLINE:
            pass
        elif self._skip:
            self._pass_fallback(token)
        elif self.group.place not in self.passed_over:
            self._follow(token)
        self._ends_open = token.ends_open
        return len(self.groups) > 1

    def _pass_fallback(self, token: RichToken) -> None:
        """What stands for a ``\\u`` before it; text may do so in part."""
        if token.mark is not Mark.TEXT:
            self._skip -= 1
            self.end = token.end
            return
        taken = min(self._skip, len(token.value))
        self._skip -= taken
        self.end = token.start + taken
        if taken < len(token.value) and self._begin(replace(token, start=self.end)):
            self._raw += token.value[taken:]

    def _follow(self, token: RichToken) -> None:
        group = self.group
        if token.mark is Mark.WORD:
            if not (group.fresh and self.enter_destination(token.value)):
                self._follow_word(token)
        elif token.mark is Mark.SYMBOL and token.value == b"*" and group.fresh:
            group.starred = True
            return
        elif token.mark is Mark.SYMBOL and token.value in SYMBOLS:
            self.add(token, SYMBOLS[token.value])
        elif token.mark is Mark.SYMBOL:
            self.close()
            if token.value in SAME_AS:
                self.take_word(replace(token, value=SAME_AS[token.value]))
        elif group.place == FONTS:
            self.fonts.setdefault(group.font, Font()).name += token.value.decode("latin-1")
        elif self._begin(token):
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
                found = _CHARSETS.get(number) if word == b"fcharset" else encoding_of_page(number)
                font.encoding = found or font.encoding
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
        if self._begin(token):
            self._decode()
            self._texts.append(text)

    def _begin(self, token: RichToken) -> bool:
        """Whether the text of ``token`` is wanted; then the stretch reaches over it."""
        if not self.takes():
            return False
        if self.start is None:
            self.start, self.glued = token.start, self._ends_open
        self.end = token.end
        return True

    def _decode(self) -> None:
        if self._raw:
            own = "" if self.group.place == TAG else self.font.encoding
            encoding = self._encoding if own in ("", SYMBOL) else own
            self._texts.append(self._raw.decode(encoding, "replace"))
            self._raw.clear()

    def end_stretch(self) -> str:
        """The text of the stretch in the making, signs for what no encoding has; it ends here."""
        self._decode()
        text = "".join(self._texts).encode("utf-16-le", "surrogatepass")
        self._texts.clear()
        self.start = None
        return text.decode("utf-16-le", "replace")
