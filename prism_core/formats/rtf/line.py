"""A paragraph of RTF as a line, and the edits that put a translation in its place.

Words that changed their place get groups of their own, with the look they had.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from prism_core.alignment import Translation
from prism_core.formats.base import Edit
from prism_core.formats.rich_text.words import SIDEWAYS, key
from prism_core.formats.text import Anchor, Break, Loss, Run, fit

_ESCAPES: Final = {
    "\\": b"\\\\", "{": b"\\{", "}": b"\\}", "\u00a0": b"\\~", "\u2011": b"\\_",
}  # fmt: skip
_ENDS: Final = {
    b"ul": b"\\ulnone", b"sub": b"\\nosupersub", b"super": b"\\nosupersub", b"fs": b"\\fs24",
}  # fmt: skip
"""Words that end a look, where that is not the word that begins it with a 0."""
_NUMBERED: Final = frozenset((b"cf", b"cb", b"highlight", b"chcbpat", b"fs", b"striked"))
"""Words whose number says something, whatever it is."""
_REVISED: Final = b"revised"

Look = tuple[tuple[bytes, int], ...]
"""Control words in force, with their numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk(Run):
    """Text in ``start:end`` of the file.

    ``fallback`` is how many characters follow a ``\\u`` for programs that do not know it,
    ``glued`` says that a control word without a blank stands right before, and ``words`` and
    ``font`` are the control words in force.
    """

    start: int
    end: int
    fallback: int
    glued: bool
    words: Look
    font: int

    def edit(self, text: str, before: bytes = b"") -> Edit:
        """Put ``text`` in its place, behind the groups ``before`` it."""
        content = before + _encode(text, self.fallback)
        if self.glued and content[:1] not in (b"", b"\\", b"{"):
            content = b" " + content
        return Edit(self.start, self.end, content)


@dataclass(frozen=True, slots=True)
class Paragraph:
    """One paragraph, what ``kind`` of text it is, and where it begins to show something."""

    line: tuple[Chunk | Break | Anchor, ...]
    kind: str
    start: int

    @property
    def text(self) -> str:
        """The text without the white space, tabs and breaks around it."""
        return "".join(item.text for item in self.line).strip()

    def replace(self, translation: Translation) -> tuple[list[Edit], Loss]:
        """What to edit so that it says ``translation``; every break and anchor stays."""
        changes, loss = fit(self.line, translation, movable=self._can_move())
        edits: list[Edit] = []
        for placed in changes:
            first, last = placed.group.runs[0], placed.group.runs[-1]
            ahead = b"".join(_group(text, like, first) for text, like in placed.ahead)
            if placed.is_new:
                for chunk, text in placed.texts():
                    edits.append(chunk.edit(text, ahead if chunk is first else b""))
            else:
                edits.append(Edit(first.start, first.start, ahead))
            for text, like in placed.behind:
                edits.append(Edit(last.end, last.end, _group(text, like, last)))
        return edits, loss

    def _can_move(self) -> bool:
        """Whether the looks of all text can be written again.

        Not if it is tracked who wrote what, or the font is one that the file does not name.
        """
        chunks = [chunk for chunk in self.line if isinstance(chunk, Chunk)]
        tracked = any(word == _REVISED for chunk in chunks for word, _ in chunk.words)
        fonts = {chunk.font for chunk in chunks}
        return not tracked and (len(fonts) < 2 or min(fonts) >= 0)


def _group(text: str, like: Chunk, there: Chunk) -> bytes:
    """``text`` in a group that turns the look ``there`` into that of ``like``."""
    words = b"".join(_turned(there, like))
    return b"{" + words + (b" " if words else b"") + _encode(text, there.fallback) + b"}"


def _turned(there: Chunk, wanted: Chunk) -> Iterator[bytes]:
    """The control words from one look to another."""
    if there.font != wanted.font:
        yield b"\\f%d" % wanted.font
    kept = {_kind(word) for word, _ in wanted.words}
    for word, _ in there.words:
        if _kind(word) not in kept:
            yield _ENDS.get(key(word), b"\\" + word + b"0")
    for word, number in wanted.words:
        if (word, number) not in there.words:
            said = b"%d" % number if word in _NUMBERED or number != 1 else b""
            yield b"\\" + word + said


def _kind(word: bytes) -> bytes:
    """Equal for words of which the later one ends the earlier."""
    return b"sub" if word in SIDEWAYS else key(word)


def _encode(text: str, fallback: int) -> bytes:
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
