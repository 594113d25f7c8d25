"""How close a job comes to the time that the provider's limit alone would take.

    python -m benchmarks.throughput [--seconds 75] [--latency 0.3] [--json]
    python -m benchmarks.throughput --processes 2 [--shared-pace postgresql://user@host/database]
    python -m benchmarks.throughput --processes 4 --hosts 0.02 0.04
    python -m benchmarks.throughput --unstated

A loopback server behaves like the chat completions API, answers after 300 ms, and enforces its
limit (requests or tokens a minute) with a token bucket. The whole path is real: scheduler, pace,
adapter, HTTP. For each limit: ``limit, sentences, seconds, ideal_seconds, ratio_to_ideal,
over_limit`` (refused requests after the first minute) and ``refused`` (all of them).

With ``--processes`` so many share the limit, each with its part of the sentences; seconds count
from when all are ready to when the last has ended. With ``--hosts`` they are so many hosts, dealt
to the processes in turns, each so many seconds from a PostgreSQL server of the benchmark's own, one
way, as a proxy on loopback has it. With ``--unstated`` nobody tells PRISM the limit, and the pace
is learned from refusals.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import cycle
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

from benchmarks.measure import argument_parser, show
from prism_core.alignment import Alignment
from prism_core.settings import TranslatorSettings
from prism_core.stages import open_shared_pace
from prism_core.translators import Item, Limits, Scheduler, make_translator
from prism_core.translators.requests import pack_requests
from tests.delaying_proxy import delaying_proxy
from tests.openai_server import OpenAIServer
from tests.postgres import USER, postgres_server

_WORDS: Final = "ship number reached the old harbour long before a heavy storm came in".split()


@dataclass(frozen=True)
class Case:
    """A limit of the provider's, and how many texts a request holds."""

    requests_per_minute: int | None
    tokens_per_minute: int | None
    texts_per_request: int

    @property
    def name(self) -> str:
        """The limit in words."""
        if self.tokens_per_minute:
            return f"{self.tokens_per_minute:,} tokens/min"
        return f"{self.requests_per_minute:,} requests/min"

    @property
    def stated(self) -> dict[str, int | None]:
        """The limit as settings state it."""
        return {
            "requests_per_minute": self.requests_per_minute,
            "tokens_per_minute": self.tokens_per_minute,
        }


class Ran(NamedTuple):
    """What one process did, and when (monotonic)."""

    answered: int
    began: float
    ended: float


CASES: Final = (Case(120, None, 40), Case(1_500, None, 10), Case(None, 150_000, 40))


_UNSTATED: Final = {"concurrency": 16}
"""Enough to find the limit out: the default of 4 stays below the highest."""


class Forgetful:
    """A ledger that costs nothing: the store is measured elsewhere."""

    def sending(self, request_id: str, ids: Sequence[str], marks: int = 0) -> None:
        """Forget."""

    def answered(
        self,
        request_id: str,
        answers: Mapping[str, str],
        alignments: Mapping[str, Alignment] | None = None,
    ) -> None:
        """Forget."""

    def failed(self, request_id: str, ids: Sequence[str], failure: str) -> None:
        """Forget."""


def main() -> None:
    """Measure every limit and print the rows."""
    parser = argument_parser(__doc__)
    parser.add_argument("--seconds", type=float, default=75, help="ideal length of each case")
    parser.add_argument("--latency", type=float, default=0.3, help="of each answer, in seconds")
    parser.add_argument("--processes", type=int, default=1, help="how many share the limit")
    parser.add_argument("--shared-pace", help="where they count; a file of its own if not said")
    parser.add_argument("--hosts", type=float, nargs="+", help="seconds from each to PostgreSQL")
    parser.add_argument("--limits", type=int, nargs="+", default=range(len(CASES)), help="which")
    parser.add_argument("--unstated", action="store_true", help="the limit is not in the settings")
    arguments = parser.parse_args()
    cases = [CASES[number] for number in arguments.limits]
    show([measured(case, arguments) for case in cases], as_json=arguments.json)


