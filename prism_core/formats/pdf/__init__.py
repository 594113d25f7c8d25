"""PDF: paragraphs from the pages, and a rebuilt document that keeps their layout."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document
from prism_core.formats.pdf.content import content_of
from prism_core.formats.pdf.foreign_errors import reported_as
from prism_core.formats.pdf.rebuild import rebuilt
from prism_core.formats.pdf.silence import silent_libraries

__all__ = ["PdfFormat"]


class PdfFormat:
    """Reads and rebuilds PDF files; see ``DocumentFormat``."""

    name = "pdf"

    def read(self, path: Path) -> Document:
        """The paragraphs of all pages in order, then title, bookmarks, notes and form values."""
        with silent_libraries(), reported_as(DocumentFailure.CORRUPT):
            content = content_of(path)
        return Document(path, self.name, content.segments, content.notices)

    def write(self, document: Document, translations: Sequence[str], path: Path) -> tuple[str, ...]:
        """Write ``document`` with ``translations`` in the place of its segments.

        Pages, images, graphics and links stay. Raises ``DocumentError`` (UNREBUILDABLE) when the
        file no longer has the segments of ``document``.
        """
        with silent_libraries(), reported_as(DocumentFailure.UNREBUILDABLE):
            content = content_of(document.path)
            if content.segments != document.segments or len(translations) != len(content.segments):
                raise DocumentError(DocumentFailure.UNREBUILDABLE)
            data, notices = rebuilt(content, translations)
        path.write_bytes(data)
        return notices
