"""What a document costs as the archive grows: time, processor time, memory.

    python -m benchmarks.scale [--sizes 10 100 1000] [--lines 8] [--kinds text word mail]
        [--engine local prefect] [--workers 1] [--translator fake] [--repeats 3]
        [--seconds 1800] [--json]

Makes an archive of each size (`scale_archive`: text, Word and mail, no sentence twice), and runs
the ``prism`` command over it as a user would, in processes of its own, with a key, a state and a
home of their own that are gone afterwards. Rows of:

* ``engine, workers, documents, sentences``
* ``seconds, cpu_seconds``: of the whole run, by the clock and of the processors, all processes that
  the command started taken together (a Prefect server too). The median of the repeats.
* ``seconds_per_document, cpu_per_document``: without start-up, which is taken out by subtracting a
  run over one document: (t(n) - t(1)) / (n - 1).
* ``cpu_per_1000_sentences``: the same processor time, for each thousand sentences; tagging is part
  of it. ``python -m benchmarks.scale_shares`` tells the parts from each other.
* ``peak_mb``: the most memory of all processes at one moment, each shared page counted once (the
  sum of their PSS, five samples a second).
* ``largest_mb``: the most that one process ever had, by the kernel's own mark.
* ``first_line``: seconds from the start to the first line on the standard error.
* ``exit_code``

With two engines a row for each size says what the second costs more than the first:
``overhead_cpu_seconds``.

The translator ``fake`` answers at once with what it was sent, and has a dictionary that says so:
the shipped one with every word as its own form. ``apertium`` is the real one, its processor time
included. No size is begun after ``--seconds``; 5,000 documents take five minutes or more.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from statistics import median

from benchmarks.measure import argument_parser, show
from benchmarks.processes import Usage, measured
from benchmarks.scale_archive import LINES, MIXED, WRITERS, echo_dictionary, write_archive
from prism_core.report import ReportFolder

_SMALL = 100
"""Archives up to this size are run several times: a run of seconds is easily disturbed."""


@dataclass(frozen=True)
class Setting:
    """How the command is run."""

    engine: str
    workers: int
    translator: str
    lines: int
    kinds: Sequence[str] = MIXED


@dataclass(frozen=True)
class Measured:
    """The runs over one archive: the sentences in it, and what each run used."""

    sentences: int
    runs: tuple[Usage, ...]

    def of(self, name: str) -> float:
        """The median of one measure."""
        return float(median(getattr(run, name) for run in self.runs))


def main() -> None:
    """Measure every size and print each row when it is known; as JSON, all of them at the end."""
    arguments = options()
    rows: list[Mapping[str, object]] = []
    with tempfile.TemporaryDirectory(prefix="prism-scale-") as folder:
        for found in measured_settings(Path(folder), arguments):
            rows.append(found)
            if not arguments.json:
                show([found], as_json=False)
                sys.stdout.flush()
    more = list(overheads(rows))
    show([*rows, *more] if arguments.json else more, as_json=arguments.json)


def measured_settings(place: Path, arguments: argparse.Namespace) -> Iterator[dict[str, object]]:
    """A row for each size, engine and number of workers."""
    until = time.monotonic() + arguments.seconds
    for engine, workers in product(arguments.engine, arguments.workers):
        setting = Setting(engine, workers, arguments.translator, arguments.lines, arguments.kinds)
        yield from measured_sizes(place, setting, arguments.sizes, arguments.repeats, until)


def options() -> argparse.Namespace:
    """What the command line says."""
    parser = argument_parser(__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 100, 1000], metavar="N")
    parser.add_argument("--lines", type=int, default=LINES, help="of a document")
    parser.add_argument("--kinds", nargs="+", choices=WRITERS, default=MIXED, help="in turn")
    parser.add_argument("--engine", nargs="+", choices=["local", "prefect"], default=["local"])
    parser.add_argument("--workers", type=int, nargs="+", default=[1], help="limits.workers")
    parser.add_argument("--translator", choices=["fake", "apertium"], default="fake")
    parser.add_argument("--repeats", type=int, default=3, help=f"of sizes up to {_SMALL}")
    parser.add_argument("--seconds", type=float, default=1800, help="begin no size after that")
    return parser.parse_args()


def measured_sizes(
    place: Path, setting: Setting, sizes: Sequence[int], repeats: int, until: float
) -> Iterator[dict[str, object]]:
    """A row for each size, as long as there is time."""
    one = measured_size(place, setting, 1, repeats)
    for size in sizes:
        if time.monotonic() > until:
            print(f"no time is left for {size:,} documents", file=sys.stderr)
            return
        yield row(setting, size, measured_size(place, setting, size, repeats), one)


def row(setting: Setting, size: int, found: Measured, one: Measured) -> dict[str, object]:
    """What is printed of one size; ``one`` is the archive of one document."""
    more = max(size - 1, 1)
    seconds = found.of("seconds") - one.of("seconds")
    processor = found.of("cpu_seconds") - one.of("cpu_seconds")
    sentences = max(found.sentences - one.sentences, 1)
    return {
        "engine": setting.engine,
        "workers": setting.workers,
        "documents": size,
        "sentences": found.sentences,
        "seconds": found.of("seconds"),
        "seconds_per_document": seconds / more,
        "cpu_seconds": found.of("cpu_seconds"),
        "cpu_per_document": processor / more,
        "cpu_per_1000_sentences": 1000 * processor / sentences,
        "peak_mb": found.of("peak_mb"),
        "largest_mb": found.of("largest_mb"),
        "first_line": found.of("first_line"),
        "exit_code": max(run.code for run in found.runs),
    }


def overheads(rows: Sequence[Mapping[str, object]]) -> Iterator[dict[str, object]]:
    """What the second engine takes more than the first, for each size that both have run."""
    engines = list(dict.fromkeys(row["engine"] for row in rows))
    if len(engines) < 2:
        return
    by_kind = {(row["engine"], row["workers"], row["documents"]): row for row in rows}
    for (engine, workers, documents), first in by_kind.items():
        second = by_kind.get((engines[1], workers, documents))
        if engine == engines[0] and second is not None:
            more = float(str(second["cpu_seconds"])) - float(str(first["cpu_seconds"]))
            kind = {"engine": engines[1], "than": engines[0], "workers": workers}
            yield {**kind, "documents": documents, "overhead_cpu_seconds": more}


def measured_size(place: Path, setting: Setting, size: int, repeats: int) -> Measured:
    """Run the command over an archive of ``size`` documents; one run of a large one."""
    archive = place / "archives" / str(size)
    if not archive.exists():
        write_archive(archive, size, setting.lines, setting.kinds)
    runs = [run(place, archive, setting) for _ in range(repeats if size <= _SMALL else 1)]
    return Measured(runs[0][1], tuple(usage for usage, _ in runs))


def run(place: Path, archive: Path, setting: Setting) -> tuple[Usage, int]:
    """How the command ended and what it used, and the sentences that its report counts."""
    with tempfile.TemporaryDirectory(dir=place) as folder:
        output = Path(folder) / "out"
        command = [
            *(sys.executable, "-m", "flows.command", "translate", str(archive), str(output)),
            *("--to", "es", "--engine", setting.engine, "--translator", setting.translator),
        ]
        usage = measured(command, variables(place, Path(folder), setting))
        return usage, sentences_of(output / "prism-report")


def variables(place: Path, home: Path, setting: Setting) -> dict[str, str]:
    """The environment of a run in ``home``: nothing of the user's own state is read or changed.

    ``place`` keeps the dictionary for all runs.
    """
    found = {
        "HOME": str(home),
        "XDG_STATE_HOME": str(home / "state"),
        "PREFECT_HOME": str(home / "prefect"),
        "PRISM_KEY_FILE": str(home / "key"),
        "PRISM_LIMITS__WORKERS": str(setting.workers),
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path) or str(Path.cwd()),
    }
    if setting.translator == "fake":
        dictionary = place / "echo.parquet"
        if not dictionary.exists():
            echo_dictionary(dictionary)
        found["PRISM_TRANSLATOR__STYLE"] = "identity"
        found["PRISM_DICTIONARY__PATH"] = str(dictionary)
    return found


def sentences_of(report: Path) -> int:
    """The sentences of the run in the folder ``report``; 0 when there is no report."""
    found = ReportFolder(report).latest()
    return found.totals.sentences if found else 0


if __name__ == "__main__":
    main()
