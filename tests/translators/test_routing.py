"""Several translators: who is asked for what, and who stands in for whom."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.errors import (
    BudgetReached,
    ConfigurationError,
    QuotaExhausted,
    Rejected,
    Transient,
    TranslatorError,
)
from prism_core.translators import Budget, Limits, Party, Price, SendingOutcome, Sent
from prism_core.translators.routing import ask_side_by_side, assign_texts, fail_over
from tests.translators import virtual_time
from tests.translators.memory_ledger import MemoryLedger
from tests.translators.test_scheduler import Scripted, items, mark_all, scheduler

PARTIES = ["first", "second", "third"]


def failing(error: TranslatorError, after: int = 0) -> Scripted:
    """One that answers ``after`` requests and then none."""

    def behave(number: int, texts: Sequence[str]) -> list[str]:
        if number >= after:
            raise error
        return mark_all(texts)

    return Scripted(behave)


def ask(
    *translators: Scripted, waves: int = 1, out: set[str] | None = None
) -> list[SendingOutcome]:
    """Each of ``waves`` asks for the same 40 items anew."""
    out = set() if out is None else out

    async def main() -> list[SendingOutcome]:
        outcomes = []
        for _ in range(waves):
            parties = [
                Party(name, scheduler(translator, MemoryLedger()))
                for name, translator in zip(PARTIES, translators, strict=False)
            ]
            outcomes.append(await fail_over(parties, items(40), out))
        return outcomes

    return virtual_time.run(main())


@pytest.mark.parametrize("error", [QuotaExhausted("over"), Transient("down")])
def test_the_next_is_asked_for_what_the_first_left(error: TranslatorError) -> None:
    first, second = failing(error, after=2), Scripted()
    [outcome] = ask(first, second)
    answered_by_first = {text for batch in first.batches[:2] for text in batch}
    asked_of_second = {text for batch in second.batches for text in batch}
    assert (outcome.answered, outcome.failed, outcome.stopped) == (40, {}, None)
    assert len(answered_by_first) == 20
    assert not answered_by_first & asked_of_second


def test_one_that_is_down_is_not_waited_for_in_every_wave() -> None:
    first, second, out = failing(QuotaExhausted("over")), Scripted(), set[str]()
    ask(first, second, waves=3, out=out)
    assert out == {"first"}
    assert len(first.batches) == 1
    assert len(second.batches) == 12


def test_a_single_refused_sentence_goes_to_the_next_alone() -> None:
    def refuse_one(_number: int, texts: Sequence[str]) -> list[str]:
        if any(text.endswith(" 7") for text in texts):
            raise Rejected("no", index=[text.endswith(" 7") for text in texts].index(True))
        return mark_all(texts)

    second, out = Scripted(), set[str]()
    [outcome] = ask(Scripted(refuse_one), second, out=out)
    assert (outcome.answered, outcome.failed, out) == (40, {}, set())
    assert [len(batch) for batch in second.batches] == [1]


def test_when_all_fail_the_last_says_why_and_is_asked_again_next_time() -> None:
    last, out = failing(QuotaExhausted("over")), set[str]()
    outcomes = ask(failing(Transient("down")), last, waves=2, out=out)
    assert out == {"first"}
    assert all(isinstance(outcome.stopped, QuotaExhausted) for outcome in outcomes)
    assert len(last.batches) == 2


def test_the_budget_of_the_user_is_no_reason_to_ask_somebody_else() -> None:
    second = Scripted()
    [outcome] = ask(failing(BudgetReached("spent"), after=1), second)
    assert isinstance(outcome.stopped, BudgetReached)
    assert (outcome.answered, second.batches) == (10, [])


def test_under_split_nobody_stands_in_for_another() -> None:
    first, second = failing(QuotaExhausted("over")), Scripted()
    todo = items(40)

    async def main() -> SendingOutcome:
        parties = [
            Party(name, scheduler(translator, MemoryLedger()))
            for name, translator in (("first", first), ("second", second))
        ]
        return await ask_side_by_side([(parties[0], todo[:20]), (parties[1], todo[20:])])

    outcome = virtual_time.run(main())
    assert outcome.answered_ids == {item.id for item in todo[20:]}
    assert isinstance(outcome.stopped, QuotaExhausted)


@given(
    st.lists(st.dictionaries(st.sampled_from("abcdefghij"), st.sampled_from([None, *PARTIES]))),
    st.randoms(use_true_random=False),
)
def test_every_sentence_has_one_party_and_keeps_the_one_it_had(documents, rng: Random) -> None:
    known = {s: p for d in reversed(documents) for s, p in d.items() if p}
    agreed = [{s: known.get(s) for s in document} for document in documents]
    given_to = assign_texts(agreed, PARTIES, rng)
    assert given_to.keys() == {s for document in documents for s in document}
    assert all(given_to[s] == party for s, party in known.items())


@pytest.mark.parametrize("parties", [2, 3])
@pytest.mark.parametrize("sentences", [1, 2, 3, 7, 50])
def test_no_party_sees_more_than_its_share_of_a_document(parties: int, sentences: int) -> None:
    document = dict.fromkeys(map(str, range(sentences)))
    for seed in range(20):
        counts = Counter(assign_texts([document], PARTIES[:parties], Random(seed)).values())
        assert max(counts.values()) == -(-sentences // parties)


def test_a_document_begun_with_one_party_goes_on_with_the_others() -> None:
    begun: dict[str, str | None] = {"a": "first", "b": "first", "c": None, "d": None}
    given_to = assign_texts([begun], ["first", "second"], Random(1))
    assert (given_to["c"], given_to["d"]) == ("second", "second")


def test_a_party_that_is_no_longer_listed_is_replaced() -> None:
    assert assign_texts([{"a": "gone"}], ["first"], Random(1)) == {"a": "first"}


def test_who_gets_the_odd_sentence_is_left_to_chance() -> None:
    winners = {assign_texts([{"a": None}], PARTIES, Random(seed))["a"] for seed in range(50)}
    assert winners == set(PARTIES)


class Priced(Scripted):
    def __init__(self, price: Price | None) -> None:
        super().__init__(limits=Limits(10, 1_000))
        self.price = price  # type: ignore[assignment]


def test_several_translators_spend_one_budget() -> None:
    dear, cheap = Priced(Price(2e6, "characters")), Priced(Price(1e6, "characters"))
    first, second = Budget.share(100, [(dear, Sent(1, 1, 20)), (cheap, Sent())])
    assert first is not None
    assert second is not None
    assert first.purse is second.purse
    assert first.purse.spent == pytest.approx(40)
    second.book(items(2, "x" * 20))
    assert first.purse.spent == pytest.approx(80)
    with pytest.raises(BudgetReached):
        first.book(items(1, "x" * 20))


def test_a_budget_in_two_currencies_is_refused() -> None:
    asked = [(Priced(Price(1, "characters", currency)), Sent()) for currency in ("EUR", "USD")]
    with pytest.raises(ConfigurationError, match="EUR and USD"):
        Budget.share(1, asked)


def test_a_free_translator_shares_a_budget_in_any_currency() -> None:
    free, paid = Priced(Price(0, "characters")), Priced(Price(1, "characters", "EUR"))
    budget, _ = Budget.share(1, [(free, Sent()), (paid, Sent())])
    assert budget is not None
    assert budget.purse.currency == "EUR"


def test_closing_waits_for_both_sides() -> None:
    slow = Scripted(seconds=5)

    async def main() -> SendingOutcome:
        parties = [
            Party("first", scheduler(Scripted(), MemoryLedger())),
            Party("second", scheduler(slow, MemoryLedger())),
        ]
        todo = items(20)
        return await asyncio.wait_for(
            ask_side_by_side([(parties[0], todo[:10]), (parties[1], todo[10:])]), 60
        )

    assert virtual_time.run(main()).answered == 20
