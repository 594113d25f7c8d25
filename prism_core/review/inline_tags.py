"""Inline marks: in a review file, the stretches of a sentence that look otherwise than the rest.

A mark has a number, from 1 on; one without width is a thing that stands there, a note mark say. A
person moves them with the words; what they say about the words is the alignment that puts every
look where its words are.

Entry: ``write_tagged_text`` to write; ``TagReader`` gathers what an element says; ``fit_correction`` makes
a translation of it: ``_align`` by its marks, ``_carry`` where there are none.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import accumulate, compress, pairwise

from prism_core.alignment import Match, Span, Translation, strip_span
from prism_core.controls import REORDERING
from prism_core.formats import show_looks
from prism_core.review.review_units import Correction, TagSpans
from prism_core.safe_xml import Element, local_name

_SPANNING = frozenset({"g", "pc"})
_EMPTY = frozenset({"x", "ph"})
_CODES = frozenset({"bpt", "ept", "it", "bx", "ex"})
"""TagSpans of other programs: nothing that they hold is text, and none was exported."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def write_tagged_text(
    text: str, marks: Sequence[Span | None], write: Callable[[int, str | None], str]
) -> Iterator[str]:
    """``text`` in pieces with its ``marks``, each written by ``write``: its number, and the text
    in it, None for one without width."""
    at = 0
    placed = ((span, number) for number, span in enumerate(marks, 1) if span is not None)
    for (start, end), number in sorted(placed):
        yield write(0, text[at:start])
        yield write(number, text[start:end] if start < end else None)
        at = end
    yield write(0, text[at:])


@dataclass(slots=True)
class TagReader:
    """The ``text`` of a side of a unit, and its ``marks``; ``broken`` if these are no good."""

    text: str = ""
    marks: dict[int, Span] = field(default_factory=dict)
    broken: bool = False
    _open: dict[str, int] = field(default_factory=dict)

    def read(self, element: Element) -> None:
        """Add what ``element`` says."""
        self.text += element.text or ""
        for child in element:
            self._read_mark(child)
            self.text += child.tail or ""

    def _read_mark(self, child: Element) -> None:
        name, start = local_name(child), len(self.text)
        said = str(child.get("id", ""))
        if name in _SPANNING:
            self.read(child)
            self._add(said, start)
        elif name in _EMPTY:
            self._add(said, start)
        elif name == "sc":
            self._open[said] = start
        elif name == "ec":
            opened = str(child.get("startRef", ""))
            self._add(opened, self._open.pop(opened, -1))
        elif name in _CODES:
            self.broken = True
        elif name == "cp":
            self.text += " "
        else:
            self.read(child)

    def _add(self, said: str, start: int) -> None:
        number = int(said) if said.isascii() and said.isdigit() and len(said) < 6 else 0
        self.broken = self.broken or not number or number in self.marks or start < 0
        self.marks[number] = (start, len(self.text))


def fit_correction(
    correction: Correction, source: str, before: Translation
) -> tuple[Translation, bool] | None:
    """What ``correction`` says of ``source``, aligned to it, and whether its marks went missing.

    None if they are broken: one that ``source`` has not, one twice, some of them lost, one within
    another. ``before`` is the translation that was exported, without text where there was none;
    what is the same in both stays aligned as it was. What would turn the text round
    (``REORDERING``) and is not in ``source`` goes.
    """
    known = dict(correction.marks)
    said, given = _clean(correction, source)
    ordered = sorted(given.values())
    overlap = any(left[1] > right[0] for left, right in pairwise(ordered))
    if correction.broken or overlap or not given.keys() <= known.keys():
        return None
    if not known or correction.source != source:
        return _carry(before, said), False
    shown = show_looks(source, [known[n] for n in sorted(known)], before)
    were = {n: span for n, span in zip(sorted(known), shown, strict=True) if span}
    lost = (were if before.text else known).keys() - given.keys()
    if lost and given:
        return None
    if lost or not given or (said == before.text and given == were):
        return _carry(before, said), bool(lost)
    return _align(source, known, said, given), False


def _clean(correction: Correction, source: str) -> tuple[str, dict[int, Span]]:
    """The translation on one line, without what would turn it round, and where its marks are."""
    added = REORDERING.difference(source)
    kept = [one not in added for one in correction.translation]
    moved = list(accumulate(kept, initial=0))
    raw = "".join(compress(correction.translation, kept))
    said = _CONTROL.sub(lambda m: " " * len(m[0]) if correction.given else " ", raw)
    lead, said = len(said) - len(said.lstrip()), said.strip()
    given = {
        number: (min(max(moved[a] - lead, 0), len(said)), min(max(moved[b] - lead, 0), len(said)))
        for number, (a, b) in correction.given.items()
    }
    return said, given


def _carry(before: Translation, said: str) -> Translation:
    """``said`` with what is known of the words that ``before`` says, too."""
    if not before.is_aligned:
        return Translation(said)
    same = SequenceMatcher(None, before.text, said, autojunk=False).get_matching_blocks()
    matches = (
        match.moved(0, block.b - block.a)
        for match in before.matches
        for block in same
        if block.a <= match.target[0] and match.target[1] <= block.a + block.size
    )
    return Translation(said, tuple(dict.fromkeys(matches)))


def _align(source: str, known: TagSpans, said: str, given: TagSpans) -> Translation:
    """Mark by mark, and what follows each mark, or the beginning, to what follows it there.

    Where nothing follows it in the source it is the nearest stretch there without a mark.
    """
    here, there = _gaps(source, known), _gaps(said, given)
    filled = [number for number, span in here.items() if span]
    places = list(here)
    matches = [Match(known[n], span) for n, span in given.items() if span[0] < span[1]]
    for number, span in there.items():
        if span and filled:
            at = places.index(number)
            nearest = min(filled, key=lambda other: abs(places.index(other) - at))
            stretch = here[nearest]
            assert stretch is not None  # noqa: S101 (it is filled)
            matches.append(Match(stretch, span))
    return Translation(said, tuple(matches))


def _gaps(text: str, marks: TagSpans) -> dict[int, Span | None]:
    """What stands behind each mark up to the next, 0 being the beginning; None: no words."""
    edges = [(0, (0, 0)), *sorted(marks.items(), key=lambda item: item[1])]
    ends = [span[0] for _, span in edges[1:]] + [len(text)]
    found: dict[int, Span | None] = {}
    for (number, (_, start)), end in zip(edges, ends, strict=True):
        first, last = strip_span(text, start, end)
        found[number] = (first, last) if first < last else None
    return found
