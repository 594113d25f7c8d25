"""A dictionary read off translated sentences: nobody is asked for anything."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

from prism_core.building import (
    ParallelText,
    entries_from_corpus,
    read_memory,
    read_parallel,
)
from prism_core.dictionary import Entry
from prism_core.identifiers import read_names
from prism_core.jobs.recipe import Memory, Recipe
from prism_core.language import LanguageModel
from prism_core.languages import load_language
from prism_core.resources import shipped_names


def corpus_entries(recipe: Recipe) -> tuple[list[Entry], dict[str, str]]:
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
        sentences = text.annotate(model)
        lines += len(sentences)
        entries += entries_from_corpus(
            sentences, text.targets, language, built=day, least=recipe.least, names=names
        )
    return entries, _provenance(recipe, lines, day)


def parallel_texts(recipe: Recipe) -> list[ParallelText]:
    """The memories as lines and translations: one text if they cover the same lines, else one
    for each translator. A line that is translated twice by one translator keeps its last."""
    translated: dict[str, dict[str, str]] = {}
    for memory in recipe.memories:
        lines = translated.setdefault(memory.translator, {})
        lines.update(_pairs(memory, recipe.settings.source, recipe.settings.target))
    first = next(iter(translated.values()))
    if all(lines.keys() == first.keys() for lines in translated.values()):
        targets = {name: [lines[line] for line in first] for name, lines in translated.items()}
        return [ParallelText(list(first), targets)]
    return [
        ParallelText(list(lines), {name: list(lines.values())})
        for name, lines in translated.items()
    ]


def _pairs(memory: Memory, source: str, target: str) -> Iterator[tuple[str, str]]:
    if memory.target is None:
        return read_memory(memory.source, source, target)
    return read_parallel(memory.source, memory.target)


def _provenance(recipe: Recipe, lines: int, day: str) -> dict[str, str]:
    files = sorted(
        {f"{memory.source.parent.name}/{memory.source.name}" for memory in recipe.memories}
    )
    return {
        "source": recipe.settings.source,
        "target": recipe.settings.target,
        "translator": ",".join(sorted({memory.translator for memory in recipe.memories})),
        "built": day,
        "method": recipe.method,
        "text": ", ".join(files),
        "sentences": str(lines),
        "calls": "0",
        "licence": recipe.licence or "not stated",
    }
