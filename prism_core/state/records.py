"""What is stored sealed, as bytes and back: annotated sentences, encodings, layouts.

Entry: ``SentenceColumns``, which seals and opens the columns of a sentence; and
``layout_to_bytes`` and ``layout_from_bytes`` for a document.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal, TypeVar

from pydantic import TypeAdapter
from sqlalchemy import Row

from prism_core.alignment import Alignment, Match, Translation
from prism_core.cipher import Cipher
from prism_core.language import Sentence
from prism_core.record import Encoded

_Record = TypeVar("_Record", Sentence, Encoded)
_LENIENT = ("utf-8", "surrogatepass")
"""An answer may hold half a surrogate pair: JSON allows it."""

_Row = Row[*tuple[Any, ...]]
_Column = Literal["annotated", "encoded", "answer", "decoded", "alignment"]


@dataclass(frozen=True, slots=True)
class SentencePlace:
    """Where a stored sentence stands in a segment: its id, and the white space after it."""

    sentence: str
    trailing: str


@dataclass(frozen=True, slots=True)
class SegmentLayout:
    """A segment as sentences and, between them, text that is copied: breaks, numbers, rules."""

    kind: str
    pieces: tuple[str | SentencePlace, ...]

    def places(self) -> Iterator[SentencePlace]:
        """The sentences of the segment, in order."""
        return (piece for piece in self.pieces if isinstance(piece, SentencePlace))


Layout = tuple[SegmentLayout, ...]
"""A whole document: one entry a segment, in the order its format gave them."""


def sentence_to_bytes(sentence: Sentence) -> bytes:
    """An annotated sentence, packed."""
    return _pack(_adapter(Sentence).dump_json(sentence))


def sentence_from_bytes(packed: bytes) -> Sentence:
    """The inverse of ``sentence_to_bytes``."""
    sentence: Sentence = _adapter(Sentence).validate_json(zlib.decompress(packed))
    return sentence


def encoded_to_bytes(encoded: Encoded) -> bytes:
    """x_pub and H together: one is of no use without the other."""
    return _pack(_adapter(Encoded).dump_json(encoded))


def encoded_from_bytes(packed: bytes) -> Encoded:
    """The inverse of ``encoded_to_bytes``."""
    encoded: Encoded = _adapter(Encoded).validate_json(zlib.decompress(packed))
    return encoded


def alignment_to_bytes(alignment: Alignment) -> bytes:
    """An alignment as one list of numbers: four a match."""
    return _pack(json.dumps(_flat(alignment), separators=(",", ":")).encode())


def alignment_from_bytes(packed: bytes) -> Alignment:
    """The inverse of ``alignment_to_bytes``."""
    return _matches(json.loads(zlib.decompress(packed)))


def _flat(matches: Iterable[Match]) -> list[int]:
    return [number for match in matches for span in match for number in span]


def _matches(flat: Iterable[int]) -> Alignment:
    numbers = iter(flat)
    fours = zip(numbers, numbers, numbers, numbers, strict=True)
    return tuple(Match((start, end), (first, last)) for start, end, first, last in fours)


def layout_to_bytes(layout: Layout) -> bytes:
    """A layout as JSON: ``[kind, pieces]`` a segment; a sentence is a pair, copied text a string.

    It keeps even what is no valid Unicode, such as half a surrogate pair in a PDF.
    """
    plain = [
        [
            segment.kind,
            [
                piece if isinstance(piece, str) else [piece.sentence, piece.trailing]
                for piece in segment.pieces
            ],
        ]
        for segment in layout
    ]
    packed = json.dumps(plain, separators=(",", ":"), ensure_ascii=False)
    return _pack(packed.encode("utf-8", "surrogatepass"))


def layout_from_bytes(packed: bytes) -> Layout:
    """The inverse of ``layout_to_bytes``."""
    return tuple(
        SegmentLayout(
            kind,
            tuple(piece if isinstance(piece, str) else SentencePlace(*piece) for piece in pieces),
        )
        for kind, pieces in json.loads(zlib.decompress(packed).decode("utf-8", "surrogatepass"))
    )


def _pack(plain: bytes) -> bytes:
    return zlib.compress(plain, 1)


@cache
def _adapter(record: type[_Record]) -> TypeAdapter[Any]:
    """Built once and on demand: it reads the dataclass's annotations."""
    return TypeAdapter(record)


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

    def seal_answer(self, row_id: str, answer: Translation) -> bytes:
        """What came back, with what it says of the words of x_pub."""
        plain = json.dumps([answer.text, *_flat(answer.matches)], ensure_ascii=False)
        return self._seal("answer", row_id, plain.encode(*_LENIENT))

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

    def answer(self, row: _Row) -> Translation:
        """What came back, with what it says of the words of x_pub."""
        text, *flat = json.loads(self._open("answer", row).decode(*_LENIENT))
        return Translation(text, _matches(flat))

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
