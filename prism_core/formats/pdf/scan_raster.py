"""The picture of a page, and where its pixels stand on the page as shown."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
import pypdfium2

from prism_core.formats.pdf.geometry import Box, Matrix, after, rotation, transformed

_DPI = 300.0
_MOST_PIXELS = 12_000_000
"""A4 at 300 dots per inch has 8.7 million; a larger page gets fewer dots."""
_LEAST_PIXELS = 100


@dataclass(frozen=True, slots=True)
class Raster:
    """``pixels`` (height, width, 3; RGB, uint8) of what ``shown`` bounds, in points as shown."""

    pixels: np.ndarray
    shown: Box

    @property
    def grey(self) -> np.ndarray:
        """(height, width), uint8: luminance after ITU-R BT.601."""
        weights = np.array([77, 150, 29], dtype=np.uint16)
        return ((self.pixels @ weights) >> 8).astype(np.uint8)

    def place(self, box: Box) -> tuple[int, int, int, int]:
        """Left, top, right, bottom of ``box`` in whole pixels, cut to the picture."""
        height, width = self.pixels.shape[:2]
        across, down = width / self.shown.width, height / self.shown.height
        left = math.floor((box.x0 - self.shown.x0) * across)
        right = math.ceil((box.x1 - self.shown.x0) * across)
        top = math.floor((self.shown.y1 - box.y1) * down)
        bottom = math.ceil((self.shown.y1 - box.y0) * down)
        return (
            min(max(left, 0), width),
            min(max(top, 0), height),
            min(max(right, 0), width),
            min(max(bottom, 0), height),
        )


@contextmanager
def rendering(data: bytes) -> Iterator[pypdfium2.PdfDocument]:
    """The document of ``data`` as pdfium sees it. Raises ``pypdfium2.PdfiumError``."""
    document = pypdfium2.PdfDocument(data)
    try:
        yield document
    finally:
        document.close()


def rendered(document: pypdfium2.PdfDocument, number: int, ctm: Matrix) -> Raster:
    """Page ``number`` (from 1) without notes and form fields, which stay what they are.

    ``ctm`` leads from the page's own coordinates to those as shown.
    """
    page = document[number - 1]
    try:
        width, height = page.get_size()
        fitting = math.sqrt(_MOST_PIXELS / max(width * height, 1.0))
        least = _LEAST_PIXELS / max(min(width, height), 1.0)
        scale = min(max(_DPI / 72.0, least), fitting)
        bitmap = page.render(
            scale=scale, may_draw_forms=False, draw_annots=False, rev_byteorder=True
        )
        pixels = np.array(bitmap.to_numpy()[:, :, :3])
        bitmap.close()
        return Raster(pixels, transformed(_visible(page), ctm))
    finally:
        page.close()


def _visible(page: pypdfium2.PdfPage) -> Box:
    """What pdfium renders: the crop box within the media box, in the page's own coordinates."""
    media, crop = Box(*page.get_mediabox()), Box(*page.get_cropbox())
    both = Box(
        max(media.x0, crop.x0),
        max(media.y0, crop.y0),
        min(media.x1, crop.x1),
        min(media.y1, crop.y1),
    )
    return both if both.width > 0 and both.height > 0 else media


@dataclass(frozen=True, slots=True)
class Frame:
    """A picture turned so that its writing runs left to right, and where its pixels stand.

    ``angle`` is the direction of the writing on the page as shown, in degrees counter-clockwise;
    boxes are in coordinates turned back by it (see ``Block``).
    """

    picture: np.ndarray
    angle: int
    box: Box

    def boxed(self, left: float, top: float, right: float, bottom: float) -> Box:
        """Pixels of the turned picture as a box of its frame."""
        height, width = self.picture.shape
        across, down = self.box.width / width, self.box.height / height
        return Box(
            self.box.x0 + left * across,
            self.box.y1 - bottom * down,
            self.box.x0 + right * across,
            self.box.y1 - top * down,
        )


def turned_frame(grey: np.ndarray, shown: Box, quarters: int) -> Frame:
    """``grey`` after so many quarter turns clockwise."""
    picture = np.ascontiguousarray(np.rot90(grey, -quarters))
    return Frame(picture, 90 * quarters, transformed(shown, rotation(-90 * quarters)))


def placement(shown: Box, back: Matrix) -> Matrix:
    """What leads an image, a square of one, to ``shown``; ``back`` undoes ``ctm``."""
    return after((shown.width, 0.0, 0.0, shown.height, shown.x0, shown.y0), back)
