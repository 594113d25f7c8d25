"""Text beside the pages: title, subject, keywords, bookmarks, notes and the values of forms.

entry: `properties_of`; each `Property` knows how to replace its text, and draws it anew where it is
drawn (`_annotation`, `_field_entry` -> `_redraw`).
"""

from __future__ import annotations

import dataclasses
import io
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pikepdf
from pikepdf import Name, String
from reportlab.pdfgen.canvas import Canvas

from prism_core.formats.pdf.blocks import PdfBlock
from prism_core.formats.pdf.drawing import Obstacles, fit_text
from prism_core.formats.pdf.geometry import Box
from prism_core.formats.pdf.libraries import drop
from prism_core.formats.pdf.style import Colour, Style, colour_of, font_for

_INFO_KEYS = (Name.Title, Name.Subject, Name.Keywords)
MAX_BOOKMARKS = 20_000


@dataclass(frozen=True, slots=True)
class Property:
    """A text, where it stands (``holder`` under ``key``) and how to replace it.

    ``counts`` is False for text no reader of the pages sees.
    """

    text: str
    kind: str
    holder: pikepdf.Object
    key: Name
    replace: Callable[[str], None]
    counts: bool = True


def properties_of(pdf: pikepdf.Pdf) -> list[Property]:
    """Every property with text, in an order that depends on the document alone."""
    found: list[Property] = []
    info = pdf.trailer.get(Name.Info)
    if isinstance(info, pikepdf.Dictionary):
        found += [_entry(info, key, "property", counts=False) for key in _INFO_KEYS]
    found += [_entry(item, Name.Title, "property") for item in bookmarks(pdf)]
    found += [_entry(layer, Name.Name, "property", counts=False) for layer in _layers(pdf)]
    for page in pdf.pages:
        for annotation in well_formed_annotations(page):
            found.append(_annotation(pdf, annotation))
            found.append(_entry(annotation, Name.Subj, "comment", counts=False))
    for field in _fields(pdf):
        keys = (Name.TU, Name.V, Name.DV) if field.get(Name.FT) == Name.Tx else (Name.TU,)
        found += [_field_entry(pdf, field, key) for key in keys]
    return [item for item in found if any(map(str.isalnum, item.text))]


def _entry(holder: pikepdf.Object, key: Name, kind: str, counts: bool = True) -> Property:
    value = holder.get(key)
    text = str(value) if isinstance(value, String) else ""
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    text = "".join(char for char in text if char >= " " or char in "\t\n").strip()

    def replace(new: str) -> None:
        holder[key] = String(new)

    return Property(text, kind, holder, key, replace, counts)


