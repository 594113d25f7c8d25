"""Composition of a dictionary build: public text and a translator in, one file out.

Entry: ``run_build`` -> ``open_query_session`` -> ``read_material`` -> ``build_entries`` ->
``write_dictionary``; ``estimate_build`` sends nothing. The command and the Prefect flow both call
it; see docs/dictionary.md.
"""

from __future__ import annotations

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from prism_core.building import (
    AnswerStore,
    BuildEstimate,
    BuildProgress,
    ParallelText,
    QuerySession,
    WordCandidate,
    build_corpus_entries,
    build_entries,
    drop_lost_negations,
    estimate_entries,
    find_candidates,
    find_phrase_candidates,
    find_phrase_inflections,
    find_stable_names,
    lend_entries,
    lowercase_nouns,
    open_answers,
    read_memory,
    read_parallel,
    read_word_list,
    settle_genders,
)
from prism_core.building.jobs.build_recipe import BuildRecipe, Method
from prism_core.dictionary import (
    Entry,
    read_names,
    save_dictionary,
)
from prism_core.errors import ConfigurationError, OutputError
from prism_core.files import make_folder
from prism_core.language import LanguageModel, Sentence
from prism_core.languages import load_language
from prism_core.resources import SHIPPED_NAMES
from prism_core.settings import Settings
from prism_core.stages import open_shared_pace
from prism_core.state import UserKey
from prism_core.translation_memory import stripped_lines
from prism_core.translators import Budget, Translator, make_translator

LICENCES = {
    "apertium": "GPL-2.0-only: derived from the data of Apertium; offered apart from the code",
    "firefox": "MPL-2.0: read off a model of Firefox Translations; offered apart from the code",
}
"""Licences known for a translator's words; the user states any other."""


@dataclass
class BuildWatch:
    """Stage of a build and its progress, for display; ``expected`` estimates its texts."""

    stage: str = "loading the language model"
    expected: int = 0
    progress: Callable[[], BuildProgress] = BuildProgress


@dataclass(frozen=True)
class TagTotal:
    """Number of entries of one tag, and the translations they cost together."""

    tag: str
    entries: int
    calls: float


@dataclass(frozen=True)
class BuildSummary:
    """Result of a build in numbers.

    ``texts`` counts the texts that the builder requested. ``requests`` and ``characters`` count
    what was sent since the build was begun. ``seconds`` is the time of this run alone.
    """

    output: Path
    words: int
    tags: tuple[TagTotal, ...]
    texts: int
    requests: int
    characters: int
    seconds: float

    @property
    def entries(self) -> int:
        """Number of all entries of the build."""
        return sum(total.entries for total in self.tags)


@dataclass(frozen=True)
class Material:
    """Annotated public text of a recipe, and the words to look up."""

    sentences: list[Sentence]
    words: list[WordCandidate]


def estimate_build(recipe: BuildRecipe) -> BuildEstimate:
    """Estimate the volume that ``run_build`` would send; sends and writes nothing."""
    if recipe.method is Method.CORPUS:
        raise ConfigurationError("The method corpus asks no translator: there is nothing to send.")
    _make_translator(recipe.settings)
    return estimate_cost(recipe, read_material(recipe))


