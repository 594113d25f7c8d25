"""Processes that lease their pace, in virtual time: real meters in a file, hosts whose clocks
differ, a database that is far away, whose clock is set, and processes that are held up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism_core.errors import PaceUnknown
from prism_core.fleet import SharedMeters
from prism_core.fleet.shared_pacing import BLOCKS, CREDIT, LATE_MOST, SharedPace
from prism_core.translators import Limits
from prism_core.translators.base import Load
from prism_core.translators.pacing import HEADROOM
from tests.translators import virtual_time

LIMITS = Limits(1, 100, requests_per_minute=240)
EACH = 60 / 240 / HEADROOM
ONE = Load(1, 1)


@dataclass
class World:
    """What all processes share: the meters, how far off their clock is, and what has left when."""

    folder: Path
    rng: Random = field(default_factory=lambda: Random(1))
    most_delay: float = 0.04
    offset: float = 1e9
    left: list[float] = field(default_factory=list)
    asked: int = 0

    def meters(self) -> SharedMeters:
        clock = lambda: virtual_time.now() + self.offset  # noqa: E731
        return SharedMeters.open(self.folder / "pace.db", "a", clock)

    async def ask(self, call: Callable[[], Any]) -> Any:
        self.asked += 1
        await asyncio.sleep(self.rng.uniform(0, self.most_delay))
        answer = call()
        await asyncio.sleep(self.rng.uniform(0, self.most_delay))
        return answer

    async def send(
        self, requests: int, stalls: float = 0.0, in_line: int = 8, pace: SharedPace | None = None
    ) -> SharedPace:
        """A host with a clock of its own that sends so many requests; held up now and then."""
        skew, drift = self.rng.uniform(-1e6, 1e6), self.rng.uniform(0.9999, 1.0001)
        clock = lambda: virtual_time.now() * drift + skew  # noqa: E731
        pace = pace or SharedPace(LIMITS, self.meters(), clock, self.rng, self.ask)
        while requests:
            wait = await pace.take(ONE, [ONE] * min(requests - 1, in_line))
            if wait > 0:
                stalled = self.rng.random() < stalls
                await asyncio.sleep(wait + self.rng.uniform(0, 10) * stalled)
                continue
            self.left.append(virtual_time.now())
            requests -= 1
        return pace

    def check_rate(self) -> None:
        """In no stretch of time has more left than is promised."""
        times = sorted(self.left)
        for first, began in enumerate(times):
            for last in range(first, len(times)):
                within = times[last] - began + CREDIT + LATE_MOST
                assert (last - first) * EACH <= within + 0.05, (began, times[last])


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


@contextmanager
def new_world(seed: int, **more: Any) -> Iterator[World]:
    with TemporaryDirectory() as folder:
        yield World(Path(folder), Random(seed), **more)


@settings(max_examples=25)
@given(
    seed=st.integers(0, 2**32),
    processes=st.integers(1, 4),
    most_delay=st.sampled_from([0.0, 0.04, 0.3]),
    stalls=st.sampled_from([0.0, 0.05]),
    jumps=st.lists(st.sampled_from([-3600.0, -1.0, -0.2, 0.2, 1.0, 3600.0]), max_size=3),
)
def test_whatever_hosts_and_clocks_do_no_more_leaves_than_the_rate(
    seed: int, processes: int, most_delay: float, stalls: float, jumps: list[float]
) -> None:
    with new_world(seed, most_delay=most_delay) as world:

        async def main() -> None:
            sending = [world.send(160 // processes, stalls) for _ in range(processes)]
            running = asyncio.gather(*sending)
            for jump in jumps:
                await asyncio.sleep(world.rng.uniform(2, 15))
                world.offset += jump
            await running

        virtual_time.run(main())
        world.check_rate()


@pytest.mark.parametrize("processes", [1, 4])
@pytest.mark.parametrize("most_delay", [0.0, 0.04])
def test_the_rate_is_used_and_the_meters_are_asked_a_few_times(
    world: World, processes: int, most_delay: float
) -> None:
    world.most_delay = most_delay

    async def main() -> None:
        await asyncio.gather(*(world.send(800 // processes) for _ in range(processes)))

    virtual_time.run(main())
    assert len(world.left) == 800
    assert world.left[-1] - world.left[0] == pytest.approx(799 * EACH, rel=0.01)
    if most_delay:
        looks = 800  # one before each request: do all pause?
        assert world.asked < looks + processes * 800 / 3, "a block holds several requests"


def test_who_wakes_after_its_lease_ran_out_does_not_spend_it(world: World) -> None:
    async def main() -> None:
        sleeper = await world.send(1)
        assert await sleeper.take(ONE, [ONE] * 9) > 0, "its block is leased, and not begun"
        await asyncio.sleep(60)
        other = asyncio.ensure_future(world.send(40))
        await asyncio.sleep(5)
        await world.send(40, pace=sleeper)
        await other

    virtual_time.run(main())
    world.check_rate()
    assert len(world.left) == 81


def test_what_a_process_leaves_unused_is_free_for_the_others(world: World) -> None:
    async def main() -> float:
        world.most_delay = 0.1  # a block is as long as it may be
        pace = await world.send(1)
        while (wait := await pace.take(ONE, [ONE] * 9)) > 0:
            await asyncio.sleep(wait)
        meters = world.meters()
        before = meters.lease((0, 0, 0), 0)
        pace.close()
        after = meters.lease((0, 0, 0), 0)
        return before.start - after.start

    assert virtual_time.run(main()) > BLOCKS[1] / 2


@pytest.mark.parametrize("most_delay", [0.0, 0.04])
def test_a_pause_of_one_ends_the_blocks_of_the_others(world: World, most_delay: float) -> None:
    async def main() -> tuple[float, float]:
        one = await world.send(1)
        others = asyncio.gather(*(world.send(40) for _ in range(3)))
        await asyncio.sleep(5)
        world.most_delay = most_delay
        await one.count_refusal(30, 0.1)
        paused = virtual_time.now()
        await others
        return paused, paused + 30

    paused, resumed = virtual_time.run(main())
    learned = paused + 3 * most_delay  # the way of a reply, and one round trip after it
    assert not [moment for moment in world.left if learned < moment < resumed - most_delay]
    assert max(world.left) > resumed


@pytest.mark.parametrize("one_way", [0.0, 0.04])
def test_a_request_of_a_leased_block_does_not_leave_in_a_pause(
    tmp_path: Path, one_way: float
) -> None:
    """Two processes step by step: nothing is waited for, and no chance decides."""
    fast, now = Limits(1, 100, requests_per_minute=1200), 1e6

    async def ask(call: Callable[[], Any]) -> Any:
        nonlocal now
        now += one_way
        answer = call()
        now += one_way
        return answer

    async def leave(pace: SharedPace) -> float:
        """Let a request leave as soon as it may; return how many seconds it waited."""
        nonlocal now
        began = now
        while (wait := await pace.take(ONE, [ONE] * 30)) > 0:
            now += wait
        return now - began

    async def main(meters: SharedMeters) -> None:
        nonlocal now
        refused, other = (SharedPace(fast, meters, lambda: now, Random(1), ask) for _ in range(2))
        await leave(refused)
        await leave(other)
        assert await leave(other) < 0.06 + 2 * one_way, "its block holds several requests"
        await refused.count_refusal(1.5, 0.1)
        recorded = now - one_way
        now += 2 * one_way + 0.001  # for one round trip its last reply counts
        await leave(other)
        assert 1.499 < now - recorded < 1.51 + 4 * one_way

    with closing(SharedMeters.open(tmp_path / "pace.db", "a", lambda: now)) as meters:
        asyncio.run(main(meters))


def test_the_others_wait_once_for_a_test_of_the_pace_not_for_each_refusal_in_it(
    world: World,
) -> None:
    async def main() -> float:
        one = await world.send(1)
        others = asyncio.gather(*(world.send(40) for _ in range(3)))
        await asyncio.sleep(5)
        await one.count_refusal(5, 0.1)
        await asyncio.sleep(4)
        await one.count_refusal(600, 0.1)
        refused = virtual_time.now()
        await others
        return refused

    refused = virtual_time.run(main())
    assert max(world.left) < refused + 600


def test_a_request_that_takes_longer_than_any_block_leaves_too(world: World) -> None:
    slow = Limits(1, 100, tokens_per_minute=600)

    async def main() -> list[float]:
        pace = SharedPace(slow, world.meters(), virtual_time.now, world.rng, world.ask)
        left = []
        while len(left) < 4:
            if (wait := await pace.take(Load(1, 300))) > 0:
                await asyncio.sleep(wait)
            else:
                left.append(virtual_time.now())
        return left

    left = virtual_time.run(main())
    assert left[-1] - left[0] == pytest.approx(3 * 30 / HEADROOM, rel=0.02)


def test_meters_that_are_too_far_away_are_an_error_and_no_burst(world: World) -> None:
    async def far(call: Callable[[], Any]) -> Any:
        await asyncio.sleep(5)
        return call()

    async def main() -> None:
        pace = SharedPace(LIMITS, world.meters(), virtual_time.now, world.rng, far)
        while (wait := await pace.take(ONE)) > 0:
            await asyncio.sleep(wait)

    with pytest.raises(PaceUnknown, match="longer than a second"):
        virtual_time.run(main())
