"""The batch scheduler over real HTTP: a provider that is away, full, or has had enough."""

from __future__ import annotations

import pytest

from prism_core.errors import BudgetReached, Misconfigured, QuotaExhausted, RateLimited, Transient
from prism_core.translators import Budget, Item, Price, make_provider
from prism_core.translators.cost import Purse
from tests.openai_server import Fault
from tests.translators.nights import HOUR, ITEMS, MARKED, Night

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
    translator = make_provider(night.server.settings(), "en", "es")
    enough = sum(len(item.text) for item in ITEMS) / 1_000 + 0.01
    night.assert_all_answered(
        night.run(budget=Budget(Purse(enough, "USD"), price, translator.limits))
    )


def test_a_budget_ends_what_is_handed_in_and_what_is_under_way_is_collected(night: Night) -> None:
    translator = make_provider(night.server.settings(), "en", "es")
    each = sum(len(item.text) for item in ITEMS[:4]) / 1_000
    budget = Budget(Purse(2.1 * each, "USD"), Price(1_000.0, "characters"), translator.limits)
    outcome = night.run(budget=budget)
    assert isinstance(outcome.stopped, BudgetReached)
    assert (outcome.answered, outcome.requests, outcome.failed) == (8, 2, {})
    assert night.server.kept() == []
