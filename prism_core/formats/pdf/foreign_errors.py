"""The one place where errors of the PDF libraries become ``DocumentError``."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pikepdf
import pypdfium2
from pdfminer.psexceptions import PSException
from pypdf.errors import PyPdfError

from prism_core.errors import DocumentError, DocumentFailure

MALFORMED = (
    pikepdf.PdfError,
    pypdfium2.PdfiumError,
    PSException,
    PyPdfError,
    ArithmeticError,
    AssertionError,
    AttributeError,
    LookupError,
    RuntimeError,
    TypeError,
    ValueError,
)
"""What the libraries raise on objects of the wrong type, out of range, or nested too deep."""


@contextmanager
def reported_as(failure: DocumentFailure) -> Iterator[None]:
    """Turn what malformed objects raise into ``failure``, without the words of the library."""
    try:
        yield
    except MALFORMED:
        raise DocumentError(failure) from None
