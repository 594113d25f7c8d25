"""Agreement classes of the nouns, verbs and adjectives of a parallel text.

Nouns are classified by the words that the translator writes before them; plurals by their
singulars; adjectives by which of their forms are equal and by the side of the noun they stand on;
verbs by the words before them in each slot (auxiliaries, reflexive pronouns). Elision is determined
for all. See ``corpus_classes``.

Entry: ``learn_agreement`` for nouns and verbs; ``AdjectiveSlots``, ``Patterns``, ``find_side`` for
adjectives.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from prism_core.building.corpus_classes import (
    Choice,
    ClassEndings,
    find_classes,
    find_elided_words,
    infer_classes,
)
from prism_core.building.corpus_occurrences import ADJECTIVES, NOUNS, WordOccurrence
from prism_core.building.frame_queries import encode_pattern
from prism_core.dictionary import WordKey, common_start
from prism_core.language import Sentence, penn_tag

Occurrences = Mapping[WordKey, Sequence[WordOccurrence]]

VERB_TAGS = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ")
CLEAR_SHARE = 0.6
"""Share of a slot's occurrences that a form needs to fill the slot of its word."""
LEAST_PATTERN = 0.02
"""Share of adjectives below which a pattern is taken for chance."""
LEAST_SIDE_SHARE = 0.67
"""Share of an adjective's occurrences on one side of the noun above which that side is its own."""
PRIOR_OCCURRENCES = 2.0
"""Number of occurrences that the usual side of adjectives counts for."""


@dataclass(frozen=True)
class Agreement:
    """Classes learned from the whole text."""

    nouns: Mapping[str, str]
    """Class of singular target nouns."""
    plurals: Mapping[str, str]
    verbs: Mapping[str, Mapping[str, str]]
    """Class of target verbs, by Penn tag of the source word."""
    elided: frozenset[str]

    def find_class(self, tag: str, head: str) -> str:
        """Return the class of a target form under ``tag``, of its last word for an unknown phrase.

        Empty where there is none or none is known.
        """
        known = {"NN": self.nouns, "NNS": self.plurals, **self.verbs}.get(penn_tag(tag), {})
        return known.get(head) or known.get(head.split()[-1], "")

    def mark_elision(self, head: str) -> str:
        """Return an apostrophe for a word before which the translator elides, else a dash."""
        return "'" if head in self.elided else "-"


def learn_agreement(occurrences: Occurrences, sentences: Sequence[Sentence]) -> Agreement:
    """Learn the classes from all occurrences."""
    cuts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for of_word in occurrences.values():
        for occurrence in of_word:
            if occurrence.head:
                cuts[occurrence.head][0] += occurrence.before.endswith("'")
                cuts[occurrence.head][1] += 1
    elided = find_elided_words(cuts)
    nouns = find_classes(
        _collect_choices(occurrences, "NN", lambda occurrence: occurrence.source_before), elided
    )
    seeds = _infer_plural_classes(occurrences, sentences, nouns)
    plurals = infer_classes(
        seeds, _collect_choices(occurrences, "NNS", lambda occurrence: occurrence.source_before)
    )
    verbs = {
        tag: find_classes(
            _collect_choices(occurrences, tag, lambda occurrence: occurrence.slot), elided
        )
        for tag in VERB_TAGS
    }
    return Agreement(nouns, plurals, verbs, elided)


def _collect_choices(
    occurrences: Occurrences, tag: str, context: Callable[[WordOccurrence], str]
) -> dict[str, Counter[Choice]]:
    """Count the words before each target word, elided ones left out.

    Counted are translations of source words with the Penn tag ``tag``.
    """
    choices: dict[str, Counter[Choice]] = defaultdict(Counter)
    for word, of_word in occurrences.items():
        for occurrence in of_word if penn_tag(word[1]) == tag else ():
            if occurrence.head and not occurrence.before.endswith("'"):
                choices[occurrence.head][context(occurrence), occurrence.before] += 1
    return choices


