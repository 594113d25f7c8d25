"""What a recipient infers of data subjects is told from chance, and chained into the report."""

from __future__ import annotations

import gzip
import json
from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from prism_core.errors import ConfigurationError
from prism_core.evaluation.jobs.evaluate_subjects import measure_methods, open_model, prove_run
from prism_core.evaluation.subjects.records import read_subjects
from prism_core.evaluation.subjects.senders import IN_CLEAR, Senders
from prism_core.jobs import translate
from prism_core.report import ReportFolder
from prism_core.report.parquet_schema import PROOF
from prism_core.settings import Job, Settings, load_settings
from tests.openai_server import OpenAIServer
from tests.stages.archive import NAME, Backwards, again, install, make_job, write_archive

PEOPLE = (
    ("Ayla Demir", "41234/98", "1998", "Izmir", "fisherman", "nets"),
    ("Jan Nowak", "51234/01", "2001", "Gdynia", "teacher", "schools"),
    ("Ruth Bergmann", "61234/05", "2005", "Graz", "baker", "ovens"),
)


def case(name: str, code: str, year: str, place: str, work: str, things: str) -> dict[str, Any]:
    """A court case with its marks, a line of the shared copy of the benchmark."""
    text = (
        f"The application (no. {code}) was lodged by Mr {name}.\n\nIn {year} the {work} from "
        f"{place} had sold all {things} and left the {things} behind."
    )
    marks = [
        (f"Mr {name}", "PERSON", "DIRECT"),
        (code, "CODE", "DIRECT"),
        (year, "DATETIME", "QUASI"),
        (place, "LOC", "QUASI"),
        (work, "DEM", "QUASI"),
    ]
    entities = [
        {"span_text": span, "entity_type": kind, "identifier_type": how}
        for span, kind, how in marks
    ]
    stated = {"doc_id": code, "countries": "AUT"}
    return {"metadata": {"provenance": stated}, "text": text, "entities": entities}


CASES = [case(*person) for person in PEOPLE]


@pytest.fixture
def benchmark_file(tmp_path: Path) -> Path:
    file = tmp_path / "cases.jsonl.gz"
    file.write_bytes(gzip.compress("\n".join(map(json.dumps, CASES)).encode()))
    return file


def settings_of(strength: str) -> Settings:
    return load_settings(flags={"strength": strength, "target": "pt"}, asks_nobody=True)


def figures(file: Path, method: str) -> dict[str, tuple[float, float]]:
    """Share and chance of each attack on what ``method`` sends."""
    (measured,) = measure_methods(file, [method], settings_of, seed=1)
    return {one.attack: (one.value, round(one.chance, 2)) for one in measured.shown}


def test_everything_is_found_in_clear_and_nothing_in_empty_texts(
    benchmark_file: Path, tmp_path: Path
) -> None:
    clear = figures(benchmark_file, IN_CLEAR)
    assert clear["subject-name"] == clear["subject-code"] == (1.0, 0.0)
    assert clear["subject-link-words"] == clear["subject-link-facts"] == (1.0, 0.33)
    assert clear["subject-infer@place"] == clear["subject-infer@year"] == (1.0, 0.0)
    outputs = tmp_path / "tool.jsonl"
    texts = [{"subject": code, "text": "X Y Z"} for _, code, *_ in PEOPLE]
    outputs.write_text("\n".join(map(json.dumps, texts)))
    nothing = figures(benchmark_file, str(outputs))
    assert nothing["subject-name"] == nothing["subject-code"] == (0.0, 0.0)
    assert nothing["subject-link-words"][0] == pytest.approx(1 / 3)
    assert nothing["subject-infer@place"] == (0.0, 0.0)


def test_identifiers_are_not_sent_by_the_weakest_strength_and_words_that_stay_link(
    benchmark_file: Path,
) -> None:
    found = figures(benchmark_file, "identifiers-only")
    assert found["subject-name"][0] == found["subject-code"][0] == 0
    assert found["subject-link-words"][0] == 1


