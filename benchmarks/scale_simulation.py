"""How long many workers take at one provider: the real scheduler and pace, in virtual time.

    python -m benchmarks.scale_simulation [--only slow limit many trouble noise] [--seed 1] [--json]

Nothing is waited for: the event loop skips to the next moment at which something happens. Real are
``Scheduler``, ``SharedPace`` and ``SharedMeters`` (in a file); simulated are the provider, the ways
to it and to the database, and time. What a worker computes itself is not in it, so this is how far
the translator and the pace let an archive scale. An archive is cut into a shard for each worker by
a digest, as the documents of a real one are, so shards differ in size. Rows of:

* ``case, workers, requests``
* ``slow``: a provider that answers after 4 s in the median and has no rate; a worker asks for 4
  things at a time. ``speed_up`` against one worker.
* ``limit``: workers on two hosts, 20 and 40 ms from the database, share a limit; ``many``: 16,
  64 and 256 of them, which takes five minutes.
* ``trouble``: the same for 4 workers, where of all requests 1 % end in a 500, and 1 % in a 429 that
  asks to wait for two seconds.
* ``noise``: 600 requests of a worker, 4 at a time, of which the provider refuses a share at
  random, with and without a stated rate of 120 a minute; four workers that share 1,500; and limits
  that are not stated. Without a limit, the time without refusals stands for the ideal.
* ``seconds, ideal_seconds, ratio_to_ideal``: until the last worker has ended, and how long the
  limit alone would take (``slow``: one worker, by the number of workers).
* ``refused``: requests over the provider's limit; ``asked``: how often the database was asked, a
  second; ``first_ended``: the share of the time after which the first worker had nothing to do.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, Final

from benchmarks.measure import argument_parser, show
from benchmarks.throughput import Forgetful
from prism_core.errors import RateLimited, Transient
from prism_core.fleet import SharedMeters, SharedPace
from prism_core.translators import Item, Limits, Scheduler
from prism_core.translators.adapters.fake import mark_words
from tests.translators import virtual_time

TEXT: Final = "The ship reached the old harbour long before a heavy storm came in."
SINCE: Final = 1.8e9
"""What the database takes for the time of day when the simulation begins."""


@dataclass(frozen=True)
class World:
    """What is simulated. Ways are one way, in seconds; shares are of all requests.

    ``stated`` is the rate in the settings by the provider's; None where it is not in them.
    """

    workers: int
    requests: int
    per_minute: int | None = None
    concurrency: int = 64
    latency: float = 0.5
    spread: float = 0.3
    hosts: Sequence[float] = (0.02, 0.04)
    failing: float = 0.0
    refusing: float = 0.0
    is_shared: bool = True
    stated: float | None = 1.0
    seed: int = 1

    @property
    def limits(self) -> Limits:
        """One sentence a request: it is requests that are counted."""
        stated = self.per_minute and self.stated and int(self.per_minute * self.stated)
        return Limits(*(1, 1_000), requests_per_minute=stated, concurrency=self.concurrency)

    @property
    def ideal_seconds(self) -> float:
        """How long the limit alone would take."""
        return 60 * self.requests / self.per_minute if self.per_minute else 0.0

    def shards(self) -> list[list[Item]]:
        """The archive in as many parts as there are workers."""
        parts: list[list[Item]] = [[] for _ in range(self.workers)]
        for number in range(self.requests):
            digest = hashlib.sha256(f"{self.seed} {number}".encode()).digest()
            parts[int.from_bytes(digest[:8], "big") % self.workers].append(Item(str(number), TEXT))
        return parts


@dataclass
class Provider:
    """A translator behind a token bucket that holds one second of its limit."""

    world: World
    rng: Random
    name: str = "simulated"
    endpoint: str = "localhost"
    price: None = None
    refused: int = 0
    filled_at: float = 0.0
    level: float = field(init=False)

    def __post_init__(self) -> None:
        self.limits = self.world.limits
        self.level = self._most = max(1.0, (self.world.per_minute or 0) / 60)

    async def translate(self, texts: Sequence[str], *_languages: str) -> list[str]:
        """The texts with every word marked, after a while."""
        await asyncio.sleep(self.rng.uniform(0.005, 0.05))
        self._count()
        world, chance = self.world, self.rng.random()
        if chance < world.refusing:
            raise RateLimited("a 429", retry_after=2.0)
        await asyncio.sleep(world.latency * self.rng.lognormvariate(0, world.spread))
        if chance < world.refusing + world.failing:
            raise Transient("a 500")
        return [mark_words(text) for text in texts]

    async def close(self) -> None:
        """Nothing is open."""

    def _count(self) -> None:
        if self.world.per_minute is None:
            return
        now, rate = virtual_time.now(), self.world.per_minute / 60
        self.level = min(self._most, self.level + (now - self.filled_at) * rate)
        self.filled_at = now
        if self.level < 1:
            self.refused += 1
            raise RateLimited("a 429", retry_after=(1 - self.level) / rate)
        self.level -= 1


@dataclass
class Route:
    """The route of one host to the database, which answers one question at a time."""

    seconds: float
    rng: Random
    database: asyncio.Lock
    asked: int = 0

    async def ask(self, call: Callable[[], Any]) -> Any:
        """What ``call`` gives, as late as it would come."""
        self.asked += 1
        await asyncio.sleep(self.seconds * self.rng.uniform(1, 1.3))
        async with self.database:
            await asyncio.sleep(0.001)
            answer = call()
        await asyncio.sleep(self.seconds * self.rng.uniform(1, 1.3))
        return answer


def simulate(world: World) -> dict[str, float]:
    """Let all workers of ``world`` do their shard, from the same moment on."""
    with TemporaryDirectory() as folder:
        return virtual_time.run(_simulate(world, Path(folder, "pace.db")))


async def _simulate(world: World, place: Path) -> dict[str, float]:
    rng = Random(world.seed)
    provider, database = Provider(world, rng), asyncio.Lock()
    ways = [Route(seconds, rng, database) for seconds in world.hosts]
    meters = SharedMeters.open(place, "a", lambda: virtual_time.now() + SINCE)
    ended: list[float] = []

    async def work(number: int, shard: Sequence[Item]) -> None:
        way, skew = ways[number % len(ways)], rng.uniform(-1e5, 1e5)
        pace = SharedPace(world.limits, meters, lambda: virtual_time.now() + skew, rng, way.ask)
        outcome = await Scheduler(
            provider,
            *("en", "es"),
            ledger=Forgetful(),
            clock=virtual_time.now,
            rng=rng,
            pace=pace if world.is_shared else None,
        ).run(shard)
        if outcome.answered != len(shard):
            raise RuntimeError(f"{len(shard) - outcome.answered} requests are lost")
        ended.append(virtual_time.now())

    await asyncio.gather(*(work(*numbered) for numbered in enumerate(world.shards())))
    meters.close()
    return {
        "seconds": max(ended),
        "refused": provider.refused,
        "asked": sum(way.asked for way in ways) / max(ended),
        "first_ended": min(ended) / max(ended),
    }


def slow(seed: int) -> Iterator[dict[str, object]]:
    """Workers at a provider that is slow and has no rate."""
    alone = 0.0
    for workers in (1, 2, 4, 16):
        world = World(workers, 4_000, None, concurrency=4, latency=4.0, seed=seed)
        found = simulate(world)
        alone = alone or found["seconds"]
        speed_up = alone / found["seconds"]
        yield {**_row("slow", world, found, alone / workers), "speed_up": speed_up}


def limit(seed: int) -> Iterator[dict[str, object]]:
    """Workers on two hosts that share a limit."""
    for per_minute, workers in ((120, 4), (1_500, 1), (1_500, 2), (1_500, 4), (6_000, 4)):
        yield _limited("limit", World(workers, 10 * per_minute, per_minute, seed=seed))


def many(seed: int) -> Iterator[dict[str, object]]:
    """Many of them."""
    for workers, requests, per_minute in (
        (16, 15_000, 3_000),
        (64, 15_000, 3_000),
        (256, 6_000, 6_000),
    ):
        yield _limited("many", World(workers, requests, per_minute, seed=seed))


def trouble(seed: int) -> Iterator[dict[str, object]]:
    """Where requests fail, and are refused for reasons of the provider's own."""
    for failing, refusing in ((0.01, 0.0), (0.01, 0.01)):
        world = World(4, 15_000, 1_500, failing=failing, refusing=refusing, seed=seed)
        yield _limited("trouble", world)


