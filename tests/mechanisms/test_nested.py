from itertools import product

import pytest

from prism_core.errors import ConfigurationError
from prism_core.evaluation.further_mechanisms.nested import Nested
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence
from prism_core.mechanisms import make_mechanism
from prism_core.mechanisms.kinds.prism_star import PrismStarThreshold
from prism_core.record import Kind
from prism_core.settings import MechanismSettings
from tests.mechanisms.public_words import (
    INSIDE,
    OUTSIDE,
    encoder,
    nested,
    prism_r,
    tag_by_surface,
    words,
)
from tests.mechanisms.walking import distribution, loss
from tests.words import sentence


def sent(made, one: Sentence):
    return distribution(lambda rng: made.encode(one, DenyList(), rng).text)


@pytest.mark.parametrize("r", [0.25, 0.5, 1.0])
def test_no_pair_of_words_loses_more_than_under_prism_r_alone(r) -> None:
    mechanism = nested(r)
    known = [sent(encoder(mechanism), sentence(f"{word}/NN")) for word in (*INSIDE, *OUTSIDE)]
    largest = max(loss(one, other) for one, other in product(known, repeat=2))
    assert largest <= mechanism.epsilon_word + 1e-12
    assert mechanism.epsilon_word == prism_r(r).epsilon_word


def test_a_change_of_one_word_beside_another_loses_no_more() -> None:
    mechanism = nested(0.5)
    known = [sent(encoder(mechanism), sentence("the/DT", f"{w}/NN")) for w in ("cat", "Kovacs")]
    for one, other in product(known, repeat=2):
        assert loss(one, other) <= mechanism.epsilon_word + 1e-12


def test_prism_star_reads_nothing_but_what_prism_r_gave() -> None:
    seen: list[Sentence] = []

    def tagger(one: Sentence) -> Sentence:
        seen.append(one)
        return tag_by_surface(one)

    of = words()
    second = PrismStarThreshold(of, 0.7, 2, "source")
    mechanism = Nested(of, prism_r(0.5, of), second, tagger)
    original = sentence("Kovacs/NNP/PER", "cat/VBZ/LOC")
    tokens = tuple(t._replace(lemma="secret", morph="Number=Sing") for t in original.tokens)
    sent(encoder(mechanism), Sentence(tokens))
    for one in seen:
        assert {t.text for t in one.tokens} <= set(INSIDE)
        assert {(t.tag, t.lemma, t.morph, t.entity) for t in one.tokens} == {("", "", "", "")}


def test_the_record_leads_from_the_original_to_what_is_sent() -> None:
    made = encoder(nested(0.5))
    one = sentence("Kovacs/NNP", "cat/NN")

    def check(rng) -> bool:
        encoded = made.encode(one, DenyList(), rng)
        shown = [token.text for token in one.tokens]
        for step in encoded.record:
            assert step.word == shown[step.position]
            shown[step.position] = step.substitute
        return encoded.withheld != "" or " ".join(shown) == encoded.text

    assert distribution(check) == {True: 1}


def test_a_substitute_of_prism_star_is_found_by_its_own_tag() -> None:
    encoded = distribution(
        lambda rng: encoder(nested(0.5)).encode(sentence("cat/VB"), DenyList(), rng)
    )
    drawn = {(r.substitute, r.surface.tag, r.kind) for one in encoded for r in one.record}
    assert ("dog", "NN", Kind.WORD) in drawn
    assert ("the", "", Kind.WORD) in drawn


def test_without_a_language_model_the_error_says_what_to_give() -> None:
    with pytest.raises(ConfigurationError, match="load_encoder"):
        make_mechanism(MechanismSettings.choose(name="nested", minimum_pool=2), words())


def test_the_language_model_tags_what_it_is_given_and_reads_nothing_else(model) -> None:
    (one,) = model.sentences("She  runs the old house.")
    stripped = Sentence(tuple(t._replace(tag="", lemma="", morph="") for t in one.tokens))
    misled = Sentence(tuple(t._replace(tag="XX", entity="PER") for t in one.tokens))
    assert model.retag(stripped).text == one.text
    assert [t.text for t in model.retag(misled).tokens] == [t.text for t in one.tokens]
    words = [i for i, token in enumerate(one.tokens) if token.text.strip()]
    again, other = model.retag(stripped), model.retag(misled)
    assert all(again.tokens[i] == other.tokens[i] for i in words)
    assert [again.tokens[i].tag for i in words] == ["PRP", "VBZ", "DT", "JJ", "NN", "."]


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.load("en")
