"""Dictionary entries from existing translations, without a call to any translator.

Word alignment links each source word to its target words; from the links come its forms, the slots
they were seen in, its agreement class, and how reliably decoding would have found it. There is one
entry for each translator, with the forms that translator used. See docs/dictionary.md.

Entry: ``build_corpus_entries``: ``CorpusDictionary.read`` aligns and collects, ``_analyse_word``
pools the occurrences of a word, ``_make_entry`` makes its entry for a translator.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from prism_core.building.associations import CORPUS
from prism_core.building.corpus_agreement import (
    AdjectiveSlots,
    Agreement,
    Patterns,
    estimate_usual_side,
    fill_slots,
    find_side,
    learn_agreement,
)
from prism_core.building.corpus_forms import (
    CorpusForm,
    FormPresence,
    PhraseFilter,
    Rehearsal,
    choose_forms,
    is_specific,
    rehearse_decoding,
)
from prism_core.building.corpus_occurrences import (
    ADJECTIVES,
    NOUNS,
    WordOccurrence,
    collect_occurrences,
    read_translation,
)
from prism_core.building.corpus_phrases import LEAST_AS_ONE, join_phrases
from prism_core.building.name_entries import find_unchanged_names
from prism_core.building.parallel_alignment import align
from prism_core.building.word_candidates import find_candidates
from prism_core.dictionary import CALENDAR_TAGS, FUNCTION_TAG, PART_SEPARATOR, Entry, Form, WordKey
from prism_core.language import Sentence, penn_tag
from prism_core.languages import Language

SHRINKAGE = 2.0
"""Number of occurrences that the confidence of equally frequent words counts for."""
TYPICAL_SHARE = 0.6
"""Share of a form's occurrences in a slot from which on the slot is listed for it."""
LEAST_TYPICAL_COUNT = 3
"""Number of occurrences in the slot that this needs."""
COUNT_BINS = (1, 2, 3, 5, 9, 17, 33)


def build_corpus_entries(
    sentences: Sequence[Sentence],
    targets: Mapping[str, Sequence[str]],
    language: Language,
    *,
    built: str = "",
    least: int = 2,
    names: Sequence[tuple[str, str]] = (),
) -> list[Entry]:
    """Build entries for every open-class word seen at least ``least`` times, and function words.

    ``sentences`` are the annotated source lines (all sentences of a line as one), ``targets`` the
    translations by each translator, line by line, as plain text. ``built`` is the day (ISO 8601). A
    word of which nothing is known has no entry; a word seen rarely, or translated differently each
    time, has a low confidence. Public ``names`` (name, tag) have an entry if every translation
    keeps them.
    """
    words = CorpusDictionary.read(sentences, targets, language, least=least).make_entries(built)
    return [*words, *find_unchanged_names(sentences, targets, names, built)]


def lend_entries(entries: Sequence[Entry], language: Language) -> list[Entry]:
    """Return copies of entries under another tag that their words fit too: ``Frames.lent``.

    A word that has an entry under that tag is left out.
    """
    known = {entry.key for entry in entries}
    lent = language.frames.lent
    return [
        entry._replace(tag=lent[entry.tag][0])
        for entry in entries
        if entry.tag in lent
        and re.fullmatch(lent[entry.tag][1], entry.word)
        and (entry.word, lent[entry.tag][0]) not in known
    ]


@dataclass(frozen=True)
class _PooledWord:
    """Occurrences of one word over all translators, and the form at each."""

    occurrences: list[WordOccurrence]
    keys: list[str]
    forms: list[CorpusForm]
    slots: list[str]
    rehearsals: Mapping[str, Rehearsal]


