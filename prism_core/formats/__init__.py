"""The registry of document formats: what `detect` names, and how each name is read and rebuilt.

A format's module, and with it the format's library, is imported when the format is first used.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Final

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.files import pin_regular
from prism_core.formats.base import (
    DEFAULT_OPTIONS,
    Document,
    DocumentFormat,
    FormatOptions,
    Formats,
    OutputType,
    PackedTranslations,
    Segment,
    TriedFormat,
    count_sentences,
    notices,
    refuse_more,
)
from prism_core.formats.detection import detect
from prism_core.formats.marks import Mark, mark_places
from prism_core.formats.sandbox import Sandbox, SandboxLimits
from prism_core.formats.tesseract import check_tesseract
from prism_core.formats.text import show_looks

_OFFICE: Final = "application/vnd.openxmlformats-officedocument."


_SMALL: Final = 1_000_000
"""Bytes of a document that no limit of memory or size is too little to pack."""


@dataclass(frozen=True, slots=True)
class FormatEntry:
    """Where a format is, and what is known of it before its library is loaded.

    ``maker`` (``module:name`` within this package) makes it; it takes nothing, or the ``Formats``
    (``takes_formats``) with the options, by which it reads what is embedded. ``written_as`` names
    the format of what it writes, where that is another one. ``media_type`` is what documents of
    the format are declared as, where others are written as it. ``is_tried``: writing is tried when
    a document is read; it takes no longer than reading.
    """

    maker: str
    takes_formats: bool = False
    written_as: str = ""
    media_type: str = ""
    is_tried: bool = False

    def make(self, options: FormatOptions) -> DocumentFormat:
        """The format; its module is imported."""
        module, _, name = self.maker.partition(":")
        maker: Callable[..., DocumentFormat] = getattr(import_module(f"{__name__}.{module}"), name)
        if not self.takes_formats:
            return maker()
        # What is embedded keeps its type, which is named beside it.
        inner = replace(options, pdf_output="pdf", depth=options.depth + 1)
        return maker(Formats(detect, partial(format_for, options=inner), options, output_type))


FORMATS: Mapping[str, FormatEntry] = {
    "doc": FormatEntry("legacy:DOC", takes_formats=True, written_as="docx"),
    "docx": FormatEntry(
        "docx:DocxFormat",
        media_type=f"{_OFFICE}wordprocessingml.document",
        is_tried=True,
        takes_formats=True,
    ),
    "eml": FormatEntry("mail:MailFormat", takes_formats=True, media_type="message/rfc822"),
    "html": FormatEntry("hypertext:HtmlFormat", takes_formats=True, is_tried=True),
    "ics": FormatEntry("ics:IcsFormat", takes_formats=True, is_tried=True),
    "mbox": FormatEntry("mail:MboxFormat", takes_formats=True),
    "md": FormatEntry("markdown:MarkdownFormat", is_tried=True),
    "msg": FormatEntry("mail:OutlookFormat", takes_formats=True, written_as="eml"),
    "odt": FormatEntry("odt:OdtFormat", takes_formats=True, is_tried=True),
    "pdf": FormatEntry("pdf:PdfFormat", takes_formats=True),
    "ppt": FormatEntry("legacy:PPT", takes_formats=True, written_as="pptx"),
    "pptx": FormatEntry(
        "pptx:PptxFormat",
        media_type=f"{_OFFICE}presentationml.presentation",
        is_tried=True,
        takes_formats=True,
    ),
    "rtf": FormatEntry("rtf:RtfFormat", takes_formats=True, is_tried=True),
    "txt": FormatEntry("plain:TextFormat", is_tried=True),
    "xls": FormatEntry("legacy:XLS", takes_formats=True, written_as="xlsx"),
    "xlsx": FormatEntry(
        "xlsx:XlsxFormat",
        media_type=f"{_OFFICE}spreadsheetml.sheet",
        is_tried=True,
        takes_formats=True,
    ),
}
"""Every format by the name that `detect` gives and the report prints."""


@cache
def format_for(name: str, options: FormatOptions = DEFAULT_OPTIONS) -> DocumentFormat:
    """The format called ``name``; ``DocumentError`` (unsupported) when there is none."""
    if name not in FORMATS:
        raise DocumentError(DocumentFailure.UNSUPPORTED)
    return FORMATS[name].make(options)


def read_document(path: Path, options: FormatOptions = DEFAULT_OPTIONS) -> Document:
    """Recognise the file at ``path`` by its content and read it. Raises ``DocumentError``."""
    return format_for(detect(path), options).read(path)


def read_held(folder: Path, relative: str, options: FormatOptions = DEFAULT_OPTIONS) -> Document:
    """``read_document`` of a file that may change or go meanwhile; see ``pin_regular``.

    Raises ``DocumentError``, too, for a document with more than ``most_sentences`` (too large), and
    for one that could not be written: nothing of it is to be sent.
    """

    def trial(document: Document) -> list[Translation]:
        texts = [segment.text for segment in document.segments]
        refuse_more(count_sentences(texts), options)
        return [Translation(text.swapcase()) for text in texts]

    with pin_regular(folder, relative) as path:
        name = detect(path)
        if not FORMATS[name].is_tried:
            document = format_for(name, options).read(path)
            trial(document)
            return document
        # Of a large one it is also seen whether it can be packed within the limits.
        options = replace(options, is_trial=path.stat().st_size <= _SMALL)
        document_format = format_for(name, options)
        place = path.with_name("trial" if path.name != "trial" else "tried")
        if isinstance(document_format, TriedFormat):
            return document_format.read_and_try(path, trial, place)
        document = document_format.read(path)
        document_format.write(document, trial(document), place)
    return document


def output_suffix(name: str, options: FormatOptions = DEFAULT_OPTIONS) -> str:
    """What is appended to a name: ``.eml`` for ``msg``, as is rebuilt; empty where it stays."""
    if name == "pdf" and options.pdf_output == "docx":
        return ".docx"
    return output_type(name).suffix


def output_type(name: str) -> OutputType:
    """What an embedded document of the format ``name`` is written as."""
    written = FORMATS[name].written_as if name in FORMATS else ""
    return OutputType(f".{written}", FORMATS[written].media_type) if written else OutputType()


def write_document(
    document: Document,
    translations: Sequence[Translation],
    path: Path,
    options: FormatOptions = DEFAULT_OPTIONS,
) -> tuple[str, ...]:
    """Rebuild ``document`` at ``path`` with its format's writer. Raises ``DocumentError``."""
    if len(translations) != len(document.segments):
        raise DocumentError(DocumentFailure.UNREBUILDABLE)
    return format_for(document.format, options).write(document, translations, path)


def write_held(
    folder: Path,
    document: Document,
    translations: Sequence[Translation],
    path: Path,
    options: FormatOptions = DEFAULT_OPTIONS,
) -> tuple[str, ...]:
    """``write_document``, where the path of ``document`` is relative; see ``pin_regular``."""
    with pin_regular(folder, os.fspath(document.path)) as held:
        return write_document(replace(document, path=held), translations, path, options)


__all__ = [
    "FORMATS",
    "Document",
    "FormatOptions",
    "Mark",
    "PackedTranslations",
    "Sandbox",
    "SandboxLimits",
    "Segment",
    "Translation",
    "check_tesseract",
    "detect",
    "format_for",
    "mark_places",
    "notices",
    "output_suffix",
    "read_document",
    "read_held",
    "show_looks",
    "write_document",
    "write_held",
]
