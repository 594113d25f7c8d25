"""Extract everything visible that is not text of the page: pictures, form values, notes, links.

Entry: `extract_pictures`; then `_find_regions` of each page -> `_remove_text` -> `_render_regions`.
`read_extras` finds the rest; `attach_notes` and `attach_links` attach it to the blocks.
"""

from __future__ import annotations

import io
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

import pikepdf
import pypdfium2
from pikepdf import Name

from prism_core.formats.pdf.content import PageContent, PdfContent
from prism_core.formats.pdf.flowing.flow_model import Facts, FlowBlock, FlowLink, Picture
from prism_core.formats.pdf.geometry import Box, bounding_box, transform
from prism_core.formats.pdf.libraries import (
    MALFORMED,
    as_dictionary,
    find_inherited,
    open_pdfium_document,
    save_to_bytes,
    walk_ancestors,
)
from prism_core.formats.pdf.properties import find_properties, list_annotations
from prism_core.formats.pdf.scan_pictures import repaint
from prism_core.formats.pdf.strip import Stripper
from prism_core.formats.pdf.style import Style

_SMALLEST = 10.0
_SMALLEST_DRAWING = 30.0
"""Least side of a drawing in points: smaller ones are ornaments or bullets."""
_MOST_LABELS = 300
_DENSEST = 200 / 72
_MOST_PIXELS = 1_600
_MOST_PICTURES = 1_000
_MOST_BYTES = 60_000_000
_NEAR = 2.0
_FEW_COLOURS = 256
_WHITE = (255, 255, 255)
_BACKGROUND = 0.5
_MOST_BOXES = 400


def extract_pictures(
    content: PdfContent, drawn: Mapping[int, Sequence[Box]]
) -> tuple[dict[int, list[Picture]], int]:
    """Extract the pictures by page number, and count those that could not be taken out.

    ``drawn`` has the boxes of stamps and of drawings by hand, by page. A page that cannot be read
    is one picture. A picture that repeats on several pages at the same place, such as the logo of a
    firm, is extracted once; thin lines and empty areas are not counted.
    """
    wanted = {
        number: list(_find_regions(page, drawn.get(number, ())))
        for number, page in enumerate(content.pages, start=1)
    }
    wanted = {number: regions for number, regions in wanted.items() if regions}
    left_out = sum(_is_background(page) for page in content.pages if page)
    found: dict[int, list[Picture]] = {}
    if not wanted:
        return found, left_out
    data, failed = _remove_text(content, wanted)
    left_out += sum(len(wanted.pop(number)) for number in failed)
    seen: set[tuple[bytes, Box]] = set()
    budget, count = _MOST_BYTES, 0
    for number, box, file in _render_regions(data, wanted):
        if file == b"":
            continue
        if file is None or count >= _MOST_PICTURES or len(file) > budget:
            left_out += 1
            continue
        key = (file, Box(*(round(edge) for edge in box)))
        if key not in seen:
            seen.add(key)
            budget, count = budget - len(file), count + 1
            found.setdefault(number, []).append(Picture(file, number, box))
    return found, left_out


def _find_regions(page: PageContent | None, drawn: Sequence[Box]) -> Iterator[Box]:
    if page is None:
        yield Box(0, 0, 0, 0)  # stands for the whole page
        return
    whole = Box(0, 0, page.page.width, page.page.height)
    if _is_background(page):
        yield from _merge_touching(_clip_to_page(drawn, whole))
        return
    drawings = _merge_touching(_clip_to_page(page.page.drawings, whole))
    big = [box for box in drawings if min(box.width, box.height) >= _SMALLEST_DRAWING]
    shown = []
    for box in big:  # a drawing has a few labels; one with more text is a frame
        held = [block for block in page.blocks if not block.angle and box.holds(*block.box.middle)]
        if sum(len(block.text) for block in held) <= _MOST_LABELS:
            shown.append(box)
    for box in _merge_touching([*_clip_to_page([*page.page.images, *drawn], whole), *shown]):
        if box.width >= _SMALLEST and box.height >= _SMALLEST:
            yield box


def _clip_to_page(boxes: Sequence[Box], whole: Box) -> list[Box]:
    if len(boxes) > _MOST_BOXES:
        boxes = [bounding_box(boxes)]
    clipped = [box.clip(whole) for box in boxes]
    return [box for box in clipped if box.width > 0 and box.height > 0]


def _is_background(page: PageContent) -> bool:
    """Return True if an image lies under the text of the page: paper, or a scan of that text."""
    return bool(page.blocks) and page.page.image_share > _BACKGROUND and not page.is_scan


