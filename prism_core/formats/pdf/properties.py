"""Text beside the pages: title, subject, keywords, bookmarks, notes and the values of forms.

entry: `properties_of`; each `Property` knows how to replace its text, and draws it anew where it is
drawn (`_annotation`, `_field_entry`).
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pikepdf
from pikepdf import Name, String

from prism_core.formats.pdf.appearances import redraw, shows_text

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
    found = [
        *_info(pdf),
        *(_entry(item, Name.Title, "property") for item in bookmarks(pdf)),
        *(_entry(layer, Name.Name, "property", counts=False) for layer in _layers(pdf)),
        *_annotation_texts(pdf),
        *_field_texts(pdf),
    ]
    return [item for item in found if any(map(str.isalnum, item.text))]


def _entry(holder: pikepdf.Object, key: Name, kind: str, counts: bool = True) -> Property:
    value = holder.get(key)
    text = _clean(str(value)) if isinstance(value, String) else ""

    def replace(new: str) -> None:
        holder[key] = String(new)

    return Property(text, kind, holder, key, replace, counts)


def _clean(text: str) -> str:
    """Line breaks as newlines, and no other control characters."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    return "".join(char for char in lines if char >= " " or char in "\t\n").strip()


def _info(pdf: pikepdf.Pdf) -> Iterator[Property]:
    info = pdf.trailer.get(Name.Info)
    if isinstance(info, pikepdf.Dictionary):
        for key in _INFO_KEYS:
            yield _entry(info, key, "property", counts=False)


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


def _annotation_texts(pdf: pikepdf.Pdf) -> Iterator[Property]:
    for page in pdf.pages:
        for annotation in well_formed_annotations(page):
            yield _annotation(pdf, annotation)
            yield _entry(annotation, Name.Subj, "comment", counts=False)


def _annotation(pdf: pikepdf.Pdf, annotation: pikepdf.Object) -> Property:
    plain = _entry(annotation, Name.Contents, "comment")

    def replace(new: str) -> None:
        plain.replace(new)
        if annotation.get(Name.Subtype) == Name.FreeText:
            redraw(pdf, annotation, new, str(annotation.get(Name.DA, "")))
        elif Name.RC in annotation:
            del annotation[Name.RC]  # the same words with formatting

    return dataclasses.replace(plain, replace=replace)


def untranslated_drawings(pdf: pikepdf.Pdf) -> int:
    """How many annotations are drawn with words that no property holds: stamps, buttons, lists."""
    return sum(
        shows_text(annotation)
        for page in pdf.pages
        for annotation in well_formed_annotations(page)
        if annotation.get(Name.Subtype) != Name.FreeText and not _is_text_field(annotation)
    )


def _is_text_field(widget: pikepdf.Object) -> bool:
    kind = widget.get(Name.FT, widget.get(Name.Parent, pikepdf.Dictionary()).get(Name.FT))
    return bool(kind == Name.Tx)


def _field_texts(pdf: pikepdf.Pdf) -> Iterator[Property]:
    for field in _fields(pdf):
        yield _field_entry(pdf, field, Name.TU)
        if field.get(Name.FT) == Name.Tx:
            yield _field_entry(pdf, field, Name.V)
            yield _field_entry(pdf, field, Name.DV)


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
    drawn = [redraw(pdf, widget, text, str(widget.get(Name.DA, default))) for widget in widgets]
    if not all(drawn):
        form[Name.NeedAppearances] = True
