"""What each word of a parallel text agrees with: classes of nouns, verbs and adjectives.

Nouns by what the translator writes before them; plurals by their singulars; adjectives by which of
their forms are alike and by the side of the noun they stand on; verbs by what stands before them
in each slot (auxiliaries, reflexive pronouns). Elision is told apart for all. See
``corpus_classes``.

Entry: ``learn_agreement`` for nouns and verbs; ``AdjectiveCells``, ``Patterns``, ``side`` for
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
    classes_like,
    find_classes,
    find_elided_words,
)
from prism_core.building.corpus_occurrences import ADJECTIVES, NOUNS, Word, WordOccurrence
from prism_core.building.frame_queries import encode_pattern
from prism_core.dictionary import common_start
from prism_core.language import Sentence, penn_tag

Sightings = Mapping[Word, Sequence[WordOccurrence]]

VERBS = ("VB", "VBD", "VBG", "VBN", "VBP", "VBZ")
CLEAR = 0.6
"""A form fills a cell of its word when it has at least this share of the cell's sightings."""
LEAST_PATTERN = 0.02
"""A pattern that fewer adjectives than this share show is taken for chance."""
ONE_SIDE = 0.67
"""Share of an adjective's sightings on one side of the noun above which it stands there."""
PRIOR_SIDE = 2.0
"""Sightings that the usual side of adjectives counts for."""


@dataclass(frozen=True)
class Agreement:
    """What the whole text tells of classes."""

    nouns: Mapping[str, str]
    """Class of singular target nouns."""
    plurals: Mapping[str, str]
    verbs: Mapping[str, Mapping[str, str]]
    """Class of target verbs, by Penn tag of the source word."""
    elided: frozenset[str]

    def find_class(self, tag: str, head: str) -> str:
        """The class of a target form under ``tag``, of its last word for a phrase that has none.

        Empty where there is none or none is known.
        """
        known = {"NN": self.nouns, "NNS": self.plurals, **self.verbs}.get(penn_tag(tag), {})
        return known.get(head) or known.get(head.split()[-1], "")

    def mark(self, head: str) -> str:
        """An apostrophe for a word before which the translator find_elided_words, else a dash."""
        return "'" if head in self.elided else "-"


def learn_agreement(sightings: Sightings, sentences: Sequence[Sentence]) -> Agreement:
    """Read the classes off all sightings."""
    cuts: dict[str, list[int]] = defaultdict(lambda: [0, 0])
    for places in sightings.values():
        for place in places:
            if place.head:
                cuts[place.head][0] += place.before.endswith("'")
                cuts[place.head][1] += 1
    elided = find_elided_words(cuts)
    nouns = find_classes(_choices(sightings, "NN", lambda place: place.english), elided)
    seeds = _singular_classes(sightings, sentences, nouns)
    plurals = classes_like(seeds, _choices(sightings, "NNS", lambda place: place.english))
    verbs = {
        tag: find_classes(_choices(sightings, tag, lambda place: place.slot), elided)
        for tag in VERBS
    }
    return Agreement(nouns, plurals, verbs, elided)


def _choices(
    sightings: Sightings, tag: str, context: Callable[[WordOccurrence], str]
) -> dict[str, Counter[Choice]]:
    """What the translator wrote before each target word, elided words left out.

    Of source words with the Penn tag ``tag``.
    """
    choices: dict[str, Counter[Choice]] = defaultdict(Counter)
    for word, places in sightings.items():
        for place in places if penn_tag(word[1]) == tag else ():
            if place.head and not place.before.endswith("'"):
                choices[place.head][context(place), place.before] += 1
    return choices


def _singular_classes(
    sightings: Sightings, sentences: Sequence[Sentence], nouns: Mapping[str, str]
) -> dict[str, str]:
    """The class of plural target words: that of the singular with the same start."""
    votes: dict[str, Counter[str]] = defaultdict(Counter)
    of_lemma: dict[str, set[str]] = defaultdict(set)
    for (word, tag), places in sightings.items():
        if penn_tag(tag) == "NN":
            of_lemma[word].update(place.head for place in places if place.head in nouns)
    for (_, tag), places in sightings.items():
        if penn_tag(tag) != "NNS" or not places:
            continue
        first = places[0]
        lemma = sentences[first.sentence].tokens[first.position].lemma.lower()
        for plural in places:
            # A form written like the plural may be a plural itself ("work": travaux).
            others = of_lemma.get(lemma, set()) - {plural.head}
            like = max(others, key=lambda head: (common_start(head, plural.head), head), default="")
            if like and 5 * common_start(like, plural.head) >= 3 * max(len(like), len(plural.head)):
                votes[plural.head][nouns[like]] += 1
    return {head: counts.most_common(1)[0][0] for head, counts in votes.items()}


