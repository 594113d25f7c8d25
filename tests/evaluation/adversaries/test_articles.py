"""The article that is kept as it was tells of the original, the one that is fitted nothing."""

from __future__ import annotations

from random import Random

import pytest

from prism_core.dictionary import Dictionary
from prism_core.encoding import make_encoder
from prism_core.evaluation.adversaries import attack_case
from prism_core.evaluation.adversaries.base import Case
from prism_core.evaluation.adversaries.cases import observe_encoder, public_knowledge
from prism_core.evaluation.adversaries.made_up import observe_articles
from prism_core.evaluation.findings import Finding
from prism_core.identifiers import DenyList
from prism_core.mechanisms import make_mechanism
from prism_core.settings import MechanismSettings
from tests.words import entry, names, nouns

NOUNS = [entry(one) for one in ("hour", "house", "day", "office", "minute", "letter")]
VOWELS = [entry(f"a{c}t") for c in "bcdfghjklm"]
SURNAMES = [entry(one, "SURNAME", [one]) for one in ("Ellis", "Usher", "Irving", "Ogden", "Abbot")]
WORDS = Dictionary([*NOUNS, *VOWELS, *nouns(10), *names(), *SURNAMES], {}, "test")


def attacked() -> dict[str, Finding]:
    mechanism = make_mechanism(
        MechanismSettings.choose(minimum_pool=5, threshold=0.5, draws="uniform"), WORDS
    )
    observer = observe_encoder(make_encoder(WORDS, mechanism), {}, DenyList(), Random(5))
    probes = tuple(observe_articles(observer, texts=400))
    case = Case((), (), (), public_knowledge(WORDS, []), ordered=False, probes=probes)
    return {found.attack: found for found in attack_case(case, Random(1), {"articles"})}


def test_an_article_that_fits_what_is_sent_tells_nothing() -> None:
    found = attacked()
    assert len(found) == 4
    assert not [one.attack for one in found.values() if one.differs_from_chance(0.999)]


def test_an_article_that_stays_as_it_was_tells_ages_hours_nationalities_and_acronyms(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        "prism_core.encoding.pool_encoder.fit_articles", lambda sentence, *_: sentence
    )
    found = attacked()
    assert found["article-age"].value > 0.7
    assert all(one.value > 1.3 * one.chance for one in found.values())
    assert all(one.differs_from_chance() for one in found.values())
