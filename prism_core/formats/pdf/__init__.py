"""Read PDF files into paragraphs, and write them back with their layout or as a flowing document.

Entry: ``PdfFormat``; ``pack`` keeps the parsed content for the writer.
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
    read_attachments,
    read_content,
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
from prism_core.plugins import find_entry_points

__all__ = ["PdfFormat"]


class PdfFormat:
    """Reader and writer of PDF files; ``formats`` handles the files attached to them."""

    name = "pdf"

    def __init__(self, formats: Formats) -> None:
        self._formats = formats

    def read(self, path: Path) -> Document:
        """Read the paragraphs of all pages in order, then the properties and the attached files.

        Properties are title, bookmarks, notes and form values.

        Raises ``DocumentError``, also when the target language could not be drawn: nothing is to be
        sent then.
        """
        if self._formats.options.pdf_output == "pdf":
            refuse_undrawable(self._formats.options.target)
        with self._open(path, DocumentFailure.CORRUPT) as content:
            parsed = pack(content, self._formats.options)
            return Document(path, self.name, content.segments, content.notices, parsed)

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write ``document`` with each segment replaced by its translation.

        As a PDF, pages, images, graphics and links stay. As a flowing document (see
        ``flow_document``), attached files are left out and counted. Raises ``DocumentError``
        (UNREBUILDABLE) when the file no longer has the segments of ``document``.
        """
        failure = DocumentFailure.UNREBUILDABLE
        with self._open(document.path, failure, document.parsed) as content:
            if content.segments != document.segments or len(translations) != len(content.segments):
                raise DocumentError(failure)
            own_count = len(translations) - len(content.attached.segments)
            paragraphs = len(content.chains)
            flows = self._formats.options.pdf_output == "docx"  # marks stay in its text

            # a generator: a list of all would be most of the memory
            def iterate_translations() -> Iterator[Translation]:
                for number, translation in enumerate(islice(translations, own_count)):
                    yield translation if flows and number < paragraphs else plain_of(translation)

            texts = [translation.text for translation in iterate_translations()]
            texts = [*content.split_texts(texts[:paragraphs]), *texts[paragraphs:]]
            if flows:
                write_word = find_entry_points("prism_core.formats.pdf")["docx"].load()
                data, issued = write_word(content, texts, self._formats.options)
                attachment_notices = notices({"attachments-left-out": content.attached.count})
            else:
                looks, lost = content.split_looks(islice(iterate_translations(), paragraphs))
                right_to_left = turns_round(self._formats.options)
                data, issued = rebuild_pdf(content, texts, looks, right_to_left)
                data = add_notes(data, content, islice(translations, paragraphs))
                issued += notices({"formatting-simplified": lost})
                data, attachment_notices = rewrite_attachments(
                    data, content.attached, translations[own_count:]
                )
        path.write_bytes(data)
        unplaced = translations[paragraphs:own_count]
        marked = sum(bool(marks_of(translation)) for translation in unplaced)
        return (*issued, *attachment_notices, *notices({"marks-left-out": marked}))

    @contextmanager
    def _open(
        self, path: Path, failure: DocumentFailure, parsed: bytes = b""
    ) -> Iterator[PdfContent]:
        """Yield the content, unpacked or read; errors of libraries are of class ``failure``."""
        options = self._formats.options
        with silence_libraries(), map_errors(failure), TemporaryDirectory() as folder:
            data, earlier_notices = open_pdf(path)
            with pikepdf.open(io.BytesIO(data)) as pdf:
                attached = read_attachments(pdf, self._formats, Path(folder))
                content = unpack(parsed, data, attached, options) if parsed else None
                content = content or read_content(pdf, data, earlier_notices, attached, options)
            yield content


_MOST: Final = 16 << 20
"""Largest packed content that is kept, in bytes: some 3,000 full pages."""


def pack(content: PdfContent, options: FormatOptions) -> bytes:
    """Serialise ``content`` without file bytes and attachments; return b"" if it is too large."""
    bare = replace(content, data=b"", attached=NO_ATTACHMENTS)
    whole = pickle.dumps((_make_cache_key(content.data, options), bare), pickle.HIGHEST_PROTOCOL)
    packed = zlib.compress(whole, 1)
    return packed if len(packed) <= _MOST else b""


def unpack(
    packed: bytes, data: bytes, attached: Attachments, options: FormatOptions
) -> PdfContent | None:
    """Restore packed content of the PDF ``data``, with the files ``attached`` to it.

    Returns None if it belongs to another file, was read with other options, or is damaged. It was
    made by the process that read the document, so unpickling builds only types of the formats and
    runs nothing.
    """
    with suppress(*MALFORMED, EOFError, pickle.UnpicklingError, zlib.error):
        origin, content = ResultReader(io.BytesIO(zlib.decompress(packed))).load()
        if origin == _make_cache_key(data, options) and isinstance(content, PdfContent):
            return replace(content, data=data, attached=attached)
    return None


def _make_cache_key(data: bytes, options: FormatOptions) -> tuple[bytes, str, bool]:
    """Return the key of everything that decides the parsed content."""
    return hashlib.sha256(data).digest(), options.source, options.ocr


_SIDE: Final = 8.0
"""Side of the icon of a note, in points."""
_GAP: Final = 1.5
_SIGN: Final = b"1 0.85 0.1 rg 0.55 0.4 0 RG 0.5 0.5 7 7 re B 2 5.5 m 6 5.5 l 2 3.5 m 6 3.5 l S"
_PRINTED: Final = 4


def add_notes(data: bytes, content: PdfContent, translations: Iterable[Translation]) -> bytes:
    """Add a comment beside each paragraph of the rebuilt ``data`` that has marks."""
    marked = [pair for pair in zip(content.chains, translations, strict=True) if marks_of(pair[1])]
    if not marked:
        return data
    pages = {page.page.number: page.page for page in content.pages if page}
    with pikepdf.open(io.BytesIO(data)) as pdf:
        icon_form = pikepdf.Stream(pdf, _SIGN, Type=Name.XObject, Subtype=Name.Form)
        icon_form[Name.BBox] = [0, 0, _SIDE, _SIDE]
        for chain, translation in marked:
            block = chain[0]
            paragraph_box = transform(bounding_box(block.lines), frame_matrix(block.angle))
            right = max(paragraph_box.x0 - _GAP, _SIDE)
            icon = Box(right - _SIDE, paragraph_box.y1 - _SIDE, right, paragraph_box.y1)
            box = transform(icon, invert(pages[block.page].ctm))
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
                    AP=pikepdf.Dictionary(N=icon_form),
                )
                page.obj[Name.Annots].append(pdf.make_indirect(note))
        return save_to_bytes(pdf)
