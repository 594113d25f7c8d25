"""What each page of a PDF draws: pdfminer reads its content, and we note every glyph.

Entry: ``pages_of``; pdfminer calls ``_Interpreter`` for each operator, which says in ``_Collector``
what shows text; ``_Collector.render_char`` makes a ``Glyph`` of each letter and puts it into a
frame.
"""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from statistics import median
from typing import Any

from pdfminer.encodingdb import EncodingDB
from pdfminer.pdfdevice import PDFTextDevice
from pdfminer.pdffont import PDFFont, PDFSimpleFont, PDFType3Font, PDFUnicodeNotDefined
from pdfminer.pdfinterp import PDFPageInterpreter, PDFResourceManager
from pdfminer.pdfpage import PDFPage

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
from prism_core.formats.pdf.glyphs import Glyph, Page, PageGlyphs, says_something
from prism_core.formats.pdf.style import Style, style_of

_INVISIBLE_MODES = (3, 7)
_OFF_PAGE = 10.0
_UPRIGHT = 1.0
_BELOW = 0.22
"""The part of a line that is below its baseline."""
_USUAL_SHARE = 0.5
_MOST_GLYPHS = 100_000
"""Of a page: a full one of print has 10,000, one of a newspaper 40,000."""
_TOO_FULL = "A page shows more than 100,000 letters; print it to a new PDF, or leave it out."
_USUAL_WIDTH = 500
"""Of a letter in a font that gives no widths, in thousandths of its size; viewers take another
font then, of about this width."""


def pages_of(data: bytes) -> Iterator[PageGlyphs | None]:
    """The pages of a document in order; None for one that pdfminer cannot interpret.

    Raises ``DocumentError`` (too large) for a page of more letters than any print has.
    """
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
    """Tells the collector which operator shows text, page level and Form XObjects apart."""

    device: _Collector
    form = 0

    def process_page(self, page: PDFPage) -> None:
        self.shows, self.chain, self.placed = -1, 0, True
        super().process_page(page)

    def do_TJ(self, seq: Any) -> None:  # noqa: N802  pdfminer calls operators by name
        if not self.form:
            self.shows += 1
            self.chain = self.shows if self.placed else self.chain
            self.placed = False
            self.device.found.chains[self.shows] = self.chain
        self.device.show = -self.form or self.shows
        self.device.mode = self.textstate.render
        super().do_TJ(seq)

    def do_Tf(self, fontid: Any, fontsize: Any) -> None:  # noqa: N802
        super().do_Tf(fontid, fontsize)
        font = self.textstate.font  # one without a name is a plain one
        if font and not font.default_width and not any(font.widths.values()):
            font.widths, font.default_width = {}, _USUAL_WIDTH

    def do_BT(self) -> None:  # noqa: N802
        self.placed = True
        super().do_BT()

    def do_Td(self, tx: Any, ty: Any) -> None:  # noqa: N802
        self.placed = True
        super().do_Td(tx, ty)

    def do_TD(self, tx: Any, ty: Any) -> None:  # noqa: N802
        self.placed = True
        super().do_TD(tx, ty)

    def do_Tm(self, a: Any, b: Any, c: Any, d: Any, e: Any, f: Any) -> None:  # noqa: N802
        self.placed = True
        super().do_Tm(a, b, c, d, e, f)

    def do_T_a(self) -> None:  # noqa: N802
        self.placed = True
        super().do_T_a()

    def do__w(self, aw: Any, ac: Any, s: Any) -> None:
        self.do_T_a()  # pdfminer forgets that this operator moves to the next line
        super().do__w(aw, ac, s)

    def do_Do(self, xobjid_arg: Any) -> None:  # noqa: N802
        super().do_Do(xobjid_arg)
        self.device.set_ctm(self.ctm)  # pdfminer leaves the form's matrix behind

    def render_contents(
        self, resources: Any, streams: Sequence[Any], ctm: Matrix = (1, 0, 0, 1, 0, 0)
    ) -> None:
        if self.parent_stream_ids:
            self.form = int(getattr(streams[0], "objid", 0) or 1)
        super().render_contents(resources, streams, ctm)


