"""The batch scheduler over real HTTP: whatever a batch comes back with, nothing is lost in it."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from random import Random

import pytest

from prism_core.errors import BudgetReached, Misconfigured, QuotaExhausted, RateLimited, Transient
from prism_core.translators import make_batch_translator
from prism_core.translators.base import Price
from prism_core.translators.batch_parts import BatchPolicy
from prism_core.translators.batch_scheduler import BatchScheduler
from prism_core.translators.batches import Item, Outcome
from prism_core.translators.budget import Budget, Purse
from prism_core.translators.fake import mark_words
from tests.openai_batch_server import BatchServer, LineFault
from tests.openai_server import Fault
from tests.translators.memory_ledger import MemoryBatchLedger

ITEMS = [Item(str(n), f"The door number {n} of the house is closed.") for n in range(12)]
MARKED = {item.id: mark_words(item.text) for item in ITEMS}
HOUR = 3_600.0


@dataclass
class Clock:
    """Time that passes when somebody waits for it. ``waits`` in seconds."""

    time: float = 0.0
    waits: list[float] = field(default_factory=list)

    def __call__(self) -> float:
        return self.time

    async def sleep(self, seconds: float) -> None:
        assert len(self.waits) < 500, "it goes on for ever"
        self.waits.append(seconds)
        self.time += seconds


@dataclass
class Night:
    """Runs of the scheduler over one ledger."""

    server: BatchServer
    ledger: MemoryBatchLedger = field(default_factory=MemoryBatchLedger)
    clock: Clock = field(default_factory=Clock)

    def run(
        self,
        items: list[Item] = ITEMS,
        *,
        submit: bool = False,
        budget: Budget | None = None,
        policy: BatchPolicy | None = None,
        **settings: object,
    ) -> Outcome:
        """Four items a request unless the settings say otherwise."""
        given = self.server.settings(**{"texts_per_request": 4, "poll_seconds": 160.0} | settings)

        async def main() -> Outcome:
            translator = make_batch_translator(given, "en", "es")
            scheduler = BatchScheduler(
                translator,
                "en",
                "es",
                ledger=self.ledger,
                policy=policy,
                sleep=self.clock.sleep,
                clock=self.clock,
                rng=Random(3),
                budget=budget,
            )
            try:
                return await (scheduler.submit(items) if submit else scheduler.run(items))
            finally:
                await translator.close()

        return asyncio.run(main())

    def assert_all_answered(self, outcome: Outcome) -> None:
        assert (outcome.answered, outcome.failed, outcome.stopped) == (len(ITEMS), {}, None)
        assert self.ledger.answers == MARKED
        assert self.server.kept() == []
        assert not self.ledger.batches

    def asked(self) -> Counter[str]:
        return Counter(self.server.texts())


@pytest.fixture
def night(batch_server: BatchServer) -> Night:
    return Night(batch_server)


def test_answers_are_joined_by_id_whatever_their_order(night: Night) -> None:
    outcome = night.run()
    night.assert_all_answered(outcome)
    assert (outcome.requests, outcome.retries) == (3, 0)
    assert night.ledger.closings == ["interrupted"]


def test_the_waits_grow_up_to_the_setting(night: Night) -> None:
    night.server.looks = 7
    night.assert_all_answered(night.run())
    exact = [10, 20, 40, 80, 160, 160, 160, 160]
    assert [round(wait / right, 1) for wait, right in zip(night.clock.waits, exact, strict=True)]
    for wait, right in zip(night.clock.waits, exact, strict=True):
        assert 0.9 * right <= wait <= 1.1 * right


def test_of_a_batch_that_expires_the_answers_are_kept_and_the_rest_is_asked_again(
    night: Night,
) -> None:
    night.server.endings.extend([1, 1, None])
    outcome = night.run()
    night.assert_all_answered(outcome)
    assert [len(texts) for texts in night.server.handed_in] == [4, 4, 4]
    assert set(night.asked().values()) == {1}
    assert (outcome.requests, outcome.retries) == (3 + 2 + 1, 2 + 1)


@pytest.mark.parametrize(
    "fault",
    [
        LineFault.EXPIRED,
        LineFault.NO_RESPONSE,
        LineFault.MISSING,
        LineFault.GARBAGE,
        Fault.SERVER_ERROR,
        Fault.RATE_LIMITED,
        Fault.NOT_JSON,
        Fault.WRONG_COUNT,
        Fault.UNKNOWN_ID,
        Fault.NO_CHOICES,
    ],
)
def test_a_request_without_a_usable_answer_is_asked_again_as_it_was(
    night: Night, fault: Fault | LineFault
) -> None:
    night.server.line_faults.extend([None, fault])
    outcome = night.run()
    night.assert_all_answered(outcome)
    assert (outcome.requests, outcome.retries) == (4, 1)
    first = next(event for event in night.ledger.events if event[0] == "failed")
    asked_again = night.ledger.events[-2]
    assert sorted(first[2]) == sorted(asked_again[2]), "the same four, the same bytes"


def test_an_answer_that_is_bad_twice_is_asked_for_sentence_by_sentence(night: Night) -> None:
    night.server.line_faults.extend([Fault.WRONG_COUNT, None, None, Fault.NOT_JSON])
    outcome = night.run()
    night.assert_all_answered(outcome)
    assert outcome.requests == 3 + 1 + 4


@pytest.mark.parametrize(
    "fault", [Fault.CUT_OFF, Fault.REFUSAL, Fault.BAD_REQUEST, Fault.CONTEXT_LENGTH]
)
def test_a_request_that_is_refused_is_split_at_once(night: Night, fault: Fault) -> None:
    night.server.line_faults.append(fault)
    outcome = night.run()
    night.assert_all_answered(outcome)
    assert outcome.requests == 3 + 4


def test_the_sentence_at_fault_fails_alone(night: Night) -> None:
    night.server.poison = "number 7 "
    outcome = night.run()
    assert outcome.failed == {"7": "rejected"}
    assert night.ledger.answers == {k: v for k, v in MARKED.items() if k != "7"}


@pytest.mark.parametrize(
    ("fault", "failure"),
    [
        (Fault.ECHO_FIRST, "answer-untranslated"),
        (Fault.EMPTY_FIRST, "empty-answer"),
        (Fault.LONG_FIRST, "answer-too-long"),
    ],
)
def test_an_answer_in_doubt_is_asked_for_once_more_alone(
    night: Night, fault: Fault, failure: str
) -> None:
    night.server.line_faults.extend([fault, None, None, None])
    night.assert_all_answered(night.run())
    assert sorted(night.asked().values()) == [1] * 11 + [2]
    later = Night(night.server)
    night.server.line_faults.extend([fault, None, None, fault])
    outcome = later.run()
    assert list(outcome.failed.values()) == [failure]
    assert len(later.ledger.answers) == 11


def test_what_never_gets_an_answer_is_given_up_after_a_few_rounds(night: Night) -> None:
    night.server.endings.extend([0] * 9)
    outcome = night.run()
    assert set(outcome.failed.values()) == {"transient"}
    assert len(outcome.failed) == len(ITEMS)
    assert outcome.requests == 3 * BatchPolicy().rounds
    assert outcome.stopped is None


def test_lines_that_nobody_asked_for_are_not_used(night: Night) -> None:
    night.run(submit=True)
    (job,) = night.server.jobs.values()
    stranger = job.lines[0][1].replace(job.lines[0][1].split('"')[7], "0" * 32)
    job.lines += [(True, stranger), (True, "[]"), (True, "\x00"), job.lines[0]]
    night.assert_all_answered(night.run())


def test_a_file_of_answers_that_is_gone_is_no_end(night: Night) -> None:
    night.server.trouble["download"].append(Fault.NOT_FOUND)
    night.assert_all_answered(night.run())


PASSING = [
    Fault.SERVER_ERROR,
    Fault.UNAVAILABLE,
    Fault.UNAVAILABLE_FOR_A_SECOND,
    Fault.RATE_LIMITED,
    Fault.RATE_LIMITED_SILENT,
    Fault.RESET,
    Fault.TRUNCATED_BODY,
    Fault.LOST_ANSWER,
    Fault.HTML,
]
OPERATIONS = ["upload", "create", "look", "download"]


@pytest.mark.parametrize(
    ("operation", "fault"),
    [
        *[("create", fault) for fault in PASSING],
        ("upload", Fault.SERVER_ERROR),
        ("upload", Fault.LOST_ANSWER),
        ("upload", Fault.HTML),
        ("look", Fault.RATE_LIMITED),
        ("look", Fault.RESET),
        ("look", Fault.HTML),
        ("download", Fault.UNAVAILABLE),
        ("download", Fault.TRUNCATED_BODY),
        ("download", Fault.HTML),
    ],
)
def test_trouble_that_passes_is_waited_for(night: Night, operation: str, fault: Fault) -> None:
    night.server.trouble[operation].extend([fault, fault])
    night.assert_all_answered(night.run())
    assert set(night.asked().values()) == {1}, "an answer that was lost is not asked for again"


def test_a_batch_that_was_begun_is_found_when_the_answer_was_lost(night: Night) -> None:
    night.server.trouble["create"].append(Fault.LOST_ANSWER)
    night.assert_all_answered(night.run())
    assert night.server.calls.count("create") == 1
    assert night.server.calls.count("upload") == 1


def test_a_batch_is_found_behind_many_others(night: Night) -> None:
    for number in range(7):
        Night(night.server).run([Item("x", f"Somebody else's door number {number}.")], submit=True)
    night.server.trouble["create"].append(Fault.LOST_ANSWER)
    for number in range(5):
        night.server.trouble["list"].append(None)
        Night(night.server).run([Item("x", f"Another door number {number}.")], submit=True)
    outcome = night.run()
    assert outcome.answered == len(ITEMS)
    assert night.ledger.answers == MARKED


def test_a_file_that_is_not_seen_yet_is_waited_for(night: Night) -> None:
    forget = night.server.files.clear
    original = night.server._create

    def not_seen_yet(*given: object) -> object:
        night.server._create = original  # type: ignore[method-assign]
        forget()
        return original(*given)  # type: ignore[arg-type]

    night.server._create = not_seen_yet  # type: ignore[method-assign, assignment]
    night.assert_all_answered(night.run())


@pytest.mark.parametrize("operation", OPERATIONS)
def test_a_provider_that_stays_away_ends_the_run_and_the_next_collects(
    night: Night, operation: str
) -> None:
    night.server.trouble[operation].extend([Fault.SERVER_ERROR] * 500)
    outcome = night.run()
    assert isinstance(outcome.stopped, Transient)
    assert HOUR * 0.8 <= night.clock.time <= HOUR * 1.5
    assert (outcome.answered, outcome.failed) == (0, {})
    night.server.trouble[operation].clear()
    night.assert_all_answered(night.run())
    assert set(night.asked().values()) == {1}


@pytest.mark.parametrize(
    ("operation", "fault"),
    [
        ("upload", Fault.UNAUTHORIZED),
        ("create", Fault.FORBIDDEN),
        ("look", Fault.REDIRECT),
        ("download", Fault.UNAUTHORIZED),
    ],
)
def test_a_wrong_key_or_address_ends_the_run_at_once(
    night: Night, operation: str, fault: Fault
) -> None:
    night.server.trouble[operation].append(fault)
    outcome = night.run()
    assert isinstance(outcome.stopped, Misconfigured)
    assert outcome.failed == {}
    night.assert_all_answered(night.run())


@pytest.mark.parametrize("operation", ["upload", "create"])
def test_a_quota_that_is_used_up_ends_the_run(night: Night, operation: str) -> None:
    night.server.trouble[operation].append(Fault.QUOTA)
    outcome = night.run()
    assert isinstance(outcome.stopped, QuotaExhausted)
    assert outcome.failed == {}
    night.assert_all_answered(night.run())


@pytest.mark.parametrize("ending", ["insufficient_quota", "billing_hard_limit_reached"])
def test_a_quota_that_fails_a_batch_ends_the_run(night: Night, ending: str) -> None:
    night.server.endings.append(ending)
    assert isinstance(night.run().stopped, QuotaExhausted)
    night.assert_all_answered(night.run())


def test_a_quota_that_ends_within_a_batch_keeps_what_was_answered(night: Night) -> None:
    night.server.line_faults.extend([None, Fault.QUOTA, None])
    outcome = night.run()
    assert isinstance(outcome.stopped, QuotaExhausted)
    assert (outcome.answered, outcome.failed) == (8, {})
    assert len(night.ledger.answers) == 8
    night.run([item for item in ITEMS if item.id not in night.ledger.answers])
    assert night.ledger.answers == MARKED


def test_a_batch_that_is_unfit_ends_the_run_and_says_why(night: Night) -> None:
    night.server.endings.append("model_not_found")
    outcome = night.run()
    assert isinstance(outcome.stopped, Misconfigured)
    assert "translator.model" in str(outcome.stopped)


def test_a_batch_that_fails_for_an_unknown_reason_is_handed_in_again(night: Night) -> None:
    night.server.endings.append("something_new")
    night.assert_all_answered(night.run())


def test_a_full_queue_is_waited_for_until_an_own_batch_has_ended(night: Night) -> None:
    night.server.room = 2
    night.server.looks = 4
    others = [Item(f"other {n}", f"The other gate number {n} is open.") for n in range(4)]
    assert night.run(others, submit=True).requests == 1
    outcome = night.run()
    assert (outcome.answered, outcome.stopped) == (12, None)
    assert MARKED.items() <= night.ledger.answers.items()
    assert max(len(texts) for texts in night.server.handed_in) <= 8
    assert "rate-limited" in night.ledger.closings


@pytest.mark.parametrize("room", [1, 2])
def test_a_batch_that_is_larger_than_the_queue_is_handed_in_smaller(
    night: Night, room: int
) -> None:
    night.server.room = room
    outcome = night.run()
    night.assert_all_answered(outcome)
    assert len(night.server.handed_in) == {1: 3, 2: 3}[room]


def test_a_queue_that_is_full_for_a_day_ends_the_run_and_nothing_is_given_up(night: Night) -> None:
    night.server.room = 0
    outcome = night.run(poll_seconds=HOUR)
    assert isinstance(outcome.stopped, RateLimited)
    assert 24 * HOUR <= night.clock.time < 27 * HOUR
    assert len(night.clock.waits) < 40
    assert outcome.failed == {}
    night.server.room = None
    night.assert_all_answered(night.run())


def test_a_refused_batch_costs_nothing(night: Night) -> None:
    night.server.room = 1
    price = Price(1_000.0, "characters")
    translator = make_batch_translator(night.server.settings(), "en", "es")
    enough = sum(len(item.text) for item in ITEMS) / 1_000 + 0.01
    night.assert_all_answered(
        night.run(budget=Budget(Purse(enough, "USD"), price, translator.limits))
    )


def test_a_budget_ends_what_is_handed_in_and_what_is_under_way_is_collected(night: Night) -> None:
    translator = make_batch_translator(night.server.settings(), "en", "es")
    each = sum(len(item.text) for item in ITEMS[:4]) / 1_000
    budget = Budget(Purse(2.1 * each, "USD"), Price(1_000.0, "characters"), translator.limits)
    outcome = night.run(budget=budget)
    assert isinstance(outcome.stopped, BudgetReached)
    assert (outcome.answered, outcome.requests, outcome.failed) == (8, 2, {})
    assert night.server.kept() == []


def test_what_is_handed_in_ahead_is_only_waited_for(night: Night) -> None:
    assert night.run(ITEMS[:8], submit=True).requests == 2
    assert night.run(ITEMS, submit=True).requests == 1
    outcome = night.run()
    night.assert_all_answered(outcome)
    assert outcome.requests == 0
    assert [len(texts) for texts in night.server.handed_in] == [8, 4]


def test_a_text_that_was_encoded_afresh_is_not_taken_for_the_one_in_a_batch(night: Night) -> None:
    night.run(ITEMS[:1], submit=True)
    afresh = Item(ITEMS[0].id, "The gate number 0 of the garden is closed.")
    night.ledger.open.clear()  # it was answered elsewhere meanwhile
    night.run([afresh], submit=True)
    assert night.server.texts() == [ITEMS[0].text, afresh.text]


def test_a_batch_that_nobody_waits_for_is_cancelled(night: Night) -> None:
    night.server.looks = 9
    night.run(submit=True)
    night.ledger.stale = list(night.ledger.batches)
    night.ledger.open.clear()
    night.run(ITEMS[:1], submit=True)
    assert len(night.server.cancelled) == 1


def test_a_batch_that_the_provider_must_know_and_does_not_is_not_asked_again(night: Night) -> None:
    night.run(submit=True)
    night.server.jobs.clear()
    outcome = night.run()
    assert isinstance(outcome.stopped, Misconfigured)
    assert "account" in str(outcome.stopped)
    assert night.server.calls.count("create") == 1
    for batch in night.ledger.batches.values():
        batch.recorded -= 8 * 24 * HOUR
    assert night.run().answered == len(ITEMS)


def test_texts_that_cannot_be_sent_fail_alone(night: Night) -> None:
    broken = [Item("a", "two\nlines"), Item("b", "half \ud83d of a pair"), Item("c", "x" * 9_000)]
    outcome = night.run([*ITEMS, *broken])
    assert outcome.failed == {"a": "rejected", "b": "rejected", "c": "too-long"}
    assert night.ledger.answers == MARKED


def test_files_that_cannot_be_deleted_now_are_by_the_next_run(night: Night) -> None:
    night.server.trouble["delete"].append(Fault.SERVER_ERROR)
    assert night.run().answered == len(ITEMS)
    assert night.server.kept() != []
    night.run([], submit=True)
    assert night.server.kept() == []


def test_a_batch_holds_no_more_than_the_provider_takes(
    night: Night, monkeypatch: pytest.MonkeyPatch
) -> None:
    from prism_core.translators import openai_batch
    from prism_core.translators.batch_provider import BatchLimits

    monkeypatch.setattr(openai_batch, "BATCH_LIMITS", BatchLimits(2, 200_000_000, "here", "now"))
    night.assert_all_answered(night.run(texts_per_request=2))
    assert [len(texts) for texts in night.server.handed_in] == [4, 4, 4]
    fewer = Night(night.server)
    monkeypatch.setattr(openai_batch, "BATCH_LIMITS", BatchLimits(50_000, 4_500, "here", "now"))
    fewer.assert_all_answered(fewer.run())
    largest = max(len(body) for body in night.server.bodies if b"custom_id" in body)
    assert largest < 4_500 + 1_000


def test_under_the_papers_prompt_each_sentence_is_a_request(night: Night) -> None:
    outcome = night.run(prompt="paper")
    night.assert_all_answered(outcome)
    assert outcome.requests == len(ITEMS)
