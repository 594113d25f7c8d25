"""Codecs of the Encoding Standard that Python lacks, or has with another meaning.

Entry: ``find_codec``, which ``codecs.register`` takes: ``prism_euc_jp`` and ``prism_iso2022_jp``
know the characters of NEC and IBM that Japanese texts use, ``prism_koi8_u`` has the Belarusian
letter, and ``prism_user_defined`` keeps bytes beyond ASCII as private characters.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Callable
from contextlib import suppress
from functools import cache
from typing import Final

_EUC: Final = re.compile(
    rb"[\0-\x7f]+|\x8e[\xa1-\xdf]|\x8f[\xa1-\xfe][\xa1-\xfe]|[\xa1-\xfe][\xa1-\xfe]"
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
    kanji, texts, position = _kanji(), [], 0
    while position < len(content):
        match = _EUC.match(content, position)
        raw = match[0] if match else content[position : position + 1]
        texts.append(kanji.get(raw) or raw.decode("euc_jp", errors))
        position += len(raw)
    return "".join(texts)


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
