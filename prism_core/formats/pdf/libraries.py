"""Open PDFs safely, and wrap the errors, logs and common look-ups of the PDF libraries.

A PDF is classified (encrypted, restricted, too large, a bomb) before its content is interpreted.

Entry: `open_pdf`, whose bytes all libraries read.
"""

from __future__ import annotations

import io
import logging
import warnings
import zlib
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path
from typing import Any

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
"""Errors that the libraries raise on objects of a wrong type, out of range, or nested too deep."""
SHOWS_TEXT = frozenset({"Tj", "TJ", "'", '"'})
"""Operators that show text."""
_MOST_LEVELS = 50
_LOGGERS = ("pdfminer", "pikepdf", "pypdf", "pypdfium2", "reportlab")
MAX_PAGES = 3000
MAX_FILE_BYTES = 300_000_000
MAX_CONTENT_BYTES = 200_000_000
"""Drawing instructions of a whole document, unpacked; real documents stay far below."""
ONLY_PAGES = "only-pages-readable"
"""Notice that everything beside the pages is lost."""
_BLOCK = 1 << 20
_MAY_EXTRACT = 1 << 4
"""Permission bit for extracting text (ISO 32000-2, table 22)."""
_DYNAMIC_FORM = "A dynamic XFA form holds no pages; print it to PDF first."
_WRAPPED = (
    "Its page is instructions around an encrypted document; open that with the program that "
    "protects it and save it without protection."
)


@contextmanager
def map_errors(failure: DocumentFailure) -> Iterator[None]:
    """Map errors from malformed objects to ``failure``, dropping the message of the library."""
    try:
        yield
    except MALFORMED:
        raise DocumentError(failure) from None


@contextmanager
def silence_libraries() -> Iterator[None]:
    """Suppress log records and warnings of the PDF libraries inside the block."""
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
def open_pdfium_document(data: bytes | Path | None) -> Iterator[pypdfium2.PdfDocument]:
    """Open ``data`` in pdfium, or a new document for None; raises ``pypdfium2.PdfiumError``."""
    document = pypdfium2.PdfDocument.new() if data is None else pypdfium2.PdfDocument(data)
    try:
        yield document
    finally:
        document.close()


@contextmanager
def open_pdfium_page(document: pypdfium2.PdfDocument, number: int) -> Iterator[pypdfium2.PdfPage]:
    """Open page ``number`` (from 1) of ``document``; raises ``pypdfium2.PdfiumError``."""
    page = document[number - 1]
    try:
        yield page
    finally:
        page.close()


def walk_ancestors(node: object) -> Iterator[pikepdf.Object]:
    """Yield ``node`` and its ancestors, nearest first, up to a limit: documents may have loops."""
    for _ in range(_MOST_LEVELS):
        if not isinstance(node, pikepdf.Dictionary | pikepdf.Stream):
            return
        yield node
        node = node.get(Name.Parent)


def find_inherited(node: pikepdf.Object, key: Name) -> pikepdf.Object | None:
    """Return the value of ``key`` in ``node``, else in its nearest ancestor that has one."""
    return next((ancestor[key] for ancestor in walk_ancestors(node) if key in ancestor), None)


def as_dictionary(found: object) -> pikepdf.Object:
    """Return ``found`` if it is a dictionary, else an empty one: documents may be malformed."""
    return found if isinstance(found, pikepdf.Dictionary) else pikepdf.Dictionary()


def list_dictionaries(found: object) -> list[pikepdf.Object]:
    """Return the dictionaries in the list ``found``; none if it is no list."""
    items = found if isinstance(found, pikepdf.Array | list) else ()
    return [item for item in items if isinstance(item, pikepdf.Dictionary)]


def drop(holder: pikepdf.Object, *keys: Name | str) -> None:
    """Delete those of ``keys`` that ``holder`` has."""
    for key in keys:
        if key in holder:
            del holder[key]


def open_pdf(path: Path) -> tuple[bytes, tuple[str, ...]]:
    """Return a PDF without encryption and revisions, and notices; raise ``DocumentError``."""
    if path.stat().st_size > MAX_FILE_BYTES:
        raise DocumentError(DocumentFailure.TOO_LARGE)
    failure = DocumentFailure.CORRUPT
    try:
        return _clean(path)
    except pikepdf.PasswordError:
        failure = DocumentFailure.ENCRYPTED
    except pikepdf.PdfError as error:
        # qpdf reports an unknown encryption scheme only in its message
        if "encrypt" in str(error).lower():
            failure = DocumentFailure.ENCRYPTED
    with suppress(pikepdf.PdfError):
        if pages := _extract_pages_by_pdfium(path):
            data, told = _clean(io.BytesIO(pages))
            return data, (ONLY_PAGES, *told)
    raise DocumentError(failure)


def _clean(source: Path | io.BytesIO) -> tuple[bytes, tuple[str, ...]]:
    """Decrypt and normalise a PDF; also raises ``pikepdf.PdfError`` or ``PasswordError``."""
    with pikepdf.open(source, suppress_warnings=True) as pdf:
        has_xfa = Name.XFA in as_dictionary(pdf.Root.get(Name.AcroForm))
        _refuse_unreadable(pdf, has_xfa)
        changes = {
            "encryption-removed": pdf.is_encrypted,
            "signature-void": any(find_signed_fields(pdf)),
            "xfa-removed": has_xfa,
        }
        _break_loops(pdf)
        return save_to_bytes(pdf), tuple(name for name, applies in changes.items() if applies)


