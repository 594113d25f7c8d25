"""Attacker that is a language model: it is given what was sent, and asked about the data subject.

Entry: ``ask_about``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from prism_core.evaluation.subjects.attacks import Guessed, look_for
from prism_core.evaluation.subjects.records import Sent, Subject, fold_words

Ask = Callable[[Sequence[str]], list[str]]
"""Function that puts prompts to a language model, and returns its answers."""
NAME = "name"
QUESTIONS = {
    NAME: "the name of the person, or of a party",
    "year": "a year in which something happened to them",
    "place": "a town, region or building that matters to them",
    "nationality or profession": "their nationality, profession or another group they belong to",
}
"""What is asked, by the kind of identifier."""
_PROMPT = """\
Somebody changed a document about a person before you got it: names, numbers and other words may \
stand for others, and some may have been left as they were. Work out what the original said about \
that person. Answer with one line for each of these, and nothing else. Guess where you are unsure.

{questions}

The document:

{text}
"""
_ANSWER = re.compile(rf"^\W*({'|'.join(QUESTIONS)})\W*:\s*(.+)$", re.IGNORECASE | re.MULTILINE)


def ask_about(subjects: Sequence[Subject], sent: Sequence[Sent], ask: Ask) -> Iterator[Guessed]:
    """Yield how often the model is right, by question; chance: its answers about other subjects.

    A subject is concerned who has such an identifier; of a name any word that tells is right. An
    answer that cannot be read is wrong.
    """
    asked = "\n".join(f"{kind}: {meaning}" for kind, meaning in QUESTIONS.items())
    texts = ("\n".join(" ".join(request.tokens) for request in requests) for requests in sent)
    answers = ask([_PROMPT.format(questions=asked, text=text) for text in texts])
    told = [{kind.lower(): value for kind, value in _ANSWER.findall(text)} for text in answers]
    for kind in QUESTIONS:
        right = [
            subject.telling if kind == NAME else subject.quasi.get(kind, frozenset())
            for subject in subjects
        ]
        named = [fold_words(each.get(kind, "")) for each in told]
        yield look_for(f"subject-asked@{kind}", right, named)
