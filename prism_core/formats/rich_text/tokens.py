"""RTF as tokens with their places in the file: braces, control words and symbols, bytes of text."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from prism_core.errors import DocumentError, DocumentFailure

_TOKEN: Final = re.compile(
    rb"\\(?P<word>[A-Za-z]{1,40})(?P<number>-?\d{1,10})?[ ]?"
    rb"|\\'(?P<code>[0-9A-Fa-f]{2})"
    rb"|\\(?P<symbol>[^A-Za-z])"
    rb"|(?P<brace>[{}])"
    rb"|(?P<newline>[\r\n\0]+)"
    rb"|(?P<text>[^\\{}\r\n\0]+)"
)


class Mark(Enum):
    """What a token is."""

    WORD = "word"
    CODE = "code"
    SYMBOL = "symbol"
    BRACE = "brace"
    NEWLINE = "newline"
    TEXT = "text"


@dataclass(frozen=True, slots=True)
class Token:
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


def read_tokens(content: bytes) -> Iterator[Token]:
    """The tokens of ``content``, binary data left out. Raises ``DocumentError`` (corrupt)."""
    position = 0
    while position < len(content):
        match = _TOKEN.match(content, position)
        if match is None or match.lastgroup is None:
            raise DocumentError(DocumentFailure.CORRUPT)
        token = _token(match)
        position = match.end()
        if token.value == b"bin" and token.mark is Mark.WORD:
            position += max(0, token.number or 0)
        yield token


def _token(match: re.Match[bytes]) -> Token:
    mark = Mark(match.lastgroup if match["word"] is None else "word")
    value: bytes = match[mark.value]
    if mark is Mark.WORD:
        digits = match["number"]
        number = None if digits is None else int(digits)
        return Token(mark, *match.span(), value, number, not match[0].endswith(b" "))
    if mark is Mark.CODE:
        value = bytes.fromhex(value.decode("ascii"))
    return Token(mark, *match.span(), value)
