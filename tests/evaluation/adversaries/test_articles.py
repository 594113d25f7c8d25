"""The article that is kept as it was tells of the original, the one that is fitted nothing."""

from __future__ import annotations

from functools import cache
from random import Random

import pytest

from prism_core.dictionary import Dictionary, load_dictionary
from prism_core.encoding import make_encoder
from prism_core.evaluation.adversaries import attack_case
from prism_core.evaluation.adversaries.base import Case
from prism_core.evaluation.adversaries.cases import observe_encoder, public_knowledge
from prism_core.evaluation.adversaries.synthetic import observe_articles
from prism_core.evaluation.findings import Finding
from prism_core.identifiers import DenyList
from prism_core.mechanisms import make_mechanism
from prism_core.resources import shipped_dictionary
from prism_core.settings import MechanismSettings, load_settings
from tests.words import entry, names, nouns

NOUNS = [entry(one) for one in ("hour", "house", "day", "office", "minute", "letter")]
VOWELS = [entry(f"a{c}t") for c in "bcdfghjklm"]
SURNAMES = [entry(one, "SURNAME", [one]) for one in ("Ellis", "Usher", "Irving", "Ogden", "Abbot")]
WORDS = Dictionary([*NOUNS, *VOWELS, *nouns(10), *names(), *SURNAMES], {}, "test")


UNIFORM = MechanismSettings.choose(minimum_pool=5, threshold=0.5, draws="uniform")


@cache
def shipped(source: str) -> Dictionary:
    return load_dictionary(shipped_dictionary(source, "en"), "google")


def attacked(
    words: Dictionary = WORDS, settings: MechanismSettings = UNIFORM
) -> dict[str, Finding]:
    encoder = make_encoder(words, make_mechanism(settings, words))
    observer = observe_encoder(encoder, {}, DenyList(), Random(5))
    probes = tuple(observe_articles(observer, texts=400))
    case = Case((), (), (), public_knowledge(words, []), ordered=False, probes=probes)
    return {found.attack: found for found in attack_case(case, Random(1), {"articles"})}


def keep_what_stands_beside(monkeypatch: pytest.MonkeyPatch) -> None:
    for fit in ("adjust_articles", "fit_elisions"):
        monkeypatch.setattr(
            f"prism_core.encoding.pool_encoder.{fit}", lambda sentence, *_: sentence
        )


def test_an_article_that_fits_what_is_sent_tells_nothing() -> None:
    found = attacked()
    assert len(found) == 4
    assert not [one.attack for one in found.values() if one.differs_from_chance(0.999)]


def test_an_article_that_stays_as_it_was_tells_ages_hours_nationalities_and_acronyms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    keep_what_stands_beside(monkeypatch)
    found = attacked()
    assert found["article-age"].value > 0.7
    assert all(one.value > 1.3 * one.chance for one in found.values())
    assert all(one.differs_from_chance() for one in found.values())


@pytest.mark.parametrize("source", ["es", "fr"])
def test_what_hangs_on_a_sound_tells_nothing_when_it_is_fitted(source: str) -> None:
    found = attacked(shipped(source), load_settings().mechanism)
    assert len(found) == (6 if source == "es" else 7)
    assert not [one.attack for one in found.values() if one.differs_from_chance(0.999)]


@pytest.mark.parametrize("source", ["es", "fr"])
def test_what_hangs_on_a_sound_tells_when_it_is_kept(
    source: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_what_stands_beside(monkeypatch)
    found = attacked(shipped(source), load_settings().mechanism)
    assert sum(one.value for one in found.values()) > 1.5 * sum(
        one.chance for one in found.values()
    )
