"""MCTest (Richardson et al. 2013): stories for children, each with four multiple-choice questions.

Reads ``mc160.test.tsv``, ``mc500.dev.tsv`` and the like; the answers come in a file apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from prism_core.errors import ConfigurationError

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
