"""The seam to document formats: segments of text in, translated segments out.

entry: `DocumentFormat`, which makes a `Document` of `Segment`s and writes one with translations;
then what many formats share: `changed_parts` -> `Edit` -> `apply_edits`, `notices`, `read_limited`.
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
from typing import AnyStr, Final, Literal, NamedTuple, Protocol, TypeVar, overload

from prism_core.alignment import Span, Translation
from prism_core.errors import DocumentError, DocumentFailure

_USUAL: Final = 140
_LONGEST: Final = 1_000
"""Characters of a sentence, and where one without an end is cut."""
_SENTENCE_END: Final = re.compile(r"[.!?…。！？]['\"’”)\]]*\s|[\t-\r\x1c-\x1f\x85\u2028\u2029]")
MOST_BYTES: Final = 1_000_000_000
"""Of what is read into memory as a whole: a file, or an XML part (a sheet of a million strings has
180 MB)."""
_TOO_MANY: Final = "It has too many sentences; split it, or raise limits.document_sentences."
_COUNTRIES: Final = {
    "ar": "SA", "ca": "ES", "cs": "CZ", "da": "DK", "el": "GR", "en": "US", "et": "EE", "eu": "ES",
    "ga": "IE", "gl": "ES", "he": "IL", "hi": "IN", "ja": "JP", "ko": "KR", "nb": "NO", "sl": "SI",
    "sq": "AL", "sr": "RS", "sv": "SE", "uk": "UA", "vi": "VN", "zh": "CN",
}  # fmt: skip
"""Where a country is not called as its language is."""
_RIGHT_TO_LEFT: Final = frozenset("ar ckb dv fa he iw ps sd ug ur yi".split())
_EAST_ASIAN: Final = frozenset("ja ko yue zh".split())
_COMPLEX: Final = _RIGHT_TO_LEFT | frozenset("bn gu hi km kn lo ml mr my ne pa si ta te th".split())


@dataclass(frozen=True, slots=True)
class FormatOptions:
    """What the user decided about documents, the same for all documents of a run.

    ``source`` and ``target`` are ISO 639 codes, empty where they are not known. ``pdf_output``:
    a PDF is rebuilt as a PDF, page by page, or as a flowing document. ``ocr``: pages that are
    pictures of text are read with OCR. ``attachment_names``: those of files in a message stay, or
    are translated. ``depth``: in how many documents this one is embedded. ``most_sentences``: with
    more (``count_sentences``) a document is too large; None: no matter how many. ``is_trial``: it
    is to be seen whether a document can be written; nothing of what is written is kept.
    """

    source: str = ""
    target: str = ""
    pdf_output: Literal["pdf", "docx"] = "pdf"
    ocr: bool = False
    attachment_names: Literal["keep", "translate"] = "keep"
    depth: int = 0
    most_sentences: int | None = None
    is_trial: bool = False


DEFAULT_OPTIONS = FormatOptions()


def language_tag(code: str) -> str:
    """How Office names the language ``code`` (ISO 639): with a country."""
    return f"{code}-{_COUNTRIES.get(code, code.upper())}" if len(code) == 2 else code


def is_right_to_left(code: str) -> bool:
    """Whether the language ``code`` (ISO 639) is written from the right."""
    return code.partition("-")[0] in _RIGHT_TO_LEFT


def script_of(code: str) -> Literal["complex", "asian", ""]:
    """Which of the three sorts of letters, with fonts and languages of their own in Office, the
    language ``code`` (ISO 639) is written in: complex, East Asian, or (empty) all others."""
    language = code.partition("-")[0]
    return "complex" if language in _COMPLEX else "asian" if language in _EAST_ASIAN else ""


def turns_round(options: FormatOptions) -> bool:
    """Whether what was written from the left is written from the right now."""
    return is_right_to_left(options.target) and not is_right_to_left(options.source)


@dataclass(frozen=True, slots=True)
class Segment:
    """One paragraph, cell, header, subject line … of a document.

    ``text`` is what is translated. A newline or tab in it is a hard break that the translation
    reproduces; soft wraps are undone by the format on reading and redone on writing.
    ``kind`` is one of ``paragraph``, ``heading``, ``cell``, ``header``, ``footer``, ``footnote``,
    ``endnote``, ``comment``, ``textbox``, ``subject``, ``property``, ``caption``, ``filename``.
    ``looks`` are the stretches of the text that look otherwise than most of it or are a link, in
    order and apart from each other; one without width is a thing that stands there, a note mark.
    They are for who reviews the text, and a format may leave them out: who writes a document need
    not know them, and segments that say the same are equal.
    """

    text: str
    kind: str = "paragraph"
    looks: tuple[Span, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class Document:
    """A document as read: its segments in a fixed order that ``write`` relies on.

    ``notices`` are remarks for the report, without text of the document, such as
    ``attachment:unsupported`` or ``scan-pages:3``. ``parsed`` holds text and is for the format
    alone: its ``write`` may take from it what ``read`` has found out.
    """

    path: Path
    format: str
    segments: tuple[Segment, ...]
    notices: tuple[str, ...] = field(default=())
    parsed: bytes = field(default=b"", compare=False, repr=False)


class PackedTranslations(Sequence[Translation]):
    """Translations as they go to the child process: packed, for their objects take ten times as
    much. What is asked for is unpacked with its neighbours, which are held till others are."""

    _TOGETHER = 100

    def __init__(self, translations: Iterable[Translation]) -> None:
        self._packed: list[bytes] = []
        self._count = 0
        remaining = iter(translations)
        while some := list(islice(remaining, self._TOGETHER)):
            self._packed.append(zlib.compress(pickle.dumps(some, pickle.HIGHEST_PROTOCOL), 1))
            self._count += len(some)
        self._held: tuple[int, list[Translation]] = -1, []

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, index: int) -> Translation: ...
    @overload
    def __getitem__(self, index: slice) -> list[Translation]: ...
    def __getitem__(self, index: int | slice) -> Translation | list[Translation]:
        if isinstance(index, slice):
            return [self[place] for place in range(self._count)[index]]
        number, place = divmod(range(self._count)[index], self._TOGETHER)
        if number != self._held[0]:
            self._held = number, pickle.loads(zlib.decompress(self._packed[number]))  # noqa: S301 (our own)
        return self._held[1][place]


class DocumentFormat(Protocol):
    """Reads and rebuilds one file type. Raises ``DocumentError`` and nothing else."""

    name: str
    """Short name for the report: ``docx``, ``pdf``, ``eml``, ``txt``."""

    def read(self, path: Path) -> Document:
        """Every piece of text a reader of the document sees, in a stable order."""
        ...

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write ``document`` with each segment's text replaced, and nothing else changed.

        ``translations`` has the length and order of ``document.segments``; one that says what its
        segment says leaves that segment as it is. ``document.path`` is read again, and there need
        be nothing in ``document.parsed``. ``path`` is
        a temporary file made by the caller, who renames it. Gives notices for the report.
        """
        ...


