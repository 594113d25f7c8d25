"""What a reader is told of a place that was not translated, or whose translation is unsure.

A format with comments or notes puts it there, beside the ``plain`` translation. Every other one
writes the ``text`` of a ``MarkedTranslation`` as it writes any other, and says it in brackets.

Entry: ``mark_places`` before a document is written; then ``plain_of`` and ``marks_of`` in
formats that have comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from prism_core.alignment import Match, Span, Translation

COMMENTS: Final = "PRISM"
"""Who writes the comments."""
_LEAD: Final = "[PRISM] "
_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class Mark:
    """The ``span`` of a translation, and what is to be ``said`` of it, in words."""

    span: Span
    said: str

    def comment_on(self, said: Translation, *, quoted: bool = False) -> str:
        """What a comment says of it; with the start of the place in ``said`` where it is
        ``quoted``."""
        place = plain_of(said).text[slice(*self.span)].strip()
        shown = place if len(place) <= _SHOWN else f"{place[:_SHOWN].rstrip()} …"
        return f"{_LEAD}{self.said}" + (f" “{shown}”" if quoted else "")


@dataclass(frozen=True, slots=True)
class MarkedTranslation(Translation):
    """A translation that says its ``marks`` in brackets, and the ``plain`` one that does not."""

    plain: Translation = field(kw_only=True)
    marks: tuple[Mark, ...] = field(kw_only=True)


def mark_places(plain: Translation, marks: Sequence[Mark]) -> Translation:
    """``plain`` with its ``marks``, which are in order; itself where there is none.

    What is said looks like the first word that it is said of.
    """
    text, matches = plain.text, list(plain.matches)
    for mark in reversed(marks):
        at, said = mark.span[0], f"[{mark.said}] "
        text = text[:at] + said + text[at:]
        first = [m.source for m in matches if at <= m.target[0] < min(m.target[1], mark.span[1])]
        matches = [_moved(match, at, len(said)) for match in matches]
        matches += [Match(source, (at, at + len(said) - 1)) for source in first[:1]]
    return MarkedTranslation(text, matches, plain=plain, marks=tuple(marks)) if marks else plain


def _moved(match: Match, at: int, by: int) -> Match:
    """``match`` when so many characters are put in ``at``; a border there stays before them."""
    start, end = match.target
    return match if (start, end) == (at, at) or start < at else match.moved(0, by)


def plain_of(translation: Translation) -> Translation:
    """``translation`` without what its marks say."""
    return translation.plain if isinstance(translation, MarkedTranslation) else translation


def marks_of(translation: Translation) -> tuple[Mark, ...]:
    """The marks of ``translation``, whose spans are in the plain one."""
    return translation.marks if isinstance(translation, MarkedTranslation) else ()


def places_in(text: str, translation: Translation) -> Iterator[tuple[Span, Mark]]:
    """Where ``text``, which a document says of ``translation``, says each marked place.

    It is all of ``text`` where a place cannot be told, blanks or breaks having changed.
    """
    cursor = 0
    for mark in marks_of(translation):
        place = plain_of(translation).text[slice(*mark.span)].strip()
        start = text.find(place, cursor)
        if place and start >= 0:
            cursor = start + len(place)
            yield (start, cursor), mark
        else:
            yield (0, len(text)), mark


def is_mark(kind: str, text: str) -> bool:
    """Whether a comment that a document holds is one of ours: it is no text of the document."""
    return kind == "comment" and text.startswith(_LEAD)
