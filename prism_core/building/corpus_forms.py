"""The forms of a word that parallel text shows: which ones, how specific, how reliable.

Entry: ``Phrases.keys`` names the form of each place; then ``choose_forms`` -> ``FormPresence``, where
they stand in a translator's output -> ``rehearse_decoding``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from prism_core.building.corpus_occurrences import START, TranslatorOutput, Word, WordOccurrence

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
STEM = 0.7
"""The share of a form that its inflections are taken to have in common,"""
LEAST_STEM = 4
"""and at least so many letters."""
COMMON = 0.02
"""A word in a larger share of all sentences is no translation of a phrase."""
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

    def __init__(
        self,
        sightings: Mapping[Word, Iterable[WordOccurrence]],
        presences: Mapping[str, FormPresence],
    ) -> None:
        self._presences = presences
        self._extras: dict[str, Counter[str]] = defaultdict(Counter)
        self._total: Counter[str] = Counter()
        for (_, tag), places in sightings.items():
            for place in places:
                self._total[tag] += 1
                if place.phrase != place.head:
                    self._extras[tag].update(set(place.phrase.split()))

    def keys(self, word: Word, places: Sequence[WordOccurrence]) -> list[str]:
        """The form of each place: the phrase where it belongs to the word, else the head.

        To a word that is itself a phrase everything belongs that is linked to it.
        """
        if " " in word[0]:
            return complete_runs(places, self._presences)
        heads = Counter(place.head for place in places)
        phrases = Counter(
            (place.head, place.phrase) for place in places if place.phrase != place.head
        )
        kept = {
            phrase
            for (head, phrase), count in phrases.items()
            if count >= max(2, PHRASE_SHARE * heads[head])
            and all(
                self._extras[word[1]][extra] <= COMMON_EXTRA * self._total[word[1]]
                for extra in phrase.split()
                if extra != head and extra.isalpha()
            )
        }
        return [place.phrase if place.phrase in kept else place.head for place in places]


def stem_of(word: str) -> str:
    """What the inflections of ``word``, a target form, are taken to begin with."""
    return word[: max(LEAST_STEM, round(STEM * len(word)))]


def has_content(run: str) -> bool:
    """Whether ``run`` has a word that may be more than a preposition or an article."""
    return any(len(word) >= LEAST_STEM for word in run.split())


def complete_runs(
    places: Sequence[WordOccurrence], presences: Mapping[str, FormPresence]
) -> list[str]:
    """The form of each place of a phrase: the run there, or a wider one that stands there too.

    Where the alignment missed a word of it, another sentence shows the whole; and where it has a
    word too many, the part that another sentence has. A word that stands everywhere (*en*) is none.
    """
    where: dict[str, set[int]] = defaultdict(set)
    for place in places:
        where[place.phrase].add(place.sentence)
    several = [run for run in where if run and len(where[run]) > 1]
    several.sort(key=lambda run: -len(run.split()))

    def complete(place: WordOccurrence) -> str:
        run, presence = f" {place.phrase} ", presences[place.translator]
        for other in several:
            wider = f" {other} "
            if run in wider and presence.has(place.sentence, other):
                return other
            is_part = wider in run and f" {place.head} " in wider
            if is_part and place.phrase not in several and has_content(other):
                return other
        return place.phrase

    keys = (
        (complete(place), presences[place.translator]) if place.phrase else ("", None)
        for place in places
    )
    return ["" if presence is None or presence.is_common(key) else key for key, presence in keys]


def choose_forms(places: Sequence[WordOccurrence], keys: Sequence[str]) -> list[CorpusForm]:
    """The forms worth keeping, commonest first."""
    counts = Counter(key for key in keys if key)
    total = sum(counts.values())
    surfaces: dict[str, Counter[str]] = defaultdict(Counter)
    written = {place.phrase: place.phrase_surface for place in places}
    where: dict[str, set[int]] = defaultdict(set)
    for place, key in zip(places, keys, strict=True):
        where[key].add(place.sentence)
        weight = 1 if place.before == START else INSIDE
        own = {place.head: place.surface, place.phrase: place.phrase_surface}
        surfaces[key][own[key] if key in own else written.get(key, key)] += weight
    several = {key for key in counts if len(where[key]) > 1}
    few = len(set().union(*where.values())) <= FEW_SENTENCES
    kept = [
        CorpusForm(key, min(surfaces[key].items(), key=lambda seen: (-seen[1], seen[0]))[0], count)
        for key, count in counts.items()
        if count >= (LEAST_SHARE if count > 1 else LEAST_SHARE_ONCE) * total
        and (few or key in several)
    ]
    return sorted(kept, key=lambda form: (-form.count, form.key))[:MOST_FORMS]


class FormPresence:
    """Where forms stand in one translator's output; ``key`` is a form as tokens."""

    def __init__(self, translated: TranslatorOutput) -> None:
        self.translator = translated.name
        self._rate = translated.rate
        self._texts = [" ".join(["", *(w for w, _, _ in s), ""]) for s in translated.spans]

    def has(self, sentence: int, key: str) -> bool:
        """Whether ``key`` stands in the translation of ``sentence``."""
        return f" {key} " in self._texts[sentence]

    def has_stems(self, sentence: int, form: str) -> bool:
        """Whether words stand there that begin as each of ``form``: any inflections of it."""
        stems = map(stem_of, form.split())
        return all(f" {stem}" in self._texts[sentence] for stem in stems)

    def is_common(self, key: str) -> bool:
        """Whether ``key`` is one word that stands in many sentences."""
        return " " not in key and self._rate[key] > COMMON * len(self._texts)

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


def is_specific(
    key: str, places: Sequence[WordOccurrence], presences: Mapping[str, FormPresence]
) -> bool:
    """Whether ``key`` is specific to the word of ``places`` in what any translator wrote."""
    return any(
        presence.is_specific(key, [place.sentence for place in places if place.translator == name])
        for name, presence in presences.items()
    )


@dataclass(frozen=True, slots=True)
class Trial:
    """Decoding rehearsed where a word stood: ``found`` of ``total`` places were right."""

    found: int
    total: int


def rehearse_decoding(
    forms: Sequence[str],
    places: Sequence[WordOccurrence],
    keys: Sequence[str],
    presence: FormPresence,
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
