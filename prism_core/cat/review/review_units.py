"""Sentence for review, and a reviewer's correction of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from prism_core.alignment import Span
from prism_core.record import TO_LOOK_AT, Reason
from prism_core.translation_memory import FuzzyMatch

TagSpans = Mapping[int, Span]
"""Spans of inline tags by their numbers, from 1; see ``prism_core.cat.review.inline_tags``."""


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
    its own among them. ``quality`` is estimated, 0 to 1.
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
    quality: float | None = None

    @property
    def note(self) -> str:
        """Note for the reviewer."""
        elsewhere = f"also in {self.others} other documents" if self.others else ""
        reason = f"{self.reason}: {self.detail}" if self.detail else str(self.reason)
        estimate = "" if self.quality is None else f"estimated quality {self.quality:.0%}"
        return "; ".join(filter(None, (reason, self.place, estimate, elsewhere)))

    @property
    def severity(self) -> int:
        """Place of the reason among all reasons, the worst first."""
        return list(Reason).index(self.reason)

    def rank(self) -> tuple[bool, float, int, str]:
        """Return the sort key: the untranslated, then the worst estimate, reason and document."""
        unknown = float(self.reason not in TO_LOOK_AT)
        quality = unknown if self.quality is None else self.quality
        return self.reason is not Reason.WITHHELD, quality, self.severity, self.document


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
