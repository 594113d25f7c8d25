"""Questions made from a document itself, for an adversary where nobody has written any.

For a word of the document: its sentence without it, and four words to choose from, three of them
drawn from the words that could stand there as well. An adversary that reads the document finds the
word; one that reads x_pub finds it where it was kept, and guesses where it was replaced. So the
PPS that comes of it is on the scale of the paper's: 0 for plain text, .75 for an empty one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from random import Random

from prism_core.evaluation.mctest import CHOICES, Question
from prism_core.language.sentence import Sentence, Token
from prism_core.language.words import is_function_word

Distractors = Callable[[Token], Sequence[str]]
"""Words that could stand in the place of a token; fewer than three make no question."""


def cloze_questions(
    sentences: Iterable[Sentence], distractors: Distractors, rng: Random, most: int
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
        if token.text.isalpha() and not is_function_word(token.text)
    ]
    rng.shuffle(places)
    questions: list[Question] = []
    for sentence, position in places:
        token = sentence.tokens[position]
        wrong = [w for w in distractors(token) if w.lower() not in present]
        if len(wrong) >= CHOICES - 1:
            questions.append(_question(sentence, position, wrong, rng))
        if len(questions) == most:
            break
    return questions


def _question(sentence: Sentence, position: int, wrong: Sequence[str], rng: Random) -> Question:
    choices = [sentence.tokens[position].text, *rng.sample(wrong, CHOICES - 1)]
    rng.shuffle(choices)
    rest = [t.text + t.whitespace for i, t in enumerate(sentence.tokens) if i != position]
    answer = choices.index(sentence.tokens[position].text)
    return Question("".join(rest), tuple(choices), answer)
