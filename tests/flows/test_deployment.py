"""``prefect.yaml`` on a real server with a real worker, end to end: slow."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from base64 import b64decode
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from flows.command.cli import settings_as_toml
from flows.prefect_environment import prepare_prefect
from prism_core.settings import Job
from prism_core.settings.run_settings import ShardSettings
from prism_core.translators.adapters.fake import WORD_MARK
from tests.flows.clusters import DaskCluster, dask_cluster
from tests.flows.conftest import PLANTED, Archive, make_archive
from tests.flows.forked_shards import clauses, make_sharded, texts_by_status
from tests.flows.search import files_with
from tests.openai_server import OpenAIServer
from tests.postgres import PostgresServer
from tests.stages.archive import NAME, TEXTS, backwards, outputs, write_archive

pytestmark = pytest.mark.slow

_CHECKOUT = Path(__file__).resolve().parents[2]
_PREFECT = str(Path(sys.executable).with_name("prefect"))
_EACH_IN_TURN = """
import json, sys
from prefect.cli import app
for words in json.loads(sys.argv[1]):
    sys.argv = ["prefect", *words]
    try:
        app()
    except SystemExit as ended:
        if ended.code:
            raise
"""
_STARTUP_SECONDS = 240
_RUN_SECONDS = 300
_NIGHTLY = "translate-archive/nightly"
_RUNNING = {"any_": ["RUNNING"]}
_ENDS = {"COMPLETED", "FAILED", "CRASHED", "CANCELLED"}


class Operator:
    """What an operator types: commands in the checkout, under one environment."""

    def __init__(self, environment: dict[str, str], logs: Path) -> None:
        self.environment = environment
        self._logs = logs

    def prefect(self, *commands: tuple[str, ...]) -> None:
        """Run commands one after the other in a process: to load Prefect is most of each."""
        done = subprocess.run(
            [sys.executable, "-c", _EACH_IN_TURN, json.dumps(commands)],
            cwd=_CHECKOUT,
            env=self.environment,
            stdout=(self._logs / "commands.log").open("ab"),
            stderr=subprocess.STDOUT,
            timeout=_RUN_SECONDS,
            check=False,
        )
        assert done.returncode == 0, (commands, self.log("commands"))

    @contextmanager
    def running(self, *arguments: str) -> Iterator[subprocess.Popen[bytes]]:
        """A command that runs until the block ends; it and its children are ended then."""
        process = subprocess.Popen(
            [_PREFECT, *arguments],
            cwd=_CHECKOUT,
            env=self.environment,
            stdout=(self._logs / f"{arguments[0]}.log").open("ab"),
            stderr=subprocess.STDOUT,
        )
        try:
            yield process
        finally:
            process.terminate()
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def log(self, name: str) -> str:
        return (self._logs / f"{name}.log").read_text(errors="replace")[-3000:]

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        """GET, or POST with ``body``, at the server's API."""
        request = urllib.request.Request(  # noqa: S310 - always our own loopback address
            f"{self.environment['PREFECT_API_URL']}{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
            return json.load(answer)

    def wait_for_server(self, server: subprocess.Popen[bytes]) -> None:
        deadline = time.monotonic() + _STARTUP_SECONDS
        while time.monotonic() < deadline:
            assert server.poll() is None, self.log("server")
            try:
                assert self.ask("/health") is True
            except OSError:
                time.sleep(0.5)
            else:
                return
        pytest.fail(f"the server did not start: {self.log('server')}")


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory, small_dictionary: Path) -> Iterator[Archive]:
    """That of the other tests, for all of these."""
    with pytest.MonkeyPatch.context() as variables:
        yield make_archive(tmp_path_factory.mktemp("deployment"), small_dictionary, variables)


@pytest.fixture(scope="module")
def operator(archive: Archive) -> Iterator[Operator]:
    """An operator whose Prefect server runs, and ends with these tests."""
    tmp_path = archive.input.parent
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    settings = tmp_path / "prism.toml"
    settings.write_text('[translator]\nname = "fake"\n')
    environment = {
        **{k: v for k, v in os.environ.items() if not k.startswith("PREFECT_")},
        "PREFECT_HOME": str(tmp_path / "prefect"),
        "PREFECT_API_URL": f"http://127.0.0.1:{port}/api",
        "PREFECT_LOGGING_LEVEL": "INFO",
        "PRISM_HOME": str(_CHECKOUT),
        "PRISM_ARCHIVE": str(archive.input),
        "PRISM_OUTPUT": str(archive.output),
        "PRISM_SETTINGS": str(settings),
        "OPENAI_API_KEY": "none",
    }
    prepare_prefect(environment)
    environment["PREFECT_SERVER_SERVICES_TRIGGERS_ENABLED"] = "true"
    logs = tmp_path / "logs"
    logs.mkdir()
    operator = Operator(environment, logs)
    with ExitStack() as stack:
        server = stack.enter_context(
            operator.running("server", "start", "--host", "127.0.0.1", "--port", port)
        )
        operator.wait_for_server(server)
        deploy = ("--no-prompt", "deploy", "--all")
        operator.prefect(
            ("work-pool", "create", "prism", "--type", "process"),
            deploy,
            (*deploy, "--prefect-file", "prism_core/training/prefect.yaml"),
        )
        yield operator


