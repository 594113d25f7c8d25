"""What a build will cost, before anything is sent: how many texts, how long, at what price."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from prism_core.building.builder import BuildPlan
from prism_core.building.names import PACKED, name_contexts
from prism_core.building.paper import PaperPlan
from prism_core.building.vocabulary import Candidate
from prism_core.language import Sentence
from prism_core.languages import Language
from prism_core.translators import Limits, Price, Sent

KNOWN_SHARE = 0.6
"""Of the words asked for, those that a translator knows and that are tried out in carriers,"""
PROBES = 4.5
"""as often as this on average, the plan allowing,"""
WORDS_OF_CARRIER = 2.5
"""so many words to a carrier;"""
PHRASE_PROBES = 3.0
"""and the sentences in which a phrase is tried. All as seen when the shipped one was built."""


@dataclass(frozen=True, slots=True)
class BuildEstimate:
    """What a build for ``words`` words is expected to send.

    ``seconds`` is the shortest time that the configured rates allow, None when no rate is set;
    ``cost`` is by the translator's list price, None when it states none.
    """

    words: int
    texts: int
    characters: int
    requests: int
    seconds: float | None
    cost: float | None
    currency: str = ""


def estimate_entries(
    words: Sequence[Candidate],
    sentences: Sequence[Sentence],
    language: Language,
    plan: BuildPlan | PaperPlan,
    limits: Limits,
    price: Price | None,
    names: Sequence[tuple[str, str]] = (),
) -> BuildEstimate:
    """What a build of ``words`` by ``plan`` comes to with a translator of those terms.

    ``names`` are the public names that are asked for as well, each in every context.
    """
    if isinstance(plan, PaperPlan):
        texts, characters = _paper_volume(words, sentences, plan)
    else:
        texts, characters = _packed_volume(words, sentences, language, plan)
    shown = [context.format(name) for name, _ in names for context in name_contexts(language)]
    texts += math.ceil(len(shown) / PACKED)
    characters += sum(map(len, shown))
    requests = max(
        math.ceil(texts / limits.texts_per_request),
        math.ceil(characters / limits.characters_per_request),
    )
    rates = ((requests, limits.requests_per_minute), (characters, limits.characters_per_minute))
    return BuildEstimate(
        words=len(words),
        texts=texts,
        characters=characters,
        requests=requests,
        seconds=max((60.0 * amount / rate for amount, rate in rates if rate), default=None),
        cost=None if price is None else Sent(requests, texts, characters).cost(price, limits),
        currency="" if price is None else price.currency,
    )


def _packed_volume(
    words: Sequence[Candidate],
    sentences: Sequence[Sentence],
    language: Language,
    plan: BuildPlan,
) -> tuple[int, int]:
    """Texts and characters: frames of every word, the carriers, the known words tried out in them.

    An estimate: how many words are known, and how soon each is settled, shows as they are asked.
    """
    asked = language.frames
    frames = [
        frame.text.format(word.surface)
        for word in words
        for frame in (*asked.of_tags[word.tag], *asked.behaviour.get(word.tag, ()))
    ]
    carriers = min(plan.carriers, len(sentences))
    phrases = sum(" " in word.word for word in words)
    known = KNOWN_SHARE * (len(words) - phrases)
    probes = min(PROBES, plan.most_probes) * known / WORDS_OF_CARRIER + PHRASE_PROBES * phrases
    full = math.ceil(len(frames) / plan.packed + (carriers + probes) / plan.packed_carriers)
    texts = full + plan.most_probes // 2  # rounds of trials end with texts that are not full
    mean = _mean_length(sentences)
    return texts, math.ceil(sum(map(len, frames)) + (carriers + probes) * mean)


def _paper_volume(
    words: Sequence[Candidate], sentences: Sequence[Sentence], plan: PaperPlan
) -> tuple[int, int]:
    """Texts and characters: N sentences of each tag, as they are and once for each word of it."""
    offering = Counter(tag for s in sentences for tag in {t.tag for t in s.tokens})
    sizes = {tag: min(plan.calls, offering[tag]) for tag in {word.tag for word in words}}
    texts = sum(sizes.values()) + sum(sizes[word.tag] for word in words)
    return texts, math.ceil(texts * _mean_length(sentences))


def _mean_length(sentences: Sequence[Sentence]) -> float:
    return sum(len(s.text) for s in sentences) / max(1, len(sentences))
