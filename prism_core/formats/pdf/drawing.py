"""Draws the translations of a document onto transparent pages, one for each page that changes."""

from __future__ import annotations

import io
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reportlab.pdfgen.canvas import Canvas

from prism_core.formats.pdf.blocks import Block
from prism_core.formats.pdf.fitting import Fitted, Obstacles, fit
from prism_core.formats.pdf.fonts import font_for
from prism_core.formats.pdf.geometry import Box, around, rotation, transformed
from prism_core.formats.pdf.glyphs import Page
from prism_core.formats.pdf.rules import edges, turned

_MARGIN = 18.0
_COVER_PADDING = 0.12
_COVER_FROM = 0.5
"""Invisible text over an image of at least this share of the page is a scan's text layer."""


@dataclass(frozen=True, slots=True)
class PageText:
    """What to draw on one page: the blocks and their texts, side by side; ``kept`` stay as is."""

    page: Page
    blocks: tuple[Block, ...]
    texts: tuple[str, ...]
    kept: tuple[Block, ...]


@dataclass(frozen=True, slots=True)
class DrawnPage:
    """How the texts of one page fitted, side by side with its blocks."""

    number: int
    fitted: tuple[Fitted, ...]

    @property
    def lines(self) -> list[str]:
        """Every line drawn."""
        return [text for fitted in self.fitted for _, _, text in fitted.lines]

    @property
    def words(self) -> list[str]:
        """Every word drawn, in order."""
        return [word for line in self.lines for word in line.split()]


def can_draw(block: Block, text: str) -> bool:
    """Whether the fonts have every letter of ``text``."""
    return font_for(text, block.style) is not None


def drawn(pages: Sequence[PageText]) -> tuple[bytes, list[DrawnPage]]:
    """A PDF with a page for each of ``pages``, in order, that holds nothing but their texts.

    Without pages there is no document: its bytes are empty.
    """
    if not pages:
        return b"", []
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pageCompression=1, invariant=1)
    results = [_draw_page(canvas, text) for text in pages]
    canvas.save()
    return buffer.getvalue(), results


def _draw_page(canvas: Canvas, text: PageText) -> DrawnPage:
    page = text.page
    canvas.setPageSize((page.width, page.height))
    obstacles = {
        angle: _obstacles(page, angle, (*text.blocks, *text.kept))
        for angle in {block.angle for block in text.blocks}
    }
    fitted = []
    for block, words in zip(text.blocks, text.texts, strict=True):
        placed = fit(block, words, font_for(words, block.style) or "", obstacles[block.angle])
        obstacles[block.angle].add(placed.box)
        fitted.append(placed)
    _cover_images(canvas, text)
    for block, placed in zip(text.blocks, fitted, strict=True):
        _draw_block(canvas, page, block, placed)
    canvas.showPage()
    return DrawnPage(page.number, tuple(fitted))


def _obstacles(page: Page, angle: int, blocks: Sequence[Block]) -> Obstacles:
    """Blocks, thin rules and small images, in the frame of ``angle``."""
    back = rotation(-angle)
    frame = transformed(Box(0, 0, page.width, page.height), back)
    boxes = [
        transformed(transformed(block.box, rotation(block.angle)), back)
        if block.angle != angle
        else block.box
        for block in blocks
    ]
    rules, images = turned(edges(page.rules), back), turned(page.images, back)
    inner = Box(frame.x0 + _MARGIN, frame.y0 + _MARGIN, frame.x1 - _MARGIN, frame.y1 - _MARGIN)
    return Obstacles(inner, around(boxes), [*boxes, *rules, *images])


def _cover_images(canvas: Canvas, text: PageText) -> None:
    """Paint over the words of a scan that the translation replaces."""
    if text.page.image_share < _COVER_FROM:
        return
    canvas.setFillColorRGB(1, 1, 1)
    for block in text.blocks:
        if block.style.invisible:
            canvas.saveState()
            canvas.transform(*rotation(block.angle))
            for line in block.lines:
                pad = line.height * _COVER_PADDING
                size = (line.width + 2 * pad, line.height + 2 * pad)
                canvas.rect(line.x0 - pad, line.y0 - pad, *size, stroke=0, fill=1)
            canvas.restoreState()


def _draw_block(canvas: Canvas, page: Page, block: Block, fitted: Fitted) -> None:
    canvas.saveState()
    canvas.transform(*rotation(block.angle))
    hidden = block.style.invisible and page.image_share < _COVER_FROM
    for x, baseline, line in fitted.lines:
        writer = canvas.beginText(x, baseline)
        writer.setFont(fitted.font, fitted.size)
        writer.setFillColorRGB(*block.style.colour)
        if hidden:
            writer.setTextRenderMode(3)
        writer.textOut(line)
        canvas.drawText(writer)
    canvas.restoreState()


def shrunk(fitted: Fitted) -> bool:
    """Whether the text is drawn smaller than its source."""
    return not math.isclose(fitted.scale, 1.0)


def counts(pages: Sequence[DrawnPage]) -> Mapping[str, int]:
    """How many blocks were drawn, shrunk, and overflow their room."""
    every = [fitted for page in pages for fitted in page.fitted]
    return {
        "drawn": len(every),
        "shrunk": sum(map(shrunk, every)),
        "overflow": sum(fitted.overflows for fitted in every),
    }
