"""Redraw a form field or a note that shows its text on the page, with another text.

Entry: `redraw`. Everything but the words stays as it was drawn (`_keep_decoration`); where nothing
was, background and border are those that the annotation names (`_draw_decoration`). The new words
have the size, colour and alignment of the old.
"""

from __future__ import annotations

import io
import re
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pikepdf
from pikepdf import Name
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from prism_core.formats.pdf.bidi import order_words
from prism_core.formats.pdf.geometry import Box, Matrix, transform
from prism_core.formats.pdf.libraries import MALFORMED, SHOWS_TEXT, as_dictionary, drop
from prism_core.formats.pdf.shaping import needs_shaping
from prism_core.formats.pdf.style import (
    BLACK,
    Colour,
    Style,
    convert_colour,
    find_font,
    shape_from_right,
    text_width,
)
from prism_core.formats.pdf.text_layout import LEADING, SCALES

_LEAST_CONTRAST = 0.2
_PADDING = 2.0
_LARGEST = 12.0
_ASCENT, _CAPITALS = 0.9, 0.7
_MULTILINE = 1 << 12
_SIZE = re.compile(r"([\d.]+)\s+Tf")
_COLOUR = re.compile(r"((?:[\d.]+\s+){1,4})(?:g|rg|k)\b")
_TURNS: dict[int, Matrix] = {90: (0, 1, -1, 0, 1, 0), 180: (-1, 0, 0, -1, 1, 1)}
_TURNS[270] = (0, -1, 1, 0, 0, 1)
"""Rotations of a page of size 1 onto itself."""


@dataclass(frozen=True, slots=True)
class _Appearance:
    """Look of the text of an annotation; ``align`` 0, 1, 2 is left, centre, right."""

    size: float
    colour: Colour
    align: int
    is_single_line: bool
    inset: float
    turn: int


def redraw(pdf: pikepdf.Pdf, annotation: pikepdf.Object, text: str) -> bool:
    """Draw ``annotation`` anew; return False where it cannot be drawn, or does not fit."""
    old = as_dictionary(annotation.get(Name.AP)).get(Name.N)
    drop(annotation, Name.AP, Name.RC, Name.RV)
    try:
        x0, y0, x1, y1 = (float(value) for value in annotation[Name.Rect].as_list())
    except (KeyError, ValueError, TypeError, AttributeError):
        return False
    box = Box(0, 0, abs(x1 - x0), abs(y1 - y0))
    if box.width < 2 * _PADDING or box.height < 2 * _PADDING:
        return False
    kept = _keep_decoration(pdf, old, box) if isinstance(old, pikepdf.Stream) else None
    look = _find_look(pdf, annotation, kept[2] if kept else "")
    drawing, fits = _draw_text(box, text, look, None if kept else annotation)
    if not drawing:
        return False
    with pikepdf.open(io.BytesIO(drawing)) as page:
        form = pdf.copy_foreign(page.pages[0].as_form_xobject())
    if kept:
        stream, matrix, _ = kept
        if Name.Resources not in form:
            form[Name.Resources] = pikepdf.Dictionary()
        form.Resources[Name.XObject] = pikepdf.Dictionary(Decoration=stream)
        placed = " ".join(f"{number:.4f}" for number in matrix).encode()
        form.write(b"q " + placed + b" cm /Decoration Do Q\n" + form.read_bytes())
    annotation[Name.AP] = pikepdf.Dictionary(N=form)
    return fits


def inherit(field: pikepdf.Object, key: Name) -> pikepdf.Object | None:
    """Return the value at ``key`` of a form field, or of the nearest above it that has one."""
    for _ in range(20):
        if key in field:
            return field[key]
        field = as_dictionary(field.get(Name.Parent))
    return None


def _keep_decoration(
    pdf: pikepdf.Pdf, old: pikepdf.Stream, box: Box
) -> tuple[pikepdf.Stream, Matrix, str] | None:
    """Return an old drawing without words, its place in ``box``, and its text operators, if any."""
    try:
        instructions = list(pikepdf.parse_content_stream(old))
        bounds = transform(
            Box(*(float(edge) for edge in old.BBox.as_list())),
            tuple(float(part) for part in old.get(Name.Matrix, [1, 0, 0, 1, 0, 0])),  # type: ignore[arg-type]
        )
    except (*MALFORMED, AttributeError):
        return None
    kept, words = [], []
    inside = False
    for instruction in instructions:
        operator = str(instruction.operator)
        inside = (inside or operator == "BT") and operator != "ET"
        if inside or operator in {"ET", *SHOWS_TEXT}:
            words.append(" ".join((*map(str, instruction.operands), operator)))
        else:
            kept.append(instruction)
    operators = {str(instruction.operator) for instruction in kept}
    if "Do" in operators or not operators & {"f", "F", "f*", "S", "s", "B", "B*", "b", "b*", "sh"}:
        return None
    if min(bounds.width, bounds.height) <= 0:
        return None
    stream = pikepdf.Stream(pdf, pikepdf.unparse_content_stream(kept))
    for key in (Name.Type, Name.Subtype, Name.BBox, Name.Matrix, Name.Resources, Name.Group):
        if key in old:
            stream[key] = old[key]
    stream[Name.Subtype] = Name.Form
    across, up = box.width / bounds.width, box.height / bounds.height
    matrix = (across, 0.0, 0.0, up, -bounds.x0 * across, -bounds.y0 * up)
    return stream, matrix, "\n".join(word for word in words if not word.endswith(("Tj", "TJ")))


