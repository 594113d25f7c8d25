"""Forms of a word in parallel text: selection, specificity and reliability.

Entry: ``PhraseFilter.choose_keys`` names the form of each occurrence; ``choose_forms`` selects
forms; ``FormPresence`` finds them in a translator's output; ``rehearse_decoding`` tests them.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from prism_core.building.corpus_occurrences import START, TranslatorOutput, WordOccurrence
from prism_core.dictionary import WordKey

MOST_FORMS = 10
LEAST_SHARE = 0.04
"""Share of a word's occurrences below which a form is taken for an alignment error."""
LEAST_SHARE_ONCE = 0.2
"""Same share for a form seen once."""
PHRASE_SHARE = 0.5
"""Share of its head's occurrences that a phrase needs to be the form of a word."""
COMMON_EXTRA = 0.005
"""Maximum share of the occurrences of other words that are linked to its other words."""
FEW_SENTENCES = 3
"""Number of sentences above which a form must be in two of them."""
INNER_WEIGHT = 100
"""Weight of a word inside a sentence against a first word, whose capital means nothing."""
BASE_FLOOR = 0.03
"""Floor added to the base rate of eq. 14.

Among forms in fewer sentences than this share, the one that comes back most often has the highest
score; without the floor, an error that occurs nowhere else would outscore a word's usual
translation.
"""
STEM_SHARE = 0.7
"""Share of a form that its inflections are taken to have in common."""
LEAST_STEM = 4
"""Minimum letters of a stem."""
COMMON_SHARE = 0.02
"""Share of all sentences above which a word is no translation of a phrase."""
LEAST_RATIO = 2.0
"""Minimum ratio of a form's rate beside the word to its base rate."""


@dataclass(frozen=True, slots=True)
class CorpusForm:
    """Form in lower case as tokens joined by blanks, and as it is most often written."""

    key: str
    surface: str
    count: int


