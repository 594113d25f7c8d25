"""Evidence of running sentences for a word, and the entry that follows from it.

Confidence is the rate at which a form of the word is found where the translator wrote the word: in
the answers to carriers that it was put into, and in the translations of sentences that have it. No
form was learned there but those that ``make_entry`` adds, each of which counts from its second
sighting on. What a substitution changes elsewhere in the sentence does not count: a neural
translator rewrites something whenever one word changes.

Entry: ``record_answer`` for each answer, ``Evidence.record_original`` for each sentence that has
the word. Then ``is_settled``, and at last ``Evidence.make_entry``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from prism_core.building.carrier_sentences import Probe
from prism_core.dictionary import Entry, Form, target_tokens

LEAST_SEEN = 3 / 8
"""Share of a word's probes in which a form must be new to count although no frame gave it."""
LEAST_TIMES = 2
RARE = 1 / 200
"""Share of the untouched translations that such a form must stay below."""
FREQUENT = 1 / 100
"""Share of the untouched translations from which on a word is one of the commonest."""
MOST_FORMS = 12
LEAST_AS_ORIGINAL = 3
"""Number of sentences that have a word from which on these count too."""

MOST_ORIGINALS = 40
"""Maximum number of such sentences that are looked at."""


def smoothed_share(successes: int, tried: int) -> float:
    """Return the share of ``successes`` in (0, 1): half a success and half a failure are added."""
    return (successes + 0.5) / (tried + 1)


@dataclass(slots=True)
class PhraseTrials:
    """Counts of how often a phrase was looked for, and found."""

    tried: int = 0
    found: int = 0

    def add(self, found: bool) -> None:
        """Count one sentence."""
        self.tried += 1
        self.found += found

    @property
    def share(self) -> float:
        """Smoothed share of the sentences in which it was found, in (0, 1)."""
        return smoothed_share(self.found, self.tried)


@dataclass(slots=True)
class Evidence:
    """Translations of running sentences that have one word, as target tokens.

    ``answers`` are those of carriers that it was put into, ``originals`` those of untouched
    sentences. ``found`` counts the answers with a form that frames showed. ``new`` counts the
    others by their tokens that the carrier's own translation lacks. ``calls`` is the cost.
    """

    answers: list[list[str]] = field(default_factory=list)
    originals: list[list[str]] = field(default_factory=list)
    found: int = 0
    new: Counter[str] = field(default_factory=Counter)
    calls: float = 0.0

    def record_original(self, tokens: list[str]) -> None:
        """Add the translation of an untouched sentence that has the word."""
        if len(self.originals) < MOST_ORIGINALS:
            self.originals.append(tokens)

    def make_entry(self, draft: Entry, base: BaseRate) -> Entry:
        """Return ``draft`` with scores, further forms, confidence, and the full cost."""
        known = {token for form in draft.forms for token in target_tokens(form.text)}
        added = [
            text
            for text, count in self.new.items()
            if count >= max(LEAST_TIMES, LEAST_SEEN * len(self.answers))
            and base[text] < RARE
            and text.isalpha()
            and text not in known
        ]
        scored = []
        for form in (*draft.forms, *(Form(text, 0.0) for text in added)):
            # Eq. 14 with half a sighting added to each side, so that nothing divides by zero.
            seen = sum(has_form(tokens, form.text) for tokens in self.answers)
            ratio = smoothed_share(seen, len(self.answers)) / base[form.text]
            scored.append(form._replace(score=ratio))
        forms = sorted(scored, key=lambda form: (-form.score, form.text))[:MOST_FORMS]
        return draft.replace_forms(forms)._replace(
            confidence=self.find_confidence(draft.forms.texts, added),
            calls=draft.calls + self.calls,
        )

    def find_confidence(self, shown: Sequence[str], added: Sequence[str] = ()) -> float:
        """Return the rate at which a form is found: in carriers, or in sentences with the word.

        The lower of the two counts, if there are enough of these sentences. ``shown`` are the forms
        of frames, ``added`` those learned from the answers themselves.
        """
        known, found = set(shown), 0
        for tokens in self.answers:
            found += has_any(tokens, known)
            known.update(text for text in added if has_form(tokens, text))
        share = smoothed_share(found, len(self.answers))
        if len(self.originals) < LEAST_AS_ORIGINAL:
            return share
        texts = {*shown, *added}
        as_original = sum(has_any(tokens, texts) for tokens in self.originals)
        return min(share, smoothed_share(as_original, len(self.originals)))


def has_form(tokens: Sequence[str], form: str) -> bool:
    """Return True if ``form``, one or several words, stands in ``tokens``."""
    return f" {' '.join(target_tokens(form))} " in f" {' '.join(tokens)} "


def has_any(tokens: Sequence[str], forms: Iterable[str]) -> bool:
    """Return True if any of ``forms`` stands in ``tokens``."""
    return any(has_form(tokens, form) for form in forms)


class BaseRate:
    """Rate Pr[v in R] of target words in translations of the untouched text."""

    def __init__(self, translations: Sequence[Sequence[str]]) -> None:
        self._seen = Counter(word for tokens in translations for word in set(tokens))
        self._total = len(translations)

    def __getitem__(self, form: str) -> float:
        """Return the rate of ``form`` (of its rarest word, for a phrase), smoothed, in (0, 1)."""
        return smoothed_share(min(self._seen[word] for word in target_tokens(form)), self._total)

    def frequent_words(self) -> set[str]:
        """Return the commonest words of the target language."""
        return {word for word, count in self._seen.items() if count >= FREQUENT * self._total}


def record_answer(
    probe: Probe,
    answer: str,
    baseline: Collection[str],
    evidence: Mapping[tuple[str, str], Evidence],
    cost: float,
) -> None:
    """Add one ``answer`` to the evidence of every word put into ``probe``.

    ``baseline`` are the target tokens of the untouched carrier. ``cost`` in calls is for each word
    of the probe.
    """
    tokens = target_tokens(answer)
    new = set(tokens).difference(baseline)
    for swap in probe.swaps:
        shown = evidence[swap.substitute.word, swap.substitute.tag]
        shown.answers.append(tokens)
        is_found = has_any(tokens, swap.substitute.forms.texts)
        shown.found += is_found
        shown.new.update(() if is_found else new)
        shown.calls += cost


def is_settled(evidence: Evidence, least: int) -> bool:
    """Return True if ``least`` probes were made and all agree, so that more would add little."""
    tried = len(evidence.answers)
    return tried >= least and evidence.found in (0, tried)
