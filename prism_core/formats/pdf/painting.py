"""Draw the translations of a document onto transparent pages, one for each page that changes.

Entry: `draw_pages`.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from operator import itemgetter

from reportlab import rl_config
from reportlab.pdfgen.canvas import Canvas

from prism_core.formats.pdf.bidi import order_words
from prism_core.formats.pdf.block import PdfBlock
from prism_core.formats.pdf.chains import split_block_by_style
from prism_core.formats.pdf.geometry import (
    Box,
    bounding_box,
    frame_matrix,
    invert,
    split_into_edges,
    transform,
)
from prism_core.formats.pdf.glyphs import Page
from prism_core.formats.pdf.obstacles import Obstacles
from prism_core.formats.pdf.shaping import needs_shaping
from prism_core.formats.pdf.style import (
    BLACK,
    Run,
    Style,
    Word,
    has_fonts,
    has_weight,
    remove_format_characters,
    shape_from_right,
)
from prism_core.formats.pdf.text_layout import (
    RAISED_SCALE,
    FittedText,
    fill_leaders,
    find_figure,
    fit_text,
)

_MARGIN = 18.0
_COVER_PADDING = 0.12
COVER_FROM = 0.5
"""Share of the page that an image covers from which on invisible text is a scan's text layer."""
_RISE = 0.33
_WEIGHT = 0.03
"""Width of the outline that feigns bold in a font that has none, in font sizes."""
rl_config.useA85 = 0  # no ASCII85: pikepdf would only decode it again


@dataclass(frozen=True, slots=True)
class PageText:
    """Texts to draw on one page, by block; blocks of ``kept`` stay as they are."""

    page: Page
    texts: Mapping[PdfBlock, str]
    kept: Sequence[PdfBlock]


def can_draw(block: PdfBlock, text: str) -> bool:
    """Return True if the fonts have every letter of ``text``."""
    return has_fonts(text, block.style)


def draw_pages(
    pages: Sequence[PageText], looks: Mapping[PdfBlock, Sequence[Run]], right_to_left: bool
) -> tuple[bytes, list[list[FittedText]]]:
    """Draw the texts of each of ``pages`` on a page of a new PDF that holds nothing else.

    Args:
        pages: The texts, by page.
        looks: Styled runs of blocks that have several styles; other texts have the style of their
            block.
        right_to_left: The target is written from the right: texts with letters of such a script
            run from the right as a whole.

    Returns:
        The PDF, and for each page how its texts fitted, without their words. The bytes are empty
        where there are no pages.
    """
    if not pages:
        return b"", []
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pageCompression=1, invariant=1)
    results = []
    for text in pages:
        canvas.setPageSize((text.page.width, text.page.height))
        obstacles = {
            angle: _find_obstacles(text, angle) for angle in {block.angle for block in text.texts}
        }
        fitted = []
        ends: dict[int, float] = {}  # of the entries before leaders
        for block, source in text.texts.items():
            words = fill_leaders(block, ends.get(block.first)) if block.is_leaders else source
            around, runs = obstacles[block.angle], looks.get(block)
            if words == block.text:
                runs = split_block_by_style(block)
            from_right = right_to_left and needs_shaping(words)
            fitted.append(fit_text(block, runs or [(words, block.style)], around, from_right))
            around.add(block, fitted[-1].boxes)
            if block.leaders is not None:
                line, drawn = block.lines[-1], (*block.lines, *fitted[-1].boxes)[-1]
                ends[block.leaders] = drawn.x1 if drawn.clip(line).height > 0 else line.x0
        over_picture = text.page.image_share >= COVER_FROM
        if over_picture:
            _cover_words(canvas, [block for block in text.texts if block.style.invisible])
        for block, placed in zip(text.texts, fitted, strict=True):
            shows = over_picture and block.style.invisible  # shown now, on white
            _draw_block(canvas, block.angle, placed, shows)
        canvas.showPage()
        # words are most of the memory of a result
        results.append([replace(fitted_text, words=()) for fitted_text in fitted])
    canvas.save()
    return buffer.getvalue(), results


