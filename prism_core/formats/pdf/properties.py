"""Text beside the pages: title, subject, keywords, bookmarks, notes and the values of forms.

Entry: `find_properties`; each `Property` knows how to replace its text, and redraws it where it is
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
from prism_core.formats.pdf.geometry import Box
from prism_core.formats.pdf.libraries import SHOWS_TEXT, as_dictionary, drop, list_dictionaries
from prism_core.formats.pdf.shaping import needs_shaping
from prism_core.formats.pdf.style import (
    Colour,
    Style,
    convert_colour,
    find_font,
    shape_from_right,
    text_width,
)
from prism_core.formats.pdf.text_layout import LEADING, SCALES
from prism_core.formats.untranslated_marks import is_mark

_INFO_KEYS = (Name.Title, Name.Subject, Name.Keywords)
MAX_BOOKMARKS = 20_000


@dataclass(frozen=True, slots=True)
class Property:
    """Text at ``key`` of ``holder``; ``replace`` returns False if its new drawing does not fit.

    ``counts`` is False for text no reader of the pages sees.
    """

    text: str
    kind: str
    holder: pikepdf.Object
    key: Name
    replace: Callable[[str], bool]
    counts: bool = True


def find_properties(pdf: pikepdf.Pdf) -> list[Property]:
    """Return every property with text, in an order that depends on the document alone."""
    info = as_dictionary(pdf.trailer.get(Name.Info))
    found = [_make_property(info, key, counts=False) for key in _INFO_KEYS]
    found += [_make_property(item, Name.Title) for item in iterate_bookmarks(pdf)]
    # layers, which a reader switches on and off by name
    layers = as_dictionary(pdf.Root.get(Name.OCProperties)).get(Name.OCGs)
    found += [_make_property(layer, Name.Name, counts=False) for layer in list_dictionaries(layers)]
    for page in pdf.pages:
        for note in list_annotations(page):
            redraw = partial(_redraw_note, pdf, note)
            found.append(_make_property(note, Name.Contents, "comment", redraw=redraw))
            found.append(_make_property(note, Name.Subj, "comment", counts=False))
    form = as_dictionary(pdf.Root.get(Name.AcroForm))
    for field in _walk_dictionaries(form.get(Name.Fields), Name.Kids):
        found.append(_make_property(field, Name.TU))
        if field.get(Name.FT) == Name.Tx:
            found.append(_make_property(field, Name.V, redraw=partial(_redraw_widgets, pdf, field)))
            found.append(_make_property(field, Name.DV))
    translatable = (item for item in found if not is_mark(item.kind, item.text))
    return [item for item in translatable if any(map(str.isalnum, item.text))]


def _make_property(
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


def iterate_bookmarks(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    """Yield the items of the outline, depth first, each once."""
    items = _walk_dictionaries(pdf.Root.get(Name.Outlines), Name.Next, Name.First)
    return islice(items, MAX_BOOKMARKS)


def _walk_dictionaries(root: pikepdf.Object | None, *keys: Name) -> Iterator[pikepdf.Object]:
    """Yield the dictionaries below ``root`` under ``keys``, each once."""
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


def list_annotations(page: pikepdf.Page) -> list[pikepdf.Object]:
    """Return the annotations of a page that are well formed."""
    return list_dictionaries(page.obj.get(Name.Annots))


def count_untranslated_drawings(pdf: pikepdf.Pdf) -> int:
    """Count annotations drawn with words that no property holds: stamps, buttons, lists."""
    return sum(
        _shows_text(annotation)
        for page in pdf.pages
        for annotation in list_annotations(page)
        if annotation.get(Name.Subtype) != Name.FreeText
        and annotation.get(Name.FT, annotation.get(Name.Parent, pikepdf.Dictionary()).get(Name.FT))
        != Name.Tx
    )


def _shows_text(annotation: pikepdf.Object) -> bool:
    """Return True if the drawing of ``annotation``, in any of its states, has words."""
    normal = as_dictionary(annotation.get(Name.AP)).get(Name.N)
    states = [*as_dictionary(normal).as_dict().values(), normal]
    try:
        return any(
            str(instruction.operator) in SHOWS_TEXT
            for state in states
            if isinstance(state, pikepdf.Stream)
            for instruction in pikepdf.parse_content_stream(state)
        )
    except (pikepdf.PdfError, ValueError, TypeError):
        return True  # unreadable, so it may show text


def _redraw_note(pdf: pikepdf.Pdf, note: pikepdf.Object, text: str) -> bool:
    if note.get(Name.Subtype) == Name.FreeText:
        return _redraw(pdf, note, text, str(note.get(Name.DA, "")))
    drop(note, Name.RC)  # the same words with formatting
    return True


def _redraw_widgets(pdf: pikepdf.Pdf, field: pikepdf.Object, text: str) -> bool:
    """Redraw the value, as the old drawing shows the source; else ask the viewer to draw it."""
    form = pdf.Root.AcroForm
    default = str(field.get(Name.DA, form.get(Name.DA, "")))
    for node in list_dictionaries([field, *field.get(Name.Kids, pikepdf.Array([])).as_list()]):
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

    Returns False when a letter has no font or the annotation no size: then the old drawing is only
    removed. Returns False also when the text does not fit even in small letters.
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
        background = convert_colour([float(level) for level in fill.as_list()])
    drawing, fits = _draw_text(box, text, default, background)
    if not drawing:
        return False
    with pikepdf.open(io.BytesIO(drawing)) as page:
        form = pdf.copy_foreign(page.pages[0].as_form_xobject())
    annotation[Name.AP] = pikepdf.Dictionary(N=form)
    return fits


def _draw_text(box: Box, text: str, default: str, background: Colour | None) -> tuple[bytes, bool]:
    """Draw ``text`` on a page of the size of ``box``; also return whether all of it fits.

    The page is empty where no font has its letters.
    """
    size_match, colour_match = _SIZE.search(default), _COLOUR.search(default)
    automatic = min(_LARGEST, box.height * 0.7)  # size 0 means that the viewer chooses
    size = (float(size_match[1]) if size_match else 0.0) or automatic
    colour = convert_colour(
        [float(level) for level in colour_match[1].split()] if colour_match else [0.0]
    )
    style = Style(colour=colour)
    font = find_font(text, style)
    if font is None:
        return b"", False
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(box.width, box.height), invariant=1)
    # text in the colour of its background was drawn without the background
    if background is not None and (
        max(abs(level - text_level) for level, text_level in zip(background, colour, strict=True))
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
        for indices, turned in order_words(row, from_right):
            run = "".join(row[index] for index in indices)
            writer.textOut(shape_from_right(run, font) if turned else run)
        canvas.drawText(writer)
    canvas.save()
    return buffer.getvalue(), fits