@dataclass(frozen=True, slots=True)
class _Setting:
    """What all letters of an operator share: a letter of no width spans ``low`` to ``high``.

    ``matrix`` leads to the frame, but for where a letter begins, ``back`` from the page to it.
    """

    state: object
    matrix: Matrix
    back: Matrix | None
    fontsize: float
    rise: float
    low: float
    high: float
    is_vertical: bool
    style: Style
    frame: list[Glyph]

    @property
    def raised(self) -> float:
        """How far the baseline is above where letters begin."""
        return self.rise * self.matrix[3]

    def turn(self, x: float, y: float) -> tuple[float, float]:
        """The point of the page in the frame."""
        if self.back is None:
            return x, y
        a, b, c, d, e, f = self.back
        return a * x + c * y + e, b * x + d * y + f

    def extent(self, along: float, placed: Any) -> tuple[float, float, float, float]:
        """The box of a letter from where it begins; it leads on by ``along``. ``placed`` is where
        a vertical font sets it."""
        a, b, c, d, _, _ = self.matrix
        if self.is_vertical:
            across, above = placed
            size = self.fontsize
            left = -(size * 0.5 if across is None else across * size * 0.001)
            low = (1000 - above) * size * 0.001 + self.rise
            return transform(Box(left, low + along, left + size, low), (a, b, c, d, 0.0, 0.0))
        right, up = a * along, b * along
        x0, x1 = c * self.low, c * self.high
        y0, y1 = d * self.low, d * self.high
        return (
            (x0 if x0 < x1 else x1) + (right if right < 0 else 0.0),
            (y0 if y0 < y1 else y1) + (up if up < 0 else 0.0),
            (x1 if x0 < x1 else x0) + (right if right > 0 else 0.0),
            (y1 if y0 < y1 else y0) + (up if up > 0 else 0.0),
        )


class _Collector(PDFTextDevice):
    """Collects glyphs by angle, and the boxes of images and paths."""

    ctm: Matrix
    show = 0
    mode = 0
    largest = 0.0
    found: PageGlyphs

    def start(self, number: int) -> None:
        self.page_number, self.count = number, 0
        self.styles: dict[Style, Style] = {}
        self.setting: _Setting | None = None
        self.letters = cache(_find_letter)
        self.heights = cache(_height_of)

    def begin_page(self, page: PDFPage, ctm: Matrix) -> None:
        shown = transform(Box(*page.mediabox), ctm)
        self.found = PageGlyphs(Page(self.page_number, shown.width, shown.height, ctm))
        far = _OFF_PAGE  # what lies off the page is not read
        self.around = Box(-far, -far, shown.width + far, shown.height + far)
        self.largest = 2 * max(shown.width, shown.height)  # what groups lines counts their squares

    def render_image(self, name: str, stream: Any) -> None:  # noqa: ARG002
        self.found.page.images.append(transform(Box(0, 0, 1, 1), self.ctm))

    def paint_path(self, gstate: Any, stroke: bool, fill: bool, evenodd: bool, path: Any) -> None:  # noqa: ARG002
        if stroke or fill:
            for points in _subpaths(path):
                xs, ys = zip(*points, strict=True)
                box = Box(min(xs), min(ys), max(xs), max(ys))
                self.found.page.rules.append(transform(box, self.ctm))
                slanting = any(
                    abs(a[0] - b[0]) > _UPRIGHT and abs(a[1] - b[1]) > _UPRIGHT
                    for a, b in pairwise(points)
                )
                if slanting or any(operator in "cvy" for operator, *_ in path):
                    self.found.page.drawings.append(self.found.page.rules[-1])

    def render_char(
        self,
        matrix: Matrix,
        font: PDFFont,
        fontsize: float,
        scaling: float,
        rise: float,
        cid: int,
        ncs: Any,  # noqa: ARG002
        graphicstate: Any,
    ) -> float:
        if self.count >= _MOST_GLYPHS:
            raise DocumentError(DocumentFailure.TOO_LARGE, _TOO_FULL)
        setting = self.setting
        if setting is None or setting.state is not graphicstate:  # a copy made for each operator
            setting = self._setting_of(matrix, font, fontsize, scaling, rise, graphicstate)
            self.setting = setting
        text, mapped, width, placed = self.letters(font, cid)
        along = width * fontsize * scaling
        start = setting.turn(matrix[4], matrix[5])
        x, y = start
        x0, y0, x1, y1 = setting.extent(along, placed)
        size = x1 - x0 if setting.is_vertical else y1 - y0
        above, show, number = y + setting.raised, self.show, self.count
        glyph = Glyph(  # by place: by name it takes twice as long, for each letter
            text,
            mapped,
            x + x0,
            y + y0,
            x + x1,
            y + y1,
            size,
            start,
            above,
            show,
            number,
            setting.style,
        )
        self.count += 1
        sane = max(x1 - x0, y1 - y0) < self.largest
        if sane and self.around.holds(matrix[4], matrix[5]):
            setting.frame.append(glyph)
        return along

    def _setting_of(
        self,
        matrix: Matrix,
        font: PDFFont,
        fontsize: float,
        scaling: float,
        rise: float,
        graphicstate: Any,
    ) -> _Setting:
        half_turn = 180 if fontsize * scaling < 0 else 0
        angle = round(math.degrees(math.atan2(matrix[1], matrix[0])) + half_turn) % 360
        if _is_mirrored(matrix, font, scaling):
            angle += MIRRORED
        back = invert(frame_matrix(angle)) if angle else None
        low = font.get_descent() * fontsize
        high = low + fontsize
        if isinstance(font, PDFType3Font):
            low, high = (
                part * self.heights(font) * abs(fontsize) for part in (-_BELOW, 1 - _BELOW)
            )
        look = style_of(font, graphicstate, self.mode in _INVISIBLE_MODES)
        return _Setting(
            state=graphicstate,
            matrix=compose(matrix, back) if back else matrix,
            back=back,
            fontsize=fontsize,
            rise=rise,
            low=low + rise,
            high=high + rise,
            is_vertical=font.is_vertical(),
            style=self.styles.setdefault(look, look),
            frame=self.found.frames.setdefault(angle, []),
        )


