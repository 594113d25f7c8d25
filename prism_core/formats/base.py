"""Protocol of document formats: segments of text in, translated segments out.

Entry: `DocumentFormat`; many formats share `changed_parts`, `apply_edits` and `notices`.
"""

from __future__ import annotations

import pickle
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import (
    AnyStr,
    Final,
    Literal,
    NamedTuple,
    Protocol,
    TypeVar,
    overload,
    runtime_checkable,
)

from prism_core.alignment import Span, Translation
from prism_core.errors import DocumentError, DocumentFailure

_USUAL: Final = 140
_LONGEST: Final = 1_000
"""Usual and greatest length of a sentence in characters; longer text is cut."""
_SENTENCE_END: Final = re.compile(r"[.!?…。！？]['\"’”)\]]*\s|[\t-\r\x1c-\x1f\x85\u2028\u2029]")
MOST_BYTES: Final = 1_000_000_000
"""Largest file or XML part that is read as a whole; a million strings have 180 MB."""
_TOO_MANY: Final = "It has too many sentences; split it, or raise limits.document_sentences."
_COUNTRIES: Final = {
    "ar": "SA", "ca": "ES", "cs": "CZ", "da": "DK", "el": "GR", "en": "US", "et": "EE", "eu": "ES",
    "ga": "IE", "gl": "ES", "he": "IL", "hi": "IN", "ja": "JP", "ko": "KR", "nb": "NO", "sl": "SI",
    "sq": "AL", "sr": "RS", "sv": "SE", "uk": "UA", "vi": "VN", "zh": "CN",
}  # fmt: skip
"""Country by language, where the two codes differ."""
_RIGHT_TO_LEFT: Final = frozenset("ar ckb dv fa he iw ps sd ug ur yi".split())
_EAST_ASIAN: Final = frozenset("ja ko yue zh".split())
_COMPLEX: Final = _RIGHT_TO_LEFT | frozenset("bn gu hi km kn lo ml mr my ne pa si ta te th".split())


@dataclass(frozen=True, slots=True)
class FormatOptions:
    """Options of the user about documents, the same for all documents of a run.

    ``source`` and ``target`` are ISO 639 codes, empty where they are not known. ``pdf_output`` says
    whether a PDF is rebuilt as a PDF, page by page, or as a flowing document. With ``ocr``, pages
    that are pictures of text are read with OCR. ``tracked_changes`` of Word documents stay, are
    accepted (``final``) or rejected (``original``), or the document is refused.
    ``attachment_names`` says whether names of files in a message stay or are translated.
    ``csv_columns`` are the columns of tables as text that are translated, by name or number; with
    none, those of prose are. ``depth`` is the number of documents in which this one is embedded.
    A document with more than ``most_sentences`` sentences (``count_sentences``) is too large; None
    sets no limit. With ``is_trial``, the caller only checks whether a document can be written, and
    discards the output.
    """

    source: str = ""
    target: str = ""
    pdf_output: Literal["pdf", "docx"] = "pdf"
    ocr: bool = False
    tracked_changes: Literal["keep", "final", "original", "refuse"] = "keep"
    attachment_names: Literal["keep", "translate"] = "keep"
    csv_columns: tuple[str | int, ...] = ()
    depth: int = 0
    most_sentences: int | None = None
    is_trial: bool = False


DEFAULT_OPTIONS = FormatOptions()


def language_tag(code: str) -> str:
    """Return Office's name of the language ``code`` (ISO 639), which includes a country."""
    return f"{code}-{_COUNTRIES.get(code, code.upper())}" if len(code) == 2 else code


def is_right_to_left(code: str) -> bool:
    """Return True if the language ``code`` (ISO 639) is written from right to left."""
    return code.partition("-")[0] in _RIGHT_TO_LEFT


def script_of(code: str) -> Literal["complex", "asian", ""]:
    """Return the class of Office's fonts for ``code``: complex, East Asian, (empty) others."""
    language = code.partition("-")[0]
    return "complex" if language in _COMPLEX else "asian" if language in _EAST_ASIAN else ""


def turns_round(options: FormatOptions) -> bool:
    """Return True if the source is written from left to right and the target from right to left."""
    return is_right_to_left(options.target) and not is_right_to_left(options.source)