def _merge_touching(boxes: Sequence[Box]) -> list[Box]:
    """Merge boxes that touch: programs cut pictures into strips."""
    result: list[Box] = []
    for box in boxes:
        grown = box
        while True:
            touching = [other for other in result if other.touches(grown, _NEAR)]
            if not touching:
                break
            result = [other for other in result if other not in touching]
            grown = bounding_box([grown, *touching])
        result.append(grown)
    return result


def _remove_text(content: PdfContent, numbers: Iterable[int]) -> tuple[bytes, list[int]]:
    """Remove the text of these pages; return the document, and the pages where that failed.

    On a page that OCR has read only the words that it read go, and all else stays.
    """
    failed = []
    pages = {number: content.pages[number - 1] for number in numbers}
    read = {
        number: (page.page.ctm, page.reading.find_ink(page.blocks))
        for number, page in pages.items()
        if page and page.reading
    }
    with pikepdf.open(io.BytesIO(content.data)) as pdf:
        repaint(pdf, content.data, read)
        stripper = Stripper(pdf)
        for number in pages:
            page = pdf.pages[number - 1]
            page.obj[Name.CropBox] = page.mediabox  # boxes are relative to its corner
            kept = [
                annotation for annotation in list_annotations(page) if is_drawn_by_hand(annotation)
            ]
            page.obj[Name.Annots] = pikepdf.Array(kept)
            if pages[number] is None or number in read:
                continue
            try:
                stripper.strip(page, ())
            except MALFORMED:
                failed.append(number)
        return save_to_bytes(pdf), failed


def _render_regions(
    data: bytes, wanted: dict[int, list[Box]]
) -> Iterator[tuple[int, Box, bytes | None]]:
    """Yield the picture file of each region, by page; see ``_render``."""
    with open_pdfium_document(data) as document:
        for number, boxes in wanted.items():
            page = document[number - 1]
            whole = Box(0, 0, *page.get_size())
            for box in boxes:
                region = box if box.width else whole
                yield number, region, _render(page, region, whole)
            page.close()


def _render(page: pypdfium2.PdfPage, box: Box, whole: Box) -> bytes | None:
    """Render a PNG for drawings, a JPEG for photographs, b"" for white paper; None if it fails."""
    scale = min(_DENSEST, _MOST_PIXELS / max(box.width, box.height, 1.0))
    crop = (box.x0, box.y0, max(whole.x1 - box.x1, 0.0), max(whole.y1 - box.y1, 0.0))
    try:
        bitmap = page.render(scale=scale, crop=crop, may_draw_forms=False, draw_annots=True)
    except (pypdfium2.PdfiumError, ValueError):
        return None
    image = bitmap.to_pil().convert("RGB")
    colours = image.getcolors(_FEW_COLOURS)
    if colours is not None and len(colours) == 1 and colours[0][1] == _WHITE:
        return b""
    buffer = io.BytesIO()
    if colours is None:
        image.save(buffer, "JPEG", quality=85)
    else:
        image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()


_ADDRESS = re.compile(r"(https?://|mailto:)[^\s<>\"{}|\\^`]{1,2000}", re.IGNORECASE)
_LARGEST = 11.0
_HIDDEN = 2


@dataclass(slots=True)
class PageExtras:
    """Visible content beside the text, by page.

    ``values`` are blocks; ``notes`` and ``links`` have their boxes; ``drawn`` are the boxes of
    stamps and of drawings by hand.

    ``left_out`` counts texts that a flowing document has no place for: bookmarks, names of layers,
    and tooltips of fields and links.
    """

    facts: Facts = field(default_factory=Facts)
    values: dict[int, list[FlowBlock]] = field(default_factory=lambda: defaultdict(list))
    notes: dict[int, list[tuple[Box, str]]] = field(default_factory=lambda: defaultdict(list))
    links: dict[int, list[tuple[Box, str]]] = field(default_factory=lambda: defaultdict(list))
    drawn: dict[int, list[Box]] = field(default_factory=lambda: defaultdict(list))
    left_out: int = 0


def read_extras(
    pdf: pikepdf.Pdf, pages: Sequence[PageContent | None], texts: Sequence[str]
) -> PageExtras:
    """Read everything beside the text of the pages, with ``texts`` for the properties."""
    found = PageExtras()
    spots = _locate_annotations(pdf, pages)
    info = pdf.trailer.get(Name.Info)
    for item, text in zip(find_properties(pdf), texts, strict=True):
        page, box = spots.get(item.holder.objgen, (0, None))
        if isinstance(info, pikepdf.Dictionary) and item.holder.objgen == info.objgen != (0, 0):
            found.facts = replace(found.facts, **{str(item.key)[1:].lower(): text})
        elif box is None or item.key not in (Name.Contents, Name.V):
            found.left_out += 1
        elif item.key == Name.V or item.holder.get(Name.Subtype) == Name.FreeText:
            found.values[page].append(_make_value(item.text, text, page, box))
        elif item.holder.get(Name.Subtype) in (Name.Link, Name.Widget):
            found.left_out += 1
        else:
            found.notes[page].append((box, text))
    seen: set[tuple[int, int]] = set()
    for page, annotation, box in _iterate_annotations(pdf, pages):
        if is_drawn_by_hand(annotation):
            found.drawn[page].append(box)
        uri = as_dictionary(annotation.get(Name.A)).get(Name.URI)
        is_link = annotation.get(Name.Subtype) == Name.Link and isinstance(uri, pikepdf.String)
        if is_link and _ADDRESS.fullmatch(str(uri)):  # to the web or to a mailbox
            found.links[page].append((box, str(uri)))
        mark = _read_widget_mark(annotation)
        if mark and annotation.objgen not in seen:
            seen.add(annotation.objgen)
            found.values[page].append(_make_value(mark, mark, page, box))
    return found


