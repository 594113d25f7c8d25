"""A small corpus with questions, and a translator that can be followed by hand."""

from __future__ import annotations

from collections.abc import Sequence

from prism_core.evaluation.corpora import Corpus, CorpusDocument
from prism_core.evaluation.surviving import GoldNames
from prism_core.language import Sentence
from prism_core.privacy_score import Question
from tests.words import sentence

QUESTIONS = (
    Question("Who ran?", ("dog", "cat", "cow", "pig"), 0),
    Question("Who slept?", ("hen", "ant", "bee", "fox"), 3),
)


def by_o(texts: Sequence[str]) -> list[str]:
    """Adds a letter to each word, as the forms of ``tests.words`` do."""
    return [" ".join(f"{w}o" if w.isalpha() else w for w in text.split()) for text in texts]


def corpus(*documents: Sequence[Sentence]) -> Corpus:
    """``documents`` as they are given, or two of one sentence each."""
    given = documents or (
        [sentence("the/DT", "dog/NN", "ran/VBD", "./.")],
        [sentence("a/DT", "fox/NN", "slept/VBD", "./.")],
    )
    made = tuple(
        CorpusDocument(f"d{i}", (tuple(one),), asked=QUESTIONS, asked_in_target=QUESTIONS)
        for i, one in enumerate(given)
    )
    texts = [s.text.strip() for one in given for s in one]
    names = GoldNames(frozenset(), frozenset())
    return Corpus("mine", made, tuple(by_o(texts)), names)
