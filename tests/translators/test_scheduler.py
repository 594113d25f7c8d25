"""The scheduler in virtual time: what it packs and records, and what a run leaves behind."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence

import pytest

from prism_core.errors import QuotaExhausted, StateError, Transient
from prism_core.translators import Item, Limits, SendingOutcome
from prism_core.translators.adapters.fake import mark_words
from tests.translators import virtual_time
from tests.translators.memory_ledger import MemoryLedger
from tests.translators.scripted import Scripted, failing, items, mark_all, poisoned, run, scheduler


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

    async def main() -> SendingOutcome:
        first = asyncio.ensure_future(scheduler(translator, ledger).run(items(50)))
        await asyncio.sleep(2.5)
        first.cancel()
        await asyncio.gather(first, return_exceptions=True)
        rest = [item for item in items(50) if item.id not in ledger.answers]
        return await scheduler(translator, ledger).run(rest)  # the ledger refuses repeats

    outcome = virtual_time.run(main())
    assert outcome.answered == 30
    assert len(ledger.answers) == 50


def test_progress_adds_up_to_every_item_settled() -> None:
    todo = items(30)
    todo[6] = Item("bad", "this is the poison pill")
    settled: list[int] = []
    translator = Scripted(lambda _, texts: poisoned(texts))

    async def main() -> None:
        await scheduler(translator, MemoryLedger()).run(todo, progress=settled.append)

    virtual_time.run(main())
    assert sum(settled) == 30


class FullLedger(MemoryLedger):
    """One that can record no answer."""

    def answered(self, *_: object) -> None:
        raise StateError("full")


def test_no_answer_counts_that_is_not_on_record() -> None:
    settled: list[int] = []

    async def main() -> None:
        await scheduler(Scripted(), FullLedger()).run(items(3), progress=settled.append)

    with pytest.raises(StateError):
        virtual_time.run(main())
    assert settled == []


def test_what_stopped_a_run_keeps_no_frame_and_no_text() -> None:
    outcome, _ = run(Scripted(failing(1, QuotaExhausted("no funds"))), items(5))
    assert outcome.stopped is not None
    assert outcome.stopped.__traceback__ is None
    assert "cat" not in repr(outcome)
