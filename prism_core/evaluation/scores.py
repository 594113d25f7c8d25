"""The two scores of the paper's protocol, for any evaluator that answers questions from a text."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from prism_core.evaluation.mctest import Question


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


def quality_score(
    reader: Evaluator, translations: Sequence[str], questions: Sequence[Sequence[Question]]
) -> float:
    """QS = accuracy of a reader of y_pri; questions and choices in the target language."""
    return accuracy(reader, translations, questions)
