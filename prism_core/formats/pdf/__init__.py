"""PDF: paragraphs from the pages, and a rebuilt document that keeps their layout, or flows.

Entry: ``PdfFormat``; ``pack`` keeps what was read, so that its writer need not read the pages
again; ``add_notes`` tells a reader of a paragraph.
"""

from __future__ import annotations

import hashlib
import io
import pickle
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pikepdf
from pikepdf import Name

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, FormatOptions, Formats, notices, turns_round
from prism_core.formats.pdf.content import (
    NO_ATTACHMENTS,
    Attachments,
    PdfContent,
    content_of,
    read_attachments,
    rewrite_attachments,
)
from prism_core.formats.pdf.geometry import Box, bounding_box, frame_matrix, invert, transform
from prism_core.formats.pdf.libraries import (
    MALFORMED,
    map_errors,
    open_pdf,
    save_to_bytes,
    silence_libraries,
)
from prism_core.formats.pdf.rebuild import rebuild_pdf
from prism_core.formats.pdf.style import refuse_undrawable
from prism_core.formats.sandbox import ResultReader
from prism_core.formats.untranslated_marks import COMMENTS, marks_of, plain_of

__all__ = ["PdfFormat"]


class PdfFormat:
    """Reads and rebuilds PDF files; ``formats`` reads what is attached to them.

    See ``DocumentFormat``.
    """

    name = "pdf"

    def __init__(self, formats: Formats) -> None:
        self._formats = formats

    def read(self, path: Path) -> Document:
        """The paragraphs of all pages in order, title, bookmarks, notes and form values, and what
        the attached files say.

        Raises ``DocumentError``, too, for a target that could not be drawn: nothing is to be sent.
        """
        if self._formats.options.pdf_output == "pdf":
            refuse_undrawable(self._formats.options.target)
        with self._open(path, DocumentFailure.CORRUPT) as content:
            parsed = pack(content, self._formats.options)
            return Document(path, self.name, content.segments, content.notices, parsed)

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write ``document`` with ``translations`` in the place of its segments.

        As a PDF: pages, images, graphics and links stay. As a document that flows: see
        ``flow_document``; attached files are left out and counted. Raises ``DocumentError``
        (UNREBUILDABLE) when the file no longer has the segments of ``document``.
        """
        failure = DocumentFailure.UNREBUILDABLE
        with self._open(document.path, failure, document.parsed) as content:
            if content.segments != document.segments or len(translations) != len(content.segments):
                raise DocumentError(failure)
            own = len(translations) - len(content.attached.segments)
            paragraphs = len(content.chains)
            flows = self._formats.options.pdf_output == "docx"  # says its marks in the text

            def said() -> Iterator[Translation]:  # one by one: all would be most of the memory
                for number, one in enumerate(islice(translations, own)):
                    yield one if flows and number < paragraphs else plain_of(one)

            texts = [one.text for one in said()]
            texts = [*content.texts_of_blocks(texts[:paragraphs]), *texts[paragraphs:]]
            if flows:
                from prism_core.formats.pdf.flowing import flow_document  # brings python-docx

                data, told = flow_document(content, texts, self._formats.options)
                of_files = notices({"attachments-left-out": content.attached.count})
            else:
                looks, lost = content.looks_of_blocks(islice(said(), paragraphs))
                data, told = rebuild_pdf(content, texts, looks, turns_round(self._formats.options))
                data = add_notes(data, content, islice(translations, paragraphs))
                told += notices({"formatting-simplified": lost})
                data, of_files = rewrite_attachments(data, content.attached, translations[own:])
        path.write_bytes(data)
        left = sum(bool(marks_of(said)) for said in translations[paragraphs:own])
        return (*told, *of_files, *notices({"marks-left-out": left}))

    @contextmanager
    def _open(
        self, path: Path, failure: DocumentFailure, parsed: bytes = b""
    ) -> Iterator[PdfContent]:
        """The content of a PDF, as it was ``parsed`` or anew; what a library raises meanwhile is a
        ``failure``."""
        options = self._formats.options
        with silence_libraries(), map_errors(failure), TemporaryDirectory() as folder:
            data, told = open_pdf(path)
            attached = read_attachments(data, self._formats, Path(folder))
            content = unpack(parsed, data, attached, options) if parsed else None
            yield content or content_of(data, told, attached, options)


_MOST: Final = 16 << 20
"""Bytes of what is packed: some 3,000 full pages. More is not kept."""


def pack(content: PdfContent, options: FormatOptions) -> bytes:
    """``content`` without the file's bytes and what is attached to it; empty if it is large."""
    bare = replace(content, data=b"", attached=NO_ATTACHMENTS)
    whole = pickle.dumps((_origin(content.data, options), bare), pickle.HIGHEST_PROTOCOL)
    packed = zlib.compress(whole, 1)
    return packed if len(packed) <= _MOST else b""


def unpack(
    packed: bytes, data: bytes, attached: Attachments, options: FormatOptions
) -> PdfContent | None:
    """What was ``packed`` of the PDF ``data``, with what is ``attached`` to it.

    None if it is of another file, was read with other options, or is damaged. It was made where
    that document was read: only types of the formats are made of it, and nothing in it is run.
    """
    with suppress(*MALFORMED, EOFError, pickle.UnpicklingError, zlib.error):
        origin, content = ResultReader(io.BytesIO(zlib.decompress(packed))).load()
        if origin == _origin(data, options) and isinstance(content, PdfContent):
            return replace(content, data=data, attached=attached)
    return None


def _origin(data: bytes, options: FormatOptions) -> tuple[bytes, str, bool]:
    """What decides what is read."""
    return hashlib.sha256(data).digest(), options.source, options.ocr


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
