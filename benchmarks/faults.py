"""What is lost when a run is killed, its disk is full, its database locked, its provider at fault.

    python -m benchmarks.faults [--json] [--drill kill --drill batch-kill] [--kills 50] [--seed 1]

Every drill runs the ``prism`` command, in processes of its own, over an archive of text, Word,
HTML and mail, against a server on loopback that behaves like the chat completions API; and runs it
again until it is done; ``batch-kill`` against one that behaves like OpenAI's batches. Rows of
``drill, runs, lost, resent, identical, plain, seconds``:

* ``runs``: how often the command was started. ``kills`` of them were killed with SIGKILL, at a
  moment drawn uniformly from the time that an undisturbed run works; by ``encode-kill`` from the
  time that it works before its first request. A run works from its first change of the store on.
* ``lost``: sentences without a translation that the undisturbed run has.
* ``resent``: sentences whose answer was recorded, or came without fault, and that were sent again;
  by the batch: that are in two batches, for one that a killed run handed in is worked on.
* ``identical``: every file of the output, byte for byte, is what the undisturbed run made.
* ``plain``: places outside of input and output in which text of the documents was found.

Takes about a quarter of an hour. As root the full disk is a small one in memory; else it is a limit
on the size of a file (``how`` says which).
"""

from __future__ import annotations

import sqlite3
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

from benchmarks.fault_archive import write_fault_archive
from benchmarks.fault_trial import Trial, batch_provider, provider
from benchmarks.measure import argument_parser, show
from prism_core.errors import ExitCode
from tests.openai_server import Fault

GARBLED = (Fault.NOT_JSON, Fault.HTML, Fault.UNKNOWN_ID, Fault.NO_CHOICES, Fault.EMPTY_CONTENT)
TRUNCATED = (Fault.TRUNCATED_BODY, Fault.CUT_OFF, Fault.WRONG_COUNT, Fault.RESET)
DUPLICATED = (Fault.DUPLICATED_ID, Fault.EXTRA_ANSWER)
_LATE = "late.txt"
"""A document that comes between two runs of a drill, so that the second has something to do."""
STORM = (Fault.RATE_LIMITED, Fault.RATE_LIMITED_SILENT)


@dataclass(frozen=True)
class Undisturbed:
    """What a run without any fault makes of ``archive``, and for how long it works."""

    archive: Path
    output: Mapping[str, bytes]
    translated: int
    seconds: float
    bytes: int
    unsent: float
    """Seconds that it works before its first request."""


def undisturbed(root: Path) -> Undisturbed:
    """Run it twice, with keys of their own: what differs between them cannot be compared."""
    archive = write_fault_archive(root / "archive")
    with provider() as server:
        trials = [Trial(root / name, server, archive) for name in ("first", "second")]
        for trial in trials:
            with trial.started() as process:
                sent = len(server.batches)
                trial.wait_for_work(process)
                began = time.monotonic()
                trial.wait_for_requests(process, sent + 1)
                unsent = time.monotonic() - began
                process.wait(timeout=300)
                seconds = time.monotonic() - began
            expect(trial, ExitCode.OK)
    first, second = trials
    if first.output() != second.output() or first.plain or second.plain:
        raise SystemExit("an undisturbed run is not like the other, or leaves text behind")
    size = sum(p.stat().st_size for p in second.workplace.output.rglob("*") if p.is_file())
    return Undisturbed(archive, first.output(), first.translated(), seconds, size, unsent)


def expect(trial: Trial, *codes: ExitCode) -> None:
    """End the drills unless the last run ended with one of ``codes``."""
    if trial.codes[-1] not in codes:
        raise SystemExit(f"a run ended with {trial.codes[-1]}: {trial.workplace.printed()}")


Drill = Callable[[Trial, Undisturbed, Random], str | None]


def kill(trial: Trial, normal: Undisturbed, rng: Random, kills: int = 5) -> None:
    """Kill ``kills`` runs in a row, each going on where the last one was."""
    for _ in range(kills):
        with trial.started(killed=True) as process:
            trial.wait_for_work(process)
            time.sleep(rng.uniform(0, normal.seconds))
            process.kill()


