"""Read a PDF into paragraphs, properties and attached files: the segments to translate.

Entry: `read_content`; attached files are read and rebuilt by their own format.
"""

from __future__ import annotations

import io
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import pikepdf
from pikepdf import Name

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import (
    Document,
    DocumentFormat,
    FormatOptions,
    Formats,
    Segment,
    changed_parts,
    notices,
)
from prism_core.formats.pdf.block import PdfBlock
from prism_core.formats.pdf.blocks import find_blocks, load_line_ends
from prism_core.formats.pdf.chains import (
    Chain,
    chain_blocks,
    find_looks,
    join_chain,
    split_styles,
    split_translation,
)
from prism_core.formats.pdf.glyphs import Page
from prism_core.formats.pdf.interpreter import interpret_pages
from prism_core.formats.pdf.libraries import ONLY_PAGES, as_dictionary, drop, save_to_bytes
from prism_core.formats.pdf.properties import (
    count_untranslated_drawings,
    find_properties,
    list_annotations,
)
from prism_core.formats.pdf.scans import ScanReading, read_scans
from prism_core.formats.pdf.style import Run
from prism_core.formats.pdf.visual_check import cross_check_pages

_DEEPEST: Final = 5
"""Limit of nesting for documents attached to attached documents."""
_MOST_ATTACHED: Final = 1_000
_SCAN_SHARE = 0.5
_SCAN_CHARACTERS = 20
_ADVICE: Final = {
    (True, DocumentFailure.SCAN): "OCR found no text on its pages; a sharper scan may help.",
    (False, DocumentFailure.EMPTY): (
        "It has no text but pictures; if they show words, switch OCR on (--ocr)."
    ),
}
"""Advice about pages without text on which something is drawn, by whether OCR is on."""


@dataclass(frozen=True, slots=True)
class Attached:
    """Attached file that has text; ``number`` is its index among all attachments."""

    number: int
    document: Document
    format: DocumentFormat

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Texts of the file in order."""
        return self.document.segments


@dataclass(frozen=True, slots=True)
class Attachments:
    """Translatable files attached to a PDF, notices about the others, and the count of all."""

    files: tuple[Attached, ...]
    notices: tuple[str, ...]
    count: int

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Texts of all files."""
        return tuple(segment for file in self.files for segment in file.segments)


NO_ATTACHMENTS: Final = Attachments((), (), 0)


def read_attachments(pdf: pikepdf.Pdf, formats: Formats, folder: Path) -> Attachments:
    """Read files attached to ``pdf`` from copies in ``folder``; files of other output stay."""
    files: list[Attached] = []
    notices: list[str] = []
    streams = _list_embedded_streams(pdf)
    for number, stream in enumerate(streams):
        path = folder / f"attachment{number}"
        path.write_bytes(stream.read_bytes())
        try:
            if formats.options.depth >= _DEEPEST or number >= _MOST_ATTACHED:
                raise DocumentError(DocumentFailure.TOO_LARGE)
            name = formats.detect(path)
            if formats.output_type(name).suffix:
                raise DocumentError(DocumentFailure.UNSUPPORTED)
            found = formats.get(name)
            files.append(Attached(number, found.read(path), found))
            notices += files[-1].document.notices
        except DocumentError as error:
            notices.append(f"attachment:{error.failure.value}")
    return Attachments(tuple(files), tuple(notices), len(streams))


def rewrite_attachments(
    data: bytes, attachments: Attachments, translations: Sequence[Translation]
) -> tuple[bytes, tuple[str, ...]]:
    """Write ``translations`` into the attachments; a file that cannot be rebuilt stays."""
    rebuilt: dict[int, bytes] = {}
    notices: list[str] = []
    for file, file_translations in changed_parts(attachments.files, translations):
        path = file.document.path.with_name(f"rebuilt{file.number}")
        try:
            notices += file.format.write(file.document, file_translations, path)
            rebuilt[file.number] = path.read_bytes()
        except DocumentError as error:
            notices.append(f"attachment:{error.failure.value}")
    if not rebuilt:
        return data, tuple(notices)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        streams = _list_embedded_streams(pdf)
        for number, content in rebuilt.items():
            streams[number].write(content)
            parameters = streams[number].get(Name.Params)
            if isinstance(parameters, pikepdf.Dictionary):
                parameters[Name.Size] = len(content)
                drop(parameters, Name.CheckSum)
        return save_to_bytes(pdf), tuple(notices)


