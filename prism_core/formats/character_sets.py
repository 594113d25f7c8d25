"""Exact conversion of bytes to text and back, by byte-order mark, UTF-8, Windows-1252 or guess."""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from charset_normalizer import from_bytes

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import MOST_BYTES, read_limited

MARKS: Final = (
    # UTF-32 first: its little-endian mark starts with that of UTF-16.
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
"""Byte-order marks and their encodings."""
UNSEEN: Final = re.compile("[\u00ad\u200b\u200c\u2060\ufeff]")
"""Soft hyphens and spaces of no width, which would hide a name from its detectors."""
_CONTROL: Final = re.compile("[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_CONTROL_SHARE: Final = 0.005
"""Share of control characters above which bytes are not text; real text files have none."""


_NO_CHARSETS: Final = frozenset(
    ("idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined")
)
"""Codecs of Python that no document uses; some take time in the square of the size."""


_ALIASES: Final = {
    "windows-874": "cp874", "dos-874": "cp874", "x-sjis": "cp932", "x-ms-cp932": "cp932",
    "windows-31j": "cp932", "windows-936": "gbk", "windows-949": "cp949", "x-windows-949": "cp949",
    "x-gbk": "gbk", "x-euc-jp": "euc_jp", "x-euc-kr": "cp949", "x-big5": "big5",
    "x-x-big5": "big5", "cn-big5": "big5", "cn-gb": "gb18030", "x-mac-roman": "mac_roman",
    "macintosh": "mac_roman", "x-mac-cyrillic": "mac_cyrillic", "x-cp1250": "cp1250",
    "x-cp1251": "cp1251", "x-cp1252": "cp1252", "unicode-1-1-utf-8": "utf-8", "utf8mb4": "utf-8",
    "unicode-1-1-utf-7": "utf-7", "x-koi8-r": "koi8_r", "koi": "koi8_r", "logical": "iso8859-8",
    "visual": "iso8859-8",
}  # fmt: skip
"""Names of character sets that mail and pages use and Python does not know."""
_WIDER: Final = {
    "gb2312": "gb18030", "gbk": "gb18030", "euc_kr": "cp949", "shift_jis": "cp932",
    "iso8859-9": "cp1254", "tis-620": "cp874", "iso8859-11": "cp874", "big5": "cp950",
    "iso2022_jp": "iso2022_jp_ext", "iso8859-8": "cp1255",
}  # fmt: skip
"""Wider character set that text often uses while it declares the narrower one (WHATWG Encoding)."""


def charsets(declared: str) -> tuple[str, ...]:
    """Return the codecs to try for a declared character set; none if the name is not known."""
    name = _ALIASES.get(declared.strip().lower().replace("_", "-"), declared)
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        return ()
    if codec.replace("-", "_") in _NO_CHARSETS:
        return ()
    return (name, _WIDER[codec]) if codec in _WIDER else (name,)


@dataclass(frozen=True, slots=True)
class DecodedText:
    """Text and its encoding: ``mark + text.encode(encoding)`` gives the bytes back."""

    text: str
    encoding: str
    mark: bytes = b""

    def write(self, text: str, path: Path) -> tuple[str, ...]:
        """Write ``text`` in this encoding, or in UTF-8 with a notice if it cannot hold the text."""
        try:
            path.write_bytes(self.mark + text.encode(self.encoding))
        except UnicodeEncodeError:
            path.write_bytes(codecs.BOM_UTF8 + text.encode("utf-8", "replace"))
            return () if self.encoding == "utf-8" else ("encoding-changed:utf-8",)
        return ()


def read_text(
    path: Path, decode: Callable[[bytes], DecodedText | None], most: int = MOST_BYTES
) -> DecodedText:
    """Return the text of a file of at most ``most`` bytes.

    Raises ``DocumentError``: corrupt, too large, unsupported (binary, by ``decode``).
    """
    decoded = decode(read_limited(path, most))
    if decoded is None:
        raise DocumentError(DocumentFailure.UNSUPPORTED)
    return decoded


def decode_text(content: bytes, truncated: bool = False) -> DecodedText | None:
    """Decode ``content``; return None when it is binary.

    ``truncated`` says that the last character may be cut. Pure ASCII counts as UTF-8.
    """
    for mark, encoding in MARKS:
        if content.startswith(mark):
            return _decode_exactly(content[len(mark) :], encoding, mark, truncated)
    if b"\0" in content:
        return None
    unicode = _decode_exactly(content, "utf-8", b"", truncated)
    if unicode is not None:
        return unicode
    western = _decode_exactly(content, "cp1252", b"", truncated)
    if western is not None:  # most letters of the languages it was made for are ASCII
        letters = [character for character in western.text[:20_000] if character.isalpha()]
        if sum(map(str.isascii, letters)) * 2 >= len(letters):
            return western
    best = from_bytes(content).best()
    guess = None if best is None else _decode_exactly(content, best.encoding, b"", truncated)
    return guess or western


def _decode_exactly(
    content: bytes, encoding: str, mark: bytes, truncated: bool
) -> DecodedText | None:
    try:
        decoder = codecs.getincrementaldecoder(encoding)()
        text = decoder.decode(content, final=not truncated)
        exact = truncated or text.encode(encoding) == content
    except (UnicodeError, LookupError):
        return None
    if not exact or len(_CONTROL.findall(text)) > len(text) * _CONTROL_SHARE:
        return None
    return DecodedText(text, encoding, mark)