def _find_look(pdf: pikepdf.Pdf, annotation: pikepdf.Object, drawn: str) -> _Appearance:
    """Return the look that the annotation names, else that of the operators ``drawn``."""
    form = as_dictionary(pdf.Root.get(Name.AcroForm))
    default = inherit(annotation, Name.DA) or form.get(Name.DA)
    texts = str(default or ""), drawn
    sizes = [float(found[1]) for source in texts for found in _SIZE.finditer(source)]
    colours = [found[1] for source in texts for found in _COLOUR.finditer(source)]
    is_field = annotation.get(Name.Subtype) == Name.Widget
    border = annotation.get(Name.Border)
    width: Any = as_dictionary(annotation.get(Name.BS)).get(Name.W)
    if width is None and isinstance(border, pikepdf.Array) and len(border) > 2:
        width = border[2]
    if not isinstance(width, int | float | Decimal):  # a field has a border, unless it says so
        width = 1.0 if is_field or Name.BS in annotation else 0.0
    return _Appearance(
        size=next(filter(None, sizes), 0.0),
        colour=convert_colour([float(level) for level in colours[0].split()]) if colours else BLACK,
        align=min(_read_number(inherit(annotation, Name.Q)), 2),
        is_single_line=is_field and not _read_number(inherit(annotation, Name.Ff)) & _MULTILINE,
        inset=float(width),
        turn=_read_number(as_dictionary(annotation.get(Name.MK)).get(Name.R)) % 360,
    )


def _read_number(found: Any) -> int:
    return max(int(found), 0) if isinstance(found, int) else 0


def _read_colour(found: pikepdf.Object | None) -> Colour | None:
    if isinstance(found, pikepdf.Array) and len(found):
        return convert_colour([float(level) for level in found.as_list()])
    return None


def _draw_decoration(
    canvas: Canvas, box: Box, annotation: pikepdf.Object, look: _Appearance
) -> None:
    """Draw the background and the border that ``annotation`` names."""
    facts = as_dictionary(annotation.get(Name.MK))
    is_field = annotation.get(Name.Subtype) == Name.Widget
    background = _read_colour(facts.get(Name.BG) if is_field else annotation.get(Name.C))
    edge = _read_colour(facts.get(Name.BC)) if is_field else look.colour
    if background is not None and (
        # text in the colour of its background was drawn without the background
        max(
            abs(level - text_level)
            for level, text_level in zip(background, look.colour, strict=True)
        )
        > _LEAST_CONTRAST
    ):
        canvas.setFillColorRGB(*background)
        canvas.rect(0, 0, box.width, box.height, stroke=0, fill=1)
    if edge is not None and look.inset > 0:
        style = as_dictionary(annotation.get(Name.BS))
        if style.get(Name.S) == Name.D:
            canvas.setDash(3)
        canvas.setStrokeColorRGB(*edge)
        canvas.setLineWidth(look.inset)
        half = look.inset / 2
        if style.get(Name.S) == Name.U:
            canvas.line(0, half, box.width, half)
        else:
            canvas.rect(half, half, box.width - look.inset, box.height - look.inset)


def _draw_text(
    box: Box, text: str, look: _Appearance, decorated: pikepdf.Object | None
) -> tuple[bytes, bool]:
    """Draw ``text`` over the decoration; return a page, empty without font, and if it fits."""
    font = find_font(text, Style(colour=look.colour))
    if font is None:
        return b"", False
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(box.width, box.height), invariant=1)
    if decorated is not None:
        _draw_decoration(canvas, box, decorated, look)
    if look.turn in _TURNS:
        a, b, c, d, e, f = _TURNS[look.turn]
        canvas.transform(a, b, c, d, e * box.width, f * box.height)
        box = Box(0, 0, box.height, box.width) if look.turn % 180 else box
    padding = _PADDING + look.inset
    inner = max(box.width - 2 * padding, 1.0)
    automatic = min(_LARGEST, box.height * 0.7)
    if look.is_single_line:  # as large as its field lets it be
        automatic = min(box.height * 0.7, inner / max(text_width(text, font, 1.0), 0.1))
    for scale in SCALES:
        size = (look.size or automatic) * scale
        rows = simpleSplit(text, font, size, 1e6 if look.is_single_line else inner)
        step = size * LEADING
        widest = max((text_width(row, font, size) for row in rows), default=0.0)
        fits = widest <= box.width and (
            len(rows) < 2 or len(rows) * step <= box.height - _PADDING - look.inset
        )
        if fits:
            break
    canvas.setFillColorRGB(*look.colour)
    canvas.setFont(font, size)
    top = box.height - padding - _ASCENT * size
    if look.is_single_line:
        top = (box.height - _CAPITALS * size + (len(rows) - 1) * step) / 2
    for number, row in enumerate(rows):
        free = max(inner - text_width(row, font, size), 0.0)
        from_right = needs_shaping(text)
        share = {0: float(from_right), 1: 0.5, 2: 1.0}[look.align]
        writer = canvas.beginText(padding + free * share, top - number * step)
        for indices, turned in order_words(row, from_right):
            run = "".join(row[index] for index in indices)
            writer.textOut(shape_from_right(run, font) if turned else run)
        canvas.drawText(writer)
    canvas.save()
    return buffer.getvalue(), fits