def _list_embedded_streams(pdf: pikepdf.Pdf) -> list[pikepdf.Stream]:
    """Return the content of each file that the document or a page embeds, once, in order."""
    specifications: list[object] = [pdf.attachments[name].obj for name in sorted(pdf.attachments)]
    for page in pdf.pages:
        specifications += [note.get(Name.FS) for note in list_annotations(page)]
    found: dict[tuple[int, int], pikepdf.Stream] = {}
    for specification in specifications:
        embedded = as_dictionary(specification).get(Name.EF)
        for key in (Name.UF, Name.F):
            stream = as_dictionary(embedded).get(key)
            if isinstance(stream, pikepdf.Stream):
                found.setdefault(stream.objgen, stream)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class PageContent:
    """Page and its paragraphs; ``shown`` is the text that each operator shows (see ``Glyph.show``).

    ``chains`` are those of ``PageGlyphs``. ``reading`` is set where the page is a picture of text
    that OCR has read: the blocks then come from OCR, and everything that the page shows is part of
    the picture.
    """

    page: Page
    blocks: tuple[PdfBlock, ...]
    shown: dict[int, str]
    chains: dict[int, int]
    reading: ScanReading | None = None
    unread: int = 0
    """Number of its words that a second library reads and this package does not."""

    @property
    def is_scan(self) -> bool:
        """True for an image over half the page with hardly any text, which OCR has not read."""
        return self.page.image_share > _SCAN_SHARE and self.needs_ocr

    @property
    def needs_ocr(self) -> bool:
        """True if the page has hardly any text, no OCR reading, and some drawing, however small."""
        characters = sum(map(len, self.shown.values()))
        drawn = bool(self.page.images or self.page.drawings)
        return drawn and characters < _SCAN_CHARACTERS and self.reading is None

    def without(self, left: Collection[PdfBlock]) -> PageContent:
        """Return the page with the blocks ``left`` as a part of its pictures."""
        gone = [block for block in self.blocks if block in left]
        if self.reading is None or not gone:
            return self
        images = [*self.page.images, *self.reading.find_ink(gone)]
        blocks = tuple(block for block in self.blocks if block not in left)
        return replace(self, page=replace(self.page, images=images), blocks=blocks)