def encode_kill(trial: Trial, normal: Undisturbed, rng: Random, kills: int = 5) -> None:
    """Kill ``kills`` runs in a row before any has sent a request, most of them."""
    kill(trial, replace(normal, seconds=normal.unsent), rng, kills)


def disk_full(
    trial: Trial,
    normal: Undisturbed,
    _rng: Random,
    shares: Sequence[float] = (0.15, 0.4, 0.7, 0.95),
) -> str:
    """The disk of the output folder is full at one point after the other."""
    output = trial.workplace.output
    output.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", output]).returncode
    for share in shares:
        size = int(normal.bytes * share)
        if mounted == 0:
            subprocess.run(["mount", "-o", f"remount,size={size}", output])
            trial.run()
        else:
            limit = f"resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))"
            trial.run(f"-c import resource; {limit}; from flows.command import main; main()")
        stopped = (ExitCode.OK, ExitCode.STATE_UNUSABLE, ExitCode.OUTPUT_UNWRITABLE)
        expect(trial, *stopped)
    if mounted == 0:
        subprocess.run(["mount", "-o", "remount,size=1g", output], check=True)
    return "tmpfs" if mounted == 0 else "RLIMIT_FSIZE"


def database_locked(
    trial: Trial, _normal: Undisturbed, _rng: Random, seconds: float = 63.0
) -> None:
    """Another program locks the database: for a moment, then for longer than a run waits."""
    for held in (2.0, seconds):
        with trial.started() as process:
            trial.wait_for_requests(process, len(trial.server.batches) + 1)
            with closing(sqlite3.connect(trial.state, isolation_level=None)) as other:
                other.execute("PRAGMA busy_timeout=60000")
                other.execute("BEGIN IMMEDIATE")
                until = time.monotonic() + held
                while time.monotonic() < until and process.poll() is None:
                    time.sleep(0.05)
                other.execute("ROLLBACK")
        if held == 2.0:
            expect(trial, ExitCode.OK)
            (trial.workplace.input / _LATE).write_text("The old dog moved the candle.\n")
        else:
            expect(trial, ExitCode.STATE_UNUSABLE)


def provider_down(trial: Trial, _normal: Undisturbed, _rng: Random, seconds: float = 60.0) -> None:
    """Every connection to the provider is cut for a minute, from the third request on."""
    with trial.started() as process:
        trial.wait_for_requests(process, 3)
        trial.server.is_down = True
        timer = threading.Timer(seconds, setattr, (trial.server, "is_down", False))
        timer.start()
        process.wait(timeout=300)
    timer.join()


def at_random(*faults: Fault, length: int = 30, share: float = 0.5) -> Drill:
    """Of the first ``length`` requests, ``share`` meet one of ``faults``."""

    def drill(trial: Trial, _normal: Undisturbed, rng: Random) -> None:
        drawn = [rng.choice(faults) if rng.random() < share else None for _ in range(length)]
        trial.server.fail(*drawn)

    return drill


def clock_jumps(trial: Trial, normal: Undisturbed, rng: Random) -> None:
    """Every call that asks for the time of day is answered with hours or days more or less."""
    folder = trial.root / "clock"
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(_JUMPING_CLOCK, encoding="utf-8")
    variables = trial.workplace.variables
    variables["PYTHONPATH"] = f"{folder}:{trial.workplace.environment()['PYTHONPATH']}"
    with trial.started(killed=True) as process:
        trial.wait_for_work(process)
        time.sleep(rng.uniform(0, normal.seconds))
        process.kill()


def two_runs(trial: Trial, _normal: Undisturbed, _rng: Random) -> None:
    """A second run begins while the first one works."""
    usual, trial.server.latency = trial.server.latency, 1.0
    with trial.started() as first:
        trial.wait_for_requests(first, 2)
        second = trial.workplace.start("--quiet")
        trial.codes.append(second.wait(timeout=300))
        trial.server.latency = usual
        expect(trial, ExitCode.STATE_UNUSABLE)
    expect(trial, ExitCode.OK)


