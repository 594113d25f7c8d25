"""What a language model is asked, and what is made of whatever it answers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.evaluation.panels import prompt, read_answers
from prism_core.privacy_score import Question

QUESTIONS = [
    Question("Who ran?", ("a cat", "a dog", "a cow", "she fell down"), 1),
    Question("Where to?", ("home", "A dark wood", "school", "Boston"), 0),
    Question("When?", ("at noon", "at night", "in May", "never"), 3),
    Question("Why?", ("fear", "joy", "hunger", "B"), 2),
]
EXPECTED = [1, 0, 3, 2]


def test_the_prompt_is_the_papers_with_the_text_between_instruction_and_questions() -> None:
    asked = prompt("The dog ran home.", QUESTIONS)
    assert asked.startswith(
        "Read the following message and solve the following four questions.\n\nThe dog ran home."
    )
    assert asked.endswith(
        "Output only four characters representing the answers, e.g.,\n1. A\n2. B\n3. A\n4. D"
    )
    assert "1. Who ran?\nA. a cat\nB. a dog\nC. a cow\nD. she fell down" in asked


@pytest.mark.parametrize(
    "answer",
    [
        "1. B\n2. A\n3. D\n4. C",
        "BADC",
        "B, A, D, C",
        "B\nA\nD\nC\n",
        "B.\nA.\nD.\nC.",
        "b\na\nd\nc",
        "Answers: BADC",
        "The answers are: B, A, D, C.",
        "1) B\n2) A\n3) D\n4) C",
        "1: (B)\n2: (A)\n3: (D)\n4: (C)",
        "**1.** **B**\n**2.** **A**\n**3.** **D**\n**4.** **C**",
        "1. B 2. A 3. D 4. C",
        "1. b\n2. a\n3. d\n4. c",
        "Sure! Here are the answers:\n\n1. B\n2. A\n3. D\n4. C\n\nA dog is what I read of.",
        "1. B. a dog\n2. A. home\n3. D. never\n4. C. hunger",
        "1. B) a dog\n2. A) home\n3. D) never\n4. C) hunger",
        "1. a dog\n2. home\n3. never\n4. hunger",
        "Question 1: The answer is B.\nQuestion 2: The answer is A.\n"
        "Question 3: The answer is D.\nQuestion 4: The answer is C.",
        "1. Who ran?\nAnswer: B\n2. Where to?\nAnswer: A\n3. When?\nAnswer: D\n4. Why?\nAnswer: C",
        "1. A\n2. A\n3. A\n4. A\n\nNo, once more:\n1. B\n2. A\n3. D\n4. C",
    ],
)
def test_answers_are_read_also_within_talk(answer: str) -> None:
    assert read_answers(answer, QUESTIONS) == EXPECTED


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("", [None] * 4),
        ("I cannot help with that.", [None] * 4),
        ("A message about a dog. Because of that I do not know.", [None] * 4),
        ("BAD", [None] * 4),
        ("1. B\n3. D", [1, None, 3, None]),
        ("1. E\n2. A", [None, 0, None, None]),
        ("1. A dog ran off\n2. A", [None, 0, None, None]),
        ("1. B\n2. A\n3. D\n4. C\n5. A", EXPECTED),
    ],
)
def test_what_cannot_be_read_is_not_guessed(answer: str, expected: list[int | None]) -> None:
    assert read_answers(answer, QUESTIONS) == expected


@given(st.text(alphabet="ABCDE 1234.)\n*anbc:", max_size=60))
def test_every_answer_gives_one_choice_or_none_a_question(answer: str) -> None:
    found = read_answers(answer, QUESTIONS)
    assert len(found) == 4
    assert all(one is None or 0 <= one < 4 for one in found)
