"""The forms of a word that parallel text shows: which ones, how specific, how reliable.

Entry: ``Phrases.keys`` names the form of each place; then ``choose_forms`` -> ``Presence``, where
they stand in a translator's output -> ``rehearse``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from prism_core.building.corpus_sightings import START, TranslatorOutput, Word, WordSighting

MOST_FORMS = 10
LEAST_SHARE = 0.04
"""Forms seen in a smaller share of a word's sightings are taken for slips of the alignment."""
LEAST_SHARE_ONCE = 0.2
"""The same for a form seen once."""
PHRASE_SHARE = 0.5
"""A phrase is the form of a word when its head stands in it at least this often,"""
COMMON_EXTRA = 0.005
"""and its other words are linked to fewer than this share of the sightings of other words."""
FEW_SENTENCES = 3
"""A word seen in more sentences than this needs two of them to prove a form."""
INSIDE = 100
"""How many first words of sentences, whose capital means nothing, a word inside one outweighs."""
BASE_FLOOR = 0.03
"""Added to the base rate of eq. 14. Among forms in fewer sentences than this share, the one that
comes back most often has the highest score; without it, a slip that occurs nowhere else would
outscore a word's usual translation."""
LEAST_RATIO = 2.0
"""A form has to come back at least this many times as often as it occurs anyway."""


@dataclass(frozen=True, slots=True)
class CorpusForm:
    """A form in lower case as tokens joined by blanks, and as it is most often written."""

    key: str
    surface: str
    count: int


class Phrases:
    """Which extra words are common company under a tag (auxiliaries, articles), and no phrase."""

    def __init__(self, sightings: Mapping[Word, Iterable[WordSighting]]) -> None:
        self._extras: dict[str, Counter[str]] = defaultdict(Counter)
        self._total: Counter[str] = Counter()
        for (_, tag), places in sightings.items():
            for place in places:
                self._total[tag] += 1
                if place.phrase != place.head:
                    self._extras[tag].update(set(place.phrase.split()))

    def keys(self, tag: str, places: Sequence[WordSighting]) -> list[str]:
        """The form of each place: the phrase where it belongs to the word, else the head."""
        heads = Counter(place.head for place in places)
        phrases = Counter(
            (place.head, place.phrase) for place in places if place.phrase != place.head
        )
        kept = {
            phrase
            for (head, phrase), count in phrases.items()
            if count >= max(2, PHRASE_SHARE * heads[head]) and self._is_special(tag, head, phrase)
        }
        return [place.phrase if place.phrase in kept else place.head for place in places]

    def _is_special(self, tag: str, head: str, phrase: str) -> bool:
        extras = [word for word in phrase.split() if word != head and word.isalpha()]
        limit = COMMON_EXTRA * self._total[tag]
        return all(self._extras[tag][word] <= limit for word in extras)


def choose_forms(places: Sequence[WordSighting], keys: Sequence[str]) -> list[CorpusForm]:
    """The forms worth keeping, commonest first."""
    counts = Counter(key for key in keys if key)
    total = sum(counts.values())
    surfaces: dict[str, Counter[str]] = defaultdict(Counter)
    where: dict[str, set[int]] = defaultdict(set)
    for place, key in zip(places, keys, strict=True):
        written = place.phrase_surface if key == place.phrase else place.surface
        where[key].add(place.sentence)
        surfaces[key][written] += 1 if place.before == START else INSIDE
    several = {key for key in counts if len(where[key]) > 1}
    few = len(set().union(*where.values())) <= FEW_SENTENCES
    kept = [
        CorpusForm(key, min(surfaces[key].items(), key=lambda seen: (-seen[1], seen[0]))[0], count)
        for key, count in counts.items()
        if count >= (LEAST_SHARE if count > 1 else LEAST_SHARE_ONCE) * total
        and (few or key in several)
    ]
    return sorted(kept, key=lambda form: (-form.count, form.key))[:MOST_FORMS]


class Presence:
    """Where forms stand in one translator's output; ``key`` is a form as tokens."""

    def __init__(self, translated: TranslatorOutput) -> None:
        self.translator = translated.name
        self._rate = translated.rate
        self._texts = [" ".join(["", *(w for w, _, _ in s), ""]) for s in translated.spans]

    def has(self, sentence: int, key: str) -> bool:
        """Whether ``key`` stands in the translation of ``sentence``."""
        return f" {key} " in self._texts[sentence]

    def base_rate(self, key: str) -> float:
        """Pr[v in R], of the rarest word of a phrase, with the floor added."""
        seen = min(self._rate[word] for word in key.split())
        return seen / max(1, len(self._texts)) + BASE_FLOOR

    def is_specific(self, key: str, sentences: Sequence[int]) -> bool:
        """Whether ``key`` comes back more often with the word than it occurs anyway."""
        seen = sum(self.has(sentence, key) for sentence in sentences)
        base = min(self._rate[word] for word in key.split()) / max(1, len(self._texts))
        return seen >= LEAST_RATIO * base * len(sentences)

    def score(self, key: str, sentences: Sequence[int]) -> float:
        """Eq. 14, p = Pr[v in R_w] / Pr[v in R]; ``sentences`` are those that have w."""
        seen = sum(self.has(sentence, key) for sentence in sentences)
        return (seen + 0.5) / (len(sentences) + 1) / self.base_rate(key)


@dataclass(frozen=True, slots=True)
class Trial:
    """Decoding rehearsed where a word stood: ``found`` of ``total`` places were right."""

    found: int
    total: int


def rehearse(
    forms: Sequence[str], places: Sequence[WordSighting], keys: Sequence[str], presence: Presence
) -> Trial:
    """Look for ``forms`` (in the order of search) where the word stood, as decoding would.

    Each sentence is judged by what the others taught: a form that no other sentence shows is not
    known there. A place counts when the form that is found is the one the word became, or, where
    the alignment is silent, when any is found.
    """
    by_key: dict[str, set[int]] = defaultdict(set)
    for place, key in zip(places, keys, strict=True):
        by_key[key].add(place.sentence)
    found = total = 0
    for place, key in zip(places, keys, strict=True):
        if place.translator != presence.translator:
            continue
        total += 1
        for form in forms:
            elsewhere = len(by_key[form]) - (place.sentence in by_key[form])
            if elsewhere and presence.has(place.sentence, form):
                found += form == key or not key
                break
    return Trial(found, total)
