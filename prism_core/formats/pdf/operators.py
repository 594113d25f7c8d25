"""Parse content streams into operators and operands: the result of pdfminer's parser, but faster.

Entry: ``parse_objects`` -> ``_read_plain``. One regular expression reads nearly everything that
pages hold. At anything else (an inline image, nested brackets, a name with an escape, damage),
pdfminer reads from the beginning of that object to its end, so that every object is the one that it
would give.
"""

from __future__ import annotations

import re
from binascii import unhexlify
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import lru_cache, partial
from typing import Any, Final

from pdfminer.pdfinterp import PDFContentParser
from pdfminer.pdftypes import PDFStream
from pdfminer.psexceptions import PSEOF
from pdfminer.psparser import KWD, LIT, PSLiteral

_TOKEN: Final = re.compile(
    rb"""[\s\x00]*+(?:
    ([-+]?(?:\d++\.\d*+|\.\d++))                # 1: a number with a point
    |([-+]?\d{1,99}+)(?!\d)                      # 2: one without
    |<([0-9A-Fa-f\s]*+)>(?!>)                    # 3: a string in hexadecimal digits
    |\(([^()\\]*+)\)                             # 4: a string
    |\(([^()\\]*+(?:\\.[^()\\]*+)++)\)           # 5: one with escapes
    |/([^#/%\[\]()<>{}\s]*+)(?!\#)               # 6: a name
    |(['"]|[A-Za-z][^#/%\[\]()<>{}\s]*+)         # 7: an operator
    |(\[)                                        # 8
    |(\])                                        # 9
    |<<((?:\s*+/[A-Za-z]++(?:\s++\d{1,99}+|\s*+\([^()\\]*+\)))++)\s*+>>  # 10: what a tag says
    |(%[^\r\n]*+|\Z)                             # 11: a comment, the end
    |(.)                                         # 12: what pdfminer is to read
    )""",
    re.VERBOSE | re.DOTALL,
)
_OPERATOR, _OPEN, _CLOSE, _NOTHING, _ODD = 7, 8, 9, 11, 12
_TAGGED: Final = re.compile(rb"/([A-Za-z]++)\s*+(?:(\d++)|\(([^)]*+)\))")
_BY_PDFMINER: Final = frozenset((b"BI", b"ID", b"true", b"false"))
_ESCAPE: Final = re.compile(rb"\\([0-7]{1,3}|\r\n|.)", re.DOTALL)
_ESCAPES: Final = {b"b": b"\b", b"t": b"\t", b"n": b"\n", b"f": b"\f", b"r": b"\r"}


def parse_objects(streams: Sequence[PDFStream]) -> Iterator[Any]:
    """Yield the operands and operators (``PSKeyword``) of ``streams``, read as one, in order."""
    data = b"\n".join([stream.get_data() for stream in streams])
    parser = PDFContentParser([PDFStream({}, data)])
    position = 0
    with suppress(PSEOF):  # pdfminer's end of data
        while (position := (yield from _read_plain(data, position))) < len(data):
            parser.seek(position)
            yield parser.nextobject()[1]
            while parser.results:
                yield parser.nextobject()[1]
            position = parser.bufpos + parser.charpos


def _read_plain(data: bytes, start: int) -> Generator[Any, None, int]:
    """Yield the objects from ``start`` to the first that only pdfminer reads; return its offset."""
    array: list[Any] | None = None
    begun = start
    for token in _TOKEN.finditer(data, start):
        kind = token.lastindex or _ODD
        if value := _VALUES.get(kind):
            if array is None:
                yield value(token[kind])
            else:
                array.append(value(token[kind]))
        elif kind == _OPERATOR and array is None and token[kind] not in _BY_PDFMINER:
            yield _intern_operator(token[kind])
        elif kind == _OPEN and array is None:
            array, begun = [], token.start(kind)
        elif kind == _CLOSE and array is not None:
            yield array
            array = None
        elif kind != _NOTHING:
            return token.start(kind) if array is None else begun
    return len(data) if array is None else begun


def _decode_hexadecimal(digits: bytes) -> bytes:
    """Decode a hexadecimal string; a single last digit is read as pdfminer reads it."""
    digits = b"".join(digits.split())
    return unhexlify(digits if len(digits) % 2 == 0 else digits[:-1] + b"0" + digits[-1:])


def _decode_escape(found: re.Match[bytes]) -> bytes:
    """Decode an escape in a string; raises ``OverflowError`` for an octal number over 255."""
    escape = found[1]
    if escape.isdigit() and escape < b"8":
        return int(escape, 8).to_bytes(1, "big")
    return escape if escape in b"()\\" else _ESCAPES.get(escape, b"")


_intern_operator = lru_cache(maxsize=256)(KWD)


@lru_cache(maxsize=256)
def _decode_name(name: bytes) -> PSLiteral:
    try:
        return LIT(name.decode())
    except UnicodeDecodeError:
        return LIT(name)


_VALUES: Final[Mapping[int, Callable[[bytes], Any]]] = {
    1: float,
    2: int,
    3: _decode_hexadecimal,
    4: bytes,
    5: partial(_ESCAPE.sub, _decode_escape),
    6: _decode_name,
    10: lambda entries: {
        entry[1].decode(): entry[3] if entry[2] is None else int(entry[2])
        for entry in _TAGGED.finditer(entries)
    },
}
