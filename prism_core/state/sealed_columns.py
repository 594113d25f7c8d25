"""Conversion of sealed content to bytes and back: annotated sentences, encodings, layouts.

Entry: ``SentenceColumns``, which seals and opens the columns of a sentence; and ``layout_to_bytes``
and ``layout_from_bytes`` for a document.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import chain, starmap
from typing import Any, Literal

from pydantic import TypeAdapter

from prism_core.alignment import Alignment, Match, Span, Translation
from prism_core.cipher import Cipher
from prism_core.language import FoundIdentifiers, Sentence
from prism_core.record import Encoded
from prism_core.state.database import AnyRow
from prism_core.state.schema import SentenceStatus

_LENIENT = ("utf-8", "surrogatepass")
"""Encoding for answers, which may hold half a surrogate pair: JSON allows it."""


_Column = Literal["annotated", "encoded", "answer", "decoded", "alignment", "earlier"]
Answers = tuple[tuple[Encoded, Translation], ...]
"""Encodings of one sentence, each with its answer."""


@dataclass(frozen=True, slots=True)
class SentencePlace:
    """Position of a stored sentence in a segment: its id, and the white space after it."""

    sentence: str
    trailing: str


@dataclass(frozen=True, slots=True)
class SegmentLayout:
    """Segment as sentences and, between them, text that is copied: breaks, numbers, rules.

    ``looks``: see ``Segment``.
    """

    kind: str
    pieces: tuple[str | SentencePlace, ...]
    looks: tuple[Span, ...] = ()

    def places(self) -> Iterator[SentencePlace]:
        """Return the sentences of the segment, in order."""
        return (piece for piece in self.pieces if isinstance(piece, SentencePlace))


Layout = tuple[SegmentLayout, ...]
"""Layout of a whole document: one entry a segment, in the order of its format."""


def pack(record: Sentence | Encoded) -> bytes:
    """Pack an annotated sentence, or x_pub and H together: each is useless alone.

    The entities ``found`` in a sentence follow it.
    """
    record_type: Any = type(record)
    packed = zlib.compress(_get_adapter(record_type).dump_json(record, exclude={"found"}), 1)
    return packed + _pack_found(record) if isinstance(record, Sentence) else packed


def _pack_found(sentence: Sentence) -> bytes:
    return json.dumps(sentence.found, separators=(",", ":")).encode() if sentence.found else b""


def unpack(record_type: Any, packed: bytes) -> Any:
    """Unpack a record of ``record_type``, the inverse of ``pack``."""
    unpacking = zlib.decompressobj()
    record = _get_adapter(record_type).validate_json(unpacking.decompress(packed))
    if not unpacking.unused_data:
        return record
    return Sentence(record.tokens, FoundIdentifiers(*json.loads(unpacking.unused_data)))


def unpack_text(packed: bytes) -> str:
    """Return the ``text`` of a packed ``Sentence``, in a fifth of the time of unpacking it."""
    tokens = json.loads(zlib.decompressobj().decompress(packed))["tokens"]
    return "".join(chain.from_iterable(token[:2] for token in tokens))


class PackedSentences(MutableMapping[str, Sentence]):
    """Annotated sentences by name, each held as it is stored: in a tenth of its objects' memory.

    ``packed`` holds the stored form; a sentence is unpacked anew each time it is read.
    """

    def __init__(self, sentences: Mapping[str, Sentence] | None = None) -> None:
        self.packed = {name: pack(sentence) for name, sentence in (sentences or {}).items()}

    def take(self, name: str, packed: bytes, sentence: Sentence) -> None:
        """Add ``sentence``, which was ``packed`` before anything was ``found`` in it."""
        self.packed[name] = packed + _pack_found(sentence)

    def __getitem__(self, name: str) -> Sentence:
        sentence: Sentence = unpack(Sentence, self.packed[name])
        return sentence

    def __setitem__(self, name: str, sentence: Sentence) -> None:
        self.packed[name] = pack(sentence)

    def __delitem__(self, name: str) -> None:
        del self.packed[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.packed)

    def __len__(self) -> int:
        return len(self.packed)


def _flatten(matches: Iterable[Match]) -> list[int]:
    return [number for match in matches for span in match for number in span]


def _group_matches(flat: Iterable[int]) -> Alignment:
    numbers = iter(flat)
    return tuple(starmap(_make_match, zip(numbers, numbers, numbers, numbers, strict=True)))


@lru_cache(maxsize=1 << 14)
def _make_match(start: int, end: int, first: int, last: int) -> Match:
    """Return a shared match: the cells of a sheet have most of theirs in common."""
    return Match((start, end), (first, last))


def translation_to_json(translation: Translation) -> str:
    """Encode a translation and its alignment as one list: the text, then four numbers a match."""
    return json.dumps([translation.text, *_flatten(translation.matches)], ensure_ascii=False)


def translation_from_json(plain: str) -> Translation:
    """Decode a translation, the inverse of ``translation_to_json``."""
    text, *flat = json.loads(plain)
    return Translation(text, _group_matches(flat))


def layout_to_bytes(layout: Layout) -> bytes:
    """Pack a layout as JSON: ``[kind, pieces, looks]`` a segment, without empty looks.

    A sentence is a pair, copied text a string. Invalid Unicode, such as half a surrogate pair in a
    PDF, is kept.
    """
    written = (
        json.dumps(
            [
                segment.kind,
                [
                    piece if isinstance(piece, str) else [piece.sentence, piece.trailing]
                    for piece in segment.pieces
                ],
                *([segment.looks] if segment.looks else ()),
            ],
            separators=(",", ":"),
            ensure_ascii=False,
        )
        for segment in layout
    )
    return zlib.compress(f"[{','.join(written)}]".encode(*_LENIENT), 1)


def layout_from_bytes(packed: bytes) -> Iterator[SegmentLayout]:
    """Unpack a layout, the inverse of ``layout_to_bytes``, each segment made on demand."""
    text, place = zlib.decompress(packed).decode(*_LENIENT), 1
    decode = json.JSONDecoder().raw_decode
    while place < len(text) - 1:
        (kind, pieces, *more), place = decode(text, place)
        yield SegmentLayout(
            kind,
            tuple(piece if isinstance(piece, str) else SentencePlace(*piece) for piece in pieces),
            tuple((start, end) for looks in more for start, end in looks),
        )
        place += 1  # the comma


@cache
def _get_adapter(record: Any) -> TypeAdapter[Any]:
    """Return the adapter, built once and on demand: it reads the dataclass's annotations."""
    return TypeAdapter(record)