class CorpusDictionary:
    """Dictionary of aligned parallel text; ``make_entries`` returns its entries."""

    def __init__(
        self,
        occurrences: Mapping[str, Mapping[WordKey, list[WordOccurrence]]],
        presences: Mapping[str, FormPresence],
        agreement: Agreement,
    ) -> None:
        self._presences = presences
        self._agreement = agreement
        self._adjective_slots = AdjectiveSlots(occurrences.values(), agreement)
        pooled = _pool_occurrences(occurrences.values())
        self._phrases = PhraseFilter(pooled, presences)
        self._usual_side = estimate_usual_side(pooled)
        self._words = {word: self._analyse_word(word, of_word) for word, of_word in pooled.items()}
        self._patterns = Patterns(
            {
                word: fill_slots(known.slots, known.keys)
                for word, known in self._words.items()
                if penn_tag(word[1]) in ADJECTIVES
            }
        )
        self._prior = _compute_prior(self._words.values())

    @classmethod
    def read(
        cls,
        sentences: Sequence[Sentence],
        targets: Mapping[str, Sequence[str]],
        language: Language,
        *,
        least: int,
    ) -> CorpusDictionary:
        """Align ``sentences`` with all ``targets`` together, and collect words' translations."""
        translated = [read_translation(name, lines) for name, lines in targets.items()]
        # All translations are aligned together, one after the other: they teach each other.
        tokens = [[token.text.lower() for token in sentence.tokens] for sentence in sentences]
        links = iter(
            align(
                [
                    (source, [word for word, _, _ in spans])
                    for output in translated
                    for source, spans in zip(tokens, output.spans, strict=True)
                ]
            )
        )
        by_output = [list(islice(links, len(sentences))) for _ in translated]
        joined, moved, words = join_phrases(sentences, translated, by_output, language)
        words.update(word.key for word in find_candidates(joined, language, least=least))
        occurrences = {
            output.name: collect_occurrences(joined, output, links_of_output, words, language)
            for output, links_of_output in zip(translated, moved, strict=True)
        }
        agreement = learn_agreement(_pool_occurrences(occurrences.values()), joined)
        return cls(
            occurrences, {output.name: FormPresence(output) for output in translated}, agreement
        )

    def make_entries(self, built: str) -> list[Entry]:
        """Make one entry for each word and each translator that translated it."""
        made = (
            self._make_entry(word, known, translator, built)
            for word, known in sorted(self._words.items())
            for translator in self._presences
        )
        return [entry for entry in made if entry is not None]

    def _analyse_word(self, word: WordKey, occurrences: list[WordOccurrence]) -> _PooledWord:
        keys = self._phrases.choose_keys(word, occurrences)
        forms = [
            form
            for form in choose_forms(occurrences, keys)
            if word[1] == FUNCTION_TAG or is_specific(form.key, occurrences, self._presences)
        ]
        order = sorted((form.key for form in forms), key=lambda key: -len(key.split()))
        rehearsals = {
            name: rehearse_decoding(order, occurrences, keys, presence)
            for name, presence in self._presences.items()
        }
        is_adjective = penn_tag(word[1]) in ADJECTIVES
        slots = [
            self._adjective_slots.find_slot(occurrence)
            if is_adjective or not occurrence.slot
            else occurrence.slot
            for occurrence in occurrences
        ]
        return _PooledWord(occurrences, keys, forms, slots, rehearsals)

    def _make_entry(
        self, word: WordKey, known: _PooledWord, translator: str, built: str
    ) -> Entry | None:
        presence = self._presences[translator]
        confidence = self._estimate_confidence(known, translator)
        if " " in word[0] and confidence < LEAST_AS_ONE:
            return None  # word by word it is no worse
        used = Counter(
            key
            for occurrence, key in zip(known.occurrences, known.keys, strict=True)
            if occurrence.translator == translator and key
        )
        forms = [form for form in known.forms if used[form.key]]
        if not forms:
            return None
        sentences_of_translator = [
            occurrence.sentence
            for occurrence in known.occurrences
            if occurrence.translator == translator
        ]
        features = self._collect_slots(word[1], known)
        scored = sorted(
            (
                Form(
                    form.surface,
                    presence.compute_score(form.key, sentences_of_translator),
                    features[form.key],
                )
                for form in forms
            ),
            key=lambda form: (-form.score, form.text),
        )
        main = max(forms, key=lambda form: (used[form.key], form.key)).key
        return Entry(
            word=word[0],
            tag=word[1],
            forms=tuple(scored),
            agreement=self._find_agreement_class(word[1], main, known),
            confidence=confidence,
            calls=0.0,
            translator=translator,
            method=CORPUS,
            built=built,
        )

    def _estimate_confidence(self, known: _PooledWord, translator: str) -> float:
        """Estimate how likely decoding finds the right word in a sentence not seen before.

        The rehearsed share is shrunk towards that of the word with all translators, and that
        towards the share of equally frequent words.
        """
        found = sum(trial.found for trial in known.rehearsals.values())
        total = sum(trial.total for trial in known.rehearsals.values())
        sentences = len({occurrence.sentence for occurrence in known.occurrences})
        independent = sentences / max(1, total)
        usual = self._prior[_find_bin(sentences)]
        pooled = (found * independent + SHRINKAGE * usual) / (sentences + SHRINKAGE)
        rehearsal = known.rehearsals[translator]
        return (rehearsal.found + SHRINKAGE * pooled) / (rehearsal.total + SHRINKAGE)

    def _collect_slots(self, tag: str, known: _PooledWord) -> dict[str, tuple[str, ...]]:
        """Return the slots of each form: those it fills, and those it is typical of."""
        found: dict[str, list[str]] = defaultdict(list)
        for slot, key in fill_slots(known.slots, known.keys).items():
            found[key].append(slot)
        seen: dict[str, Counter[str]] = defaultdict(Counter)
        for slot, key in zip(known.slots, known.keys, strict=True):
            if slot and key:
                seen[key][slot] += 1
        for key, slots in seen.items():
            total = sum(slots.values())
            typical = [
                slot
                for slot, count in slots.items()
                if count >= max(LEAST_TYPICAL_COUNT, TYPICAL_SHARE * total)
            ]
            found[key] += [slot for slot in sorted(typical) if slot not in found[key]]
        features = {form.key: tuple(found[form.key]) for form in known.forms}
        if penn_tag(tag) in NOUNS:
            for key in features:
                of_class = self._agreement.find_class(tag, key)
                features[key] += (f"class{of_class}",) if of_class else ()
        return features

    def _find_agreement_class(self, tag: str, key: str, known: _PooledWord) -> str:
        """Return the agreement class of an entry by its main form ``key``; empty if unknown."""
        if tag == FUNCTION_TAG or tag in CALENDAR_TAGS:
            return ""
        mark = self._agreement.mark_elision(key.split()[0])
        if penn_tag(tag) in ADJECTIVES:
            pattern = self._patterns.find_pattern(fill_slots(known.slots, known.keys))
            where = find_side(known.occurrences, self._usual_side)
            # After its noun, nothing stands before an adjective that could be cut short.
            return PART_SEPARATOR.join([where, pattern or "?", mark if where != ">" else "-"])
        return PART_SEPARATOR.join([self._agreement.find_class(tag, key) or "?", mark])


def _pool_occurrences(
    occurrences: Iterable[Mapping[WordKey, list[WordOccurrence]]],
) -> dict[WordKey, list[WordOccurrence]]:
    pooled: dict[WordKey, list[WordOccurrence]] = defaultdict(list)
    for of_translator in occurrences:
        for word, of_word in of_translator.items():
            pooled[word] += of_word
    return pooled


def _find_bin(sentences: int) -> int:
    return sum(sentences >= least for least in COUNT_BINS)


def _compute_prior(words: Iterable[_PooledWord]) -> list[float]:
    """Return the share of successful rehearsals, by the number of sentences a word was seen in."""
    found = [1.0] * (len(COUNT_BINS) + 1)
    total = [2.0] * (len(COUNT_BINS) + 1)
    for known in words:
        bin_index = _find_bin(len({occurrence.sentence for occurrence in known.occurrences}))
        for trial in known.rehearsals.values():
            found[bin_index] += trial.found
            total[bin_index] += trial.total
    return [hits / trials for hits, trials in zip(found, total, strict=True)]
