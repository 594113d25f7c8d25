"""Exact conversion of bytes to text and back, by what is declared, byte-order mark or guess.

Entry: ``decode_declared`` for text that names its character set, else ``decode_text`` guesses.

``find_codec`` adds codecs of the Encoding Standard that Python lacks, or has with another meaning:
``prism_euc_jp`` and ``prism_iso2022_jp`` know the characters of NEC and IBM that Japanese texts
use, ``prism_koi8_u`` has the Belarusian letter, and ``prism_user_defined`` keeps bytes beyond ASCII
as private characters.
"""

from __future__ import annotations

import codecs
import re
import tomllib
import unicodedata
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Final

from charset_normalizer import from_bytes

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import MOST_BYTES, read_limited
from prism_core.resources import SHIPPED

_EUC: Final = re.compile(
    rb"(?s)[\0-\x7f]+|\x8e[\xa1-\xdf]|\x8f[\xa1-\xfe][\xa1-\xfe]|[\xa1-\xfe][\xa1-\xfe]|."
)
_JIS: Final = re.compile(rb"\x1b(\([BJI]|\$[@B])")
_ASCII, _ROMAN, _KATAKANA, _KANJI, _OLD_KANJI = b"(B", b"(J", b"(I", b"$B", b"$@"
_Encode = Callable[[str, str], bytes]
_Decode = Callable[[bytes, str], str]


@cache
def _kanji() -> dict[bytes, str]:
    """Return the characters by their two bytes in EUC: those of Windows-31J, which has them all."""
    found = {}
    for row in range(94):
        for cell in range(94):
            trail = cell + (0x40 if row % 2 == 0 else 0x9F)
            lead = row // 2 + (0x81 if row < 62 else 0xC1)
            shifted = bytes((lead, trail + (row % 2 == 0 and trail > 0x7E)))
            with suppress(UnicodeDecodeError):
                found[bytes((row + 0xA1, cell + 0xA1))] = shifted.decode("cp932")
    return found


@cache
def _kanji_bytes() -> dict[str, bytes]:
    """Return the two bytes in EUC by character; the first of several, as browsers write."""
    return {text: pair for pair, text in reversed(_kanji().items())}


def _decode_euc_jp(content: bytes, errors: str) -> str:
    kanji = _kanji()
    return "".join(kanji.get(raw) or raw.decode("euc_jp", errors) for raw in _EUC.findall(content))


def _encode_euc_jp(text: str, errors: str) -> bytes:
    kanji = _kanji_bytes()
    return b"".join(
        kanji.get(character) or character.encode("euc_jp", errors) for character in text
    )


def _decode_iso2022_jp(content: bytes, errors: str) -> str:
    pieces = _JIS.split(content)
    texts = [pieces[0].decode("ascii", errors)]
    for mode, raw in zip(pieces[1::2], pieces[2::2], strict=True):
        line = raw.rstrip(b"\r\n") if mode in (_KANJI, _OLD_KANJI, _KATAKANA) else b""
        eight_bits = bytes(byte | 0x80 for byte in line)
        if mode == _KATAKANA:
            texts.append(eight_bits.decode("shift_jis", errors))
        else:
            texts.append(_decode_euc_jp(eight_bits, errors))
        texts.append(raw[len(line) :].decode("ascii", errors))
    return "".join(texts)


def _encode_iso2022_jp(text: str, errors: str) -> bytes:
    found, mode = bytearray(), _ASCII
    for character in text:
        pair = _kanji_bytes().get(character, b"")
        wanted = _KANJI if pair else _ASCII
        if wanted != mode:
            found += b"\x1b" + wanted
            mode = wanted
        found += bytes(byte & 0x7F for byte in pair) or character.encode("ascii", errors)
    return bytes(found + (b"" if mode == _ASCII else b"\x1b" + _ASCII))


