"""Render the picture of a scanned page, and replace the page's drawing by an edited picture.

Entry: `render_page` makes a `Raster`, which knows where its pixels stand on the page as shown;
`rotate_picture` turns it for OCR; `repaint` -> `_paint_paper` -> `_replace_drawing` puts a picture
in the place of everything that the page drew. Paper replaces the words in it; they are not merely
covered.
"""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pikepdf
import pypdfium2
from pikepdf import Name
from PIL import Image

from prism_core.formats.pdf.geometry import Box, Matrix, compose, invert, rotation, transform
from prism_core.formats.pdf.libraries import (
    drop,
    find_inherited,
    open_pdfium_document,
    open_pdfium_page,
    walk_ancestors,
)
from prism_core.formats.tesseract import OcrWord

_DPI = 300.0
_MOST_PIXELS = 12_000_000
"""Limit of pixels: A4 at 300 dots per inch has 8.7 million; a larger page gets fewer dots."""
_LEAST_PIXELS = 100
_QUALITY = 80
_GREY_SPREAD = 12
_MOST_COLOURED = 0.002
_CELL_HEIGHTS = 2


@dataclass(frozen=True, slots=True)
class Raster:
    """Picture of the area ``shown`` of a page: ``packed`` (height, width; uint32) pixels."""

    packed: np.ndarray
    shown: Box

    @property
    def pixels(self) -> np.ndarray:
        """RGB levels (height, width, 3), uint8."""
        return view_colours(self.packed)

    @property
    def grey(self) -> np.ndarray:
        """Luminance (height, width), uint8."""
        return compute_luminance(self.pixels)

    def locate(self, box: Box) -> tuple[int, int, int, int]:
        """Return left, top, right, bottom of ``box`` in whole pixels, cut to the picture."""
        height, width = self.packed.shape
        across, down = width / self.shown.width, height / self.shown.height
        left, right = (box.x0 - self.shown.x0) * across, (box.x1 - self.shown.x0) * across
        top, bottom = (self.shown.y1 - box.y1) * down, (self.shown.y1 - box.y0) * down
        return (
            min(max(math.floor(left), 0), width),
            min(max(math.floor(top), 0), height),
            min(max(math.ceil(right), 0), width),
            min(max(math.ceil(bottom), 0), height),
        )

    def crop(self, picture: np.ndarray, box: Box) -> np.ndarray:
        """Return the pixels in ``box`` of ``picture``, which has as many pixels as this one."""
        left, top, right, bottom = self.locate(box)
        return picture[top:bottom, left:right]


def view_colours(packed: np.ndarray) -> np.ndarray:
    """View packed pixels as RGB (…, 3), uint8, in the same memory; the fourth byte is unused."""
    return packed.view(np.uint8).reshape(*packed.shape, 4)[..., :3]


def compute_luminance(pixels: np.ndarray) -> np.ndarray:
    """Compute luminance (…), uint8, of ``pixels`` (…, 3; RGB, uint8) after ITU-R BT.601."""
    red, green, blue = (pixels[..., n].astype(np.uint16) for n in range(3))
    found: np.ndarray = ((77 * red + 150 * green + 29 * blue) >> 8).astype(np.uint8)
    return found


def render_page(page: pypdfium2.PdfPage, ctm: Matrix, dots: float = _DPI) -> Raster:
    """Render ``page`` without notes and fields at ``dots`` per inch; fewer if it is large."""
    width, height = page.get_size()
    fitting = math.sqrt(_MOST_PIXELS / max(width * height, 1.0))
    least = _LEAST_PIXELS / max(min(width, height), 1.0)
    scale = min(max(dots / 72.0, least), fitting)
    bitmap = page.render(
        scale=scale, may_draw_forms=False, draw_annots=False, rev_byteorder=True, prefer_bgrx=True
    )
    drawn = bitmap.to_numpy()
    bitmap.close()  # frees the handle, not the pixels
    drawn[:, :, 3] = 0
    # pdfium renders the crop box within the media box, in the page's own coordinates
    media = Box(*page.get_mediabox())
    visible_media = media.clip(Box(*page.get_cropbox()))
    visible = visible_media if visible_media.width > 0 and visible_media.height > 0 else media
    return Raster(drawn.view(np.uint32)[:, :, 0], transform(visible, ctm))