def _break_loops(pdf: pikepdf.Pdf) -> None:
    """Remove each form that draws itself, directly or through others: a loop crashes pdfium."""
    done: set[tuple[int, int]] = set()
    for root in pdf.objects:
        if not isinstance(root, pikepdf.Stream) or root.get("/Subtype") != Name.Form:
            continue
        path = list[tuple[int, int]]()
        waiting: list[tuple[pikepdf.Object, bool]] = [(root, False)]
        while waiting:
            form, is_left = waiting.pop()
            if is_left:
                path.remove(form.objgen)
                continue
            if form.objgen in done:
                continue
            done.add(form.objgen)
            path.append(form.objgen)
            waiting.append((form, True))
            drawn = as_dictionary(as_dictionary(form.get(Name.Resources)).get(Name.XObject))
            for key, inner in list(drawn.items()):
                if inner.objgen in path:
                    del drawn[key]
                elif isinstance(inner, pikepdf.Stream) and inner.get(Name.Subtype) == Name.Form:
                    waiting.append((inner, False))


def _extract_pages_by_pdfium(path: Path) -> bytes:
    """Extract the pages alone of a document that qpdf cannot open.

    Returns b"" where pdfium finds no pages either. Only attached files may be encrypted, and no
    page.
    """
    try:
        with open_pdfium_document(path) as found, open_pdfium_document(None) as pages:
            if not pypdfium2.raw.FPDF_GetDocPermissions(found) & _MAY_EXTRACT:
                raise DocumentError(DocumentFailure.RESTRICTED)
            if len(found) > MAX_PAGES:
                raise DocumentError(DocumentFailure.TOO_LARGE)
            pages.import_pages(found)
            buffer = io.BytesIO()
            pages.save(buffer)
            return buffer.getvalue()
    except pypdfium2.PdfiumError:
        return b""


def save_to_bytes(pdf: pikepdf.Pdf, **options: Any) -> bytes:
    """Serialise ``pdf`` as one revision, without encryption; ``options`` are those of pikepdf."""
    buffer = io.BytesIO()
    pdf.save(buffer, encryption=False, deterministic_id=True, **options)
    return buffer.getvalue()


def find_signed_fields(pdf: pikepdf.Pdf) -> Iterator[pikepdf.Object]:
    """Yield the form fields that hold a signature."""
    for obj in pdf.objects:
        # texts as keys: a document has thousands of objects, and making a Name takes longer
        is_signed = isinstance(obj, pikepdf.Dictionary) and "/FT" in obj and "/V" in obj
        if is_signed and obj["/FT"] == Name.Sig:
            yield obj


def _refuse_unreadable(pdf: pikepdf.Pdf, has_xfa: bool) -> None:
    if pdf.is_encrypted and not pdf.allow.extract:
        raise DocumentError(DocumentFailure.RESTRICTED)
    if any(  # a page of instructions around an encrypted document (ISO 32000-2, 7.6.7)
        isinstance(obj, pikepdf.Dictionary)
        and "/AFRelationship" in obj
        and obj["/AFRelationship"] == Name.EncryptedPayload
        for obj in pdf.objects
    ):
        raise DocumentError(DocumentFailure.ENCRYPTED, _WRAPPED)
    if len(pdf.pages) > MAX_PAGES:
        raise DocumentError(DocumentFailure.TOO_LARGE)
    if not len(pdf.pages):
        raise DocumentError(DocumentFailure.CORRUPT)
    if has_xfa and pdf.Root.get(Name.NeedsRendering, False):
        raise DocumentError(DocumentFailure.UNSUPPORTED, _DYNAMIC_FORM)
    budget = MAX_CONTENT_BYTES
    for obj in pdf.objects:
        # page contents and Form XObjects, which a text extractor unpacks whole
        if isinstance(obj, pikepdf.Stream) and obj.get("/Subtype") != Name.Image:
            budget -= _measure_unpacked_size(obj, budget)
            if budget <= 0:
                raise DocumentError(DocumentFailure.BOMB)


def _measure_unpacked_size(stream: pikepdf.Stream, limit: int) -> int:
    """Return the most bytes of any deflate filter, counted to a little over ``limit``."""
    data = stream.read_raw_bytes()
    filters = stream.get(Name.Filter)
    names = filters.as_list() if isinstance(filters, pikepdf.Array) else [filters]
    deflated = takewhile(lambda name: str(name) in ("/FlateDecode", "/Fl"), names)
    unpackers = [zlib.decompressobj() for _ in deflated]
    sizes = [len(data), *(0 for _ in unpackers)]
    waiting = [(0, data)]  # (filters applied, block); all but the first block are small
    with suppress(zlib.error):  # bytes unpacked before damage count
        while waiting and max(sizes) <= limit:
            layer, block = waiting.pop()
            if layer < len(unpackers) and block and not unpackers[layer].eof:
                unpacked = unpackers[layer].decompress(block, _BLOCK)
                sizes[layer + 1] += len(unpacked)
                waiting += [(layer, unpackers[layer].unconsumed_tail), (layer + 1, unpacked)]
    return max(sizes)
