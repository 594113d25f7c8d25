"""Plain text files: paragraphs out, wrapped again on writing; encoding and line endings kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document
from prism_core.formats.decoding import Decoded, decode_text
from prism_core.formats.plain import PlainLayout, split_plain
from prism_core.formats.reading import read_limited

_MOST_BYTES: Final = 50_000_000


class TextFormat:
    """Text files in any encoding that can be told. Unchanged translations give the same bytes."""

    name = "txt"

    def read(self, path: Path) -> Document:
        """The paragraphs of ``path``; raises ``DocumentError`` when binary, empty or too large."""
        _, layout = _load(path)
        segments = layout.segments
        if not segments:
            raise DocumentError(DocumentFailure.EMPTY)
        return Document(path, self.name, segments)

    def write(self, document: Document, translations: Sequence[str], path: Path) -> tuple[str, ...]:
        """Write the translated text; a notice says when the encoding had to become UTF-8."""
        decoded, layout = _load(document.path)
        if layout.texts != tuple(segment.text for segment in document.segments):
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        content, encoding = decoded.encode(layout.join(translations))
        path.write_bytes(content)
        return () if encoding == decoded.encoding else (f"encoding-changed:{encoding}",)


def _load(path: Path) -> tuple[Decoded, PlainLayout]:
    decoded = decode_text(read_limited(path, _MOST_BYTES))
    if decoded is None:
        raise DocumentError(DocumentFailure.UNSUPPORTED)
    return decoded, split_plain(decoded.text)
