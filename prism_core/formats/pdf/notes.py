"""Notes on the pages of a PDF: what a reader is told of a paragraph.

Entry: ``add_notes``.
"""

from __future__ import annotations

import io
from collections.abc import Iterable
from typing import Final

import pikepdf
from pikepdf import Name

from prism_core.alignment import Translation
from prism_core.formats.marks import COMMENTS, marks_of
from prism_core.formats.pdf.content import PdfContent
from prism_core.formats.pdf.geometry import Box, bounding_box, frame_matrix, invert, transform
from prism_core.formats.pdf.libraries import save_to_bytes

_SIDE: Final = 8.0
"""Of the sign of a note, in points."""
_GAP: Final = 1.5
_SIGN: Final = b"1 0.85 0.1 rg 0.55 0.4 0 RG 0.5 0.5 7 7 re B 2 5.5 m 6 5.5 l 2 3.5 m 6 3.5 l S"
_PRINTED: Final = 4


def add_notes(data: bytes, content: PdfContent, said: Iterable[Translation]) -> bytes:
    """``data``, which is the rebuilt ``content``, with a note where each paragraph begins that has
    marks in ``said``; itself where none has."""
    marked = [pair for pair in zip(content.chains, said, strict=True) if marks_of(pair[1])]
    if not marked:
        return data
    pages = {page.page.number: page.page for page in content.pages if page}
    with pikepdf.open(io.BytesIO(data)) as pdf:
        drawn = pikepdf.Stream(pdf, _SIGN, Type=Name.XObject, Subtype=Name.Form)
        drawn[Name.BBox] = [0, 0, _SIDE, _SIDE]
        for chain, translation in marked:
            block = chain[0]
            place = transform(bounding_box(block.lines), frame_matrix(block.angle))
            right = max(place.x0 - _GAP, _SIDE)
            sign = Box(right - _SIDE, place.y1 - _SIDE, right, place.y1)
            box = transform(sign, invert(pages[block.page].ctm))
            page = pdf.pages[block.page - 1]
            if not isinstance(page.obj.get(Name.Annots), pikepdf.Array):
                page.obj[Name.Annots] = pikepdf.Array()
            for mark in marks_of(translation):
                note = pikepdf.Dictionary(
                    Type=Name.Annot,
                    Subtype=Name.Text,
                    Rect=[round(float(edge), 2) for edge in (box.x0, box.y0, box.x1, box.y1)],
                    Contents=pikepdf.String(mark.comment_on(translation, quoted=True)),
                    T=pikepdf.String(COMMENTS),
                    Name=Name.Comment,
                    F=_PRINTED,
                    AP=pikepdf.Dictionary(N=drawn),
                )
                page.obj[Name.Annots].append(pdf.make_indirect(note))
        return save_to_bytes(pdf)
