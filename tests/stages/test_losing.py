"""A translator that leaves words out to be sent other encodings gets few, and is found out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice, product
from pathlib import Path
from typing import Literal

import pyarrow.parquet as pq
import pytest

from prism_core.errors import ExitCode, LosesTooMuch, QuotaExhausted
from prism_core.jobs import translate
from prism_core.settings import DecodingSettings, Job, TranslatorSettings
from prism_core.stages import Run
from tests.stages.archive import (
    ADJECTIVES,
    NOUNS,
    VERBS,
    Backwards,
    again,
    install,
    make_job,
    outputs,
    texts_received,
    write_archive,
)


class Forgetful(Backwards):
    """Leaves the second word out of all answers, or out of every so many; or more of them."""

    every, answered, left_out = 1, 0, 1

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        answers = await super().translate(texts, source, target)
        for place, answer in enumerate(answers):
            first, *rest = answer.split(" ")
            if self.answered % self.every == 0:
                answers[place] = " ".join([first, *rest[self.left_out :]])
            self.answered += 1
        return answers


def job_of(folder: Path, sentences: int, elimination: Literal["last", "never"] = "never") -> Job:
    """A job over so many different sentences of four words that are replaced."""
    words = islice(product(ADJECTIVES, NOUNS, VERBS[:2]), sentences)
    lines = [f"The {one} {noun} {verb} the garden." for one, noun, verb in words]
    write_archive(folder / "in", {"a.txt": "\n\n".join(lines) + "\n"})
    return make_job(folder, decoding=DecodingSettings(elimination=elimination))


def forgetful(folder: Path, every: int = 1) -> Path:
    """The log of one that is asked by every job from now on."""
    translator = Forgetful(folder / "log")
    translator.every = every
    install(translator)
    return folder / "log"


def table(job: Job, name: str) -> list[dict[str, object]]:
    """The rows of the report."""
    return (
        pq.ParquetFile(job.report_folder / f"run={job.run_id}" / f"{name}.parquet")
        .read()
        .to_pylist()
    )


def test_few_encodings_are_given_for_the_asking_and_the_rest_stays_at_home(tmp_path: Path) -> None:
    job, log = job_of(tmp_path, 60), forgetful(tmp_path)
    translate(job)
    assert len(texts_received(log)) == 60 + 6, "one in ten, as nothing was expected to be lost"
    assert {row["reason"] for row in table(job, "sentences")} == {"redraws-spent"}
    assert all(row["tokens_replaced"] == 4 for row in table(job, "sentences")), "they were sent so"
    translate(again(job))
    assert len(texts_received(log)) == 66


def test_who_loses_more_than_one_word_in_four_is_sent_nothing_again(tmp_path: Path) -> None:
    job, translator = job_of(tmp_path, 20), Forgetful(tmp_path / "log")
    translator.left_out = 2
    install(translator)
    translate(job)
    assert len(texts_received(tmp_path / "log")) == 20
    rows = table(job, "sentences")
    assert {(row["reason"], row["tokens_replaced"]) for row in rows} == {("unrestored", 4)}


def test_what_the_weakest_way_found_is_taken_where_no_more_may_be_sent_and_counts_as_lost(
    tmp_path: Path,
) -> None:
    job, log = job_of(tmp_path, 60, "last"), forgetful(tmp_path)
    translate(job)
    assert len(texts_received(log)) == 66
    rows = table(job, "sentences")
    assert {(row["outcome"], row["unsure"]) for row in rows} == {("translated", 1)}
    with Run.view(job) as run:
        assert run.store.redraws.count(job.run_id).lost == 60
    stopped = job_of(tmp_path / "long", 120, "last")
    with pytest.raises(LosesTooMuch):
        translate(stopped)


def test_what_a_run_may_have_is_counted_over_all_that_was_sent_before_it_was_stopped(
    tmp_path: Path,
) -> None:
    job, log = job_of(tmp_path, 60), tmp_path / "log"

    def stop(number: int) -> None:
        if number == 22:  # one request of further ones was answered by then
            raise QuotaExhausted("no more")

    install(Forgetful(log, before=stop))
    with pytest.raises(QuotaExhausted):
        translate(job)
    install(Forgetful(log))
    translate(again(job))
    assert len(set(texts_received(log))) in (65, 66), "two may be encoded alike by chance"


def test_one_that_loses_far_more_than_expected_is_stopped_before_anything_is_sent_again(
    tmp_path: Path,
) -> None:
    job, log = job_of(tmp_path, 120), forgetful(tmp_path)
    with pytest.raises(
        LosesTooMuch, match="120 of 120 sentences, where 0% was expected"
    ) as stopped:
        translate(job)
    assert stopped.value.exit_code is ExitCode.TRANSLATOR_FAILED
    assert len(texts_received(log)) == 120
    (document,) = table(job, "documents")
    assert (document["failure"], outputs(job)) == ("not-reached", {})
    assert "lost far more words than expected" in str(document["advice"])
    with pytest.raises(LosesTooMuch):
        translate(again(job))
    assert len(texts_received(log)) == 120, "nor when it is run again"


def test_losses_that_are_accepted_stop_nothing_and_no_more_is_sent_for_them(tmp_path: Path) -> None:
    job, log = job_of(tmp_path, 120), forgetful(tmp_path)
    with pytest.raises(LosesTooMuch):
        translate(job)
    accepting = job.settings.translator.model_copy(update={"accept_losses": True})
    assert isinstance(accepting, TranslatorSettings)
    translate(again(job, translator=accepting))
    assert len(texts_received(log)) == 132
    assert outputs(job)


def test_one_that_loses_as_much_as_some_do_is_not_stopped(tmp_path: Path) -> None:
    job, log = job_of(tmp_path, 120), forgetful(tmp_path, every=10)
    translate(job)
    with Run.view(job) as run:
        lost = run.store.redraws.count(job.run_id)
    assert lost.answered == 120
    assert 120 + lost.further == len(texts_received(log))
    assert 12 <= lost.lost < 18
