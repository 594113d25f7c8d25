"""The flows under a real Prefect, one server for all of them: slow."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from flows.prefect_environment import prepare_prefect
from prism_core.dictionary import read_dictionary
from prism_core.errors import ConfigurationError, ExitCode, InternalFault, Transient
from prism_core.evaluation.corpora import read_texts
from prism_core.evaluation.results import Results
from prism_core.settings.job import Job
from prism_core.stages import Run
from prism_core.translators.adapters.fake import WORD_MARK
from tests.flows.conftest import PLANTED, Archive, Prism
from tests.flows.search import files_with
from tests.hook import Hook
from tests.object_server import SECRET, credentials, serve_bucket
from tests.openai_server import OpenAIServer
from tests.shared_data import SHARED_DATA

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def prefect_home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A Prefect server with a home and a database of its own, as the command sets it up."""
    home = tmp_path_factory.mktemp("prefect")
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("PREFECT_HOME", str(home))
        environment = dict(os.environ)
        prepare_prefect(environment)
        for name, value in environment.items():
            patched.setenv(name, value)
        from prefect.testing.utilities import prefect_test_harness

        with prefect_test_harness(server_startup_timeout=180):
            yield home


@pytest.fixture
def run_flow(prefect_home: Path, archive: Archive, monkeypatch) -> Callable[[], None]:
    monkeypatch.setenv("PREFECT_HOME", str(prefect_home))
    monkeypatch.setenv("PRISM_TRANSLATOR__NAME", "fake")

    def run() -> None:
        from flows.translate_archive import translate_archive

        translate_archive(str(archive.input), str(archive.output))

    return run


def test_the_flow_translates_an_archive(run_flow, archive: Archive) -> None:
    run_flow()
    assert WORD_MARK in archive.translated()
    assert PLANTED in archive.translated("mail/named.txt")


def test_the_command_runs_the_flow_where_it_is_asked_to(
    prefect_home: Path, archive: Archive, prism: Prism
) -> None:
    where = archive.input, archive.output
    with patch.dict(os.environ):  # the flow gets its options through it, and they stay there
        ended = prism("translate", *where, "--translator", "fake", "--engine", "prefect")
    assert ended.code == ExitCode.OK
    assert WORD_MARK in archive.translated()
    assert files_with("translate-archive", _databases()) != []
    assert files_with(PLANTED, _databases()) == files_with(PLANTED, prefect_home) == []


@pytest.mark.usefixtures("prefect_home")
def test_what_is_deployed_has_its_schedule_and_its_parameters(
    archive: Archive, monkeypatch: pytest.MonkeyPatch
) -> None:
    from prefect.cli import app
    from prefect.client.orchestration import get_client

    monkeypatch.chdir(Path(__file__).parents[2])
    places = {"HOME": Path.cwd(), "ARCHIVE": archive.input, "OUTPUT": archive.output}
    for name, place in places.items():
        monkeypatch.setenv(f"PRISM_{name}", str(place))
    monkeypatch.setenv("PRISM_SETTINGS", "prism.toml")
    deploy = ("--no-prompt", "deploy", "--all")
    for words in (
        ("work-pool", "create", "prism", "--type", "process"),
        deploy,
        (*deploy, "--prefect-file", "prism_core/training/prefect.yaml"),
    ):
        monkeypatch.setattr(sys, "argv", ["prefect", *words])
        with pytest.raises(SystemExit) as ended:
            app()
        assert not ended.value.code
    with get_client(sync_client=True) as client:
        found = {deployment.name: deployment for deployment in client.read_deployments()}
    assert set(found) == {"nightly", "shard", "on-demand", "evaluation", "training"}
    assert set(found["evaluation"].parameters) == {"settings_file"}
    assert set(found["on-demand"].parameters) == {"settings_file"}
    assert found["on-demand"].schedules == []
    (night,) = found["nightly"].schedules
    assert (night.schedule.cron, night.active) == ("0 2 * * *", True)
    assert set(found["nightly"].parameters) == {"input_folder", "output_folder", "settings_file"}


