"""Estimate of what a dictionary build will send: texts, characters, requests, time and price.

Entry: ``estimate_entries``.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from prism_core.building.builder import BuildPlan
from prism_core.building.frame_agreement import CLASSES_OF_NUMBER, NOUNS_OF_CLASS
from prism_core.building.frame_queries import PACKED, list_name_contexts
from prism_core.building.paper import PaperPlan
from prism_core.building.word_candidates import Candidate
from prism_core.language import Sentence
from prism_core.languages import Language
from prism_core.translators import Limits, Price, Sent

WORDS_OF_CARRIER = 2.0
"""Mean number of words tested in one carrier, seen in builds; as ``Behaviour``."""


@dataclass(frozen=True, slots=True)
class Behaviour:
    """Translator's part in the cost of a build.

    ``known`` is the share of the words that it knows, which are tested; ``probes`` the mean number
    of carriers that each is tested in. ``phrase_sentences`` is the number of sentences for a
    phrase. ``spoilt`` is the share of sentences whose answers are not one sentence each, so that
    the texts that hold them are sent again in parts; ``spoilt_carriers`` is that of carriers.
    """

    known: float
    probes: float
    phrase_sentences: float
    spoilt: float
    spoilt_carriers: float


BY_RULE = Behaviour(0.5, 3.0, 0.5, 0.0, 0.0)
"""Translator by rule, which leaves words unchanged and settles all others at once."""
NEURAL = Behaviour(0.95, 4.5, 1.5, 0.023, 0.092)
"""Neural translator, as seen in builds of 555 and 2,114 words with a Firefox model."""


@dataclass(frozen=True, slots=True)
class BuildEstimate:
    """Volume that a build for ``words`` words is expected to send, at most.

    A translator by rule, which knows fewer words and is surer of them, may be asked for as few as
    ``least_texts``. ``seconds`` is the shortest time that the configured rates allow, None when no
    rate is set. ``cost`` follows the translator's list price, None when it states none.
    """

    words: int
    least_texts: int
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
    """Estimate a build of ``words`` by ``plan`` with a translator of these limits and this price.

    ``names`` are the public names that are queried as well, each in every context.
    """
    shown = [context.format(name) for name, _ in names for context in list_name_contexts(language)]
    least_of_names, of_names = (
        math.ceil(len(shown) * _count_texts_a_sentence(PACKED, behaviour.spoilt))
        for behaviour in (BY_RULE, NEURAL)
    )
    if isinstance(plan, PaperPlan):
        texts, characters = _count_paper_volume(words, sentences, plan)
        least = texts
    else:
        least, _ = _estimate_packed_volume(words, sentences, language, plan, BY_RULE)
        texts, characters = _estimate_packed_volume(words, sentences, language, plan, NEURAL)
        preceding = _list_preceding_frames(words, language)  # where nouns have genders
        a_sentence = _count_texts_a_sentence(plan.packed, NEURAL.spoilt)
        texts += math.ceil(len(preceding) * a_sentence)
        characters += sum(map(len, preceding))
    texts += of_names
    characters += sum(map(len, shown))
    requests = max(
        math.ceil(texts / limits.texts_per_request),
        math.ceil(characters / limits.characters_per_request),
    )
    rates = ((requests, limits.requests_per_minute), (characters, limits.characters_per_minute))
    return BuildEstimate(
        words=len(words),
        least_texts=least + least_of_names,
        texts=texts,
        characters=characters,
        requests=requests,
        seconds=max((60.0 * amount / rate for amount, rate in rates if rate), default=None),
        cost=None if price is None else Sent(requests, texts, characters).cost(price, limits),
        currency="" if price is None else price.currency,
    )


def _estimate_packed_volume(
    words: Sequence[Candidate],
    sentences: Sequence[Sentence],
    language: Language,
    plan: BuildPlan,
    behaviour: Behaviour,
) -> tuple[int, int]:
    """Estimate texts and characters: all frames, the carriers, and the known words tested in them.

    The number of known words, and the probes until each is settled, show in the build alone.
    """
    queries = language.frames
    frames = [
        frame.text.format(word.surface)
        for word in words
        for frame in (
            queries.alone,
            *queries.of_tags[word.tag],
            *queries.behaviour.get(word.tag, ()),
        )
    ]
    carriers = min(plan.carriers, len(sentences))
    phrases = sum(" " in word.word for word in words)
    probes = min(behaviour.probes, plan.most_probes) * behaviour.known * (len(words) - phrases)
    running = carriers + probes / WORDS_OF_CARRIER + behaviour.phrase_sentences * phrases
    texts = len(frames) * _count_texts_a_sentence(plan.packed, behaviour.spoilt)
    texts += running * _count_texts_a_sentence(plan.packed_carriers, behaviour.spoilt_carriers)
    rounds = plan.most_probes // 2  # rounds of trials end with texts that are not full
    mean = _compute_mean_length(sentences)
    return math.ceil(texts) + rounds, math.ceil(sum(map(len, frames)) + running * mean)


def _list_preceding_frames(words: Sequence[Candidate], language: Language) -> list[str]:
    """Return the frames of words before nouns, each as often as it has nouns at most."""
    nouns = Counter(word.tag for word in words)
    most = {
        number: min(NOUNS_OF_CLASS * CLASSES_OF_NUMBER, nouns[tag])
        for number, tag in (("singular", "NN"), ("plural", "NNS"))
    }
    asked = language.frames.preceding.items()
    return [frame for number, frames in asked for frame in frames for _ in range(most[number])]


def _count_texts_a_sentence(size: int, spoilt: float) -> float:
    """Return the texts for each of ``size`` packed sentences, of which some are ``spoilt``."""
    texts, part = 1 / size, float(size)
    while part > 1:
        texts += (1 - (1 - spoilt) ** part) * 2 / part
        part /= 2
    return texts


def _count_paper_volume(
    words: Sequence[Candidate], sentences: Sequence[Sentence], plan: PaperPlan
) -> tuple[int, int]:
    """Count texts and characters: N sentences of each tag, untouched and once for each word."""
    tags = ({token.tag for token in sentence.tokens} for sentence in sentences)
    tag_counts = Counter(tag for of_sentence in tags for tag in of_sentence)
    sizes = {tag: min(plan.calls, tag_counts[tag]) for tag in {word.tag for word in words}}
    texts = sum(sizes.values()) + sum(sizes[word.tag] for word in words)
    return texts, math.ceil(texts * _compute_mean_length(sentences))


def _compute_mean_length(sentences: Sequence[Sentence]) -> float:
    return sum(len(sentence.text) for sentence in sentences) / max(1, len(sentences))
