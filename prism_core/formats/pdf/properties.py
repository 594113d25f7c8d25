"""Text beside the pages: title, subject, keywords, bookmarks, notes and the values of forms.

Entry: `find_properties`; each `Property` knows how to replace its text, and to redraw it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import pikepdf
from pikepdf import Name, String
from pikepdf.models import PdfMetadata

from prism_core.formats.pdf.annotation_drawing import redraw
from prism_core.formats.pdf.libraries import (
    SHOWS_TEXT,
    as_dictionary,
    drop,
    list_dictionaries,
    save_to_bytes,
)
from prism_core.formats.untranslated_marks import is_mark

_INFO_KEYS = (Name.Title, Name.Subject, Name.Keywords)
MAX_BOOKMARKS = 20_000
_IPTC = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
_BY_MODEL = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia"


@dataclass(frozen=True, slots=True)
class Property:
    """Text at ``key`` of ``holder``; ``replace`` returns False if it does not fit its drawing."""

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
        return redraw(pdf, note, text)
    drop(note, Name.RC)  # the same words with formatting
    return True


def _redraw_widgets(pdf: pikepdf.Pdf, field: pikepdf.Object, text: str) -> bool:
    """Redraw the value, as the old drawing shows the source; else ask the viewer to draw it."""
    for node in list_dictionaries([field, *field.get(Name.Kids, pikepdf.Array([])).as_list()]):
        if Name.Rect in node and not redraw(pdf, node, text):
            pdf.Root.AcroForm[Name.NeedAppearances] = True
    return True


def mark_translation(path: Path, name: str, text: str) -> None:
    """Set the property ``name`` of a PDF, and name a model as its source as IPTC defines it."""
    PdfMetadata.register_xml_namespace(_IPTC, "Iptc4xmpExt")
    with pikepdf.open(path) as pdf:
        pdf.docinfo[f"/{name}"] = text
        with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as metadata:
            metadata[f"{{{_IPTC}}}DigitalSourceType"] = _BY_MODEL
        data = save_to_bytes(pdf)
    path.write_bytes(data)
