"""The registry of document formats: what `detect` names, and how each name is read and rebuilt.

A format's module, and with it the format's library, is imported when the format is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import DEFAULT_OPTIONS, Document, DocumentFormat, FormatOptions
from prism_core.formats.detection import detect
from prism_core.formats.embedded import Formats


def _formats(options: FormatOptions) -> Formats:
    # What is embedded keeps its type, which is named beside it.
    inner = replace(options, pdf_output="pdf", depth=options.depth + 1)
    return Formats(detect, partial(format_for, options=inner), options, output_suffix)


def _legacy(name: str, into: str, options: FormatOptions) -> DocumentFormat:
    from prism_core.formats.legacy import LegacyFormat

    return LegacyFormat(name, into, _formats(options))


def _docx(_options: FormatOptions) -> DocumentFormat:
    from prism_core.formats.docx import DocxFormat

    return DocxFormat()


def _eml(options: FormatOptions) -> DocumentFormat:
    from prism_core.formats.mail import MailFormat

    return MailFormat(_formats(options))


def _html(options: FormatOptions) -> DocumentFormat:
    from prism_core.formats.hypertext import HtmlFormat

    return HtmlFormat(options)


def _ics(options: FormatOptions) -> DocumentFormat:
    from prism_core.formats.ics import IcsFormat

    return IcsFormat(options)


def _markdown(_options: FormatOptions) -> DocumentFormat:
    from prism_core.formats.markdown import MarkdownFormat

    return MarkdownFormat()


def _mbox(options: FormatOptions) -> DocumentFormat:
    from prism_core.formats.mail import MboxFormat

    return MboxFormat(_formats(options))


def _msg(options: FormatOptions) -> DocumentFormat:
    from prism_core.formats.mail import OutlookFormat

    return OutlookFormat(_formats(options))


def _odt(_options: FormatOptions) -> DocumentFormat:
    from prism_core.formats.odt import OdtFormat

    return OdtFormat()


def _pdf(options: FormatOptions) -> DocumentFormat:
    from prism_core.formats.pdf import PdfFormat

    return PdfFormat(_formats(options))


def _rtf(_options: FormatOptions) -> DocumentFormat:
    from prism_core.formats.rtf import RtfFormat

    return RtfFormat()


def _pptx(_options: FormatOptions) -> DocumentFormat:
    from prism_core.formats.pptx import PptxFormat

    return PptxFormat()


def _xlsx(_options: FormatOptions) -> DocumentFormat:
    from prism_core.formats.xlsx import XlsxFormat

    return XlsxFormat()


def _text(_options: FormatOptions) -> DocumentFormat:
    from prism_core.formats.plain import TextFormat

    return TextFormat()


FORMATS: Mapping[str, Callable[[FormatOptions], DocumentFormat]] = {
    "doc": partial(_legacy, "doc", "docx"),
    "docx": _docx,
    "eml": _eml,
    "html": _html,
    "ics": _ics,
    "mbox": _mbox,
    "md": _markdown,
    "msg": _msg,
    "odt": _odt,
    "pdf": _pdf,
    "ppt": partial(_legacy, "ppt", "pptx"),
    "pptx": _pptx,
    "rtf": _rtf,
    "txt": _text,
    "xls": partial(_legacy, "xls", "xlsx"),
    "xlsx": _xlsx,
}
"""Every format by the name that `detect` gives and the report prints."""


@cache
def format_for(name: str, options: FormatOptions = DEFAULT_OPTIONS) -> DocumentFormat:
    """The format called ``name``; ``DocumentError`` (unsupported) when there is none."""
    if name not in FORMATS:
        raise DocumentError(DocumentFailure.UNSUPPORTED)
    return FORMATS[name](options)


def read_document(path: Path, options: FormatOptions = DEFAULT_OPTIONS) -> Document:
    """Recognise the file at ``path`` by its content and read it. Raises ``DocumentError``."""
    return format_for(detect(path), options).read(path)


_LEGACY = {"doc": ".docx", "ppt": ".pptx", "xls": ".xlsx"}
_OUTPUT_SUFFIXES = {"msg": ".eml", **_LEGACY}
"""Beside the registry, not on the format, so that asking loads no format's library."""


def output_suffix(name: str, options: FormatOptions = DEFAULT_OPTIONS) -> str:
    """What is appended to a name: ``.eml`` for ``msg``, as is rebuilt; empty where it stays."""
    if name == "pdf" and options.pdf_output == "docx":
        return ".docx"
    return _OUTPUT_SUFFIXES.get(name, "")


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


__all__ = [
    "FORMATS",
    "Translation",
    "detect",
    "format_for",
    "output_suffix",
    "read_document",
    "write_document",
]
