"""The pieces of RTF paragraphs, and text written in their place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from prism_core.formats.pieces import Kind, Loss, fitted

_ESCAPES: Final = {
    "\\": b"\\\\", "{": b"\\{", "}": b"\\}", "\u00a0": b"\\~", "\u2011": b"\\_",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Edit:
    """Put ``content`` in place of the bytes from ``start`` to ``end``."""

    start: int
    end: int
    content: bytes


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a paragraph, in ``start:end`` of the file; see ``Piece``.

    ``fallback`` is how many characters follow a ``\\u`` for programs that do not know it, and
    ``glued`` says that a control word without a blank stands right before.
    """

    kind: Kind
    start: int = 0
    end: int = 0
    text: str = ""
    style: str = ""
    owner: int = 0
    fallback: int = 1
    glued: bool = False

    def edit(self, text: str) -> Edit:
        """Put ``text`` in its place."""
        content = encode(text, self.fallback)
        if self.glued and content[:1] not in (b"", b"\\"):
            content = b" " + content
        return Edit(self.start, self.end, content)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph: its pieces, and what kind of text it is."""

    chunks: tuple[Chunk, ...]
    kind: str

    @property
    def text(self) -> str:
        """The text without the white space, tabs and breaks around it."""
        return "".join(chunk.text for chunk in self.chunks).strip()

    def replace(self, translation: str) -> tuple[list[Edit], Loss]:
        """What to edit so that it says ``translation``; every break and anchor stays."""
        fit = fitted(self.chunks, translation)
        edits = [edit for change in fit.changes for edit in _edits(change.pieces, change.text)]
        return edits, fit.loss


def _edits(chunks: Sequence[Chunk], text: str) -> Iterable[Edit]:
    carrier = max(chunks, key=lambda chunk: bool(chunk.text.strip()))
    return (chunk.edit(text if chunk is carrier else "") for chunk in chunks)


def encode(text: str, fallback: int) -> bytes:
    """``text`` as RTF in ASCII: what that lacks by its number, with ``fallback`` marks behind."""
    return b"".join(
        _ESCAPES.get(character)
        or (character.encode() if " " <= character <= "~" else _numbered(character, fallback))
        for character in text
    )


def _numbered(character: str, fallback: int) -> bytes:
    """``\\u`` and a signed 16-bit number, twice for characters beyond; control characters go."""
    if character < " " or character == "\x7f":
        return b""
    units = character.encode("utf-16-le", "surrogatepass")
    numbers = [int.from_bytes(units[i : i + 2], "little", signed=True) for i in (0, 2) if units[i:]]
    mark = b"?" * fallback or b" "
    return b"".join(b"\\u%d" % number + mark for number in numbers)
