"""The code pages that RTF and Outlook name, by number or by the character set of a font."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

SYMBOL: Final = "symbol"
"""The fonts of symbols: their codes are pictures, not letters."""

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


@dataclass(slots=True)
class Font:
    """A font of the font table: its name, and the encoding of text in it, empty for the usual."""

    name: str = ""
    encoding: str = ""

    @property
    def family(self) -> str:
        """The name without the script; programs switch between those inside a word."""
        return _FAMILY.sub("", self.name.partition(";")[0].strip())


def of_charset(number: int) -> str:
    """The encoding of a font's character set; empty for the one of the document."""
    return _CHARSETS.get(number, "")


def of_page(number: int) -> str:
    """The encoding of a code page; empty when it is not known."""
    name = _PAGES.get(number, f"cp{number}")
    if name == SYMBOL:
        return name
    try:
        return codecs.lookup(name).name
    except LookupError:
        return ""


def decode(content: bytes, encoding: str) -> str:
    """``content`` as text; signs for what does not belong to the encoding."""
    return content.decode(encoding, "replace")
