"""A sentence for review, and what a person made of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from prism_core.alignment import Span
from prism_core.record import Reason

TagSpans = Mapping[int, Span]
"""TagSpans by their numbers, from 1 on; see ``prism_core.review.inline_tags``."""


@dataclass(frozen=True, slots=True)
class ReviewUnit:
    """One sentence, once for the whole archive.

    ``id`` is its keyed id. ``document`` is the path of the first document that holds it, ``place``
    where it stands in it, ``others`` in how many further documents. ``translation`` is empty where
    there is none. ``detail`` says more of the ``reason``: a class or a count, never text.
    ``looks`` are the stretches of ``source`` with a mark, ``shown`` where they are in
    ``translation``, None for one that is nowhere.
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

    @property
    def note(self) -> str:
        """What to tell the reviewer about it."""
        also = f"also in {self.others} other documents" if self.others else ""
        said = f"{self.reason}: {self.detail}" if self.detail else str(self.reason)
        return "; ".join(filter(None, (said, self.place, also)))

    def rank(self) -> tuple[int, str]:
        """The worst first, then by document."""
        return list(Reason).index(self.reason), self.document


@dataclass(frozen=True, slots=True)
class Correction:
    """A unit as it came back; ``approved``: a person says that it is right as it stands.

    ``marks`` stand in ``source``, ``given`` in ``translation``; ``broken``: what was written there
    makes no marks.
    """

    id: str
    source: str
    translation: str
    approved: bool
    marks: TagSpans = field(default_factory=dict)
    given: TagSpans = field(default_factory=dict)
    broken: bool = False
