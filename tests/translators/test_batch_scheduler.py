"""The batch scheduler over real HTTP: whatever a batch comes back with, nothing is lost in it."""

from __future__ import annotations

import pytest

from prism_core.errors import Misconfigured
from prism_core.translators import Item
from prism_core.translators.batches import BatchPolicy
from tests.openai_batch_server import LineFault
from tests.openai_server import Fault
from tests.translators.nights import HOUR, ITEMS, MARKED, Night


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
    ],
)
def test_a_request_without_an_answer_is_asked_again_as_it_was(
    night: Night, fault: Fault | LineFault
) -> None:
    night.server.line_faults.extend([None, fault])
    outcome = night.run()
    night.assert_all_answered(outcome)
    assert (outcome.requests, outcome.retries) == (4, 1)
    first = next(event for event in night.ledger.events if event[0] == "failed")
    asked_again = night.ledger.events[-2]
    assert sorted(first[2]) == sorted(asked_again[2]), "the same four, the same bytes"


@pytest.mark.parametrize(
    "fault", [Fault.NOT_JSON, Fault.WRONG_COUNT, Fault.UNKNOWN_ID, Fault.NO_CHOICES]
)
def test_after_an_answer_that_cannot_be_read_each_sentence_is_asked_for_alone_and_once(
    night: Night, fault: Fault
) -> None:
    night.server.line_faults.extend([None, fault])
    outcome = night.run()
    night.assert_all_answered(outcome)
    assert (outcome.requests, outcome.retries) == (3 + 4, 4)
    later = Night(night.server)
    night.server.line_faults.extend([None, fault, None, fault])
    outcome = later.run()
    assert (list(outcome.failed.values()), outcome.requests) == (["bad-answer"], 3 + 4)


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
    assert set(outcome.failed.values()) == {"server-error"}
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
    from prism_core.translators.batches import BatchLimits
    from prism_core.translators.openai import batch as openai_batch

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
