"""Registry of document formats: reads and writes each format that `detect` names.

A format's module, and with it the format's library, is imported when the format is first used.

To add a format, add a row to ``FORMATS``, its signs to ``detection``, and a module with a
``DocumentFormat``: a ``UnitFormat`` (``text_units``) where texts are replaced in place within a zip
or a tree, as in Office; else a layout that takes the text apart and joins it again, as ``plain``
and ``hypertext`` have. ``text`` puts a translation into lines of formatted runs.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TypeVar

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
from prism_core.formats.sandbox import Sandbox, SandboxLimits
from prism_core.formats.tesseract import check_tesseract
from prism_core.formats.text import project_looks
from prism_core.formats.untranslated_marks import Mark, mark_places
from prism_core.plugins import find_entry_points, how_to_install

_OFFICE: Final = "application/vnd.openxmlformats-officedocument."
_OLD_OFFICE: Final = "old-office"


Result = TypeVar("Result")

_SHORT_TEXT: Final = 100_000
"""Size in bytes up to which documents of nothing but text share a child."""
_TEXT_SUFFIXES: Final = frozenset({".txt", ".md", ".markdown", ""})
_TEXT_FORMATS: Final = frozenset({"txt", "md"})
_CONTROL: Final = re.compile(rb"[\x00-\x08\x0b\x0e-\x1f\x7f]")
_SMALL: Final = 1_000_000
"""Size in bytes up to which a trial is not packed: no limit of memory or size is too low for it."""


@dataclass(frozen=True, slots=True)
class FormatEntry:
    """Location of a format, and facts about it that are known before its library is loaded.

    ``maker`` makes the format from the ``Formats`` by which it reads embedded documents. It is
    ``module:name`` within this package, or the entry point of the distribution that the ``extra``
    installs. ``written_as`` names the format of the output where it differs from
    the input. ``media_type`` is the declared type of documents of this format where other formats
    are written as it. ``is_tried`` says that writing is tried when a document is read; this takes
    no longer than reading.
    """

    maker: str
    extra: str = ""
    written_as: str = ""
    media_type: str = ""
    is_tried: bool = False

    def make(self, options: FormatOptions) -> DocumentFormat:
        """Import and return the format; raise ``DocumentError`` where its extra is missing."""
        maker: Callable[..., DocumentFormat]
        module, _, name = self.maker.partition(":")
        if not self.extra:
            maker = getattr(import_module(f"{__name__}.{module}"), name)
        elif module in (added := find_entry_points(__name__)):
            maker = added[module].load()
        else:
            raise DocumentError(DocumentFailure.UNSUPPORTED, how_to_install(self.extra))
        # An embedded document keeps its type, because the outer document names that type.
        inner = replace(options, pdf_output="pdf", depth=options.depth + 1)
        return maker(Formats(detect, partial(format_for, options=inner), options, output_type))


FORMATS: Mapping[str, FormatEntry] = {
    "csv": FormatEntry("csv_table:CsvFormat", is_tried=True),
    "doc": FormatEntry("doc", _OLD_OFFICE, written_as="docx"),
    "docx": FormatEntry(
        "docx:DocxFormat", media_type=f"{_OFFICE}wordprocessingml.document", is_tried=True
    ),
    "eml": FormatEntry("mail:MailFormat", media_type="message/rfc822"),
    "html": FormatEntry("hypertext:HtmlFormat", is_tried=True),
    "ics": FormatEntry("ics:IcsFormat", is_tried=True),
    "mbox": FormatEntry("mail:MboxFormat"),
    "md": FormatEntry("markdown:MarkdownFormat", is_tried=True),
    "msg": FormatEntry("msg", _OLD_OFFICE, written_as="eml"),
    "odt": FormatEntry("odt:OdtFormat", is_tried=True),
    "pdf": FormatEntry("pdf:PdfFormat"),
    "ppt": FormatEntry("ppt", _OLD_OFFICE, written_as="pptx"),
    "pptx": FormatEntry(
        "pptx:PptxFormat", media_type=f"{_OFFICE}presentationml.presentation", is_tried=True
    ),
    "rtf": FormatEntry("rtf", _OLD_OFFICE, is_tried=True),
    "txt": FormatEntry("plain:TextFormat", is_tried=True),
    "xls": FormatEntry("xls", _OLD_OFFICE, written_as="xlsx"),
    "xlsx": FormatEntry(
        "xlsx:XlsxFormat", media_type=f"{_OFFICE}spreadsheetml.sheet", is_tried=True
    ),
}
"""Formats by the name that `detect` returns and the report prints."""


@cache
def format_for(name: str, options: FormatOptions = DEFAULT_OPTIONS) -> DocumentFormat:
    """Return the format ``name``; raise ``DocumentError`` (unsupported) for an unknown name."""
    if name not in FORMATS:
        raise DocumentError(DocumentFailure.UNSUPPORTED)
    return FORMATS[name].make(options)


def read_document(path: Path, options: FormatOptions = DEFAULT_OPTIONS) -> Document:
    """Detect the format of ``path`` by its content and read it; raise ``DocumentError``."""
    return format_for(detect(path), options).read(path)


def read_input_document(
    folder: Path, relative: str, options: FormatOptions = DEFAULT_OPTIONS
) -> Document:
    """Read a document of an input folder and check that it can be written.

    The file may change or disappear meanwhile; see ``pin_regular``. Raises ``DocumentError`` as
    ``read_document`` does. It also raises ``DocumentError`` for a document with more than
    ``most_sentences`` sentences (too large) and for a document that could not be written, so that
    nothing of it is sent.
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
        # The trial of a large document also packs it, to see whether the limits allow that.
        options = replace(options, is_trial=path.stat().st_size <= _SMALL)
        document_format = format_for(name, options)
        trial_path = path.with_name("trial" if path.name != "trial" else "tried")
        if isinstance(document_format, TriedFormat):
            return document_format.read_and_try(path, trial, trial_path)
        document = document_format.read(path)
        document_format.write(document, trial(document), trial_path)
    return document


