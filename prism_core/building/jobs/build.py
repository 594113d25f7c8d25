"""The one composition of a dictionary build: public text and a translator in, one file out.

Entry: ``build_from`` (or ``estimate_build``) -> ``read_material`` -> ``open_asking`` ->
``build_entries`` -> ``save``; the command and the Prefect flow both call it; see
docs/dictionary.md.
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
    Asking,
    BuildEstimate,
    BuildProgress,
    Candidate,
    ParallelText,
    build_entries,
    candidates,
    entries_from_corpus,
    estimate_entries,
    keep_answers,
    lend_entries,
    phrase_candidates,
    phrase_words,
    read_memory,
    read_parallel,
    read_word_list,
    settle_genders,
    stable_names,
    write_nouns_small,
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
from prism_core.resources import shipped_names
from prism_core.settings import Settings
from prism_core.stages import open_shared_pace
from prism_core.state import AnswerStore, UserKey
from prism_core.translators import Budget, Translator, make_translator

LICENCES = {
    "apertium": "GPL-2.0-only: derived from the data of Apertium; offered apart from the code",
}
"""What is known of the licence of a translator's words; any other is for the user to state."""


@dataclass
class BuildWatch:
    """Where a build is, for whoever shows it: ``expected`` texts in all, and what was asked."""

    stage: str = "loading the language model"
    expected: int = 0
    standing: Callable[[], BuildProgress] = BuildProgress


@dataclass(frozen=True)
class TagTotal:
    """The entries of one tag, and the translations they cost together."""

    tag: str
    entries: int
    calls: float


@dataclass(frozen=True)
class Built:
    """What a build gave, in numbers.

    ``texts`` counts what the builder asked for, ``requests`` and ``characters`` what was sent since
    the build was begun; ``seconds`` is the time of this run alone.
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
        """All entries of the build."""
        return sum(total.entries for total in self.tags)


@dataclass(frozen=True)
class Material:
    """The public text of a recipe, annotated, and the words to look up."""

    sentences: list[Sentence]
    words: list[Candidate]


def estimate_build(recipe: BuildRecipe) -> BuildEstimate:
    """What ``build_from`` would send, about; sends nothing and writes nothing."""
    if recipe.method is Method.CORPUS:
        raise ConfigurationError("The method corpus asks no translator: there is nothing to send.")
    _ready_translator(recipe.settings)
    return expected_cost(recipe, read_material(recipe))


def build_from(recipe: BuildRecipe, watch: BuildWatch | None = None) -> Built:
    """Make the dictionary that ``recipe`` describes, and write it.

    Every answer is kept until the dictionary is written, so a build that was stopped, however it
    was, goes on when it is started again and gives the same file.
    """
    watch, started = watch or BuildWatch(), time.monotonic()
    check_output(recipe.output)
    if recipe.method is Method.CORPUS:
        watch.stage = "reading translated sentences"
        entries, origin = corpus_entries(recipe)
        save(entries, origin, recipe.output)
        words = len({(entry.word, entry.tag) for entry in entries})
        return summarise_build(recipe.output, words, entries, BuildProgress(), started)
    with open_asking(recipe.output, recipe.settings, watch) as (ask, answers):
        material, language = read_material(recipe), load_language(recipe.settings.source)
        watch.expected = expected_cost(recipe, material).texts
        watch.stage = "asking for words"
        found = build_entries(material.words, material.sentences, ask, language, recipe.plan)
        watch.stage = "asking for names"
        found += stable_names(read_names(shipped_names()), ask, language)
        entries = sign_entries(found, recipe.settings.translator.name, recipe.method, answers.began)
        # The same when a build was resumed.
        translator, files = recipe.settings.translator.name, (*recipe.texts, *recipe.words)
        lines = len(material.sentences)
        origin = _provenance(recipe, files, [translator], answers.began, lines)
        origin["calls"] = str(ask.standing().asked)
        origin["licence"] = recipe.licence or LICENCES.get(translator, "not stated")
        save(entries, origin, recipe.output)
        return summarise_build(recipe.output, len(material.words), entries, ask.standing(), started)


def read_material(recipe: BuildRecipe) -> Material:
    """Raises ``ConfigurationError`` when the text has no words to look up."""
    sentences = read_sentences(recipe.texts, recipe.settings)
    language = load_language(recipe.settings.source)
    words = candidates(sentences, language, least=recipe.least)
    seen = {(word.word, word.tag) for word in words}
    listed = dict.fromkeys(word for path in recipe.words for word in read_word_list(path, language))
    words += [word for word in listed if (word.word, word.tag) not in seen]
    if recipe.method is not Method.PAPER:
        phrases = phrase_candidates(sentences, language, least=recipe.least)
        phrases += phrase_words(sentences, language)
        words += {(phrase.word, phrase.tag): phrase for phrase in phrases}.values()
    if not listed and not any(word.count for word in words):
        raise ConfigurationError(
            f"The text has no word {recipe.least} times or more; give more text, or --least 1."
        )
    return Material(sentences, words)


def read_sentences(texts: Sequence[Path], settings: Settings) -> list[Sentence]:
    """The annotated sentences of every distinct line of ``texts``."""
    lines = {line.strip(): None for path in texts for line in _lines(path)}
    model = LanguageModel.load(settings.source, settings.language.model)
    found = [sentence for sentences in model.annotate(lines) for sentence in sentences]
    language = load_language(settings.source)
    return write_nouns_small(settle_genders(found, language), language)


def expected_cost(recipe: BuildRecipe, material: Material) -> BuildEstimate:
    """What the build sends, about, names included."""
    translator = _ready_translator(recipe.settings)
    return estimate_entries(
        material.words,
        material.sentences,
        load_language(recipe.settings.source),
        recipe.plan,
        translator.limits,
        translator.price,
        read_names(shipped_names()),
    )


@contextmanager
def open_asking(
    output: Path, settings: Settings, watch: BuildWatch, order: Random | None = None
) -> Iterator[tuple[Asking, AnswerStore]]:
    """The settings' translator as a builder calls it, and its memory beside ``output``."""
    pair = settings.source, settings.target
    translator = _ready_translator(settings)
    asked_of = " ".join((settings.translator.asked_of(), *pair))
    budget = Budget.of(settings.translator, translator)
    with (
        keep_answers(output, UserKey(settings.key).load(), asked_of) as answers,
        open_shared_pace(settings.translator, translator) as pace,
        Asking(translator, *pair, answers, order, budget, pace) as ask,
    ):
        watch.standing = ask.standing
        try:
            yield ask, answers
        finally:
            last = ask.standing()
            watch.standing = lambda: last


