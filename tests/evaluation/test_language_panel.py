"""The panel against a real HTTP server on loopback that answers as language models do."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest

from prism_core.building import QuerySession
from prism_core.building.answers import AnswerStore
from prism_core.errors import BudgetReached, Misconfigured
from prism_core.evaluation.methods import SentenceOutcome
from prism_core.evaluation.panels import Examinee, LanguagePanel
from prism_core.settings import TranslatorSettings
from prism_core.translators import Budget
from tests.evaluation.corpus import corpus
from tests.openai_server import Fault, OpenAIServer

ARCHIVE = corpus()
OUTCOMES = [
    SentenceOutcome("el dog corrió", ("the hen sang",), restored=True),
    SentenceOutcome("un fox durmió", ("a bee slept", "a cow slept"), restored=True),
]


def always(answer: str) -> Callable[[Sequence[str]], list[str]]:
    return lambda texts: [answer for _ in texts]


@pytest.fixture(autouse=True)
def key(monkeypatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "loopback-key")


@contextmanager
def panel(folder: Path, settings: TranslatorSettings) -> Iterator[LanguagePanel]:
    examinee = Examinee(settings)
    name = examinee.described
    answers = AnswerStore.open(folder, b"k" * 32, name)
    budget = Budget.of(settings, examinee)
    with QuerySession(examinee, "en", "es", answers, budget=budget, checks=Examinee.checks) as ask:
        yield LanguagePanel(name, ask)
    answers.close()


def contents(server: OpenAIServer) -> list[str]:
    return [json.loads(body)["messages"][-1]["content"] for body in server.bodies]


def test_both_sides_are_asked_and_right_answers_are_counted(tmp_path: Path) -> None:
    with OpenAIServer(always("1. A\n2. D")) as server, panel(tmp_path, server.settings()) as judge:
        first, second = judge.verdicts(ARCHIVE, OUTCOMES)
    assert (first.questions, first.adversary_right, first.reader_right) == (2, 2, 2)
    assert (second.adversary_unread, second.reader_unread) == (0, 0)
    assert len(contents(server)) == 4


def test_the_adversary_sees_all_that_was_sent_and_nothing_else_and_the_reader_y_pri(
    tmp_path: Path,
) -> None:
    with OpenAIServer(always("AD")) as server, panel(tmp_path, server.settings()) as judge:
        judge.verdicts(ARCHIVE, OUTCOMES)
    asked = contents(server)
    sent = [one for one in asked if "the hen sang" in one or "a bee slept a cow slept" in one]
    read = [one for one in asked if "corrió" in one or "durmió" in one]
    assert (len(sent), len(read)) == (2, 2)
    assert not set(sent) & set(read)
    assert not any("the dog ran" in one or "a fox slept" in one for one in asked)


def test_chatty_answers_are_read_and_what_is_none_counts_as_a_blind_guess(tmp_path: Path) -> None:
    answers = iter(["Sure!\n1. A\n2. D", "I do not know.", "1. A", "BD"])
    with (
        OpenAIServer(lambda _: [next(answers)]) as server,
        panel(tmp_path, server.settings(concurrency=1)) as judge,
    ):
        first, second = judge.verdicts(ARCHIVE, OUTCOMES)
    assert (first.adversary_right, first.adversary_unread) == (2, 0)
    assert (second.adversary_right, second.adversary_unread) == (0.5, 2)
    assert (first.reader_right, first.reader_unread) == (1.25, 1)
    assert (second.reader_right, second.reader_unread) == (1, 0)


def test_what_was_answered_is_never_asked_again(tmp_path: Path) -> None:
    with OpenAIServer(always("AD")) as server:
        for _ in range(2):
            with panel(tmp_path, server.settings()) as judge:
                verdicts = judge.verdicts(ARCHIVE, OUTCOMES)
        assert len(server.bodies) == 4
        with panel(tmp_path, server.settings(model="another")) as judge:
            assert judge.verdicts(ARCHIVE, OUTCOMES) == verdicts
        assert len(server.bodies) == 8


def test_a_refusal_is_unread_and_a_fault_that_passes_is_asked_again(tmp_path: Path) -> None:
    faults = [Fault.SERVER_ERROR, None, Fault.REFUSAL]
    with (
        OpenAIServer(always("AD"), faults=faults) as server,
        panel(tmp_path, server.settings(concurrency=1)) as judge,
    ):
        verdicts = judge.verdicts(ARCHIVE, OUTCOMES)
    assert sum(one.adversary_unread + one.reader_unread for one in verdicts) == 2
    assert len(server.bodies) == 5


def test_nothing_is_asked_beyond_the_budget_and_what_was_answered_is_kept(tmp_path: Path) -> None:
    price = {"price_per_million": 10.0, "price_per_million_answered": 40.0, "concurrency": 1}
    with (
        OpenAIServer(always("AD")) as server,
        panel(tmp_path, server.settings(max_cost=0.0045, **price)) as judge,
    ):
        with pytest.raises(BudgetReached):
            judge.verdicts(ARCHIVE, OUTCOMES)
        asked = len(server.bodies)
        assert 0 < asked < 4
        with panel(tmp_path, server.settings(max_cost=1.0, **price)) as judge:
            judge.verdicts(ARCHIVE, OUTCOMES)
        assert len(server.bodies) == 4


def test_a_missing_key_is_told_before_anything_is_asked(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY")
    with pytest.raises(Misconfigured, match="OPENAI_API_KEY"):
        Examinee(TranslatorSettings.choose(name="openai"))
    assert Examinee(
        TranslatorSettings.choose(name="openai", base_url="http://localhost:1/v1")
    ).local


def test_nothing_is_asked_about_documents_without_questions(tmp_path: Path) -> None:
    from dataclasses import replace

    silent = replace(ARCHIVE, documents=tuple(replace(d, asked=()) for d in ARCHIVE.documents))
    with OpenAIServer(always("AD")) as server:
        with panel(tmp_path, server.settings()) as judge:
            assert [one.questions for one in judge.verdicts(silent, OUTCOMES)] == [0, 0]
        assert server.bodies == []