def run_on_document(
    sandbox: Sandbox,
    size: int,
    function: Callable[..., Result],
    folder: Path,
    document: str | Document,
    *args: Any,
) -> Result:
    """Call ``function(folder, document, *args)`` in a child; ``size`` is in bytes.

    Each document has a child of its own, but for short ones of nothing but text, whose parsers are
    in Python alone. Raises what ``Sandbox.call`` does.
    """
    path = document.path if isinstance(document, Document) else Path(document)
    if size <= _SHORT_TEXT and path.suffix.lower() in _TEXT_SUFFIXES:
        found: Result | None = sandbox.call_warm(_call_if_text, function, folder, document, *args)
        if found is not None:
            return found
    return sandbox.call(function, folder, document, *args)


def _call_if_text(
    function: Callable[..., Result], folder: Path, document: str | Document, *args: Any
) -> Result | None:
    """Call ``function`` if the document is text without control characters; else return None."""
    path = str(document.path) if isinstance(document, Document) else document
    with pin_regular(folder, path) as pinned:
        content = pinned.read_bytes()
        if len(content) > _SHORT_TEXT or _CONTROL.search(content):
            return None
        content.decode("utf-8")
        if detect(pinned) not in _TEXT_FORMATS:
            return None
    return function(folder, document, *args)


def output_suffix(name: str, options: FormatOptions = DEFAULT_OPTIONS) -> str:
    """Return the suffix that an output's name gets, such as ``.eml`` for ``msg``, or none."""
    if name == "pdf" and options.pdf_output == "docx":
        return ".docx"
    return output_type(name).suffix


def output_type(name: str) -> OutputType:
    """Return the type that an embedded document of the format ``name`` is written as."""
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


def write_output_document(
    folder: Path,
    document: Document,
    translations: Sequence[Translation],
    path: Path,
    options: FormatOptions = DEFAULT_OPTIONS,
    notice: str = "",
) -> tuple[str, ...]:
    """Rebuild a document below ``folder``, pinned meanwhile; add a ``notice`` of who translated."""
    with pin_regular(folder, os.fspath(document.path)) as held:
        issued = write_document(replace(document, path=held), translations, path, options)
    if notice:
        from prism_core.formats.translation_notice import add_notice  # its libraries take time

        written = output_suffix(document.format, options).removeprefix(".") or document.format
        add_notice(path, written, notice)
    return issued


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
    "project_looks",
    "read_document",
    "read_input_document",
    "run_on_document",
    "write_document",
    "write_output_document",
]
