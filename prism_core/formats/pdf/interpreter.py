"""Interpret the pages of a PDF with pdfminer, recording every glyph that they draw.

Entry: ``interpret_pages``; ``_Collector.render_string`` makes a ``Glyph`` of each letter.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from itertools import pairwise
from statistics import median
from typing import Any

from pdfminer.encodingdb import EncodingDB
from pdfminer.pdfdevice import PDFTextDevice
from pdfminer.pdffont import PDFFont, PDFSimpleFont, PDFType3Font, PDFUnicodeNotDefined
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage
from pdfminer.pdftypes import resolve1, resolve_all, stream_value
from pdfminer.psparser import PSKeyword, keyword_name, literal_name

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.pdf.geometry import (
    MIRRORED,
    Box,
    Matrix,
    compose,
    frame_matrix,
    invert,
    transform,
)
from prism_core.formats.pdf.glyphs import (
    FontContext,
    Glyph,
    Letter,
    Page,
    PageGlyphs,
    says_something,
)
from prism_core.formats.pdf.operators import parse_objects
from prism_core.formats.pdf.style import Style, derive_style, read_fill_colour

_INVISIBLE_MODES, _STROKED_MODES = (3, 7), (2, 6)
_LEAST_STROKE = 0.005
"""Width of a stroke around filled letters that makes them bold, in font sizes."""
_PLACING = frozenset((b"BT", b"Td", b"TD", b"Tm", b"T*", b"'", b'"'))
"""Operators that position the text anew."""
_COVERING = ("Widget", "FreeText", "Stamp", "FileAttachment")
_HIDDEN = 1 << 1 | 1 << 5
"""Annotations that cover what is below them, and flags of one that is not shown."""
_OFF_PAGE = 10.0
_BLANK = 32
"""Code of a space, to which word spacing applies."""
_UPRIGHT = 1.0
_BELOW = 0.22
"""Share of a line that is below its baseline."""
_USUAL_SHARE = 0.5
_MOST_GLYPHS = 100_000
"""Limit of glyphs on a page: a full printed one has 10,000, one of a newspaper 40,000."""
_TOO_FULL = "A page shows more than 100,000 letters; print it to a new PDF, or leave it out."
_USUAL_WIDTH = 500
"""Width of a letter in a font that gives none, in thousandths of its size, as viewers have it."""


def interpret_pages(data: bytes) -> Iterator[PageGlyphs | None]:
    """Yield pages, None if malformed; raise ``DocumentError`` (too large) for too many letters."""
    manager = PDFResourceManager()
    collector = _Collector(manager)
    interpreter = _Interpreter(manager, collector)
    for number, page in enumerate(PDFPage.get_pages(io.BytesIO(data)), start=1):
        collector.start(number)
        found: PageGlyphs | None
        try:
            interpreter.process_page(page)
            found = collector.found
        except (MemoryError, DocumentError):
            raise
        except Exception:  # noqa: BLE001  pdfminer meets malformed content with every built-in error
            found = None
        yield found


class _Interpreter(PDFPageInterpreter):
    """Interpreter that tells the collector which operator or Form XObject shows text."""

    device: _Collector
    form = 0
    placed = True

    def process_page(self, page: PDFPage) -> None:
        """Interpret a page with the counters of text operators reset."""
        self.shows, self.chain, self.placed = -1, 0, True
        super().process_page(page)

    def execute(self, streams: Sequence[Any]) -> None:
        """Execute the operators of ``streams``, skipping streams that are already executing."""
        contents = [stream_value(stream) for stream in streams]
        pending = [
            content
            for content in contents
            if content.objid is not None and content.objid not in self.parent_stream_ids
        ]
        self.stream_ids = {content.objid for content in pending if content.objid is not None}
        for item in parse_objects(pending):
            if not isinstance(item, PSKeyword):
                self.argstack.append(item)
                continue
            operator, count = _find_operator(item)
            if operator:
                arguments = self.argstack[-count:] if count else []
                del self.argstack[len(self.argstack) - len(arguments) :]
                if len(arguments) == count:
                    self.placed = self.placed or item.name in _PLACING
                    operator(self, *arguments)

    def do_TJ(self, seq: Any) -> None:  # noqa: N802  pdfminer calls operators by name
        """Show text, after recording the operator and its chain."""
        if not self.form:
            self.shows += 1
            self.chain = self.shows if self.placed else self.chain
            self.placed = False
            self.device.found.chains[self.shows] = self.chain
        self.device.show = -self.form or self.shows
        self.device.mode = self.textstate.render
        super().do_TJ(seq)

    def do_Tf(self, fontid: Any, fontsize: Any) -> None:  # noqa: N802
        """Set the font, with a default width where the font gives none."""
        super().do_Tf(fontid, fontsize)
        font = self.textstate.font  # pdfminer gives a plain font for one without a name
        if font and not font.default_width and not any(font.widths.values()):
            font.widths, font.default_width = {}, _USUAL_WIDTH

    def do__w(self, aw: Any, ac: Any, s: Any) -> None:
        """Move to the next line and show text with given spacing."""
        self.do_T_a()  # pdfminer omits that this operator moves to the next line
        super().do__w(aw, ac, s)

    def do_Do(self, xobjid_arg: Any) -> None:  # noqa: N802
        """Draw an XObject, then restore the page's matrix."""
        super().do_Do(xobjid_arg)
        self.device.set_ctm(self.ctm)  # pdfminer leaves the form's matrix behind

    def render_contents(
        self, resources: Any, streams: Sequence[Any], ctm: Matrix = (1, 0, 0, 1, 0, 0)
    ) -> None:
        """Render content streams; inside another stream they are those of a form."""
        if self.parent_stream_ids:
            self.form = int(getattr(streams[0], "objid", 0) or 1)
        super().render_contents(resources, streams, ctm)


