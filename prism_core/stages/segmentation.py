"""From the segments of a document to its sentences and its layout."""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from prism_core.alignment import Match, Translation
from prism_core.formats import Segment
from prism_core.language import Sentence
from prism_core.state import Layout, SegmentLayout, SentencePlace

if TYPE_CHECKING:
    from prism_core.language import LanguageModel

_BREAK = re.compile(r"([\x00-\x1f\x7f-\x9f\u2028\u2029]+)")
"""Line breaks, tabs and every other control: they are copied, and no sentence holds one."""
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_OUTER_SPACE = re.compile(r"^(\s*)(.*?)(\s*)$", re.DOTALL)


def lay_out(
    segments: Sequence[Segment],
    model: LanguageModel,
    id_of: Callable[[str], str],
    copied: Container[str] = (),
) -> tuple[Layout, dict[str, Sentence]]:
    """The layout of a document and its sentences by id, without the white space after them.

    The pieces of a segment, with the sentences' texts put in, give its text back byte for byte.
    A piece without a letter is never sent: it is copied, like breaks and outer white space, and
    like the lines in ``copied``. ``id_of`` gives the id of a sentence from its text.
    """
    split = [
        [(piece, is_line and piece not in copied) for piece, is_line in _split(segment.text)]
        for segment in segments
    ]
    lines = (piece for pieces in split for piece, is_line in pieces if is_line)
    annotated = model.annotate(lines)
    found: dict[str, Sentence] = {}
    layout = []
    for segment, pieces in zip(segments, split, strict=True):
        placed: list[str | SentencePlace] = []
        for piece, is_line in pieces:
            placed += _placed(next(annotated), id_of, found) if is_line else [piece]
        layout.append(SegmentLayout(segment.kind, tuple(_joined(placed))))
    return tuple(layout), found


def with_ids(
    layout: Layout, sentences: Mapping[str, Sentence], id_of: Callable[[str], str]
) -> tuple[Layout, dict[str, Sentence]]:
    """What ``lay_out`` gave when each text was its own id, with the ids that ``id_of`` gives."""
    ids = {text: id_of(text) for text in sentences}

    def named(piece: str | SentencePlace) -> str | SentencePlace:
        return piece if isinstance(piece, str) else replace(piece, sentence=ids[piece.sentence])

    segments = (SegmentLayout(one.kind, tuple(map(named, one.pieces))) for one in layout)
    return tuple(segments), {ids[text]: sentence for text, sentence in sentences.items()}


def lines_of(segments: Sequence[Segment]) -> Iterator[str]:
    """The lines of ``segments`` that have a letter, in their order."""
    for segment in segments:
        yield from (piece for piece, is_line in _split(segment.text) if is_line)


def _split(text: str) -> Iterator[tuple[str, bool]]:
    """``text`` in pieces, each with whether it is a line to translate or is copied."""
    if _LONE_SURROGATE.search(text):
        yield text, False
        return
    for part in _BREAK.split(text):
        match = _OUTER_SPACE.match(part)
        assert match is not None  # noqa: S101 (the pattern matches any text)
        before, core, after = match.groups()
        yield before, False
        yield core, _has_letter(core)
        yield after, False


def _has_letter(text: str) -> bool:
    return any(character.isalpha() for character in text)


def _placed(
    sentences: Sequence[Sentence],
    id_of: Callable[[str], str],
    found: dict[str, Sentence],
) -> Iterator[str | SentencePlace]:
    for sentence in sentences:
        core, trailing = _without_trailing_space(sentence)
        text = core.text
        if _has_letter(text):
            row_id = id_of(text)
            found.setdefault(row_id, core)
            yield SentencePlace(row_id, trailing)
        else:
            yield text + trailing


def _without_trailing_space(sentence: Sentence) -> tuple[Sentence, str]:
    tokens, trailing = list(sentence.tokens), ""
    while tokens and not tokens[-1].text.strip():
        last = tokens.pop()
        trailing = last.text + last.whitespace + trailing
    if tokens:
        last = tokens[-1]
        trailing = last.whitespace + trailing
        tokens[-1] = last._replace(whitespace="")
    return Sentence(tuple(tokens)), trailing


def _joined(pieces: Sequence[str | SentencePlace]) -> Iterator[str | SentencePlace]:
    """Neighbouring copied pieces as one, empty ones left out."""
    copied = ""
    for piece in pieces:
        if isinstance(piece, str):
            copied += piece
            continue
        if copied:
            yield copied
        copied = ""
        yield piece
    if copied:
        yield copied


def joined(
    segment: SegmentLayout, texts: Mapping[str, tuple[str, Translation | None]]
) -> tuple[str, Translation]:
    """The text of ``segment`` as it was read, and its translation, aligned to that.

    ``texts`` gives each sentence and its translation by id; one without stays as it is. What
    is copied is aligned to itself, and every sentence ends with a border.
    """
    read = translated = ""
    matches: list[Match] = []
    for piece in segment.pieces:
        if isinstance(piece, str):
            source, target, trailing = piece, None, ""
        else:
            (source, target), trailing = texts[piece.sentence], piece.trailing
        here, there = len(read), len(translated)
        if target is None or target.text == source:
            target = Translation(source, [Match((0, len(source)), (0, len(source)))])
        matches += (match.moved(here, there) for match in target.matches)
        read, translated = read + source, translated + target.text
        border = (len(read), len(read)), (len(translated), len(translated))
        matches.append(Match(*border))
        read, translated = read + trailing, translated + trailing
    return read, Translation(translated, matches)
