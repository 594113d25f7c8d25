"""A server that sees texts in clear has the retries of any other."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from prism_core.errors import BadAnswer, Rejected, Transient, Unreachable
from prism_core.translators import RetryingTranslator
from tests.translators import virtual_time
from tests.translators.scripted import Scripted, failing, mark_all


def ask(translator: Scripted, *requests: Sequence[str]) -> list[list[str] | Rejected]:
    async def main() -> list[list[str] | Rejected]:
        model, found = RetryingTranslator(translator), list[list[str] | Rejected]()
        for texts in requests:
            try:
                found.append(await model.translate(texts, "en", "es"))
            except Rejected as fault:
                found.append(fault)
        model.check_answered()
        return found

    return virtual_time.run(main())


def test_a_server_that_comes_back_is_waited_for() -> None:
    translator = Scripted(failing(4, Unreachable("gone")))
    assert ask(translator, ["the cat"]) == [mark_all(["the cat"])]
    assert 4 < translator.times[-1] < 16


def test_a_server_that_answers_nothing_is_named_after_few_requests() -> None:
    translator = Scripted(failing(99, Transient("Look at its log.")))
    with pytest.raises(Transient) as caught:
        ask(translator, ["the cat"])
    assert len(translator.calls) == 6
    assert str(caught.value).startswith(
        "scripted at localhost failed 6 of 6 requests (server error: 6): Look at its log."
    )


def test_a_text_whose_answer_cannot_be_used_does_not_stop_the_others() -> None:
    def behave(_: int, texts: Sequence[str]) -> list[str]:
        if "odd" in texts:
            raise BadAnswer("no JSON")
        return mark_all(texts)

    first, second, third = ask(Scripted(behave), ["odd", "cat"], ["odd"], ["cat"])
    assert isinstance(first, Rejected)
    assert isinstance(second, Rejected)
    assert third == mark_all(["cat"])


@pytest.mark.parametrize("texts", [2, 30])
def test_a_server_that_answers_rubbish_alone_is_an_error(texts: int) -> None:
    translator = Scripted(failing(99, BadAnswer("Check its address.")))
    with pytest.raises(BadAnswer, match="bad answer: "):
        ask(translator, *[["the cat"]] * texts)
