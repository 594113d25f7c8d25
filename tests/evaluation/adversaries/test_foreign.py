"""What is sent of Spanish, French and German tells nothing of the words behind its substitutes."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from prism_core.dictionary import load_dictionary
from prism_core.encoding import make_encoder
from prism_core.evaluation.adversaries import ADVERSARIES, attack_case
from prism_core.evaluation.adversaries.cases import (
    Sending,
    make_case,
    observe_encoder,
    public_knowledge,
)
from prism_core.evaluation.findings import Finding
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.mechanisms import make_mechanism
from prism_core.resources import shipped_dictionary
from prism_core.settings import load_settings

LINES = Path(__file__).parents[3] / "benchmarks" / "attack_lines"
BY_SUBSTITUTES = {name for name, one in ADVERSARIES.items() if one.by_substitutes}
FEWEST = 100
"""Replaced words behind a finding that says something."""


def attacked(source: str, controls: int = 2) -> list[Finding]:
    """What attackers by substitutes make of 130 lines of letters and files, 5 a document."""
    lines = [
        line.replace("[[", "").replace("]]", "")
        for group in ("second", "third")
        for line in (LINES / group / f"{source}.txt").read_text("utf-8").splitlines()
    ]
    read = list(LanguageModel.load(source).annotate(lines))
    groups = [[one for line in read[at : at + 5] for one in line] for at in range(0, len(read), 5)]
    dictionary = load_dictionary(shipped_dictionary(source, "en"), "google")
    public = public_knowledge(dictionary, [one.words for line in read for one in line])
    settings = load_settings(flags={"source": source, "target": "en"})
    encoder = make_encoder(dictionary, make_mechanism(settings.mechanism, dictionary))
    known = encoder.add_identifiers(DenyList(), (one for group in groups for one in group))
    seen = observe_encoder(encoder, public.prior, known, Random(5))
    sent = list(seen.observe(groups))
    made = seen.observe_controls(groups, controls)
    case = make_case(sent, groups, (), public, Sending(), Random(5), controls=made)
    return [one for one in attack_case(case, Random(1), BY_SUBSTITUTES) if one.n]


@pytest.mark.parametrize("source", ["es", "fr", "de"])
def test_substitutes_of_a_foreign_archive_tell_no_more_than_chance(source: str) -> None:
    findings = attacked(source)
    assert sum(one.n >= FEWEST for one in findings) >= 4
    assert not [one for one in findings if one.differs_from_chance(1 - 1e-4)]
