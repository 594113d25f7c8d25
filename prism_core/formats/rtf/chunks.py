"""The pieces of RTF paragraphs, and text written in their place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from prism_core.formats.edits import Edit
from prism_core.formats.pieces import Kind

_ESCAPES: Final = {
    "\\": b"\\\\", "{": b"\\{", "}": b"\\}", "\u00a0": b"\\~", "\u2011": b"\\_",
}  # fmt: skip


Look = tuple[tuple[bytes, int], ...]
"""Control words in force, with their numbers."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a paragraph, in ``start:end`` of the file; see ``Piece``.

    ``fallback`` is how many characters follow a ``\\u`` for programs that do not know it,
    ``glued`` says that a control word without a blank stands right before, and ``look`` and
    ``font`` are the control words in force.
    """

    kind: Kind
    start: int = 0
    end: int = 0
    text: str = ""
    style: str = ""
    owner: int = 0
    fallback: int = 1
    glued: bool = False
    look: Look = ()
    font: int = -1

    def edit(self, text: str, before: bytes = b"") -> Edit:
        """Put ``text`` in its place, behind the groups ``before`` it."""
        content = before + encode(text, self.fallback)
        if self.glued and content[:1] not in (b"", b"\\", b"{"):
            content = b" " + content
        return Edit(self.start, self.end, content)


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