def _infer_plural_classes(
    occurrences: Occurrences, sentences: Sequence[Sentence], nouns: Mapping[str, str]
) -> dict[str, str]:
    """Return the class of plural target words: that of the singular with the same beginning."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    of_lemma: dict[str, set[str]] = defaultdict(set)
    for (word, tag), of_word in occurrences.items():
        if penn_tag(tag) == "NN":
            of_lemma[word].update(
                occurrence.head for occurrence in of_word if occurrence.head in nouns
            )
    for (_, tag), of_word in occurrences.items():
        if penn_tag(tag) != "NNS" or not of_word:
            continue
        first = of_word[0]
        lemma = sentences[first.sentence].tokens[first.position].lemma.lower()
        for plural in of_word:
            # A form written like the plural may be a plural itself ("work": travaux).
            singulars = of_lemma.get(lemma, set()) - {plural.head}
            singular = max(
                singulars, key=lambda head: (common_start(head, plural.head), head), default=""
            )
            if singular and 5 * common_start(singular, plural.head) >= 3 * max(
                len(singular), len(plural.head)
            ):
                votes[plural.head][nouns[singular]] += 1
    return {head: counts.most_common(1)[0][0] for head, counts in votes.items()}


class AdjectiveSlots:
    """Slots of adjectives: number and class of the noun that an occurrence belongs to."""

    def __init__(self, occurrences: Iterable[Occurrences], agreement: Agreement) -> None:
        self._heads: dict[tuple[str, int, int], tuple[str, str]] = {}
        for of_translator in occurrences:
            for (_, tag), of_word in of_translator.items():
                for occurrence in of_word if penn_tag(tag) in NOUNS else ():
                    self._heads[occurrence.translator, occurrence.sentence, occurrence.position] = (
                        penn_tag(tag),
                        occurrence.head,
                    )
        self._agreement = agreement

    def find_slot(self, occurrence: WordOccurrence) -> str:
        """Return ``s0``, ``p1`` …; empty if the occurrence has no noun or its class is unknown."""
        if occurrence.noun is None:
            return ""
        tag, head = self._heads.get(
            (occurrence.translator, occurrence.sentence, occurrence.noun), ("", "")
        )
        number = {"NN": "s", "NNS": "p"}.get(tag, "")
        of_class = self._agreement.find_class(tag, head) if head else ""
        return f"{number}{of_class}" if of_class else ""


def fill_slots(slots: Sequence[str], keys: Sequence[str]) -> dict[str, str]:
    """Return the form that fills each slot; slots without a clear form are missing."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for slot, key in zip(slots, keys, strict=True):
        if slot and key:
            counts[slot][key] += 1
    return {
        slot: form
        for slot, forms in sorted(counts.items())
        for form, count in [min(forms.items(), key=lambda item: (-item[1], item[0]))]
        if count >= CLEAR_SHARE * sum(forms.values())
    }


class Patterns:
    """Patterns of equal forms over the slots, for all adjectives of a text."""

    def __init__(self, filled: Mapping[WordKey, Mapping[str, str]]) -> None:
        slots = Counter(slot for forms in filled.values() for slot in forms)
        self._slots = sorted(slot for slot, count in slots.items() if count >= 0.2 * len(filled))
        complete = {
            word: encode_pattern([forms[slot] for slot in self._slots])
            for word, forms in filled.items()
            if self._slots and all(slot in forms for slot in self._slots)
        }
        counts = Counter(complete.values())
        least = max(3.0, LEAST_PATTERN * sum(counts.values()))
        self._known = sorted(pattern for pattern, count in counts.items() if count >= least)
        self._endings = ClassEndings.learn(
            (
                _get_base_form(filled[word]),
                np.array([float(pattern == known) for known in self._known]),
            )
            for word, pattern in complete.items()
            if pattern in self._known
        )

    def find_pattern(self, filled: Mapping[str, str]) -> str:
        """Return the likeliest pattern of those that do not contradict ``filled``."""
        if not self._known or not filled:
            return ""
        beliefs = self._endings.log_likelihood(_get_base_form(filled))
        possible = [
            (float(belief), pattern)
            for belief, pattern in zip(beliefs, self._known, strict=True)
            if self._agrees(filled, pattern)
        ]
        return max(possible)[1] if possible else ""

    def _agrees(self, filled: Mapping[str, str], pattern: str) -> bool:
        slots = zip(self._slots, pattern, strict=True)
        seen = [(filled[slot], mark) for slot, mark in slots if slot in filled]
        return all(
            (first == second) == (first_mark == second_mark)
            for first, first_mark in seen
            for second, second_mark in seen
        )


def _get_base_form(filled: Mapping[str, str]) -> str:
    """Return the shortest form; adjectives of one pattern end alike in it."""
    return min(filled.values(), key=lambda form: (len(form), form))


def find_side(occurrences: Sequence[WordOccurrence], usual: float) -> str:
    """Return ``<`` before the noun, ``>`` after it, ``=`` either; ``usual`` is the share before."""
    beside = [
        occurrence.offset for occurrence in occurrences if occurrence.head and occurrence.offset
    ]
    before = sum(offset < 0 for offset in beside)
    share = (before + PRIOR_OCCURRENCES * usual) / (len(beside) + PRIOR_OCCURRENCES)
    return "<" if share >= LEAST_SIDE_SHARE else ">" if share <= 1 - LEAST_SIDE_SHARE else "="


def estimate_usual_side(occurrences: Occurrences) -> float:
    """Estimate the share of adjectives' occurrences that stand before their noun."""
    offsets = [
        occurrence.offset
        for (_, tag), of_word in occurrences.items()
        if penn_tag(tag) in ADJECTIVES
        for occurrence in of_word
        if occurrence.head and occurrence.offset
    ]
    return (sum(offset < 0 for offset in offsets) + 1) / (len(offsets) + 2)
