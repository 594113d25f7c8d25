"""Evidence of carriers for a word, and the entry that follows from it.

Confidence measures whether a substitution leaves no trace: restored in the translation, it reads as
T(S) does. A word with several meanings, a word that the translator takes for another part of
speech, or a word that changes its neighbours leaves a trace in every position.

Entry: ``record_answer`` for each answer; it calls ``find_traceless``, which puts the originals back
and compares the words around them. Then ``is_settled``, and at last ``Evidence.make_entry``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from prism_core.building.carrier_sentences import Probe, Swap
from prism_core.dictionary import Entry, Form, target_tokens

LEAST_SEEN = 3 / 8
"""Share of a word's probes in which a form must be new to count although no frame gave it."""
LEAST_TIMES = 2
RARE = 1 / 200
"""Share of the untouched translations that such a form must stay below."""
MOST_FORMS = 12
LEAST_AS_ORIGINAL = 3
"""Number of trials as the replaced word from which on these count too."""


@dataclass(slots=True)
class Trials:
    """Counts of how often a word was tested, found again, and restored without a trace."""

    tried: int = 0
    found: int = 0
    traceless: int = 0

    def add(self, result: bool | None) -> None:
        """Count one result of ``find_traceless``."""
        self.tried += 1
        self.found += result is not None
        self.traceless += bool(result)

    @property
    def share(self) -> float:
        """Share without a trace, in (0, 1): half a success and half a failure are added."""
        return (self.traceless + 0.5) / (self.tried + 1)


@dataclass(slots=True)
class Evidence:
    """Outcome of the probes of one word.

    ``answers`` are the target tokens of each probe. ``new`` counts the probes with a token that the
    carrier's own translation lacks. ``calls`` is the cost.
    """

    as_substitute: Trials = field(default_factory=Trials)
    as_original: Trials = field(default_factory=Trials)
    answers: list[list[str]] = field(default_factory=list)
    new: Counter[str] = field(default_factory=Counter)
    calls: float = 0.0

    def make_entry(self, draft: Entry, base: BaseRate) -> Entry:
        """Return ``draft`` with scores, further forms, confidence, and the full cost."""
        found = {form.text: form for form in draft.forms}
        for text, count in self.new.items():
            often = count >= max(LEAST_TIMES, LEAST_SEEN * len(self.answers))
            if often and base[text] < RARE and text.isalpha():
                found.setdefault(text, Form(text, 0.0))
        scored = []
        for text, form in found.items():
            # Eq. 14 with half a sighting added to each side, so that nothing divides by zero.
            seen = sum(f" {text} " in f" {' '.join(tokens)} " for tokens in self.answers)
            ratio = (seen + 0.5) / (len(self.answers) + 1) / base[text]
            scored.append(form._replace(score=ratio))
        forms = sorted(scored, key=lambda form: (-form.score, form.text))[:MOST_FORMS]
        return draft.replace_forms(forms)._replace(
            confidence=self.confidence, calls=draft.calls + self.calls
        )

    @property
    def confidence(self) -> float:
        """Smaller share without a trace; that as an original if it was tried often enough."""
        counts = self.as_original.tried >= LEAST_AS_ORIGINAL
        shares = [trials.share for trials in (self.as_substitute, self.as_original)]
        return min(shares) if counts else shares[0]


class BaseRate:
    """Rate Pr[v in R] of target words in translations of the untouched text."""

    def __init__(self, translations: Sequence[str]) -> None:
        self._seen = Counter(word for text in translations for word in set(target_tokens(text)))
        self._total = len(translations)

    def __getitem__(self, form: str) -> float:
        """Return the rate of ``form`` (of its rarest word, for a phrase), smoothed, in (0, 1)."""
        return (min(self._seen[word] for word in form.split()) + 0.5) / (self._total + 1)


def record_answer(
    probe: Probe,
    answer: str,
    baseline: str,
    evidence: Mapping[tuple[str, str], Evidence],
    cost: float,
) -> None:
    """Add the result of one ``answer`` to the evidence of every word of ``probe``.

    ``baseline`` is the translation of the untouched carrier. ``cost`` in calls is for each word of
    the probe.
    """
    tokens, plain = target_tokens(answer), target_tokens(baseline)
    new = set(tokens) - set(plain)
    results = find_traceless(probe.swaps, tokens, plain)
    for swap, result in zip(probe.swaps, results, strict=True):
        shown = evidence[swap.substitute.word, swap.substitute.tag]
        shown.as_substitute.add(result)
        shown.answers.append(tokens)
        shown.new.update(new)
        shown.calls += cost
        evidence[swap.original.word, swap.original.tag].as_original.add(result)


def is_settled(evidence: Evidence, least: int) -> bool:
    """Return True if ``least`` probes were made and all agree, so that more would add little."""
    trials = evidence.as_substitute
    return trials.tried >= least and trials.traceless in (0, trials.tried)


WINDOW = 2
"""Number of words on each side of a restored one that must equal those of T(S)."""


def find_traceless(
    swaps: Sequence[Swap], answer: Sequence[str], baseline: Sequence[str]
) -> list[bool | None]:
    """Return for each of ``swaps`` if ``answer``, restored, reads like ``baseline`` around it.

    The result is None when the substitute is not in ``answer`` at all. Both texts are tokens of the
    target language.
    """
    tokens: list[tuple[str, int | None]] = [(token, None) for token in answer]
    found = [_restore(index, swap, tokens) for index, swap in enumerate(swaps)]
    text = f" {' '.join(baseline)} "
    results: list[bool | None] = []
    for index, restored in enumerate(found):
        positions = [position for position, (_, owner) in enumerate(tokens) if owner == index]
        if restored:
            window = tokens[max(0, positions[0] - WINDOW) : positions[-1] + 1 + WINDOW]
            results.append(f" {' '.join(token for token, _ in window)} " in text)
        else:
            results.append(None)
    return results


def _restore(index: int, swap: Swap, tokens: list[tuple[str, int | None]]) -> bool:
    """Replace the substitute by the original in ``tokens``; return False if it is missing."""
    for text in swap.substitute.longest_first:
        words = [(word, None) for word in text.lower().split()]
        for position in range(len(tokens) - len(words) + 1):
            if tokens[position : position + len(words)] == words:
                features = swap.substitute.forms.features_of(text)
                restored = swap.original.inflect(text, features).split()
                tokens[position : position + len(words)] = [(word, index) for word in restored]
                return True
    return False
