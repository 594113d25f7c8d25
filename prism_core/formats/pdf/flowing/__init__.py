"""Convert a PDF to a flowing document: the content of its pages, in order, as a Word file.

Entry: `flow_document`; then `_collect_pages` -> `read_extras` (notes, links, values) ->
`find_running_lines` -> `extract_pictures` -> `_build_body` (tables, paragraphs) ->
`write_word_file`.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import replace

import pikepdf

from prism_core.formats.base import DEFAULT_OPTIONS, FormatOptions, notices
from prism_core.formats.pdf.content import PageContent, PdfContent
from prism_core.formats.pdf.flowing.docx_writer import write_word_file
from prism_core.formats.pdf.flowing.flow_model import (
    Element,
    Flow,
    FlowBlock,
    FlowItem,
    FlowSheet,
    FlowTable,
    Picture,
    find_place,
    is_right_of_on_row,
    sort_for_reading,
)
from prism_core.formats.pdf.flowing.page_extras import (
    PageExtras,
    attach_links,
    attach_notes,
    extract_pictures,
    read_extras,
)
from prism_core.formats.pdf.flowing.paragraphs import (
    Measures,
    build_paragraph,
    find_running_lines,
    find_text_area,
    has_columns,
    measure_document,
    rejoin_paragraphs,
)
from prism_core.formats.pdf.flowing.table_detection import find_grids, find_tables
from prism_core.formats.pdf.geometry import Box, bounding_box
from prism_core.formats.pdf.libraries import open_pdfium_document

__all__ = ["flow_document"]

_A4 = (595.3, 841.9)
_LEAST_SHEET, _LARGEST_SHEET = 100.0, 1_580.0
"""Limits of the page size in Word, in points."""
_LEAST_MARGIN, _WIDEST_MARGIN = 36.0, 108.0
_Pages = list[tuple[PageContent, list[FlowBlock]]]


def flow_document(
    content: PdfContent, texts: Sequence[str], options: FormatOptions = DEFAULT_OPTIONS
) -> tuple[bytes, tuple[str, ...]]:
    """Write a DOCX with ``texts`` for the segments; return it with notices of missing content.

    It has every segment of the pages once and in order, with these exceptions. Running lines stand
    in the header and footer. A table reads row by row. Text that was drawn late stands before the
    text below it. A note at the foot of a page follows the paragraph that the page cut. The file is
    set as the target language of ``options`` is written.
    """
    content, texts = content.leave_unread(texts)
    pages = _collect_pages(content, texts)
    with pikepdf.open(io.BytesIO(content.data)) as pdf:
        around_text = read_extras(pdf, content.pages, texts[len(content.blocks) :])
    lost_links = _attach_extras(content.data, pages, around_text)
    running = find_running_lines(pages)
    pictures, lost_pictures = extract_pictures(content, around_text.drawn)
    flow = Flow(
        _build_sheet(pages, running.block_ids), around_text.facts, title_page=running.title_page
    )
    flow.header, flow.footer = list(running.header), list(running.footer)
    pages = [
        (page, [p for p in blocks if id(p) not in running.block_ids]) for page, blocks in pages
    ]
    flow.body = _build_body(content, pages, pictures, flow.sheet)
    left_out = {
        "pictures-left-out": lost_pictures,
        "links-left-out": lost_links,
        "page-marks-left-out": running.left_out,
        "properties-left-out": around_text.left_out,
    }
    return write_word_file(flow, options), notices(left_out)


def _collect_pages(content: PdfContent, texts: Sequence[str]) -> _Pages:
    """Return the readable pages with their blocks; blocks without words keep their text.

    Leaders and their figure are part of the block of their entry.
    """
    remaining_texts = iter(texts)
    pages: _Pages = []
    for page in filter(None, content.pages):
        blocks: list[FlowBlock] = []
        entries: dict[int | None, int] = {}
        for source in page.blocks:
            if source.is_leaders and source.first in entries:
                entry = blocks[entries[source.first]]
                blocks[entries[source.first]] = replace(
                    entry,
                    source=f"{entry.source} {source.text}",
                    text=f"{entry.text} {source.text}",
                    box=bounding_box((entry.box, source.box)),
                )
                continue
            entries[source.leaders] = len(blocks)
            text = next(remaining_texts) if source.has_words else source.text
            place = (source.page, source.box, source.size, source.style, source.align, source.angle)
            blocks.append(FlowBlock(source.text, text, *place, lines=len(source.lines)))
        pages.append((page, blocks))
    return pages


def _attach_extras(data: bytes, pages: _Pages, found: PageExtras) -> int:
    """Attach values, notes and links to the blocks of their pages; return the links lost."""
    lost = 0
    with open_pdfium_document(data) as document:
        for page, blocks in pages:
            number = page.page.number
            for value in sorted(found.values[number], key=lambda v: (-v.box.y1, v.box.x0)):
                blocks.insert(find_place(blocks, value.box), value)
            attach_notes(blocks, found.notes[number], number)
            if found.links[number]:
                words = document[number - 1].get_textpage()
                lost += attach_links(blocks, found.links[number], words)
                words.close()
    return lost


def _build_sheet(pages: _Pages, running: frozenset[int]) -> FlowSheet:
    """Return the size of the first page, with margins around its text."""
    if not pages:
        return FlowSheet(*_A4, 72, 72, 72, 72)
    page = pages[0][0].page
    boxes = [
        p.box for _, blocks in pages[:5] for p in blocks if not p.angle and id(p) not in running
    ]
    text = bounding_box(boxes) if boxes else Box(72, 72, page.width - 72, page.height - 72)
    scale = min(1.0, _LARGEST_SHEET / max(page.width, page.height, 1.0))
    width, height = max(page.width * scale, _LEAST_SHEET), max(page.height * scale, _LEAST_SHEET)
    return FlowSheet(
        width=width,
        height=height,
        left=_clamp_margin(text.x0, width),
        right=_clamp_margin(page.width - text.x1, width),
        top=_clamp_margin(page.height - text.y1, height),
        bottom=_clamp_margin(text.y0, height),
    )


def _clamp_margin(found: float, size: float) -> float:
    return min(max(found, _LEAST_MARGIN), _WIDEST_MARGIN, 0.3 * size)


def _build_body(
    content: PdfContent, pages: _Pages, pictures: dict[int, list[Picture]], sheet: FlowSheet
) -> list[Element]:
    measures = measure_document([block for _, blocks in pages for block in blocks])
    read = {page.page.number: (page, blocks) for page, blocks in pages}
    elements: list[Element] = []
    for number in range(1, len(content.pages) + 1):
        drawn = pictures.get(number, [])
        if number in read:
            elements += _build_page_elements(*read[number], drawn, sheet, measures)
        else:
            elements += drawn
    return rejoin_paragraphs(elements)


def _build_page_elements(
    page: PageContent,
    blocks: Sequence[FlowBlock],
    pictures: Sequence[Picture],
    sheet: FlowSheet,
    measures: Measures,
) -> Iterator[Element]:
    items: list[FlowItem] = list(sort_for_reading(blocks))
    for picture in pictures:
        items.insert(find_place(items, picture.box), picture)
    area, tall = find_text_area(blocks, sheet), has_columns(blocks)
    above: Box | None = None
    for part in find_tables(items, find_grids(page.page.rules)):
        if isinstance(part, FlowTable | Picture):
            yield part
            above = part.box if isinstance(part, Picture) else None
            continue
        if isinstance(part, FlowBlock):  # else a row: the number of an item, and its text
            members = [part]
            columns = tall or any(is_right_of_on_row(each, part) for each in blocks)
        else:
            members = [item for item in part.items if isinstance(item, FlowBlock)]
            columns = tall
        space = above.y0 - max(block.box.y1 for block in members) if above else 0.0
        yield build_paragraph(members, area, columns, measures, space)
        above = members[-1].box