def run_build(recipe: BuildRecipe, watch: BuildWatch | None = None) -> BuildSummary:
    """Build the dictionary that ``recipe`` describes, and write it.

    Every answer is kept until the dictionary is written. A build that was stopped in any way
    therefore continues when it is started again, and gives the same file.
    """
    watch, started = watch or BuildWatch(), time.monotonic()
    check_output(recipe.output)
    if recipe.method is Method.CORPUS:
        watch.stage = "reading translated sentences"
        entries, origin = build_entries_from_memories(recipe)
        kept = drop_lost_negations(entries, load_language(recipe.settings.source))
        write_dictionary(kept, origin, recipe.output)
        words = len({entry.key for entry in entries})
        return summarise_build(recipe.output, words, entries, BuildProgress(), started)
    with open_query_session(recipe.output, recipe.settings, watch) as (session, answers):
        material, language = read_material(recipe), load_language(recipe.settings.source)
        watch.expected = estimate_cost(recipe, material).texts
        watch.stage = "asking for words"
        drafts = build_entries(material.words, material.sentences, session, language, recipe.plan)
        watch.stage = "asking for names"
        drafts += find_stable_names(read_names(SHIPPED_NAMES), session, language)
        entries = stamp_entries(
            drafts, recipe.settings.translator.name, recipe.method, answers.began
        )
        # The same when a build was resumed.
        translator, files = recipe.settings.translator.name, (*recipe.texts, *recipe.words)
        lines = len(material.sentences)
        origin = _make_provenance(recipe, files, [translator], answers.began, lines)
        origin["calls"] = str(session.progress().asked)
        origin["licence"] = recipe.licence or LICENCES.get(translator, "not stated")
        write_dictionary(drop_lost_negations(entries, language), origin, recipe.output)
        return summarise_build(
            recipe.output, len(material.words), entries, session.progress(), started
        )


def read_material(recipe: BuildRecipe) -> Material:
    """Read the public text of ``recipe`` and select the words to look up.

    Raises ``ConfigurationError`` when the text has no words to look up.
    """
    sentences = read_sentences(recipe.texts, recipe.settings)
    language = load_language(recipe.settings.source)
    words = find_candidates(sentences, language, least=recipe.least)
    seen = {word.key for word in words}
    listed = dict.fromkeys(word for path in recipe.words for word in read_word_list(path, language))
    words += [word for word in listed if word.key not in seen]
    if recipe.method is not Method.PAPER:
        phrases = find_phrase_candidates(sentences, language, least=recipe.least)
        phrases += find_phrase_inflections(sentences, language)
        words += {phrase.key: phrase for phrase in phrases}.values()
    if not listed and not any(word.count for word in words):
        raise ConfigurationError(
            f"The text has no word {recipe.least} times or more; give more text, or --least 1."
        )
    return Material(sentences, words)


def read_sentences(texts: Sequence[Path], settings: Settings) -> list[Sentence]:
    """Annotate the sentences of every distinct line of ``texts``."""
    lines = {line: None for path in texts for line in stripped_lines(path)}
    model = LanguageModel.load(settings.source, settings.language.model)
    found = [sentence for sentences in model.annotate(lines) for sentence in sentences]
    language = load_language(settings.source)
    return lowercase_nouns(settle_genders(found, language), language)


def estimate_cost(recipe: BuildRecipe, material: Material) -> BuildEstimate:
    """Estimate the volume that the build sends, names included."""
    translator = _make_translator(recipe.settings)
    return estimate_entries(
        material.words,
        material.sentences,
        load_language(recipe.settings.source),
        recipe.plan,
        translator.limits,
        translator.price,
        read_names(SHIPPED_NAMES),
        recipe.settings.translator.name,
    )


@contextmanager
def open_query_session(
    output: Path, settings: Settings, watch: BuildWatch, order: Random | None = None
) -> Iterator[tuple[QuerySession, AnswerStore]]:
    """Open a session with the settings' translator, and its store of answers beside ``output``."""
    pair = settings.source, settings.target
    translator = _make_translator(settings)
    asked_of = " ".join((settings.translator.asked_of(), *pair))
    budget = Budget.of(settings.translator, translator)
    with (
        open_answers(output, UserKey(settings.key).load(), asked_of) as answers,
        open_shared_pace(settings.translator, translator) as pace,
        QuerySession(translator, *pair, answers, order, budget, pace) as session,
    ):
        watch.progress = session.progress
        try:
            yield session, answers
        finally:
            last = session.progress()
            watch.progress = lambda: last


def stamp_entries(
    entries: Iterable[Entry], translator: str, method: str, built: str
) -> list[Entry]:
    """Return ``entries`` with translator, method and day filled in where they are empty."""
    return [
        entry._replace(
            translator=entry.translator or translator,
            method=entry.method or method,
            built=entry.built or built,
        )
        for entry in entries
    ]


