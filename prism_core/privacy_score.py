"""Multiple-choice questions about a document, an offline adversary, and the paper's two scores.

``cloze_questions`` makes questions for documents without any. Each shows a sentence without one of
its words, and four words to choose from, three of them drawn from the words that could stand there
as well. An adversary that reads the document finds the word; one that reads x_pub finds it if it
was kept, and guesses if it was replaced. So the resulting PPS is on the scale of the paper's: 0 for
plain text, .75 for an empty one.

``SlidingWindow`` answers by sliding window and word distance, Algorithms 1 and 2 of Richardson,
Burges and Renshaw ("MCTest: A Challenge Dataset for the Open-Domain Machine Comprehension of Text",
EMNLP 2013). It needs no model and no network, and no knowledge of a language except a list of stop
words.

Entry: ``estimate_privacy``, or ``cloze_questions``; then ``privacy_score`` ->
``accuracy`` -> ``answer``.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, product
from random import Random

from prism_core import encoding
from prism_core.errors import PrismError
from prism_core.identifiers import DenyList
from prism_core.language import Sentence, Token
from prism_core.languages import Language

CHOICES = 4
_MOST_QUESTIONS = 200
_MOST_SENTENCES = 300
_CANDIDATES = 12


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its choices; ``answer`` is the index of the right one."""

    text: str
    choices: tuple[str, ...]
    answer: int


Distractors = Callable[[Token], Sequence[str]]
"""Function that returns words for the place of a token; fewer than three make no question."""


def cloze_questions(
    sentences: Iterable[Sentence],
    distractors: Distractors,
    language: Language,
    rng: Random,
    most: int,
) -> list[Question]:
    """Draw at most ``most`` questions about content words from all of ``sentences``.

    No word of the document is a wrong choice: the adversary would find it too.
    """
    known = list(sentences)
    present = {word.lower() for sentence in known for word in sentence.words}
    targets = [
        (sentence, position)
        for sentence in known
        for position, token in enumerate(sentence.tokens)
        if token.text.isalpha() and not language.is_function_word(token.text)
    ]
    rng.shuffle(targets)
    questions: list[Question] = []
    for sentence, position in targets:
        token = sentence.tokens[position]
        wrong = [word for word in distractors(token) if word.lower() not in present]
        if len(wrong) >= CHOICES - 1:
            choices = [token.text, *rng.sample(wrong, CHOICES - 1)]
            rng.shuffle(choices)
            gap = "".join(
                token.text + token.whitespace
                for index, token in enumerate(sentence.tokens)
                if index != position
            )
            questions.append(Question(gap, tuple(choices), choices.index(token.text)))
        if len(questions) == most:
            break
    return questions


def accuracy(
    evaluator: SlidingWindow, texts: Sequence[str], questions: Sequence[Sequence[Question]]
) -> float:
    """Return the expected share of right answers; ``texts`` and ``questions`` are per document.

    For a reader of y_pri, with questions and choices in the target language, this is QS. Raises
    ``ValueError`` when the two differ in length, or there is no question.
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
    adversary: SlidingWindow, sent: Sequence[str], questions: Sequence[Sequence[Question]]
) -> float:
    """Return PPS = 1 − accuracy of an adversary that reads x_pub, all text sent of a document."""
    return 1 - accuracy(adversary, sent, questions)


_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
TIE = 1e-9
"""Largest difference of equal scores; sums of logarithms differ in their last bits."""


class SlidingWindow:
    """Score of each choice by the window of the text that best covers it and the question.

    A word counts log(1 + 1/n), n being its frequency in the text; a window has as many words as
    question and choice have distinct ones. The distance between the nearest words of question and
    choice in the text, as a share of its length, is subtracted, ``stop_words`` aside (1 if either
    has none there). Equal scores share the probability: for an empty text every choice of four has
    .25.
    """

    def __init__(self, stop_words: Iterable[str] = ()) -> None:
        self._stop_words = frozenset(word for term in stop_words for word in words(term))

    def answer(self, text: str, questions: Sequence[Question]) -> list[float]:
        """Return for each question the probability, in [0, 1], that the right choice is picked.

        If several are equally good it is 1 divided by their number: no score depends on chance.
        """
        passage = Passage(words(text))
        chances = []
        for question in questions:
            asked = frozenset(words(question.text))
            telling = asked - self._stop_words
            choices = [frozenset(words(choice)) for choice in question.choices]
            scores = [
                passage.best_window(asked | choice)
                - passage.distance(telling, choice - asked - self._stop_words)
                for choice in choices
            ]
            best = [i for i, score in enumerate(scores) if score > max(scores) - TIE]
            chances.append(1 / len(best) if question.answer in best else 0.0)
        return chances


def words(text: str) -> list[str]:
    """Return the words of ``text`` in lower case, without punctuation; *don't* is one word."""
    return _WORD.findall(text.lower().replace("’", "'"))


@dataclass(frozen=True)
class Passage:
    """Text as its words."""

    words: list[str]

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        positions: dict[str, list[int]] = defaultdict(list)
        for position, word in enumerate(self.words):
            positions[word].append(position)
        return positions

    def best_window(self, wanted: frozenset[str]) -> float:
        """Return the largest weight of ``wanted`` words in any window of as many words."""
        counts = Counter(word for word in self.words if word in wanted)
        weights = [math.log(1 + 1 / counts[word]) if word in wanted else 0.0 for word in self.words]
        sums = [0.0, *accumulate(weights)]
        size, last = len(wanted), len(weights)
        starts = (position for position, weight in enumerate(weights) if weight)
        return max((sums[min(start + size, last)] - sums[start] for start in starts), default=0.0)

    def distance(self, asked: frozenset[str], choice: frozenset[str]) -> float:
        """Return the least distance of words of both sets, as a share of the text; 1 if none."""
        asked_positions = [position for word in asked for position in self._places.get(word, ())]
        choice_positions = [position for word in choice for position in self._places.get(word, ())]
        if not asked_positions or not choice_positions:
            return 1.0
        nearest = min(
            abs(position - choice_position)
            for position, choice_position in product(asked_positions, choice_positions)
        )
        return nearest / max(len(self.words) - 1, 1)


def estimate_privacy(
    encoder: encoding.Encoder, sentences: Collection[Sentence], rng: Random
) -> float | None:
    """Return the PPS of sliding window and word distance on questions made from ``sentences``.

    They are encoded with ``rng`` for it, a sample of them in a long document. Returns None if they
    have no word to ask for.
    """
    sample = list(sentences)
    if len(sample) > _MOST_SENTENCES:
        sample = rng.sample(sample, _MOST_SENTENCES)
    language, by_tag = encoder.dictionary.language, encoder.dictionary.by_tag

    def draw_candidates(token: Token) -> list[str]:
        entries = by_tag.get(token.tag, ())
        if len(entries) < _CANDIDATES:
            entries = by_tag.get("NN", ())
        return [entry.word for entry in rng.sample(entries, min(_CANDIDATES, len(entries)))]

    questions = cloze_questions(sample, draw_candidates, language, rng, _MOST_QUESTIONS)
    if not questions:
        return None
    sent = " ".join(_try_encode(encoder, sentence, rng) for sentence in sample)
    return privacy_score(SlidingWindow(language.words.function_words), [sent], [questions])


def _try_encode(encoder: encoding.Encoder, sentence: Sentence, rng: Random) -> str:
    """Return the encoding of ``sentence``; an empty text if it breaks the encoder."""
    try:
        return encoder.encode(sentence, DenyList(), rng).text
    except PrismError:
        raise
    except Exception:  # noqa: BLE001 (the encode stage withholds it too)
        return ""
