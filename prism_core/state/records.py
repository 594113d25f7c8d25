"""What is stored sealed, as bytes and back: annotated sentences, encodings, layouts."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter

from prism_core.alignment import Alignment, Match
from prism_core.language import Sentence
from prism_core.record import Encoded

_Record = TypeVar("_Record", Sentence, Encoded)


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
    flat = [number for match in alignment for span in match for number in span]
    return _pack(json.dumps(flat, separators=(",", ":")).encode())


def alignment_from_bytes(packed: bytes) -> Alignment:
    """The inverse of ``alignment_to_bytes``."""
    numbers = iter(json.loads(zlib.decompress(packed)))
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
