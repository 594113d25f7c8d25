"""A scanned page without the words that are translated: its picture is replaced, not covered.

What the page drew goes from the file. In its place is one picture of it, in which paper stands
where the words stood.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pikepdf
from pikepdf import Name
from PIL import Image

from prism_core.formats.pdf.geometry import Box, Matrix, inverse
from prism_core.formats.pdf.scan_raster import Raster, placement, rendered, rendering

_QUALITY = 80
_GREY_SPREAD = 12
_MOST_COLOURED = 0.002
_CELL_HEIGHTS = 2
_INHERITED_DEPTH = 20


@dataclass(frozen=True, slots=True)
class Repainting:
    """The boxes of a page as shown that become paper; ``ctm`` leads to the page as shown."""

    ctm: Matrix
    gone: Sequence[Box]


def repaint(pdf: pikepdf.Pdf, data: bytes, pages: Mapping[int, Repainting]) -> None:
    """Replace what each of ``pages`` (by number) draws with a picture of it without words.

    ``data`` is the document that ``pdf`` was opened from. Notes, links and fields stay.
    """
    if not pages:
        return
    with rendering(data) as document:
        for number, painting in pages.items():
            raster = rendered(document, number, painting.ctm)
            _replace(pdf, pdf.pages[number - 1], _without(raster, painting.gone), painting.ctm)
    _let_go(pdf)


def _without(raster: Raster, gone: Sequence[Box]) -> Raster:
    for box in gone:
        _paint(raster.pixels, *raster.place(box))
    return raster


def _paint(pixels: np.ndarray, left: int, top: int, right: int, bottom: int) -> None:
    """Give a stretch of a line the colour of its paper, which most of its pixels have.

    The colour is taken every few letters, so that shadows across the page go on.
    """
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


def _replace(pdf: pikepdf.Pdf, page: pikepdf.Page, raster: Raster, ctm: Matrix) -> None:
    image = _image(pdf, raster, bilevel=_is_bilevel(page))
    numbers = " ".join(f"{value:.6f}" for value in placement(raster.shown, inverse(ctm)))
    page.obj[Name.Resources] = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Scan=image))
    page.obj[Name.Contents] = pdf.make_stream(f"q {numbers} cm /Scan Do Q\n".encode())
    for key in (Name.Thumb, Name.PieceInfo, Name.Metadata, Name.StructParents):
        if key in page.obj:
            del page.obj[key]


def _is_bilevel(page: pikepdf.Page) -> bool:
    """Whether all the pictures of the page are black and white."""
    images = list(page.images.values())
    return bool(images) and all(
        image.get(Name.BitsPerComponent) == 1 or image.get(Name.ImageMask, False)
        for image in images
    )


def _image(pdf: pikepdf.Pdf, raster: Raster, *, bilevel: bool) -> pikepdf.Stream:
    pixels = raster.pixels
    if not _is_grey(pixels):
        return _jpeg(pdf, Image.fromarray(pixels), Name.DeviceRGB)
    if not bilevel:
        return _jpeg(pdf, Image.fromarray(raster.grey), Name.DeviceGray)
    height, width = pixels.shape[:2]
    stream = pdf.make_stream(np.packbits(raster.grey > 127, axis=1).tobytes())
    return _described(stream, width, height, Name.DeviceGray, bits=1)


def _is_grey(pixels: np.ndarray) -> bool:
    spread = pixels.max(axis=2) - pixels.min(axis=2)
    return bool((spread > _GREY_SPREAD).mean() < _MOST_COLOURED)


def _jpeg(pdf: pikepdf.Pdf, image: Image.Image, space: Name) -> pikepdf.Stream:
    buffer = io.BytesIO()
    image.save(buffer, "JPEG", quality=_QUALITY, optimize=True)
    stream = pdf.make_stream(buffer.getvalue())
    stream[Name.Filter] = Name.DCTDecode
    return _described(stream, image.width, image.height, space, bits=8)


def _described(
    stream: pikepdf.Stream, width: int, height: int, space: Name, *, bits: int
) -> pikepdf.Stream:
    stream[Name.Type], stream[Name.Subtype] = Name.XObject, Name.Image
    stream[Name.Width], stream[Name.Height] = width, height
    stream[Name.ColorSpace], stream[Name.BitsPerComponent] = space, bits
    return stream


def _let_go(pdf: pikepdf.Pdf) -> None:
    """Nothing but a page that shows a picture holds it: not a list that pages share or inherit."""
    for page in pdf.pages:
        _own_resources(page.obj)
    for page in pdf.pages:
        node = page.obj.get(Name.Parent)
        for _ in range(_INHERITED_DEPTH):
            if not isinstance(node, pikepdf.Dictionary):
                break
            if Name.Resources in node:
                del node[Name.Resources]
            node = node.get(Name.Parent)
    pdf.remove_unreferenced_resources()


def _own_resources(page: pikepdf.Object) -> None:
    node: pikepdf.Object | None = page
    for _ in range(_INHERITED_DEPTH):
        if not isinstance(node, pikepdf.Dictionary):
            return
        if Name.Resources in node:
            page[Name.Resources] = node[Name.Resources]
            return
        node = node.get(Name.Parent)
