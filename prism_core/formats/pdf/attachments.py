"""Files attached to a PDF: read and rebuilt by their own format, as those of a message are."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import pikepdf
from pikepdf import Name

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, DocumentFormat, Formats, Segment
from prism_core.formats.pdf.properties import well_formed_annotations

_DEEPEST: Final = 5
"""Documents attached to documents attached to documents …"""
_MOST: Final = 1_000


@dataclass(frozen=True, slots=True)
class Attached:
    """An attached file that has text: ``number`` is its place among all that are attached."""

    number: int
    document: Document
    format: DocumentFormat


@dataclass(frozen=True, slots=True)
class Attachments:
    """What is attached to a PDF, as far as it can be translated; notices name the classes of the
    rest, which stays as it is. ``count`` is that of all."""

    files: tuple[Attached, ...]
    notices: tuple[str, ...]
    count: int = 0

    @property
    def segments(self) -> tuple[Segment, ...]:
        """The texts of all files."""
        return tuple(segment for file in self.files for segment in file.document.segments)


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
                file = _read_file(number, path, formats)
            except DocumentError as error:
                notices.append(f"attachment:{error.failure.value}")
            else:
                files.append(file)
                notices += file.document.notices
        return Attachments(tuple(files), tuple(notices), len(streams))


def _read_file(number: int, path: Path, formats: Formats) -> Attached:
    if formats.options.depth >= _DEEPEST or number >= _MOST:
        raise DocumentError(DocumentFailure.TOO_LARGE)
    name = formats.detect(path)
    if formats.output_type(name).suffix:
        raise DocumentError(DocumentFailure.UNSUPPORTED)
    found = formats.get(name)
    return Attached(number, found.read(path), found)


def rewrite_attachments(
    data: bytes, attachments: Attachments, translations: Sequence[Translation]
) -> tuple[bytes, tuple[str, ...]]:
    """The PDF ``data`` with ``translations`` in its attachments, and notices.

    A file that cannot be rebuilt stays as it was, and a notice gives the class.
    """
    rebuilt: dict[int, bytes] = {}
    notices: list[str] = []
    taken = 0
    for file in attachments.files:
        segments = file.document.segments
        given = translations[taken : taken + len(segments)]
        taken += len(segments)
        if any(s.text != said.text for s, said in zip(segments, given, strict=True)):
            path = file.document.path.with_name(f"rebuilt{file.number}")
            try:
                notices += file.format.write(file.document, given, path)
                rebuilt[file.number] = path.read_bytes()
            except DocumentError as error:
                notices.append(f"attachment:{error.failure.value}")
    return (_replace_streams(data, rebuilt) if rebuilt else data), tuple(notices)


def _replace_streams(data: bytes, rebuilt: dict[int, bytes]) -> bytes:
    with pikepdf.open(io.BytesIO(data)) as pdf:
        for number, stream in enumerate(_streams(pdf)):
            if number in rebuilt:
                stream.write(rebuilt[number])
                parameters = stream.get(Name.Params)
                if isinstance(parameters, pikepdf.Dictionary):
                    parameters[Name.Size] = len(rebuilt[number])
                    if Name.CheckSum in parameters:
                        del parameters[Name.CheckSum]
        buffer = io.BytesIO()
        pdf.save(buffer, deterministic_id=True)
        return buffer.getvalue()


def _streams(pdf: pikepdf.Pdf) -> list[pikepdf.Stream]:
    """The content of each attached file once, in an order that depends on the document alone."""
    found: dict[tuple[int, int], pikepdf.Stream] = {}
    for specification in _specifications(pdf):
        held = specification.get(Name.EF)
        if not isinstance(held, pikepdf.Dictionary):
            continue
        for stream in (held.get(Name.UF), held.get(Name.F)):
            if isinstance(stream, pikepdf.Stream):
                found.setdefault(stream.objgen, stream)
    return list(found.values())


def _specifications(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    """What names an attached file: in the list of the document, or on a page."""
    attached = pdf.attachments
    yield from (attached[name].obj for name in sorted(attached))
    for page in pdf.pages:
        for annotation in well_formed_annotations(page):
            specification = annotation.get(Name.FS)
            if isinstance(specification, pikepdf.Dictionary):
                yield specification
