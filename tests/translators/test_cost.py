"""What requests cost and how long they take, told before they leave and counted after."""

from __future__ import annotations

import asyncio

import pytest
from pydantic import ValidationError

from prism_core.errors import (
    BudgetReached,
    ConfigurationError,
    ExitCode,
    Transient,
    TranslatorError,
    Unreachable,
)
from prism_core.settings import TranslatorSettings
from prism_core.translators import (
    Budget,
    CostForecast,
    Item,
    Limits,
    Price,
    Scheduler,
    Sent,
    make_provider,
    make_translator,
    terms_of,
)
from prism_core.translators.cost import Purse
from prism_core.translators.scheduler import RetryPolicy
from tests.translators.memory_ledger import MemoryLedger

BY_CHARACTER = Price(1e6, "characters")
"""One a character."""


def items(*lengths: int) -> list[Item]:
    return [Item(str(number), "x" * length) for number, length in enumerate(lengths)]


def test_characters_cost_what_the_list_says() -> None:
    assert Sent(3, 10, 500_000).cost(Price(20.0, "characters"), Limits(1, 1)) == 10.0


def test_tokens_are_billed_with_the_prompt_the_frames_and_the_answers() -> None:
    limits = Limits(10, 1_000, characters_beside=300, characters_around=30)
    sent = Sent(requests=2, texts=4, characters=3_000)
    asked, answered = (2 * 300 + 4 * 30 + 3_000) / 3, (4 * 30 + 2 * 3_000) / 3
    price = Price(1.0, "tokens", answers=4.0)
    assert sent.cost(price, limits) == pytest.approx((asked + 4 * answered) / 1e6)


def test_a_cost_of_tokens_is_above_that_of_four_bytes_a_token_both_ways() -> None:
    limits = terms_of(TranslatorSettings.choose(name="openai"), "en", "es").limits
    assert limits is not None
    texts = ["The ship reached the harbour of the old town before the storm."] * 40
    both_ways = 2 * limits.load(texts).tokens
    sent = Sent(1, len(texts), sum(map(len, texts)))
    assert sent.cost(Price(1e6, "tokens", answers=1e6), limits) > 1.2 * both_ways


def test_the_cost_of_the_whole_is_the_sum_of_its_parts() -> None:
    limits = Limits(10, 1_000, characters_beside=300, characters_around=30)
    price = Price(1.0, "tokens", answers=4.0)
    parts = Sent(1, 3, 100), Sent(2, 5, 900)
    assert sum(part.cost(price, limits) for part in parts) == pytest.approx(
        Sent(3, 8, 1_000).cost(price, limits)
    )


def test_a_forecast_counts_requests_as_they_would_be_packed() -> None:
    forecast = CostForecast(Limits(2, 100), Price(1e6, "characters"))
    forecast.add(items(10, 10, 10, 200))
    forecast.add(items(60, 60))
    found = forecast.expected()
    assert (found.requests, found.texts, found.characters, found.too_long) == (4, 5, 150, 1)
    assert (found.cost, found.currency) == (pytest.approx(1.1 * 150), "USD")


@pytest.mark.parametrize(
    ("rate", "seconds"),
    [
        ({}, None),
        ({"requests_per_minute": 10}, 6 * 4),
        ({"characters_per_minute": 60}, 120),
        ({"tokens_per_minute": 30, "requests_per_minute": 1_000}, 60),
    ],
)
def test_time_is_that_of_the_rate_that_is_used_up_first(rate, seconds) -> None:
    forecast = CostForecast(Limits(1, 100, **rate), None)
    forecast.add(items(30, 30, 30, 30))
    found = forecast.expected()
    assert found.cost is None
    assert found.seconds == (None if seconds is None else pytest.approx(seconds, rel=0.1))


@pytest.mark.parametrize("name", TranslatorSettings.names())
def test_terms_are_known_without_a_key_and_equal_those_of_the_translator_made(
    name: str, monkeypatch
) -> None:
    keys = ("OPENAI_API_KEY", "DEEPL_AUTH_KEY", "AZURE_TRANSLATOR_KEY", "GOOGLE_ACCESS_TOKEN")
    for key in (*keys, "GOOGLE_APPLICATION_CREDENTIALS"):
        monkeypatch.delenv(key, raising=False)
    settings = TranslatorSettings.choose(
        name=name, **({"project": "p"} if name == "google" else {})
    )
    without = terms_of(settings, "en", "pt" if name == "firefox" else "es")
    assert without.limits is not None
    if name == "local":
        return  # which needs a model on disk
    for key in keys:
        monkeypatch.setenv(key, "k")
    made = make_provider(settings, "en", "pt" if name == "firefox" else "es")
    assert (made.limits, made.price) == (without.limits, without.price)
    assert bool(without.remark) == (name in ("openai", "openai-batch", "deepl", "azure", "google"))