@dataclass(frozen=True, slots=True)
class OutputType:
    """What a document is written as: both are empty where that is the type that was read."""

    suffix: str = ""
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class Formats:
    """The registry as attachments need it: ``detect`` names a file's format, ``get`` gives it, and
    ``output_type`` says what it writes."""

    detect: Callable[[Path], str]
    get: Callable[[str], DocumentFormat]
    options: FormatOptions = DEFAULT_OPTIONS
    output_type: Callable[[str], OutputType] = lambda _name: OutputType()


def count_sentences(texts: Iterable[str]) -> int:
    """About how many sentences of usual length ``texts`` take as much work as.

    Work grows with the square of a sentence's length; none is longer than ``_LONGEST``.
    """
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


class Part(Protocol):
    """A part of a document that holds some of its segments."""

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Its texts in order."""
        ...


P = TypeVar("P", bound=Part)


def changed_parts(
    parts: Iterable[P], translations: Sequence[Translation]
) -> Iterator[tuple[P, Sequence[Translation]]]:
    """The parts of which any text changes, each with the translations of its own segments.

    ``translations`` has one for each segment of all ``parts``, in order.
    """
    taken = 0
    for part in parts:
        segments = part.segments
        given = translations[taken : taken + len(segments)]
        taken += len(segments)
        if any(s.text != said.text for s, said in zip(segments, given, strict=True)):
            yield part, given


def notices(counts: Mapping[str, int]) -> tuple[str, ...]:
    """``name:count`` for everything that occurred."""
    return tuple(f"{name}:{count}" for name, count in counts.items() if count)


class Edit(NamedTuple):
    """Put ``content`` in place of the bytes from ``start`` to ``end``; equal ones insert."""

    start: int
    end: int
    content: bytes


def apply_edits(source: AnyStr, edits: Iterable[tuple[int, int, AnyStr]]) -> AnyStr:
    """``source``, text or bytes, with ``(start, end, content)`` of ``edits``; they do not overlap.

    What is inserted at one place keeps its order, and stands before what replaces something there.
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
    """What goes wrong in opening or reading a file, as ``DocumentError`` (corrupt)."""
    try:
        yield
    except OSError:
        raise DocumentError(
            DocumentFailure.CORRUPT, "The file cannot be opened; check its permissions."
        ) from None


def read_limited(path: Path, most: int = MOST_BYTES) -> bytes:
    """The bytes of ``path``; raises ``DocumentError``: too large (over ``most``), or corrupt.

    What a run may read is said by ``limits.document_mb`` and ``limits.memory_mb``, which come
    first; this is for whoever reads without them.
    """
    with file_errors():
        if path.stat().st_size > most:
            raise DocumentError(DocumentFailure.TOO_LARGE)
        return path.read_bytes()
