"""Multiple-choice questions about a document, who answers them offline, and the paper's two scores.

MCTest (Richardson, Burges and Renshaw, "MCTest: A Challenge Dataset for the Open-Domain Machine
Comprehension of Text", EMNLP 2013) has stories for children, each with four questions;
``read_mctest`` reads ``mc160.test.tsv``, ``mc500.dev.tsv`` and the like, and the answers, which
come in a file apart.

``cloze_questions`` serve an adversary where nobody has written any. For a word of the document: its
sentence without it, and four words to choose from, three of them drawn from the words that could
stand there as well. An adversary that reads the document finds the word; one that reads x_pub finds
it where it was kept, and guesses where it was replaced. So the PPS that comes of it is on the scale
of the paper's: 0 for plain text, .75 for an empty one.

``SlidingWindow`` answers by sliding window and word distance, their Algorithms 1 and 2. It needs no
model and no network, and knows no language but for a list of stop words.

Entry: ``estimate_privacy``, or ``read_mctest`` or ``cloze_questions``; then ``privacy_score`` ->
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
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from prism_core.errors import ConfigurationError, PrismError
from prism_core.identifiers import DenyList
from prism_core.language import Sentence, Token
from prism_core.languages import Language

if TYPE_CHECKING:
    from prism_core.encoding import Encoder

CHOICES = 4
_MOST_QUESTIONS = 200
_MOST_SENTENCES = 300
_CANDIDATES = 12
_NEW_LINE, _TAB = "\\newline", "\\tab"
_FIRST_QUESTION = 3
"""Columns before the questions: name, author, story."""


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its choices; ``answer`` is the index of the right one."""

    text: str
    choices: tuple[str, ...]
    answer: int


@dataclass(frozen=True, slots=True)
class Story:
    """A document of the test: its paragraphs, and what is asked about it."""

    name: str
    paragraphs: tuple[str, ...]
    questions: tuple[Question, ...]

    @property
    def text(self) -> str:
        """The whole story on one line."""
        return " ".join(self.paragraphs)


def read_mctest(stories: Path, answers: Path) -> list[Story]:
    """The stories of a ``.tsv`` file with the right answers of its ``.ans`` file.

    Raises ``ConfigurationError`` when a file is missing or the two do not belong together.
    """
    try:
        rows = stories.read_text(encoding="utf-8").splitlines()
        keys = answers.read_text(encoding="utf-8").splitlines()
        return [
            _story(row.split("\t"), key.split("\t")) for row, key in zip(rows, keys, strict=True)
        ]
    except OSError:
        raise ConfigurationError(f"MCTest is not at {stories} and {answers}.") from None
    except (ValueError, IndexError):
        raise ConfigurationError(f"{stories} and {answers} are not a set of MCTest.") from None


def _story(columns: Sequence[str], letters: Sequence[str]) -> Story:
    paragraphs = (part.strip() for part in columns[2].replace(_TAB, " ").split(_NEW_LINE))
    questions = []
    starts = range(_FIRST_QUESTION, len(columns), 1 + CHOICES)
    for start, letter in zip(starts, letters, strict=True):
        asked, *choices = map(str.strip, columns[start : start + 1 + CHOICES])
        if len(choices) != CHOICES:
            raise ValueError
        text = asked.partition(":")[2].strip()  # behind *one:* or *multiple:*, sentences needed
        questions.append(Question(text, tuple(choices), "ABCD".index(letter.strip())))
    return Story(columns[0], tuple(part for part in paragraphs if part), tuple(questions))


Distractors = Callable[[Token], Sequence[str]]
"""Words that could stand in the place of a token; fewer than three make no question."""


def cloze_questions(
    sentences: Iterable[Sentence],
    distractors: Distractors,
    language: Language,
    rng: Random,
    most: int,
) -> list[Question]:
    """At most ``most`` questions about content words of ``sentences``, drawn from all of them.

    No word of the document is a wrong choice: it would be found too.
    """
    known = list(sentences)
    present = {word.lower() for sentence in known for word in sentence.words}
    places = [
        (sentence, position)
        for sentence in known
        for position, token in enumerate(sentence.tokens)
        if token.text.isalpha() and not language.is_function_word(token.text)
    ]
    rng.shuffle(places)
    questions: list[Question] = []
    for sentence, position in places:
        token = sentence.tokens[position]
        wrong = [w for w in distractors(token) if w.lower() not in present]
        if len(wrong) >= CHOICES - 1:
            choices = [token.text, *rng.sample(wrong, CHOICES - 1)]
            rng.shuffle(choices)
            gap = "".join(
                t.text + t.whitespace for i, t in enumerate(sentence.tokens) if i != position
            )
            questions.append(Question(gap, tuple(choices), choices.index(token.text)))
        if len(questions) == most:
            break
    return questions


def accuracy(
    evaluator: SlidingWindow, texts: Sequence[str], questions: Sequence[Sequence[Question]]
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
    adversary: SlidingWindow, sent: Sequence[str], questions: Sequence[Sequence[Question]]
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
        """For each question the probability, in [0, 1], that the right choice is picked.

        Where several are equally good it is 1 divided by their number: no score depends on chance.
        """
        passage = _Passage(words(text))
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
    """The words of ``text`` in lower case, without punctuation; *don't* is one word."""
    return _WORD.findall(text.lower().replace("’", "'"))


@dataclass(frozen=True)
class _Passage:
    """A text as its words."""

    words: list[str]

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
        counts = Counter(word for word in self.words if word in wanted)
        weights = [math.log(1 + 1 / counts[w]) if w in wanted else 0.0 for w in self.words]
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
        nearest = min(abs(place - other) for place, other in product(ones, others))
        return nearest / max(len(self.words) - 1, 1)


def estimate_privacy(
    encoder: Encoder, sentences: Collection[Sentence], rng: Random
) -> float | None:
    """PPS of sliding window and word distance on questions made from ``sentences``.

    They are encoded with ``rng`` for it, a sample of them in a long document. None where they hold
    no word to ask for.
    """
    sample = list(sentences)
    if len(sample) > _MOST_SENTENCES:
        sample = rng.sample(sample, _MOST_SENTENCES)
    language = encoder.dictionary.language
    questions = cloze_questions(
        sample, lambda t: _candidates(encoder, t, rng), language, rng, _MOST_QUESTIONS
    )
    if not questions:
        return None
    sent = " ".join(_on_trial(encoder, sentence, rng) for sentence in sample)
    return privacy_score(SlidingWindow(language.words.function_words), [sent], [questions])


def _on_trial(encoder: Encoder, sentence: Sentence, rng: Random) -> str:
    """What would be sent of ``sentence``; nothing of one that breaks the encoder."""
    try:
        return encoder.encode(sentence, DenyList(), rng).text
    except PrismError:
        raise
    except Exception:  # noqa: BLE001 (the encode stage withholds it too)
        return ""


def _candidates(encoder: Encoder, token: Token, rng: Random) -> list[str]:
    """Words of the dictionary under the tag of ``token``, or any, where it has few of it."""
    entries = encoder.dictionary.by_tag.get(token.tag, ())
    if len(entries) < _CANDIDATES:
        entries = encoder.dictionary.by_tag.get("NN", ())
    return [entry.word for entry in rng.sample(entries, min(_CANDIDATES, len(entries)))]
