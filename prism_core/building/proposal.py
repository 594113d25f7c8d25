"""What the frames show of a word: whether T knows it, its forms, and its agreement class.

Entry: ``known_proposals``, then ``proposed_entry`` for each; ``entries_left_as_they_are`` for the
others.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from prism_core.building.frames import Filled
from prism_core.building.vocabulary import Candidate
from prism_core.dictionary import LEFT_PREFIX, Entry, Form

UNKNOWN_CLASS_SHARE = 0.5
"""In the class of words that T does not know, more than this share comes back unchanged."""
NOT_SHOWN = "?"
"""Stands for the residue of a frame in which no form was found."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A word in its frames: ``shown`` in those that give forms, ``after`` in those of behaviour."""

    word: Candidate
    shown: tuple[Filled | None, ...]
    after: tuple[Filled | None, ...] = ()

    @property
    def filled(self) -> tuple[Filled, ...]:
        """The frames in which a form was found."""
        return tuple(one for one in self.shown if one is not None)

    @property
    def residue(self) -> str:
        """The residue of the first frame that shows a form."""
        return self.filled[0].residue if self.filled else NOT_SHOWN


def known_proposals(proposals: Iterable[Proposal]) -> list[Proposal]:
    """Those that T knows.

    A word that changes in some frame is known. One that never does is a cognate (*hospital*) where
    words of its kind have one frame, and its residue is that of known words; a word T does not
    know falls into a residue where nearly everything is unchanged. Where a kind has several
    frames, they ask for different numbers or persons, and a word that is the same in all of them
    is not known.
    """
    present = [proposal for proposal in proposals if proposal.filled]
    unchanged: Counter[tuple[str, str]] = Counter()
    total: Counter[tuple[str, str]] = Counter()
    for one in present:
        total[one.word.tag, one.residue] += 1
        unchanged[one.word.tag, one.residue] += not _changes(one)

    def is_cognate(one: Proposal) -> bool:
        kind = one.word.tag, one.residue
        return one.word.tag in COGNATES and unchanged[kind] <= UNKNOWN_CLASS_SHARE * total[kind]

    return [one for one in present if _changes(one) or is_cognate(one)]


COGNATES = ("NN", "NNS", "CD", "MONTH", "WEEKDAY")
"""Tags whose frames all ask for one form, so that an unchanged word may be a known one."""


MOST_LEFT = 400
"""Words of one tag that are kept as left as they are: a pool, not a list of all."""
LEAST_SEEN = 2


def entries_left_as_they_are(
    proposals: Iterable[Proposal], accepted: Iterable[Proposal], share: float
) -> list[Entry]:
    """Public words that T leaves as they are, under tags of their own: the commonest of each tag.

    What T does with a word it does not know it will do with another: so these stand in for the
    words of a text that no dictionary has.
    """
    known_words = {one.word.word for one in accepted}
    counts: Counter[str] = Counter()
    entries = []
    for one in sorted(proposals, key=lambda one: -one.word.count):
        word, tag = one.word.word, one.word.tag
        fits = one.filled and not _changes(one) and " " not in word and word not in known_words
        if fits and one.word.count >= LEAST_SEEN and counts[tag] < MOST_LEFT:
            counts[tag] += 1
            form = Form(word, 1.0)
            entries.append(Entry(word, LEFT_PREFIX + tag, (form,), "", 1.0, 2 * share))
    return entries


def _changes(proposal: Proposal) -> bool:
    return any(shown.form != proposal.word.word for shown in proposal.filled)


def proposed_entry(proposal: Proposal, senses: str, share: float) -> Entry:
    """The entry of a known word; each frame cost ``share`` of a call.

    The agreement class has three parts: what T writes around the word and which of its forms are
    alike; what it does to what stands before or after; the parts of speech it may be.
    """
    features: dict[str, list[str]] = defaultdict(list)
    for one in proposal.filled:
        features[one.form].append(one.feature)
    after = " / ".join(one.residue if one else NOT_SHOWN for one in proposal.after)
    around = proposal.residue
    if len(proposal.shown) > 1:
        around += f" {pattern_of([one.form for one in proposal.filled])}"
    parts = (around, after, senses)
    return Entry(
        word=proposal.word.word,
        tag=proposal.word.tag,
        forms=tuple(Form(text, 0.0, tuple(seen)) for text, seen in features.items()),
        agreement=" | ".join(part for part in parts if part),
        confidence=0.0,
        calls=share * (len(proposal.shown) + len(proposal.after)),
    )


def pattern_of(forms: Sequence[str]) -> str:
    """Which of ``forms`` are alike: ``0011`` for *grande, grande, grandes, grandes*.

    It tells apart words that vary with their neighbours from words that do not.
    """
    order = list(dict.fromkeys(forms))
    return "".join(str(order.index(form)) for form in forms)
