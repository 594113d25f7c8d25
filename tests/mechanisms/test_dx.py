"""dx and pup: who is drawn among whom, what is left alone, and that nothing else is asked."""

from __future__ import annotations

import math
from collections import Counter
from random import Random, SystemRandom

import pytest
from pydantic import ValidationError

from prism_core.dictionary import FUNCTION_TAG, Dictionary
from prism_core.encoding import make_encoder
from prism_core.errors import ConfigurationError
from prism_core.evaluation.near_words.dx import divide
from prism_core.identifiers import DenyList
from prism_core.language import Sentence, Token
from prism_core.mechanisms import make_mechanism
from prism_core.record import Fate
from prism_core.settings import MechanismSettings
from tests.mechanisms.points import write_points
from tests.mechanisms.sampling import is_binomial, is_uniform
from tests.words import dictionary, entry

POINTS = {
    "cat": [0.0],
    "dog": [1.0],
    "tree": [4.0],
    "run": [0.1],
    "eat": [2.0],
    "the": [0.5],
    "this": [0.7],
    "kovacs": [0.0],
}
NOUNS, VERBS, SMALL, CAPITAL = ("cat", "dog", "tree"), ("eat", "run"), ("the", "this"), ("The",)
V = (*NOUNS, *VERBS, *SMALL, "The", "This")
TRIALS = 8000


@pytest.fixture(scope="module")
def words() -> Dictionary:
    nouns = [entry(word, forms=[word + "o"]) for word in (*NOUNS, "ghost")]
    verbs = [entry(word, "VB", [word + "ar"]) for word in VERBS]
    return dictionary(*nouns, *verbs, *(entry(one, FUNCTION_TAG, ["el"]) for one in SMALL))


@pytest.fixture(scope="module")
def vectors(tmp_path_factory):
    return write_points(tmp_path_factory.mktemp("vectors") / "words.txt", POINTS)


@pytest.fixture(scope="module")
def make(words, vectors):
    def make(name="dx", **changes):
        table = {"name": name, "vectors": vectors, "minimum_pool": 2, "epsilon": 2.0} | changes
        return make_mechanism(MechanismSettings.choose(**table), words)

    return make


def sentence(*words: str) -> Sentence:
    return Sentence(tuple(Token(word, " ", "NN") for word in words))


def shown(mechanism, text: str, rng, always=frozenset(), trials=TRIALS) -> Counter[str]:
    """What is sent for a word, over many draws at once: each token of a sentence draws alone."""
    many = sentence(*[text] * trials)
    record = mechanism.choose(many, always, rng).record
    drawn = Counter(one.substitute for one in record if one.word != one.substitute)
    return drawn + Counter({text: trials - drawn.total()})


def test_a_word_becomes_one_of_its_class_as_often_as_the_noise_says(make) -> None:
    drawn = shown(make(), "cat", SystemRandom())
    assert drawn.keys() <= set(NOUNS)
    stays, far = 1 - math.exp(-2 * 0.5) / 2, math.exp(-2 * 2.5) / 2
    assert is_binomial(drawn["cat"], TRIALS, stays)
    assert is_binomial(drawn["tree"], TRIALS, far)


@pytest.mark.parametrize("outside", ["Kovacs", "48213", "Cat", "ghost", "zorgle"])
def test_what_is_outside_v_becomes_any_word_of_v_alike(make, outside: str) -> None:
    """A name with a vector, a number, a capital, a word without a vector, an unknown one."""
    assert is_uniform(shown(make(), outside, SystemRandom()), V)


def test_a_word_on_the_users_list_becomes_any_word_too(make) -> None:
    drawn = shown(make(), "cat", SystemRandom(), frozenset(range(TRIALS)))
    assert is_uniform(drawn, V)


def test_marks_are_sent_as_they_are_and_nothing_else_for_certain(make, words) -> None:
    encoder = make_encoder(words, make(epsilon=0.01))
    encoded = encoder.encode(sentence("the", "cat", ",", "the", "dog", "!"), DenyList(), Random(3))
    assert [at for at, fate in enumerate(encoded.fates) if fate is Fate.MARK] == [2, 5]


