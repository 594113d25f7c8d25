"""What a run holds is its own: several of them in one process do not meet."""

from __future__ import annotations

import ast
import os
import threading
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from prism_core.cat.jobs.reviewing import export_review
from prism_core.errors import ConfigurationError, PrismError
from prism_core.formats import Sandbox
from prism_core.jobs import translate
from prism_core.language.language_model import LanguageModel
from prism_core.report import ReportFolder
from prism_core.settings.job import Job
from prism_core.settings.sections import (
    DictionarySettings,
    LimitSettings,
    MechanismSettings,
    PolicySettings,
    Settings,
)
from prism_core.stages import Run
from prism_core.stages.run import Encoders
from prism_core.state import DocumentStatus, Sighting
from prism_core.state.documents import Documents
from tests.adapters import put_in_place_for_a_test
from tests.stages.archive import (
    DISTINCT,
    EXPECTED,
    TEXTS,
    Backwards,
    again,
    install,
    make_dictionary,
    make_job,
    outputs,
    rehearse,
    texts_received,
    write_archive,
)


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    translator = Backwards(tmp_path / "received.jsonl")
    put_in_place_for_a_test(monkeypatch, "fake", lambda *_: translator)
    return tmp_path / "received.jsonl"


def job_in(folder: Path, **changes: object) -> Job:
    write_archive(folder / "in")
    return make_job(folder, **changes)


def test_two_jobs_after_each_other_are_each_their_own(tmp_path: Path, log: Path) -> None:
    first = job_in(tmp_path / "first")
    mechanism = MechanismSettings.choose(name="prism-r", replace_probability=0.9)
    second = job_in(tmp_path / "second", mechanism=mechanism)
    for job in (first, second, again(first)):
        translate(job)
    assert outputs(first) == EXPECTED
    assert set(outputs(second)) == set(EXPECTED)
    assert mechanisms_of(first, second) == ["prism-star-threshold", "prism-r"]


def test_a_line_of_one_word_of_grammar_is_translated_here(tmp_path: Path, log: Path) -> None:
    text = "The old doctor opened the window.\n\nOther\n\nFrom:\n"
    write_archive(tmp_path / "in", {"a.txt": text})
    job = make_job(tmp_path)
    report = translate(job)
    assert outputs(job)["a.txt"].decode().split()[-2:] == ["Otro", "De:"]
    assert len(texts_received(log)) == 1
    assert report.sentences_from_memory == 2


def test_a_word_of_several_senses_is_never_a_dictionarys_unmarked(
    tmp_path: Path, log: Path
) -> None:
    write_archive(tmp_path / "in", {"a.txt": "The doctor left.\n\nLeft\n\nMay\n\nDischarge\n"})
    job = make_job(tmp_path)
    translate(job)
    folder = ReportFolder(job.report_folder).find(job.run_id).folder
    rows = pq.read_table(folder / "sentences.parquet").to_pylist()
    assert [row["unsure"] for row in rows if row["reason"] == "word-alone"] == [1, 1, 1]
    assert outputs(job)["a.txt"].decode().split()[3] == "Izquierdo"
    export_review(job, tmp_path / "review.tsv")
    review = (tmp_path / "review.tsv").read_text().splitlines()
    to_look_at = {row.split("\t")[4]: row for row in review[1:]}
    assert "unsure: word-alone" in to_look_at["Left"]
    assert "unsure: word-alone" in to_look_at["May"]
    assert "Discharge" in to_look_at, "the test's dictionary lacks it"


