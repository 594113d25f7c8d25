"""A dictionary from parallel text: what translators once wrote, with no call to any.

Translation memories, and files line by line, are read as streams; word alignment says which target
words each source word became; from that come its forms, the slots they were seen in, its agreement
class, and how reliably decoding would have found it. There is one entry for each translator, with
the forms that translator used. See docs/dictionary.md.

Entry: ``read_memory`` or ``read_parallel`` for the pairs; then ``build_corpus_entries``:
``CorpusDictionary.read`` aligns and collects, ``_know`` gathers what is known of a word, ``_entry``
makes its entry for a translator.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from itertools import islice, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from prism_core.building.corpus_agreement import (
    AdjectiveCells,
    Agreement,
    Patterns,
    fill_cells,
    learn_agreement,
    measure_usual_side,
    side,
)
from prism_core.building.corpus_forms import (
    CorpusForm,
    FormPresence,
    Phrases,
    Trial,
    choose_forms,
    is_specific,
    rehearse_decoding,
)
from prism_core.building.corpus_occurrences import (
    ADJECTIVES,
    NOUNS,
    Word,
    WordOccurrence,
    collect_occurrences,
    read_translation,
)
from prism_core.building.corpus_phrases import LEAST_AS_ONE, join_phrases
from prism_core.building.frame_queries import find_unchanged_names
from prism_core.building.word_alignment import align
from prism_core.building.word_candidates import find_candidates
from prism_core.dictionary import CALENDAR_TAGS, FUNCTION_TAG, Entry, Form
from prism_core.errors import ConfigurationError
from prism_core.language import Sentence, penn_tag
from prism_core.languages import Language
from prism_core.translation_memory import is_tmx, read_columns, read_tmx, stripped_lines

if TYPE_CHECKING:
    from prism_core.language import LanguageModel


@dataclass(frozen=True)
class ParallelText:
    """``lines`` in the source language, and in ``targets`` as many lines of each translator."""

    lines: list[str]
    targets: dict[str, list[str]]

    def annotate(self, model: LanguageModel) -> list[Sentence]:
        """Each line as one sentence, however many it has, so that lines and translations match."""
        return [
            Sentence(tuple(token for sentence in found for token in sentence.tokens))
            for found in model.annotate(self.lines)
        ]


def read_memory(path: Path, source: str, target: str) -> Iterator[tuple[str, str]]:
    """The pairs of ``path`` in the languages ``source`` and ``target`` (ISO 639), in order.

    A file that ends in ``.tmx`` or ``.xml`` is TMX 1.4, of which the words are taken; any other is
    UTF-8 text with a sentence, a tab and its translation on each line. Raises
    ``ConfigurationError``.
    """
    is_xml = is_tmx(path)
    units = read_tmx(path, source, target) if is_xml else read_columns(path)
    found = False
    for unit in units:
        pair = (unit.source, unit.target)
        if is_xml:
            pair = (_normalise_blanks(unit.source), _normalise_blanks(unit.target))
        if all(pair):
            found = True
            yield pair
    if not found:
        wanted = f"from {source} to {target}" if is_xml else "(two columns, a tab between them)"
        raise ConfigurationError(f"{path} holds no translation {wanted}.")


def read_parallel(source: Path, target: Path) -> Iterator[tuple[str, str]]:
    """The pairs of two files of equally many lines; lines without both sides are left out.

    What a translator returned escaped for HTML is read as plain text. Raises
    ``ConfigurationError``.
    """
    for text, translation in zip_longest(stripped_lines(source), stripped_lines(target)):
        if text is None or translation is None:
            raise ConfigurationError(
                f"{source} and {target} have different numbers of lines; line by line, one must "
                "be the translation of the other."
            )
        if text and translation:
            yield text, unescape(translation)


def _normalise_blanks(text: str) -> str:
    return " ".join(text.split())


METHOD = "corpus"
SHRINKAGE = 2.0
"""Sightings that the confidence of words seen as often counts for."""
TYPICAL = 0.6
"""A slot is named for a form that has at least this share of its sightings in it,"""
LEAST_TYPICAL = 3
"""when it was seen so often."""
PARTS = " | "
"""Between the parts of an agreement class, coarsest first."""
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
    """Entries for every open-class word seen at least ``least`` times, and for function words.

    ``sentences`` are the annotated source lines (all sentences of a line as one), ``targets`` what
    each translator made of them, line by line, as plain text. ``built`` is the day (ISO 8601).
    A word of which nothing is known has no entry; one seen rarely, or translated differently each
    time, has a low confidence. Of public ``names`` (name, tag)
    those have one that every translation keeps.
    """
    words = CorpusDictionary.read(sentences, targets, language, least=least).entries(built)
    return [*words, *find_unchanged_names(sentences, targets, names, built)]


def lend_entries(entries: Sequence[Entry], language: Language) -> list[Entry]:
    """The entries of words that fit another tag too, which has none of them: ``Frames.lent``."""
    known = {(entry.word, entry.tag) for entry in entries}
    lent = language.frames.lent
    return [
        entry._replace(tag=lent[entry.tag][0])
        for entry in entries
        if entry.tag in lent
        and re.fullmatch(lent[entry.tag][1], entry.word)
        and (entry.word, lent[entry.tag][0]) not in known
    ]


@dataclass(frozen=True)
class _Known:
    """What is known of one word over all translators: its sightings and the form at each."""

    places: list[WordOccurrence]
    keys: list[str]
    forms: list[CorpusForm]
    labels: list[str]
    trials: Mapping[str, Trial]


class CorpusDictionary:
    """Parallel text, aligned and read; ``entries`` makes the dictionary of it."""

    def __init__(
        self,
        sightings: Mapping[str, Mapping[Word, list[WordOccurrence]]],
        presences: Mapping[str, FormPresence],
        agreement: Agreement,
    ) -> None:
        self._presences = presences
        self._agreement = agreement
        self._cells = AdjectiveCells(sightings.values(), agreement)
        pooled = _pool(sightings.values())
        self._phrases = Phrases(pooled, presences)
        self._usual_side = measure_usual_side(pooled)
        self._known = {word: self._know(word, places) for word, places in pooled.items()}
        self._patterns = Patterns(
            {
                word: fill_cells(known.labels, known.keys)
                for word, known in self._known.items()
                if penn_tag(word[1]) in ADJECTIVES
            }
        )
        self._prior = _prior(self._known.values())

    @classmethod
    def read(
        cls,
        sentences: Sequence[Sentence],
        targets: Mapping[str, Sequence[str]],
        language: Language,
        *,
        least: int,
    ) -> CorpusDictionary:
        """Align ``sentences`` with all ``targets`` together, and read what each word became."""
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
        words.update(
            (word.word, word.tag) for word in find_candidates(joined, language, least=least)
        )
        sightings = {
            output.name: collect_occurrences(joined, output, own, words, language)
            for output, own in zip(translated, moved, strict=True)
        }
        agreement = learn_agreement(_pool(sightings.values()), joined)
        return cls(
            sightings, {output.name: FormPresence(output) for output in translated}, agreement
        )

    def entries(self, built: str) -> list[Entry]:
        """One entry for each word and each translator that translated it."""
        made = (
            self._entry(word, known, translator, built)
            for word, known in sorted(self._known.items())
            for translator in self._presences
        )
        return [entry for entry in made if entry is not None]

    def _know(self, word: Word, places: list[WordOccurrence]) -> _Known:
        keys = self._phrases.keys(word, places)
        forms = [
            form
            for form in choose_forms(places, keys)
            if word[1] == FUNCTION_TAG or is_specific(form.key, places, self._presences)
        ]
        order = sorted((form.key for form in forms), key=lambda key: -len(key.split()))
        trials = {
            name: rehearse_decoding(order, places, keys, presence)
            for name, presence in self._presences.items()
        }
        is_adjective = penn_tag(word[1]) in ADJECTIVES
        labels = [
            self._cells.of(place) if is_adjective or not place.slot else place.slot
            for place in places
        ]
        return _Known(places, keys, forms, labels, trials)

    def _entry(self, word: Word, known: _Known, translator: str, built: str) -> Entry | None:
        presence = self._presences[translator]
        own = [
            (place, key, label)
            for place, key, label in zip(known.places, known.keys, known.labels, strict=True)
            if place.translator == translator and key
        ]
        confidence = self._confidence(known, translator)
        if " " in word[0] and confidence < LEAST_AS_ONE:
            return None  # word by word it is no worse
        used = Counter(key for _, key, _ in own)
        forms = [form for form in known.forms if used[form.key]]
        if not forms:
            return None
        where = [place.sentence for place in known.places if place.translator == translator]
        features = self._features(word[1], known)
        scored = sorted(
            (
                Form(form.surface, presence.score(form.key, where), features[form.key])
                for form in forms
            ),
            key=lambda form: (-form.score, form.text),
        )
        main = max(forms, key=lambda form: (used[form.key], form.key)).key
        return Entry(
            word=word[0],
            tag=word[1],
            forms=tuple(scored),
            agreement=self._class_of(word[1], main, known),
            confidence=confidence,
            calls=0.0,
            translator=translator,
            method=METHOD,
            built=built,
        )

    def _confidence(self, known: _Known, translator: str) -> float:
        """How likely decoding finds the word, and the right one, in a sentence not seen before.

        The rehearsed share, drawn towards that of the word with all translators, and that towards
        the share of words seen as often.
        """
        every = [known.trials[name] for name in known.trials]
        found, total = sum(trial.found for trial in every), sum(trial.total for trial in every)
        sentences = len({place.sentence for place in known.places})
        independent = sentences / max(1, total)
        usual = self._prior[_bin(sentences)]
        pooled = (found * independent + SHRINKAGE * usual) / (sentences + SHRINKAGE)
        own = known.trials[translator]
        return (own.found + SHRINKAGE * pooled) / (own.total + SHRINKAGE)

    def _features(self, tag: str, known: _Known) -> dict[str, tuple[str, ...]]:
        """The slots each form stands for: those it fills, and those it is typical of."""
        found: dict[str, list[str]] = defaultdict(list)
        for label, key in fill_cells(known.labels, known.keys).items():
            found[key].append(label)
        seen: dict[str, Counter[str]] = defaultdict(Counter)
        for label, key in zip(known.labels, known.keys, strict=True):
            if label and key:
                seen[key][label] += 1
        for key, labels in seen.items():
            total = sum(labels.values())
            typical = [n for n, c in labels.items() if c >= max(LEAST_TYPICAL, TYPICAL * total)]
            found[key] += [label for label in sorted(typical) if label not in found[key]]
        features = {form.key: tuple(found[form.key]) for form in known.forms}
        if penn_tag(tag) in NOUNS:
            for key in features:
                label = self._agreement.find_class(tag, key)
                features[key] += (f"class{label}",) if label else ()
        return features

    def _class_of(self, tag: str, key: str, known: _Known) -> str:
        """The agreement class of an entry whose commonest form is ``key``; empty if not known."""
        if tag == FUNCTION_TAG or tag in CALENDAR_TAGS:
            return ""
        mark = self._agreement.mark(key.split()[0])
        if penn_tag(tag) in ADJECTIVES:
            pattern = self._patterns.of(fill_cells(known.labels, known.keys))
            where = side(known.places, self._usual_side)
            # After its noun, nothing stands before an adjective that could be cut short.
            return PARTS.join([where, pattern or "?", mark if where != ">" else "-"])
        return PARTS.join([self._agreement.find_class(tag, key) or "?", mark])


def _pool(
    sightings: Iterable[Mapping[Word, list[WordOccurrence]]],
) -> dict[Word, list[WordOccurrence]]:
    pooled: dict[Word, list[WordOccurrence]] = defaultdict(list)
    for own in sightings:
        for word, places in own.items():
            pooled[word] += places
    return pooled


def _bin(sentences: int) -> int:
    return sum(sentences >= least for least in COUNT_BINS)


def _prior(every: Iterable[_Known]) -> list[float]:
    """The share of rehearsals that went well, by how many sentences a word was seen in."""
    found = [1.0] * (len(COUNT_BINS) + 1)
    total = [2.0] * (len(COUNT_BINS) + 1)
    for known in every:
        at = _bin(len({place.sentence for place in known.places}))
        for trial in known.trials.values():
            found[at] += trial.found
            total[at] += trial.total
    return [f / t for f, t in zip(found, total, strict=True)]
