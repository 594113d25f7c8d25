"""Placement of the words of a translation in a line with several looks, links and marks.

The line is a row of groups, each text of one look. Hard cuts separate groups where a note mark
stands or a link begins or ends; a stretch lies between two hard cuts. A word goes into the stretch
of its source, as far as the order of the stretches, which never changes, allows; there it takes the
look of its source, even if that has to move.
"""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import Final, Generic

from prism_core.alignment import Translation
from prism_core.formats.text.runs import Group, Placed, Placement, R, has_words
from prism_core.formats.text.splitting import partition
from prism_core.formats.text.word_alignment import AlignedWord, WordAligner, word_spans

_MOST_STEPS: Final = 500_000
"""Limit of words times groups that are compared; a paragraph that people write has far fewer."""
_FOREIGN, _FOREIGN_TO_LINK, _SIGN = 1.0, 2.0, 0.1
_EMPTY_LINK: Final = 4.0
_LATE_MARK, _LOOSE_MARK = 0.5, 2.0
"""Costs of a word in a foreign stretch, of a link without words, and of a displaced mark.

A mark is displaced that does not follow the word it followed: it follows another word of its
stretch (late), or none of it (loose).
"""


def place_words(
    groups: Sequence[Group[R]], translation: Translation, *, movable: bool
) -> Placement[R]:
    """Distribute ``translation`` over the ``groups`` of a line; all texts, in order, give it back.

    Without an alignment, or where it is too large, a look is kept only where its place is certain
    (``partition``). Unless the looks are ``movable``, none is copied to a new place.
    """
    source = "".join(group.text for group in groups)
    if len(groups) > 1 and translation.is_aligned and source.strip():
        words = WordAligner(source, translation).words()
        if words and len(words) * len(groups) <= _MOST_STEPS:
            return _Placer(groups, words, translation.text, movable).placement()
    hard = [group.hard for group in groups[1:]]
    slices, lost = partition([group.text for group in groups], hard, translation.text)
    return list(map(Placed, groups, slices)), lost


@dataclass(slots=True)
class _StyledPiece:
    """Text with the look of group ``like``; ``place`` is the group whose place it takes."""

    text: str
    like: int
    place: int | None = None


