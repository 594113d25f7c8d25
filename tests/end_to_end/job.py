"""Runs of the ``prism`` command in a process, a home and a temporary folder of their own."""

from __future__ import annotations

import base64
import os
import signal
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pyarrow.parquet

from tests.end_to_end.warm import WarmCommand
from tests.openai_server import OpenAIServer

_KEPT = ("PATH", "LANG", "LC_ALL", "LD_LIBRARY_PATH")
_REPOSITORY = Path(__file__).parents[2]
COMMAND = "-m flows.command"
Started = subprocess.Popen[bytes] | WarmCommand


@dataclass
class Workplace:
    """A folder with everything a run can read and write: ``in`` and ``out``, and all the rest.

    ``warm``: runs are forked from a process that has loaded what they need (see ``WarmCommand``).
    ``addresses``: what the command is told in the place of both folders.
    """

    root: Path
    variables: dict[str, str] = field(default_factory=dict)
    runs: int = 0
    warm: bool = False
    addresses: tuple[str, str] | None = None
    _listed: tuple[int, dict[str, dict[str, object]]] = field(default=(0, {}), repr=False)

    def __post_init__(self) -> None:
        for name in ("home", "temporary", "started-in", "printed", "keys"):
            (self.root / name).mkdir(parents=True, exist_ok=True)

    @property
    def input(self) -> Path:
        return self.root / "in"

    @property
    def output(self) -> Path:
        return self.root / "out"

    @property
    def key_file(self) -> Path:
        return self.root / "keys" / "key"

    def environment(self) -> dict[str, str]:
        """Nothing of the test's own environment but what programs need to be found."""
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        return kept | {
            "HOME": str(self.root / "home"),
            "TMPDIR": str(self.root / "temporary"),
            "XDG_STATE_HOME": str(self.root / "home" / "state"),
            "PREFECT_HOME": str(self.root / "prefect"),
            "PRISM_KEY_FILE": str(self.key_file),
            "COLUMNS": "150",
            "PYTHONPATH": str(_REPOSITORY),
            **self.variables,
        }

    def use(self, server: OpenAIServer, **more: object) -> None:
        """Let runs talk to ``server``; ``more`` are further settings of the translator."""
        self.variables |= {
            "OPENAI_API_KEY": server.key,
            "PRISM_TRANSLATOR__NAME": "openai",
            "PRISM_TRANSLATOR__BASE_URL": server.base_url,
            **{f"PRISM_TRANSLATOR__{name.upper()}": str(value) for name, value in more.items()},
        }

    def start(self, *options: str, program: str = COMMAND) -> Started:
        """Start ``prism translate``; what it prints goes into ``printed``."""
        self.runs += 1
        places = self.addresses or (str(self.input), str(self.output))
        arguments = ["translate", *places, "--to", "es", *options]
        printed = tuple(self.root / "printed" / f"{self.runs}.{kind}" for kind in ("out", "err"))
        if self.warm and program == COMMAND:
            return WarmCommand(arguments, self.environment(), self.root / "started-in", printed)
        with printed[0].open("wb") as out, printed[1].open("wb") as err:
            return subprocess.Popen(
                [sys.executable, *program.split(" ", 1), *arguments],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=self.environment(),
                cwd=self.root / "started-in",
                start_new_session=True,
            )

    def run(self, *options: str, program: str = COMMAND) -> int:
        """Run to the end; the exit code."""
        process = self.start(*options, program=program)
        try:
            return process.wait(timeout=300)
        finally:
            end(process)

    def printed(self) -> str:
        """What the last run printed, errors last."""
        files = (self.root / "printed" / f"{self.runs}.{kind}" for kind in ("out", "err"))
        return "\n".join(file.read_text("utf-8", "replace") for file in files)

    def rows(self, table: str) -> list[dict[str, object]]:
        """A table of the latest report."""
        runs = (self.output / "prism-report").glob("run=*")
        latest = max(runs, key=lambda folder: folder.stat().st_mtime_ns)
        return pyarrow.parquet.read_table(latest / f"{table}.parquet").to_pylist()

    def rows_by_path(self) -> dict[str, dict[str, object]]:
        """The latest report's rows of documents, by the path that the sealed store knows."""
        if self._listed[0] == self.runs:
            return self._listed[1]
        listed = subprocess.run(
            [sys.executable, "-m", "flows.command", "audit", "names", str(self.output)],
            env=self.environment(),
            cwd=self.root / "started-in",
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        paths = dict(line.split(",", 1) for line in listed.splitlines()[1:])
        rows = {paths[str(row["document_id"])].strip('"'): row for row in self.rows("documents")}
        self._listed = self.runs, rows
        return rows

    def documents(self) -> set[str]:
        """Every file of the output that is not PRISM's own."""
        files = (path.relative_to(self.output) for path in self.output.rglob("*") if path.is_file())
        return {str(file) for file in files if file.parts[0] not in (".prism", "prism-report")}

    def places_of_documents(self) -> list[Path]:
        """Where documents may stand: the input, and all of the output but PRISM's own."""
        own = (".prism", "prism-report")
        return [self.input, *(path for path in self.output.glob("*") if path.name not in own)]

    def key(self) -> bytes:
        return base64.b64decode(self.key_file.read_bytes())


def end(process: Started) -> None:
    """Kill ``process`` and whatever it started in its session."""
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()


class Sabotage:
    """Makes the sandbox fail when it opens a file whose path has a certain part.

    Works through Python's ``sitecustomize``; the programs under test are as they are shipped.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self.folder = folder
        (folder / "sitecustomize.py").write_text(_SABOTAGE, encoding="utf-8")
        self.plan({})

    def plan(self, failures: dict[str, str]) -> None:
        """``failures``: a part of a path, and ``raise``, ``abort``, ``spin`` or ``hang``.

        ``spin`` has half a second left until the processor limit, ``spin-all`` the whole limit.
        """
        lines = (f"{action} {part}" for part, action in failures.items())
        (self.folder / "plan").write_text("\n".join(lines), encoding="utf-8")
        (self.folder / "hanging").unlink(missing_ok=True)

    def hangs(self) -> bool:
        return (self.folder / "hanging").exists()

    def path(self) -> str:
        return os.pathsep.join([str(self.folder), str(_REPOSITORY)])


_SABOTAGE = '''\
"""Makes the sandbox's children fail when they open certain files."""

import os
import signal
import sys
import time

FOLDER = os.path.dirname(__file__)


def fail(event, arguments):
    by_descriptor = event == "open" and arguments[1] is None
    if event != "open" or by_descriptor or not isinstance(arguments[0], str):
        return
    for line in read(os.path.join(FOLDER, "plan")).splitlines():
        action, part = line.split(" ", 1)
        if part in arguments[0]:
            ACTIONS[action](arguments[0])


def read(path):
    descriptor = os.open(path, os.O_RDONLY)
    try:
        return os.read(descriptor, 100_000).decode()
    finally:
        os.close(descriptor)


def hang(path):
    os.close(os.open(os.path.join(FOLDER, "hanging"), os.O_CREAT | os.O_WRONLY))
    time.sleep(600)


def spin(path):
    signal.setitimer(signal.ITIMER_PROF, 0.5)
    spin_all(path)


def spin_all(path):
    while True:
        pass


def explode(path):
    raise RuntimeError("cannot read: " + read(path))


ACTIONS = {
    "raise": explode,
    "abort": lambda path: os.abort(),
    "spin": spin,
    "spin-all": spin_all,
    "hang": hang,
}

if "prism_core.formats.sandbox._run_request" in sys.orig_argv:
    sys.addaudithook(fail)
'''
