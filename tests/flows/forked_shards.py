"""Shards in forks of this process, and processes of them that are killed."""

from __future__ import annotations

import multiprocessing
import os
import random
import threading
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from functools import cache
from multiprocessing.process import BaseProcess
from pathlib import Path

from sqlalchemy import func, select

from prism_core.errors import PrismError
from prism_core.jobs import run_shard
from prism_core.language import LanguageModel
from prism_core.settings import Job, Shard
from prism_core.settings.run_settings import ShardSettings, StateSettings
from prism_core.state import StatePlace
from prism_core.state.schema import requests
from tests.postgres import PostgresServer
from tests.stages.archive import ADJECTIVES, NOUNS, VERBS, backwards, make_job, write_archive

FORK = multiprocessing.get_context("fork")


@dataclass(frozen=True)
class Forked:
    process: BaseProcess
    phase: str

    def is_running(self) -> bool:
        return self.process.is_alive()

    def stop(self) -> None:
        self.process.kill()
        self.process.join()


def _work(job: Job) -> None:
    try:
        run_shard(job)
    except PrismError:
        os._exit(1)
    os._exit(0)


@dataclass
class ForkedFleet:
    """Shards in forks of this process, which have the translator that a test installed.

    It loads the language model first, as all of them would: half of what a small shard takes.
    """

    pause: float = 0.05
    started: list[Forked] = field(default_factory=list)

    def start(self, job: Job, shard: Shard) -> Forked:
        told = job.model_copy(update={"shard": shard})
        LanguageModel.load("en", None, lemmas=False)
        process = FORK.Process(target=_work, args=(told,))
        process.start()
        self.started.append(Forked(process, shard.phase))
        return self.started[-1]

    def kill_one(self) -> str:
        """Kill a process at work, as an operator or a full memory would; gives its phase, empty
        where none is at work."""
        alive = [each for each in self.started if each.process.is_alive()]
        if not alive:
            return ""
        killed = random.choice(alive)
        killed.process.kill()
        return killed.phase


@contextmanager
def killing(fleet: ForkedFleet, most: int, rest: float) -> Iterator[list[str]]:
    """Kill processes of ``fleet`` at random moments while the block lasts, ``most`` at most; gives
    their phases."""
    done, killed = threading.Event(), list[str]()

    def kill() -> None:
        while len(killed) < most and not done.wait(random.uniform(0, rest)):
            if phase := fleet.kill_one():
                killed.append(phase)

    thread = threading.Thread(target=kill)
    thread.start()
    try:
        yield killed
    finally:
        done.set()
        thread.join()


def keep_language_model() -> None:
    """Load the model once for this process and its forks, for as long as it lasts."""
    load = cache(LanguageModel.load)
    LanguageModel.load = staticmethod(load)  # type: ignore[method-assign]
    load("en", None, lemmas=False)


def make_sharded(folder: Path, postgres: PostgresServer, count: int, **changes: object) -> Job:
    shards = ShardSettings(count=count, attempts=100)
    state = StateSettings(url=postgres.new_url())
    return make_job(folder, state=state, shards=shards, **changes)


def texts_by_status(job: Job) -> dict[str, int]:
    """How many texts were in the requests that stand so in the database."""
    with closing(StatePlace.of(job).open(read_only=True)) as database:
        query = select(requests.c.status, func.sum(requests.c.texts)).group_by(requests.c.status)
        return {row[0]: int(row[1]) for row in database.rows(query)}


def write_clauses(folder: Path, documents: int, seed: int = 0) -> dict[str, bytes]:
    """Write an archive of ``documents`` into ``folder``, no sentence twice; what the translator
    that spells backwards makes of each."""
    texts = {f"{n}.txt": clauses(seed + n, 12) for n in range(documents)}
    write_archive(folder, texts)
    return {name: backwards(text).encode() for name, text in texts.items()}


def clauses(seed: int, count: int) -> str:
    """Sentences that are all different, in paragraphs of two."""
    rng = random.Random(seed)

    def clause() -> str:
        subject, thing = rng.sample(NOUNS, 2)
        first, second = rng.sample(ADJECTIVES, 2)
        return f"{first} {subject} {rng.choice(VERBS)} the {second} {thing}"

    lines = [f"The {clause()} and the {clause()}." for _ in range(count)]
    return "\n\n".join(" ".join(pair) for pair in zip(lines[::2], lines[1::2], strict=True)) + "\n"
