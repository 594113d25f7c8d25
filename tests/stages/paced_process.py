"""Real processes that share a pace, forked from one that has imported everything."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerProcess
from typing import NamedTuple

from prism_core.errors import Transient
from prism_core.settings import TranslatorSettings
from prism_core.stages import open_shared_pace
from prism_core.translators import Item, Scheduler, make_translator
from tests.translators.memory_ledger import MemoryLedger

NOBODY = "http://127.0.0.1:9/v1"
_CONTEXT = multiprocessing.get_context("forkserver")
_CONTEXT.set_forkserver_preload([__name__, "prism_core.translators.openai.adapter"])


class Ended(NamedTuple):
    """``departures``: when each request left, in monotonic seconds of the machine."""

    answered: int
    stopped: str | None
    departures: list[float]


class TimedLedger(MemoryLedger):
    def __init__(self) -> None:
        super().__init__()
        self.departures: list[float] = []

    def sending(self, request_id: str, ids: Sequence[str], marks: int = 0) -> None:
        super().sending(request_id, ids, marks)
        self.departures.append(time.monotonic())


@dataclass
class PacedProcess:
    """A process that sends so many sentences, one a request, once it is told to start."""

    process: ForkServerProcess
    line: Connection

    @classmethod
    def ready(
        cls, name: str, sentences: int, settings: TranslatorSettings, key: str
    ) -> PacedProcess:
        ours, theirs = _CONTEXT.Pipe()
        told = (theirs, name, sentences, settings.model_dump_json(), key)
        process = _CONTEXT.Process(target=_child, args=told, daemon=True)
        process.start()
        theirs.close()
        return cls(process, ours)

    def wait_until_ready(self) -> None:
        assert self.line.recv() == "ready"

    def start(self) -> None:
        self.line.send("go")

    def kill(self) -> None:
        """``kill -9``."""
        self.process.kill()
        self.process.join()

    def ended(self) -> Ended:
        """What it says of its end."""
        assert self.line.poll(60), "the process does not come to its end"
        return self.line.recv()


def _child(line: Connection, name: str, sentences: int, settings: str, key: str) -> None:
    os.environ["OPENAI_API_KEY"] = key
    chosen = json.loads(settings)
    asyncio.run(_warm_up(TranslatorSettings.choose(**chosen | {"base_url": NOBODY})))
    line.send(asyncio.run(_run(line, name, sentences, TranslatorSettings.choose(**chosen))))


async def _warm_up(settings: TranslatorSettings) -> None:
    """Load what a first request needs: on a busy machine that takes many seconds."""
    translator = make_translator(settings, "en", "es")
    with suppress(Transient):
        await translator.translate(["Nobody hears this."], "en", "es")
    await translator.close()


async def _run(line: Connection, name: str, sentences: int, settings: TranslatorSettings) -> Ended:
    translator = make_translator(settings, "en", "es")
    items = [
        Item(str(n), f"The {name} ship number {n} left the harbour.") for n in range(sentences)
    ]
    try:
        with open_shared_pace(settings, translator) as pace:
            line.send("ready")
            line.recv()
            ledger = TimedLedger()
            scheduler = Scheduler(translator, "en", "es", ledger=ledger, pace=pace)
            outcome = await scheduler.run(items)
    finally:
        await translator.close()
    stopped = None if outcome.stopped is None else type(outcome.stopped).__name__
    return Ended(outcome.answered, stopped, ledger.departures)
