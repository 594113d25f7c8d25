"""Inline tags: in a review file, the spans of a sentence that are formatted differently.

A tag has a number, from 1; one without width stands for an object, such as a note mark. A person
moves the tags with the words, so they are an alignment that restores the formatting of the words.

Entry: ``tag_text`` to write; ``TagReader`` collects the content of an element;
``fit_correction`` makes a translation of it: ``_align`` by its tags, ``_carry`` where there are
none.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from itertools import accumulate, compress, pairwise
from xml.sax.saxutils import escape

from prism_core.alignment import Match, Span, Translation, strip_span
from prism_core.cat.review.review_units import Correction, TagSpans
from prism_core.controls import REORDERING
from prism_core.formats import project_looks
from prism_core.safe_xml import Element, local_name

_SPANNING = frozenset({"g", "pc"})
_EMPTY = frozenset({"x", "ph"})
_FOREIGN_CODES = frozenset({"bpt", "ept", "it", "bx", "ex"})
"""Tags of other programs: their content is no text, and PRISM exports none of them."""
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")


def tag_text(text: str, tags: Sequence[Span | None], forms: tuple[str, str, str]) -> str:
    """Return ``text`` as XML with its ``tags``.

    ``forms`` are the start and the end of an element, and an element without width; ``{}`` is the
    place of the number.
    """
    opening, closing, empty = forms
    parts, end_of_last = list[str](), 0
    numbered = ((span, number) for number, span in enumerate(tags, 1) if span is not None)
    for (start, end), number in sorted(numbered):
        inner = opening.format(number) + escape(text[start:end]) + closing
        parts += escape(text[end_of_last:start]), inner if start < end else empty.format(number)
        end_of_last = end
    return "".join((*parts, escape(text[end_of_last:])))


@dataclass(slots=True)
class TagReader:
    """Text of one side of a unit, and its ``tags``; ``broken`` if these are malformed."""

    text: str = ""
    tags: dict[int, Span] = field(default_factory=dict)
    broken: bool = False
    _open: dict[str, int] = field(default_factory=dict)

    def read(self, element: Element) -> None:
        """Add the content of ``element``."""
        self.text += element.text or ""
        for child in element:
            self._read_tag(child)
            self.text += child.tail or ""

    def _read_tag(self, child: Element) -> None:
        name, start = local_name(child), len(self.text)
        tag_id = str(child.get("id", ""))
        if name in _SPANNING:
            self.read(child)
            self._add(tag_id, start)
        elif name in _EMPTY:
            self._add(tag_id, start)
        elif name == "sc":
            self._open[tag_id] = start
        elif name == "ec":
            opened = str(child.get("startRef", ""))
            self._add(opened, self._open.pop(opened, -1))
        elif name in _FOREIGN_CODES:
            self.broken = True
        elif name == "cp":
            self.text += " "
        else:
            self.read(child)

    def _add(self, tag_id: str, start: int) -> None:
        number = int(tag_id) if tag_id.isascii() and tag_id.isdigit() and len(tag_id) < 6 else 0
        self.broken = self.broken or not number or number in self.tags or start < 0
        self.tags[number] = (start, len(self.text))


def fit_correction(
    correction: Correction, source: str, before: Translation
) -> tuple[Translation, bool] | None:
    """Return the corrected translation of ``source``, aligned, and whether its tags are missing.

    Returns None if the tags are malformed: one that ``source`` does not have, a duplicate, some of
    them lost, or one within another. ``before`` is the exported translation, without text where
    there was none; what is equal in both stays aligned as it was. Characters that reverse the text
    (``REORDERING``) and are not in ``source`` are removed.
    """
    known = dict(correction.marks)
    corrected, given = _clean(correction, source)
    ordered = sorted(given.values())
    overlap = any(left[1] > right[0] for left, right in pairwise(ordered))
    if correction.broken or overlap or not given.keys() <= known.keys():
        return None
    if not known or correction.source != source:
        return _carry(before, corrected), False
    shown = project_looks(source, [known[n] for n in sorted(known)], before)
    were = {n: span for n, span in zip(sorted(known), shown, strict=True) if span}
    lost = (were if before.text else known).keys() - given.keys()
    if lost and given:
        return None
    if lost or not given or (corrected == before.text and given == were):
        return _carry(before, corrected), bool(lost)
    return _align(source, known, corrected, given), False


def _clean(correction: Correction, source: str) -> tuple[str, dict[int, Span]]:
    """Return the translation on one line, without added ``REORDERING`` characters, and its tags."""
    added = REORDERING.difference(source)
    kept = [character not in added for character in correction.translation]
    moved = list(accumulate(kept, initial=0))
    raw = "".join(compress(correction.translation, kept))
    cleaned = _CONTROL.sub(lambda m: " " * len(m[0]) if correction.given else " ", raw)
    lead, cleaned = len(cleaned) - len(cleaned.lstrip()), cleaned.strip()
    size = len(cleaned)
    given = {
        number: (min(max(moved[first] - lead, 0), size), min(max(moved[last] - lead, 0), size))
        for number, (first, last) in correction.given.items()
    }
    return cleaned, given


def _carry(before: Translation, corrected: str) -> Translation:
    """Align ``corrected`` with the matches of ``before`` whose words it still has."""
    if not before.is_aligned:
        return Translation(corrected)
    same = SequenceMatcher(None, before.text, corrected, autojunk=False).get_matching_blocks()
    matches = (
        match.moved(0, block.b - block.a)
        for match in before.matches
        for block in same
        if block.a <= match.target[0] and match.target[1] <= block.a + block.size
    )
    return Translation(corrected, tuple(dict.fromkeys(matches)))


def _align(source: str, known: TagSpans, corrected: str, given: TagSpans) -> Translation:
    """Align each tag to its source span, and the text after each to the text after it there.

    The text before the first tag is aligned likewise. Where nothing follows a tag in the source,
    the nearest untagged source text is used.
    """
    source_gaps, target_gaps = _gaps(source, known), _gaps(corrected, given)
    filled = [number for number, span in source_gaps.items() if span]
    order = list(source_gaps)
    matches = [Match(known[n], span) for n, span in given.items() if span[0] < span[1]]
    for number, span in target_gaps.items():
        if span and filled:
            position = order.index(number)
            nearest = min(filled, key=lambda candidate: abs(order.index(candidate) - position))
            source_span = source_gaps[nearest]
            assert source_span is not None  # noqa: S101 (it is filled)
            matches.append(Match(source_span, span))
    return Translation(corrected, tuple(matches))


def _gaps(text: str, tags: TagSpans) -> dict[int, Span | None]:
    """Return the text after each tag up to the next, 0 being the beginning; None: no words."""
    edges = [(0, (0, 0)), *sorted(tags.items(), key=lambda item: item[1])]
    ends = [span[0] for _, span in edges[1:]] + [len(text)]
    found: dict[int, Span | None] = {}
    for (number, (_, start)), end in zip(edges, ends, strict=True):
        first, last = strip_span(text, start, end)
        found[number] = (first, last) if first < last else None
    return found
