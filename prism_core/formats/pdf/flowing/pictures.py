"""Pictures of the pages: what is drawn where images and drawings are, without the text.

entry: `pictures_of`; then `_find_regions` of each page -> `_remove_text` -> `_render_regions` ->
`_encode`.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pikepdf
import pypdfium2
from pikepdf import Name
from PIL.Image import Image

from prism_core.formats.pdf.content import PageContent, PdfContent
from prism_core.formats.pdf.flowing.beside import is_drawn
from prism_core.formats.pdf.flowing.items import Picture
from prism_core.formats.pdf.geometry import Box, bounding_box
from prism_core.formats.pdf.libraries import MALFORMED, pdfium_document
from prism_core.formats.pdf.properties import well_formed_annotations
from prism_core.formats.pdf.scan_pictures import Repainting, repaint
from prism_core.formats.pdf.strip import Stripper
from prism_core.formats.pdf.triage import save_to_bytes

_SMALLEST = 10.0
_SMALLEST_DRAWING = 30.0
"""What is smaller is an ornament or the sign of an item."""
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


def pictures_of(
    content: PdfContent, drawn: Mapping[int, Sequence[Box]]
) -> tuple[dict[int, list[Picture]], int]:
    """The pictures by page number, and how many could not be taken out.

    ``drawn`` are the places of stamps and of what was drawn by hand, by page. A page that cannot
    be read is one picture. What repeats on several pages at the same place,
    such as the sign of a firm, is there once; thin lines and empty areas are not counted.
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
    for number, box, image in _render_regions(data, wanted):
        file = None if image is None else _encode(image)
        if image is not None and file is None:
            continue  # nothing but paper
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
        yield from (box for box in _unite(_clip_all(drawn, whole)) if box.width and box.height)
        return
    drawings = _unite(_clip_all(page.page.drawings, whole))
    big = [box for box in drawings if min(box.width, box.height) >= _SMALLEST_DRAWING]
    shown = [box for box in big if not _is_frame(box, page)]
    for box in _unite([*_clip_all([*page.page.images, *drawn], whole), *shown]):
        if box.width >= _SMALLEST and box.height >= _SMALLEST:
            yield box


def _clip_all(boxes: Sequence[Box], whole: Box) -> list[Box]:
    if len(boxes) > _MOST_BOXES:
        boxes = [_clip(bounding_box(boxes), whole)]
    clipped = [_clip(box, whole) for box in boxes]
    return [box for box in clipped if box.width > 0 and box.height > 0]


def _is_frame(box: Box, page: PageContent) -> bool:
    """A drawing around text of the page, rather than one with a few labels."""
    held = [block for block in page.blocks if not block.angle and box.holds(*block.box.middle)]
    return sum(len(block.text) for block in held) > _MOST_LABELS


def _is_background(page: PageContent) -> bool:
    """An image under the text of the page: paper, or the picture of the text that stands there."""
    return bool(page.blocks) and page.page.image_share > _BACKGROUND and not page.is_scan


def _clip(box: Box, by: Box) -> Box:
    return Box(max(box.x0, by.x0), max(box.y0, by.y0), min(box.x1, by.x1), min(box.y1, by.y1))


def _unite(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that touch as one: programs cut pictures into strips."""
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
    """The document without the text of these pages, and the pages of which it stays.

    Of a page that OCR has read the words that it read go, and all else stays.
    """
    failed = []
    pages = {number: content.pages[number - 1] for number in numbers}
    read = {
        number: Repainting(page.page.ctm, page.reading.ink_of(page.blocks))
        for number, page in pages.items()
        if page and page.reading
    }
    with pikepdf.open(io.BytesIO(content.data)) as pdf:
        repaint(pdf, content.data, read)
        stripper = Stripper(pdf)
        for number in pages:
            page = pdf.pages[number - 1]
            page.obj[Name.CropBox] = page.mediabox  # our boxes count from its corner
            kept = [each for each in well_formed_annotations(page) if is_drawn(each)]
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
) -> Iterator[tuple[int, Box, Image | None]]:
    with pdfium_document(data) as document:
        for number, boxes in wanted.items():
            page = document[number - 1]
            whole = Box(0, 0, *page.get_size())
            for box in boxes:
                region = box if box.width else whole
                yield number, region, _image(page, region, whole)
            page.close()


def _image(page: pypdfium2.PdfPage, box: Box, whole: Box) -> Image | None:
    scale = min(_DENSEST, _MOST_PIXELS / max(box.width, box.height, 1.0))
    crop = (box.x0, box.y0, max(whole.x1 - box.x1, 0.0), max(whole.y1 - box.y1, 0.0))
    try:
        bitmap = page.render(scale=scale, crop=crop, may_draw_forms=False, draw_annots=True)
    except (pypdfium2.PdfiumError, ValueError):
        return None
    image: Image = bitmap.to_pil().convert("RGB")
    return image


def _encode(image: Image) -> bytes | None:
    """PNG for drawings, JPEG for photographs; None for white paper."""
    colours = image.getcolors(_FEW_COLOURS)
    if colours is not None and len(colours) == 1 and colours[0][1] == _WHITE:
        return None
    buffer = io.BytesIO()
    if colours is None:
        image.save(buffer, "JPEG", quality=85)
    else:
        image.save(buffer, "PNG", optimize=True)
    return buffer.getvalue()
