"""The scheduler in virtual time: what it packs, when it sends, what it does about faults."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise
from random import Random

import pytest

from prism_core.errors import (
    BadAnswer,
    Misconfigured,
    PaceUnknown,
    QuotaExhausted,
    RateLimited,
    Rejected,
    StateError,
    Transient,
    TranslatorError,
)
from prism_core.translators.base import Limits, Load
from prism_core.translators.batches import Item, Outcome
from prism_core.translators.checks import AnswerChecks
from prism_core.translators.fake import mark_words
from prism_core.translators.scheduler import RetryPolicy, Scheduler
from tests.translators import virtual_time
from tests.translators.memory_ledger import MemoryLedger

WIDE = Limits(texts_per_request=10, characters_per_request=1_000)


def mark_all(texts: Sequence[str]) -> list[str]:
    return [mark_words(text) for text in texts]


class Scripted:
    """Answers as ``behave(call number, texts)`` says, after ``seconds``; keeps its calls."""

    name, endpoint, price = "scripted", "localhost", None

    def __init__(
        self,
        behave: Callable[[int, Sequence[str]], list[str]] | None = None,
        limits: Limits = WIDE,
        seconds: float = 0.1,
    ) -> None:
        self.limits = limits
        self.calls: list[tuple[float, list[str]]] = []
        self.most_at_once = self._at_once = 0
        self._behave = behave or (lambda _, texts: mark_all(texts))
        self._seconds = seconds

    async def translate(self, texts: Sequence[str], *languages: str) -> list[str]:
        assert languages == ("en", "es")
        number = len(self.calls)
        self.calls.append((virtual_time.now(), list(texts)))
        self._at_once += 1
        self.most_at_once = max(self.most_at_once, self._at_once)
        try:
            await asyncio.sleep(self._seconds)
            return self._behave(number, texts)
        finally:
            self._at_once -= 1

    async def close(self) -> None:
        pass

    @property
    def times(self) -> list[float]:
        return [when for when, _ in self.calls]

    @property
    def batches(self) -> list[list[str]]:
        return [texts for _, texts in self.calls]


def items(count: int, text: str = "the cat sat on mat {}") -> list[Item]:
    return [Item(f"id{n}", text.format(n)) for n in range(count)]


def scheduler(translator: Scripted, ledger: MemoryLedger, **more: object) -> Scheduler:
    return Scheduler(
        translator,
        "en",
        "es",
        ledger=ledger,
        clock=virtual_time.now,
        rng=Random(1),
        **more,  # type: ignore[arg-type]
    )


def run(translator: Scripted, todo: Iterable[Item], **more: object) -> tuple[Outcome, MemoryLedger]:
    ledger = MemoryLedger()

    async def main() -> Outcome:
        return await scheduler(translator, ledger, **more).run(todo)

    return virtual_time.run(main()), ledger


def failing(times: int, fault: TranslatorError) -> Callable[[int, Sequence[str]], list[str]]:
    """The first ``times`` requests fail, the others are answered."""

    def behave(number: int, texts: Sequence[str]) -> list[str]:
        if number < times:
            raise fault
        return mark_all(texts)

    return behave


def test_every_item_is_answered_once_and_counted() -> None:
    translator = Scripted()
    outcome, ledger = run(translator, items(25))
    assert ledger.answers == {item.id: mark_words(item.text) for item in items(25)}
    assert (outcome.answered, outcome.requests, outcome.retries) == (25, 3, 0)
    assert outcome.characters == sum(len(item.text) for item in items(25))
    assert not outcome.failed
    assert outcome.stopped is None
    assert not ledger.open


def test_batches_are_filled_up_to_both_limits() -> None:
    by_count = Scripted(limits=Limits(4, 1_000))
    run(by_count, items(9))
    assert [len(batch) for batch in by_count.batches] == [4, 4, 1]
    by_size = Scripted(limits=Limits(100, 50))
    run(by_size, items(9, "x" * 20))
    assert [len(batch) for batch in by_size.batches] == [2, 2, 2, 2, 1]


def test_a_text_over_the_limit_is_given_up_on_without_being_sent() -> None:
    translator = Scripted(limits=Limits(10, 50))
    outcome, ledger = run(translator, [Item("long", "x" * 51), *items(2)])
    assert outcome.failed == {"long": "too-long"}
    assert outcome.answered == 2
    assert all("long" not in event[2] for event in ledger.events)


def test_items_are_read_only_as_they_are_needed() -> None:
    read = 0

    def endless() -> Iterator[Item]:
        nonlocal read
        for item in items(10_000):
            read += 1
            yield item

    translator = Scripted(
        failing(0, Transient("")), limits=Limits(10, 1_000, requests_per_minute=60, concurrency=3)
    )

    async def main() -> None:
        task = asyncio.ensure_future(scheduler(translator, MemoryLedger()).run(endless()))
        await asyncio.sleep(10)
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    virtual_time.run(main())
    assert len(translator.calls) >= 9
    assert read <= 10 * (len(translator.calls) + 3) + 1


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


def test_the_same_bytes_are_sent_again_after_a_transient_fault() -> None:
    translator = Scripted(failing(3, Transient("down")))
    outcome, ledger = run(translator, items(10))
    assert translator.batches == [translator.batches[0]] * 4
    assert (outcome.answered, outcome.requests, outcome.retries) == (10, 4, 3)
    assert ledger.failures() == ["transient"] * 3


def test_waits_between_attempts_grow_and_are_jittered() -> None:
    policy, rng = RetryPolicy(base=1, ceiling=8), Random(3)
    for attempt, highest in ((1, 1), (2, 2), (3, 4), (4, 8), (9, 8)):
        waits = [policy.backoff(attempt, rng) for _ in range(400)]
        assert 0.5 * highest <= min(waits) < 0.55 * highest
        assert 0.9 * highest < max(waits) <= highest
        assert sum(waits) / 400 == pytest.approx(0.75 * highest, rel=0.1)


def test_an_item_fails_with_its_class_when_attempts_are_over_and_the_run_goes_on() -> None:
    translator = Scripted(failing(4, Transient("down")), limits=Limits(10, 1_000))
    outcome, _ = run(translator, items(30), policy=RetryPolicy(attempts=4))
    assert outcome.failed == {f"id{n}": "transient" for n in range(10)}
    assert outcome.answered == 20
    assert outcome.stopped is None


def test_patience_ends_a_batch_before_its_attempts_do() -> None:
    translator = Scripted(failing(99, Transient("down", retry_after=40)))
    policy = RetryPolicy(attempts=50, patience=100, dead_batches=9)
    outcome, _ = run(translator, items(10), policy=policy)
    assert set(outcome.failed.values()) == {"transient"}
    assert translator.times[-1] <= 100
    assert 2 <= len(translator.calls) <= 4


def test_patience_ends_also_with_a_provider_that_only_ever_asks_to_wait() -> None:
    translator = Scripted(failing(999, RateLimited("429", retry_after=30)))
    outcome, ledger = run(translator, items(500), policy=RetryPolicy(patience=100))
    assert isinstance(outcome.stopped, RateLimited)
    assert outcome.seconds < 3 * 130
    assert set(ledger.failures()) == {"rate-limited"}


def test_a_provider_that_is_down_ends_the_run() -> None:
    translator = Scripted(failing(999, Transient("down")))
    outcome, _ = run(translator, items(500), policy=RetryPolicy(attempts=2, dead_batches=3))
    assert isinstance(outcome.stopped, Transient)
    assert len(translator.calls) == 6
    assert len(outcome.failed) == 30


def test_a_provider_that_only_echoes_is_given_up_on() -> None:
    translator = Scripted(lambda _, texts: list(texts))
    outcome, ledger = run(translator, items(500))
    assert isinstance(outcome.stopped, BadAnswer)
    assert len(translator.calls) == 3 * (1 + 10)
    assert ledger.answers == {}


def test_single_sentences_in_another_language_do_not_end_the_run() -> None:
    translator = Scripted(
        lambda _, texts: [text if "already" in text else mark_words(text) for text in texts],
        limits=Limits(1, 1_000),
    )
    todo = [*items(9, "it is already translated, number {}"), *items(12)[9:]]
    outcome, _ = run(translator, todo)
    assert outcome.stopped is None
    assert outcome.answered == 3


def test_dead_batches_count_only_in_a_row() -> None:
    def every_third(number: int, texts: Sequence[str]) -> list[str]:
        if number % 3:
            raise Transient("down")
        return mark_all(texts)

    policy = RetryPolicy(attempts=1, dead_batches=3)
    outcome, _ = run(Scripted(every_third), items(300), policy=policy)
    assert outcome.stopped is None
    assert outcome.answered == 100


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
    assert gaps[12] > 1.2 * gaps[5]
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
    assert waits[4] > 10
    assert max(waits) < 70


def test_a_provider_that_is_down_for_a_minute_is_waited_for() -> None:
    def down(number: int, texts: Sequence[str]) -> list[str]:
        if 1 < translator.times[number] < 61:
            raise Transient("down")
        return mark_all(texts)

    translator = Scripted(down, limits=Limits(4, 1_000, concurrency=3), seconds=0.3)
    outcome, _ = run(translator, items(100))
    assert (outcome.answered, outcome.failed, outcome.stopped) == (100, {}, None)


def test_a_wait_longer_than_patience_stops_the_run() -> None:
    translator = Scripted(failing(99, RateLimited("429", retry_after=86_400)))
    outcome, _ = run(translator, items(100))
    assert isinstance(outcome.stopped, RateLimited)
    assert len(translator.calls) == 1
    assert outcome.seconds < 10


def poisoned(texts: Sequence[str], index: int | None = None) -> list[str]:
    if any("poison" in text for text in texts):
        raise Rejected("refused", index)
    return mark_all(texts)


def test_a_rejected_batch_is_halved_until_the_culprit_is_alone() -> None:
    todo = items(10)
    todo[6] = Item("bad", "this is the poison pill")
    translator = Scripted(lambda _, texts: poisoned(texts))
    outcome, _ = run(translator, todo)
    assert outcome.failed == {"bad": "rejected"}
    assert outcome.answered == 9
    assert len(translator.calls) <= 9


def test_a_culprit_that_is_named_costs_two_more_requests() -> None:
    todo = items(10)
    todo[6] = Item("bad", "this is the poison pill")
    translator = Scripted(lambda _, texts: poisoned(texts, 6))
    outcome, _ = run(translator, todo)
    assert outcome.failed == {"bad": "rejected"}
    assert [len(batch) for batch in translator.batches] == [10, 1, 9]


@pytest.mark.parametrize("end", [QuotaExhausted("no funds"), Misconfigured("wrong key")])
def test_an_error_that_no_retry_can_help_stops_at_once_and_keeps_what_came(
    end: TranslatorError,
) -> None:
    def behave(number: int, texts: Sequence[str]) -> list[str]:
        if number == 4:
            raise end
        return mark_all(texts)

    translator = Scripted(behave, limits=Limits(10, 1_000, concurrency=2))
    outcome, ledger = run(translator, items(500))
    assert outcome.stopped is end
    assert len(translator.calls) <= 6
    assert outcome.answered == len(ledger.answers) == 10 * (len(translator.calls) - 1)
    assert not outcome.failed, "an item that was not dealt with is not an item that failed"


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

    def __init__(self, ends: float = float("inf")) -> None:
        self.granted: list[float] = []
        self.most_who_ask = self._asking = 0
        self._ends = ends

    async def take(self, _load: Load) -> float:
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

    async def slow_down(self, pause: float, sent_at: float) -> None:
        pass

    def speed_up(self) -> None:
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


def test_an_answer_in_doubt_is_asked_for_once_more_alone_and_never_used() -> None:
    def behave(_: int, texts: Sequence[str]) -> list[str]:
        return ["" if "3" in text else mark_words(text) for text in texts]

    translator = Scripted(behave)
    outcome, ledger = run(translator, items(10))
    assert translator.batches[1:] == [["the cat sat on mat 3"]]
    assert outcome.failed == {"id3": "empty-answer"}
    assert "id3" not in ledger.answers
    assert outcome.answered == 9


def test_an_answer_in_doubt_that_is_better_alone_is_used() -> None:
    def behave(_: int, texts: Sequence[str]) -> list[str]:
        return mark_all(texts) if len(texts) == 1 else [texts[0], *mark_all(texts[1:])]

    outcome, ledger = run(Scripted(behave), items(10))
    assert outcome.answered == 10
    assert ledger.failures() == ["answer-untranslated"]


def test_an_unusable_answer_is_asked_for_again_and_then_the_batch_is_split() -> None:
    def behave(_: int, texts: Sequence[str]) -> list[str]:
        if len(texts) > 3:
            raise BadAnswer("broken JSON")
        return mark_all(texts)

    translator = Scripted(behave)
    outcome, _ = run(translator, items(10))
    assert [len(batch) for batch in translator.batches] == [10, 10, 5, 5, 2, 3, 5, 5, 2, 3]
    assert outcome.answered == 10


def test_a_wrong_number_of_answers_is_never_paired_up() -> None:
    translator = Scripted(lambda _, texts: mark_all(texts)[:-1])
    outcome, ledger = run(translator, items(4), policy=RetryPolicy(base=0.01))
    assert ledger.answers == {}
    assert set(outcome.failed.values()) == {"bad-answer"}


def test_each_request_is_recorded_before_it_leaves() -> None:
    ledger = MemoryLedger()
    recorded: list[set[str]] = []

    def behave(_: int, texts: Sequence[str]) -> list[str]:
        recorded.append(set().union(*ledger.open.values()))
        return mark_all(texts)

    async def main() -> None:
        await scheduler(Scripted(behave), ledger).run(items(20))

    virtual_time.run(main())
    assert recorded[0] >= {f"id{n}" for n in range(10)}
    assert recorded[1] >= {f"id{n}" for n in range(10, 20)}


def test_nothing_is_sent_that_cannot_be_recorded() -> None:
    class FullDisk(MemoryLedger):
        def sending(self, *_: object) -> None:
            raise StateError("the disk is full")

    translator = Scripted(limits=Limits(10, 1_000, concurrency=3))

    async def main() -> None:
        await scheduler(translator, FullDisk()).run(items(100))

    with pytest.raises(StateError):
        virtual_time.run(main())
    assert translator.calls == []


def test_cancelling_leaves_every_request_with_an_outcome() -> None:
    translator = Scripted(limits=Limits(10, 1_000, concurrency=3), seconds=5)
    ledger = MemoryLedger()

    async def main() -> None:
        task = asyncio.ensure_future(scheduler(translator, ledger).run(items(200)))
        await asyncio.sleep(12)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    virtual_time.run(main())
    assert ledger.open == {}
    assert len(ledger.answers) == 60
    assert ledger.failures() == ["interrupted"] * 3


def test_a_run_after_an_interrupted_one_sends_only_what_has_no_answer() -> None:
    ledger, translator = MemoryLedger(), Scripted(seconds=1)

    async def main() -> Outcome:
        first = asyncio.ensure_future(scheduler(translator, ledger).run(items(50)))
        await asyncio.sleep(2.5)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        rest = [item for item in items(50) if item.id not in ledger.answers]
        return await scheduler(translator, ledger).run(rest)  # the ledger refuses repeats

    outcome = virtual_time.run(main())
    assert outcome.answered == 30
    assert len(ledger.answers) == 50


def test_an_identity_is_doubted_unless_it_says_so() -> None:
    doubted, _ = run(Scripted(lambda _, texts: list(texts)), items(3))
    assert set(doubted.failed.values()) == {"answer-untranslated"}
    allowed, _ = run(
        Scripted(lambda _, texts: list(texts)), items(3), checks=AnswerChecks(allow_unchanged=True)
    )
    assert allowed.answered == 3


def test_progress_adds_up_to_every_item_settled() -> None:
    todo = items(30)
    todo[6] = Item("bad", "this is the poison pill")
    settled: list[int] = []
    translator = Scripted(lambda _, texts: poisoned(texts))

    async def main() -> None:
        await scheduler(translator, MemoryLedger()).run(todo, progress=settled.append)

    virtual_time.run(main())
    assert sum(settled) == 30


def test_what_stopped_a_run_keeps_no_frame_and_no_text() -> None:
    outcome, _ = run(Scripted(failing(1, QuotaExhausted("no funds"))), items(5))
    assert outcome.stopped is not None
    assert outcome.stopped.__traceback__ is None
    assert "cat" not in repr(outcome)