_JUMPING_CLOCK = """\
import random
import time

_real, _real_ns, _jumps = time.time, time.time_ns, random.SystemRandom()


def jump():
    return _jumps.choice((0, 1, -1, 3_600, -3_600, -86_400, 30 * 86_400))


time.time = lambda: _real() + jump()
time.time_ns = lambda: _real_ns() + jump() * 1_000_000_000
"""

DRILLS: dict[str, Drill] = {
    "kill": kill,
    "batch-kill": kill,
    "encode-kill": encode_kill,
    "disk-full": disk_full,
    "database-locked": database_locked,
    "provider-down": provider_down,
    "429-storm": at_random(*STORM, length=12, share=1.0),
    "garbled": at_random(*GARBLED),
    "truncated": at_random(*TRUNCATED),
    "reordered": at_random(Fault.REORDERED, share=1.0),
    "misplaced": at_random(Fault.MISPLACED, length=1_000, share=1.0),
    "duplicated": at_random(*DUPLICATED),
    "clock-jumps": clock_jumps,
    "two-runs": two_runs,
}
BY_THE_BATCH = ("batch-kill",)
OFTEN = ("kill", "batch-kill", "encode-kill")


def measure(
    name: str, drill: Drill, normal: Undisturbed, rng: Random, *, warm: bool = False
) -> dict[str, object]:
    """Disturb one archive, finish it, and compare; ``warm``: see ``Workplace``."""
    began = time.monotonic()
    providing = batch_provider if name in BY_THE_BATCH else provider
    with tempfile.TemporaryDirectory(prefix="prism-faults-") as folder, providing() as server:
        trial = Trial(Path(folder) / name, server, normal.archive, warm)
        try:
            how = drill(trial, normal, rng)
            trial.finish()
            output = trial.output()
            output.pop(_LATE, None)
            lost = max(0, normal.translated - trial.translated())
        finally:
            unmount(trial.workplace.output)
    row = {
        "drill": name,
        "runs": len(trial.codes),
        "kills": sum(code < 0 for code in trial.codes),
        "lost": lost,
        "resent": len(trial.resent),
        "identical": output == normal.output,
        "plain": len(trial.plain),
        "seconds": round(time.monotonic() - began, 1),
    }
    return row | ({"how": how} if how else {})


def unmount(folder: Path) -> None:
    """Take a disk in memory away again, if there is one."""
    if folder.is_mount():
        subprocess.run(["umount", folder], check=True)


def killed_often(name: str, kills: int, normal: Undisturbed, rng: Random) -> dict[str, object]:
    """One row for as many archives as it takes to have killed ``kills`` runs."""
    total: dict[str, object] = {}
    while int(str(total.get("kills", 0))) < kills:
        left = min(5, kills - int(str(total.get("kills", 0))))

        def drill(trial: Trial, normal: Undisturbed, rng: Random, left: int = left) -> None:
            (encode_kill if name == "encode-kill" else kill)(trial, normal, rng, left)

        row = measure(name, drill, normal, rng)
        total = {key: _added(total.get(key), value) for key, value in row.items()}
    return total


def _added(one: object, more: object) -> object:
    if one is None or isinstance(more, str):
        return more
    if isinstance(more, bool):
        return bool(one) and more
    return one + more  # type: ignore[operator]


def main() -> None:
    """Run the drills and print a row for each."""
    parser = argument_parser(__doc__)
    parser.add_argument("--drill", choices=sorted(DRILLS), action="append")
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1, help="Of the moments and the faults.")
    arguments = parser.parse_args()
    rng = Random(arguments.seed)
    rows: list[Mapping[str, object]] = []
    with tempfile.TemporaryDirectory(prefix="prism-faults-") as folder:
        normal = undisturbed(Path(folder))
        for name in arguments.drill or DRILLS:
            if name in OFTEN:
                rows.append(killed_often(name, arguments.kills, normal, rng))
            else:
                rows.append(measure(name, DRILLS[name], normal, rng))
            if not arguments.json:
                show(rows[-1:], as_json=False)
    if arguments.json:
        show(rows, as_json=True)


if __name__ == "__main__":
    main()