def test_an_archive_in_a_bucket_is_translated_and_prefect_keeps_no_text_and_no_secret(
    prefect_home: Path, archive: Archive, tmp_path: Path, monkeypatch
) -> None:
    from flows.translate_archive import translate_archive

    monkeypatch.setenv("PRISM_TRANSLATOR__NAME", "fake")
    monkeypatch.setenv("PRISM_STATE__FOLDER", str(tmp_path / "state-of-bucket"))
    with serve_bucket() as (bucket, address):
        for name, said in credentials(address).items():
            monkeypatch.setenv(name, said)
        for path in archive.input.rglob("*.txt"):
            bucket.objects[f"in/{path.relative_to(archive.input)}"] = path.read_bytes(), 1e9
        translate_archive("s3://archive/in", "s3://archive/out")
        assert PLANTED in bucket.documents()["mail/named.txt"].decode()
    assert files_with("s3://archive/out", _databases()), "where it is, is a parameter"
    for place in (prefect_home, _databases()):
        assert not files_with(SECRET, place)
        assert not files_with(PLANTED, place)


def test_prefect_shows_the_counts_of_the_run_and_nothing_else(run_flow, archive: Archive) -> None:
    before = {one.id for one in _artifacts()}
    (archive.input / "broken.docx").write_bytes(b"PK\x03\x04 no document")
    run_flow()
    made = {one.key: one for one in _artifacts() if one.id not in before}
    assert set(made) == {"prism-run-totals", "prism-run-summary"}
    rows = {row["counted"]: row["count"] for row in json.loads(made["prism-run-totals"].data)}
    assert (rows["documents"], rows["documents failed"], rows["failed: corrupt"]) == (3, 1, 1)
    assert all(isinstance(count, int | float) for count in rows.values())
    summary = made["prism-run-summary"].data
    assert "3 documents: 1 translated, 1 partly, 0 unchanged, 1 failed" in summary
    assert all(one.flow_run_id for one in made.values())
    everything = f"{made}"
    assert not [
        w for w in (PLANTED, "letter", "doctor", "broken", str(archive.output)) if w in everything
    ]


@pytest.mark.parametrize(
    ("broken", "night", "name"),
    [
        (0, {}, "Completed"),
        (1, {}, "CompletedWithFailures"),
        (3, {}, "Failed"),
        (1, {"MOST_FAILED": "0"}, "Failed"),
        (3, {"MOST_FAILED": "1"}, "CompletedWithFailures"),
        (0, {"MOST_PARTLY": "0.5"}, "Completed"),
        (0, {"MOST_PARTLY": "0"}, "CompletedPartly"),
        (1, {"MOST_PARTLY": "0"}, "CompletedWithFailures"),
    ],
)
def test_a_flow_ends_in_the_state_that_its_failed_documents_ask_for(
    prefect_home: Path, archive: Archive, monkeypatch, broken: int, night: dict[str, str], name: str
) -> None:
    from flows.translate_archive import translate_archive

    monkeypatch.setenv("PRISM_TRANSLATOR__NAME", "fake")
    for setting, value in night.items():
        monkeypatch.setenv(f"PRISM_NIGHT__{setting}", value)
    for number in range(broken):
        (archive.input / f"{PLANTED}{number}.docx").write_bytes(b"PK\x03\x04 no document")
    where = str(archive.input), str(archive.output)
    state = translate_archive(*where, return_state=True)
    assert state.name == name
    assert PLANTED not in (state.message or "")
    monkeypatch.setenv("PRISM_NIGHT__KNOWN_FAILURES", "pass")
    later = "CompletedPartly" if night.get("MOST_PARTLY") == "0" else "Completed"
    assert translate_archive(*where, return_state=True).name == later