@pytest.mark.parametrize("workers", [1, 2])
def test_two_jobs_at_the_same_time_with_different_settings_do_not_meet(
    tmp_path: Path, log: Path, workers: int
) -> None:
    limits = LimitSettings(chunk_documents=1, workers=workers)
    stronger = MechanismSettings.choose(threshold=0.0, minimum_pool=2)
    jobs = [
        job_in(tmp_path / "first", limits=limits),
        job_in(tmp_path / "second", limits=limits, mechanism=stronger),
    ]
    both = threading.Barrier(len(jobs), timeout=60)
    install(Backwards(log, before=lambda number: both.wait() if number <= len(jobs) else None))
    failures: list[BaseException] = []

    def run(job: Job) -> None:
        try:
            translate(job)
        except BaseException as error:  # noqa: BLE001 (for the thread that looks)
            failures.append(error)
            both.abort()

    threads = [threading.Thread(target=run, args=(job,)) for job in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(120)
    assert failures == []
    assert [outputs(job) for job in jobs] == [EXPECTED, EXPECTED]
    assert len(texts_received(log)) == 2 * DISTINCT
    reports = [ReportFolder(job.report_folder).find(job.run_id) for job in jobs]
    assert [report.facts.threshold for report in reports if report] == [0.5, 0.0]


def mechanisms_of(*jobs: Job) -> list[str]:
    reports = [ReportFolder(job.report_folder).find(job.run_id) for job in jobs]
    return [report.facts.mechanism for report in reports if report]


def test_a_translator_that_is_out_of_service_is_so_in_its_run_alone(tmp_path: Path) -> None:
    job = make_job(tmp_path)
    with Run.open(job) as first, Run.open(again(job)) as second:
        first.out_of_service.add("somebody")
        assert second.out_of_service == set()


def test_stopping_one_run_stops_no_other(tmp_path: Path) -> None:
    job = make_job(tmp_path)
    with Run.open(job) as first, Run.open(again(job)) as second:
        first.stop()
        assert first.stopping.is_set()
        assert not second.stopping.is_set()


def test_the_settings_are_digested_once_in_a_run(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And once more without the key, for the report. The dictionary's file is read for each."""
    digested: list[bytes | None] = []
    digest = Settings.digest

    def counted(settings: Settings, key: bytes | None = None) -> str:
        digested.append(key)
        return digest(settings, key)

    monkeypatch.setattr(Settings, "digest", counted)
    translate(job_in(tmp_path))
    assert len([key for key in digested if key]) == 1
    assert len(digested) == 2


def test_model_dictionary_and_encoder_are_loaded_once_in_a_run(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loaded: list[str] = []
    model, encoder = LanguageModel.load, Encoders._load_encoder

    def load_model(*named: str, **options: bool) -> LanguageModel:
        loaded.append("model")
        return model(*named, **options)

    def load_encoder(encoders: Encoders, treatment: str) -> object:
        loaded.append(treatment)
        return encoder(encoders, treatment)

    monkeypatch.setattr(LanguageModel, "load", load_model)
    monkeypatch.setattr(Encoders, "_load_encoder", load_encoder)
    policies = (PolicySettings(name="letters", folders=("letters",)),)
    translate(job_in(tmp_path, policies=policies))
    assert sorted(loaded) == ["", "letters", "model"]


def test_the_deny_list_is_read_again_only_when_the_store_knows_more(tmp_path: Path) -> None:
    with Run.open(make_job(tmp_path)) as run:
        run.store.documents.record(run.job.run_id, [(Sighting("a.txt"), DocumentStatus.FOUND)])
        before, name = run.known_identifiers()
        assert run.known_identifiers() == (before, name)
        assert run.known_identifiers()[0] is before
        with run.store._database.writing() as connection:
            run.store.identifiers.add(connection, {run.store.documents.id_of("a.txt"): ["Quibble"]})
        after, later = run.known_identifiers()
        assert "Quibble" in after
        assert "Quibble" not in before
        assert later != name


def test_a_document_that_cannot_be_stored_fails_alone_though_all_are_stored_together(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_read = Documents.set_read

    def refuse_one(self, connection, readings):
        if self.id_of("notes.txt") in readings:
            raise ValueError("what no database takes")
        set_read(self, connection, readings)

    monkeypatch.setattr(Documents, "set_read", refuse_one)
    summary = translate(job_in(tmp_path))
    assert (summary.documents_failed, summary.documents_written) == (1, len(TEXTS) - 1)


def test_a_run_that_cannot_be_opened_says_so_and_another_can(tmp_path: Path, log: Path) -> None:
    job = job_in(tmp_path)
    broken = make_job(tmp_path, dictionary=DictionarySettings(path=tmp_path / "none.parquet"))
    with pytest.raises(PrismError) as raised:
        translate(broken)
    assert isinstance(raised.value, ConfigurationError)
    make_dictionary(tmp_path / "dictionary.parquet")
    translate(again(job))
    assert outputs(job) == EXPECTED


def test_a_rehearsal_beside_a_run_leaves_it_alone(tmp_path: Path, log: Path) -> None:
    job = job_in(tmp_path)
    translate(job)
    with Run.open(again(job)) as run:
        assert rehearse(job).rows[0].expected.texts == 0
        assert run.store.documents.of_run(job.run_id)


def test_the_process_that_reads_its_documents_ends_with_a_run(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("prism_core.stages.run.Sandbox", Sandbox)  # as outside of tests
    job = job_in(tmp_path)
    with Run.open(job) as first, Run.open(again(job)) as second:
        server = first.sandbox.call(os.getppid)
        assert server not in (os.getpid(), second.sandbox.call(os.getppid))
    with pytest.raises(ProcessLookupError):
        os.kill(server, 0)


def test_no_module_of_stages_jobs_and_flows_keeps_anything_beside_the_run() -> None:
    """``tasks`` alone does: Prefect is given ids, so a task finds the run of its process there."""
    root = Path(__file__).parents[2]
    kept = [
        f"{path.relative_to(root)}:{node.lineno}"
        for package in ("prism_core/stages", "prism_core/jobs", "flows")
        for path in sorted((root / package).rglob("*.py"))
        for node in ast.parse(path.read_text(encoding="utf-8")).body
        if _is_mutable(node)
    ]
    assert kept == []


def _is_mutable(node: ast.stmt) -> bool:
    """Whether ``node`` makes a cache, a context variable or an empty collection to be filled."""
    if isinstance(node, ast.FunctionDef):
        return any("cache" in ast.unparse(decorator) for decorator in node.decorator_list)
    if not isinstance(node, ast.Assign | ast.AnnAssign) or node.value is None:
        return False
    made = ast.unparse(node.value).partition("(")[0].rpartition(".")[2]
    return made in ("{}", "[]", "dict", "list", "set", "defaultdict", "ContextVar", "Lock", "RLock")


def test_which_model_it_is_is_known_without_loading_it(tmp_path: Path) -> None:
    with Run.open(make_job(tmp_path)) as run:
        version = run.model_version()
        assert run.encoders._model.cache_info().currsize == 0
        assert version == run.model().version
