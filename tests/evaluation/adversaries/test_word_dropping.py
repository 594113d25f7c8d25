"""One that leaves words out of its answers: it is sent little more, and names no kept words.

The only content words that are kept are those in phrases of grammar (*in spite of*), which are on a
public list. So they are all that is left for this attack to find.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from prism_core.encoding import Encoder, make_encoder
from prism_core.evaluation.adversaries import ADVERSARIES, Case
from prism_core.evaluation.adversaries.base import AskedSentence
from prism_core.evaluation.adversaries.cases import observe_encoder
from prism_core.evaluation.adversaries.word_dropping import observe_asking
from prism_core.identifiers import DenyList
from prism_core.language import Sentence
from prism_core.mechanisms import make_mechanism
from prism_core.settings import MechanismSettings
from tests.words import dictionary, nouns, sentence

PHRASES = [f"in/IN {word}/NN of/IN" for word in ("case", "lieu", "spite", "terms", "view")]


def encoder() -> Encoder:
    words = dictionary(*nouns(60))
    chosen = MechanismSettings.choose(minimum_pool=5, draws="uniform")
    return make_encoder(words, make_mechanism(chosen, words))


def texts(count: int) -> list[Sentence]:
    """Sentences of five words to hide, one with a capital, and one to keep, in a phrase."""
    rng = Random(5)
    return [
        sentence(
            f"{rng.choice(nouns(60)).word.capitalize()}/NN",
            *(f"{rng.choice(nouns(60)).word}/NN" for _ in range(4)),
            *rng.choice(PHRASES).split(),
        )
        for _ in range(count)
    ]


def attacked(
    ours: Encoder, sentences: list[Sentence]
) -> tuple[list[AskedSentence], dict[str, float]]:
    seen = observe_encoder(ours, {}, DenyList(), Random(1))
    asked = list(observe_asking(seen, sentences))
    empty: Case = Case((), (), (), None, ordered=False)  # type: ignore[arg-type] # it needs none
    found = ADVERSARIES["asking"].attack(replace(empty, asked=tuple(asked)), Random(2))
    return asked, {one.attack: one.value for one in found}


def test_who_leaves_words_out_has_few_more_encodings_and_names_no_kept_words_by_them() -> None:
    asked, found = attacked(encoder(), texts(100))
    for way in ("capitals", "fifth"):
        sent = [len(one.sent) for one in asked if one.way == way]
        assert 1.2 < sum(sent) / len(sent) <= 1.3
        assert found[f"kept-alike@{way}"] <= 1 / 6 + 0.05, "no more than any word"


@pytest.mark.usefixtures("_afresh")
def test_the_attack_names_kept_words_where_all_is_drawn_afresh() -> None:
    asked, found = attacked(encoder(), texts(100))
    assert {len(one.kept) for one in asked} == {1}
    assert sum(len(one.sent) for one in asked) > 2.5 * len(asked)
    assert found["kept-alike@capitals"] > 0.9


@pytest.fixture
def _afresh(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was done once: a sentence that lost a word is drawn afresh, as often as may be."""
    from prism_core.evaluation.adversaries import word_dropping

    monkeypatch.setattr(word_dropping, "redraw_allowance", lambda *_: 10_000)
    monkeypatch.setattr(
        Encoder,
        "encode_again",
        lambda self, one, _draws, denied, rng: self.encode(one, denied, rng),
    )
