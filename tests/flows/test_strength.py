"""A run that sends clauses apart, and runs that mixing cannot hide."""

from __future__ import annotations

import json
from pathlib import Path
from shutil import rmtree

import pytest

from prism_core.jobs import translate
from prism_core.report import ReportFolder
from prism_core.settings.sections import MixingSettings
from tests.flows.conftest import Archive, Prism
from tests.stages.archive import backwards, make_job, outputs, texts_received, write_archive

CLAUSES = (
    "when the old doctor opened the heavy window, ",
    "the teacher carried the small basket to the village, ",
    "and the dog followed the farmer.",
)
TEXT = f"The soldier moved the ladder, {''.join(CLAUSES)}\n"


def test_clauses_are_sent_apart_and_come_back_as_one_sentence(tmp_path: Path, log: Path) -> None:
    write_archive(tmp_path / "in", {"letter.txt": TEXT})
    job = make_job(tmp_path, mixing=MixingSettings(split_clauses=True))
    summary = translate(job)
    assert outputs(job) == {"letter.txt": backwards(TEXT).encode()}
    sent = texts_received(log)
    assert summary.sentences == summary.sentences_translated == len(set(sent)) == 1 + len(CLAUSES)
    assert max(len(text.split()) for text in sent) <= 10


def test_a_single_document_is_told_that_mixing_cannot_hide_it(
    prism: Prism, tmp_path: Path, archive: Archive
) -> None:
    said = "mixing cannot hide a single document"
    alone, out = tmp_path / "alone", tmp_path / "alone-es"
    alone.mkdir()
    (alone / "letter.txt").write_text("The doctor opened the window.\n")
    (alone / "photo.png").write_bytes(b"\x89PNG\r\n\x1a\n, of which nothing is sent")
    (alone / "blank.txt").write_text(" \n")
    fake = ["--translator", "fake"]
    assert said in prism("plan", alone, *fake).out
    assert said in "".join(json.loads(prism("plan", alone, *fake, "--json").out)["cautions"])
    assert said in prism("translate", alone, out, *fake, "--dry-run").out
    assert said in prism("translate", alone, out, *fake).out
    (report,) = (out / "prism-report").glob("run=*")
    assert said in (out / "prism-report" / "index.html").read_text() + "".join(
        page.read_text() for page in report.glob("*.html")
    )
    assert "mixing hides little" in prism("plan", archive.input, *fake).out


@pytest.mark.usefixtures("few_controls")
def test_an_archive_is_attacked_as_a_strength_would_send_it(prism: Prism, archive: Archive) -> None:
    rmtree(archive.input)  # half of the documents is attacked, by chance: all are alike
    archive.input.mkdir()
    for number in range(8):
        (archive.input / f"{number}.txt").write_text(TEXT.replace("ladder", f"ladder {number}"))

    def sentences(strength: str) -> int:
        asked = "--archive", archive.input, "--strength", strength, "--json"
        (treatment,) = json.loads(prism("evaluate", *asked).out)["treatments"]
        return int(treatment["sentences"])

    assert sentences("strong") > sentences("standard")


def test_the_report_says_how_strongly_and_what_is_missing_of_it(
    prism: Prism, archive: Archive
) -> None:
    fake = ["--translator", "fake", "--strength", "strong"]
    done = json.loads(prism("translate", archive.input, archive.output, *fake, "--json").out)
    assert any("list another in other_translators" in said for said in done["cautions"])
    report = ReportFolder(archive.output / "prism-report").find(done["run_id"])
    assert report is not None
    assert report.facts.strength == "strong"
    assert list(report.facts.cautions) == done["cautions"]


@pytest.mark.parametrize("strength", ["identifiers-only", "light"])
def test_plan_summary_and_report_say_that_ordinary_words_are_sent(
    strength: str, prism: Prism, archive: Archive
) -> None:
    said, fake = "ordinary words are sent as they are", ["--translator", "fake"]
    fake += ["--strength", strength]
    assert said in " ".join(prism("plan", archive.input, *fake).out.split())
    done = json.loads(prism("translate", archive.input, archive.output, *fake, "--json").out)
    assert any(said in caution for caution in done["cautions"])
    report = ReportFolder(archive.output / "prism-report").find(done["run_id"])
    assert report is not None
    assert report.facts.strength == strength
    assert report.facts.hidden_words == {"identifiers-only": "none", "light": "telling"}[strength]
    (page,) = (archive.output / "prism-report").glob("run=*/*.html")
    assert said in page.read_text(encoding="utf-8")
