"""Places of the annotations that cover what a page shows below them."""

from __future__ import annotations

from collections.abc import Iterator

from pdfminer.pdfpage import PDFPage
from pdfminer.pdftypes import resolve1, resolve_all
from pdfminer.psparser import literal_name

from prism_core.formats.pdf.geometry import Box, Matrix, transform

_COVERING = ("Widget", "FreeText", "Stamp", "FileAttachment")
_HIDDEN = 1 << 1 | 1 << 5
"""Flags of an annotation that is not shown."""


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
