"""Rich Text Format: RTF files of word processors."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, Edit, Segment, apply_edits, read_limited
from prism_core.formats.rtf.reader import read_paragraphs
from prism_core.formats.text import Loss, clean

_MOST_BYTES: Final = 100_000_000


class RtfFormat:
    """Reads all text of an RTF file; every byte that is no translated text stays.

    Letters beyond ASCII in a translation are written as ``\\u``. Deleted text of tracked changes,
    hidden text, instructions of fields, numbers of lists and signs of symbol fonts stay.
    """

    name = "rtf"

    def read(self, path: Path) -> Document:
        """The paragraphs of ``path`` in the order of the file. Raises ``DocumentError``."""
        paragraphs = read_paragraphs(read_limited(path, _MOST_BYTES))
        if not paragraphs:
            raise DocumentError(DocumentFailure.EMPTY)
        return Document(path, self.name, tuple(Segment(p.text, p.kind) for p in paragraphs))

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Rebuild the document at ``path``; the notices count what could not be kept.

        ``formatting-simplified:N`` changes of formatting inside paragraphs were given up,
        ``breaks-moved:N`` paragraphs came back with other tabs or line breaks.
        """
        content = read_limited(document.path, _MOST_BYTES)
        paragraphs = read_paragraphs(content)
        if [p.text for p in paragraphs] != [segment.text for segment in document.segments]:
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        edits: list[Edit] = []
        loss = Loss()
        for paragraph, translation in zip(paragraphs, translations, strict=True):
            if paragraph.text != translation.text:
                made, lost = paragraph.replace(clean(translation))
                edits += made
                loss += lost
        if edits:
            path.write_bytes(apply_edits(content, edits))
        else:
            shutil.copyfile(document.path, path)
        return loss.notices
