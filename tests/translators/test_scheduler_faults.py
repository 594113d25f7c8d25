"""The scheduler in virtual time: what it does about faults and about answers in doubt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from random import Random

import pytest

from prism_core.errors import (
    BadAnswer,
    Misconfigured,
    QuotaExhausted,
    Rejected,
    TimedOut,
    Transient,
    TranslatorError,
    Unreachable,
)
from prism_core.translators import AnswerChecks, Item, Limits
from prism_core.translators.adapters.fake import mark_words
from prism_core.translators.scheduler import RetryPolicy
from tests.translators import virtual_time
from tests.translators.scripted import Scripted, failing, items, mark_all, poisoned, run


def test_the_same_bytes_are_sent_again_after_a_transient_fault() -> None:
    translator = Scripted(failing(3, Transient("down")))
    outcome, ledger = run(translator, items(10))
    assert translator.batches == [translator.batches[0]] * 4
    assert (outcome.answered, outcome.requests, outcome.retries) == (10, 4, 3)
    assert ledger.failures() == ["server-error"] * 3


def test_waits_between_attempts_grow_and_are_jittered() -> None:
    policy, rng = RetryPolicy(base=1, ceiling=8), Random(3)
    for attempt, highest in ((1, 1), (2, 2), (3, 4), (4, 8), (9, 8)):
        waits = [policy.backoff(attempt, rng) for _ in range(400)]
        assert 0.5 * highest <= min(waits) < 0.55 * highest
        assert 0.9 * highest < max(waits) <= highest
        assert sum(waits) / 400 == pytest.approx(0.75 * highest, rel=0.1)


def test_what_got_no_answer_is_asked_once_more_when_all_else_is_answered() -> None:
    translator = Scripted(failing(4, Transient("down")), limits=Limits(10, 1_000))
    outcome, _ = run(translator, items(30), policy=RetryPolicy(attempts=4))
    assert (outcome.answered, outcome.failed, outcome.stopped) == (30, {}, None)
    assert translator.batches[0] == translator.batches[-1]


@pytest.mark.parametrize("culprit", [0, 13, 29])
def test_a_text_at_which_the_provider_fails_is_found_and_the_others_are_answered(
    culprit: int,
) -> None:
    def behave(_: int, texts: Sequence[str]) -> list[str]:
        if any("poison" in text for text in texts):
            raise Transient("500")
        return mark_all(texts)

    todo = items(60)
    todo[culprit] = Item("bad", "this is the poison pill")
    translator = Scripted(behave, limits=Limits(30, 1_000))
    outcome, _ = run(translator, todo)
    assert (outcome.answered, outcome.failed, outcome.stopped) == (59, {"bad": "no-answer"}, None)
    assert len(translator.calls) < 8 + 1 + 2 * 6 + 6


def test_patience_ends_a_batch_before_its_attempts_do() -> None:
    translator = Scripted(failing(99, Transient("down", retry_after=40)))
    policy = RetryPolicy(attempts=50, patience=100, dead_requests=9)
    outcome, _ = run(translator, items(10), policy=policy)
    assert set(outcome.failed.values()) == {"server-error"}
    assert translator.times[-1] <= 100
    assert 2 <= len(translator.calls) <= 4


def test_a_provider_that_is_down_ends_the_run() -> None:
    translator = Scripted(failing(999, Transient("down")))
    outcome, _ = run(translator, items(500), policy=RetryPolicy(attempts=2, dead_requests=3))
    assert isinstance(outcome.stopped, Transient)
    assert len(translator.calls) == 2 + 1 + 1
    assert len(outcome.failed) == 30


@pytest.mark.parametrize("concurrency", [1, 8])
def test_a_provider_that_answers_nothing_is_named_after_few_requests(concurrency: int) -> None:
    limits = Limits(10, 1_000, concurrency=concurrency)
    translator = Scripted(failing(999, Unreachable("Check its address.")), limits=limits)
    outcome, ledger = run(translator, items(500))
    assert len(translator.calls) <= (8 if concurrency == 1 else 16)
    assert 15 < outcome.seconds < 40
    assert str(outcome.stopped) == (
        f"scripted at localhost gave no usable answer to {outcome.requests} requests "
        f"(no reply: {outcome.requests}): Check its address."
    )
    assert set(ledger.failures()) == {"no-reply"}


def test_a_provider_that_stops_answering_is_asked_by_one_request_at_a_time() -> None:
    def behave(number: int, texts: Sequence[str]) -> list[str]:
        if number >= 16:
            raise Transient("down")
        return mark_all(texts)

    translator = Scripted(behave, limits=Limits(10, 1_000, concurrency=8))
    outcome, _ = run(translator, items(500))
    assert isinstance(outcome.stopped, Transient)
    assert "failed " in str(outcome.stopped)
    assert f"of {outcome.requests} requests (server error: " in str(outcome.stopped)
    assert outcome.answered == 160
    assert len(translator.calls) <= 16 + 8 + 10


@pytest.mark.parametrize(("answered", "seconds"), [(0, 12), (3, 60)])
def test_a_provider_that_comes_back_is_waited_for(answered: int, seconds: float) -> None:
    def behave(number: int, texts: Sequence[str]) -> list[str]:
        if number >= answered and virtual_time.now() < seconds:
            raise Unreachable("down")
        return mark_all(texts)

    translator = Scripted(behave, limits=Limits(10, 1_000, concurrency=4))
    outcome, _ = run(translator, items(500))
    assert (outcome.answered, outcome.failed, outcome.stopped) == (500, {}, None)
    assert translator.most_at_once == 4


@pytest.mark.parametrize("fault", [Transient("down"), BadAnswer("a page of HTML")])
def test_a_run_of_one_batch_without_an_answer_is_no_success(fault: Transient) -> None:
    outcome, _ = run(Scripted(failing(999, fault)), items(10))
    assert type(outcome.stopped) is type(fault)
    assert outcome.answered == 0
    assert len(outcome.failed) == 10


def test_one_text_that_cannot_be_answered_does_not_count_as_a_provider_that_is_down() -> None:
    for behave in (
        failing(999, BadAnswer("no JSON")),
        failing(999, Rejected("content filter")),
        lambda _, texts: list(texts),
    ):
        outcome, _ = run(Scripted(behave), items(1, "it is already translated, number {}"))
        assert outcome.stopped is None
        assert len(outcome.failed) == 1


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


@pytest.mark.parametrize("fault", [Rejected("content filter"), BadAnswer("no JSON")])
def test_several_single_texts_without_a_usable_answer_do_not_end_the_run(
    fault: TranslatorError,
) -> None:
    def reply(_number: int, texts: Sequence[str]) -> list[str]:
        if "already" in texts[0]:
            raise fault
        return mark_all(texts)

    todo = [*items(11, "it is already translated, number {}"), *items(14)[11:]]
    outcome, _ = run(Scripted(reply, limits=Limits(1, 1_000)), todo)
    assert (outcome.answered, len(outcome.failed), outcome.stopped) == (3, 11, None)


def test_who_refuses_every_single_text_is_given_up_on() -> None:
    translator = Scripted(failing(999, Rejected("no")), limits=Limits(1, 1_000))
    outcome, _ = run(translator, items(500))
    assert isinstance(outcome.stopped, Rejected)
    assert len(translator.calls) == 12


def test_dead_requests_count_only_in_a_row() -> None:
    def every_third(number: int, texts: Sequence[str]) -> list[str]:
        if number % 3:
            raise Transient("down")
        return mark_all(texts)

    policy = RetryPolicy(attempts=1, dead_requests=3)
    outcome, _ = run(Scripted(every_third), items(300), policy=policy)
    assert outcome.stopped is None
    assert outcome.answered >= 100


def test_a_provider_that_is_down_for_a_minute_is_waited_for() -> None:
    def down(number: int, texts: Sequence[str]) -> list[str]:
        if 1 < translator.times[number] < 61:
            raise Transient("down")
        return mark_all(texts)

    translator = Scripted(down, limits=Limits(4, 1_000, concurrency=3), seconds=0.3)
    outcome, _ = run(translator, items(100))
    assert (outcome.answered, outcome.failed, outcome.stopped) == (100, {}, None)


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


def test_an_unusable_answer_is_asked_for_again_text_by_text() -> None:
    def behave(_: int, texts: Sequence[str]) -> list[str]:
        if len(texts) > 1 or "4" in texts[0]:
            raise BadAnswer("broken JSON")
        return mark_all(texts)

    translator = Scripted(behave)
    outcome, _ = run(translator, items(10))
    assert [len(batch) for batch in translator.batches] == [10] + [1] * 10
    assert outcome.answered == 9
    assert outcome.failed == {"id4": "bad-answer"}


@pytest.mark.parametrize(
    "garbage", [["nothing"], ["", "", ""], ["x" * 999, "", "x" * 999], ["\0", "\1", "\2"]]
)
@pytest.mark.parametrize("together", [1, 3, 50])
def test_who_writes_garbage_gets_no_text_more_than_twice_and_few_at_all(
    garbage: list[str], together: int
) -> None:
    def behave(number: int, texts: Sequence[str]) -> list[str]:
        answers = [garbage[(number + place) % len(garbage)] for place in range(len(texts))]
        return answers if len(garbage) > 1 else garbage * (len(texts) + 1)

    translator = Scripted(behave, limits=Limits(together, 10_000))
    outcome, _ = run(translator, items(500))
    sent = Counter(text for batch in translator.batches for text in batch)
    assert max(sent.values()) == 2
    assert sum(count == 2 for count in sent.values()) <= 12
    assert isinstance(outcome.stopped, BadAnswer)


def test_texts_that_come_back_as_they_were_do_not_end_a_run_that_has_others() -> None:
    def behave(_: int, texts: Sequence[str]) -> list[str]:
        return [text if "already" in text else mark_words(text) for text in texts]

    todo = [*items(30, "it is already translated, number {}"), *items(40)[30:]]
    outcome, _ = run(Scripted(behave, limits=Limits(20, 10_000)), todo)
    assert (outcome.answered, len(outcome.failed), outcome.stopped) == (10, 30, None)


def test_an_answer_without_end_costs_one_text_of_its_request() -> None:
    def behave(_: int, texts: Sequence[str]) -> list[str]:
        if len(texts) > 5 or any("endless" in text for text in texts):
            raise TimedOut("late")
        return mark_all(texts)

    todo = items(10)
    todo[7] = Item("culprit", "an endless story is told to me")
    translator = Scripted(behave)
    outcome, _ = run(translator, todo)
    assert [len(batch) for batch in translator.batches] == [10, 10, 5, 5, 5, 2, 3, 3, 1, 1, 2]
    assert outcome.answered == 9
    assert dict(outcome.failed) == {"culprit": "no-answer"}
    assert outcome.stopped is None


def test_a_provider_that_never_answers_in_time_is_not_asked_for_every_half() -> None:
    def behave(_: int, texts: Sequence[str]) -> list[str]:
        raise TimedOut("late")

    translator = Scripted(behave)
    outcome, _ = run(translator, items(10))
    assert [len(batch) for batch in translator.batches] == [10, 10, 5, 5, 5, 5]
    assert isinstance(outcome.stopped, TimedOut)
    assert len(outcome.failed) == 10


def test_one_text_alone_without_an_answer_is_no_sign_of_a_provider_that_is_away() -> None:
    def behave(_: int, texts: Sequence[str]) -> list[str]:
        raise TimedOut("late")

    outcome, _ = run(Scripted(behave), items(1))
    assert outcome.stopped is None
    assert set(outcome.failed.values()) == {"no-answer"}


def test_a_wrong_number_of_answers_is_never_paired_up() -> None:
    translator = Scripted(lambda _, texts: mark_all(texts)[:-1])
    outcome, ledger = run(translator, items(4), policy=RetryPolicy(base=0.01))
    assert ledger.answers == {}
    assert set(outcome.failed.values()) == {"bad-answer"}


def test_an_identity_is_doubted_unless_it_says_so() -> None:
    doubted, _ = run(Scripted(lambda _, texts: list(texts)), items(3))
    assert set(doubted.failed.values()) == {"answer-untranslated"}
    allowed, _ = run(
        Scripted(lambda _, texts: list(texts)), items(3), checks=AnswerChecks(allow_unchanged=True)
    )
    assert allowed.answered == 3
