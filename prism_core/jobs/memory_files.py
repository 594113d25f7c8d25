"""Export the translations of a finished run to a memory file, and open a sealed one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from prism_core.errors import ConfigurationError
from prism_core.jobs.translation import last_report
from prism_core.settings import AUTO, Job
from prism_core.stages import Run
from prism_core.state import UserKey
from prism_core.translation_memory import (
    ALL_LANGUAGES,
    SUFFIX,
    Translated,
    is_sealed,
    is_writable,
    opener,
    tmx,
    write_memory,
)

_BLOCK = 1 << 20


@dataclass(slots=True)
class ExportedMemory:
    """Path of the exported memory, its number of sentences and those with source words left in."""

    path: Path
    sentences: int = field(default=0)
    with_source_words: int = field(default=0)


def choose_memory_path(file: Path, *, plain: bool) -> Path:
    """Return the path for a memory called ``file``: ``NAME.tmx``, or sealed ``NAME.tmx.sealed``.

    Raises ``ConfigurationError`` for a name that contradicts that.
    """
    inner = file.with_suffix("") if file.suffix == SUFFIX else file
    if inner.suffix.lower() != ".tmx":
        raise ConfigurationError(f"{file}: the name of a translation memory ends in .tmx")
    if plain and inner != file:
        raise ConfigurationError(
            f"{file} would be written in clear, but its name says that it is sealed"
        )
    return inner if plain else inner.with_name(inner.name + SUFFIX)


def export_memory(job: Job, file: Path, *, plain: bool, replace: bool) -> ExportedMemory:
    """Write the finished sentences of the last run over ``job.output`` to ``file``.

    Each sentence is written once, in random order, without anything about documents or times. The
    file is sealed under the state key unless ``plain``. Raises ``ConfigurationError`` when there is
    nothing to export or ``file`` exists already, ``OutputError`` when it cannot be written, and
    ``StateError``.
    """
    exported = ExportedMemory(choose_memory_path(file, plain=plain))
    run = last_report(job).row
    with Run.view(job) as view:

        def finished() -> Iterator[Translated]:
            for sentence in view.store.recalled.finished_sentences(run["run_id"]):
                if is_writable(sentence.source, sentence.translation):
                    exported.sentences += 1
                    exported.with_source_words += bool(sentence.untranslated)
                    yield sentence
            if not exported.sentences:
                raise ConfigurationError(
                    f"{job.output} holds no translated sentence of its last finished run, and "
                    "nothing was written; if a run was stopped since, run its command again first"
                )

        source = ALL_LANGUAGES if run["source"] == AUTO else run["source"]
        content = tmx(finished(), source, run["target"])
        key = None if plain else UserKey(job.settings.key).load()
        write_memory(exported.path, content, key, replace=replace)
    return exported


def open_memory(job: Job, sealed: Path, file: Path, *, replace: bool) -> None:
    """Write the content of ``sealed`` to ``file`` in clear; all of it or nothing.

    Raises ``WrongKey``, ``ConfigurationError`` when it is no sealed memory, and ``OutputError``.
    """
    if not is_sealed(sealed):
        raise ConfigurationError(f"{sealed} is not a translation memory sealed by PRISM")
    with opener(UserKey(job.settings.key).load)(sealed) as content:
        write_memory(file, iter(partial(content.read, _BLOCK), b""), None, replace=replace)
