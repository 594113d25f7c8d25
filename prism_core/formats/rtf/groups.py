"""Groups for words that changed their place in a paragraph of RTF, with the look they had."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from prism_core.formats.pieces import Insertion, Kind
from prism_core.formats.rich_text.words import SIDEWAYS, key
from prism_core.formats.rtf.chunks import Chunk, encode

_ENDS: Final = {
    b"ul": b"\\ulnone", b"sub": b"\\nosupersub", b"super": b"\\nosupersub", b"fs": b"\\fs24",
}  # fmt: skip
"""Words that end a look, where that is not the word that begins it with a 0."""
_NUMBERED: Final = frozenset((b"cf", b"cb", b"highlight", b"chcbpat", b"fs", b"striked"))
"""Words whose number says something, whatever it is."""
_REVISED: Final = b"revised"


def can_move(chunks: Sequence[Chunk]) -> bool:
    """Whether the looks of all text can be written again.

    Not if it is tracked who wrote what, or the font is one that the file does not name.
    """
    texts = [chunk for chunk in chunks if chunk.kind is Kind.TEXT]
    tracked = any(word == _REVISED for chunk in texts for word, _ in chunk.look)
    fonts = {chunk.font for chunk in texts}
    return not tracked and (len(fonts) < 2 or min(fonts) >= 0)


def group_of(insertion: Insertion[Chunk]) -> bytes:
    """The text of ``insertion`` in a group that turns the look there into its own."""
    there = insertion.beside[-1 if insertion.after else 0]
    words = b"".join(_turned(there, insertion.like))
    text = encode(insertion.text, there.fallback)
    return b"{" + words + (b" " if words else b"") + text + b"}"


def _turned(there: Chunk, wanted: Chunk) -> Iterator[bytes]:
    """The control words from one look to another."""
    if there.font != wanted.font:
        yield b"\\f%d" % wanted.font
    kept = {_kind(word) for word, _ in wanted.look}
    for word, _ in there.look:
        if _kind(word) not in kept:
            yield _ENDS.get(key(word), b"\\" + word + b"0")
    for word, number in wanted.look:
        if (word, number) not in there.look:
            said = b"%d" % number if word in _NUMBERED or number != 1 else b""
            yield b"\\" + word + said


def _kind(word: bytes) -> bytes:
    """Equal for words of which the later one ends the earlier."""
    return b"sub" if word in SIDEWAYS else key(word)
