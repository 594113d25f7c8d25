"""Sentence for review, and a reviewer's correction of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from prism_core.alignment import Span
from prism_core.record import Reason
from prism_core.translation_memory import FuzzyMatch

TagSpans = Mapping[int, Span]
"""Spans of inline tags by their numbers, from 1; see ``prism_core.review.inline_tags``."""


Causes = tuple[tuple[Span, ...], tuple[Span, ...]]
"""Words that are the reason to review a sentence: spans in its source, and in its translation."""
NO_CAUSES: Causes = (), ()


@dataclass(frozen=True, slots=True)
class ReviewUnit:
    """A sentence, once for the whole archive.

    ``id`` is its keyed id. ``document`` is the path of the first document with the sentence,
    ``place`` its position there, ``others`` the number of further documents with it.
    ``translation`` is empty where there is none. ``detail`` adds a class or a count to the
    ``reason``, never text. ``looks`` are the spans of ``source`` with formatting, ``shown`` their
    spans in ``translation``, None for one that is missing there. ``match`` is a unit of a memory
    that resembles the sentence. ``around`` are the ids of the sentences around it in ``document``,
    its own among them.
    """

    id: str
    document: str
    place: str
    source: str
    translation: str
    reason: Reason
    detail: str = ""
    others: int = 0
    looks: tuple[Span, ...] = ()
    shown: tuple[Span | None, ...] = ()
    match: FuzzyMatch | None = None
    causes: Causes = NO_CAUSES
    around: tuple[str, ...] = ()

    @property
    def note(self) -> str:
        """Note for the reviewer."""
        elsewhere = f"also in {self.others} other documents" if self.others else ""
        reason = f"{self.reason}: {self.detail}" if self.detail else str(self.reason)
        return "; ".join(filter(None, (reason, self.place, elsewhere)))

    def rank(self) -> tuple[int, str]:
        """Return the sort key: the worst first, then by document."""
        return list(Reason).index(self.reason), self.document


@dataclass(frozen=True, slots=True)
class Correction:
    """A unit as it came back; ``approved`` if a person confirmed the translation.

    ``marks`` are the tags in ``source``, ``given`` those in ``translation``; ``broken`` if the tags
    there are malformed.
    """

    id: str
    source: str
    translation: str
    approved: bool
    marks: TagSpans = field(default_factory=dict)
    given: TagSpans = field(default_factory=dict)
    broken: bool = False
