"""One text at which the translator fails costs itself alone, for two nights, and stops nothing."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from prism_core.errors import BadAnswer, Rejected, TimedOut, Transient, TranslatorError
from prism_core.jobs import translate
from tests.stages.archive import (
    TEXTS,
    Backwards,
    again,
    install,
    make_job,
    outputs,
    texts_received,
    write_archive,
)

LONG = "The old dog and the small house and the green river followed the quiet table."


class Choking(Backwards):
    """Raises ``fault`` where a text of a request has more than a dozen words."""

    fault: TranslatorError = Transient("")

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        answers = await super().translate(texts, source, target)
        if any(is_long(text) for text in texts):
            raise self.fault
        return answers


def is_long(text: str) -> bool:
    return text.count(" ") > 11


@pytest.mark.parametrize("fault", [Rejected("no"), TimedOut("late"), BadAnswer("?")], ids=repr)
def test_a_text_that_fails_alone_in_two_runs_is_withheld_for_good(
    tmp_path: Path, fault: TranslatorError
) -> None:
    write_archive(tmp_path / "in", {**TEXTS, "bad.txt": f"{LONG}\n"})
    translator = Choking(tmp_path / "log")
    translator.fault = fault
    install(translator)
    job = make_job(tmp_path)
    sent = []
    for run in (job, again(job), again(job)):
        before = len(texts_received(tmp_path / "log"))
        translate(run)
        arrived = texts_received(tmp_path / "log")[before:]
        sent.append((len(arrived) > 0, all(is_long(text) for text in arrived)))
        assert outputs(run)["bad.txt"].decode() == f"{LONG}\n"
        assert outputs(run)["notes.txt"] != TEXTS["notes.txt"].encode()
    assert sent == [(True, False), (True, True), (False, True)]
    assert len({text for text in texts_received(tmp_path / "log") if is_long(text)}) == 1


def test_a_text_that_fails_in_one_run_alone_is_translated_by_the_next(tmp_path: Path) -> None:
    write_archive(tmp_path / "in", {**TEXTS, "bad.txt": f"{LONG}\n"})
    translator = Choking(tmp_path / "log")
    translator.fault = Rejected("no")
    install(translator)
    job = make_job(tmp_path)
    translate(job)
    install(Backwards(tmp_path / "log"))
    translate(again(job))
    assert "god" in outputs(job)["bad.txt"].decode()
