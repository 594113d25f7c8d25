"""Who answers questions offline, sliding window and word distance, and the paper's two scores.

Richardson, Burges and Renshaw, "MCTest: A Challenge Dataset for the Open-Domain Machine
Comprehension of Text", EMNLP 2013, Algorithms 1 and 2. It needs no model and no network, and knows
no language but for a list of stop words. Any other ``Evaluator`` has the same scores.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product
from typing import Protocol

from prism_core.evaluation.questions import Question


class Evaluator(Protocol):
    """Answers the questions about one document from one text of it."""

    def answer(self, text: str, questions: Sequence[Question]) -> list[float]:
        """For each question the probability, in [0, 1], that the right choice is picked.

        An evaluator that picks one choice gives 0 or 1; one that is left with several equally good
        ones gives 1 divided by their number, so that no score depends on chance.
        """
        ...


def accuracy(
    evaluator: Evaluator, texts: Sequence[str], questions: Sequence[Sequence[Question]]
) -> float:
    """The expected share of right answers; ``texts`` and ``questions`` are parallel, by document.

    Of a reader of y_pri, with questions and choices in the target language, this is QS.

    Raises ``ValueError`` when the two differ in length, or nothing is asked.
    """
    right = [
        probability
        for text, asked in zip(texts, questions, strict=True)
        for probability in evaluator.answer(text, asked)
    ]
    if not right:
        raise ValueError("There is no question to answer.")
    return sum(right) / len(right)


def privacy_score(
    adversary: Evaluator, sent: Sequence[str], questions: Sequence[Sequence[Question]]
) -> float:
    """PPS = 1 − accuracy of an adversary that reads x_pub, all that was sent of each document."""
    return 1 - accuracy(adversary, sent, questions)


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
TIE = 1e-9
"""Scores closer than this are equal; sums of logarithms differ in their last bits."""


class SlidingWindow:
    """Scores each choice by the window of the text that best covers it and the question.

    A word counts log(1 + 1/n), n being how often the text has it; a window has as many words as
    question and choice have distinct ones. From that the distance is taken between the nearest
    words of question and choice in the text, as a share of its length, ``stop_words`` aside
    (1 where either has none there). Equal scores share the probability: for an empty text every
    choice of four has .25.
    """

    def __init__(self, stop_words: Iterable[str] = ()) -> None:
        self._stop_words = frozenset(word for term in stop_words for word in words(term))

    def answer(self, text: str, questions: Sequence[Question]) -> list[float]:
        """See ``Evaluator``."""
        passage = _Passage(words(text))
        return [self._probability_right(passage, question) for question in questions]

    def _probability_right(self, passage: _Passage, question: Question) -> float:
        asked = frozenset(words(question.text))
        scores = [self._score(passage, asked, frozenset(words(c))) for c in question.choices]
        best = [i for i, score in enumerate(scores) if score > max(scores) - TIE]
        return 1 / len(best) if question.answer in best else 0.0

    def _score(self, passage: _Passage, asked: frozenset[str], choice: frozenset[str]) -> float:
        telling = asked - self._stop_words
        return passage.best_window(asked | choice) - passage.distance(
            telling, choice - asked - self._stop_words
        )


def words(text: str) -> list[str]:
    """The words of ``text`` in lower case, without punctuation; *don't* is one word."""
    return _WORD.findall(text.lower().replace("’", "'"))


@dataclass(frozen=True)
class _Passage:
    """A text as its words."""

    words: list[str]

    @cached_property
    def _weights(self) -> dict[str, float]:
        return {word: math.log(1 + 1 / n) for word, n in Counter(self.words).items()}

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = defaultdict(list)
        for place, word in enumerate(self.words):
            places[word].append(place)
        return places

    def best_window(self, wanted: frozenset[str]) -> float:
        """The largest weight of ``wanted`` words in any window of ``len(wanted)`` words.

        A best window begins with such a word.
        """
        weights = [self._weights[word] if word in wanted else 0.0 for word in self.words]
        sums = [0.0, *accumulate(weights)]
        size, last = len(wanted), len(weights)
        starts = (place for place, weight in enumerate(weights) if weight)
        return max((sums[min(at + size, last)] - sums[at] for at in starts), default=0.0)

    def distance(self, asked: frozenset[str], choice: frozenset[str]) -> float:
        """The least distance between a word of each set, as a share of the text; 1 without one."""
        ones = [place for word in asked for place in self._places.get(word, ())]
        others = [place for word in choice for place in self._places.get(word, ())]
        if not ones or not others:
            return 1.0
        nearest = min(abs(one - other) for one, other in product(ones, others))
        return nearest / max(len(self.words) - 1, 1)