def _charmap(base: str, changes: dict[int, str]) -> tuple[_Encode, _Decode]:
    table = "".join(changes.get(byte) or bytes((byte,)).decode(base) for byte in range(256))
    mapping = codecs.charmap_build(table)
    return (
        lambda text, errors: codecs.charmap_encode(text, errors, mapping)[0],
        lambda content, errors: codecs.charmap_decode(content, errors, table)[0],
    )


_CODECS: Final[dict[str, Callable[[], tuple[_Encode, _Decode]]]] = {
    "prism_euc_jp": lambda: (_encode_euc_jp, _decode_euc_jp),
    "prism_iso2022_jp": lambda: (_encode_iso2022_jp, _decode_iso2022_jp),
    "prism_koi8_u": lambda: _charmap("koi8_u", {0xAE: "ў", 0xBE: "Ў"}),
    "prism_user_defined": lambda: _charmap(
        "latin-1", {byte: chr(0xF700 + byte) for byte in range(0x80, 0x100)}
    ),
}


def find_codec(name: str) -> codecs.CodecInfo | None:
    """Return the codec ``name`` if it is one of this module's: see ``codecs.register``."""
    if name not in _CODECS:
        return None
    encode, decode = _CODECS[name]()
    return codecs.CodecInfo(
        lambda text, errors="strict": (encode(text, errors), len(text)),
        lambda content, errors="strict": (decode(bytes(content), errors), len(content)),
        name=name,
    )


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
_WIDE: Final = ("utf-32-le", "utf-32-be", "utf-16-le", "utf-16-be")
_SPACES: Final = re.compile("[ \t\r\n\u3000-\u3002]")
"""Blanks, line breaks, and the stops that Chinese and Japanese text has instead of blanks."""
_CONTROL_SHARE: Final = 0.005
"""Share of control characters above which bytes are not text; real text files have none."""


_NO_CHARSETS: Final = frozenset(
    ("idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined")
)
"""Codecs of Python that no document uses; some take time in the square of the size."""
_NUMBERED: Final = re.compile(
    r"(?:x-)?(?:cs|ms-)?(?:cp|ccsid|dos|ibm|oem|pc|win|windows)-?0*(\d{2,5})"
)
"""Label that is the number of a code page; it may be Python's name of the codec as well."""
C1: Final = re.compile("[\x80-\x9f]")
"""Control characters that no text has: they show that another character set was used."""
WESTERN: Final = "cp1252"
"""Codec that text without a declared character set is most often in."""

codecs.register(find_codec)


@cache
def _tables() -> tuple[dict[str, tuple[str, ...]], dict[int, str], dict[str, str]]:
    """Return codecs by label, codecs by code page where not ``cp`` and number, names by codec."""
    data = tomllib.loads((SHIPPED / "data" / "charsets.toml").read_text(encoding="utf-8"))
    labels = {
        label: tuple(entry["codecs"])
        for entry in data["charsets"].values()
        for label in entry["labels"].split()
    }
    names = {
        codec: name for name, entry in data["charsets"].items() for codec in entry["codecs"][:1]
    }
    return labels, {int(number): codec for number, codec in data["pages"].items()}, names


def label_of(codec: str) -> str:
    """Return the usual name of the character set of a ``codec``."""
    return _tables()[2].get(codec, codec)


def encoding_of_page(number: int) -> str:
    """Return the codec of a Windows code page; empty when it is not known."""
    try:
        return codecs.lookup(_tables()[1].get(number, f"cp{number}")).name
    except LookupError:
        return ""


def charsets(declared: str) -> tuple[str, ...] | None:
    """Return the codecs to try for a declared character set; None if the name is not known.

    The first codec is the meaning of the name in the Encoding Standard. A set that nothing can
    decode has none.
    """
    name = declared.strip("\"' \t\r\n\f").lower()
    label = name.replace("_", "-")
    known = _tables()[0].get(label)
    if known is not None:
        return known
    numbered = _NUMBERED.fullmatch(label)
    if numbered and (page := encoding_of_page(int(numbered[1]))):
        return (page,)
    try:
        codec = codecs.lookup(name).name
    except (LookupError, ValueError):
        return None
    return None if codec.replace("-", "_") in _NO_CHARSETS else (codec,)


