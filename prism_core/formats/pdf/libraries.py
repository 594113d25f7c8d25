"""What every part needs of the PDF libraries: their errors, their silence, and ways to ask them."""

from __future__ import annotations

import logging
import warnings
from collections.abc import Iterator
from contextlib import contextmanager

import pikepdf
import pypdfium2
from pdfminer.psexceptions import PSException
from pikepdf import Name
from pypdf.errors import PyPdfError

from prism_core.errors import DocumentError, DocumentFailure

MALFORMED = (
    *(pikepdf.PdfError, pypdfium2.PdfiumError, PSException, PyPdfError, ArithmeticError),
    *(AssertionError, AttributeError, LookupError, RuntimeError, TypeError, ValueError),
)
"""What the libraries raise on objects of the wrong type, out of range, or nested too deep."""
SHOWS_TEXT = frozenset({"Tj", "TJ", "'", '"'})
"""The operators that show text."""
_MOST_LEVELS = 50
_LOGGERS = ("pdfminer", "pikepdf", "pypdf", "pypdfium2", "reportlab")


@contextmanager
def map_errors(failure: DocumentFailure) -> Iterator[None]:
    """Turn what malformed objects raise into ``failure``, without the words of the library."""
    try:
        yield
    except MALFORMED:
        raise DocumentError(failure) from None


@contextmanager
def silence_libraries() -> Iterator[None]:
    """No log record and no warning of the PDF libraries while this lasts."""
    loggers = [logging.getLogger(name) for name in _LOGGERS]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(logging.CRITICAL + 1)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    finally:
        for logger, level in zip(loggers, before, strict=True):
            logger.setLevel(level)


@contextmanager
def pdfium_document(data: bytes) -> Iterator[pypdfium2.PdfDocument]:
    """The document of ``data`` as pdfium sees it. Raises ``pypdfium2.PdfiumError``."""
    document = pypdfium2.PdfDocument(data)
    try:
        yield document
    finally:
        document.close()


def ancestors(node: object) -> Iterator[pikepdf.Object]:
    """``node`` and those above it, the nearest first; a malformed document may have no end."""
    for _ in range(_MOST_LEVELS):
        if not isinstance(node, pikepdf.Dictionary | pikepdf.Stream):
            return
        yield node
        node = node.get(Name.Parent)


def inherited(node: pikepdf.Object, key: Name) -> pikepdf.Object | None:
    """The value of ``key`` in ``node``, else in the nearest of those above it."""
    return next((each[key] for each in ancestors(node) if key in each), None)


def as_dictionary(found: object) -> pikepdf.Object:
    """``found`` if it is a dictionary, else an empty one: malformed documents hold anything."""
    return found if isinstance(found, pikepdf.Dictionary) else pikepdf.Dictionary()


def dictionaries_of(found: object) -> list[pikepdf.Object]:
    """The dictionaries in the list ``found``; none if it is no list."""
    items = found if isinstance(found, pikepdf.Array | list) else ()
    return [item for item in items if isinstance(item, pikepdf.Dictionary)]


def drop(holder: pikepdf.Object, *keys: Name | str) -> None:
    """Take ``keys`` out of ``holder``, those that are there."""
    for key in keys:
        if key in holder:
            del holder[key]
