"""What a run would send, found out without sending and without leaving anything behind."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from prism_core.settings.job import Job
from prism_core.settings.sections import StateSettings
from prism_core.settings.translators import TranslatorSettings
from prism_core.stages.asking import who_may_answer
from prism_core.stages.gather import Wave
from prism_core.stages.report import Summary
from prism_core.stages.shared import given_store, open_store
from prism_core.state import DocumentStatus, Store, load_key, places, user_key
from prism_core.translators import Expected, Forecast, Item, Terms


@dataclass(frozen=True, slots=True)
class Candidate:
    """A translator that might be asked: its settings, and its terms."""

    settings: TranslatorSettings
    terms: Terms

    def forecast(self) -> Forecast | None:
        """To count what it would be sent; None when its limits are not known."""
        return Forecast(self.terms.limits, self.terms.price) if self.terms.limits else None


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What a run would do: what was found, and what the translator would be sent.

    ``samples`` are texts as a request would hold them: for the person at the terminal only. The
    run itself draws afresh, so its texts will differ.
    """

    summary: Summary
    expected: Expected
    samples: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Obstacle:
    """Why a document would not be translated, or not all of it: a class, and for how much of it.

    ``sentences`` is None for a document of which nothing would be sent, else how many of its
    sentences would be withheld. ``path`` is for the person at the terminal only.
    """

    path: str
    reason: str
    sentences: int | None = None
    advice: str = ""


@dataclass(frozen=True, slots=True)
class Plan:
    """What a run with each of several translators would send, and what it would leave out.

    ``summary`` and ``obstacles`` are those of a run with the first.
    """

    summary: Summary
    rows: tuple[tuple[Candidate, Expected | None], ...]
    obstacles: tuple[Obstacle, ...]


@contextmanager
def rehearsed(job: Job) -> Iterator[Job]:
    """``job`` on a temporary state store, which is gone afterwards.

    It starts as a copy of the archive's own store, if there is one, so that what was answered
    already is not counted again; else it is empty and has a key that is written nowhere.
    """
    folder = Path(tempfile.mkdtemp(prefix="prism-rehearsal-"))
    settings = job.settings.model_copy(update={"state": StateSettings()})
    temporary = job.model_copy(update={"temporary_state": folder, "settings": settings})
    try:
        key = secrets.token_bytes(user_key.KEY_BYTES)
        if places.has_state(job.state_folder, job.settings.state.url):
            key = load_key(job.settings.key)
            places.copy_state(job.state_folder, job.settings.state.url, folder)
        with given_store(temporary, Store.open(folder, key)):
            yield temporary
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def count(job: Job, waves: Sequence[Wave], forecasts: Sequence[Forecast]) -> None:
    """Add what ``waves``, which are encoded, would send to each of ``forecasts``.

    What is under way in batches of the first translator is sent already.
    """
    store = open_store(job)
    seen = store.batches.held(who_may_answer(job)[0])
    for wave in waves:
        waiting = [pair for pair in store.sentences.to_send(wave) if pair[0] not in seen]
        seen.update(row_id for row_id, _ in waiting)
        items = [Item(row_id, text) for row_id, text in waiting]
        for forecast in forecasts:
            forecast.add(items)


def drawn(job: Job, waves: Sequence[Wave], shown: int) -> tuple[str, ...]:
    """At most ``shown`` texts that ``waves``, which are encoded, would send."""
    samples: list[str] = []
    for wave in waves:
        if len(samples) < shown:
            texts = [text for _, text in open_store(job).sentences.to_send(wave)]
            wanted = min(shown - len(samples), len(texts))
            samples += secrets.SystemRandom().sample(texts, wanted)
    return tuple(samples)


def obstacles(job: Job) -> tuple[Obstacle, ...]:
    """Every document that would fail, then every one with sentences that would be withheld."""
    store = open_store(job)
    withheld = store.documents.withheld(job.run_id)
    failed: list[Obstacle] = []
    in_part: list[Obstacle] = []
    for document in store.documents.of_run(job.run_id):
        if document.status is DocumentStatus.FAILED:
            failed.append(Obstacle(document.path, document.failure, advice=document.advice))
        for reason, count in sorted(withheld.get(document.id, Counter()).items()):
            in_part.append(Obstacle(document.path, reason, count))
    return (*sorted(failed, key=_by_class), *sorted(in_part, key=_by_class))


def _by_class(obstacle: Obstacle) -> tuple[str, str]:
    return obstacle.reason, obstacle.path
