"""What was read of a PDF, packed, so that its writer need not read the pages once more."""

from __future__ import annotations

import hashlib
import io
import pickle
import zlib
from contextlib import suppress
from dataclasses import replace
from typing import Final

from prism_core.formats.base import FormatOptions
from prism_core.formats.pdf.content import NO_ATTACHMENTS, Attachments, PdfContent
from prism_core.formats.pdf.libraries import MALFORMED
from prism_core.formats.sandbox import ResultReader

_MOST: Final = 16 << 20
"""Bytes of what is packed: some 3,000 full pages. More is not kept."""


def pack(content: PdfContent, options: FormatOptions) -> bytes:
    """``content`` without the file's bytes and what is attached to it; empty if it is large."""
    bare = replace(content, data=b"", attached=NO_ATTACHMENTS)
    whole = pickle.dumps((_origin(content.data, options), bare), pickle.HIGHEST_PROTOCOL)
    packed = zlib.compress(whole, 1)
    return packed if len(packed) <= _MOST else b""


def unpack(
    packed: bytes, data: bytes, attached: Attachments, options: FormatOptions
) -> PdfContent | None:
    """What was ``packed`` of the PDF ``data``, with what is ``attached`` to it.

    None if it is of another file, was read with other options, or is damaged. It was made where
    that document was read: only types of the formats are made of it, and nothing in it is run.
    """
    with suppress(*MALFORMED, EOFError, pickle.UnpicklingError, zlib.error):
        origin, content = ResultReader(io.BytesIO(zlib.decompress(packed))).load()
        if origin == _origin(data, options) and isinstance(content, PdfContent):
            return replace(content, data=data, attached=attached)
    return None


def _origin(data: bytes, options: FormatOptions) -> tuple[bytes, str, bool]:
    """What decides what is read."""
    return hashlib.sha256(data).digest(), options.source, options.ocr