def family_of(process: int) -> list[int]:
    """The process, then its children and theirs."""
    listed = Path(f"/proc/{process}/task").glob("*/children")
    children = [int(child) for file in listed for child in file.read_text().split()]
    return [process, *(one for child in children for one in family_of(child))]


def run_nightly(operator: Operator, **parameters: str) -> None:
    """Run the deployment to its good end, under the worker that there is.

    It is asked for at the server, as the command that an operator types does: that takes two
    seconds of imports, and has been typed for the night that is killed.
    """
    deployment = operator.ask(f"/deployments/name/{_NIGHTLY}")["id"]
    run = operator.ask(f"/deployments/{deployment}/create_flow_run", {"parameters": parameters})
    deadline = time.monotonic() + _RUN_SECONDS
    while (state := operator.ask(f"/flow_runs/{run['id']}")["state"]["type"]) not in _ENDS:
        assert time.monotonic() < deadline, operator.log("worker")
        time.sleep(1)
    assert state == "COMPLETED", operator.log("worker")


@pytest.fixture(scope="module")
def killed_night(operator: Operator, archive: Archive) -> str:
    """How a run ended whose worker was killed.

    It is missed after 35 s here, so that the tests take no five minutes.
    """
    automations = archive.input.parent / "automations.yaml"
    automations.write_text(
        (_CHECKOUT / "automations.yaml").read_text().replace("within: 300", "within: 35")
    )
    operator.prefect(("automation", "create", "--from-file", str(automations)))
    settings = Path(operator.environment["PRISM_SETTINGS"])
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(_RUN_SECONDS)
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/v1"
        settings.write_text(
            f'[translator]\nname = "openai"\nmodel = "silent"\nbase_url = "{address}"\n'
        )
        with operator.running("worker", "start", "--pool", "prism") as worker:
            operator.prefect(("deployment", "run", _NIGHTLY))
            connection, _ = silent.accept()  # the run waits for its answer
            for process in family_of(worker.pid):
                os.kill(process, signal.SIGKILL)
            connection.close()
    (run,) = operator.ask("/flow_runs/filter", {"flow_runs": {"state": {"type": _RUNNING}}})
    deadline = time.monotonic() + _RUN_SECONDS
    while (state := operator.ask(f"/flow_runs/{run['id']}")["state"])["type"] == "RUNNING":
        assert time.monotonic() < deadline, operator.log("server")
        time.sleep(1)
    settings.write_text('[translator]\nname = "fake"\n')
    return str(state["type"])


@pytest.fixture(scope="module")
def good_night(operator: Operator) -> Iterator[None]:
    """A night that went well, under a worker that is there for the tests that follow."""
    with operator.running("worker", "start", "--pool", "prism"):
        run_nightly(operator)
        yield


@pytest.mark.usefixtures("killed_night", "good_night")  # in this order
def test_a_run_whose_worker_was_killed_is_ended_and_the_next_night_goes_on(
    killed_night: str, archive: Archive
) -> None:
    assert killed_night == "CRASHED"
    assert WORD_MARK in archive.translated()


def test_nights_are_scheduled(operator: Operator) -> None:
    of_nightly = {
        "deployments": {"name": {"any_": ["nightly"]}},
        "flow_runs": {"state": {"type": {"any_": ["SCHEDULED"]}}},
        "sort": "EXPECTED_START_TIME_ASC",
    }
    deadline = time.monotonic() + _STARTUP_SECONDS
    while not (nights := operator.ask("/flow_runs/filter", of_nightly)):
        assert time.monotonic() < deadline, operator.log("server")
        time.sleep(1)
    starts = [night["expected_start_time"] for night in nights]
    assert len({start[:10] for start in starts}) == len(starts) > 1
    assert {start[11:19] for start in starts} == {"02:00:00"}


@pytest.mark.usefixtures("good_night")
def test_the_deployment_runs_the_nightly_job_and_keeps_no_text(
    operator: Operator, archive: Archive
) -> None:
    of_type = {"state": {"type": {"any_": ["COMPLETED"]}}}
    assert operator.ask("/flow_runs/filter", {"flow_runs": of_type}), operator.log("worker")
    assert WORD_MARK in archive.translated()
    assert PLANTED in archive.translated("mail/named.txt")
    assert (archive.output / "prism-report" / "index.html").exists()

    for place in ("prefect", "logs"):
        assert files_with(PLANTED, archive.input.parent / place) == []
    assert files_with("translate-archive", archive.input.parent / "prefect") != []


