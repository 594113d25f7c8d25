"""What *a* or *an* tells of what stands behind it: ages, *hour*, nationalities, acronyms.

Entry: ``observe_articles`` makes texts up and encodes them, ``attack_articles`` learns from half of
them what article and substitute tell together, and guesses the other half.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from random import Random

from prism_core.evaluation.adversaries.base import Case, Probe
from prism_core.evaluation.adversaries.watching import Observer
from prism_core.evaluation.findings import Finding, share
from prism_core.language import Sentence, Token
from prism_core.languages import Language

_PREFIX = "article-"
_HIDDEN = {
    "age": (tuple(map(str, range(10, 100))), "CD"),
    "hour": (("hour", "house", "day", "office", "minute", "letter"), "NN"),
    "nationality": (("Austrian", "German", "Hungarian", "Italian"), "NNP"),
    "acronym": (("MRI", "CT", "BBC", "FBI", "HIV", "UN"), "NNP"),
}
"""What stands behind an article, by family, and its tag."""
TEXTS = 800
"""Of each family: half to learn from, half to guess."""
LEAST = 10
"""Texts that must have been seen for a guess by what they had in common."""


def observe_articles(observer: Observer, texts: int = TEXTS) -> Iterator[Probe]:
    """So many texts of each family, each an article with what it stands before; none for an encoder
    that does not look for identifiers, or for a language without two articles."""
    language = observer.encoder.dictionary.language
    if not (observer.encoder.looks_for_identifiers and language.words.indefinite_articles):
        return
    for family, (members, tag) in _HIDDEN.items():
        for _ in range(texts):
            word = observer.rng.choice(members)
            article = Token(language.fitting_article(word), " ", "DT")
            sentence = Sentence((article, Token(word, " ", tag)))
            secret = word[0] if family == "age" else word
            yield observer.observe_probe(_PREFIX + family, secret, [sentence])


def attack_articles(case: Case, rng: Random) -> Iterator[Finding]:
    """What stands there is guessed where it can be told best: by the article and by whether the
    substitute begins with a vowel, of which the one counts that told most of the first half.

    Chance: what was guessed, as often as it stands in all texts of the family.
    """
    language = case.public.dictionary.language
    families: dict[str, list[Probe]] = defaultdict(list)
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
    known: Sequence[Probe], prior: Counter[str], language: Language
) -> tuple[tuple[str, ...], str]:
    """The sign with which a secret is so many times likelier than without, and that secret."""
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


def _sign(probe: Probe, language: Language) -> tuple[str, ...]:
    """The article that was sent, the one that its substitute asks for, and its kind of letter."""
    article, _, substitute = probe.shown[0].partition(" ")
    vowel = substitute[:1].lower() in "aeiou"
    return article.lower(), language.fitting_article(substitute), "vowel" * vowel
