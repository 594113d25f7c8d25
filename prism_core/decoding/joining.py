"""Two answers to two encodings of one sentence, merged word by word.

Both hold the same sentence except for the substitutes. Where one lost a word, the other shows where
it stands: a few words of the one match the found word of the other. Any other difference is a
reason to refuse.

Entry: ``join`` -> ``_cut`` both into words -> ``_Unifier`` -> ``_assemble``.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from prism_core.alignment import Span
from prism_core.decoding.decoded import TOLD, UNSURE, Decoded, SearchStrategy
from prism_core.dictionary import common_start
from prism_core.record import Encoded

MOST_LOST = 4
"""Maximum number of words of one answer that may be a single word of the other."""
_SHORTEST_START = 4
_MOST_ENDING = 2
TOKEN = re.compile(r"\w+|[^\w\s]")
"""Pattern of a word or a mark of an answer."""


class _Piece(NamedTuple):
    """Word or mark with the blanks before it; ``position`` of the replacement it restores."""

    text: str
    before: str
    position: int | None = None


class _Step(NamedTuple):
    """Text at one place of the result: in both answers, or found in one alone."""

    first: _Piece | None
    second: _Piece | None


class _Path(NamedTuple):
    """Steps to the end of both answers; ``dropped`` words of them are in no step.

    ``is_only``: no other path drops as few.
    """

    dropped: int
    steps: tuple[_Step, ...]
    is_only: bool


def join(
    first: Encoded,
    second: Encoded,
    first_decoded: Decoded,
    second_decoded: Decoded,
    function_forms: Collection[str],
) -> Decoded | None:
    """Merge what was found in two answers to the encodings ``first`` and ``second`` into y_pri.

    Returns None unless the same words were replaced in both and each was found in at least one
    answer. Outside the lost words both must have the same words in the same order: equal ones,
    function words (``function_forms``, lower case), or words that differ in the last two letters.
    The places belong to the record of ``first``. A word found in the second answer alone is
    ``SearchStrategy.JOINED``, or its own method if that is unsure.
    """
    wanted, others = (
        {(known.position, known.length, known.word, known.kind) for known in encoded.replaced}
        for encoded in (first, second)
    )
    found = first_decoded.strategies.keys() | second_decoded.strategies
    if wanted != others or not found.issuperset(position for position, *_ in wanted):
        return None
    pieces = _cut(first_decoded), _cut(second_decoded)
    path = _Unifier(*pieces, function_forms).unify()
    if path is None or not path.is_only:
        return None
    text, places = _assemble(path.steps)
    strategies = dict(first_decoded.strategies)
    for position, strategy in second_decoded.strategies.items():
        strategies.setdefault(position, strategy if strategy in UNSURE else SearchStrategy.JOINED)
    told = sum(strategy in TOLD for strategy in strategies.values())
    return replace(
        first_decoded,
        text=text,
        restored=told,
        fallback=len(strategies) - told,
        unrestored=0,
        places=places,
        strategies=strategies,
        shown={},
        added=first_decoded.added | second_decoded.added,
    )


def _cut(decoded: Decoded) -> list[_Piece]:
    """Cut ``decoded.text`` into words; a restored text is one piece, however many words it has."""
    text, done = decoded.text, 0
    pieces: list[_Piece] = []
    for (start, end), position in sorted(
        (decoded.places[position], position) for position in decoded.strategies
    ):
        pieces += _words(text[done:start])
        blank = text[done:start][len(text[done:start].rstrip()) :]
        pieces.append(_Piece(text[start:end], blank, position))
        done = end
    return [*pieces, *_words(text[done:])]


def _words(text: str) -> Iterator[_Piece]:
    done = 0
    for match in TOKEN.finditer(text):
        yield _Piece(match[0], text[done : match.start()])
        done = match.end()


class _Unifier:
    """Search for the one alignment in which two answers are the same sentence."""

    def __init__(
        self, first: Sequence[_Piece], second: Sequence[_Piece], function_forms: Collection[str]
    ) -> None:
        self._first, self._second = first, second
        self._function_forms = function_forms
        self._known = [{piece.position for piece in pieces} for pieces in (first, second)]

    def unify(self) -> _Path | None:
        """Find the path that drops the fewest words; None if the answers differ otherwise."""
        ends = len(self._first), len(self._second)
        best: dict[tuple[int, int], _Path] = {ends: _Path(0, (), is_only=True)}
        held = dict(best)  # those that begin with what both have, or are at the end
        for here in range(ends[0], -1, -1):
            for there in range(ends[1], -1, -1):
                for step, place, dropped in self._steps(here, there):
                    rest = (held if dropped else best).get(place)
                    if rest is None:
                        continue
                    path = _Path(dropped + rest.dropped, (step, *rest.steps), rest.is_only)
                    known = best.setdefault((here, there), path)
                    if path.dropped < known.dropped:
                        best[here, there] = path
                    elif path.dropped == known.dropped and path.steps != known.steps:
                        best[here, there] = known._replace(is_only=False)
                    if not dropped:
                        held[here, there] = path
        return best.get((0, 0))

    def _steps(self, here: int, there: int) -> Iterator[tuple[_Step, tuple[int, int], int]]:
        """Yield each next step from a place in both answers, the place after it, and words dropped.

        Where words are dropped, both must have the same text before and after. Two such steps side
        by side could hide any other difference.
        """
        first = self._first[here] if here < len(self._first) else None
        second = self._second[there] if there < len(self._second) else None
        if first and second and self._are_same(first, second):
            yield _Step(first, second), (here + 1, there + 1), 0
        if first and first.position is not None and first.position not in self._known[1]:
            for count in self._lost_words(self._second, there):
                yield _Step(first, None), (here + 1, there + count), count
        if second and second.position is not None and second.position not in self._known[0]:
            for count in self._lost_words(self._first, here):
                yield _Step(None, second), (here + count, there + 1), count

    def _are_same(self, first: _Piece, second: _Piece) -> bool:
        if first.position is not None or second.position is not None:
            return first.position == second.position
        one, other = first.text.lower(), second.text.lower()
        if one == other or (one in self._function_forms and other in self._function_forms):
            return True
        start = common_start(one, other)
        longest = max(len(one), len(other))
        return one.isalpha() and start >= _SHORTEST_START and longest - start <= _MOST_ENDING

    def _lost_words(self, pieces: Sequence[_Piece], start: int) -> Iterator[int]:
        """Yield how many of ``pieces`` from ``start`` may be the word that was lost there."""
        has_content = False
        for count in range(1, MOST_LOST + 1):
            piece = pieces[start + count - 1] if start + count <= len(pieces) else None
            if piece is None or piece.position is not None or not piece.text.isalpha():
                return
            has_content |= piece.text.lower() not in self._function_forms
            if has_content:
                yield count


def _assemble(steps: Sequence[_Step]) -> tuple[str, dict[int, Span]]:
    """Return the text of ``steps``, and where each replacement stands in it, by its position.

    A word that both answers have is taken from the one that has the next word restored, because
    articles follow the word after them.
    """
    chosen: list[_Piece] = []
    from_second = False
    for first, second in reversed(steps):
        if (first or second or _Piece("", "")).position is not None:
            from_second = first is None
        piece = second if from_second else first
        if piece is not None:
            chosen.append(piece)
    text, places = "", {}
    for piece in reversed(chosen):
        text += piece.before
        if piece.position is not None:
            places[piece.position] = len(text), len(text) + len(piece.text)
        text += piece.text
    return text, places
