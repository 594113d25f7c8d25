"""A PDF as read: its paragraphs and properties, which are the segments of the document."""

from __future__ import annotations

import io
from dataclasses import dataclass

import pikepdf

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import DEFAULT_OPTIONS, FormatOptions, Segment, notices
from prism_core.formats.pdf.blocks import PdfBlock, blocks_of
from prism_core.formats.pdf.glyphs import Page, pages_of
from prism_core.formats.pdf.properties import properties_of, untranslated_drawings
from prism_core.formats.pdf.scans import ScanReading, read_scans
from prism_core.formats.pdf.triage import OpenedPdf

_SCAN_SHARE = 0.5
_SCAN_CHARACTERS = 20
_NOTHING_READ = "OCR found no text on its pages; a sharper scan may help."


@dataclass(frozen=True, slots=True)
class PageContent:
    """A page and its paragraphs; ``shown`` is what each operator shows (see ``Glyph.show``).

    ``chains`` are those of ``PageGlyphs``. ``reading`` is set where the page is a picture of text
    that OCR has read: then the blocks are its, and all that the page shows is part of the picture.
    """

    page: Page
    blocks: tuple[PdfBlock, ...]
    shown: dict[int, str]
    chains: dict[int, int]
    reading: ScanReading | None = None

    @property
    def is_scan(self) -> bool:
        """An image over half the page and hardly any text, which nobody has read."""
        characters = sum(map(len, self.shown.values()))
        is_picture = self.page.image_share > _SCAN_SHARE and characters < _SCAN_CHARACTERS
        return is_picture and self.reading is None


@dataclass(frozen=True, slots=True)
class PdfContent:
    """All that is read of a PDF. ``pages`` has None for a page that cannot be interpreted.

    The segments are the blocks of all pages in order, then the properties.
    """

    data: bytes
    pages: tuple[PageContent | None, ...]
    properties: tuple[Segment, ...]
    notices: tuple[str, ...]

    @property
    def blocks(self) -> list[PdfBlock]:
        """The paragraphs of all pages that say something, in order; bullets alone do not."""
        blocks = [block for page in self.pages if page for block in page.blocks]
        return [block for block in blocks if block.has_words]

    @property
    def segments(self) -> tuple[Segment, ...]:
        """What is translated: the blocks, then the properties."""
        return (*(Segment(block.text) for block in self.blocks), *self.properties)


def content_of(
    opened: OpenedPdf, options: FormatOptions = DEFAULT_OPTIONS, *, beside: bool = False
) -> PdfContent:
    """Read a PDF. Raises ``DocumentError`` when there is nothing to translate, or no way to.

    ``beside``: there is text beside its pages, so that these need not have any.
    """
    pages = tuple(
        PageContent(found.page, tuple(blocks_of(found)), found.text_by_show(), found.chains)
        if found
        else None
        for found in pages_of(opened.data)
    )
    if options.ocr:
        scans = [page.page for page in pages if page and page.is_scan]
        read = {
            reading.page.number: PageContent(reading.page, reading.blocks, {}, {}, reading)
            for reading in read_scans(opened.data, scans, options.source)
        }
        pages = tuple(page and read.get(page.page.number, page) for page in pages)
    with pikepdf.open(io.BytesIO(opened.data)) as pdf:
        found = properties_of(pdf)
        drawings = untranslated_drawings(pdf)
    content = PdfContent(
        data=opened.data,
        pages=pages,
        properties=tuple(Segment(item.text, item.kind) for item in found),
        notices=_notices(opened, pages, drawings),
    )
    if not content.blocks and not beside and not any(item.counts for item in found):
        failure = DocumentFailure.EMPTY if any(pages) else DocumentFailure.CORRUPT
        if any(page.is_scan for page in pages if page):
            failure = DocumentFailure.SCAN
        unread = options.ocr and failure is DocumentFailure.SCAN
        raise DocumentError(failure, _NOTHING_READ if unread else None)
    return content


def _notices(
    opened: OpenedPdf, pages: tuple[PageContent | None, ...], drawings: int
) -> tuple[str, ...]:
    read = [page for page in pages if page]
    counted = {
        "scan-pages": sum(page.is_scan for page in read),
        "unreadable-pages": len(pages) - len(read),
        "ocr-pages": sum(
            page.page.image_share > _SCAN_SHARE
            and any(block.style.invisible for block in page.blocks)
            for page in read
        ),
        "pages-read-by-ocr": sum(page.reading is not None for page in read),
        "ocr-lines-unread": sum(page.reading.unread for page in read if page.reading),
        "annotation-text-untranslated": drawings,
    }
    return (*opened.notices, *notices(counted))