@dataclass(frozen=True, slots=True)
class SentenceColumns:
    """Sealing and opening of the columns of a sentence. Each value is bound to its column and row.

    A method that reads a ``row`` needs its ``id`` and the column; it raises ``WrongKey`` when the
    value was sealed with another key, moved or altered.
    """

    cipher: Cipher

    def seal(self, column: _Column, row_id: str, plain: bytes | str) -> bytes:
        """Seal ``plain``, packed bytes or text, for ``column``."""
        content = plain.encode(*_LENIENT) if isinstance(plain, str) else plain
        return self.cipher.seal(f"sentences.{column}:{row_id}", content)

    def open(self, column: _Column, row: AnyRow) -> bytes:
        """Open a column sealed by ``seal``: packed bytes, or text in UTF-8."""
        return self.cipher.open(f"sentences.{column}:{row.id}", getattr(row, column))

    def encoding_values(self, row_id: str, made: Encoded, checks: str) -> dict[str, object]:
        """Return the columns of a sentence with the new encoding ``made``, unsent or withheld."""
        return {
            "status": SentenceStatus.WITHHELD if made.withheld else SentenceStatus.ENCODED,
            "reason": made.withheld[:200],
            "encoded": self.seal("encoded", row_id, pack(made)),
            "characters": len(made.text),
            "checked_with": checks,
            "marked": 0,
        }

    def seal_alignment(self, row_id: str, alignment: Sequence[Match]) -> bytes | None:
        """Seal an alignment as one list of numbers, four a match; None where there is none."""
        numbers = json.dumps(_flatten(alignment), separators=(",", ":"))
        packed = zlib.compress(numbers.encode(), 1)
        return self.seal("alignment", row_id, packed) if alignment else None

    def seal_answer(self, row_id: str, answer: Translation) -> bytes:
        """Seal an answer, with its alignment to the words of x_pub."""
        return self.seal("answer", row_id, translation_to_json(answer))

    def seal_earlier(self, row_id: str, answers: Answers) -> bytes | None:
        """Seal earlier encodings and answers; None where there are none."""
        if not answers:
            return None
        encoding = _get_adapter(Encoded)
        dumped = [
            [encoding.dump_python(sent, mode="json"), answer.text, *_flatten(answer.matches)]
            for sent, answer in answers
        ]
        return self.seal("earlier", row_id, zlib.compress(json.dumps(dumped).encode(), 1))

    def sentence(self, row: AnyRow) -> Sentence:
        """Open the annotated sentence."""
        sentence: Sentence = unpack(Sentence, self.open("annotated", row))
        return sentence

    def text(self, row: AnyRow) -> str:
        """Open the text of the annotated sentence."""
        return unpack_text(self.open("annotated", row))

    def encoding(self, row: AnyRow) -> Encoded:
        """Open x_pub and H."""
        encoded: Encoded = unpack(Encoded, self.open("encoded", row))
        return encoded

    def answer(self, row: AnyRow) -> Translation:
        """Open the answer, with its alignment to the words of x_pub."""
        return translation_from_json(self.open("answer", row).decode(*_LENIENT))

    def earlier(self, row: AnyRow) -> Answers:
        """Open the earlier encodings, each with its answer."""
        if row.earlier is None:
            return ()
        dumped = json.loads(zlib.decompress(self.open("earlier", row)))
        encoding = _get_adapter(Encoded)
        return tuple(
            (encoding.validate_json(json.dumps(sent)), Translation(text, _group_matches(flat)))
            for sent, text, *flat in dumped
        )

    def decoded(self, row: AnyRow) -> str:
        """Open the translation."""
        return self.open("decoded", row).decode(*_LENIENT)

    def translation(self, row: AnyRow) -> Translation:
        """Open the translation, with its alignment where there is one."""
        if row.alignment is None:
            return Translation(self.decoded(row))
        numbers = json.loads(zlib.decompress(self.open("alignment", row)))
        return Translation(self.decoded(row), _group_matches(numbers))
