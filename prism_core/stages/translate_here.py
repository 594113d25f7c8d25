"""Keep sentences on this machine, and translate here with a model what is not sent.

A reader of texts of the same genre can guess a hidden word from its context (*The ▢ alleged a ▢ of
Article ▢*). Between encoding and sending, a sentence is kept here where other documents have the
same contexts around most of its words, and a model can translate it: ``read_contexts`` of an
encoding, ``keep_formulas_here`` for a wave that is encoded.

What is translated here, between decoding and writing, is the whole archive where the translator is
on this machine and sees the text as it is, else what must not be sent. Nothing leaves the machine
for it, and its translations are written to the output alone. Each is checked
(``prism_core.drafts``), and marked where a fault remains.

The model sees the text before a single word too (*Knee* before *Left*). A sentence is translated
once, wherever it stands: its context is that of its first place in the document with the least id.

Entry: ``translate_here`` for the sentences of a chunk, with ``Contexts.find``; ``try_local_model``
for a plan; ``describe_models`` for the report.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from hashlib import file_digest
from itertools import chain, pairwise
from pathlib import Path
from random import SystemRandom
from typing import NamedTuple, Self

from prism_core import drafts
from prism_core.dictionary import Glossary
from prism_core.errors import Misconfigured
from prism_core.language import penn_tag
from prism_core.model_card import read_guarantee
from prism_core.record import Encoded, Fate, Kind
from prism_core.settings import Job, TranslatorSettings, Treatment
from prism_core.stages.chunks import StageResult
from prism_core.stages.run import Run, Wave, stage
from prism_core.state import WHOLE, Chunk, Part, Store, Withheld
from prism_core.translation_memory import WordAlone
from prism_core.translators import Translator, make_translator

_LEFT = "LEFT-"
_REACH = 3
_EDGE = "\n"
_TOKEN = re.compile(r"\w+|[^\w\s]")
_LONGEST = 4
"""Largest number of words of a context: a longer text is no label."""
_TRIED = 100


@dataclass(frozen=True, slots=True)
class LocalTrial:
    """Result of a trial of the model on this machine.

    ``sentences`` is the number of different sentences that it would be given, ``tried`` the size of
    the sample, ``taken`` the number of those that it translated, and ``doubted`` how many of these
    have faults.
    """

    sentences: int
    tried: int
    taken: int
    doubted: int


class _Translated(NamedTuple):
    """Translation of a sentence by the model on this machine, its faults and its quality."""

    held: Withheld
    text: str
    faults: frozenset[str]
    quality: float | None

    @classmethod
    def of(cls, held: Withheld, draft: drafts.Draft, rating: drafts.Rating) -> Self:
        faults = frozenset(map(str, draft.faults | rating.faults))
        return cls(held, draft.text, faults, rating.quality)


@stage("translate_here", in_workers=True)
def translate_here(run: Run, chunk: Chunk, part: Part = WHOLE) -> StageResult:
    """Have the model on this machine translate the sentences of a ``part`` of ``chunk`` that stay.

    These are all sentences where the translator sees the text as it is, else sentences withheld by
    the policy of their document or for a reason of their own, sentences whose answer lost a word,
    and sentences that every translator refused. One that the model cannot translate stays in the
    source language. Raises ``Misconfigured`` for a model that cannot be loaded.
    """
    translated, contexts = 0, Contexts(run.store)
    for treatment, batch in _find_withheld(run, chunk, part):
        found = _translate(run, treatment, batch, contexts)
        run.store.withheld.settle(
            [(made.held, made.text, made.faults) for made in found],
            [made.quality for made in found],
        )
        translated += len(found)
    return StageResult(sentences=translated)


def try_local_model(run: Run, found: Sequence[Wave]) -> LocalTrial:
    """Count the sentences of the encoded waves ``found`` for the model, and try it on a sample.

    Nothing of them leaves, and nothing is stored. Sentences that only a translator's answer would
    bring here are not forecast. Raises ``Misconfigured`` for a model that cannot be loaded.
    """
    rng, seen = SystemRandom(), set()
    sample: list[tuple[Treatment, Withheld]] = []
    for chunk in chain.from_iterable(found):
        for treatment, batch in _find_withheld(run, chunk, run.part):
            for held in batch:
                if held.id not in seen:
                    seen.add(held.id)
                    index = len(sample) if len(sample) < _TRIED else rng.randrange(len(seen))
                    if index < _TRIED:
                        sample[index : index + 1] = [(treatment, held)]
    taken, contexts = list[_Translated](), Contexts(run.store)
    for source in sorted({treatment.source for treatment, _ in sample}):
        treatment = next(treatment for treatment, _ in sample if treatment.source == source)
        batch = [held for other, held in sample if other.source == source]
        taken += _translate(run, treatment, batch, contexts)
    doubted = sum(bool(made.faults) for made in taken)
    return LocalTrial(len(seen), len(sample), len(taken), doubted)


def _find_withheld(
    run: Run, chunk: Chunk, part: Part
) -> Iterator[tuple[Treatment, list[Withheld]]]:
    """Yield the sentences that the model is given, in batches, each with its treatment."""
    for treatment, group in run.by_treatment(chunk).items():
        job = run.job.under(treatment)
        if run.job.settings.stays or job.settings.on_withheld == "local":
            for batch in run.store.withheld.read(group, part, treatment.source):
                yield treatment, batch


def local_model(job: Job) -> Translator:
    """Return the model on this machine, not loaded yet. Raises ``Misconfigured`` without one."""
    return make_translator(_local_settings(job), job.source, job.target)


def _local_settings(job: Job) -> TranslatorSettings:
    if (settings := job.settings.local_translator) is None:
        raise Misconfigured("No model on this machine is named: set local_model.folder.")
    return settings


def _translate(
    run: Run, treatment: Treatment, batch: Sequence[Withheld], contexts: Contexts
) -> list[_Translated]:
    """Translate sentences of one pair, check and rate them; return those that have a translation.

    One whose translation leaves something out is translated in parts; what is better is kept. A run
    and a trial mark the same faults.
    """
    job, sentences = run.job.under(treatment), [held.sentence for held in batch]
    glossary = Glossary()
    if job.settings.dictionary.glossary:  # without any, no encoder is loaded for them
        glossary = run.encoder(treatment).dictionary.glossary
    settings, pair = _local_settings(job), (job.source, job.target)
    drafted = drafts.draft_sentences(settings, sentences, *pair, contexts.find(batch), glossary)
    drafter = run.encoders.drafter(treatment)
    found = _rate(drafter, glossary, batch, drafted)
    lacking = [made.held for made in found if drafter and drafts.Fault.MISSING in made.faults]
    if not lacking:
        return found
    sentences = [held.sentence for held in lacking]
    parts = drafts.draft_sentences(settings, sentences, *pair, glossary=glossary, in_parts=True)
    again = {made.held.id: made for made in _rate(drafter, glossary, lacking, parts)}
    both = ((made, again.get(made.held.id, made)) for made in found)
    return [min(ways, key=lambda made: len(made.faults)) for ways in both]


def _rate(
    drafter: drafts.Drafter | None,
    glossary: Glossary,
    batch: Sequence[Withheld],
    drafted: Sequence[drafts.Draft | None],
) -> list[_Translated]:
    found = [(held, draft) for held, draft in zip(batch, drafted, strict=True) if draft is not None]
    rows = [(held.sentence.text, draft.text, draft.text) for held, draft in found]
    ratings = drafter.rate(rows, glossary) if drafter else [drafts.Rating()] * len(rows)
    return [
        _Translated.of(held, draft, rating)
        for (held, draft), rating in zip(found, ratings, strict=True)
    ]


def describe_models(job: Job) -> Iterator[str]:
    """Yield for the report the purpose, digest and guarantee of each model on this machine."""
    for place, settings in enumerate(job.settings.translators, 1):
        if (file := settings.model_file(job.source, job.target)) is not None:
            yield f"translator-{place}: {_describe_model(file)}"
    here = job.settings.local_translator
    file = None if here is None else here.model_file(job.source, job.target)
    if job.settings.translates_here and file is not None:
        yield f"withheld: {_describe_model(file)}"


def _describe_model(file: Path) -> str:
    try:
        with file.open("rb") as model:
            digest = file_digest(model, "sha256").hexdigest()[:16]
    except OSError:
        digest = "unknown"
    return f"model={digest} {read_guarantee(file.parent)}"


class Contexts:
    """Contexts of the words in a ``store``; documents' layouts are read once, on demand."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._before: dict[str, dict[str, str]] = {}

    def find(self, batch: Sequence[Withheld]) -> list[str]:
        """Return the text before each sentence of ``batch`` that is one word, else empty."""
        words = [held.id for held in batch if WordAlone.read(held.sentence.text)]
        if not words:
            return [""] * len(batch)
        before = {
            word: found
            for word, (document, _) in self._store.documents.first_with(words).items()
            if (found := self._read_document(document).get(word))
        }
        texts = self._store.recalled.fetch(set(before.values()))
        contexts = {word: texts[found][0] for word, found in before.items() if found in texts}
        labels = {word: text for word, text in contexts.items() if len(text.split()) <= _LONGEST}
        return [labels.get(held.id, "") for held in batch]

    def _read_document(self, document: str) -> dict[str, str]:
        """Return the sentence before each sentence of ``document``, by their ids."""
        if document not in self._before:
            places = (
                place.sentence
                for segment in self._store.documents.layout(document)
                for place in segment.places()
            )
            before: dict[str, str] = {}
            for first, second in pairwise(places):
                before.setdefault(second, first)
            self._before[document] = before
        return self._before[document]


