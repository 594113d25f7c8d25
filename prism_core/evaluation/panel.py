"""Who answers the questions: one from what was sent, one from what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Protocol

from prism_core.evaluation.corpora import Corpus
from prism_core.evaluation.methods import Outcome
from prism_core.evaluation.questions import Question
from prism_core.evaluation.sliding_window import Evaluator, SlidingWindow


@dataclass(frozen=True, slots=True)
class Verdict:
    """The questions of one document: how many, and the expected number of right answers of each
    side. ``unread`` are answers that could not be read, and were counted as a blind guess."""

    questions: int = 0
    adversary_right: float = 0.0
    adversary_unread: int = 0
    reader_right: float = 0.0
    reader_unread: int = 0

    def counts(self) -> dict[str, float]:
        """By column of a tally."""
        return {name: getattr(self, name) for name in Verdict.__slots__}


class Panel(Protocol):
    """Adversary and reader. ``name`` says who they are, and is stored with what they find."""

    name: str

    def verdicts(self, corpus: Corpus, outcomes: Sequence[Outcome]) -> list[Verdict]:
        """A verdict a document; the adversary sees everything that was sent, all draws, and the
        reader what stands in the output."""
        ...


class OfflinePanel:
    """The MCTest paper's baseline on both sides; nothing leaves the machine.

    The reader knows no language, so it is asked in the target language, as T translates the
    questions.
    """

    name = "swd"

    def verdicts(self, corpus: Corpus, outcomes: Sequence[Outcome]) -> list[Verdict]:
        """See ``Panel``."""
        adversary = SlidingWindow(corpus.stop_words)
        reader = SlidingWindow(corpus.target_stop_words)
        sent_of, read_of = sent_texts(corpus, outcomes), read_texts(corpus, outcomes)
        texts = zip(corpus.documents, sent_of, read_of, strict=True)
        return [
            Verdict(
                questions=len(document.asked),
                adversary_right=_right(adversary, sent, document.asked),
                reader_right=_right(reader, read, document.asked_in_target),
            )
            for document, sent, read in texts
        ]


def sent_texts(corpus: Corpus, outcomes: Sequence[Outcome]) -> list[str]:
    """All that was sent of each document: x_pub of every draw, in order."""
    return _joined(corpus, [" ".join(outcome.sent) for outcome in outcomes])


def read_texts(corpus: Corpus, outcomes: Sequence[Outcome]) -> list[str]:
    """What the reader gets of each document."""
    return _joined(corpus, [outcome.text for outcome in outcomes])


def _joined(corpus: Corpus, texts: Sequence[str]) -> list[str]:
    left = iter(texts)
    return [" ".join(islice(left, size)) for size in corpus.sizes]


def _right(evaluator: Evaluator, text: str, questions: Sequence[Question]) -> float:
    return sum(evaluator.answer(text, questions))
