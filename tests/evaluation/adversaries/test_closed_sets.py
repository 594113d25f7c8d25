"""What never comes of a closed set is named where an encoder rules the original out, else never."""

from __future__ import annotations

from random import Random

import pytest

from prism_core.encoding import make_encoder
from prism_core.evaluation.adversaries import attack_case
from prism_core.evaluation.adversaries.base import Case, ProbeArchive
from prism_core.evaluation.adversaries.cases import observe_encoder, public_knowledge
from prism_core.evaluation.adversaries.synthetic import FAMILIES, observe_closed_sets
from prism_core.evaluation.findings import Finding
from prism_core.identifiers import DenyList, SentenceSurrogates
from prism_core.mechanisms import make_mechanism
from prism_core.settings import MechanismSettings
from tests.words import calendar_words


def probes() -> tuple[ProbeArchive, ...]:
    words = calendar_words()
    mechanism = make_mechanism(MechanismSettings.choose(minimum_pool=5), words)
    encoder = make_encoder(words, mechanism)
    observer = observe_encoder(encoder, {}, DenyList(), Random(5))
    return tuple(observe_closed_sets(observer, archives=4))


def attacked(made: tuple[ProbeArchive, ...]) -> Finding:
    case = Case((), (), (), public_knowledge(calendar_words(), []), ordered=False, probes=made)
    (finding,) = attack_case(case, Random(1), {"closed sets"})
    return finding


def test_of_what_is_drawn_from_all_nothing_is_certain() -> None:
    finding = attacked(probes())
    assert (finding.value, finding.n) == (0.0, 4 * len(FAMILIES))


def test_an_original_that_is_ruled_out_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = SentenceSurrogates.draw

    def never_itself(self, identifier, text):
        while (surrogate := drawn(self, identifier, text)) == text:
            self._drawn.clear()
            self._taken.clear()
        return surrogate

    monkeypatch.setattr(SentenceSurrogates, "draw", never_itself)
    assert attacked(probes()).value == 1.0