class AdjectiveCells:
    """The cells of adjectives: number and class of the noun that a sighting belongs to."""

    def __init__(self, sightings: Iterable[Sightings], agreement: Agreement) -> None:
        self._heads: dict[tuple[str, int, int], tuple[str, str]] = {}
        for one_translator in sightings:
            for (_, tag), places in one_translator.items():
                for place in places if penn_tag(tag) in NOUNS else ():
                    self._heads[place.translator, place.sentence, place.position] = (
                        penn_tag(tag),
                        place.head,
                    )
        self._agreement = agreement

    def of(self, sighting: WordOccurrence) -> str:
        """``s0``, ``p1`` …; empty where the sighting has no noun or its class is not known."""
        if sighting.noun is None:
            return ""
        tag, head = self._heads.get(
            (sighting.translator, sighting.sentence, sighting.noun), ("", "")
        )
        number = {"NN": "s", "NNS": "p"}.get(tag, "")
        label = self._agreement.find_class(tag, head) if head else ""
        return f"{number}{label}" if label else ""


def fill_cells(labels: Sequence[str], keys: Sequence[str]) -> dict[str, str]:
    """The form that fills each cell; cells of no clear form are missing."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for label, key in zip(labels, keys, strict=True):
        if label and key:
            counts[label][key] += 1
    return {
        label: form
        for label, forms in sorted(counts.items())
        for form, count in [min(forms.items(), key=lambda item: (-item[1], item[0]))]
        if count >= CLEAR * sum(forms.values())
    }


class Patterns:
    """Which forms of an adjective are alike over the cells, for all adjectives of a text."""

    def __init__(self, filled: Mapping[Word, Mapping[str, str]]) -> None:
        cells = Counter(cell for forms in filled.values() for cell in forms)
        self._cells = sorted(cell for cell, n in cells.items() if n >= 0.2 * len(filled))
        complete = {
            word: encode_pattern([forms[cell] for cell in self._cells])
            for word, forms in filled.items()
            if self._cells and all(cell in forms for cell in self._cells)
        }
        counts = Counter(complete.values())
        least = max(3.0, LEAST_PATTERN * sum(counts.values()))
        self._known = sorted(pattern for pattern, n in counts.items() if n >= least)
        self._endings = ClassEndings.learn(
            (_lemma(filled[word]), np.array([float(pattern == known) for known in self._known]))
            for word, pattern in complete.items()
            if pattern in self._known
        )

    def of(self, filled: Mapping[str, str]) -> str:
        """The likeliest pattern of those that do not contradict what was seen."""
        if not self._known or not filled:
            return ""
        beliefs = self._endings.log_likelihood(_lemma(filled))
        possible = [
            (float(belief), pattern)
            for belief, pattern in zip(beliefs, self._known, strict=True)
            if self._agrees(filled, pattern)
        ]
        return max(possible)[1] if possible else ""

    def _agrees(self, filled: Mapping[str, str], pattern: str) -> bool:
        cells = zip(self._cells, pattern, strict=True)
        seen = [(filled[cell], mark) for cell, mark in cells if cell in filled]
        return all((a == b) == (m == n) for a, m in seen for b, n in seen)


def _lemma(filled: Mapping[str, str]) -> str:
    """The shortest form, which adjectives of one pattern end alike in."""
    return min(filled.values(), key=lambda form: (len(form), form))


def side(places: Sequence[WordOccurrence], usual: float) -> str:
    """``<`` before the noun, ``>`` after it, ``=`` either; ``usual`` is the share of *before*."""
    beside = [place.offset for place in places if place.head and place.offset]
    before = sum(offset < 0 for offset in beside)
    share = (before + PRIOR_SIDE * usual) / (len(beside) + PRIOR_SIDE)
    return "<" if share >= ONE_SIDE else ">" if share <= 1 - ONE_SIDE else "="


def measure_usual_side(sightings: Sightings) -> float:
    """The share of adjectives' sightings that stand before their noun."""
    offsets = [
        place.offset
        for (_, tag), places in sightings.items()
        if penn_tag(tag) in ADJECTIVES
        for place in places
        if place.head and place.offset
    ]
    return (sum(offset < 0 for offset in offsets) + 1) / (len(offsets) + 2)