@dataclass(frozen=True, slots=True)
class TurnedPicture:
    """Picture turned by ``angle`` so that its writing runs left to right; ``box`` is its frame."""

    picture: np.ndarray
    angle: int
    box: Box

    def locate_word(self, word: OcrWord) -> Box:
        """Convert the pixels of a word in the turned picture to a box of its frame."""
        height, width = self.picture.shape
        across, down = self.box.width / width, self.box.height / height
        return Box(
            self.box.x0 + word.left * across,
            self.box.y1 - word.bottom * down,
            self.box.x0 + word.right * across,
            self.box.y1 - word.top * down,
        )


def rotate_picture(grey: np.ndarray, shown: Box, quarters: int) -> TurnedPicture:
    """Turn ``grey`` clockwise by ``quarters`` quarter turns."""
    picture = np.ascontiguousarray(np.rot90(grey, -quarters))
    return TurnedPicture(picture, 90 * quarters, transform(shown, rotation(-90 * quarters)))


def repaint(
    pdf: pikepdf.Pdf, data: bytes, pages: Mapping[int, tuple[Matrix, Sequence[Box]]]
) -> None:
    """Replace the drawing of ``pages`` by a picture; the boxes on each become paper."""
    if not pages:
        return
    with open_pdfium_document(data) as document:
        for number, (ctm, words) in pages.items():
            with open_pdfium_page(document, number) as shown:
                raster = render_page(shown, ctm)
            for box in words:
                _paint_paper(raster.pixels, *raster.locate(box))
            _replace_drawing(pdf, pdf.pages[number - 1], raster, ctm)
    # Only the page that shows a picture may hold it, not resources that pages share or inherit.
    for page in pdf.pages:
        if (resources := find_inherited(page.obj, Name.Resources)) is not None:
            page.obj[Name.Resources] = resources
    for page in pdf.pages:
        for node in walk_ancestors(page.obj.get(Name.Parent)):
            drop(node, Name.Resources)
    pdf.remove_unreferenced_resources()


def _paint_paper(pixels: np.ndarray, left: int, top: int, right: int, bottom: int) -> None:
    """Give a stretch of a line the colour of its paper, taken every few letters."""
    if right <= left or bottom <= top:
        return
    stretch = pixels[top:bottom, left:right]
    count = max((right - left) // (_CELL_HEIGHTS * (bottom - top)), 1)
    edges = np.linspace(0, right - left, count + 1, dtype=int)
    middles = (edges[:-1] + edges[1:]) / 2
    paper = np.array([np.median(stretch[:, a:b], axis=(0, 1)) for a, b in pairwise(edges)])
    columns = np.arange(right - left)
    for channel in range(3):
        stretch[:, :, channel] = np.interp(columns, middles, paper[:, channel]).astype(np.uint8)


def _replace_drawing(pdf: pikepdf.Pdf, page: pikepdf.Page, raster: Raster, ctm: Matrix) -> None:
    """Let ``page`` draw ``raster`` alone, with one bit per pixel where it had no more before."""
    pixels = raster.pixels
    spread = pixels.max(axis=2) - pixels.min(axis=2)
    is_coloured = (spread > _GREY_SPREAD).mean() >= _MOST_COLOURED
    pictures = list(page.images.values())
    is_bilevel = (
        not is_coloured
        and bool(pictures)
        and all(p.get(Name.BitsPerComponent) == 1 or p.get(Name.ImageMask, False) for p in pictures)
    )
    if is_bilevel:
        image = pdf.make_stream(np.packbits(raster.grey > 127, axis=1).tobytes())
    else:
        buffer = io.BytesIO()
        picture = Image.fromarray(pixels if is_coloured else raster.grey)
        picture.save(buffer, "JPEG", quality=_QUALITY, optimize=True)
        image = pdf.make_stream(buffer.getvalue())
        image[Name.Filter] = Name.DCTDecode
    image[Name.Type], image[Name.Subtype] = Name.XObject, Name.Image
    image[Name.Height], image[Name.Width] = pixels.shape[:2]
    image[Name.ColorSpace] = Name.DeviceRGB if is_coloured else Name.DeviceGray
    image[Name.BitsPerComponent] = 1 if is_bilevel else 8
    shown = raster.shown  # PDF draws an image into the unit square
    placed = compose((shown.width, 0.0, 0.0, shown.height, shown.x0, shown.y0), invert(ctm))
    numbers = " ".join(f"{value:.6f}" for value in placed)
    page.obj[Name.Resources] = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Scan=image))
    page.obj[Name.Contents] = pdf.make_stream(f"q {numbers} cm /Scan Do Q\n".encode())
    drop(page.obj, Name.Thumb, Name.PieceInfo, Name.Metadata, Name.StructParents)
