"""The sealed columns of a row of sentences: what is put into them, and what is read from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Row

from prism_core.alignment import Alignment, Translation
from prism_core.cipher import Cipher
from prism_core.language.sentence import Sentence
from prism_core.record import Encoded
from prism_core.state.records import (
    alignment_from_bytes,
    alignment_to_bytes,
    encoded_from_bytes,
    encoded_to_bytes,
    sentence_from_bytes,
)

_LENIENT = ("utf-8", "surrogatepass")
"""An answer may hold half a surrogate pair: JSON allows it."""

_Row = Row[*tuple[Any, ...]]
_Column = Literal["annotated", "encoded", "answer", "decoded", "alignment"]


@dataclass(frozen=True, slots=True)
class SentenceColumns:
    """Seals and opens them. Each value is bound to its column and row.

    What reads a ``row`` needs its ``id`` and the column; it raises ``WrongKey`` when that was
    sealed with another key, moved or altered.
    """

    cipher: Cipher

    def seal_annotation(self, row_id: str, packed: bytes) -> bytes:
        """An annotated sentence, packed."""
        return self._seal("annotated", row_id, packed)

    def seal_encoding(self, row_id: str, encoded: Encoded) -> bytes:
        """x_pub and H."""
        return self._seal("encoded", row_id, encoded_to_bytes(encoded))

    def seal_answer(self, row_id: str, text: str) -> bytes:
        """What came back."""
        return self._seal("answer", row_id, text.encode(*_LENIENT))

    def seal_decoded(self, row_id: str, text: str) -> bytes:
        """The translation."""
        return self._seal("decoded", row_id, text.encode(*_LENIENT))

    def seal_alignment(self, row_id: str, alignment: Alignment) -> bytes | None:
        """None for a translation without one."""
        if not alignment:
            return None
        return self._seal("alignment", row_id, alignment_to_bytes(alignment))

    def annotation(self, row: _Row) -> bytes:
        """The annotated sentence, packed."""
        return self._open("annotated", row)

    def sentence(self, row: _Row) -> Sentence:
        """The annotated sentence."""
        return sentence_from_bytes(self.annotation(row))

    def source(self, row: _Row) -> str:
        """What was written."""
        return self.sentence(row).text

    def encoding(self, row: _Row) -> Encoded:
        """x_pub and H."""
        return encoded_from_bytes(self._open("encoded", row))

    def answer(self, row: _Row) -> str:
        """What came back."""
        return self._open("answer", row).decode(*_LENIENT)

    def decoded(self, row: _Row) -> str:
        """The translation."""
        return self._open("decoded", row).decode(*_LENIENT)

    def translation(self, row: _Row) -> Translation:
        """The translation, with its alignment where there is one."""
        text = self.decoded(row)
        if row.alignment is None:
            return Translation(text)
        return Translation(text, alignment_from_bytes(self._open("alignment", row)))

    def _seal(self, column: _Column, row_id: str, plain: bytes) -> bytes:
        return self.cipher.seal(_place(column, row_id), plain)

    def _open(self, column: _Column, row: _Row) -> bytes:
        sealed: bytes = getattr(row, column)
        return self.cipher.open(_place(column, row.id), sealed)


def _place(column: _Column, row_id: str) -> str:
    return f"sentences.{column}:{row_id}"
