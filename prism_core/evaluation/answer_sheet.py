"""What a language model is asked about a document, and how its answer is read.

The prompt is the paper's (Sato, section 4.2), to the letter, so that figures can be compared.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from prism_core.evaluation.mctest import Question

LETTERS = "ABCD"
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight")
_EXAMPLE = "ABAD"

_NUMBER = re.compile(r"^\W*(?:question|answer|q)?\s*(\d+)\s*[.):\]–-]*\s*", re.IGNORECASE)
_MARKED = r"[\s*_`(\[\"']*"
_LETTER = re.compile(rf"{_MARKED}([A-D])(?:[)\].:,;*_`\"'–-]|\s*$)", re.IGNORECASE)
_NAMED = re.compile(
    rf"\b(?:answer|choice|option)\b(?:\s+is)?\s*:?{_MARKED}([A-D])\b", re.IGNORECASE
)
_BARE = re.compile(
    r"^\W*(?:(?:the\s+)?answers?\b(?:\s+(?:is|are))?\W*)?((?:[A-D][\s,;/.)\]]*)+)\W*$",
    re.IGNORECASE,
)
_IN_A_ROW = re.compile(r"(\d+)\s*[.):-]?\s*\(?([A-D])\b(?!['’])")


def prompt(text: str, questions: Sequence[Question]) -> str:
    """The paper's prompt: instruction, document, questions, and how to answer."""
    count = len(questions)
    number = _COUNTS[count] if count < len(_COUNTS) else str(count)
    example = "\n".join(f"{i + 1}. {_EXAMPLE[i % len(_EXAMPLE)]}" for i in range(count))
    return "\n\n".join(
        (
            f"Read the following message and solve the following {number} questions.",
            text,
            "\n\n".join(_asked(i, question) for i, question in enumerate(questions, start=1)),
            f"Output only {number} characters representing the answers, e.g.,\n{example}",
        )
    )


def read_answers(answer: str, questions: Sequence[Question]) -> list[int | None]:
    """The choice picked for each question; None where the answer names none that can be read.

    Read are ``1. A``, also in bold, in brackets, in a row, or within talk; the letters alone, if
    there are as many as questions; and the words of a choice in the place of its letter. Where a
    question is answered twice, the later counts, as with one who corrects himself.
    """
    bare = _bare(answer, len(questions))
    if bare is not None:
        return bare
    found: dict[int, int] = {}
    current = 0
    for line in answer.splitlines():
        row = _IN_A_ROW.findall(line)
        if len(row) > 1:
            found |= {int(number): LETTERS.index(letter) for number, letter in row}
            continue
        numbered = _NUMBER.match(line)
        rest = line[numbered.end() :] if numbered else line
        if numbered:
            current = int(numbered.group(1))
        if 1 <= current <= len(questions):
            picked = _picked(rest, questions[current - 1], at_number=numbered is not None)
            if picked is not None:
                found[current] = picked
    return [found.get(i) for i in range(1, len(questions) + 1)]


def _picked(text: str, question: Question, *, at_number: bool) -> int | None:
    """The choice that one line names, behind the number of its question if ``at_number``."""
    letter = _LETTER.match(text) if at_number else None
    letter = letter or _NAMED.search(text)
    if letter is not None:
        index = LETTERS.index(letter.group(1).upper())
        return index if index < len(question.choices) else None
    said = _words(text)
    alike = [i for i, choice in enumerate(question.choices) if _words(choice) == said]
    return alike[0] if len(alike) == 1 else None


def _bare(answer: str, count: int) -> list[int | None] | None:
    """Letters and nothing else: ``ABAD``, ``A, B, A, D``, ``Answers: a b a d``."""
    alone = _BARE.match(answer.strip())
    letters = re.findall("[A-D]", alone.group(1).upper()) if alone else []
    return [LETTERS.index(letter) for letter in letters] if len(letters) == count else None


def _asked(number: int, question: Question) -> str:
    choices = zip(LETTERS, question.choices, strict=False)
    return "\n".join(
        [f"{number}. {question.text}", *(f"{letter}. {choice}" for letter, choice in choices)]
    )


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