def summarise_build(
    output: Path, words: int, entries: Iterable[Entry], progress: BuildProgress, started: float
) -> BuildSummary:
    """Return a build in numbers; ``started`` is a time of the monotonic clock."""
    calls: dict[str, list[float]] = defaultdict(list)
    for entry in entries:
        calls[entry.tag].append(entry.calls)
    return BuildSummary(
        output=output,
        words=words,
        tags=tuple(TagTotal(tag, len(costs), sum(costs)) for tag, costs in sorted(calls.items())),
        texts=progress.asked,
        requests=progress.requests,
        characters=progress.characters,
        seconds=time.monotonic() - started,
    )


def check_output(output: Path) -> None:
    """Raise ``ConfigurationError`` if ``output`` exists."""
    if output.exists():
        raise ConfigurationError(f"{output} exists; move it away, or name another --output.")


def write_dictionary(entries: Iterable[Entry], origin: dict[str, str], output: Path) -> None:
    """Write a dictionary and flush it to disk before returning. Raises ``OutputError``."""
    try:
        make_folder(output.parent)
        save_dictionary(entries, origin, output)
        with output.open("rb") as written:
            os.fsync(written.fileno())
    except OSError as error:
        raise OutputError(f"{output} cannot be written: {error.strerror}") from None


def _make_provenance(
    recipe: BuildRecipe, files: Iterable[Path], translators: Iterable[str], day: str, lines: int
) -> dict[str, str]:
    """Return the provenance of the dictionary for its file, before any text was sent."""
    named = ",".join(sorted(set(translators)))
    return {
        "source": recipe.settings.source,
        "target": recipe.settings.target,
        "translator": named,
        "built": day,
        "method": recipe.method,
        "text": ", ".join(sorted({f"{path.parent.name}/{path.name}" for path in files})),
        "sentences": str(lines),
        "calls": "0",
        "licence": recipe.licence or "not stated",
    }


def _make_translator(settings: Settings) -> Translator:
    return make_translator(settings.translator, settings.source, settings.target)


def build_entries_from_memories(recipe: BuildRecipe) -> tuple[list[Entry], dict[str, str]]:
    """Build the entries of the recipe's memories, one a word and translator, with provenance.

    When every line has the translations of all translators, these are aligned together and teach
    each other; otherwise each translator's are aligned separately. Raises ``ConfigurationError``.
    """
    model = LanguageModel.load(recipe.settings.source, recipe.settings.language.model)
    language = load_language(recipe.settings.source)
    names = read_names(SHIPPED_NAMES)
    day = datetime.now(UTC).date().isoformat()
    entries: list[Entry] = []
    lines = 0
    for text in read_parallel_texts(recipe):
        annotated = settle_genders(text.annotate(model), language)
        sentences = lowercase_nouns(annotated, language)
        lines += len(sentences)
        entries += build_corpus_entries(
            sentences, text.targets, language, built=day, least=recipe.least, names=names
        )
    entries += lend_entries(entries, language)
    files = (memory.source for memory in recipe.memories)
    translators = (memory.translator for memory in recipe.memories)
    return entries, _make_provenance(recipe, files, translators, day, lines)


def read_parallel_texts(recipe: BuildRecipe) -> list[ParallelText]:
    """Read the memories as lines and translations.

    Memories that cover the same lines become one text; otherwise each translator has its own. Of a
    line that one translator translated twice, the last translation is kept.
    """
    translated: dict[str, dict[str, str]] = {}
    for memory in recipe.memories:
        lines = translated.setdefault(memory.translator, {})
        lines.update(
            read_memory(memory.source, recipe.settings.source, recipe.settings.target)
            if memory.target is None
            else read_parallel(memory.source, memory.target)
        )
    first = next(iter(translated.values()))
    if all(lines.keys() == first.keys() for lines in translated.values()):
        targets = {name: [lines[line] for line in first] for name, lines in translated.items()}
        return [ParallelText(list(first), targets)]
    return [
        ParallelText(list(lines), {name: list(lines.values())})
        for name, lines in translated.items()
    ]
