"""Marks on places of a document that were not translated, or whose translation is unsure.

A format with comments or notes puts a mark there, beside the ``plain`` translation. Every other
format writes the ``text`` of a ``MarkedTranslation`` like any other text; it contains the remark in
brackets.

Entry: ``mark_places``; then ``plain_of`` and ``marks_of`` in formats that have comments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from prism_core.alignment import Match, Span, Translation

COMMENTS: Final = "PRISM"
"""Author of the comments."""
_LEAD: Final = "[PRISM] "
_SHOWN: Final = 60


@dataclass(frozen=True, slots=True)
class Mark:
    """``remark`` for the reader on the ``span`` of a translation."""

    span: Span
    remark: str

    def comment_on(self, translation: Translation, *, quoted: bool = False) -> str:
        """Return the text of a comment on this place, with the start of it if ``quoted``."""
        place = plain_of(translation).text[slice(*self.span)].strip()
        shown = place if len(place) <= _SHOWN else f"{place[:_SHOWN].rstrip()} …"
        return f"{_LEAD}{self.remark}" + (f" “{shown}”" if quoted else "")


@dataclass(frozen=True, slots=True)
class MarkedTranslation(Translation):
    """Translation with its ``marks`` in brackets; ``plain`` is the translation without them."""

    plain: Translation = field(kw_only=True)
    marks: tuple[Mark, ...] = field(kw_only=True)


def mark_places(plain: Translation, marks: Sequence[Mark]) -> Translation:
    """Return ``plain`` with its ``marks``, in order, each formatted as the first word after it."""
    text, matches = plain.text, list(plain.matches)
    for mark in reversed(marks):
        at, remark = mark.span[0], f"[{mark.remark}] "
        text = text[:at] + remark + text[at:]
        first = [m.source for m in matches if at <= m.target[0] < min(m.target[1], mark.span[1])]
        matches = [  # a border at the place stays before it
            m if m.target == (at, at) or m.target[0] < at else m.moved(0, len(remark))
            for m in matches
        ]
        matches += [Match(source, (at, at + len(remark) - 1)) for source in first[:1]]
    return MarkedTranslation(text, matches, plain=plain, marks=tuple(marks)) if marks else plain


def plain_of(translation: Translation) -> Translation:
    """Return ``translation`` without its marks."""
    return translation.plain if isinstance(translation, MarkedTranslation) else translation


def marks_of(translation: Translation) -> tuple[Mark, ...]:
    """Return the marks of ``translation``; their spans refer to the plain translation."""
    return translation.marks if isinstance(translation, MarkedTranslation) else ()


def locate_marks(text: str, translation: Translation) -> Iterator[tuple[Span, Mark]]:
    """Yield each mark with its span in ``text``, which is all of it if the place is not found."""
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
    """Return True if a comment is a mark of PRISM, and thus no text of the document."""
    return kind == "comment" and text.startswith(_LEAD)
