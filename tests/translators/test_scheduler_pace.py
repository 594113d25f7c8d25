"""The scheduler in virtual time: when it sends, and what it does when it is told to wait."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from itertools import pairwise

import pytest

from prism_core.errors import PaceUnknown, QuotaExhausted, RateLimited, Transient
from prism_core.translators import Limits
from prism_core.translators.base import Load
from prism_core.translators.scheduler import RetryPolicy
from tests.translators import virtual_time
from tests.translators.scripted import Scripted, failing, items, mark_all, run


def test_concurrency_is_used_and_never_exceeded() -> None:
    translator = Scripted(limits=Limits(1, 100, concurrency=4), seconds=1)
    outcome, _ = run(translator, items(40))
    assert translator.most_at_once == 4
    assert outcome.seconds == pytest.approx(10, abs=0.1)


@pytest.mark.parametrize(
    "limits",
    [
        Limits(10, 1_000, requests_per_minute=60, concurrency=8),
        Limits(10, 1_000, characters_per_minute=12_000, concurrency=8),
        Limits(
            *(10, 1_000),
            tokens_per_minute=60 * 100,
            concurrency=8,
            characters_beside=100,
            characters_around=10,
        ),
    ],
    ids=["requests", "characters", "tokens"],
)
def test_pace_is_just_under_the_stated_rate(limits: Limits) -> None:
    translator = Scripted(limits=limits, seconds=2)
    outcome, _ = run(translator, items(3_000, "x" * 20))  # 200 characters a request
    assert len(translator.calls) == 300
    elapsed = translator.times[-1] - translator.times[0]
    assert 0.95 * 60 <= 299 / elapsed * 60 <= 60
    busiest = max(
        sum(start <= time < start + 60 for time in translator.times) for start in translator.times
    )
    assert busiest <= 61
    assert outcome.retries == 0


def test_patience_ends_also_with_a_provider_that_only_ever_asks_to_wait() -> None:
    translator = Scripted(failing(999, RateLimited("429", retry_after=30)))
    outcome, ledger = run(translator, items(500), policy=RetryPolicy(patience=100))
    assert isinstance(outcome.stopped, RateLimited)
    assert outcome.seconds < 3 * 130
    assert set(ledger.failures()) == {"rate-limited"}


def test_everybody_pauses_for_retry_after_and_then_goes_slower_and_recovers() -> None:
    limits = Limits(10, 1_000, requests_per_minute=120, concurrency=4)
    fault = RateLimited("429", retry_after=30)

    def behave(number: int, texts: Sequence[str]) -> list[str]:
        if number == 10:
            raise fault
        return mark_all(texts)

    translator = Scripted(behave, limits=limits)
    outcome, _ = run(translator, items(1_000))
    refused_at = translator.times[10] + 0.1
    during = [time for time in translator.times if refused_at < time < refused_at + 30]
    gaps = [later - earlier for earlier, later in pairwise(translator.times)]
    assert during == []
    assert gaps[12] > 1.1 * gaps[5]
    assert gaps[-2] == pytest.approx(gaps[5], rel=0.05)
    assert outcome.answered == 1_000


def test_requests_refused_together_slow_down_once() -> None:
    limits = Limits(1, 100, requests_per_minute=600, concurrency=6)

    def behave(number: int, texts: Sequence[str]) -> list[str]:
        if number < 6:
            raise RateLimited("429", retry_after=10)
        return mark_all(texts)

    translator = Scripted(behave, limits=limits, seconds=5)
    run(translator, items(60))
    resumed = [time for time in translator.times if time > 10]
    assert resumed[1] - resumed[0] < 0.5  # a little slower, not to the sixth power


def test_a_provider_without_a_stated_rate_is_slowed_down_too() -> None:
    def at_most_one_a_second(number: int, texts: Sequence[str]) -> list[str]:
        if number and translator.times[number] - max(translator.times[:number]) < 1:
            raise RateLimited("429", retry_after=2)
        return mark_all(texts)

    translator = Scripted(at_most_one_a_second, limits=Limits(1, 100, concurrency=4), seconds=0.05)
    outcome, _ = run(translator, items(60))
    assert outcome.answered == 60
    assert outcome.retries < 60


@pytest.mark.parametrize(("retry_after", "refusals"), [(1.0, 24), (None, 10)])
def test_a_storm_of_refusals_leaves_no_slow_pace_behind(
    retry_after: float | None, refusals: int
) -> None:
    def stormy(number: int, texts: Sequence[str]) -> list[str]:
        if number < refusals:
            raise RateLimited("429", retry_after=retry_after)
        return mark_all(texts)

    translator = Scripted(stormy, limits=Limits(4, 1_000, concurrency=2), seconds=0.05)
    outcome, _ = run(translator, items(160))
    assert outcome.answered == 160
    calm = translator.times[-1] - translator.times[refusals]
    assert calm < 60, "as slow as the refusals were many"


def test_a_refusal_without_a_time_to_wait_is_answered_by_longer_and_longer_waits() -> None:
    translator = Scripted(failing(8, RateLimited("429")), limits=Limits(10, 1_000, concurrency=1))
    outcome, _ = run(translator, items(10))
    assert outcome.answered == 10
    waits = [later - earlier for earlier, later in pairwise(translator.times)]
    assert waits[0] < 2
    assert waits[4] > 8
    assert max(waits) < 70


@pytest.mark.parametrize("concurrency", [1, 8])
def test_a_provider_that_only_ever_refuses_is_asked_once_a_minute_and_named(
    concurrency: int,
) -> None:
    translator = Scripted(
        failing(999, RateLimited("State its limits.")),
        limits=Limits(10, 1_000, concurrency=concurrency),
    )
    outcome, _ = run(translator, items(500))
    assert isinstance(outcome.stopped, RateLimited)
    assert str(outcome.stopped).endswith(f"(rate limited: {outcome.requests}): State its limits.")
    assert 15 * 60 - 60 < outcome.seconds < 15 * 60 + 60
    assert len(translator.calls) < 40


def test_a_wait_longer_than_patience_stops_the_run() -> None:
    translator = Scripted(failing(99, RateLimited("429", retry_after=86_400)))
    outcome, _ = run(translator, items(100))
    assert isinstance(outcome.stopped, RateLimited)
    assert len(translator.calls) == 1
    assert outcome.seconds < 10


def test_those_who_wait_are_woken_when_the_run_stops() -> None:
    def behave(number: int, texts: Sequence[str]) -> list[str]:
        raise Transient("busy", retry_after=500) if number == 0 else QuotaExhausted("no funds")

    translator = Scripted(behave, limits=Limits(10, 1_000, requests_per_minute=30, concurrency=2))
    outcome, _ = run(translator, items(100))
    assert isinstance(outcome.stopped, QuotaExhausted)
    assert outcome.seconds < 10


class Elsewhere:
    """A pace that takes its time to be asked, as one that is shared: a turn in every 5 seconds."""

    refused_in_a_row = 0
    is_in_doubt = False

    def __init__(self, ends: float = float("inf")) -> None:
        self.granted: list[float] = []
        self.most_who_ask = self._asking = 0
        self._ends = ends

    async def take(self, _load: Load, _behind: Sequence[Load] = ()) -> float:
        self._asking += 1
        self.most_who_ask = max(self.most_who_ask, self._asking)
        await asyncio.sleep(0.5)
        self._asking -= 1
        now = virtual_time.now()
        if now > self._ends:
            raise PaceUnknown("the database is gone")
        if self.granted and now < self.granted[-1] + 5:
            return self.granted[-1] + 5 - now
        self.granted.append(now)
        return 0.0

    async def count_refusal(self, _pause: float, _took: float) -> float:
        return 0.0

    def count_answer(self, _took: float) -> None:
        pass


def test_one_of_those_who_wait_asks_a_pace_that_is_kept_elsewhere() -> None:
    translator = Scripted(limits=Limits(1, 100, concurrency=8), seconds=20)
    pace = Elsewhere()
    outcome, _ = run(translator, items(20), pace=pace)
    assert outcome.answered == 20
    assert pace.most_who_ask == 1
    assert translator.times == pace.granted


def test_a_pace_that_cannot_be_asked_stops_the_run_and_keeps_what_was_under_way() -> None:
    translator = Scripted(limits=Limits(1, 100, concurrency=8), seconds=20)
    outcome, ledger = run(translator, items(20), pace=Elsewhere(ends=30))
    assert isinstance(outcome.stopped, PaceUnknown)
    assert outcome.answered == len(translator.calls) == len(ledger.answers) == 6
    assert not outcome.failed, "what was not sent is for the next run"
    assert not ledger.open


def test_who_waits_long_for_a_first_turn_has_patience_left() -> None:
    translator = Scripted(failing(3, RateLimited("429", retry_after=1)), Limits(1, 100), 0.1)
    pace = Elsewhere()
    pace.granted.append(2_000.0)  # others are before us
    outcome, _ = run(translator, items(1), pace=pace, policy=RetryPolicy(patience=100))
    assert translator.times[0] > 2_000
    assert outcome.answered == 1


def test_a_turn_that_comes_after_the_run_was_stopped_is_not_used() -> None:
    def behave(number: int, texts: Sequence[str]) -> list[str]:
        raise QuotaExhausted("no funds")

    translator = Scripted(behave, limits=Limits(1, 100, concurrency=2), seconds=5.25)
    run(translator, items(20), pace=Elsewhere())
    assert len(translator.calls) == 1, "refused while the second was being asked for"