def _subpaths(path: Sequence[Any]) -> list[list[tuple[float, float]]]:
    """The end points of each piece of a path that is drawn without lifting the pen."""
    pieces: list[list[tuple[float, float]]] = []
    for operator, *numbers in path:
        if operator == "m" or not pieces:
            pieces.append([])
        if len(numbers) >= 2:
            pieces[-1].append((float(numbers[-2]), float(numbers[-1])))
    return [piece for piece in pieces if piece]


def _find_letter(font: PDFFont, cid: int) -> tuple[str, bool, float, Any]:
    """The text of a glyph, whether the font says what it is, and its width and place.

    Its encoding says so where a damaged map says nothing. pdfminer reads the encoding of an
    embedded Type 1 font only where that is spelled out; else it is *StandardEncoding*.
    """
    try:
        text = font.to_unichr(cid)
    except PDFUnicodeNotDefined:
        text = ""
    if not says_something(text) and isinstance(font, PDFSimpleFont):
        known = font.cid2unicode or ({} if font.unicode_map else EncodingDB.std2unicode)
        text = str(known.get(cid, "")) or text
    return text or "\ufffd", says_something(text), font.char_width(cid), font.char_disp(cid)


def _is_mirrored(matrix: Matrix, font: PDFFont, scaling: float) -> bool:
    """Whether letters are drawn as in a mirror; those of a Type 3 font may be so themselves."""
    a, b, c, d, _, _ = matrix
    own = 1.0
    if isinstance(font, PDFType3Font) and len(font.matrix) == 6:
        own = font.matrix[0] * font.matrix[3] - font.matrix[1] * font.matrix[2]
    return bool((a * d - b * c) * scaling * own < 0)


def _height_of(font: PDFType3Font) -> float:
    """The height of a line of ``font`` at size 1, whose letters may have any size.

    Its box says so, unless that contradicts the widths: those are half as wide as a line is high.
    """
    widths = [abs(width) for width in font.widths.values() if isinstance(width, int | float)]
    inked = [width * abs(font.hscale) for width in widths if width]
    usual = median(inked) / _USUAL_SHARE if inked else 1.0
    box = abs(font.ascent - font.descent) * abs(font.vscale)
    return box if usual / 3 < box < usual * 3 else usual
