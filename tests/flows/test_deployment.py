"""``prefect.yaml`` on a real server with a real worker, end to end: slow."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from flows.prefect_environment import prepare_prefect
from prism_core.translators.adapters.fake import WORD_MARK
from tests.flows.conftest import PLANTED, Archive, make_archive
from tests.flows.search import files_with
from tests.postgres import PostgresServer

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
