"""How many texts, and of what length, each way of building sends."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from prism_core.building.builder import BuildPlan
from prism_core.building.cost import Volume
from prism_core.building.frames import BEHAVIOUR, FRAMES
from prism_core.building.names import ALL_CONTEXTS, PACKED
from prism_core.building.paper import PaperPlan
from prism_core.building.vocabulary import Candidate
from prism_core.language.sentence import Sentence

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
