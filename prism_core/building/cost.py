"""What a build will cost, before anything is sent: how many texts, how long, at what price."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from prism_core.building.builder import BuildPlan
from prism_core.building.frames import BEHAVIOUR, FRAMES
from prism_core.building.names import ALL_CONTEXTS, PACKED
from prism_core.building.paper import PaperPlan
from prism_core.building.vocabulary import Candidate
from prism_core.language import Sentence
from prism_core.translators import Limits, Price, Sent, cost


@dataclass(frozen=True, slots=True)
class Volume:
    """So many texts with so many characters (code points) in all."""

    texts: int = 0
    characters: int = 0

    @classmethod
    def of(cls, texts: Iterable[str], times: int = 1) -> Volume:
        """The volume of ``texts``, each sent ``times`` times."""
        lengths = [len(text) for text in texts]
        return cls(len(lengths) * times, sum(lengths) * times)

    def __add__(self, other: Volume) -> Volume:
        return Volume(self.texts + other.texts, self.characters + other.characters)


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


def estimate(words: int, volume: Volume, limits: Limits, price: Price | None) -> BuildEstimate:
    """What ``volume`` comes to with a translator of those ``limits`` and that ``price``."""
    requests = max(
        math.ceil(volume.texts / limits.texts_per_request),
        math.ceil(volume.characters / limits.characters_per_request),
    )
    return BuildEstimate(
        words=words,
        texts=volume.texts,
        characters=volume.characters,
        requests=requests,
        seconds=_seconds(requests, volume.characters, limits),
        cost=None
        if price is None
        else cost(Sent(requests, volume.texts, volume.characters), price, limits),
        currency="" if price is None else price.currency,
    )


def _seconds(requests: int, characters: int, limits: Limits) -> float | None:
    rates = ((requests, limits.requests_per_minute), (characters, limits.characters_per_minute))
    times = [60.0 * amount / rate for amount, rate in rates if rate]
    return max(times) if times else None


KNOWN_SHARE = 0.6
"""Of the words asked for, those that a translator knows and that are tried out in carriers,"""
PROBES = 4.5
"""as often as this on average, the plan allowing,"""
WORDS_OF_CARRIER = 2.5
"""so many words to a carrier. All three as seen when the shipped dictionary was built."""


def packed_volume(
    words: Sequence[Candidate], sentences: Sequence[Sentence], plan: BuildPlan
) -> Volume:
    """Frames of every word, the carriers as they are, and the known words tried out in them.

    An estimate: how many words are known, and how soon each is settled, shows as they are asked.
    """
    frames = [
        frame.text.format(word.surface)
        for word in words
        for frame in (*FRAMES[word.tag], *BEHAVIOUR.get(word.tag, ()))
    ]
    shown = Volume.of(frames)
    carriers = min(plan.carriers, len(sentences))
    probes = min(PROBES, plan.most_probes) * KNOWN_SHARE * len(words) / WORDS_OF_CARRIER
    return Volume(
        texts=math.ceil(shown.texts / plan.packed + (carriers + probes) / plan.packed_carriers),
        characters=math.ceil(shown.characters + (carriers + probes) * _length(sentences)),
    )


def paper_volume(
    words: Sequence[Candidate], sentences: Sequence[Sentence], plan: PaperPlan
) -> Volume:
    """N sentences of each tag, once as they are and once for each word of it."""
    offering = Counter(tag for s in sentences for tag in {t.tag for t in s.tokens})
    sizes = {tag: min(plan.calls, offering[tag]) for tag in {word.tag for word in words}}
    texts = sum(sizes.values()) + sum(sizes[word.tag] for word in words)
    return Volume(texts, math.ceil(texts * _length(sentences)))


def names_volume(names: Sequence[tuple[str, str]]) -> Volume:
    """Every public name in every context."""
    shown = Volume.of(context.format(name) for name, _ in names for context in ALL_CONTEXTS)
    return Volume(math.ceil(shown.texts / PACKED), shown.characters)


def _length(sentences: Sequence[Sentence]) -> float:
    """Mean characters of a sentence."""
    return sum(len(s.text) for s in sentences) / max(1, len(sentences))