@dataclass(frozen=True, slots=True)
class Segment:
    """Paragraph, cell, header, subject line … of a document.

    ``text`` is translated. A newline or tab in it is a hard break that the translation reproduces;
    the format undoes soft wraps on reading and redoes them on writing. ``kind`` is one of
    ``paragraph``, ``heading``, ``cell``, ``header``, ``footer``, ``footnote``, ``endnote``,
    ``comment``, ``textbox``, ``subject``, ``property``, ``caption``, ``filename``. ``looks`` are
    the spans of the text whose formatting differs from most of it or that are a link. They are in
    order and do not touch; an empty span is an object at that place, such as a note mark. They
    serve the reviewer of the text, and a format may leave them out: the writer of a document need
    not know them, and segments with equal texts are equal.
    """

    text: str
    kind: str = "paragraph"
    looks: tuple[Span, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Document:
    """A document as read: its segments in a fixed order that ``write`` relies on.

    ``notices`` are remarks for the report, without text of the document, such as
    ``attachment:unsupported`` or ``scan-pages:3``. ``parsed`` holds text and is private to the
    format: its ``write`` may reuse the results of ``read``.
    """

    path: Path
    format: str
    segments: tuple[Segment, ...]
    notices: tuple[str, ...] = field(default=())
    parsed: bytes = field(default=b"", compare=False, repr=False)


class PackedTranslations(Sequence[Translation]):
    """Translations packed for the child, a group at a time; objects take ten times the memory."""

    _TOGETHER = 100

    def __init__(self, translations: Iterable[Translation]) -> None:
        self._packed: list[bytes] = []
        self._count = 0
        remaining = iter(translations)
        while group := list(islice(remaining, self._TOGETHER)):
            self._packed.append(zlib.compress(pickle.dumps(group, pickle.HIGHEST_PROTOCOL), 1))
            self._count += len(group)
        self._held: tuple[int, list[Translation]] = -1, []

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Translation: ...
    @overload
    def __getitem__(self, index: slice) -> list[Translation]: ...
    def __getitem__(self, index: int | slice) -> Translation | list[Translation]:
        if isinstance(index, slice):
            return [self[position] for position in range(self._count)[index]]
        number, position = divmod(range(self._count)[index], self._TOGETHER)
        if number != self._held[0]:
            self._held = number, pickle.loads(zlib.decompress(self._packed[number]))  # noqa: S301 (our own)
        return self._held[1][position]


class DocumentFormat(Protocol):
    """Reader and rebuilder of one file type. Raises ``DocumentError`` and nothing else."""

    name: str
    """Short name for the report: ``docx``, ``pdf``, ``eml``, ``txt``."""

    def read(self, path: Path) -> Document:
        """Return every piece of text that a reader of the document sees, in a stable order."""
        ...

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write ``document`` with each segment's text replaced, and nothing else changed.

        ``translations`` has the length and order of ``document.segments``. A translation that
        equals its segment leaves the segment as it is. ``document.path`` is read again, and
        ``document.parsed`` may be empty. ``path`` is a temporary file made by the caller, who
        renames it. Returns notices for the report.
        """
        ...


@runtime_checkable
class TriedFormat(DocumentFormat, Protocol):
    """Format that reads a document and tries to write it while the document is open only once."""

    def read_and_try(
        self, path: Path, trial: Callable[[Document], Sequence[Translation]], place: Path
    ) -> Document:
        """Read a document, and write it to ``place`` as ``trial`` says; raises what fails."""
        ...


@dataclass(frozen=True, slots=True)
class OutputType:
    """Type that a document is written as; empty where it is the type that was read."""

    suffix: str = ""
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class Formats:
    """Registry as attachments need it: names, formats, and the types that these write."""

    detect: Callable[[Path], str]
    get: Callable[[str], DocumentFormat]
    options: FormatOptions = DEFAULT_OPTIONS
    output_type: Callable[[str], OutputType] = lambda _name: OutputType()


def count_sentences(texts: Iterable[str]) -> int:
    """Estimate how many usual sentences take as much work; it grows with the square."""
    count = 0
    for text in texts:
        if len(text) <= _USUAL and "\n" not in text:
            count += 1
            continue
        for piece in _SENTENCE_END.split(text):
            whole, rest = divmod(len(piece), _LONGEST)
            count += whole * (_LONGEST // _USUAL) ** 2 + max(1, (rest // _USUAL) ** 2)
    return count


def refuse_more(sentences: int, options: FormatOptions) -> None:
    """Raise ``DocumentError`` (too large) for more ``sentences`` than ``options`` allow."""
    if options.most_sentences is not None and sentences > options.most_sentences:
        raise DocumentError(DocumentFailure.TOO_LARGE, _TOO_MANY)


class DocumentPart(Protocol):
    """Part of a document that holds some of its segments."""

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Texts of the part in order."""
        ...


P = TypeVar("P", bound=DocumentPart)


def changed_parts(
    parts: Iterable[P], translations: Sequence[Translation]
) -> Iterator[tuple[P, Sequence[Translation]]]:
    """Yield the parts with a changed text, each with its own of the ``translations`` of all."""
    taken = 0
    for part in parts:
        segments = part.segments
        given = translations[taken : taken + len(segments)]
        taken += len(segments)
        if any(
            segment.text != translation.text
            for segment, translation in zip(segments, given, strict=True)
        ):
            yield part, given


def notices(counts: Mapping[str, int]) -> tuple[str, ...]:
    """Return ``name:count`` for every count that is not zero."""
    return tuple(f"{name}:{count}" for name, count in counts.items() if count)


class Edit(NamedTuple):
    """Replacement of the bytes from ``start`` to ``end`` by ``content``; equal offsets insert."""

    start: int
    end: int
    content: bytes


def apply_edits(source: AnyStr, edits: Iterable[tuple[int, int, AnyStr]]) -> AnyStr:
    """Apply ``(start, end, content)`` of ``edits`` to ``source``, text or bytes.

    Edits may not overlap. Insertions at one offset keep their order and stand before a replacement
    that begins there.
    """
    pieces: list[AnyStr] = []
    position = 0
    for start, end, content in sorted(edits, key=lambda edit: edit[:2]):
        pieces += [source[position:start], content]
        position = end
    pieces.append(source[position:])
    return source[:0].join(pieces)


@contextmanager
def file_errors() -> Iterator[None]:
    """Map errors of opening or reading a file to ``DocumentError`` (corrupt)."""
    try:
        yield
    except OSError:
        raise DocumentError(
            DocumentFailure.CORRUPT, "The file cannot be opened; check its permissions."
        ) from None


def read_limited(path: Path, most: int = MOST_BYTES) -> bytes:
    """Return a file of ``most`` bytes at most; raise ``DocumentError``: too large, corrupt."""
    with file_errors():
        if path.stat().st_size > most:
            raise DocumentError(DocumentFailure.TOO_LARGE)
        return path.read_bytes()
