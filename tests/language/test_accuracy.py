"""The shipped model is good enough, and the measure that says so can tell a bad one."""

from collections.abc import Iterable, Iterator
from dataclasses import asdict

import pytest

from prism_core.language.language_model import LanguageModel
from prism_core.language.sentence import Sentence, Token
from scripts.training.accuracy import Accuracy, AnnotatedText, measure
from scripts.training.treebank import read_gold
from tests.shared_data import shared

FIRST = Sentence((Token("Ada", " ", "NNP", "Ada", "", "PER"), Token("left", " ", "VBD", "leave")))
SECOND = Sentence((Token("In", " ", "IN", "in"), Token("Peru", "", "NNP", "Peru", "", "LOC")))


class Recital(LanguageModel):
    """Says the same of every text."""

    def __init__(self, *sentences: Sentence) -> None:
        self._sentences = sentences

    def annotate(self, texts: Iterable[str]) -> Iterator[tuple[Sentence, ...]]:
        return (self._sentences for _ in texts)


def test_the_truth_measures_as_perfect() -> None:
    accuracy = measure(Recital(FIRST, SECOND), [AnnotatedText.of([FIRST, SECOND])])
    assert accuracy.token == accuracy.tag == accuracy.lemma == 1.0
    assert accuracy.sentence == accuracy.entity == accuracy.names_covered == 1.0


def test_each_error_lowers_its_own_measure() -> None:
    ada, left = FIRST.tokens
    mistagged = Sentence((ada._replace(tag="NN", entity="ORG"), left._replace(lemma="left")))
    accuracy = measure(Recital(mistagged), [AnnotatedText.of([FIRST])])
    assert accuracy.token == accuracy.sentence == 1.0
    assert accuracy.tag == accuracy.lemma == 0.5
    assert accuracy.entity == 0.0
    assert accuracy.names_covered == 1.0  # under another class, but not in clear


def test_a_person_without_entity_or_proper_noun_tag_is_not_covered() -> None:
    exposed = Sentence((FIRST.tokens[0]._replace(tag="NN", entity=""), FIRST.tokens[1]))
    assert measure(Recital(exposed), [AnnotatedText.of([FIRST])]).names_covered == 0.0


def test_sentences_run_together_are_counted() -> None:
    together = Sentence(FIRST.tokens + SECOND.tokens)
    accuracy = measure(Recital(together), [AnnotatedText.of([FIRST, SECOND])])
    assert accuracy.sentence == 0.0
    assert accuracy.token == 1.0


@pytest.mark.parametrize(
    ("treebank", "floor"),
    [
        ("ewt_test", Accuracy(0.98, 0.915, 0.96, 0.85, 0.55, 0.91)),
        ("gumfree_test", Accuracy(0.99, 0.935, 0.965, 0.91, 0.43, 0.82)),
    ],
)
def test_the_shipped_model_stays_above_its_floor(
    model: LanguageModel, treebank: str, floor: Accuracy
) -> None:
    gold = read_gold(shared(f"english/{treebank}.spacy"))
    accuracy = measure(model, gold[::2])
    for measured, least in asdict(floor).items():
        assert getattr(accuracy, measured) >= least, measured