@dataclass(frozen=True, slots=True)
class DecodedText:
    """Text and its encoding: ``mark + text.encode(encoding)`` gives the bytes back.

    ``is_guessed`` says that neither the document nor the form of its bytes names the encoding.
    """

    text: str
    encoding: str
    mark: bytes = b""
    is_guessed: bool = False

    @property
    def notices(self) -> tuple[str, ...]:
        """Notice of a guessed encoding; without one the bytes or the document say it."""
        return (f"charset-guessed:{label_of(self.encoding)}",) if self.is_guessed else ()

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
    """Return the text of a file; raise ``DocumentError``: corrupt, too large, binary."""
    decoded = decode(read_limited(path, most))
    if decoded is None:
        raise DocumentError(DocumentFailure.UNSUPPORTED)
    return decoded


def decode_declared(content: bytes, declared: str) -> DecodedText | None:
    """Decode by a mark, else by the ``declared`` set; return None where neither fits."""
    if _find_mark(content)[0]:
        return decode_text(content)
    known = charsets(declared) or ()
    for encoding in known:
        try:
            text = content.decode(encoding)
        except (UnicodeError, LookupError, ValueError):
            continue
        other = encoding == WESTERN and encoding != known[0] and not _is_western(text)
        if not C1.search(text) and "\0" not in text and not other:
            return DecodedText(text, encoding)
    return None


def decode_text(content: bytes, truncated: bool = False) -> DecodedText | None:
    """Decode ``content``, whose end may be ``truncated``; return None if it is binary."""
    mark, encoding = _find_mark(content)
    if mark:
        return _decode_exactly(content[len(mark) :], encoding, mark, truncated)
    if b"\0" in content:
        return _decode_unmarked(content, truncated)
    unicode = _decode_exactly(content, "utf-8", b"", truncated)
    if unicode is not None:
        return unicode
    western = _decode_exactly(content, WESTERN, b"", truncated)
    if western is not None and _is_western(western.text):
        return replace(western, is_guessed=True)
    if western is None and (wide := _decode_unmarked(content, truncated)):
        return wide
    best = from_bytes(content).best()
    guess = None if best is None else _decode_exactly(content, best.encoding, b"", truncated)
    found = guess or western
    return None if found is None else replace(found, is_guessed=True)


def _is_western(text: str) -> bool:
    """Return True if most letters are ASCII, as in the languages of Windows-1252."""
    letters = [character for character in text[:20_000] if character.isalpha()]
    return sum(map(str.isascii, letters)) * 2 >= len(letters)


def _find_mark(content: bytes) -> tuple[bytes, str]:
    return next((found for found in MARKS if content.startswith(found[0])), (b"", ""))


def _decode_unmarked(content: bytes, truncated: bool) -> DecodedText | None:
    """Decode UTF-16 or UTF-32 without a mark; None where no or more than one byte order is text."""
    found = list[DecodedText]()
    decoded = (_decode_exactly(content, encoding, b"", truncated) for encoding in _WIDE)
    for wide in filter(None, decoded):  # in the wrong order, blanks become rare characters
        text = wide.text[:20_000]
        kinds = Counter(map(unicodedata.category, _SPACES.sub("", text)))
        others = sum(count for name, count in kinds.items() if name[0] == "C" and name != "Cf")
        letters = sum(count for name, count in kinds.items() if name[0] in "LMN")
        spaces = len(_SPACES.findall(text))
        if not others and letters * 2 >= len(text) - spaces and spaces * 200 >= len(text):
            found.append(wide)
    return found[0] if len(found) == 1 else None


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