class _Placer(Generic[R]):
    """Placement of the words, known by index, in the stretches of one line."""

    def __init__(
        self, groups: Sequence[Group[R]], words: Sequence[AlignedWord], text: str, movable: bool
    ) -> None:
        self._groups = groups
        self._texts = [group.text for group in groups]
        self._looks = [group.look for group in groups]
        self._owners = [group.owner for group in groups]
        source, ends = "".join(self._texts), list(accumulate(map(len, self._texts)))
        begins = [index for index, group in enumerate(groups) if group.hard or not index]
        self._stretches = [range(*span) for span in pairwise([*begins, len(groups)])]
        self._words = words = list(_split_at_looks(words, source, text, ends))
        self._text, self._movable = text, movable
        self._labels = [min(bisect_right(ends, w.source or 0), len(groups) - 1) for w in words]
        self._number_of = [n for n, stretch in enumerate(self._stretches) for _ in stretch]
        begun = {start for start, _ in word_spans(source)}
        starts = sorted(begun.union(end for end in ends if _may_split(source, end)))
        cuts = (ends[stretch.start - 1] for stretch in self._stretches[1:])
        places = (bisect_left(starts, cut) for cut in cuts)
        # Where the last word or sign before each stretch but the first begins in the source.
        self._last_before = [starts[place - 1] if place else None for place in places]

    def placement(self) -> Placement[R]:
        """Return the new text of each group, the texts beside it, and the number of lost looks."""
        bounds = self._cut_into_stretches()
        slices = [""] * len(self._texts)
        ahead: list[list[tuple[str, R]]] = [[] for _ in slices]
        behind: list[list[tuple[str, R]]] = [[] for _ in slices]
        shown = set()
        for number, stretch in enumerate(self._stretches):
            pieces = self._style_pieces(number, bounds[number], bounds[number + 1])
            self._assign_places(pieces, stretch)
            pieces = pieces if self._movable else self._merge_pieces(pieces, stretch)
            places = [piece.place for piece in pieces if piece.place is not None]
            last: int | None = None
            for piece in pieces:
                if piece.place is not None:
                    slices[piece.place], last = piece.text, piece.place
                    continue
                copy = piece.text, self._groups[piece.like].runs[0]
                shown.add(self._looks[piece.like])
                if last is None:
                    ahead[places[0] if places else stretch.start].append(copy)
                else:
                    behind[last].append(copy)
        for index, (before, blank) in enumerate(pairwise(self._texts), 1):
            # Groups of white space get the white space of the words before them.
            copied = ahead[index - 1] or behind[index - 1] or ahead[index] or behind[index]
            kept = slices[index - 1].rstrip()
            if blank.isspace() and kept and not (slices[index] or copied or before[-1:].isspace()):
                slices[index - 1 : index + 1] = [kept, slices[index - 1][len(kept) :]]
        shown |= {self._looks[i] for i, text in enumerate(slices) if text.strip()}
        wanted = {group.look for group in self._groups if has_words(group.text)}
        placed = map(Placed, self._groups, slices, map(tuple, ahead), map(tuple, behind))
        return list(placed), len(wanted - shown)

    def _cut_into_stretches(self) -> list[int]:
        """Return where each stretch begins among the words, and where the last one ends."""
        best = [0.0] + [math.inf] * len(self._words)
        rows: list[list[int]] = []
        for number in range(len(self._stretches)):
            best, begins = self._least_costs(number, best)
            rows.append(begins)
        bounds = [len(self._words)]
        for begins in reversed(rows):
            bounds.append(begins[bounds[-1]])
        return bounds[::-1]

    def _least_costs(self, number: int, before: Sequence[float]) -> tuple[list[float], list[int]]:
        """Return, by word, the least cost if stretch ``number`` ends there, and its start."""
        stretch = self._stretches[number]
        entering = [cost + self._cut_cost(number, word) for word, cost in enumerate(before)]
        linked = self._owners[stretch.start] and any(has_words(self._texts[i]) for i in stretch)
        empty = _EMPTY_LINK if linked else 0.0
        costs, begins = [entering[0] + empty], [0]
        filled, begun = math.inf, 0
        for word, label in enumerate(self._labels):
            if entering[word] < filled:
                filled, begun = entering[word], word
            if self._number_of[label] != number:
                of_link = self._owners[stretch.start] or self._owners[label]
                worded = self._text[self._words[word].start].isalnum()
                foreign = _FOREIGN_TO_LINK if of_link else _FOREIGN
                filled += foreign if worded else _SIGN
            least, start = min((filled, begun), (entering[word + 1] + empty, word + 1))
            costs.append(least)
            begins.append(start)
        return costs, begins

    def _cut_cost(self, number: int, word: int) -> float:
        """Return the cost of the cut before stretch ``number`` standing before ``word``."""
        if not number:
            return 0.0
        wanted = self._last_before[number - 1]
        if (self._words[word - 1].source if word else None) == wanted:
            return 0.0
        before = self._number_of[self._labels[word - 1]] if word else number
        return _LATE_MARK if before == number - 1 else _LOOSE_MARK

    def _style_pieces(self, number: int, first: int, end: int) -> list[_StyledPiece]:
        """Return words ``first:end`` and white space as pieces of one look of their link."""
        stretch = self._stretches[number]
        outside = self._movable and self._owners[stretch.start] == 0
        fitting = [
            label if label in stretch or (outside and self._owners[label] == 0) else None
            for label in self._labels[first:end]
        ]
        like = next((label for label in fitting if label is not None), self._longest_group(stretch))
        pieces: list[_StyledPiece] = []
        for word, label in zip(range(first, end), fitting, strict=True):
            like = like if label is None else label
            text = self._text[self._text_end(word) : self._text_end(word + 1)]
            if pieces and self._looks[pieces[-1].like] == self._looks[like]:
                pieces[-1].text += text
            else:
                pieces.append(_StyledPiece(text, like))
        return pieces

    def _longest_group(self, stretch: range) -> int:
        return max(stretch, key=lambda index: len(self._texts[index].strip()))

    def _text_end(self, word: int) -> int:
        """Return the end of the text before ``word``; white space goes to who has it."""
        if word == 0:
            return 0
        if word == len(self._words):
            return len(self._text)
        left, right = (self._texts[self._labels[index]] for index in (word - 1, word))
        if left[-1:].isspace() != right[:1].isspace():
            return self._words[word].start if left[-1:].isspace() else self._words[word - 1].end
        tight_left, tight_right = left == left.strip(), right == right.strip()
        longer_left = left[-1:].isspace() or len(left) > len(right)
        space_left = tight_right if tight_left != tight_right else longer_left
        return self._words[word].start if space_left else self._words[word - 1].end

    def _assign_places(self, pieces: Sequence[_StyledPiece], stretch: range) -> None:
        """Assign pieces to groups with their look, in order, for as much text as possible."""
        best = [[0] * (len(stretch) + 1) for _ in range(len(pieces) + 1)]
        for p in reversed(range(len(pieces))):
            for g in reversed(range(len(stretch))):
                skipped = max(best[p + 1][g], best[p][g + 1])
                alike = self._looks[pieces[p].like] == self._looks[stretch[g]]
                taken = best[p + 1][g + 1] + len(pieces[p].text)
                best[p][g] = max(skipped, taken) if alike else skipped
        p = g = 0
        while p < len(pieces) and g < len(stretch):
            if best[p][g] == best[p][g + 1]:
                g += 1
            elif best[p][g] == best[p + 1][g]:
                p += 1
            else:
                pieces[p].place = stretch[g]
                p, g = p + 1, g + 1

    def _merge_pieces(self, pieces: Sequence[_StyledPiece], stretch: range) -> list[_StyledPiece]:
        """Merge pieces without a place into a neighbour that has one."""
        if pieces and all(piece.place is None for piece in pieces):
            longest = self._longest_group(stretch)
            return [_StyledPiece("".join(piece.text for piece in pieces), longest, longest)]
        kept: list[_StyledPiece] = []
        waiting = ""
        for piece in pieces:
            if piece.place is not None:
                kept.append(_StyledPiece(waiting + piece.text, piece.like, piece.place))
                waiting = ""
            elif kept:
                kept[-1].text += piece.text
            else:
                waiting += piece.text
        return kept


