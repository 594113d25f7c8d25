"""Paragraphs of RTF, and translations put in their place."""

from __future__ import annotations

from dataclasses import dataclass

from prism_core.formats.edits import Edit
from prism_core.formats.pieces import Loss, fitted
from prism_core.formats.rtf.chunks import Chunk
from prism_core.formats.rtf.groups import can_move, group_of


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
        fit = fitted(self.chunks, translation, movable=can_move(self.chunks))
        ahead: dict[Chunk, bytes] = {}
        edits: list[Edit] = []
        for insertion in fit.insertions:
            group = group_of(insertion)
            if insertion.after:
                end = insertion.beside[-1].end
                edits.append(Edit(end, end, group))
            else:
                first = insertion.beside[0]
                ahead[first] = ahead.get(first, b"") + group
        for change in fit.changes:
            carrier = max(change.pieces, key=lambda chunk: bool(chunk.text.strip()))
            edits += [
                chunk.edit(change.text if chunk is carrier else "", ahead.pop(chunk, b""))
                for chunk in change.pieces
            ]
        edits += [Edit(chunk.start, chunk.start, group) for chunk, group in ahead.items()]
        return edits, fit.loss
