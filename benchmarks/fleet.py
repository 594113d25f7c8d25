"""What is lost when processes of a run in shards are killed, and how much faster several are.

    python -m benchmarks.fleet kills [--kills 100] [--shards 4] [--documents 60] [--seed 1]
    python -m benchmarks.fleet speed [--documents 60] [--latency 0.3]

Both need PostgreSQL's programs, and the translator that spells backwards, so that what comes out is
the same whatever is drawn. Shards are forks of a process that has loaded the model.

``kills`` runs an archive in shards and kills processes of them at random moments until so many were
killed, run after run over one more archive of its own, and prints for each run ``kills`` and in
which phases they were, ``lost, resent, in_doubt, identical, seconds``:

* ``lost``: sentences without the translation that one process would have made.
* ``resent``: texts beyond one for each sentence in requests that were answered, so that an answer
  that was recorded was asked for once more.
* ``in_doubt``: texts that were sent again after a kill, since no answer to them was recorded.
* ``identical``: every file of the output is what one process makes.

``speed`` has a translator that takes ``latency`` seconds for a request, one at a time for each
shard, whose rate is not the limit, and prints for 1, 2 and 4 shards the seconds from the first
request to the last answer, and
the speed-up against one shard.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import tempfile
import time
from pathlib import Path

from benchmarks.measure import show
from prism_core.jobs import translate
from tests.flows.forked_shards import (
    ForkedFleet,
    keep_language_model,
    killing,
    make_sharded,
    texts_by_status,
    write_clauses,
)
from tests.postgres import PostgresServer, postgres_server
from tests.stages.archive import (
    Backwards,
    install,
    outputs,
    texts_received,
)


def measure_kills(
    folder: Path, server: PostgresServer, seed: int, kills: int, shards: int, documents: int
) -> dict[str, object]:
    """One run in ``shards``, of which up to ``kills`` processes are killed."""
    expected = write_clauses(folder / "in", documents, seed * 1000)
    log = folder / "received.jsonl"
    install(Backwards(log, before=lambda _number: time.sleep(0.1)))
    job = make_sharded(folder, server, shards)
    fleet, began = ForkedFleet(), time.monotonic()
    with killing(fleet, kills, 1.6) as killed:
        summary = translate(job, fleet=fleet)
    sent, recorded = texts_received(log), texts_by_status(job)
    return {
        "kills": len(killed),
        **{f"in_{phase}": killed.count(phase) for phase in ("read", "translate", "write")},
        "lost": summary.sentences - summary.sentences_translated,
        "resent": recorded["answered"] - len(set(sent)),
        "in_doubt": len(sent) - len(set(sent)),
        "identical": outputs(job) == expected,
        "seconds": round(time.monotonic() - began, 1),
    }


def measure_speed(
    folder: Path, server: PostgresServer, shards: int, documents: int, latency: float
) -> float:
    """Seconds from the first request to the last answer of a run in ``shards``."""
    write_clauses(folder / "in", documents)
    times = folder / "times"

    def note(_number: int) -> None:
        with times.open("a") as file:
            file.write(f"{time.monotonic()}\n")

    class Slow(Backwards):
        async def translate(self, texts: list[str], source: str, target: str) -> list[str]:  # type: ignore[override]
            note(0)
            await asyncio.sleep(latency)
            answers = await super().translate(texts, source, target)
            note(0)
            return answers

    install(Slow(folder / "received.jsonl"))
    translate(make_sharded(folder, server, shards), fleet=ForkedFleet())
    moments = [float(line) for line in times.read_text().split()]
    return max(moments) - min(moments)


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=("kills", "speed"))
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--shards", type=int, default=4)
    parser.add_argument("--documents", type=int, default=60)
    parser.add_argument("--latency", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    keep_language_model()
    rows: list[dict[str, object]] = []
    with postgres_server() as server, tempfile.TemporaryDirectory(prefix="prism-fleet-") as folder:
        if asked.what == "kills":
            random.seed(asked.seed)
            left = asked.kills
            while left > 0:
                place = Path(folder) / str(len(rows))
                seed = asked.seed + len(rows)
                rows.append(measure_kills(place, server, seed, left, asked.shards, asked.documents))
                left -= int(str(rows[-1]["kills"]))
                print(rows[-1], flush=True)
        else:
            for count in (1, 2, 4):
                place = Path(folder) / str(count)
                seconds = measure_speed(place, server, count, asked.documents, asked.latency)
                first = seconds if not rows else float(str(rows[0]["seconds"]))
                rows.append(
                    {"shards": count, "seconds": round(seconds, 1), "speed_up": first / seconds}
                )
                print(rows[-1], flush=True)
    show(rows, as_json=False)


if __name__ == "__main__":
    main()
