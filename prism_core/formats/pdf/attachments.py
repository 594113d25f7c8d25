"""Files attached to a PDF: read and rebuilt by their own format, as those of a message are."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pikepdf
from pikepdf import Name

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, DocumentFormat, Formats, Segment, changed_parts
from prism_core.formats.pdf.libraries import as_dictionary, drop
from prism_core.formats.pdf.properties import well_formed_annotations
from prism_core.formats.pdf.triage import save_to_bytes

_DEEPEST: Final = 5
"""Documents attached to documents attached to documents …"""
_MOST: Final = 1_000


@dataclass(frozen=True, slots=True)
class Attached:
    """An attached file that has text: ``number`` is its place among all that are attached."""

    number: int
    document: Document
    format: DocumentFormat

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Its texts in order."""
        return self.document.segments


@dataclass(frozen=True, slots=True)
class Attachments:
    """What is attached to a PDF, as far as it can be translated; notices name the classes of the
    rest, which stays as it is. ``count`` is that of all."""

    files: tuple[Attached, ...]
    notices: tuple[str, ...]
    count: int

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The texts of all files."""
        return tuple(segment for file in self.files for segment in file.segments)


def read_attachments(data: bytes, formats: Formats, folder: Path) -> Attachments:
    """The files attached to the PDF ``data``; copies go into ``folder``, which must outlive them.

    One that is rebuilt as another type would not fit its name, and stays.
    """
    files: list[Attached] = []
    notices: list[str] = []
    with pikepdf.open(io.BytesIO(data)) as pdf:
        streams = _streams(pdf)
        for number, stream in enumerate(streams):
            path = folder / f"attachment{number}"
            path.write_bytes(stream.read_bytes())
            try:
                if formats.options.depth >= _DEEPEST or number >= _MOST:
                    raise DocumentError(DocumentFailure.TOO_LARGE)
                name = formats.detect(path)
                if formats.output_type(name).suffix:
                    raise DocumentError(DocumentFailure.UNSUPPORTED)
                found = formats.get(name)
                files.append(Attached(number, found.read(path), found))
                notices += files[-1].document.notices
            except DocumentError as error:
                notices.append(f"attachment:{error.failure.value}")
        return Attachments(tuple(files), tuple(notices), len(streams))


def rewrite_attachments(
    data: bytes, attachments: Attachments, translations: Sequence[Translation]
) -> tuple[bytes, tuple[str, ...]]:
    """The PDF ``data`` with ``translations`` in its attachments, and notices.

    A file that cannot be rebuilt stays as it was, and a notice gives the class.
    """
    rebuilt: dict[int, bytes] = {}
    notices: list[str] = []
    for file, given in changed_parts(attachments.files, translations):
        path = file.document.path.with_name(f"rebuilt{file.number}")
        try:
            notices += file.format.write(file.document, given, path)
            rebuilt[file.number] = path.read_bytes()
        except DocumentError as error:
            notices.append(f"attachment:{error.failure.value}")
    if not rebuilt:
        return data, tuple(notices)
    with pikepdf.open(io.BytesIO(data)) as pdf:
        streams = _streams(pdf)
        for number, content in rebuilt.items():
            streams[number].write(content)
            parameters = streams[number].get(Name.Params)
            if isinstance(parameters, pikepdf.Dictionary):
                parameters[Name.Size] = len(content)
                drop(parameters, Name.CheckSum)
        return save_to_bytes(pdf), tuple(notices)


def _streams(pdf: pikepdf.Pdf) -> list[pikepdf.Stream]:
    """The content of each file that the document lists or that is attached to a page, once, in an
    order that depends on the document alone."""
    specifications: list[object] = [pdf.attachments[name].obj for name in sorted(pdf.attachments)]
    for page in pdf.pages:
        specifications += [note.get(Name.FS) for note in well_formed_annotations(page)]
    found: dict[tuple[int, int], pikepdf.Stream] = {}
    for specification in specifications:
        held = as_dictionary(specification).get(Name.EF)
        for key in (Name.UF, Name.F):
            stream = as_dictionary(held).get(key)
            if isinstance(stream, pikepdf.Stream):
                found.setdefault(stream.objgen, stream)
    return list(found.values())
