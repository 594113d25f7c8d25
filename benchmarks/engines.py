"""What it costs to have shards done by a deployment.

    python -m benchmarks.engines [deployment] [--documents 20] [--kill]

Needs PostgreSQL's programs. One archive for
all, two shards, two slots, a provider on loopback that takes .1 s for a request and spells
backwards, and a server of Prefect that runs already. The work pool runs before the command
begins, as its owner has it. For each engine, with ``plain`` (no shards) first:

* ``begun``, ``seconds``: from the start of the command to the first request, and to its end.
* ``cpu``: processor seconds of the command, and of workers from their start; of the
  servers, none. Looked at three times a second, so what lives less is left out.
* ``memory``: the most that all of these had at once, MB (proportional: shared pages count once).
* ``resent``, ``in_doubt``, ``identical``: see ``benchmarks.fleet``. With ``--kill`` a process that
  does a shard, and what has started it, is killed with SIGKILL after some requests.
"""

from __future__ import annotations

import argparse
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from benchmarks.measure import show
from flows.command.cli import settings_as_toml
from flows.prefect_environment import prepare_prefect
from prism_core.settings import Job
from prism_core.settings.run_settings import ShardSettings
from tests.flows.forked_shards import make_sharded, texts_by_status, write_clauses
from tests.openai_server import OpenAIServer
from tests.postgres import PostgresServer, postgres_server
from tests.stages.archive import backwards, outputs

_CHECKOUT = Path(__file__).parents[1]
_AT_WORK = (b"prefect.flow_engine", b"prefect.engine")
"""What the command line of a flow run that does a shard names."""


@contextmanager
def program(environment: dict[str, str], log: Path, *words: str) -> Iterator[subprocess.Popen]:
    """A program of Python that runs until the block ends."""
    with log.open("wb") as said:
        process = subprocess.Popen(
            [sys.executable, *words],
            env=environment,
            cwd=_CHECKOUT,
            stdout=said,
            stderr=said,
        )
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def prefect_server(folder: Path) -> Iterator[dict[str, str]]:
    """The environment of whoever uses the server, which runs until the block ends."""
    port = free_port()
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("PREFECT_")},
        "PREFECT_HOME": str(folder / "prefect"),
        "PREFECT_API_URL": f"http://127.0.0.1:{port}/api",
    }
    prepare_prefect(environment)
    words = ("-m", "prefect", "server", "start", "--host", "127.0.0.1", "--port", str(port))
    with program(environment, folder / "server.log", *words):
        for _ in range(600):
            with (
                suppress(OSError),
                urllib.request.urlopen(  # noqa: S310 - loopback
                    f"{environment['PREFECT_API_URL']}/health"
                ),
            ):
                break
            time.sleep(0.2)
        yield environment


@contextmanager
def ready(engine: str, folder: Path, environment: dict[str, str]) -> Iterator[dict[str, str]]:
    """What ``engine`` needs runs until the block ends; gives the variables that name it."""
    prefect = ("-m", "prefect")
    with ExitStack() as stack:
        if engine == "deployment":
            own = environment | {
                "PRISM_HOME": str(_CHECKOUT),
                **{f"PRISM_{name}": str(folder) for name in ("ARCHIVE", "OUTPUT")},
                "PRISM_SETTINGS": str(folder / "prism.toml"),
            }
            for words in (
                ("work-pool", "create", "prism", "--type", "process", "--overwrite"),
                ("--no-prompt", "deploy", "--all"),
            ):
                quiet = subprocess.DEVNULL
                subprocess.run(
                    [sys.executable, *prefect, *words],
                    env=own,
                    cwd=_CHECKOUT,
                    check=True,
                    stdout=quiet,
                    stderr=quiet,
                )
            worker = ("worker", "start", "--pool", "prism", "--limit", "1")
            for number in range(2):
                log = folder / f"worker-{number}.log"
                stack.enter_context(program(own, log, *prefect, *worker))
            yield {"PRISM_SHARDS__DEPLOYMENT": "translate-archive/shard"}
        else:
            yield {}


def descendants(process: int) -> list[int]:
    """All processes that ``process`` or one of these has started."""
    children: list[int] = []
    with suppress(OSError):
        for file in Path(f"/proc/{process}/task").glob("*/children"):
            children += map(int, file.read_text().split())
    return children + [deeper for child in children for deeper in descendants(child)]


