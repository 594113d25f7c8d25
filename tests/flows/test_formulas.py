"""Sentences that are formulas of the archive are translated on this machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.jobs import translate
from prism_core.jobs.planning import plan
from prism_core.settings import Job, MechanismSettings
from prism_core.settings.sections import LocalModelSettings
from prism_core.settings.treatment import MixingSettings
from tests.copying_model import make_copying_model, turned
from tests.flows.test_local_model import rows
from tests.stages.archive import make_job, outputs, texts_received, write_archive

FORMULAS = {
    "a.txt": "The nurse was tired of the garden.",
    "b.txt": "The teacher was tired of the garden.",
    "c.txt": "The soldier was tired of the garden.",
    "d.txt": "A man bought three red kitchens near the bridge.",
}


def job_with(folder: Path, *, local: bool = True, **changes: object) -> Job:
    write_archive(folder / "in", FORMULAS)
    if local:
        model = LocalModelSettings(folder=make_copying_model(folder / "model"))
        changes |= {"on_withheld": "local", "local_model": model}
    return make_job(folder, **changes)


def test_a_formula_of_three_documents_is_never_sent_and_translated_here(
    tmp_path: Path, log: Path
) -> None:
    job = job_with(tmp_path)
    planned = plan(job, job.settings.translators)
    assert planned.here is not None
    assert planned.here.sentences == 3
    summary = translate(job)
    assert summary.sentences_withheld == 0
    assert len(texts_received(log)) == 1
    for name in ("a.txt", "b.txt", "c.txt"):
        assert turned(FORMULAS[name]) in outputs(job)[name].decode()
    told = [
        (row["reason"], row["sends"]) for row in rows(job, "sentences") if row["by_local_model"]
    ]
    assert told == [("recurring", 0)] * 3


def test_the_next_run_over_the_archive_sends_nothing_of_it_either(
    tmp_path: Path, log: Path
) -> None:
    translate(job_with(tmp_path))
    sent = len(texts_received(log))
    (tmp_path / "in" / "e.txt").write_text("The farmer was tired of the garden.")
    translate(make_job(tmp_path, **_local(tmp_path)))
    assert len(texts_received(log)) == sent


def _local(folder: Path) -> dict[str, object]:
    return {"on_withheld": "local", "local_model": LocalModelSettings(folder=folder / "model")}


@pytest.mark.parametrize(
    "changes",
    [
        {"local": False},
        {"mixing": MixingSettings(formulas_from=0)},
        {"mixing": MixingSettings(formulas_from=4)},
        {"mechanism": MechanismSettings.choose(name="prism-r", minimum_pool=2)},
    ],
    ids=["no model", "off", "in four documents", "a finite epsilon"],
)
def test_it_is_sent_where_it_is_no_formula_or_may_not_be_kept(
    tmp_path: Path, log: Path, changes: dict[str, object]
) -> None:
    translate(job_with(tmp_path, **changes))
    assert len(texts_received(log)) >= 4