def _make_value(source: str, text: str, page: int, box: Box) -> FlowBlock:
    rows = source.count("\n") + 1
    size = min(max(box.height / rows * 0.75, 6.0), _LARGEST)
    return FlowBlock(source, text, page, box, size, Style())


def _iterate_annotations(
    pdf: pikepdf.Pdf, pages: Sequence[PageContent | None]
) -> Iterator[tuple[int, pikepdf.Object, Box]]:
    for page, content in zip(pdf.pages, pages, strict=False):
        if content is None:
            continue
        for annotation in list_annotations(page):
            corners = annotation.get(Name.Rect)
            if isinstance(corners, pikepdf.Array) and len(corners) == 4:
                x0, y0, x1, y1 = (float(value) for value in corners.as_list())
                box = transform(Box(x0, y0, x1, y1), content.page.ctm)
                yield content.page.number, annotation, box


def _locate_annotations(
    pdf: pikepdf.Pdf, pages: Sequence[PageContent | None]
) -> dict[tuple[int, int], tuple[int, Box]]:
    """Map annotations, and the fields that they show, by object number to page and box.

    The first page wins.
    """
    found: dict[tuple[int, int], tuple[int, Box]] = {}
    for page, annotation, box in _iterate_annotations(pdf, pages):
        for node in walk_ancestors(annotation):
            found.setdefault(node.objgen, (page, box))
            if Name.FT in node and node is not annotation:
                break
    found.pop((0, 0), None)
    return found


def is_drawn_by_hand(annotation: pikepdf.Object) -> bool:
    """Return True if it is a stamp, or drawn by hand, as many signatures are."""
    hidden = int(annotation.get(Name.F, 0)) & _HIDDEN
    return annotation.get(Name.Subtype) in (Name.Stamp, Name.Ink) and not hidden


def _read_widget_mark(widget: pikepdf.Object) -> str:
    """Return a box, ticked or empty, for a check box or radio button, or the choice of a list.

    The choice of a list is not translated.
    """
    if widget.get(Name.Subtype) != Name.Widget:
        return ""
    kind = find_inherited(widget, Name.FT)
    if kind == Name.Ch:
        value = find_inherited(widget, Name.V)
        return str(value).strip() if isinstance(value, pikepdf.String) else ""
    pushed = int(find_inherited(widget, Name.Ff) or 0) & 1 << 16
    if kind != Name.Btn or pushed:
        return ""
    return "\u2610" if widget.get(Name.AS, Name.Off) == Name.Off else "\u2612"


def attach_notes(blocks: list[FlowBlock], notes: Sequence[tuple[Box, str]], page: int) -> None:
    """Attach each note to the block nearest to it; on an empty page they become the text."""
    if not blocks:
        blocks += [_make_value(text, text, page, box) for box, text in notes]
        return
    for box, text in notes:
        distances = [box.distance(block.box) for block in blocks]
        nearest = distances.index(min(distances))
        blocks[nearest] = replace(blocks[nearest], notes=(*blocks[nearest].notes, text))


def attach_links(
    blocks: list[FlowBlock], links: Sequence[tuple[Box, str]], words: pypdfium2.PdfTextPage
) -> int:
    """Attach each link to the words under it; return how many links find no words.

    The translation must have the words once. A link that covers a whole block goes to all of it.
    """
    lost = 0
    for box, address in links:
        covered_words = " ".join(words.get_text_bounded(*box).split()).strip(",;()")
        candidates = [text for text in (covered_words, address, address.partition(":")[2]) if text]
        linked = False
        for index, block in enumerate(blocks):
            if block.angle or not block.box.holds(*box.middle):
                continue
            linked_words = next((text for text in candidates if block.text.count(text) == 1), "")
            if linked_words or (block.lines <= 1 and box.width >= 0.85 * block.box.width):
                link = FlowLink("" if linked_words == block.text else linked_words, address)
                blocks[index] = replace(block, links=(*block.links, link))
                linked = True
        lost += not linked
    return lost