def count_cpu(processes: Sequence[int], seconds: dict[int, float]) -> None:
    """Note the processor seconds of each of ``processes`` until now."""
    for process in processes:
        with suppress(OSError):
            fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
            seconds[process] = (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def memory(processes: Sequence[int]) -> int:
    """Bytes of ``processes``, where each has its part of what they share."""
    total = 0
    for process in processes:
        with suppress(OSError):
            lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
            total += sum(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    return total


def kill_one(work: Sequence[int]) -> None:
    """Kill a process at work on a shard, and what waits for it."""
    for process in work:
        with suppress(OSError):
            words = Path(f"/proc/{process}/cmdline").read_bytes()
            if any(name in words for name in _AT_WORK):
                waiting = int(Path(f"/proc/{process}/stat").read_text().split()[3])
                for each in (waiting, process):
                    os.kill(each, signal.SIGKILL)
                return


def measure_engine(
    engine: str,
    job: Job,
    expected: dict[str, bytes],
    environment: dict[str, str],
    server: OpenAIServer,
    *,
    kill: bool,
) -> dict[str, object]:
    """One run of the command with ``engine``."""
    folder, done, most, killed = job.output.parent, threading.Event(), [0], [not kill]
    servers = {os.getpid(), *descendants(os.getpid())}
    cpu: dict[int, float] = {}
    first, asked = [0.0], len(server.batches)

    def watch() -> None:
        while not done.wait(0.3):
            work = [each for each in descendants(os.getpid()) if each not in servers]
            most[0] = max(most[0], memory(work))
            count_cpu(work, cpu)
            requests = len(server.batches) - asked
            first[0] = first[0] or (time.monotonic() if requests else 0.0)
            if requests > 6 and not killed[0]:
                killed[0] = True
                kill_one(work)

    with ready(engine, folder, environment) as variables:
        flag = "prefect" if engine == "deployment" else "local"
        threading.Thread(target=watch).start()
        began = time.monotonic()
        words = ("translate", str(job.input), str(job.output), "--engine", flag, "--quiet")
        code = subprocess.run(
            [sys.executable, "-m", "flows.command", *words, "--settings", folder / "prism.toml"],
            env=environment | variables,
        ).returncode
        ended = time.monotonic()
        done.set()
    sent = [text for batch in server.batches[asked:] for text in batch]
    recorded = texts_by_status(job)
    return {
        "engine": engine,
        "code": code,
        "begun": round(first[0] - began, 1),
        "seconds": round(ended - began, 1),
        "cpu": round(sum(cpu.values()), 1),
        "memory": most[0] // 1_000_000,
        "resent": recorded.get("answered", 0) - len(set(sent)),
        "in_doubt": len(sent) - len(set(sent)),
        "identical": outputs(job) == expected,
    }


def make_archive(
    folder: Path, engine: str, postgres: PostgresServer, server: OpenAIServer, documents: int
) -> tuple[Job, dict[str, bytes]]:
    """A job over an archive in ``folder``, its settings beside it, and what it is to make."""
    expected = write_clauses(folder / "in", documents)
    translator = server.settings(texts_per_request=3, concurrency=1, model="backwards")
    job = make_sharded(folder, postgres, 2, translator=translator)
    count = 1 if engine == "plain" else 2
    shards = ShardSettings(count=count, lease_seconds=5)
    job = job.model_copy(update={"settings": job.settings.model_copy(update={"shards": shards})})
    (folder / "prism.toml").write_text(settings_as_toml(job.settings))
    return job, expected


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    known = ("plain", "deployment")
    parser.add_argument("engines", nargs="*", choices=known, default=known)
    parser.add_argument("--documents", type=int, default=20)
    parser.add_argument("--kill", action="store_true")
    asked = parser.parse_args()
    rows: list[dict[str, object]] = []
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="prism-engines-")))
        postgres = stack.enter_context(postgres_server())
        server = stack.enter_context(
            OpenAIServer(lambda texts: [backwards(text) for text in texts], latency=0.1)
        )
        environment = stack.enter_context(prefect_server(folder)) | {"OPENAI_API_KEY": server.key}
        for engine in asked.engines:
            place = folder / engine
            place.mkdir()
            job, expected = make_archive(place, engine, postgres, server, asked.documents)
            rows.append(measure_engine(engine, job, expected, environment, server, kill=asked.kill))
            print(rows[-1], flush=True)
    show(rows, as_json=False)


if __name__ == "__main__":
    main()