def test_a_flow_that_fails_shows_its_class_and_no_words(run_flow, monkeypatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError(f"cannot handle 'Dear {PLANTED}'")

    before = {one.id for one in _artifacts()}
    monkeypatch.setattr("prism_core.stages.Run.waves", broken)
    with pytest.raises(InternalFault):
        run_flow()
    [summary] = [one for one in _artifacts() if one.id not in before]
    assert summary.data.startswith("# InternalFault")
    assert PLANTED not in repr(summary)


def test_a_server_that_keeps_no_artifacts_does_not_stop_the_run(
    run_flow, archive: Archive, monkeypatch, capfd
) -> None:
    def refused(**_: object) -> None:
        raise OSError(f"no room for {PLANTED}")

    monkeypatch.setattr("flows.translate_archive.create_markdown_artifact", refused)
    run_flow()
    assert WORD_MARK in archive.translated()
    said = capfd.readouterr().err
    assert "could not keep the artifacts of the run (OSError)" in said
    assert PLANTED not in said


def test_the_flow_tells_how_it_ended_unless_its_caller_does(
    run_flow, prefect_home: Path, archive: Archive, monkeypatch
) -> None:
    from flows.translate_archive import translate_archive

    with Hook() as hook:
        monkeypatch.setenv("PRISM_NOTIFY__WEBHOOK", hook.url)
        run_flow()
        assert hook.requests[0].json["outcome"] == "complete"
        translate_archive(str(archive.input), str(archive.output), notify=False)
    assert len(hook.requests) == 1


def test_prefect_keeps_nothing_of_the_documents(run_flow, prefect_home, archive: Archive) -> None:
    run_flow()
    assert files_with(PLANTED, _databases()) == []
    assert files_with(PLANTED, prefect_home) == []
    assert files_with("translate-archive", _databases()) != [], "searched in the wrong place"


@pytest.mark.parametrize(
    "place",
    ["prism_core.stages.run.Run.known_identifiers", "prism_core.stages.Run.waves"],
    ids=["within a task", "between tasks"],
)
def test_the_words_of_a_foreign_error_never_reach_prefect(run_flow, monkeypatch, place) -> None:
    def broken(*_: object, **__: object) -> None:
        raise ValueError(f"cannot handle 'Dear {PLANTED}'")

    monkeypatch.setattr(place, broken)
    with pytest.raises(InternalFault, match="ValueError") as caught:
        run_flow()
    assert PLANTED not in repr(caught.getrepr(style="long"))
    assert caught.value.__context__ is None
    assert files_with(PLANTED, _databases()) == []


def test_wrong_settings_end_the_flow_with_their_own_error(run_flow, monkeypatch) -> None:
    monkeypatch.setenv("PRISM_MECHANISM__THRESHOLD", "high")
    with pytest.raises(ConfigurationError, match=r"mechanism\.threshold"):
        run_flow()


def test_only_a_transient_failure_is_tried_again(prefect_home: Path) -> None:
    from prefect.states import Failed

    from tasks import is_transient

    assert is_transient(None, None, Failed(data=Transient("later")))
    assert not is_transient(None, None, Failed(data=ConfigurationError("never")))
    assert not is_transient(None, None, Failed(data=ValueError("never")))


def test_every_task_keeps_no_result_and_prints_no_log(prefect_home: Path) -> None:
    from prefect import Task
    from prefect.cache_policies import NO_CACHE

    from tasks import TASKS

    assert len(TASKS) == 8
    for task in TASKS.values():
        assert isinstance(task, Task)
        assert task.persist_result is False
        assert task.cache_policy == NO_CACHE
        assert task.log_prints is False
        assert task.task_run_name is None


def test_a_process_that_is_given_a_task_alone_opens_the_run_of_its_job_once(
    prefect_home: Path, job: Job
) -> None:
    from tasks import TASKS, _find_run

    with Run.open(job) as run:
        run.store.runs.begin(job.run_id)
    assert TASKS["ingest"].fn(job).documents == 3
    assert _find_run(job) is _find_run(job)
    _find_run(job).close()


def test_a_task_works_on_the_run_that_its_stage_is_called_with(
    prefect_home: Path, job: Job
) -> None:
    from tasks import PREFECT_STAGES, _find_run

    with Run.open(job) as run:
        run.store.runs.begin(job.run_id)
        assert PREFECT_STAGES.ingest(run).documents == 3
        assert _find_run(job) is run


@pytest.mark.usefixtures("prefect_home")
def test_a_flow_of_which_too_little_would_come_back_sends_nothing(
    poor: Archive, openai_server: OpenAIServer, monkeypatch
) -> None:
    from flows.translate_archive import translate_archive

    monkeypatch.setenv("PRISM_TRANSLATOR__NAME", "openai")
    with pytest.raises(ConfigurationError, match="with openai only"):
        translate_archive(str(poor.input), str(poor.output))
    assert openai_server.received == []


@pytest.fixture
def text(archive: Archive, monkeypatch) -> Path:
    monkeypatch.setenv("PRISM_TRANSLATOR__NAME", "fake")
    path = archive.input.parent / "public.en"
    path.write_text("The man saw the house there .\nThe house fell there .\n")
    return path


def test_a_flow_builds_a_dictionary_from_paths_and_names(prefect_home, text: Path) -> None:
    from flows.build_dictionary import build_dictionary

    output = text.with_name("en-es.parquet")
    built = build_dictionary([str(text)], str(output), least=1)
    assert built.entries == len(read_dictionary(output).entries)


def test_an_error_of_the_flow_that_builds_is_one_of_ours(prefect_home, text: Path) -> None:
    from flows.build_dictionary import build_dictionary

    with pytest.raises(ConfigurationError, match="not a file"):
        build_dictionary(["/nowhere.en"], str(text.with_name("en-es.parquet")))


def test_a_flow_measures_in_tasks_and_prefect_learns_names_alone(
    prefect_home: Path, archive: Archive, tmp_path: Path, monkeypatch
) -> None:
    from flows.evaluate_privacy import evaluate_privacy

    monkeypatch.delenv("PRISM_DICTIONARY__PATH")
    output = tmp_path / "out"
    evaluate_privacy(
        str(output), methods=["identifiers-only"], documents=1, repeats=1, data=str(SHARED_DATA)
    )
    assert {one.run.method for one in Results(output)} == {"plain", "empty", "identifiers-only"}
    assert (output / "results.md").exists()
    story = read_texts("mctest", SHARED_DATA, "en", "es").documents[0]
    for words in (story.lines[0][:30], story.questions[0].text[:25]):
        assert files_with(words, prefect_home) == []


def test_an_error_of_the_flow_that_measures_is_one_of_ours(
    prefect_home: Path, tmp_path: Path
) -> None:
    from flows.evaluate_privacy import evaluate_privacy

    with pytest.raises(ConfigurationError, match="There is no method"):
        evaluate_privacy(str(tmp_path / "out"), methods=["zip"])


def test_a_flow_trains_and_prefect_learns_neither_text_nor_loss(
    prefect_home: Path, tmp_path: Path
) -> None:
    from flows.train_translator import train_translator

    memory, public = tmp_path / "memory.tsv", tmp_path / "public.txt"
    memory.write_text(f"{PLANTED} one\t{PLANTED} uno\ta\nTwo\tDos\tb\n")
    public.write_text("one two uno dos\n" * 9)
    where = [str(memory)], str(tmp_path / "model")
    small = {"passes": 1, "vocabulary_size": 300, "width": 64, "layers": 1}
    train_translator(*where, epsilon=8, sampling="shuffled", vocabulary_from=[str(public)], **small)
    assert (tmp_path / "model" / "card.json").exists()
    assert files_with(PLANTED, _databases()) == files_with(PLANTED, prefect_home) == []
    with pytest.raises(ConfigurationError, match="--public"):
        train_translator(*where)


def _artifacts() -> list[Any]:
    """Those of ours that the server keeps; it has some of its own, without a key."""
    from prefect.client.orchestration import get_client
    from prefect.client.schemas.sorting import ArtifactSort

    with get_client(sync_client=True) as client:
        found = client.read_artifacts(sort=ArtifactSort.CREATED_DESC)
    return [one for one in found if one.key is not None]


def _databases() -> Path:
    """The folder of the database of the running test server."""
    from prefect.settings import get_current_settings

    url = get_current_settings().server.database.connection_url
    assert url is not None
    return Path(str(url.get_secret_value()).partition("///")[2]).parent