def _find_obstacles(text: PageText, angle: int) -> Obstacles:
    """Collect what is drawn in the frame of ``angle``; new leaders give way to their figure."""
    page, back = text.page, invert(frame_matrix(angle))
    frame = transform(Box(0, 0, page.width, page.height), back)
    lines = {
        block: [
            line
            if block.angle == angle
            else transform(transform(line, frame_matrix(block.angle)), back)
            for line in (
                (find_figure(block),) if block in text.texts and block.is_leaders else block.lines
            )
        ]
        for block in (*text.texts, *text.kept)
    }
    covering = (*split_into_edges(page.rules), *page.images, *page.annotations)
    drawn = [transform(box, back) for box in covering]
    inner = Box(frame.x0 + _MARGIN, frame.y0 + _MARGIN, frame.x1 - _MARGIN, frame.y1 - _MARGIN)
    area = bounding_box(line for group in lines.values() for line in group)
    return Obstacles(inner, area, drawn, lines)


def _cover_words(canvas: Canvas, blocks: Iterable[PdfBlock]) -> None:
    """Paint over the words of a scan that the translation replaces."""
    canvas.setFillColorRGB(1, 1, 1)
    for block in blocks:
        canvas.saveState()
        canvas.transform(*frame_matrix(block.angle))
        for line in block.lines:
            pad = line.height * _COVER_PADDING
            size = (line.width + 2 * pad, line.height + 2 * pad)
            canvas.rect(line.x0 - pad, line.y0 - pad, *size, stroke=0, fill=1)
        canvas.restoreState()


def _draw_block(canvas: Canvas, angle: int, fitted: FittedText, shows: bool) -> None:
    canvas.saveState()
    canvas.transform(*frame_matrix(angle))
    canvas.setLineWidth(_WEIGHT * fitted.size)
    words = iter(fitted.words)
    placed = zip(fitted.lines, fitted.counts, fitted.stretches, strict=True)
    for (x, baseline, _), count, stretch in placed:
        writer = canvas.beginText(x, baseline)
        if stretch:
            writer.setWordSpace(stretch)
        for text, font, look in _order_strokes(islice(words, count), fitted):
            writer.setFont(font, fitted.size * (RAISED_SCALE if look.raised else 1))
            writer.setFillColorRGB(*(BLACK if shows else look.colour))
            hidden, thin = look.invisible and not shows, look.bold and not has_weight(font)
            writer.setTextRenderMode(3 if hidden else 2 if thin else 0)
            writer.setStrokeColorRGB(*(BLACK if shows else look.colour))
            if look.raised:
                writer.setRise(look.raised * _RISE * fitted.size)
            writer.textOut(text)
            if look.raised:
                writer.setRise(0)
        if stretch:
            writer.setWordSpace(0)
        canvas.drawText(writer)
    canvas.restoreState()


def _order_strokes(words: Iterable[Word], fitted: FittedText) -> Iterator[tuple[str, str, Style]]:
    """Yield parts alike of a line from left to right; blanks are in the font of ``fitted``."""
    parts: list[tuple[str, str, Style]] = []
    for word in words:
        if parts and word.spaced:
            look = parts[-1][2]
            parts.append((" ", fitted.font, replace(look, raised=0) if look.raised else look))
        parts += word.parts
    line = "".join(text for text, _, _ in parts)
    if not (fitted.from_right or needs_shaping(line)):
        for (font, look), alike in groupby(parts, key=itemgetter(1, 2)):
            yield remove_format_characters("".join(text for text, _, _ in alike)), font, look
        return
    looks = [(font, look) for text, font, look in parts for _ in text]
    for indices_of_run, from_right in order_words(line, fitted.from_right):
        groups = [
            (key, list(indices)) for key, indices in groupby(indices_of_run, key=looks.__getitem__)
        ]
        for (font, look), indices in reversed(groups) if from_right else groups:
            text = "".join(line[index] for index in indices)
            yield (
                shape_from_right(text, font) if from_right else remove_format_characters(text),
                font,
                look,
            )