def bookmarks(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    """The items of the outline, depth first; one that is met again is passed over."""
    waiting = [pdf.Root.get(Name.Outlines)]
    seen: set[tuple[int, int]] = set()
    while waiting and len(seen) < MAX_BOOKMARKS:
        item = waiting.pop()
        if not isinstance(item, pikepdf.Dictionary) or item.objgen in seen:
            continue
        seen.add(item.objgen)
        yield item
        waiting += [item.get(Name.Next), item.get(Name.First)]


def _layers(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    """The layers that a reader can switch on and off by name."""
    content = pdf.Root.get(Name.OCProperties)
    layers = content.get(Name.OCGs) if isinstance(content, pikepdf.Dictionary) else None
    if isinstance(layers, pikepdf.Array):
        yield from (layer for layer in layers.as_list() if isinstance(layer, pikepdf.Dictionary))


def well_formed_annotations(page: pikepdf.Page) -> Iterator[pikepdf.Object]:
    """The annotations of a page that are well formed."""
    found = page.obj.get(Name.Annots)
    if isinstance(found, pikepdf.Array):
        yield from (item for item in found.as_list() if isinstance(item, pikepdf.Dictionary))


def _annotation(pdf: pikepdf.Pdf, annotation: pikepdf.Object) -> Property:
    plain = _entry(annotation, Name.Contents, "comment")

    def replace(new: str) -> None:
        plain.replace(new)
        if annotation.get(Name.Subtype) == Name.FreeText:
            _redraw(pdf, annotation, new, str(annotation.get(Name.DA, "")))
        elif Name.RC in annotation:
            del annotation[Name.RC]  # the same words with formatting

    return dataclasses.replace(plain, replace=replace)


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


def _fields(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    form = pdf.Root.get(Name.AcroForm)
    waiting = [form.get(Name.Fields)] if isinstance(form, pikepdf.Dictionary) else []
    seen: set[tuple[int, int]] = set()
    while waiting:
        item = waiting.pop()
        if isinstance(item, pikepdf.Array):
            waiting += reversed(item.as_list())
        elif isinstance(item, pikepdf.Dictionary) and item.objgen not in seen:
            seen.add(item.objgen)
            yield item
            waiting.append(item.get(Name.Kids))


def _field_entry(pdf: pikepdf.Pdf, field: pikepdf.Object, key: Name) -> Property:
    plain = _entry(field, key, "property")

    def replace(new: str) -> None:
        plain.replace(new)
        if key == Name.V:
            _redraw_widgets(pdf, field, new)

    return dataclasses.replace(plain, replace=replace)


def _redraw_widgets(pdf: pikepdf.Pdf, field: pikepdf.Object, text: str) -> None:
    """What is drawn now shows the source. The viewer is asked to draw what we cannot."""
    form = pdf.Root.AcroForm
    kids = field.get(Name.Kids, pikepdf.Array([]))
    default = str(field.get(Name.DA, form.get(Name.DA, "")))
    nodes = [node for node in [field, *kids.as_list()] if isinstance(node, pikepdf.Dictionary)]
    widgets = [node for node in nodes if Name.Rect in node]
    drawn = [_redraw(pdf, widget, text, str(widget.get(Name.DA, default))) for widget in widgets]
    if not all(drawn):
        form[Name.NeedAppearances] = True


_PADDING = 2.0
_LARGEST = 12.0
_ASCENT = 0.9
_SIZE = re.compile(r"([\d.]+)\s+Tf")
_COLOUR = re.compile(r"((?:[\d.]+\s+){1,4})(?:g|rg|k)\b")
_SHOWS_TEXT = frozenset({"Tj", "TJ", "'", '"'})


def _redraw(pdf: pikepdf.Pdf, annotation: pikepdf.Object, text: str, default: str) -> bool:
    """Draw ``annotation`` anew with ``text``; ``default`` is its default appearance string.

    False when our fonts lack a letter or it has no size: then the old drawing is only removed.
    """
    drop(annotation, Name.AP, Name.RC, Name.RV)
    box = _box_of(annotation)
    if box is None or box.width < 2 * _PADDING or box.height < 2 * _PADDING:
        return False
    drawing = _draw_text(box, text, default, _background_of(annotation))
    if drawing is None:
        return False
    with pikepdf.open(io.BytesIO(drawing)) as page:
        form = pdf.copy_foreign(page.pages[0].as_form_xobject())
    annotation[Name.AP] = pikepdf.Dictionary(N=form)
    return True


def _shows_text(annotation: pikepdf.Object) -> bool:
    """Whether the drawing of ``annotation`` holds words of its own."""
    appearance = annotation.get(Name.AP)
    if not isinstance(appearance, pikepdf.Dictionary):
        return False
    normal = appearance.get(Name.N)
    states = list(normal.as_dict().values()) if isinstance(normal, pikepdf.Dictionary) else [normal]
    return any(isinstance(state, pikepdf.Stream) and _draws_text(state) for state in states)


def _draws_text(form: pikepdf.Stream) -> bool:
    try:
        instructions = pikepdf.parse_content_stream(form)
    except (pikepdf.PdfError, ValueError, TypeError):
        return True  # unreadable, so it may
    return any(str(instruction.operator) in _SHOWS_TEXT for instruction in instructions)


def _box_of(annotation: pikepdf.Object) -> Box | None:
    """The size of the annotation, with its corner at the origin."""
    try:
        x0, y0, x1, y1 = (float(value) for value in annotation[Name.Rect].as_list())
    except (KeyError, ValueError, TypeError, AttributeError):
        return None
    return Box(0, 0, abs(x1 - x0), abs(y1 - y0))


def _background_of(annotation: pikepdf.Object) -> Colour | None:
    """The fill of a note (C) or of a field (MK, BG); None when it is clear."""
    fill = annotation.get(Name.C)
    if annotation.get(Name.Subtype) == Name.Widget:
        characteristics = annotation.get(Name.MK, pikepdf.Dictionary())
        fill = characteristics.get(Name.BG)
    if not isinstance(fill, pikepdf.Array) or not len(fill):
        return None
    return colour_of([float(level) for level in fill.as_list()])


def _draw_text(box: Box, text: str, default: str, background: Colour | None) -> bytes | None:
    asked, said = _SIZE.search(default), _COLOUR.search(default)
    automatic = min(_LARGEST, box.height * 0.7)  # size 0 leaves the choice to the viewer
    size = (float(asked[1]) if asked else 0.0) or automatic
    colour = colour_of([float(level) for level in said[1].split()] if said else [0.0])
    style = Style(colour=colour)
    font = font_for(text, style)
    if font is None:
        return None
    buffer = io.BytesIO()
    canvas = Canvas(buffer, pagesize=(box.width, box.height), invariant=1)
    if background is not None:
        canvas.setFillColorRGB(*background)
        canvas.rect(0, 0, box.width, box.height, stroke=0, fill=1)
    canvas.setFillColorRGB(*colour)
    top = box.height - _PADDING
    for line in filter(str.strip, text.splitlines()):
        room = Box(_PADDING, _PADDING, box.width - _PADDING, top)
        block = PdfBlock(
            text=line,
            page=0,
            angle=0,
            box=room,
            lines=(room, room),
            baseline=room.y1 - _ASCENT * size,
            leading=0.0,
            size=size,
            style=style,
            align="left",
            shows=frozenset(),
            first=0,
        )
        fitted = fit_text(block, line, font, Obstacles(box, box, ()))
        canvas.setFont(fitted.font, fitted.size)
        for x, baseline, words in fitted.lines:
            canvas.drawString(x, baseline, words)
        top = fitted.box.y0
    canvas.save()
    return buffer.getvalue()