class PhraseFilter:
    """Filter of extra words that commonly co-occur under a tag (auxiliaries, articles)."""

    def __init__(
        self,
        occurrences: Mapping[WordKey, Iterable[WordOccurrence]],
        presences: Mapping[str, FormPresence],
    ) -> None:
        self._presences = presences
        self._extras: dict[str, Counter[str]] = defaultdict(Counter)
        self._total: Counter[str] = Counter()
        for (_, tag), of_word in occurrences.items():
            for occurrence in of_word:
                self._total[tag] += 1
                if occurrence.phrase != occurrence.head:
                    self._extras[tag].update(set(occurrence.phrase.split()))

    def choose_keys(self, word: WordKey, occurrences: Sequence[WordOccurrence]) -> list[str]:
        """Choose the form of each occurrence: the phrase if it belongs to the word, else the head.

        To a word that is itself a phrase every linked word belongs.
        """
        if " " in word[0]:
            return complete_runs(occurrences, self._presences)
        heads = Counter(occurrence.head for occurrence in occurrences)
        phrases = Counter(
            (occurrence.head, occurrence.phrase)
            for occurrence in occurrences
            if occurrence.phrase != occurrence.head
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
        return [
            occurrence.phrase if occurrence.phrase in kept else occurrence.head
            for occurrence in occurrences
        ]


def get_stem(word: str) -> str:
    """Return the letters that all inflections of ``word``, a target form, are assumed to share."""
    return word[: max(LEAST_STEM, round(STEM_SHARE * len(word)))]


def has_content(run: str) -> bool:
    """Return True if ``run`` has a word that may be more than a preposition or an article."""
    return any(len(word) >= LEAST_STEM for word in run.split())


def complete_runs(
    occurrences: Sequence[WordOccurrence], presences: Mapping[str, FormPresence]
) -> list[str]:
    """Return the form of each occurrence of a phrase: its run, or a wider one in the same sentence.

    Where the alignment missed a word, another sentence shows the whole; where it has a word too
    many, the part that another sentence has is used. A word that stands everywhere (*en*) is none.
    """
    sentences_with: dict[str, set[int]] = defaultdict(set)
    for occurrence in occurrences:
        sentences_with[occurrence.phrase].add(occurrence.sentence)
    several = [run for run in sentences_with if run and len(sentences_with[run]) > 1]
    several.sort(key=lambda run: -len(run.split()))

    def complete(occurrence: WordOccurrence) -> str:
        run, presence = f" {occurrence.phrase} ", presences[occurrence.translator]
        for other in several:
            wider = f" {other} "
            if run in wider and presence.contains(occurrence.sentence, other):
                return other
            is_part = wider in run and f" {occurrence.head} " in wider
            if is_part and occurrence.phrase not in several and has_content(other):
                return other
        return occurrence.phrase

    keys = (
        (complete(occurrence), presences[occurrence.translator])
        if occurrence.phrase
        else ("", None)
        for occurrence in occurrences
    )
    return ["" if presence is None or presence.is_common(key) else key for key, presence in keys]


def choose_forms(occurrences: Sequence[WordOccurrence], keys: Sequence[str]) -> list[CorpusForm]:
    """Choose the forms worth keeping, commonest first."""
    counts = Counter(key for key in keys if key)
    total = sum(counts.values())
    surfaces: dict[str, Counter[str]] = defaultdict(Counter)
    written = {occurrence.phrase: occurrence.phrase_surface for occurrence in occurrences}
    sentences_with: dict[str, set[int]] = defaultdict(set)
    for occurrence, key in zip(occurrences, keys, strict=True):
        sentences_with[key].add(occurrence.sentence)
        weight = 1 if occurrence.before == START else INNER_WEIGHT
        surface_of = {
            occurrence.head: occurrence.surface,
            occurrence.phrase: occurrence.phrase_surface,
        }
        surfaces[key][surface_of[key] if key in surface_of else written.get(key, key)] += weight
    recurring = {key for key in counts if len(sentences_with[key]) > 1}
    is_rare = len(set().union(*sentences_with.values())) <= FEW_SENTENCES
    kept = [
        CorpusForm(key, min(surfaces[key].items(), key=lambda seen: (-seen[1], seen[0]))[0], count)
        for key, count in counts.items()
        if count >= (LEAST_SHARE if count > 1 else LEAST_SHARE_ONCE) * total
        and (is_rare or key in recurring)
    ]
    return sorted(kept, key=lambda form: (-form.count, form.key))[:MOST_FORMS]


class FormPresence:
    """Presence of forms in one translator's output; ``key`` is a form as tokens."""

    def __init__(self, translated: TranslatorOutput) -> None:
        self.translator = translated.name
        self._rate = translated.rate
        self._texts = [
            " ".join(["", *(word for word, _, _ in spans), ""]) for spans in translated.spans
        ]

    def contains(self, sentence: int, key: str) -> bool:
        """Return True if ``key`` is in the translation of ``sentence``."""
        return f" {key} " in self._texts[sentence]

    def contains_stems(self, sentence: int, form: str) -> bool:
        """Return True if the translation has words with the stems of ``form``."""
        stems = map(get_stem, form.split())
        return all(f" {stem}" in self._texts[sentence] for stem in stems)

    def is_common(self, key: str) -> bool:
        """Return True if ``key`` is one word that many sentences have."""
        return " " not in key and self._rate[key] > COMMON_SHARE * len(self._texts)

    def compute_base_rate(self, key: str) -> float:
        """Return Pr[v in R], of the rarest word of a phrase."""
        return min(self._rate[word] for word in key.split()) / max(1, len(self._texts))

    def is_specific(self, key: str, sentences: Sequence[int]) -> bool:
        """Return True if ``key`` is sufficiently more frequent with the word than without."""
        seen = sum(self.contains(sentence, key) for sentence in sentences)
        return seen >= LEAST_RATIO * self.compute_base_rate(key) * len(sentences)

    def compute_score(self, key: str, sentences: Sequence[int]) -> float:
        """Return p = Pr[v in R_w] / Pr[v in R] (eq. 14); ``sentences`` are those that have w."""
        seen = sum(self.contains(sentence, key) for sentence in sentences)
        return (seen + 0.5) / (len(sentences) + 1) / (self.compute_base_rate(key) + BASE_FLOOR)


def is_specific(
    key: str, occurrences: Sequence[WordOccurrence], presences: Mapping[str, FormPresence]
) -> bool:
    """Return True if ``key`` is specific to the word in the output of any translator."""
    return any(
        presence.is_specific(
            key,
            [occurrence.sentence for occurrence in occurrences if occurrence.translator == name],
        )
        for name, presence in presences.items()
    )


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """Result of a rehearsed decoding: ``found`` of ``total`` occurrences were right."""

    found: int
    total: int


def rehearse_decoding(
    forms: Sequence[str],
    occurrences: Sequence[WordOccurrence],
    keys: Sequence[str],
    presence: FormPresence,
) -> Rehearsal:
    """Search ``forms`` in order in each sentence with the word, as decoding would.

    Each sentence is judged by the others: a form that no other sentence shows is not known there.
    An occurrence counts when the form that is found is its translation, or, where the alignment has
    no link, when any is found.
    """
    by_key: dict[str, set[int]] = defaultdict(set)
    for occurrence, key in zip(occurrences, keys, strict=True):
        by_key[key].add(occurrence.sentence)
    found = total = 0
    for occurrence, key in zip(occurrences, keys, strict=True):
        if occurrence.translator != presence.translator:
            continue
        total += 1
        for form in forms:
            elsewhere = len(by_key[form]) - (occurrence.sentence in by_key[form])
            if elsewhere and presence.contains(occurrence.sentence, form):
                found += form == key or not key
                break
    return Rehearsal(found, total)