def test_the_file_of_the_benchmarks_authors_is_read_too(
    benchmark_file: Path, tmp_path: Path
) -> None:
    cases = [
        {
            "doc_id": each["metadata"]["provenance"]["doc_id"],
            "meta": {"countries": "AUT"},
            "text": each["text"],
            "annotations": {"annotator1": {"entity_mentions": each["entities"]}},
        }
        for each in CASES
    ]
    (tmp_path / "echr.json").write_text(json.dumps(cases))
    assert read_subjects(tmp_path / "echr.json") == read_subjects(benchmark_file)
    (tmp_path / "other.json").write_text('{"rows": []}')
    with pytest.raises(ConfigurationError, match="no cases"):
        read_subjects(tmp_path / "other.json")


def test_what_is_no_method_is_said_with_the_choices(benchmark_file: Path) -> None:
    senders = Senders(read_subjects(benchmark_file), settings_of, Random(1))
    with pytest.raises(ConfigurationError, match=r"choose from in-clear, identifiers-only"):
        senders.send_by("rot13")


def test_a_language_model_is_asked_and_its_answers_about_others_are_chance(
    benchmark_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "loopback-key")

    def answer(texts: Sequence[str]) -> list[str]:
        people = (person for text in texts for person in PEOPLE if person[0] in text)
        return [f"Name: {one[0]}\n- place: Graz\nyear: ?" for one in people]

    with (
        OpenAIServer(answer) as server,
        open_model("any", server.base_url, None, None) as ask,
    ):
        (measured,) = measure_methods(benchmark_file, [IN_CLEAR], settings_of, ask, seed=1)
    found = {one.attack: one for one in measured.shown}
    assert (found["subject-asked@name"].value, found["subject-asked@name"].chance) == (1, 0)
    place = found["subject-asked@place"]
    assert place.value == place.chance == pytest.approx(1 / 3)
    assert found["subject-asked@year"].value == 0


def test_a_model_elsewhere_reads_no_documents_of_ones_own(
    benchmark_file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    with (
        pytest.raises(ConfigurationError, match="not on this machine"),
        open_model("any", "https://models.example/v1", None, benchmark_file),
    ):
        raise AssertionError("it was opened")


@pytest.fixture
def job(tmp_path: Path) -> Job:
    """A job that was run over three documents."""
    write_archive(tmp_path / "in")
    install(Backwards(tmp_path / "log"))
    job = make_job(tmp_path)
    translate(job)
    return again(job)


def test_the_proof_of_a_run_is_in_its_chain(job: Job) -> None:
    measured, folder = prove_run(job)
    found = {one.attack: one.value for one in measured.shown}
    assert (len(measured.subjects), found["subject-name"]) == (3, 0)
    proof = json.loads((folder / PROOF).read_text())
    assert NAME not in (folder / PROOF).read_text()
    assert set(proof["subjects"]) == set(measured.subjects)
    reports = ReportFolder(job.report_folder)
    assert reports.verify().findings == ()
    last = reports.latest()
    assert last is not None
    assert last.folder == folder
    assert set(last.document_ids()) >= set(measured.subjects)
    (folder / PROOF).write_text((folder / PROOF).read_text().replace('"n": 3', '"n": 4'))
    (changed,) = reports.verify().findings
    assert (changed.table, changed.problem) == (PROOF, "was changed since it was written")
    (folder / PROOF).unlink()
    (gone,) = reports.verify().findings
    assert "is missing" in gone.problem


def test_a_proof_that_no_run_states_shows(job: Job) -> None:
    last = ReportFolder(job.report_folder).latest()
    assert last is not None
    (last.folder / PROOF).write_text("{}")
    (added,) = ReportFolder(job.report_folder).verify().findings
    assert (added.table, added.problem) == (PROOF, "was added")