def _may_split(source: str, place: int) -> bool:
    """Return True if a word may be split there: between two signs, and not between letters."""
    around = source[place - 1 : place + 1] if place else ""
    return len(around) == 2 and not around.isalpha() and not any(map(str.isspace, around))


def _split_at_looks(
    words: Sequence[AlignedWord], source: str, text: str, ends: Sequence[int]
) -> Iterator[AlignedWord]:
    """Split ``words`` where the source changes its look, not between letters, as at note marks."""
    spans = word_spans(source)
    for word in words:
        if word.source is None:
            yield word
            continue
        start, at, shown = word.source, word.start, text[word.start : word.end]
        stop = spans[bisect_right(spans, (start, len(source))) - 1][1]
        source_word = source[start:stop]
        for cut in dict.fromkeys(ends[bisect_right(ends, start) : bisect_left(ends, stop)]):
            before, after = source_word[: cut - word.source], source_word[cut - word.source :]
            place = 0
            if len(shown) > len(after) and shown.endswith(after):
                place = word.end - len(after)
            elif len(shown) > len(before) and shown.startswith(before):
                place = word.start + len(before)
            if place > at and _may_split(source, cut) and _may_split(text, place):
                yield replace(word, start=at, end=place, source=start)
                at, start = place, cut
        yield replace(word, start=at, source=start)