def noise(seed: int) -> Iterator[dict[str, object]]:
    """A worker that is refused at random, and one that has to find a limit out."""
    alone = [World(1, 600, rate, 4, 1.0, is_shared=False, seed=seed) for rate in (None, 120)]
    for world in (*alone, World(4, 6_000, 1_500, seed=seed)):
        calm = simulate(world)["seconds"]
        for share in (0.01, 0.05, 0.1, 0.2, 0.5)[: 4 if world.is_shared else 5]:
            found = simulate(replace(world, refusing=share))
            yield {**_row("noise", world, found, calm), "refusing": share}
    for per_minute, concurrency in ((60, 4), (120, 4), (600, 16), (1_500, 64)):
        world = World(1, 10 * per_minute, per_minute, concurrency, is_shared=False, stated=None)
        yield {**_limited("noise", replace(world, seed=seed)), "refusing": 0.0}


def _limited(case: str, world: World) -> dict[str, object]:
    return _row(case, world, simulate(world), world.ideal_seconds)


def _row(case: str, world: World, found: Mapping[str, float], ideal: float) -> dict[str, object]:
    return {
        "case": case,
        "workers": world.workers,
        "requests": world.requests,
        "per_minute": world.per_minute or 0,
        "seconds": found["seconds"],
        "ideal_seconds": ideal,
        "ratio_to_ideal": found["seconds"] / ideal,
        "refused": found["refused"],
        "asked": found["asked"],
        "first_ended": found["first_ended"],
    }


CASES: Final = {"slow": slow, "limit": limit, "many": many, "trouble": trouble, "noise": noise}


def main() -> None:
    """Simulate every case and print the rows."""
    parser = argument_parser(__doc__)
    parser.add_argument("--only", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--seed", type=int, default=1)
    arguments: argparse.Namespace = parser.parse_args()
    for case in arguments.only:
        show(list(CASES[case](arguments.seed)), as_json=arguments.json)


if __name__ == "__main__":
    main()