@pytest.mark.usefixtures("good_night")
def test_a_night_in_shards_is_done_by_runs_of_its_deployment_and_keeps_no_text(
    operator: Operator, archive: Archive, postgres: PostgresServer
) -> None:
    output = archive.input.parent / "out-shards"
    Path(operator.environment["PRISM_SETTINGS"]).write_text(
        f'[translator]\nname = "fake"\n[state]\nurl = "{postgres.new_url()}"\n[shards]\ncount = 2\n'
    )
    run_nightly(operator, output_folder=str(output))
    assert WORD_MARK in (output / "letter.txt").read_text()
    assert PLANTED in (output / "mail" / "named.txt").read_text()
    tagged = {"flow_runs": {"tags": {"all_": ["shard"]}}}
    runs = operator.ask("/flow_runs/filter", tagged)
    assert {(run["parameters"]["phase"], run["parameters"]["shard"]) for run in runs} >= {
        (phase, number) for phase in ("read", "translate") for number in range(2)
    }
    assert {run["state"]["type"] for run in runs} == {"COMPLETED"}
    assert all(run["parent_task_run_id"] for run in runs)
    assert len(list((output / "prism-report").glob("run=*"))) == 1
    for place in ("prefect", "logs"):
        assert files_with(PLANTED, archive.input.parent / place) == []


def shards_of(worker: int) -> list[int]:
    """The processes that do a shard for a worker of a cluster."""
    return [
        process
        for process in family_of(worker)[1:]
        if b"prism_core.jobs.shard" in Path(f"/proc/{process}/cmdline").read_bytes()
    ]


@pytest.fixture(scope="module")
def dask_run(operator: Operator, postgres: PostgresServer) -> Iterator[DaskRun]:
    """A run in two shards on a cluster of two workers, of which one is killed at its shard."""
    folder = Path(operator.environment["PREFECT_HOME"]).with_name("dask")
    texts = {f"{NAME}/{n}.txt": clauses(n, 12) for n in range(4)} | TEXTS
    write_archive(folder / "in", texts)
    with OpenAIServer(lambda batch: [backwards(text) for text in batch], latency=0.3) as server:
        translator = server.settings(texts_per_request=3, concurrency=1, model="backwards")
        job = make_sharded(folder, postgres, 2, translator=translator)
        shards = ShardSettings(count=2, lease_seconds=5)
        settings = job.settings.model_copy(update={"shards": shards})
        (folder / "prism.toml").write_text(settings_as_toml(settings))
        variables = {
            **{k: v for k, v in operator.environment.items() if not k.startswith("PRISM_")},
            "OPENAI_API_KEY": server.key,
            "PREFECT_SERVER_DATABASE_PASSWORD": "of-the-server",
        }
        with dask_cluster(folder / "cluster", 2, variables) as cluster:
            process = subprocess.Popen(
                [
                    *(sys.executable, "-m", "flows.command", "translate", job.input, job.output),
                    *("--engine", "dask", "--settings", folder / "prism.toml", "--quiet"),
                ],
                env=variables | {"PRISM_SHARDS__ADDRESS": cluster.address},
                cwd=_CHECKOUT,
            )
            try:
                while len(server.answered) < 4:
                    assert process.poll() is None
                    time.sleep(0.05)
                killed = next(each for each in cluster.workers if shards_of(each.pid))
                killed.kill()
                code = process.wait(_RUN_SECONDS)
            finally:
                process.kill()
            expected = {name: backwards(text).encode() for name, text in texts.items()}
            yield DaskRun(job, cluster, server, code, expected)


@dataclass(frozen=True)
class DaskRun:
    """What a run on a cluster left: ``expected`` is what one process makes."""

    job: Job
    cluster: DaskCluster
    server: OpenAIServer
    code: int
    expected: dict[str, bytes]


def test_a_worker_of_a_cluster_is_killed_and_nothing_is_lost_or_asked_for_again(
    dask_run: DaskRun,
) -> None:
    assert dask_run.code == 0
    assert outputs(dask_run.job) == dask_run.expected
    sent = [text for batch in dask_run.server.batches for text in batch]
    recorded = texts_by_status(dask_run.job)
    assert recorded["answered"] == len(set(sent)), "each answer was recorded once"
    assert len(sent) - len(set(sent)) <= recorded.get("unanswered", 0), "in doubt, after a kill"
    assert len(list(dask_run.job.report_folder.glob("run=*"))) == 1


def test_no_word_and_no_secret_passes_through_a_cluster(
    dask_run: DaskRun, operator: Operator
) -> None:
    passed = bytes(dask_run.cluster.passed)
    assert str(dask_run.job.output).encode() in passed, "it was searched"
    read = "".join(TEXTS.values()) + dask_run.job.input.joinpath(NAME, "0.txt").read_text()
    words = {word for word in re.findall(r"\w+", read) if len(word) > 6}
    sent = {word for batch in dask_run.server.batches for text in batch for word in text.split()}
    secrets = {NAME, dask_run.server.key, "of-the-server", *words, *filter(_is_long, sent)}
    key = Path(str(dask_run.job.settings.key.file)).read_bytes().strip()
    assert len(words) > 10
    places = [dask_run.cluster.folder, Path(operator.environment["PREFECT_HOME"])]
    for secret in (*(secret.encode() for secret in secrets), key, b64decode(key)):
        assert not re.search(rb"(?<!\w)" + re.escape(secret) + rb"(?!\w)", passed), secret
    for place in places:
        assert files_with(NAME, place) == []


def _is_long(word: str) -> bool:
    return len(word) > 7 and word.islower()