def test_the_price_in_the_settings_wins_over_the_list() -> None:
    settings = TranslatorSettings.choose(name="azure", price_per_million=7, price_currency="EUR")
    price = terms_of(settings, "en", "es").price
    assert price is not None
    assert (price.amount, price.unit, price.currency) == (7, "characters", "EUR")


@pytest.mark.parametrize(
    "wrong",
    [
        {"price_per_million_answered": 3},
        {"name": "openai", "price_per_million": 0.4},
        {"price_unit": "tokens", "price_per_million": 0.4},
        {"price_per_million": -1},
        {"price_per_million": float("nan")},
        {"max_cost": -1},
        {"max_cost": float("inf")},
        {"price_currency": "dollars"},
    ],
)
def test_half_a_price_and_a_budget_without_end_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(ValidationError):
        TranslatorSettings.choose(**wrong)


def test_a_budget_without_a_price_is_refused() -> None:
    settings = TranslatorSettings.choose(name="openai", base_url="http://localhost:1", max_cost=5)
    with pytest.raises(ConfigurationError, match="price_per_million"):
        Budget.of(settings, make_translator(settings, "en", "es"))


def test_a_request_that_would_exceed_the_budget_is_not_counted() -> None:
    budget = Budget(Purse(100, "USD", 30), BY_CHARACTER, Limits(10, 100))
    budget.book(items(40, 30))
    with pytest.raises(BudgetReached, match=r"100\.00 USD") as caught:
        budget.book(items(1))
    assert (budget.purse.spent, caught.value.exit_code) == (100, ExitCode.BUDGET_REACHED)


def test_a_budget_of_less_than_a_cent_is_shown_and_said_to_be_too_small() -> None:
    budget = Budget(Purse(0.002, "USD"), Price(1.0, "characters", "USD", "", ""), Limits(10, 100))
    with pytest.raises(BudgetReached, match=r"of 0\.002 USD .* 0\.003: nothing was sent\. Raise"):
        budget.book(items(3000))


class _Failing:
    """Gives every text back in capitals, each time after ``failures`` passing faults."""

    name, endpoint, price = "failing", "localhost", BY_CHARACTER

    def __init__(
        self, failures: int, concurrency: int = 1, fault: TranslatorError | None = None
    ) -> None:
        self.fault = fault or Unreachable("gone")
        self.limits = Limits(1, 1_000, concurrency=concurrency)
        self.failures = failures
        self.sent: list[str] = []

    async def translate(self, texts, source, target):  # noqa: ARG002 - any pair
        self.sent += texts
        await asyncio.sleep(0)
        if len(self.sent) % (self.failures + 1):
            raise self.fault
        return [text.upper() for text in texts]

    async def close(self) -> None: ...


def test_a_request_that_the_provider_would_not_answer_costs_nothing() -> None:
    translator = _Failing(2, fault=Transient("busy"))
    budget = Budget(Purse(95, "USD"), BY_CHARACTER, translator.limits)
    policy = RetryPolicy(base=0.0)
    scheduler = Scheduler(
        translator, "en", "es", ledger=MemoryLedger(), policy=policy, budget=budget
    )
    outcome = asyncio.run(scheduler.run(items(*[10] * 30)))
    assert (outcome.answered, budget.purse.spent) == (9, 90)
    assert len(translator.sent) == 3 * 9


def test_what_runs_before_this_one_spent_is_gone_from_the_budget_of_all() -> None:
    asked = [(_Failing(0), Sent(2, 2, 30)), (_Failing(0), Sent(1, 1, 10))]
    first, second = Budget.share(100, asked)
    assert first is not None
    assert second is not None
    assert (first.purse.left, second.purse) == (60, first.purse)
    with pytest.raises(BudgetReached):
        second.book(items(61))


@pytest.mark.parametrize(("failures", "concurrency"), [(0, 1), (2, 1), (0, 8)])
def test_every_attempt_counts_and_no_request_leaves_beyond_the_budget(
    failures: int, concurrency: int
) -> None:
    translator = _Failing(failures, concurrency)
    budget = Budget(Purse(95, "USD"), BY_CHARACTER, translator.limits)
    policy = RetryPolicy(base=0.0)
    scheduler = Scheduler(
        translator, "en", "es", ledger=MemoryLedger(), policy=policy, budget=budget
    )
    outcome = asyncio.run(scheduler.run(items(*[10] * 30)))
    assert isinstance(outcome.stopped, BudgetReached)
    assert sum(map(len, translator.sent)) == 90
    assert outcome.answered == 9 // (failures + 1)
    assert outcome.failed == {}, "what was not sent waits for the next run"
