"""Which stretches of a text look otherwise than most of it, and where they are in a translation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter

from prism_core.alignment import Span, Translation, strip_span
from prism_core.formats.text.align import AlignedWord, WordAligner
from prism_core.formats.text.model import Anchor, Line, R, TextRun

_MOST_WORDS = 1_000
"""Words of a sentence that are aligned to show its looks; none that people write has more."""


def looks_of(line: Line[R], lead: int = 0) -> tuple[Span, ...]:
    """The looks of the text of ``line`` without white space around it: see ``Segment``.

    The first ``lead`` characters are no part of that text.
    """
    whole = "".join(item.text for item in line)
    edge, last = strip_span(whole, lead, len(whole))
    sizes: Counter[tuple[str, int]] = Counter()
    for item in line:
        if isinstance(item, TextRun) and not item.owner:
            sizes[item.look, 0] += len(item.text.strip())
    usual = sizes.most_common(1)[0][0] if sizes.total() else None
    found: list[Span] = []
    for start, end, look in _pieces(line, whole):
        start, end = max(start, edge), min(end, last)
        if look is None and edge < start < last and not (found and found[-1][1] == start):
            found.append((start, start))
        elif look not in (None, usual) and start < end:
            if found and found[-1] == (start, start):
                found.pop()  # the mark where a field or link begins
            found.append((start, end))
    return tuple((start - edge, end - edge) for start, end in found)


def _pieces(line: Line[R], whole: str) -> Iterator[tuple[int, int, tuple[str, int] | None]]:
    """Stretches of one look without the blanks around them, and places of marks (None)."""
    found: list[tuple[int, int, tuple[str, int] | None]] = []
    at = 0
    for item in line:
        start, end = strip_span(whole, at, at + len(item.text))
        if isinstance(item, TextRun) and start < end:
            look = (item.look, item.owner)
            if found and found[-1][2] == look and not whole[found[-1][1] : start].strip():
                start = found.pop()[0]
            found.append((start, end, look))
        elif isinstance(item, Anchor) and not item.text:
            found.append((at, at, None))
        at += len(item.text)
    return iter(found)


def show_looks(
    source: str, looks: Sequence[Span], translation: Translation
) -> tuple[Span | None, ...]:
    """Where in ``translation`` each of the ``looks`` of its ``source`` is; None where nowhere.

    They are apart from each other there, too. Without an alignment nothing is known.
    """
    text = translation.text
    known = looks and translation.is_aligned and len(text.split()) <= _MOST_WORDS
    words = WordAligner(source, translation).words() if known else []
    shown: list[Span | None] = []
    for start, end in looks:
        if start == end:
            shown.append(_mark_place(source, start, words) if words else None)
            continue
        inside = [word.source is not None and start <= word.source < end for word in words]
        runs = [
            [word for word, _ in run]
            for is_in, run in groupby(zip(words, inside, strict=True), itemgetter(1))
            if is_in
        ]
        longest = max(runs, key=lambda run: run[-1].end - run[0].start, default=None)
        shown.append((longest[0].start, longest[-1].end) if longest else None)
    spans = [span for span in shown if span is not None and span[0] < span[1]]
    return tuple(
        None if span and any(a < span[0] == span[1] < b for a, b in spans) else span
        for span in shown
    )


def _mark_place(source: str, place: int, words: Sequence[AlignedWord]) -> Span:
    """Where a mark goes so that as few words as may be change sides."""
    behind = [w.source is not None and w.source >= place for w in words]
    costs = [sum(behind[:k]) + len(behind[k:]) - sum(behind[k:]) for k in range(len(words) + 1)]
    before = min(range(len(costs)), key=costs.__getitem__)
    leans = source[place - 1 : place].isspace()  # it stands before a word, not behind one
    at = words[before].start if leans and before < len(words) else words[max(before, 1) - 1].end
    return (at, at) if before else (0, 0)
