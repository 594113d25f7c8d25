"""The ε of a mechanism holds for all requests of ``Prism.protect``, exactly, over neighbours.

Two archives are neighbours here if they have the same texts with the same tokens but for one.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import product
from random import Random

import numpy as np
import pytest

from prism_core import Prism, Unrestored
from prism_core.encoding import Encoder, make_encoder
from prism_core.evaluation.near_words.word_draws import TruncatedExponential
from prism_core.language import LanguageModel, Sentence
from prism_core.mechanisms import Vocabulary, make_mechanism
from prism_core.settings import MechanismSettings
from tests.mechanisms.points import scatter, write_points
from tests.mechanisms.public_words import NO_MARKS, words
from tests.mechanisms.walking import distribution, loss

BOUNDING = [name for name, kind in MechanismSettings.kinds() if kind.bounds_epsilon]
WORDS = ("Yes", "No", "Other", "Cancer", "Kovacs", "The", "cat", "dog", "NATO", "48213", "a")
"""Words of grammar, a surname, words of V, an acronym, a number, a letter."""
FEWER = ("Yes", "Cancer", "cat", "dog")
"""For two tokens of a line, which have many more ways."""
ARCHIVES = ((["{}"], WORDS), (["{}", "Yes"], WORDS), (["{}:"], FEWER))
"""Lines with a place for the token that differs: alone, beside an equal line, before a mark."""
Requests = tuple[tuple[str, ...], ...]
Translate = Callable[[list[str]], list[str]]


class Remembering:
    """The language model, which is asked for each text once: a test takes thousands of ways."""

    def __init__(self, model: LanguageModel) -> None:
        self._read = functools.cache(lambda text: next(iter(model.annotate([text]))))
        self.retag = functools.cache(model.retag)

    def annotate(self, texts: Iterable[str]) -> Iterator[list[Sentence]]:
        return map(self._read, texts)


@pytest.fixture(scope="module")
def model() -> Remembering:
    return Remembering(LanguageModel.load("en", lemmas=False))


@pytest.fixture(scope="module", params=BOUNDING)
def encoder(request, tmp_path_factory, model) -> Encoder:
    """The encoder of a small V; a mechanism over distances draws so that all ways can be taken."""
    table: dict[str, object] = {"name": request.param, "threshold": 0.7, "minimum_pool": 2}
    if "vectors" in dict(MechanismSettings.kinds())[request.param].model_fields:
        file = tmp_path_factory.mktemp("vectors") / "points.txt"
        table |= {"vectors": write_points(file, scatter(("cat", "dog", "the", "yes", "no", "a")))}
        table |= {"draws": "truncated", "epsilon": 1.0}
    settings, of = MechanismSettings.choose(**table), words()
    with pytest.MonkeyPatch.context() as patched:  # marks would make V twelve times as large
        small = functools.partial(Vocabulary, marks=NO_MARKS)
        patched.setattr("prism_core.mechanisms.every_token.Vocabulary", small)
        return make_encoder(of, make_mechanism(settings, of, model.retag))


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
    model: Remembering,
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
    assert compared >= 2


@pytest.mark.parametrize(("lines", "differing"), ARCHIVES)
@pytest.mark.parametrize("answer", [list, silent], ids=["honest", "silent"])
def test_no_word_of_an_archive_loses_more_than_epsilon_by_all_requests(
    encoder: Encoder,
    model: Remembering,
    lines: list[str],
    differing: tuple[str, ...],
    answer: Translate,
) -> None:
    check_neighbours(
        encoder,
        {
            word: requests_of(encoder, model, [line.format(word) for line in lines], answer)
            for word in differing
        },
    )


def test_each_text_is_sent_once_and_by_itself(encoder: Encoder, model: Remembering) -> None:
    for texts in (["Yes", "Yes", "Yes"], ["Yes", "48213", "A"]):
        for requests in requests_of(encoder, model, texts, silent):
            assert [len(request) for request in requests] == [3]


def test_that_the_rest_is_sent_does_not_follow_from_what_was_lost(
    encoder: Encoder, model: Remembering, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prism_core.prism.TOGETHER", 1)
    found = {
        word: requests_of(encoder, model, [word, "Yes"], silent, leave=False) for word in WORDS
    }
    check_neighbours(encoder, found)
