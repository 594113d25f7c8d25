from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random

import pytest

from prism_core.building.answers import AnswerStore
from prism_core.building.queries import QuerySession, open_answers
from prism_core.errors import (
    Misconfigured,
    QuotaExhausted,
    Rejected,
    Transient,
    TranslatorError,
    WrongKey,
)
from prism_core.translators import Limits, Price

KEY = b"k" * 32


class Scripted:
    """Doubles each text; raises ``fault`` for a request with a text that holds ``at``."""

    name, endpoint = "scripted", "localhost"
    limits = Limits(texts_per_request=2, characters_per_request=1000)
    price: Price | None = None

    def __init__(self, at: str = "", fault: TranslatorError | None = None) -> None:
        self.received: list[str] = []
        self.closed = False
        self._at, self._fault = at, fault

    async def translate(self, texts: Sequence[str], _source: str, _target: str) -> list[str]:
        self.received += texts
        if self._fault is not None and any(self._at in text for text in texts):
            raise self._fault
        return [f"{text} {text}" for text in texts]

    async def close(self) -> None:
        self.closed = True


@pytest.fixture
def answers(tmp_path: Path) -> Iterator[AnswerStore]:
    store = AnswerStore.open(tmp_path / "work", KEY, "scripted en es")
    yield store
    store.close()


def ask(translator: Scripted, answers: AnswerStore, *texts: str) -> list[str]:
    with QuerySession(translator, "en", "es", answers) as asking:
        return asking(texts)


def test_equal_texts_are_asked_once_and_answered_in_order(answers) -> None:
    translator = Scripted()
    assert ask(translator, answers, "b", "a", "b", "c") == ["b b", "a a", "b b", "c c"]
    assert sorted(translator.received) == ["a", "b", "c"]
    assert translator.closed


def test_what_was_answered_is_not_asked_again(answers) -> None:
    ask(Scripted(), answers, "a", "b")
    later = Scripted()
    assert ask(later, answers, "b", "c", "a") == ["b b", "c c", "a a"]
    assert later.received == ["c"]


def test_a_text_without_words_is_its_own_answer_and_never_sent(answers) -> None:
    translator = Scripted()
    assert ask(translator, answers, "", " ", "a") == ["", "", "a a"]
    assert translator.received == ["a"]


def test_a_refused_text_has_the_empty_answer_for_good_and_spares_its_neighbours(answers) -> None:
    asked = ask(Scripted("bad", Rejected("refused")), answers, "bad", "a", "b")
    assert asked == ["", "a a", "b b"]
    later = Scripted()
    assert ask(later, answers, "bad", "a", "b") == asked
    assert later.received == []


def test_an_unusable_answer_is_empty(answers) -> None:
    class Silent(Scripted):
        async def translate(self, texts: Sequence[str], _source: str, _target: str) -> list[str]:
            return ["" if text == "bad" else text * 2 for text in texts]

    assert ask(Silent(), answers, "a", "bad") == ["aa", ""]


@pytest.mark.parametrize("fault", [QuotaExhausted("used up."), Misconfigured("wrong key.")])
def test_what_stops_a_build_keeps_its_class_and_says_to_go_on_later(answers, fault) -> None:
    with pytest.raises(type(fault), match="run the same command again") as stopped:
        ask(Scripted("c", fault), answers, "a", "b", "c", "d")
    assert stopped.value.exit_code == fault.exit_code
    later = Scripted()
    assert ask(later, answers, "a", "b", "c") == ["a a", "b b", "c c"]
    assert later.received == ["c"], "the answers before it were kept"


def test_a_translator_that_is_down_stops_the_build_rather_than_leave_words_out(answers) -> None:
    down = Transient("down", retry_after=10_000.0)
    with pytest.raises(Transient, match="run the same command again"):
        ask(Scripted("a", down), answers, "a")
    assert ask(Scripted(), answers, "a") == ["a a"]


def test_another_translators_answers_are_not_taken(tmp_path: Path, answers) -> None:
    ask(Scripted(), answers, "a")
    other = AnswerStore.open(tmp_path / "work", KEY, "scripted en fr")
    translator = Scripted()
    ask(translator, other, "a")
    other.close()
    assert translator.received == ["a"]


def test_the_order_of_what_is_sent_can_be_hidden(answers) -> None:
    translator = Scripted()
    texts = [f"text {number}" for number in range(40)]
    with QuerySession(translator, "en", "es", answers, Random(1)) as asking:
        assert asking(texts) == [f"{text} {text}" for text in texts]
    assert sorted(translator.received) == sorted(texts)
    assert translator.received != texts


def test_progress_counts_what_is_settled_and_what_was_known_before(answers) -> None:
    ask(Scripted(), answers, "a", "bb")
    with QuerySession(Scripted(), "en", "es", answers) as asking:
        asking(["a", "bb", "c"])
        now = asking.progress()
    assert (now.asked, now.settled, now.known) == (3, 3, 2)
    assert (now.requests, now.characters) == (2, 4), "counted since the build was begun"


def test_nothing_on_disk_can_be_read_without_the_key(tmp_path: Path) -> None:
    store = AnswerStore.open(tmp_path / "work", KEY, "scripted en es")
    ask(Scripted(), store, "stethoscope")
    store.note_once("words", b"stethoscope")
    content = b"".join(path.read_bytes() for path in (tmp_path / "work").iterdir())
    store.close()
    content += b"".join(path.read_bytes() for path in (tmp_path / "work").iterdir())
    assert b"stethoscope" not in content
    with pytest.raises(WrongKey, match="delete that folder"):
        AnswerStore.open(tmp_path / "work", b"j" * 32, "scripted en es")


def test_the_answers_stay_until_the_dictionary_is_written(tmp_path: Path) -> None:
    output = tmp_path / "en-es.parquet"

    def stopped() -> None:
        with open_answers(output, KEY, "x") as store:
            ask(Scripted(), store, "a")
            raise RuntimeError

    with pytest.raises(RuntimeError):
        stopped()
    assert (tmp_path / "en-es.parquet.build").is_dir()
    with open_answers(output, KEY, "x") as store:
        translator = Scripted()
        assert ask(translator, store, "a") == ["a a"]
        assert translator.received == []
    assert list(tmp_path.iterdir()) == []
