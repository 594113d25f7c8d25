"""How close a job comes to the time that the provider's limit alone would take.

    python -m benchmarks.throughput [--seconds 75] [--latency 0.3] [--json]

A loopback server behaves like the chat completions API, answers after 300 ms, and enforces its
limit (requests or tokens a minute) with a token bucket. The whole path is real: scheduler, pace,
adapter, HTTP. For each limit: ``limit, sentences, seconds, ideal_seconds, ratio_to_ideal,
over_limit`` (refused requests after the first minute) and ``refused`` (all of them).
"""

from __future__ import annotations

import argparse
import asyncio
import os
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from benchmarks.measure import show
from prism_core.translators import make_translator
from prism_core.translators.base import Limits, Translator
from prism_core.translators.batches import Item, Outcome, packed
from prism_core.translators.scheduler import Scheduler
from tests.openai_server import OpenAIServer

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


CASES: Final = (Case(120, None, 40), Case(1_500, None, 10), Case(None, 150_000, 40))


class _Forgetful:
    """A ledger that costs nothing: the store is measured elsewhere."""

    def sending(self, request_id: str, ids: Sequence[str]) -> None:
        """Forget."""

    def answered(self, request_id: str, answers: Mapping[str, str]) -> None:
        """Forget."""

    def failed(self, request_id: str, ids: Sequence[str], failure: str) -> None:
        """Forget."""


def main() -> None:
    """Measure every limit and print the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=75, help="ideal length of each case")
    parser.add_argument("--latency", type=float, default=0.3, help="of each answer, in seconds")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = [measured(case, arguments.seconds, arguments.latency) for case in CASES]
    show(rows, as_json=arguments.json)


def measured(case: Case, seconds: float, latency: float) -> dict[str, object]:
    """One case, with as many sentences as the limit lets through in ``seconds``."""
    with OpenAIServer(
        requests_per_minute=case.requests_per_minute,
        tokens_per_minute=case.tokens_per_minute,
        latency=latency,
    ) as server:
        os.environ["OPENAI_API_KEY"] = server.key
        settings = server.settings(
            texts_per_request=case.texts_per_request,
            requests_per_minute=case.requests_per_minute,
            tokens_per_minute=case.tokens_per_minute,
        )
        translator = make_translator(settings, "en", "es")
        items = sized(translator.limits, case, seconds)
        started = time.monotonic()
        outcome = asyncio.run(_run(translator, items))
        late = [moment for moment in server.refusals if moment - started > 60]
        ideal = ideal_seconds(case, server)
    return {
        "limit": case.name,
        "sentences": outcome.answered,
        "seconds": outcome.seconds,
        "ideal_seconds": ideal,
        "ratio_to_ideal": outcome.seconds / ideal,
        "over_limit": len(late),
        "refused": server.refused,
    }


async def _run(translator: Translator, items: Sequence[Item]) -> Outcome:
    try:
        return await Scheduler(translator, "en", "es", ledger=_Forgetful()).run(items)
    finally:
        await translator.close()


def sized(limits: Limits, case: Case, seconds: float) -> list[Item]:
    """Sentences for ``seconds`` at the limit of ``case``."""
    wanted = seconds / 60 * (case.tokens_per_minute or case.requests_per_minute or 0)
    items: list[Item] = []
    used = 0.0
    for batch in packed(_items(), limits, _never):
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
