"""Estimate of what a dictionary build will send: texts, characters, requests, time and price.

The builder itself is run, with a stand-in for the translator that counts what it is sent. So every
sentence, every retry and every round of tests is that of the build. Only what the translator makes
of the texts is not known beforehand (``AnswerRates``).

Entry: ``estimate_entries``.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from zlib import crc32

from prism_core.building.builder import BuildPlan, DictionaryBuilder
from prism_core.building.carrier_sentences import SHORTEST
from prism_core.building.frame_agreement import ask_preceding_words
from prism_core.building.frame_queries import split_sentences, translate_packed
from prism_core.building.name_entries import find_stable_names
from prism_core.building.paper import PaperPlan
from prism_core.building.word_candidates import WordCandidate
from prism_core.dictionary import Entry
from prism_core.language import Sentence
from prism_core.languages import Language
from prism_core.translators import Limits, Price, Sent


@dataclass(frozen=True, slots=True)
class AnswerRates:
    """Translator's part in the volume of a build.

    ``known`` is the share of the words that it translates; ``doubtful`` that of the words whose
    form it writes in half of the running sentences alone. ``spoilt`` is the share of the texts with
    so many frames whose answer has more or fewer, so that they are sent again in parts. Of running
    sentences, the same ``spoilt_sentences`` always do that to their text.
    """

    known: float
    doubtful: float
    spoilt: Mapping[int, float]
    spoilt_sentences: float


_APERTIUM = AnswerRates(0.65, 0.15, {}, 0.0)
"""Apertium, in a build of 868 words: what any translator is asked at least."""
_FIREFOX = AnswerRates(0.95, 0.45, {2: 0.2, 4: 0.11, 8: 0.42, 16: 0.62}, 0.08)
"""Small model of Firefox, in builds of 204 to 2,745 words: it often merges sentences."""
_RATES = {"apertium": (_APERTIUM,), "firefox": (_FIREFOX,)}
_WORD = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class BuildEstimate:
    """Volume that a build for ``words`` words is expected to send.

    How often answers cannot be told apart, and how often they disagree, is known of some
    translators alone; any other may be asked for as few as ``least_texts``. Everything else is for
    ``texts``. ``seconds`` is the shortest time that the configured rates allow, None when no rate
    is set. ``cost`` follows the translator's list price, None when it states none.
    """

    words: int
    least_texts: int
    texts: int
    characters: int
    requests: int
    seconds: float | None
    cost: float | None
    currency: str = ""


class _StandIn:
    """Stand-in for a translator, which counts the distinct texts of each call."""

    def __init__(self, rates: AnswerRates) -> None:
        self._rates = rates
        self.texts = self.characters = 0

    def __call__(self, texts: Sequence[str]) -> list[str]:
        """Answer ``texts``: words have another ending, function words too."""
        distinct = {text for text in texts if text.strip()}
        self.texts += len(distinct)
        self.characters += sum(map(len, distinct))
        return [self._answer(text) for text in texts]

    def _answer(self, text: str) -> str:
        sentences = split_sentences(text) or [text]
        is_running = len(text.split()) >= SHORTEST * len(sentences)
        if len(sentences) > 1 and self._is_spoilt(text, sentences, is_running):
            return ""
        return _WORD.sub(lambda found: self._write(found[0], text, is_running), text)

    def _is_spoilt(self, text: str, sentences: Sequence[str], is_running: bool) -> bool:
        if is_running:
            share = self._rates.spoilt_sentences
            return any(_draw(sentence.strip()) < share for sentence in sentences)
        spoilt = self._rates.spoilt
        fitting = (spoilt[size] for size in sorted(spoilt) if size >= len(sentences))
        return _draw(text) < next(fitting, 0.0)

    def _write(self, word: str, text: str, is_running: bool) -> str:
        drawn = _draw(word.lower())
        if drawn >= self._rates.known:
            return word
        is_lost = is_running and drawn < self._rates.doubtful and _draw(word + text) < 1 / 2
        initial = "ab"[_draw(word[::-1]) < 1 / 2]
        return f"{initial}{word}{'y' if is_lost else ''}"


def _draw(text: str) -> float:
    """Return a number in [0, 1) that ``text`` alone decides."""
    return crc32(text.encode()) / 2**32


def estimate_entries(
    words: Sequence[WordCandidate],
    sentences: Sequence[Sentence],
    language: Language,
    plan: BuildPlan | PaperPlan,
    limits: Limits,
    price: Price | None,
    names: Sequence[tuple[str, str]] = (),
    translator: str = "",
) -> BuildEstimate:
    """Estimate a build of ``words`` by ``plan`` with a translator of these limits and this price.

    ``names`` are the public names that are queried as well, each in every context.
    """
    volumes = []
    for answer_rates in _RATES.get(translator, (_APERTIUM, _FIREFOX)):
        stand_in = _StandIn(answer_rates)
        texts = characters = 0
        if isinstance(plan, PaperPlan):
            texts, characters = _count_paper_volume(words, sentences, plan)
        else:
            made, _, _ = DictionaryBuilder(stand_in, language, plan).ask_words(words, sentences)
            if language.frames.agreement:
                ask = partial(translate_packed, stand_in, size=plan.packed)
                ask_preceding_words(list(map(_give_gender, made)), language, ask)
        find_stable_names(names, stand_in, language)
        volumes.append((texts + stand_in.texts, characters + stand_in.characters))
    (least, _), (texts, characters) = volumes[0], volumes[-1]
    requests = max(
        math.ceil(texts / limits.texts_per_request),
        math.ceil(characters / limits.characters_per_request),
    )
    rates = ((requests, limits.requests_per_minute), (characters, limits.characters_per_minute))
    return BuildEstimate(
        words=len(words),
        least_texts=least,
        texts=texts,
        characters=characters,
        requests=requests,
        seconds=max((60.0 * amount / rate for amount, rate in rates if rate), default=None),
        cost=None if price is None else Sent(requests, texts, characters).cost(price, limits),
        currency="" if price is None else price.currency,
    )


def _give_gender(entry: Entry) -> Entry:
    """Return the entry of a noun with one of two genders, as a translator would show it."""
    if entry.tag not in ("NN", "NNS"):
        return entry
    gender = f"Gender={'AB'[_draw(entry.word) < 1 / 2]}"
    number = "Number=Plur" if entry.tag == "NNS" else "Number=Sing"
    return entry.replace_forms(form._replace(features=(gender, number)) for form in entry.forms)


def _count_paper_volume(
    words: Sequence[WordCandidate], sentences: Sequence[Sentence], plan: PaperPlan
) -> tuple[int, int]:
    """Count texts and characters: N sentences of each tag, untouched and once for each word."""
    tags = ({token.tag for token in sentence.tokens} for sentence in sentences)
    tag_counts = Counter(tag for of_sentence in tags for tag in of_sentence)
    sizes = {tag: min(plan.calls, tag_counts[tag]) for tag in {word.tag for word in words}}
    texts = sum(sizes.values()) + sum(sizes[word.tag] for word in words)
    mean = sum(len(sentence.text) for sentence in sentences) / max(1, len(sentences))
    return texts, math.ceil(texts * mean)
