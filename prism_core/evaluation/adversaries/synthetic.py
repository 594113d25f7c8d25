"""Synthetic texts that are encoded to measure what they reveal: two families of ``ProbeArchive``.

Closed sets: the month, weekday or digit that never comes. In an archive that names one again and
again, the only one of its set that is never sent is the one that it names.

Articles: what *a* or *an* tells of what stands behind it: ages, *hour*, nationalities, acronyms;
in Spanish and French what hangs on a sound: *el agua*, *padre e hijo*, *l'avocat*, *mon amie*. What
article and substitute tell together is learned from half of the texts, the others are guessed.

Entry: ``observe_closed_sets`` and ``observe_articles`` make texts up and encode them;
``attack_closed_sets`` and ``attack_articles`` read what was sent.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from importlib.resources import files
from random import Random

from prism_core.evaluation.adversaries.base import Case, ProbeArchive
from prism_core.evaluation.adversaries.observer import Observer
from prism_core.evaluation.findings import Finding, share
from prism_core.language import Sentence, Token
from prism_core.languages import Language

FAMILIES = ("month", "weekday", "digit")
ARCHIVES = 10
"""Number of simulated archives of each family."""
MENTIONS = 120
"""Mentions; one of the twelve months is missing by chance in 1 archive of 3,000."""


def observe_closed_sets(observer: Observer, archives: int = ARCHIVES) -> Iterator[ProbeArchive]:
    """Make archives of each family that name one member of the set ``MENTIONS`` times."""
    if not observer.encoder.looks_for_identifiers:
        return
    words = observer.encoder.dictionary.language.dates
    digits = tuple(map(str, range(2, 10)))
    for family, members in zip(FAMILIES, (words.months, words.weekdays, digits), strict=True):
        for _ in range(archives):
            secret = observer.rng.choice(members).capitalize()
            token = Token(secret, "", "CD" if secret.isdigit() else "NNP")
            yield observer.observe_probe(family, secret, [Sentence((token,))] * MENTIONS)


def attack_closed_sets(case: Case, _rng: Random) -> Iterator[Finding]:
    """Guess the secret where one member of its set alone was never sent.

    The members are those that were sent in any of the archives: whoever has the code knows them.
    Chance: none, since nothing is named where it is not certain.
    """
    of_family: dict[str, list[ProbeArchive]] = defaultdict(list)
    for probe in case.probes:
        if probe.family in FAMILIES:
            of_family[probe.family].append(probe)
    hits = 0
    for probes in of_family.values():
        members = {text for probe in probes for text in probe.shown}
        hits += sum(members - set(probe.shown) == {probe.secret} for probe in probes)
    yield share("closed-set-known", hits, 0.0, sum(map(len, of_family.values())))


_PREFIX = "article-"
_LAST = re.compile(r"(.*[' ])?(.+)")
"""Pattern of the text before the last word, and of that word."""
_KEPT = re.compile(r"[^' ]+'?")
TEXTS = 800
"""Number of texts of each family: half to learn from, half to guess."""
LEAST = 10
"""Minimum texts with a feature for a guess by it."""


def observe_articles(observer: Observer, texts: int = TEXTS) -> Iterator[ProbeArchive]:
    """Make texts of each family in ``articles.toml``: an article with the word it stands before."""
    if not observer.encoder.looks_for_identifiers:
        return
    phrases = (files("prism_core.evaluation.adversaries") / "articles.toml").read_text("utf-8")
    families = tomllib.loads(phrases).get(observer.encoder.dictionary.language.code, {})
    for family, phrase in families.items():
        for _ in range(texts):
            before, word = _parted(observer.rng.choice(phrase["members"]))
            kept = [Token(text, " " * (text[-1] != "'"), "DT") for text in _KEPT.findall(before)]
            secret = word[0] if family == "age" else word
            sentence = Sentence((*kept, Token(word, " ", phrase["tag"])))
            yield observer.observe_probe(_PREFIX + family, secret, [sentence])


def attack_articles(case: Case, rng: Random) -> Iterator[Finding]:
    """Guess each hidden word where article and first letter reveal it best.

    Chance: what was guessed, as often as it stands in all texts of the family.
    """
    language = case.public.dictionary.language
    families: dict[str, list[ProbeArchive]] = defaultdict(list)
    for probe in case.probes:
        if probe.family.startswith(_PREFIX) and probe.shown:
            families[probe.family].append(probe)
    for family, probes in families.items():
        rng.shuffle(probes)
        known, asked = probes[: len(probes) // 2], probes[len(probes) // 2 :]
        prior = Counter(probe.secret for probe in probes)
        if len(known) < LEAST:
            continue
        sign, guess = _most_telling(known, prior, language)
        told = [probe.secret for probe in asked if _sign(probe, language) == sign]
        yield share(family, told.count(guess), prior[guess] / len(probes), len(told))


def _most_telling(
    known: Sequence[ProbeArchive], prior: Counter[str], language: Language
) -> tuple[tuple[str, ...], str]:
    """Return the sign that raises a secret's likelihood most, and that secret."""
    seen: dict[tuple[str, ...], Counter[str]] = defaultdict(Counter)
    for probe in known:
        seen[_sign(probe, language)][probe.secret] += 1
    least = min(LEAST, max(secrets.total() for secrets in seen.values()))
    often = [(sign, secrets) for sign, secrets in seen.items() if secrets.total() >= least]
    _, sign, guess = max(
        (count / secrets.total() / prior[secret], sign, secret)
        for sign, secrets in often
        for secret, count in secrets.items()
    )
    return sign, guess


def _sign(probe: ProbeArchive, language: Language) -> tuple[str, ...]:
    """Return the article that was sent, the one its substitute needs, and its kind of letter."""
    article, substitute = _parted(probe.shown[0].strip())
    vowel = substitute[:1].lower() in "aeiouáéíóúâêîô"
    return article.lower(), "elided" * language.elides(substitute), "vowel" * vowel


def _parted(text: str) -> tuple[str, str]:
    found = _LAST.fullmatch(text)
    return (found[1] or "", found[2]) if found else ("", text)
