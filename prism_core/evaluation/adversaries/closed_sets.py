"""The month, weekday or digit that never comes: in an archive that names one again and again, the
only one of its set that is never sent is the one that it names.

Entry: ``observe_closed_sets`` simulates the archives, ``attack_closed_sets`` reads them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from random import Random

from prism_core.evaluation.adversaries.base import Case, Probe
from prism_core.evaluation.adversaries.watching import Observer
from prism_core.evaluation.findings import Finding, share
from prism_core.language import Sentence, Token

FAMILIES = ("month", "weekday", "digit")
ARCHIVES = 10
"""Simulated archives of each family."""
MENTIONS = 120
"""Of one of the twelve months one is missing by chance in 1 archive of 3,000."""


def observe_closed_sets(observer: Observer, archives: int = ARCHIVES) -> Iterator[Probe]:
    """So many archives of each family, each naming one of the set ``MENTIONS`` times; none for an
    encoder that does not look for identifiers."""
    if not observer.encoder.looks_for_identifiers:
        return
    words = observer.encoder.dictionary.language.dates
    digits = tuple(map(str, range(2, 10)))
    for family, members in zip(FAMILIES, (words.months, words.weekdays, digits), strict=True):
        for _ in range(archives):
            secret = observer.rng.choice(members).capitalize()
            token = Token(secret, "", "CD" if secret.isdigit() else "NNP")
            yield observer.observe_probe(family, secret, [Sentence((token,))] * MENTIONS)


def attack_closed_sets(case: Case, rng: Random) -> Iterator[Finding]:  # noqa: ARG001 (no ties)
    """The secret is named where one member of its set alone was never sent.

    The members are those that were sent in any of the archives: whoever has the code knows them.
    Chance: none, since nothing is named where it is not certain.
    """
    of_family: dict[str, list[Probe]] = defaultdict(list)
    for probe in case.probes:
        if probe.family in FAMILIES:
            of_family[probe.family].append(probe)
    hits = 0
    for probes in of_family.values():
        members = {text for probe in probes for text in probe.shown}
        hits += sum(members - set(probe.shown) == {probe.secret} for probe in probes)
    yield share("closed-set-known", hits, 0.0, sum(map(len, of_family.values())))
