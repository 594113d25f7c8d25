from __future__ import annotations

from random import Random

import pytest

from prism_core.dictionary import with_terms
from prism_core.dictionary.glossary import Term
from prism_core.errors import ConfigurationError
from prism_core.evaluation.further_mechanisms.prism_star_ratio import PrismStarRatio
from prism_core.mechanisms import Selection, make_mechanism
from prism_core.record import Kind, Replacement
from prism_core.settings import MechanismSettings
from tests.words import dictionary, entry, nouns, sentence


def never(word: str) -> bool:
    return False


def choose(mechanism: PrismStarRatio, *words: str, identifiers=frozenset()) -> Selection:
    return mechanism.choose(sentence(*words), identifiers, never, Random(7))


def test_the_most_confident_tokens_are_replaced_by_the_best_words() -> None:
    entries = [entry(w, score=s) for w, s in (("low", 1), ("mid", 2), ("high", 3), ("best", 9))]
    mechanism = PrismStarRatio(dictionary(*entries), 0.5, 1, "keep")
    record = choose(mechanism, "low/NN", "mid/NN", "high/NN", "./.").record
    assert [(one.word, one.substitute) for one in record] == [("mid", "high"), ("high", "best")]


@pytest.mark.parametrize(("ratio", "replaced"), [(0.0, 0), (0.2, 1), (0.5, 2), (1.0, 4)])
def test_the_ratio_counts_tokens_and_rounds_up(ratio, replaced) -> None:
    mechanism = PrismStarRatio(dictionary(*nouns(30)), ratio, 1, "keep")
    assert len(choose(mechanism, *(f"{noun.word}/NN" for noun in nouns(4))).record) == replaced


@pytest.mark.parametrize(
    ("policy", "kinds", "withheld"),
    [("source", [Kind.UNKNOWN], ""), ("withhold", [], "unknown-word"), ("keep", [], "")],
)
def test_unknown_words_follow_the_policy_and_identifiers_are_left(policy, kinds, withheld) -> None:
    mechanism = PrismStarRatio(dictionary(*nouns(30)), 0.0, 5, policy)
    draft = choose(mechanism, "Ann/NNP", "zorgle/NN", identifiers=frozenset({0}))
    assert ([one.kind for one in draft.record], draft.withheld) == (kinds, withheld)


def test_no_substitute_is_exchanged() -> None:
    mechanism = PrismStarRatio(dictionary(*nouns(5)), 1.0, 5, "source")
    record = (Replacement(1, 1, "baak", "bbak", Kind.WORD, "NN"),)
    sent = sentence("the/DT", "baak/NN", "was/VBD")
    assert mechanism.redraw(sent, frozenset(), record, 1, never, Random(7)) is None


def test_a_glossary_that_would_not_be_used_is_refused() -> None:
    words = dictionary(*nouns(30))
    settings = MechanismSettings.choose(name="prism-star-ratio", minimum_pool=5)
    assert isinstance(make_mechanism(settings, words), PrismStarRatio)
    with pytest.raises(ConfigurationError, match=r"dictionary\.glossary is for prism-star"):
        make_mechanism(settings, with_terms(words, [Term(1, "dog", ("labrador",), "NN")]))
