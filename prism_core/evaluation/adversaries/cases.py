"""Cases built from a mechanism and documents: what was sent, mixed or not, with or without decoys.

Entry: ``observe_archive``, or its steps: ``public_knowledge``, an ``Observer`` of what is sent
(``observe_encoder``), ``make_case`` and ``observe_further``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from random import Random

from prism_core.dictionary import Dictionary
from prism_core.encoding import Encoder
from prism_core.evaluation.adversaries.base import (
    Case,
    Embedder,
    NGrams,
    Public,
    Repeated,
    SentRequest,
    Topics,
    Words,
)
from prism_core.evaluation.adversaries.observer import (
    Documents,
    Observer,
    originals,
    words,
)
from prism_core.evaluation.adversaries.public_rules import (
    Prior,
    public_rules,
)
from prism_core.evaluation.adversaries.synthetic import observe_articles, observe_closed_sets
from prism_core.evaluation.adversaries.word_dropping import observe_asking
from prism_core.evaluation.surviving import listed_names
from prism_core.identifiers import DenyList
from prism_core.language import Sentence

CONTROLS = 10
"""Number of archives of other words whose mean result is an attack's chance level."""
LEAST_SMALL = 2
"""Minimum lower-case occurrences in public text that make a word ordinary."""
NIGHTS = 30
MOST_REPEATED = 150
"""Number of sentences that are sent night after night."""
MOST_ASKED = 500
"""Number of sentences from whose answers a translator drops words."""


@dataclass(frozen=True, slots=True)
class Sending:
    """Way to arrange requests: shuffled over documents or not, and with how many decoys."""

    mixing: bool = True
    decoy_rate: float = 0.0


def observe_archive(
    encoder: Encoder,
    documents: Documents,
    known: Documents,
    decoys: Sequence[Sentence],
    deny_list: DenyList,
    rng: Random,
    *,
    decoy_rate: float,
    embedder: Embedder | None = None,
    topics: Topics | None = None,
) -> Case:
    """Observe ``documents`` as ``encoder`` would send them, mixed and with decoys.

    The adversary has ``known``, documents of the same kind, in clear, and the list of ``decoys``;
    with an ``embedder`` also a model of what sentences mean. Of other texts like the ``documents``
    he knows their ``topics``. Nothing is sent.
    """
    read = [words(sentence) for document in known for sentence in document]
    public = public_knowledge(encoder.dictionary, read, decoys, embedder)
    seen = observe_encoder(encoder, public.prior, deny_list, rng)
    sent, extra = list(seen.observe(documents)), list(seen.observe_decoys(decoys))
    sending, controls = Sending(True, decoy_rate), seen.observe_controls(documents, CONTROLS)
    case = make_case(sent, documents, known, public, sending, rng, extra, seen, controls, NIGHTS)
    own = tuple(seen.observe(known))
    return replace(observe_further(case, seen, documents), topics=topics or {}, own=own)


def observe_encoder(encoder: Encoder, prior: Prior, deny_list: DenyList, rng: Random) -> Observer:
    """Build the observer of ``encoder``; it uses ``deny_list`` as it is."""
    pools, guess = public_rules(encoder.mechanism, encoder.dictionary, prior)
    return Observer(encoder, pools, guess, rng, deny_list)


def make_case(
    sent: Sequence[SentRequest],
    documents: Documents,
    outsiders: Documents,
    public: Public,
    sending: Sending,
    rng: Random,
    decoys: Sequence[SentRequest] = (),
    observed: Observer | None = None,
    controls: Sequence[Sequence[SentRequest]] = (),
    nights: int = NIGHTS,
) -> Case:
    """Arrange ``documents`` as they were ``sent``, and its ``controls``, as ``sending`` says.

    With ``observed`` some sentences are encoded anew for so many ``nights``.
    """
    known = [sentence for document in documents for sentence in document]
    some = rng.sample(known, min(MOST_REPEATED, len(known))) if observed else []
    count = min(len(decoys), math.ceil(sending.decoy_rate * len(sent)))
    repeats: list[Iterable[Repeated]] = [()] * (1 + len(controls))
    named = frozenset[str]()
    if observed:
        named = frozenset(form for one in known for form in observed.encoder.identifiers(one))
        repeats = [
            observed.observe_repeats(some, nights, control=number > 0)
            for number in range(1 + len(controls))
        ]
    found = [
        Case(
            tuple(_arrange(requests, decoys[:count], sending, rng)),
            originals(documents),
            tuple(tuple(map(words, document)) for document in outsiders),
            public,
            ordered=not sending.mixing,
            repeated=tuple(repeated),
            named=named,
        )
        for requests, repeated in zip([sent, *controls], repeats, strict=True)
    ]
    return replace(found[0], controls=tuple(found[1:]))


def observe_further(case: Case, observed: Observer, documents: Documents) -> Case:
    """Add to ``case`` the encoded texts that attacks make up, and the requests after drops."""
    known = [sentence for document in documents for sentence in document]
    probes = (*observe_closed_sets(observed), *observe_articles(observed))
    return replace(case, probes=probes, asked=tuple(observe_asking(observed, known[:MOST_ASKED])))


def public_knowledge(
    dictionary: Dictionary,
    sentences: Sequence[Words],
    decoys: Iterable[Sentence] = (),
    embedder: Embedder | None = None,
) -> Public:
    """Build what can be known of ``sentences``, which are public text, and of public names."""
    small = Counter(word for sentence in sentences for word in sentence if word.islower())
    ordinary = {word for word, count in small.items() if count >= LEAST_SMALL}
    return Public(
        dictionary,
        NGrams(sentences),
        frequencies(sentences),
        decoys=tuple(words(decoy) for decoy in decoys),
        ordinary=frozenset(ordinary | {entry.word for entry in dictionary})
        | dictionary.language.words.titles,
        names=listed_names(dictionary),
        embedder=embedder,
    )


def frequencies(sentences: Iterable[Words]) -> Counter[str]:
    """Count each word of ``sentences``, as it is written and in lower case."""
    counts: Counter[str] = Counter()
    for sentence in sentences:
        for word in sentence:
            counts[word] += 1
            if word != word.lower():
                counts[word.lower()] += 1
    return counts


def _arrange(
    sent: Sequence[SentRequest], decoys: Sequence[SentRequest], sending: Sending, rng: Random
) -> list[SentRequest]:
    """Arrange all requests in one shuffle, or document after document with decoys between."""
    if sending.mixing:
        both = [*sent, *decoys]
        rng.shuffle(both)
        return both
    places = sorted(rng.randrange(len(sent) + 1) for _ in decoys)
    found = list(sent)
    for place, decoy in reversed(list(zip(places, decoys, strict=True))):
        found.insert(place, decoy)
    return found
