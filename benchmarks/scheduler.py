"""How near to a provider's rate limit the scheduler runs, and what it costs where there is none.

A loopback server that behaves like the chat completions API enforces the rate with a token
bucket; the whole path is real: scheduler, OpenAI adapter, HTTP. ``python -m benchmarks.scheduler``
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass

from prism_core.translators import make_translator
from prism_core.translators.batches import Item, Outcome
from prism_core.translators.scheduler import Scheduler
from tests.openai_server import OpenAIServer

TEXTS_PER_REQUEST = 10


@dataclass(frozen=True)
class Result:
    """``of_limit`` is requests that were let through a minute over the limit; None without one."""

    case: str
    limit_per_minute: int | None
    seconds: float
    requests: int
    refused: int
    requests_per_minute: float
    sentences_per_second: float
    of_limit: float | None


class _Forgetful:
    """A ledger that costs nothing: the store is measured elsewhere."""

    def sending(self, request_id: str, ids: Sequence[str]) -> None:
        """Forget."""

    def answered(self, request_id: str, answers: Mapping[str, str]) -> None:
        """Forget."""

    def failed(self, request_id: str, ids: Sequence[str], failure: str) -> None:
        """Forget."""


def _items_for(seconds: float) -> Iterator[Item]:
    """Sentences without end, for so many seconds."""
    end, number = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        number += 1
        yield Item(str(number), f"The ship number {number} reached the harbour before the storm.")


def _measure(case: str, arguments: argparse.Namespace, *, limit: int | None, told: bool) -> Result:
    with OpenAIServer(requests_per_minute=limit, latency=arguments.latency) as server:
        os.environ["OPENAI_API_KEY"] = server.key
        settings = server.settings(
            texts_per_request=TEXTS_PER_REQUEST,
            concurrency=arguments.concurrency,
            requests_per_minute=limit if told else None,
        )

        async def run() -> Outcome:
            translator = make_translator(settings, "en", "es")
            try:
                scheduler = Scheduler(translator, "en", "es", ledger=_Forgetful())
                return await scheduler.run(_items_for(arguments.seconds))
            finally:
                await translator.close()

        outcome = asyncio.run(run())
    let_through = (outcome.requests - server.refused) / outcome.seconds * 60
    return Result(
        case=case,
        limit_per_minute=limit,
        seconds=round(outcome.seconds, 2),
        requests=outcome.requests,
        refused=server.refused,
        requests_per_minute=round(let_through, 1),
        sentences_per_second=round(outcome.answered / outcome.seconds, 1),
        of_limit=round(let_through / limit, 3) if limit else None,
    )


def main() -> None:
    """Measure three cases and print them."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rpm", type=int, default=600, help="the server's limit")
    parser.add_argument("--seconds", type=float, default=20, help="length of each case")
    parser.add_argument("--latency", type=float, default=0.2, help="of each answer")
    parser.add_argument("--concurrency", type=int, default=8)
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    results = [
        _measure("limit stated in the settings", arguments, limit=arguments.rpm, told=True),
        _measure("limit unknown, learned from 429", arguments, limit=arguments.rpm, told=False),
        _measure("no limit", arguments, limit=None, told=False),
    ]
    if arguments.json:
        print(json.dumps([asdict(result) for result in results], indent=2))
        return
    for result in results:
        share = "" if result.of_limit is None else f", {result.of_limit:.1%} of the limit"
        print(
            f"{result.case}: {result.requests_per_minute:.0f} requests/min, "
            f"{result.refused} refused, {result.sentences_per_second:.0f} sentences/s{share}"
        )


if __name__ == "__main__":
    main()
