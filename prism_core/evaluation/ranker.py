"""Adversary that was trained: a ranker of choices over what it reads and what the question tells.

The sliding window knows nothing where it reads nothing: four choices are alike to it. A person, or
a language model, then still guesses from the question. The ranker learns both from stories whose
answers are known: what the window finds, and what tells the right choice without any text. It is
trained on stories in clear, with shares of their words replaced, and without text; each feature
counts by itself and times the share of the questions' words that the text has. So it trusts a text
as far as the text is about what is asked. Without text it measures the floor of the questions.

Entry: ``train_ranker``, then ``answer`` as ``SlidingWindow`` has it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from prism_core.evaluation.corpora import read_texts
from prism_core.privacy_score import TIE, Passage, Question, words

Rows = NDArray[np.float64]
Words = frozenset[str]
AskedStory = tuple[str, Sequence[Question]]
"""Text of a story, and its questions."""

TRAINING = "mctest/mc160.train"
"""Corpus that it is trained on."""
REPLACED = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Shares of the words with meaning that are replaced in the stories it is trained on."""
_RIDGE = 20.0
_STEPS = 40
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


class Ranker:
    """Conditional logistic regression over the choices of a question."""

    def __init__(self, weights: Rows, stop_words: Words) -> None:
        self._weights = weights
        self._stop_words = stop_words

    @classmethod
    def train(
        cls, lessons: Sequence[AskedStory], stop_words: Iterable[str], seed: int = 1
    ) -> Ranker:
        """Train on ``lessons``, in clear, with words replaced by each other's, and without text."""
        stop, rng = frozenset(word for term in stop_words for word in words(term)), Random(seed)
        pool = [word for text, _ in lessons for word in words(text) if word not in stop]
        rows, right = [], []
        for text, asked in lessons:
            seen = (_replace(text, share, pool, stop, rng) for share in REPLACED)
            for version in ("", *seen):
                rows += features(version, asked, stop)
                right += [question.answer for question in asked]
        return cls(_fit(np.array(rows), np.array(right)), stop)

    def answer(self, text: str, questions: Sequence[Question]) -> list[float]:
        """Return for each question the probability that the right choice is picked."""
        chances = []
        for question, rows in zip(
            questions, features(text, questions, self._stop_words), strict=True
        ):
            scores = rows @ self._weights
            best = np.flatnonzero(scores > scores.max() - TIE)
            chances.append(1 / len(best) if question.answer in best else 0.0)
        return chances


def train_ranker(data: Path) -> Ranker:
    """Train a ranker on ``TRAINING`` in ``data``. Raises ``ConfigurationError`` where it is not."""
    texts = read_texts(TRAINING, data, "en", "")
    lessons = [(document.text, document.questions) for document in texts.documents]
    return Ranker.train(lessons, texts.stop_words)


def features(text: str, questions: Sequence[Question], stop: Words) -> list[Rows]:
    """Return the features of each question's choices, less their mean, a row a choice.

    Three are of the text, as the sliding window reads it. The others are of the questions alone:
    length, and the words shared with the question, the other choices, the other questions and their
    choices.
    """
    passage = Passage(words(text))
    present = frozenset(passage.words)
    asked = [frozenset(words(question.text)) for question in questions]
    offered = [[frozenset(words(c)) for c in question.choices] for question in questions]
    about = _share(frozenset().union(*asked) - stop, present)
    found = []
    for place, choices in enumerate(offered):
        own, told = asked[place], asked[place] - stop
        others = frozenset().union(*asked[:place], *asked[place + 1 :])
        elsewhere = frozenset().union(*(c for n, o in enumerate(offered) if n != place for c in o))
        rows = []
        for number, choice in enumerate(choices):
            telling = choice - own - stop
            rest = frozenset().union(*choices[:number], *choices[number + 1 :])
            rows.append(
                [
                    passage.best_window(own | choice),
                    passage.distance(told, telling),
                    _share(telling, present),
                    math.log1p(len(words(questions[place].choices[number]))),
                    _share(choice, told),
                    _share(choice - stop, rest),
                    _share(telling, others),
                    _share(telling, elsewhere),
                ]
            )
        alone = np.array(rows)
        both = np.hstack([alone, alone * about])
        found.append(both - both.mean(axis=0))
    return found


def _share(part: Words, whole: Words) -> float:
    return len(part & whole) / max(1, len(part))


def _replace(text: str, share: float, pool: Sequence[str], stop: Words, rng: Random) -> str:
    """Return ``text`` with that share of its words with meaning replaced by any of ``pool``."""

    def change(match: re.Match[str]) -> str:
        kept = match[0].lower() in stop or rng.random() >= share
        return match[0] if kept else rng.choice(pool)

    return _WORD.sub(change, text)


def _fit(rows: Rows, right: NDArray[np.int_]) -> Rows:
    """Fit by Newton's method; ``rows`` are [questions, choices, features]."""
    scale = rows.reshape(-1, rows.shape[2]).std(axis=0) + 1e-9
    scaled = rows / scale
    chosen = scaled[np.arange(len(right)), right].sum(axis=0)
    weights = np.zeros(rows.shape[2])
    for _ in range(_STEPS):
        scores = scaled @ weights
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        means = np.einsum("nk,nkf->nf", chances, scaled)
        curve = np.einsum("nk,nkf,nkg->fg", chances, scaled, scaled) - means.T @ means
        curve += _RIDGE * np.eye(len(weights))
        step = np.linalg.solve(curve, chosen - means.sum(axis=0) - _RIDGE * weights)
        weights += step
        if np.abs(step).max() < 1e-6:
            break
    fitted: Rows = weights / scale
    return fitted
