"""Multiple-choice questions about a document: those of MCTest, and those made from it itself.

MCTest (Richardson et al. 2013) has stories for children, each with four questions; ``read_mctest``
reads ``mc160.test.tsv``, ``mc500.dev.tsv`` and the like, and the answers,
which come in a file apart.

``cloze_questions`` serve an adversary where nobody has written any. For a word of the document: its
sentence without it, and four words to choose from, three of them drawn from the words that could
stand there as well. An adversary that reads the document finds the word; one that reads x_pub finds
it where it was kept, and guesses where it was replaced. So the PPS that comes of it is on the scale
of the paper's: 0 for plain text, .75 for an empty one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from prism_core.errors import ConfigurationError
from prism_core.language import Sentence, Token
from prism_core.languages import Language

CHOICES = 4
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
        return [_story(row, key) for row, key in zip(rows, keys, strict=True)]
    except OSError:
        raise ConfigurationError(f"MCTest is not at {stories} and {answers}.") from None
    except (ValueError, IndexError):
        raise ConfigurationError(f"{stories} and {answers} are not a set of MCTest.") from None


def _story(row: str, key: str) -> Story:
    columns = row.split("\t")
    letters = key.split("\t")
    paragraphs = (part.strip() for part in columns[2].replace(_TAB, " ").split(_NEW_LINE))
    starts = range(_FIRST_QUESTION, len(columns), 1 + CHOICES)
    questions = tuple(
        _question(columns[start : start + 1 + CHOICES], letter)
        for start, letter in zip(starts, letters, strict=True)
    )
    return Story(columns[0], tuple(part for part in paragraphs if part), questions)


def _question(columns: list[str], letter: str) -> Question:
    """``one:`` or ``multiple:`` before a question says how many sentences its answer needs."""
    text = columns[0].partition(":")[2].strip()
    choices = tuple(choice.strip() for choice in columns[1:])
    if len(choices) != CHOICES:
        raise ValueError
    return Question(text, choices, "ABCD".index(letter.strip()))


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
            questions.append(_gap(sentence, position, wrong, rng))
        if len(questions) == most:
            break
    return questions


def _gap(sentence: Sentence, position: int, wrong: Sequence[str], rng: Random) -> Question:
    choices = [sentence.tokens[position].text, *rng.sample(wrong, CHOICES - 1)]
    rng.shuffle(choices)
    rest = [t.text + t.whitespace for i, t in enumerate(sentence.tokens) if i != position]
    answer = choices.index(sentence.tokens[position].text)
    return Question("".join(rest), tuple(choices), answer)
