"""One table of what whole jobs take on this machine, for the documentation.

    python -m benchmarks.table [--documents 60] [--sizes 10 100 1000] [--out FILE]

``make benchmarks`` writes it to ``docs/measurements/table.md``. Every row is the ``prism`` command
in processes of its own (``benchmarks.scale``), translator ``fake``, one worker: one document of
text, archives of one type each, and archives of text, Word and mail that grow. A document has eight
lines of news. Takes about four minutes.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.processes import Usage
from benchmarks.scale import Setting, run
from benchmarks.scale_archive import LINES, MIXED, WRITERS, write_archive

_SETTING = Setting("local", 1, "fake", LINES)
_HEAD = (
    "| job | sentences | processor time, s | a document, ms | by the clock, s | first line, s "
    "| memory of all, MB |"
)


def machine() -> str:
    """The processor and how many of it there are."""
    lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
    models = (line.split(":")[1].strip() for line in lines if line.startswith("model name"))
    return f"{next(models, 'unknown processor')}, {os.cpu_count()} cores"


def rows(place: Path, documents: int, sizes: list[int]) -> Iterator[str]:
    """The lines of the table; start-up, a run over one document, is taken out by document."""
    one, sentences = _measure(place, "one", 1, ("text",))
    yield _row("one text document", sentences, one, None)
    for kind in WRITERS:
        usage, sentences = _measure(place, kind, documents, (kind,))
        each = (usage.cpu_seconds - one.cpu_seconds) / (documents - 1)
        yield _row(f"{documents:,} of {kind}", sentences, usage, each)
    for size in sizes:
        usage, sentences = _measure(place, f"mixed-{size}", size, MIXED)
        each = (usage.cpu_seconds - one.cpu_seconds) / (size - 1)
        yield _row(f"{size:,} of text, word and mail", sentences, usage, each)


def _measure(place: Path, name: str, documents: int, kinds: tuple[str, ...]) -> tuple[Usage, int]:
    archive = write_archive(place / name, documents, kinds=kinds)
    usage, sentences = run(place, archive, _SETTING)
    if usage.code:
        raise SystemExit(f"the run over {name} ended with {usage.code}: {usage.errors}")
    return usage, sentences


def _row(job: str, sentences: int, usage: Usage, each: float | None) -> str:
    by_document = "" if each is None else f"{1000 * each:.0f}"
    return (
        f"| {job} | {sentences:,} | {usage.cpu_seconds:.1f} | {by_document} | {usage.seconds:.1f} "
        f"| {usage.first_line:.1f} | {usage.peak_mb:.0f} |"
    )


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=60)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10, 100, 1000])
    parser.add_argument("--out", type=Path)
    asked = parser.parse_args()
    lines = [
        "# Measured on one machine",
        "",
        f"By `make benchmarks`, {datetime.now(UTC):%Y-%m-%d}: {machine()}, load "
        f"{os.getloadavg()[0]:.1f} when it began. The `prism` command, translator `fake`, one "
        f"worker; documents of {LINES} lines of news. One run each: a tenth more or less says "
        "nothing.",
        "",
        _HEAD,
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    with tempfile.TemporaryDirectory(prefix="prism-table-") as folder:
        for line in rows(Path(folder), asked.documents, asked.sizes):
            lines.append(line)
            print(line, flush=True)
    if asked.out:
        asked.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