@lru_cache(maxsize=256)
def _find_operator(operator: PSKeyword) -> tuple[Callable[..., None] | None, int]:
    """Return the method that executes an operator, if any, and the number of its operands."""
    name = keyword_name(operator).replace("*", "_a").replace('"', "_w").replace("'", "_q")
    method = getattr(_Interpreter, f"do_{name}", None)
    return method, method.__code__.co_argcount - 1 if method else 0


class _Collector(PDFTextDevice):
    """Device that collects glyphs by angle, and the boxes of images and paths."""

    ctm: Matrix
    show = 0
    mode = 0
    largest = 0.0
    found: PageGlyphs

    def start(self, number: int) -> None:
        """Reset the caches and counters for page ``number``."""
        self.page_number, self.count = number, 0
        self.styles: dict[Style, Style] = {}
        self.contexts: dict[tuple[Any, ...], FontContext] = {}
        self.letters = cache(_find_letter)
        self.heights = cache(_measure_line_height)
        self.looks = cache(derive_style)
        self.coloured = cache(lambda look, colour: replace(look, colour=colour))

    def begin_page(self, page: PDFPage, ctm: Matrix) -> None:
        """Begin a page with its size as shown."""
        shown = transform(Box(*page.mediabox), ctm)
        self.found = PageGlyphs(Page(self.page_number, shown.width, shown.height, ctm))
        self.found.page.annotations.extend(find_annotation_boxes(page, ctm))
        far = _OFF_PAGE  # glyphs off the page are not read
        self.around = Box(-far, -far, shown.width + far, shown.height + far)
        # limits the grid squares that pdfminer visits when it groups lines
        self.largest = 2 * max(shown.width, shown.height)

    def render_image(self, name: str, stream: Any) -> None:  # noqa: ARG002
        """Record the box of an image."""
        self.found.page.images.append(transform(Box(0, 0, 1, 1), self.ctm))

    def paint_path(self, gstate: Any, stroke: bool, fill: bool, evenodd: bool, path: Any) -> None:  # noqa: ARG002
        """Record the boxes of a visible path, and which of them are more than upright lines."""
        if stroke or fill:
            subpaths = list[list[tuple[float, float]]]()  # parts drawn without lifting the pen
            for operator, *numbers in path:
                if operator == "m" or not subpaths:
                    subpaths.append([])
                if len(numbers) >= 2:
                    subpaths[-1].append((float(numbers[-2]), float(numbers[-1])))
            for points in filter(None, subpaths):
                xs, ys = zip(*points, strict=True)
                box = Box(min(xs), min(ys), max(xs), max(ys))
                self.found.page.rules.append(transform(box, self.ctm))
                slanting = any(
                    abs(a[0] - b[0]) > _UPRIGHT and abs(a[1] - b[1]) > _UPRIGHT
                    for a, b in pairwise(points)
                )
                if slanting or any(operator in "cvy" for operator, *_ in path):
                    self.found.page.drawings.append(self.found.page.rules[-1])

    def render_string(self, textstate: Any, seq: Any, ncs: Any, graphicstate: Any) -> None:  # noqa: ARG002
        """Record the letters that an operator shows, and move the text position behind them."""
        font, scaling = textstate.font, textstate.scaling * 0.01
        matrix = compose(textstate.matrix, self.ctm)
        charspace = textstate.charspace * scaling
        wordspace = 0 if font.is_multibyte() else textstate.wordspace * scaling
        unit = 0.001 * textstate.fontsize * scaling
        is_vertical, is_spaced = font.is_vertical(), False
        x, y = textstate.linematrix
        offset = y if is_vertical else x
        context: FontContext | None = None
        for shown in seq:
            if isinstance(shown, int | float):
                offset -= shown * unit
                is_spaced = True
            elif isinstance(shown, bytes):
                offsets: list[tuple[Letter, float]] = []
                for cid in font.decode(shown):
                    context = context or self._find_context(matrix, textstate, graphicstate)
                    letter = context.letters.get(cid)
                    letter = letter or context.add_letter(cid, *self.letters(font, cid))
                    if is_spaced:
                        offset += charspace
                    offsets.append((letter, offset))
                    offset += letter.advance
                    if cid == _BLANK and wordspace:
                        offset += wordspace
                    is_spaced = True
                if context and offsets:
                    self._record_glyphs(context, matrix, offsets, x if is_vertical else y)
        textstate.linematrix = (x, offset) if is_vertical else (offset, y)

    def _record_glyphs(
        self,
        context: FontContext,
        matrix: Matrix,
        offsets: Sequence[tuple[Letter, float]],
        line_offset: float,
    ) -> None:
        """Record the visible letters among ``offsets``; their line is at ``line_offset``."""
        if self.count + len(offsets) > _MOST_GLYPHS:
            raise DocumentError(DocumentFailure.TOO_LARGE, _TOO_FULL)
        number, self.count = self.count, self.count + len(offsets)
        a, b, c, d, e, f = matrix
        is_vertical = context.font.is_vertical()
        (left, low, right, high), most = self.around, self.largest
        map_to_frame = context.map_to_frame if context.back else None
        raised, style = context.baseline_rise, context.style
        show, note = self.show, context.frame.append
        for (text, mapped, box_x0, box_y0, box_x1, box_y1, size, _, largest), offset in offsets:
            x, y = (line_offset, offset) if is_vertical else (offset, line_offset)
            start = x0, y0 = x * a + y * c + e, x * b + y * d + f
            if largest < most and left <= x0 <= right and low <= y0 <= high:
                if map_to_frame:
                    start = x0, y0 = map_to_frame(x0, y0)
                note(
                    Glyph(  # positional: keywords take twice as long, for each letter
                        text,
                        mapped,
                        x0 + box_x0,
                        y0 + box_y0,
                        x0 + box_x1,
                        y0 + box_y1,
                        size,
                        start,
                        y0 + raised,
                        show,
                        number,
                        style,
                    )
                )
            number += 1

    def _find_context(self, matrix: Matrix, textstate: Any, graphicstate: Any) -> FontContext:
        font, fontsize, rise = textstate.font, textstate.fontsize, textstate.rise
        scaling = textstate.scaling * 0.01
        look = self.looks(font, self.mode in _INVISIBLE_MODES)
        look = self.coloured(look, read_fill_colour(graphicstate))
        if self.mode in _STROKED_MODES and not look.bold:
            stroke = (graphicstate.linewidth or 1.0) * math.hypot(*self.ctm[:2])
            em = abs(fontsize) * math.hypot(*matrix[2:4])
            is_thick = stroke > _LEAST_STROKE * em and graphicstate.scolor == graphicstate.ncolor
            look = replace(look, bold=is_thick)
        style = self.styles.setdefault(look, look)  # one object for all equal styles
        key = (*matrix[:4], font, fontsize, scaling, rise, style)
        if found := self.contexts.get(key):
            return found
        half_turn = 180 if fontsize * scaling < 0 else 0
        angle = round(math.degrees(math.atan2(matrix[1], matrix[0])) + half_turn) % 360
        font_orientation = 1.0  # letters of a Type 3 font may be mirrored themselves
        if isinstance(font, PDFType3Font) and len(font.matrix) == 6:
            font_orientation = font.matrix[0] * font.matrix[3] - font.matrix[1] * font.matrix[2]
        a, b, c, d, _, _ = matrix
        if (a * d - b * c) * scaling * font_orientation < 0:
            angle += MIRRORED
        back = invert(frame_matrix(angle)) if angle else None
        low = font.get_descent() * fontsize
        high = low + fontsize
        if isinstance(font, PDFType3Font):
            low, high = (
                part * self.heights(font) * abs(fontsize) for part in (-_BELOW, 1 - _BELOW)
            )
        self.contexts[key] = context = FontContext(
            matrix=compose(matrix, back) if back else matrix,
            back=back,
            font=font,
            fontsize=fontsize,
            scaling=scaling,
            rise=rise,
            low=low + rise,
            high=high + rise,
            style=style,
            frame=self.found.frames.setdefault(angle, []),
        )
        return context