@dataclass(frozen=True, slots=True)
class PdfContent:
    """Everything that is read from a PDF; ``pages`` has None where a page cannot be interpreted."""

    data: bytes
    pages: tuple[PageContent | None, ...]
    properties: tuple[Segment, ...]
    attached: Attachments
    notices: tuple[str, ...]
    chains: tuple[Chain, ...] = ()
    """Paragraphs of all pages; each is a segment."""
    keeps_hyphen: frozenset[str] = frozenset()

    @property
    def blocks(self) -> list[PdfBlock]:
        """Blocks of all pages that have words, in order; bullets alone are left out."""
        blocks = [block for page in self.pages if page for block in page.blocks]
        return [block for block in blocks if block.has_words]

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Paragraphs of all pages in order, then properties, then texts of attached files."""
        paragraphs = (
            Segment(
                join_chain(chain, self.keeps_hyphen), looks=find_looks(chain, self.keeps_hyphen)
            )
            for chain in self.chains
        )
        return (*paragraphs, *self.properties, *self.attached.segments)

    def split_texts(self, texts: Sequence[str]) -> list[str]:
        """Split ``texts`` of the chains by block; a text that is unchanged stays as it is."""
        new: dict[PdfBlock, str] = {}
        for chain, text in zip(self.chains, texts, strict=True):
            unchanged = text == join_chain(chain, self.keeps_hyphen)
            parts = [block.text for block in chain] if unchanged else split_translation(text, chain)
            new.update(zip(chain, parts, strict=True))
        return [new[block] for block in self.blocks]

    def leave_unread(self, texts: Sequence[str]) -> tuple[PdfContent, list[str]]:
        """Leave what OCR could hardly read to the pictures; return the rest and its texts."""
        blocks = self.blocks
        left = {
            block
            for page in self.pages
            if page and page.reading
            for block in page.blocks
            if block.shows & page.reading.unread
        }
        left -= {b for b, text in zip(blocks, texts, strict=False) if text != b.text}
        kept = [text for b, text in zip(blocks, texts, strict=False) if b not in left]
        pages = tuple(page and page.without(left) for page in self.pages)
        return replace(self, pages=pages), [*kept, *texts[len(blocks) :]]

    def split_looks(
        self, translations: Iterable[Translation]
    ) -> tuple[dict[PdfBlock, list[Run]], int]:
        """Map blocks with several styles to their styled translation, and count the styles lost."""
        looks: dict[PdfBlock, list[Run]] = {}
        lost = 0
        for chain, translation in zip(self.chains, translations, strict=True):
            if len({look for block in chain for _, look in block.runs}) > 1:
                parts, missing = split_styles(translation, chain, self.keeps_hyphen)
                looks.update(zip(chain, parts, strict=True))
                lost += missing
        return looks, lost


def read_content(
    pdf: pikepdf.Pdf,
    data: bytes,
    earlier_notices: Sequence[str],
    attached: Attachments,
    options: FormatOptions,
) -> PdfContent:
    """Read ``pdf``, opened from ``data``; raise ``DocumentError`` if nothing can be translated."""
    line_ends = load_line_ends(options.source)
    pages = tuple(
        PageContent(
            page=glyphs.page,
            blocks=tuple(find_blocks(glyphs, line_ends)),
            shown=shown,
            chains=glyphs.chains,
            unread=unread,
        )
        if glyphs
        else None
        for glyphs, shown, unread in cross_check_pages(data, interpret_pages(data))
    )
    if options.ocr:
        scans = [page.page for page in pages if page and page.needs_ocr]
        read = {
            reading.page.number: PageContent(reading.page, reading.blocks, {}, {}, reading)
            for reading in read_scans(data, scans, options.source)
        }
        pages = tuple(page and read.get(page.page.number, page) for page in pages)
    found = find_properties(pdf)
    drawings = count_untranslated_drawings(pdf)
    content = PdfContent(
        data=data,
        pages=pages,
        properties=tuple(Segment(item.text, item.kind) for item in found),
        attached=attached,
        notices=(*earlier_notices, *_count_problems(pages, drawings), *attached.notices),
        chains=tuple(chain_blocks((page.page.height, page.blocks) for page in pages if page)),
        keeps_hyphen=frozenset(line_ends.keeps_hyphen),
    )
    has_other_text = attached.segments or any(item.counts for item in found)
    if not content.blocks and not has_other_text:
        whole = any(pages) and ONLY_PAGES not in earlier_notices
        failure = DocumentFailure.EMPTY if whole else DocumentFailure.CORRUPT
        if any(page.is_scan for page in pages if page):
            failure = DocumentFailure.SCAN
        drawn = failure is not DocumentFailure.CORRUPT and any(p.needs_ocr for p in pages if p)
        raise DocumentError(failure, _ADVICE.get((options.ocr, failure)) if drawn else None)
    return content


def _count_problems(pages: Sequence[PageContent | None], drawings: int) -> tuple[str, ...]:
    """Return notices that count the pages and texts which could not be read normally."""
    read = [page for page in pages if page]
    counted = {
        "scan-pages": sum(page.is_scan for page in read),
        "unreadable-pages": len(pages) - len(read),
        "words-unread": sum(page.unread for page in read),
        "letters-apart": sum(block.has_letters_apart for page in read for block in page.blocks),
        "ocr-pages": sum(
            page.page.image_share > _SCAN_SHARE
            and any(block.style.invisible for block in page.blocks)
            for page in read
        ),
        "pages-read-by-ocr": sum(page.reading is not None for page in read),
        "ocr-lines-unread": sum(len(page.reading.unread) for page in read if page.reading),
        "annotation-text-untranslated": drawings,
    }
    return notices(counted)