def sign_entries(entries: Iterable[Entry], translator: str, method: str, day: str) -> list[Entry]:
    """``entries`` with whose words they are, how they were found and when, where it is not said."""
    return [
        entry._replace(
            translator=entry.translator or translator,
            method=entry.method or method,
            built=entry.built or day,
        )
        for entry in entries
    ]


def summarise_build(
    output: Path, words: int, entries: Iterable[Entry], standing: BuildProgress, started: float
) -> Built:
    """A build in numbers; ``started`` by the monotonic clock."""
    calls: dict[str, list[float]] = defaultdict(list)
    for entry in entries:
        calls[entry.tag].append(entry.calls)
    return Built(
        output=output,
        words=words,
        tags=tuple(TagTotal(tag, len(each), sum(each)) for tag, each in sorted(calls.items())),
        texts=standing.asked,
        requests=standing.requests,
        characters=standing.characters,
        seconds=time.monotonic() - started,
    )


def check_output(output: Path) -> None:
    """Raise ``ConfigurationError`` when there is something already where the file is to go."""
    if output.exists():
        raise ConfigurationError(f"{output} exists; move it away, or name another --output.")


def save(entries: Iterable[Entry], origin: dict[str, str], output: Path) -> None:
    """Write a dictionary so that it is on disk when this returns. Raises ``OutputError``."""
    try:
        make_folder(output.parent)
        save_dictionary(entries, origin, output)
        with output.open("rb") as written:
            os.fsync(written.fileno())
    except OSError as error:
        raise OutputError(f"{output} cannot be written: {error.strerror}") from None


def _provenance(
    recipe: BuildRecipe, files: Iterable[Path], translators: Iterable[str], day: str, lines: int
) -> dict[str, str]:
    """Who made the dictionary of what, as its file says; nobody was asked for anything yet."""
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


def _ready_translator(settings: Settings) -> Translator:
    return make_translator(settings.translator, settings.source, settings.target)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path} is not UTF-8 text.") from None


def corpus_entries(recipe: BuildRecipe) -> tuple[list[Entry], dict[str, str]]:
    """The entries of the recipe's memories, one a word and translator, and their provenance.

    Where every line has the translations of all translators, they are aligned together and teach
    each other; else each translator's by themselves. Raises ``ConfigurationError``.
    """
    model = LanguageModel.load(recipe.settings.source, recipe.settings.language.model)
    language = load_language(recipe.settings.source)
    names = read_names(shipped_names())
    day = datetime.now(UTC).date().isoformat()
    entries: list[Entry] = []
    lines = 0
    for text in parallel_texts(recipe):
        annotated = settle_genders(text.annotate(model), language)
        sentences = write_nouns_small(annotated, language)
        lines += len(sentences)
        entries += entries_from_corpus(
            sentences, text.targets, language, built=day, least=recipe.least, names=names
        )
    entries += lend_entries(entries, language)
    files = (memory.source for memory in recipe.memories)
    translators = (memory.translator for memory in recipe.memories)
    return entries, _provenance(recipe, files, translators, day, lines)


def parallel_texts(recipe: BuildRecipe) -> list[ParallelText]:
    """The memories as lines and translations: one text if they cover the same lines, else one
    for each translator. A line that is translated twice by one translator keeps its last."""
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
