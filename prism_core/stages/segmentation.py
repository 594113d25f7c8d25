"""Split the segments of a document into sentences, with the layout that joins them again.

Entry: ``lay_out`` when a document is read: lines of a segment, sentences of a line, each by its
language; ``join_segment`` when it is written.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from prism_core.alignment import Match, Translation
from prism_core.formats import Mark, Segment, mark_places
from prism_core.language import Sentence
from prism_core.state import PackedSentences, SegmentLayout, SentencePlace

if TYPE_CHECKING:
    from prism_core.language import LanguageModel

Layout = tuple[SegmentLayout, ...]
_BREAK = re.compile(r"([\x00-\x1f\x7f-\x9f\u2028\u2029]+)")
"""Pattern of line breaks, tabs and other controls: they are copied, and no sentence holds one."""
_LONE_SURROGATE = re.compile(r"[\ud800-\udfff]")
_OUTER_SPACE = re.compile(r"^(\s*)(.*?)(\s*)$", re.DOTALL)


def keep_whole(sentence: Sentence, source: str) -> Sequence[Sentence]:  # noqa: ARG001 (as cutters)
    """Return ``sentence`` in one part."""
    return (sentence,)


def lay_out(
    segments: Sequence[Segment],
    source_of: Callable[[str], str],
    model: Callable[[str], LanguageModel],
    copied: Container[str] = (),
    cut: Callable[[Sentence, str], Sequence[Sentence]] = keep_whole,
    *,
    apart: bool = False,
) -> tuple[Layout, dict[str, PackedSentences]]:
    """Return the layout of a document and its sentences by language, without trailing white space.

    ``source_of`` gives the language of a line, ``model`` the model for a language. Each sentence is
    named by its text at first, see ``replace_ids``. The pieces of a segment, with the sentences'
    texts put in, give its text back byte for byte. A piece without a letter is never sent: it is
    copied, like breaks and outer white space, and like the lines in ``copied``. The parts into
    which ``cut`` divides a sentence become sentences of their own. Equal sentences are one, unless
    they are kept ``apart``: then the name of each counts the equal ones before it.
    """

    def lines(source: str = "") -> Iterator[str]:
        pieces = (_split_pieces(segment, copied) for segment in segments)
        for line, is_line in chain.from_iterable(pieces):
            if is_line and (not source or source_of(line) == source):
                yield line

    found = {source: PackedSentences() for source in map(source_of, lines())}
    annotated = {source: model(source).annotate(lines(source)) for source in found}
    known: Counter[str] = Counter()
    layout = []
    for segment in segments:
        placed: list[str | SentencePlace] = []
        for piece, is_line in _split_pieces(segment, copied):
            if not is_line:
                _copy(placed, piece)
                continue
            source = source_of(piece)
            for sentence in chain.from_iterable(
                cut(whole, source) for whole in next(annotated[source])
            ):
                core, trailing = _split_trailing_space(sentence)
                if not any(map(str.isalpha, core.text)):
                    _copy(placed, core.text + trailing)
                    continue
                earlier = known[core.text] if apart else 0  # no sentence holds a control
                name = f"{core.text}\0{earlier}" if earlier else core.text
                if apart or core.text not in known:
                    found[source][name] = core
                known[core.text] += 1
                placed.append(SentencePlace(name, trailing))
        layout.append(SegmentLayout(segment.kind, tuple(placed), segment.looks))
    return tuple(layout), found


def _copy(placed: list[str | SentencePlace], text: str) -> None:
    """Append ``text``, which is copied, to ``placed``, merged with copied text before it."""
    if placed and isinstance(placed[-1], str):
        placed[-1] += text
    elif text:
        placed.append(text)


def replace_ids(layout: Layout, ids: Mapping[str, str]) -> Layout:
    """Return ``layout`` with the ``ids`` of sentences instead of their texts."""
    return tuple(
        SegmentLayout(
            segment.kind,
            tuple(
                piece
                if isinstance(piece, str)
                else SentencePlace(ids[piece.sentence], piece.trailing)
                for piece in segment.pieces
            ),
            segment.looks,
        )
        for segment in layout
    )


def find_lines(segments: Sequence[Segment]) -> Iterator[str]:
    """Yield the lines of ``segments`` that have a letter, in their order."""
    for segment in segments:
        yield from (piece for piece, is_line in _split_pieces(segment) if is_line)


def _split_pieces(segment: Segment, copied: Container[str] = ()) -> Iterator[tuple[str, bool]]:
    """Yield the text of ``segment`` in pieces, each with True if it is a line to translate.

    A line to translate has a letter and is not in ``copied``.
    """
    text = segment.text
    if _LONE_SURROGATE.search(text):
        yield text, False
        return
    for part in _BREAK.split(text):
        match = _OUTER_SPACE.match(part)
        assert match is not None  # noqa: S101 (the pattern matches any text)
        before, core, after = match.groups()
        yield before, False
        yield core, any(map(str.isalpha, core)) and core not in copied
        yield after, False


def _split_trailing_space(sentence: Sentence) -> tuple[Sentence, str]:
    tokens, trailing = list(sentence.tokens), ""
    while tokens and not tokens[-1].text.strip():
        last = tokens.pop()
        trailing = last.text + last.whitespace + trailing
    if tokens:
        last = tokens[-1]
        trailing = last.whitespace + trailing
        tokens[-1] = last._replace(whitespace="")
    return Sentence(tuple(tokens)), trailing


def join_segment(
    segment: SegmentLayout,
    texts: Mapping[str, tuple[str, Translation | None]],
    notes: Mapping[str, str] | None = None,
) -> tuple[str, Translation]:
    """Return the text of ``segment`` as it was read, and its translation, aligned to it.

    ``texts`` gives each sentence and its translation by id; a sentence without one stays as it is.
    Copied text is aligned to itself, and every sentence ends with a border. ``notes`` gives, by id,
    what the document is to say about a sentence; names of files bear no marks.
    """
    read = translated = ""
    matches, marks = list[Match](), list[Mark]()
    notes = notes or {} if segment.kind != "filename" else {}
    for piece in segment.pieces:
        if isinstance(piece, str):
            source, target, trailing = piece, None, ""
        else:
            (source, target), trailing = texts[piece.sentence], piece.trailing
        source_start, target_start = len(read), len(translated)
        if target is None or target.text == source:
            target = Translation(source, [Match((0, len(source)), (0, len(source)))])
        matches += (match.moved(source_start, target_start) for match in target.matches)
        read, translated = read + source, translated + target.text
        border = (len(read), len(read)), (len(translated), len(translated))
        matches.append(Match(*border))
        if not isinstance(piece, str) and (note := notes.get(piece.sentence)):
            marks.append(Mark((target_start, len(translated)), note))
        read, translated = read + trailing, translated + trailing
    return read, mark_places(Translation(translated, matches), marks)
