"""The registry of document formats: what `detect` names, and how each name is read and rebuilt.

A format's module, and with it the format's library, is imported when the format is first used.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, DocumentFormat
from prism_core.formats.detection import detect


def _docx() -> DocumentFormat:
    from prism_core.formats.docx import DocxFormat

    return DocxFormat()


def _eml() -> DocumentFormat:
    from prism_core.formats.mail import Formats, MailFormat

    return MailFormat(Formats(detect, format_for))


def _html() -> DocumentFormat:
    from prism_core.formats.web_page import HtmlFormat

    return HtmlFormat()


def _markdown() -> DocumentFormat:
    from prism_core.formats.markdown import MarkdownFormat

    return MarkdownFormat()


def _mbox() -> DocumentFormat:
    from prism_core.formats.mail import Formats, MboxFormat

    return MboxFormat(Formats(detect, format_for))


def _msg() -> DocumentFormat:
    from prism_core.formats.mail import Formats, OutlookFormat

    return OutlookFormat(Formats(detect, format_for))


def _odt() -> DocumentFormat:
    from prism_core.formats.odt import OdtFormat

    return OdtFormat()


def _pdf() -> DocumentFormat:
    from prism_core.formats.pdf import PdfFormat

    return PdfFormat()


def _rtf() -> DocumentFormat:
    from prism_core.formats.rtf import RtfFormat

    return RtfFormat()


def _pptx() -> DocumentFormat:
    from prism_core.formats.pptx import PptxFormat

    return PptxFormat()


def _xlsx() -> DocumentFormat:
    from prism_core.formats.xlsx import XlsxFormat

    return XlsxFormat()


def _text() -> DocumentFormat:
    from prism_core.formats.text import TextFormat

    return TextFormat()


FORMATS: Mapping[str, Callable[[], DocumentFormat]] = {
    "docx": _docx,
    "eml": _eml,
    "html": _html,
    "mbox": _mbox,
    "md": _markdown,
    "msg": _msg,
    "odt": _odt,
    "pdf": _pdf,
    "pptx": _pptx,
    "rtf": _rtf,
    "txt": _text,
    "xlsx": _xlsx,
}
"""Every format by the name that `detect` gives and the report prints."""


@cache
def format_for(name: str) -> DocumentFormat:
    """The format called ``name``; ``DocumentError`` (unsupported) when there is none."""
    if name not in FORMATS:
        raise DocumentError(DocumentFailure.UNSUPPORTED)
    return FORMATS[name]()


def read_document(path: Path) -> Document:
    """Recognise the file at ``path`` by its content and read it. Raises ``DocumentError``."""
    return format_for(detect(path)).read(path)


_OUTPUT_SUFFIXES = {"msg": ".eml"}
"""Beside the registry, not on the format, so that asking loads no format's library."""


def output_suffix(name: str) -> str:
    """The suffix of what ``name`` is rebuilt as: ``.eml`` for ``msg``, else empty: the same."""
    return _OUTPUT_SUFFIXES.get(name, "")


def write_document(document: Document, translations: Sequence[str], path: Path) -> tuple[str, ...]:
    """Rebuild ``document`` at ``path`` with its format's writer. Raises ``DocumentError``."""
    if len(translations) != len(document.segments):
        raise DocumentError(DocumentFailure.UNREBUILDABLE)
    return format_for(document.format).write(document, translations, path)


__all__ = ["FORMATS", "detect", "format_for", "output_suffix", "read_document", "write_document"]
