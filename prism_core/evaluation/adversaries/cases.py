"""From a mechanism and documents to cases: what was sent, mixed or not, with decoys or not."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from random import Random

from prism_core.dictionary.dictionary import Dictionary
from prism_core.encoding.encoder import Encoder
from prism_core.evaluation.adversaries.base import Case, Public, Repeated, Sent, Words
from prism_core.evaluation.adversaries.language import NGrams
from prism_core.evaluation.adversaries.pools import (
    OnePool,
    Prior,
    PublicPools,
    RatioPools,
    ThresholdPools,
)
from prism_core.evaluation.adversaries.positions import Guess, by_rarity, by_score, by_threshold
from prism_core.evaluation.adversaries.watching import (
    Documents,
    Observer,
    Watched,
    originals,
    words,
)
from prism_core.evaluation.meaning import Embedder
from prism_core.identifiers import DenyList
from prism_core.language.sentence import Sentence
from prism_core.mechanisms import Tagger, make_mechanism
from prism_core.mechanisms.vocabulary import Vocabulary
from prism_core.settings.sections import MechanismSettings

LEAST_SMALL = 2
"""A word that public text writes small at least so often is an ordinary word."""
NIGHTS = 30
MOST_REPEATED = 150
"""Sentences that are sent night after night."""


@dataclass(frozen=True, slots=True)
class Sending:
    """How requests are put together: shuffled over documents or not, and with how many decoys."""

    mixing: bool = True
    decoy_rate: float = 0.0


SENDINGS = (Sending(), Sending(mixing=False), Sending(decoy_rate=1.0), Sending(False, 1.0))
"""Mixing on and off, decoys on and off."""


def observer(
    settings: MechanismSettings,
    dictionary: Dictionary,
    prior: Prior,
    documents: Documents,
    rng: Random,
    tagger: Tagger | None = None,
) -> Observer:
    """What watches the mechanism of ``settings`` encode ``documents``."""
    watched = Watched(make_mechanism(settings, dictionary, tagger))
    pools, guess = _public_rules(settings, dictionary, prior)
    encoder = Encoder(dictionary, watched.mechanism)
    return Observer.reading(encoder, watched, pools, guess, rng, documents)


def watching(
    encoder: Encoder, settings: MechanismSettings, prior: Prior, deny_list: DenyList, rng: Random
) -> Observer:
    """The same for an ``encoder`` that is set up already, as ``settings`` describe it."""
    watched = Watched(encoder.mechanism)
    pools, guess = _public_rules(settings, encoder.dictionary, prior)
    return Observer(
        encoder.with_mechanism(watched.mechanism), watched, pools, guess, rng, deny_list
    )


def case(
    sent: Sequence[Sent],
    documents: Documents,
    outsiders: Documents,
    public: Public,
    sending: Sending,
    rng: Random,
    decoys: Sequence[Sent] = (),
    observed: Observer | None = None,
) -> Case:
    """``documents`` as they were ``sent``, put together as ``sending`` says.

    With ``observed`` some sentences are encoded anew for so many ``NIGHTS``.
    """
    repeated: tuple[Repeated, ...] = ()
    if observed is not None:
        known = [sentence for document in documents for sentence in document]
        some = rng.sample(known, min(MOST_REPEATED, len(known)))
        repeated = tuple(observed.repeated(some, NIGHTS))
    count = min(len(decoys), math.ceil(sending.decoy_rate * len(sent)))
    return Case(
        tuple(_arranged(sent, decoys[:count], sending, rng)),
        originals(documents),
        tuple(tuple(map(words, document)) for document in outsiders),
        public,
        ordered=not sending.mixing,
        repeated=repeated,
    )


def public_knowledge(
    dictionary: Dictionary,
    sentences: Sequence[Words],
    decoys: Iterable[Sentence] = (),
    embedder: Embedder | None = None,
) -> Public:
    """What can be known of ``sentences``, which are public text, and the public names."""
    small = Counter(word for sentence in sentences for word in sentence if word.islower())
    ordinary = {word for word, count in small.items() if count >= LEAST_SMALL}
    return Public(
        dictionary,
        NGrams(sentences),
        frequencies(sentences),
        decoys=tuple(words(one) for one in decoys),
        ordinary=frozenset(ordinary | {entry.word for entry in dictionary}),
        names=frozenset(
            word for names in dictionary.names.values() for name in names for word in name.split()
        ),
        embedder=embedder,
    )


def frequencies(sentences: Iterable[Words]) -> Counter[str]:
    """How often each word stands in ``sentences``, as it is written and in lower case."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        for word in sentence:
            counts[word] += 1
            if word != word.lower():
                counts[word.lower()] += 1
    return counts


def _arranged(
    sent: Sequence[Sent], decoys: Sequence[Sent], sending: Sending, rng: Random
) -> list[Sent]:
    """Everything in one shuffle, or document after document with the decoys strewn in."""
    if sending.mixing:
        both = [*sent, *decoys]
        rng.shuffle(both)
        return both
    places = sorted(rng.randrange(len(sent) + 1) for _ in decoys)
    found: list[Sent] = []
    left = iter(zip(places, decoys, strict=True))
    place, decoy = next(left, (-1, None))
    for at in range(len(sent) + 1):
        while decoy is not None and place == at:
            found.append(decoy)
            place, decoy = next(left, (-1, None))
        found += sent[at : at + 1]
    return found


def _public_rules(
    settings: MechanismSettings, dictionary: Dictionary, prior: Prior
) -> tuple[PublicPools, Guess]:
    """Where substitutes are drawn from, and which tokens are taken for one."""
    tau, minimum = settings.threshold, settings.minimum_pool
    if settings.name in ("prism-star", "no-decode"):
        if settings.ratio is not None:
            return RatioPools(dictionary, minimum, prior), by_score(dictionary, settings.ratio)
        return ThresholdPools(dictionary, tau, minimum, prior), by_threshold(dictionary, tau)
    known = Vocabulary(dictionary, tau, minimum)
    pools = OnePool(dictionary, known, prior)
    if settings.name == "nested":
        return pools, by_threshold(dictionary, tau)
    return pools, by_rarity(known, settings.r, prior)
