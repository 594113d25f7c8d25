"""Small public vocabularies, and encoders over them, for the tests of the mechanisms."""

from __future__ import annotations

from prism_core.dictionary import FUNCTION_TAG, Dictionary
from prism_core.encoding import Encoder, make_encoder
from prism_core.evaluation.further_mechanisms.mixture import Mixture
from prism_core.evaluation.further_mechanisms.nested import Nested
from prism_core.language import Sentence
from prism_core.mechanisms import Mechanism, Vocabulary
from prism_core.mechanisms.kinds.prism_r import PrismR
from prism_core.mechanisms.kinds.prism_star import PrismStarThreshold
from tests.words import dictionary, entry

NO_MARKS: frozenset[str] = frozenset()
INSIDE = ("cat", "dog", "the", "The")
OUTSIDE = ("Kovacs", "48213", "Cat", "zorgle", "The-", "…")
"""A name, a number, a capital, an unknown word, a piece, a mark that is not in the small V."""


def words() -> Dictionary:
    """Two nouns and a function word: V = cat, dog, the, The."""
    the = entry("the", FUNCTION_TAG, ["el"])
    return dictionary(entry("cat", forms=["gato"]), entry("dog", forms=["perro"]), the)


def vocabulary(of: Dictionary) -> Vocabulary:
    return Vocabulary(of, 0.7, 2, NO_MARKS)


def prism_r(r: float, of: Dictionary | None = None) -> PrismR:
    of = of or words()
    return PrismR(of, vocabulary(of), r)


def mixture(r: float, beta: float, of: Dictionary | None = None) -> Mixture:
    of = of or words()
    return Mixture(of, vocabulary(of), r, beta)


def nested(r: float, of: Dictionary | None = None) -> Nested:
    of = of or words()
    return Nested(of, prism_r(r, of), PrismStarThreshold(of, 0.7, 2, "source"), tag_by_surface)


def tag_by_surface(sentence: Sentence) -> Sentence:
    """A tagger that reads surfaces alone, as the language model's ``retag`` does."""
    tokens = [
        one._replace(tag="DT" if one.text.lower() == "the" else "NN") for one in sentence.tokens
    ]
    return Sentence(tuple(tokens))


def encoder(mechanism: Mechanism, names=(), never=()) -> Encoder:
    return make_encoder(words(), mechanism, names, never)