def read_contexts(encoded: Encoded) -> list[str]:
    """Return the context of each hidden word: three tokens to each side, as they are sent.

    A substitute is represented by its part of speech, a surrogate by its kind. The beginning and
    the end of the sentence count as tokens.
    """
    record = [replacement for replacement in encoded.record if replacement.kind is not Kind.KEPT]
    tokens, words, position = [_EDGE] * _REACH, list[int](), 0
    for (start, end), replacement in zip(encoded.drawn, record, strict=True):
        tokens += _TOKEN.findall(encoded.text[position:start].lower())
        is_word = encoded.fates[replacement.position] is not Fate.IDENTIFIER
        if is_word:
            words.append(len(tokens))
        tag = penn_tag(replacement.drawn_as.removeprefix(_LEFT))
        tokens.append(tag if is_word else f"<{replacement.kind.name}>")
        position = end
    tokens += [*_TOKEN.findall(encoded.text[position:].lower()), *[_EDGE] * _REACH]
    return [" ".join(tokens[index - _REACH : index + _REACH + 1]) for index in words]


def keeps_formulas(run: Run, treatment: Treatment) -> bool:
    """Return True where formulas of documents under ``treatment`` are not sent."""
    settings = run.job.under(treatment).settings
    return not treatment.stays_here and settings.mixing.keeps_formulas(
        settings.on_withheld, settings.mechanism
    )


@stage("keep formulas here")
def keep_formulas_here(run: Run, wave: Wave) -> StageResult:
    """Withhold the sentences of ``wave`` that are formulas by all documents encoded by now.

    Documents of earlier runs count too. A sentence that was already sent stays sent. Nothing of
    ``wave`` may be in flight, because a sentence withheld then would still be sent.
    """
    withheld = 0
    for chunk in wave:
        for treatment, group in run.by_treatment(chunk).items():
            if keeps_formulas(run, treatment):
                least = run.job.settings.mixing.formulas_from
                withheld += run.store.formulas.withhold(group, least)
    return StageResult(sentences=withheld)