def find_annotation_boxes(page: PDFPage, ctm: Matrix) -> Iterator[Box]:
    """Yield the boxes of form fields, notes on the page and stamps, on the page as shown."""
    for found in resolve1(page.annots) or ():
        annotation = resolve1(found)
        if not isinstance(annotation, dict):
            continue
        kind, flags = resolve1(annotation.get("Subtype")), resolve1(annotation.get("F"))
        edges = resolve_all(annotation.get("Rect"))
        if (
            literal_name(kind) in _COVERING
            and not (isinstance(flags, int) and flags & _HIDDEN)
            and isinstance(edges, list)
            and len(edges) == 4
            and all(isinstance(edge, int | float) for edge in edges)
        ):
            yield transform(Box(*edges), ctm)


def _find_letter(font: PDFFont, cid: int) -> tuple[str, bool, float, Any]:
    """Return the text of a glyph, whether the font maps it to text, and its width and place.

    The encoding of the font supplies the text where a damaged map does not. pdfminer reads the
    encoding of an embedded Type 1 font only where that is spelled out; else it is
    *StandardEncoding*.
    """
    try:
        text = font.to_unichr(cid)
    except PDFUnicodeNotDefined:
        text = ""
    if not says_something(text) and isinstance(font, PDFSimpleFont):
        known = font.cid2unicode or ({} if font.unicode_map else EncodingDB.std2unicode)
        text = str(known.get(cid, "")) or text
    return text or "\ufffd", says_something(text), font.char_width(cid), font.char_disp(cid)


def _measure_line_height(font: PDFType3Font) -> float:
    """Return the height of a line of ``font`` at size 1, by its box or else its widths."""
    widths = [abs(width) for width in font.widths.values() if isinstance(width, int | float)]
    inked = [width * abs(font.hscale) for width in widths if width]
    usual = median(inked) / _USUAL_SHARE if inked else 1.0
    box = abs(font.ascent - font.descent) * abs(font.vscale)
    return box if usual / 3 < box < usual * 3 else usual
