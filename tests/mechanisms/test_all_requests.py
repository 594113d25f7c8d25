"""The ε of a mechanism holds for all requests of ``Prism.protect``, exactly, over neighbours.

Two archives are neighbours here if they have the same texts with the same tokens but for one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest

from prism_core import Prism, Unrestored
from prism_core.encoding import Encoder, make_encoder
from prism_core.language import LanguageModel
from prism_core.mechanisms import make_mechanism
from prism_core.mechanisms.metric import TruncatedExponential
from prism_core.settings import MechanismSettings
from tests.mechanisms.points import scatter, write_points
from tests.mechanisms.public_words import words
from tests.mechanisms.walking import distribution, loss

BOUNDING = [name for name, kind in MechanismSettings.kinds() if kind.bounds_epsilon]
WORDS = ("Yes", "No", "Other", "Cancer", "Kovacs", "The", "cat", "dog", "NATO", "48213", "a")
"""Words of grammar, a surname, words of V, an acronym, a number, a letter."""
ARCHIVES = (
    ["{}"],
    ["{}:"],
    ["{}", "Yes"],
    ["the {}"],
)
"""Lines with a place for the token that differs: alone, before a mark, beside an equal line."""
Requests = tuple[tuple[str, ...], ...]
Translate = Callable[[list[str]], list[str]]


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.load("en", lemmas=False)


@pytest.fixture(scope="module", params=BOUNDING)
def encoder(request, tmp_path_factory, model) -> Encoder:
    """The encoder of a small V; a mechanism over distances draws so that all ways can be taken."""
    table: dict[str, object] = {"name": request.param, "threshold": 0.7, "minimum_pool": 2}
    if "vectors" in dict(MechanismSettings.kinds())[request.param].model_fields:
        file = tmp_path_factory.mktemp("vectors") / "points.txt"
        table |= {"vectors": write_points(file, scatter(("cat", "dog", "the", "yes", "no", "a")))}
        table |= {"draws": "truncated", "epsilon": 1.0}
    settings = MechanismSettings.choose(**table)
    return make_encoder(words(), make_mechanism(settings, words(), model.retag))


@pytest.fixture(autouse=True)
def every_way_of_a_near_word(monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw near words by their chances through the walk, whose randomness is no number."""

    def draw(self: TruncatedExponential, rows, rng):
        return np.array([rng.choose(self.chances(np.array([row]))[0]) for row in rows])

    monkeypatch.setattr(TruncatedExponential, "_draw", draw)


def silent(texts: list[str]) -> list[str]:
    """What a translator answers that wants to see what is asked again."""
    return ["nada"] * len(texts)


def requests_of(
    encoder: Encoder,
    model: LanguageModel,
    texts: list[str],
    answer: Translate,
    *,
    leave: bool = True,
) -> dict[Requests, Fraction]:
    """Every list of requests, each with its texts in an order without meaning, by probability."""

    def once(rng: Random) -> Requests:
        received: list[tuple[str, ...]] = []

        def translate(asked: list[str]) -> list[str]:
            received.append(tuple(sorted(asked)))
            return answer(asked)

        try:
            list(Prism(model, encoder, rng, target="es").protect(texts, translate, leave=leave))
        except Unrestored:
            assert not leave
        return tuple(received)

    return distribution(once)


def allowed(encoder: Encoder, one: str, other: str) -> float | None:
    """The largest loss that is claimed between two words; None where nothing is."""
    mechanism = encoder.mechanism
    if mechanism.distance is None:
        return mechanism.epsilon_word
    shown = [(word.islower(), word.istitle(), word.isupper()) for word in (one, other)]
    if mechanism.name == "pup" and shown[0] != shown[1]:
        return None
    first, second = (mechanism._places.get(mechanism.read(word)) for word in (one, other))
    if first is None or second is None:
        return 0.0 if first is second else None
    if first[0] != second[0]:
        return None
    table = mechanism._classes[first[0]][1].table
    return mechanism.epsilon_word * float(np.linalg.norm(table[first[1]] - table[second[1]]))


def check_neighbours(encoder: Encoder, found: dict[str, dict[Requests, Fraction]]) -> None:
    compared = 0
    for one, other in product(found, repeat=2):
        if (most := allowed(encoder, one, other)) is not None:
            assert loss(found[one], found[other]) <= most + 1e-9, (one, other)
            compared += one != other
    assert compared >= 10


@pytest.mark.parametrize("lines", ARCHIVES, ids=" | ".join)
@pytest.mark.parametrize("answer", [list, silent], ids=["honest", "silent"])
def test_no_word_of_an_archive_loses_more_than_epsilon_by_all_requests(
    encoder: Encoder, model: LanguageModel, lines: list[str], answer: Translate
) -> None:
    check_neighbours(
        encoder,
        {
            word: requests_of(encoder, model, [line.format(word) for line in lines], answer)
            for word in WORDS
        },
    )


def test_each_text_is_sent_once_and_by_itself(encoder: Encoder, model: LanguageModel) -> None:
    for texts in (["Yes", "Yes", "Yes"], ["Yes", "48213", "A"]):
        for requests in requests_of(encoder, model, texts, silent):
            assert [len(request) for request in requests] == [3]


def test_that_the_rest_is_sent_does_not_follow_from_what_was_lost(
    encoder: Encoder, model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prism_core.prism.TOGETHER", 1)
    found = {
        word: requests_of(encoder, model, [word, "Yes"], silent, leave=False) for word in WORDS
    }
    check_neighbours(encoder, found)


def test_a_loss_that_nothing_bounds_is_found(model: LanguageModel) -> None:
    """The words that are told apart are told apart by this test, too."""
    one = {(("cat",),): Fraction(1)}
    other = {(): Fraction(1)}
    assert loss(one, other) == math.inf
