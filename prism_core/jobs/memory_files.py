"""What a finished run translated, as a memory in a file; and a sealed one made plain."""

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
class Exported:
    """What was written: where, how many sentences, and how many with source words left in."""

    path: Path
    sentences: int = field(default=0)
    with_source_words: int = field(default=0)


def place_of_export(file: Path, *, plain: bool) -> Path:
    """Where a memory called ``file`` is written: ``NAME.tmx``, or sealed ``NAME.tmx.sealed``.

    Raises ``ConfigurationError`` for a name that says something else.
    """
    inner = file.with_suffix("") if file.suffix == SUFFIX else file
    if inner.suffix.lower() != ".tmx":
        raise ConfigurationError(f"{file}: a translation memory is called NAME.tmx")
    if plain and inner != file:
        raise ConfigurationError(f"{file} would be in clear, and its name says it is sealed")
    return inner if plain else inner.with_name(inner.name + SUFFIX)


def export_memory(job: Job, file: Path, *, plain: bool, replace: bool) -> Exported:
    """Write the finished sentences of the last run over ``job.output`` to ``file``.

    Once each, in an order without meaning, and nothing that tells of documents or of times. Sealed
    under the state key unless ``plain``. Raises ``ConfigurationError`` when there is nothing to
    export or ``file`` is there already, ``OutputError`` when it cannot be written, and
    ``StateError``.
    """
    exported = Exported(place_of_export(file, plain=plain))
    run = last_report(job).row
    with Run.view(job) as view:
        source = ALL_LANGUAGES if run["source"] == AUTO else run["source"]
        content = tmx(_finished(view, run["run_id"], exported), source, run["target"])
        key = None if plain else UserKey(job.settings.key).load()
        write_memory(exported.path, content, key, replace=replace)
    return exported


def open_memory(job: Job, sealed: Path, file: Path, *, replace: bool) -> None:
    """Write what is sealed in ``sealed`` to ``file`` in clear; all of it or nothing.

    Raises ``WrongKey``, ``ConfigurationError`` when it is no sealed memory, and ``OutputError``.
    """
    if not is_sealed(sealed):
        raise ConfigurationError(f"{sealed} is no memory that PRISM sealed")
    with opener(UserKey(job.settings.key).load)(sealed) as content:
        write_memory(file, iter(partial(content.read, _BLOCK), b""), None, replace=replace)


def _finished(view: Run, run_id: str, exported: Exported) -> Iterator[Translated]:
    """The finished sentences of a run, each counted in ``exported``."""
    for sentence in view.store.recalled.finished_sentences(run_id):
        if is_writable(sentence.source, sentence.translation):
            exported.sentences += 1
            exported.with_source_words += bool(sentence.untranslated)
            yield Translated(
                sentence.source, sentence.translation, sentence.untranslated, sentence.language
            )
    if not exported.sentences:
        raise ConfigurationError(
            f"{view.job.output} holds no translated sentence of its last finished run, and nothing "
            "was written; if a run was stopped since, give its command again first"
        )