def measured(case: Case, arguments: argparse.Namespace) -> dict[str, object]:
    """One case, with as many sentences as the limit lets through in so many seconds."""
    with (
        shared_places(arguments) as places,
        OpenAIServer(
            requests_per_minute=case.requests_per_minute,
            tokens_per_minute=case.tokens_per_minute,
            latency=arguments.latency,
        ) as server,
    ):
        os.environ["OPENAI_API_KEY"] = server.key
        limits = _UNSTATED if arguments.unstated else case.stated
        settings = [
            server.settings(texts_per_request=case.texts_per_request, shared_pace=place, **limits)
            for place, _ in zip(cycle(places), range(arguments.processes))
        ]
        items = sized(make_translator(settings[0], "en", "es").limits, case, arguments.seconds)
        runs = run_together(settings, items)
        began, ended = min(run.began for run in runs), max(run.ended for run in runs)
        late = [moment for moment in server.refusals if moment - began > 60]
        ideal = ideal_seconds(case, server)
    return {
        "limit": case.name,
        "sentences": sum(run.answered for run in runs),
        "seconds": ended - began,
        "ideal_seconds": ideal,
        "ratio_to_ideal": (ended - began) / ideal,
        "over_limit": len(late),
        "refused": server.refused,
    }


@contextmanager
def shared_places(arguments: argparse.Namespace) -> Iterator[Sequence[Path | str | None]]:
    """Where processes count together, as each host reaches it; None for one that is alone."""
    with ExitStack() as closing:
        if arguments.hosts:
            server = closing.enter_context(postgres_server())
            database = server.new_url().partition("?")[0].rpartition("/")[2]
            yield [
                f"postgresql://{USER}@127.0.0.1:{port}/{database}?sslmode=disable"
                for port in (
                    closing.enter_context(delaying_proxy(server.port, seconds))
                    for seconds in arguments.hosts
                )
            ]
        elif arguments.processes > 1 or arguments.shared_pace:
            folder = closing.enter_context(TemporaryDirectory())
            yield [arguments.shared_pace or Path(folder, "pace.db")]
        else:
            yield [None]


def run_together(settings: Sequence[TranslatorSettings], items: Sequence[Item]) -> Sequence[Ran]:
    """Translate a part of ``items`` in each process, all at once."""
    if len(settings) == 1:
        return [asyncio.run(_run(settings[0], items))]
    context = multiprocessing.get_context("spawn")
    lines = []
    for number, own in enumerate(settings):
        line, theirs = context.Pipe()
        told = (theirs, own.model_dump_json(), items[number :: len(settings)])
        context.Process(target=_process, args=told, daemon=True).start()
        lines.append(line)
    for line in lines:
        line.recv()
    for line in lines:
        line.send("go")
    return [line.recv() for line in lines]


def _process(line: Connection, settings: str, items: Sequence[Item]) -> None:
    line.send(asyncio.run(_run(TranslatorSettings.choose(**json.loads(settings)), items, line)))


async def _run(
    settings: TranslatorSettings, items: Sequence[Item], line: Connection | None = None
) -> Ran:
    """Translate ``items``, after the others are ready too where there is a ``line`` to them."""
    translator = make_translator(settings, "en", "es")
    try:
        with open_shared_pace(settings, translator) as pace:
            if line is not None:
                line.send("ready")
                line.recv()
            scheduler = Scheduler(translator, "en", "es", ledger=Forgetful(), pace=pace)
            began = time.monotonic()
            outcome = await scheduler.run(items)
            return Ran(outcome.answered, began, time.monotonic())
    finally:
        await translator.close()


def sized(limits: Limits, case: Case, seconds: float) -> list[Item]:
    """Sentences for ``seconds`` at the limit of ``case``."""
    wanted = seconds / 60 * (case.tokens_per_minute or case.requests_per_minute or 0)
    items: list[Item] = []
    used = 0.0
    for batch in pack_requests(_items(), limits, _never):
        used += limits.load([item.text for item in batch]).tokens if case.tokens_per_minute else 1
        if used > wanted:
            return items
        items += batch
    return items


def ideal_seconds(case: Case, server: OpenAIServer) -> float:
    """How long the requests that were let through take at exactly the limit."""
    if case.requests_per_minute:
        return 60 * len(server.batches) / case.requests_per_minute
    tokens = sum(len(body) / 4 for body in server.bodies) * len(server.batches)
    return 60 * tokens / len(server.bodies) / (case.tokens_per_minute or 1)


def _items() -> Iterator[Item]:
    number = 0
    while True:
        number += 1
        words = _WORDS[: 5 + number % 9]
        yield Item(str(number), f"The {' '.join(words)} on day {number}.")


def _never(item: Item) -> None:
    raise ValueError(f"item {item.id} is too long")


if __name__ == "__main__":
    main()