def test_what_comes_out_as_it_was_is_no_replacement(make, words) -> None:
    """So nothing is looked for in the answer that is right as it stands."""
    encoder = make_encoder(words, make(epsilon=1e6))
    encoded = encoder.encode(sentence("the", "cat"), DenyList(), SystemRandom())
    assert (encoded.text, encoded.record) == ("the cat", ())
    assert encoded.fates == (Fate.GRAMMAR, Fate.KEPT)


def test_no_word_depends_on_another(make) -> None:
    """The draws of one position are distributed alike whatever stands beside it."""
    mechanism, rng = make(), SystemRandom()
    stays = 1 - math.exp(-2 * 0.5) / 2
    for beside in ("tree", "Kovacs", "run"):
        many = sentence(*["cat", beside] * 5000)
        record = mechanism.choose(many, frozenset(), rng).record
        changed = {one.position for one in record if one.word != one.substitute}
        kept = sum(position not in changed for position in range(0, 10_000, 2))
        assert is_binomial(kept, 5000, stays)


def test_small_classes_join_the_largest_of_their_part_of_speech() -> None:
    slots = {"a": ("NN", "f"), "b": ("NN", "m"), "c": ("NN", "m"), "d": ("VB", ""), "e": ("VB", "")}
    assert divide("abcde", slots.__getitem__, 2) == [["b", "c", "a"], ["d", "e"]]
    assert [len(one) for one in divide("abcde", slots.__getitem__, 3)] == [5]
    assert divide("abcde", slots.__getitem__, 9) == [[*"bcade"]]


def test_the_report_says_what_epsilon_is_relative_to(make) -> None:
    mechanism = make(distance="cosine")
    assert (mechanism.epsilon_word, mechanism.distance) == (2.0, "cosine")
    assert mechanism.vocabulary == len(V)


def test_pup_draws_from_all_words_that_have_a_vector(make) -> None:
    mechanism = make("pup")
    rng = SystemRandom()
    assert not mechanism.restores
    assert is_uniform(shown(mechanism, "zorgle", rng), POINTS)
    assert shown(mechanism, "Cat", rng, trials=3000).keys() <= {word.title() for word in POINTS}
    alike = shown(mechanism, "cat", rng)
    assert 0 < alike["run"] < alike["cat"], (
        "of words of one class and another, the nearer more often"
    )
    assert is_binomial(alike["tree"], TRIALS, math.exp(-2 * 3.0) / 2)


def test_a_stronger_one_has_half_the_epsilon(make, vectors) -> None:
    settings = MechanismSettings.choose(name="dx", epsilon=4.0, vectors=vectors)
    assert [one.epsilon for one in settings.stronger()] == [2.0, 1.0]


def test_a_table_without_the_words_of_the_dictionary_is_refused(words, tmp_path) -> None:
    strange = write_points(tmp_path / "words.txt", {"zorgle": [1.0], "blurb": [2.0]})
    for name in ("dx", "pup"):
        settings = MechanismSettings.choose(name=name, vectors=strange)
        with pytest.raises(ConfigurationError, match="fewer"):
            make_mechanism(settings, words)


@pytest.mark.parametrize(
    "asked",
    [
        {"epsilon": 0},
        {"epsilon": -1},
        {"epsilon": math.nan},
        {"epsilon": math.inf},
        {"epsilon": 1e-300},
        {"cutoff": 0, "draws": "truncated"},
        {"cutoff": math.nan, "draws": "truncated"},
        {"cutoff": 2.0},
        {"rank_decay": 0.1},
        {"rank_decay": math.nan, "draws": "ranks"},
        {"distance": "manhattan"},
        {"draws": "approximate"},
    ],
)
def test_what_would_be_no_mechanism_or_not_heeded_is_refused(asked) -> None:
    with pytest.raises(ValidationError):
        MechanismSettings.choose(name="dx", **asked)
