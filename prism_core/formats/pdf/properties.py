"""Text beside the pages: title, subject, keywords, bookmarks, notes and the values of forms.

entry: `properties_of`; each `Property` knows how to replace its text, and draws it anew where it is
drawn (`_redraw_note`, `_redraw_widgets` -> `_redraw`).
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice

import pikepdf
from pikepdf import Name, String
from reportlab.lib.utils import simpleSplit
from reportlab.pdfgen.canvas import Canvas

from prism_core.formats.pdf.bidi import order_words
from prism_core.formats.pdf.fitting import LEADING, SCALES
from prism_core.formats.pdf.geometry import Box
from prism_core.formats.pdf.libraries import SHOWS_TEXT, dictionaries_of, dictionary_of, drop
from prism_core.formats.pdf.shaping import needs_shaping
from prism_core.formats.pdf.style import (
    Colour,
    Style,
    colour_of,
    font_for,
    shape_from_right,
    text_width,
)
from prism_core.formats.untranslated_marks import is_mark

_INFO_KEYS = (Name.Title, Name.Subject, Name.Keywords)
MAX_BOOKMARKS = 20_000


@dataclass(frozen=True, slots=True)
class Property:
    """A text, where it stands (``holder`` under ``key``) and how to replace it: False where what is
    drawn of it then does not fit its place.

    ``counts`` is False for text no reader of the pages sees.
    """

    text: str
    kind: str
    holder: pikepdf.Object
    key: Name
    replace: Callable[[str], bool]
    counts: bool = True


def properties_of(pdf: pikepdf.Pdf) -> list[Property]:
    """Every property with text, in an order that depends on the document alone."""
    info = dictionary_of(pdf.trailer.get(Name.Info))
    found = [_entry(info, key, counts=False) for key in _INFO_KEYS]
    found += [_entry(item, Name.Title) for item in bookmarks(pdf)]
    # the layers that a reader can switch on and off by name
    layers = dictionary_of(pdf.Root.get(Name.OCProperties)).get(Name.OCGs)
    found += [_entry(layer, Name.Name, counts=False) for layer in dictionaries_of(layers)]
    for page in pdf.pages:
        for note in well_formed_annotations(page):
            redraw = partial(_redraw_note, pdf, note)
            found.append(_entry(note, Name.Contents, "comment", redraw=redraw))
            found.append(_entry(note, Name.Subj, "comment", counts=False))
    form = dictionary_of(pdf.Root.get(Name.AcroForm))
    for field in _walk(form.get(Name.Fields), Name.Kids):
        found.append(_entry(field, Name.TU))
        if field.get(Name.FT) == Name.Tx:
            found.append(_entry(field, Name.V, redraw=partial(_redraw_widgets, pdf, field)))
            found.append(_entry(field, Name.DV))
    told = (item for item in found if not is_mark(item.kind, item.text))
    return [item for item in told if any(map(str.isalnum, item.text))]


def _entry(
    holder: pikepdf.Object,
    key: Name,
    kind: str = "property",
    *,
    counts: bool = True,
    redraw: Callable[[str], bool] | None = None,
) -> Property:
    value = holder.get(key)
    text = str(value) if isinstance(value, String) else ""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = "".join(char for char in text if char >= " " or char in "\t\n").strip()

    def replace(new: str) -> bool:
        holder[key] = String(new)
        return redraw is None or redraw(new)

    return Property(text, kind, holder, key, replace, counts)


def bookmarks(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    """The items of the outline, depth first; one that is met again is passed over."""
    items = _walk(pdf.Root.get(Name.Outlines), Name.Next, Name.First)
    return islice(items, MAX_BOOKMARKS)


def _walk(root: pikepdf.Object | None, *keys: Name) -> Iterator[pikepdf.Object]:
    """The dictionaries below ``root`` under ``keys``, each once."""
    waiting = [root]
    seen: set[tuple[int, int]] = set()
    while waiting:
        item = waiting.pop()
        if isinstance(item, pikepdf.Array):
            waiting += reversed(item.as_list())
        elif isinstance(item, pikepdf.Dictionary) and item.objgen not in seen:
            seen.add(item.objgen)
            yield item
            waiting += [item.get(key) for key in keys]


def well_formed_annotations(page: pikepdf.Page) -> list[pikepdf.Object]:
    """The annotations of a page that are well formed."""
    return dictionaries_of(page.obj.get(Name.Annots))


def untranslated_drawings(pdf: pikepdf.Pdf) -> int:
    """How many annotations are drawn with words that no property holds: stamps, buttons, lists."""
    return sum(
        _shows_text(annotation)
        for page in pdf.pages
        for annotation in well_formed_annotations(page)
        if annotation.get(Name.Subtype) != Name.FreeText
        and annotation.get(Name.FT, annotation.get(Name.Parent, pikepdf.Dictionary()).get(Name.FT))
        != Name.Tx
    )


def _shows_text(annotation: pikepdf.Object) -> bool:
    """Whether the drawing of ``annotation``, in any of its states, holds words of its own."""
    normal = dictionary_of(annotation.get(Name.AP)).get(Name.N)
    states = [*dictionary_of(normal).as_dict().values(), normal]
    try:
        return any(
            str(instruction.operator) in SHOWS_TEXT
            for state in states
            if isinstance(state, pikepdf.Stream)
            for instruction in pikepdf.parse_content_stream(state)
        )
    except (pikepdf.PdfError, ValueError, TypeError):
        return True  # unreadable, so it may


def _redraw_note(pdf: pikepdf.Pdf, note: pikepdf.Object, text: str) -> bool:
    if note.get(Name.Subtype) == Name.FreeText:
        return _redraw(pdf, note, text, str(note.get(Name.DA, "")))
    drop(note, Name.RC)  # the same words with formatting
    return True


def _redraw_widgets(pdf: pikepdf.Pdf, field: pikepdf.Object, text: str) -> bool:
    """What is drawn now shows the source. The viewer is asked to draw what we cannot."""
    form = pdf.Root.AcroForm
    default = str(field.get(Name.DA, form.get(Name.DA, "")))
    for node in dictionaries_of([field, *field.get(Name.Kids, pikepdf.Array([])).as_list()]):
        if Name.Rect in node and not _redraw(pdf, node, text, str(node.get(Name.DA, default))):
            form[Name.NeedAppearances] = True
    return True


_LEAST_CONTRAST = 0.2
_PADDING = 2.0
_LARGEST = 12.0
_ASCENT = 0.9
_SIZE = re.compile(r"([\d.]+)\s+Tf")
_COLOUR = re.compile(r"((?:[\d.]+\s+){1,4})(?:g|rg|k)\b")


def _redraw(pdf: pikepdf.Pdf, annotation: pikepdf.Object, text: str, default: str) -> bool:
    """Draw ``annotation`` anew with ``text``; ``default`` is its default appearance string.

    False when our fonts lack a letter or it has no size: then the old drawing is only removed; also
    when it has no room even for small letters.
    """
    drop(annotation, Name.AP, Name.RC, Name.RV)
    try:
        x0, y0, x1, y1 = (float(value) for value in annotation[Name.Rect].as_list())
    except (KeyError, ValueError, TypeError, AttributeError):
        return False
    box = Box(0, 0, abs(x1 - x0), abs(y1 - y0))
    if box.width < 2 * _PADDING or box.height < 2 * _PADDING:
        return False
    fill = annotation.get(Name.C)  # of a note; a field has it elsewhere
    if annotation.get(Name.Subtype) == Name.Widget:
        fill = annotation.get(Name.MK, pikepdf.Dictionary()).get(Name.BG)
    background = None
    if isinstance(fill, pikepdf.Array) and len(fill):
        background = colour_of([float(level) for level in fill.as_list()])
    drawing, fits = _draw_text(box, text, default, background)
    if not drawing:
        return False
    with pikepdf.open(io.BytesIO(drawing)) as page:
        form = pdf.copy_foreign(page.pages[0].as_form_xobject())
    annotation[Name.AP] = pikepdf.Dictionary(N=form)
    return fits


def _draw_text(box: Box, text: str, default: str, background: Colour | None) -> tuple[bytes, bool]:
    """A page of the size of ``box`` with ``text``, nothing without letters for it; and whether all
    of it is on the page."""
    asked, said = _SIZE.search(default), _COLOUR.search(default)
    automatic = min(_LARGEST, box.height * 0.7)  # size 0 leaves the choice to the viewer
    size = (float(asked[1]) if asked else 0.0) or automatic
    colour = colour_of([float(level) for level in said[1].split()] if said else [0.0])
    style = Style(colour=colour)
    font = font_for(text, style)
    if font is None:
        return b"", False
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(box.width, box.height), invariant=1)
    # text in the colour of its ground was drawn without the ground
    if background is not None and (
        max(abs(one - other) for one, other in zip(background, colour, strict=True))
        > _LEAST_CONTRAST
    ):
        canvas.setFillColorRGB(*background)
        canvas.rect(0, 0, box.width, box.height, stroke=0, fill=1)
    canvas.setFillColorRGB(*colour)
    for scale in SCALES:
        rows = simpleSplit(text, font, size * scale, box.width - 2 * _PADDING)
        step = size * scale * LEADING
        widest = max((text_width(row, font, size * scale) for row in rows), default=0.0)
        fits = widest <= box.width and (len(rows) < 2 or len(rows) * step <= box.height - _PADDING)
        if fits:
            break
    canvas.setFont(font, size * scale)
    from_right = needs_shaping(text)
    for number, row in enumerate(rows):
        baseline = box.height - _PADDING - _ASCENT * size * scale - number * step
        free = box.width - 2 * _PADDING - text_width(row, font, size * scale)
        writer = canvas.beginText(_PADDING + max(free, 0.0) * from_right, baseline)
        for places, turned in order_words(row, from_right):
            run = "".join(row[place] for place in places)
            writer.textOut(shape_from_right(run, font) if turned else run)
        canvas.drawText(writer)
    canvas.save()
    return buffer.getvalue(), fits
