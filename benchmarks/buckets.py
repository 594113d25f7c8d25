"""What is lost when runs from a bucket into a bucket are killed.

    python -m benchmarks.buckets [--kills 20] [--documents 12] [--seed 1]

Runs in processes of their own over an archive of invented text, against an object store and a
provider on loopback; a run is killed with SIGKILL at a request to either that is drawn uniformly
from all that an undisturbed run makes, up to five in a row, then one comes to its end. A row for
each such archive, of ``kills, lost, resent, in_doubt, identical, overwritten, leftovers, plain``:

* ``lost``, ``resent``, ``in_doubt``, ``identical``: as in ``benchmarks.hosts``.
* ``overwritten``: outputs that were put anew.
* ``leftovers``: private folders that killed runs left, of which the last must leave none;
  ``plain`` are files in the folder for temporary files that hold text of a document then.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks.measure import show
from prism_core.settings import Job
from prism_core.settings.run_settings import StateSettings
from tests.child_process import KILLED
from tests.flows.forked_shards import clauses, texts_by_status
from tests.object_server import Bucket, credentials, serve_bucket
from tests.openai_server import OpenAIServer
from tests.stages.archive import again, backwards, make_job
from tests.storage.processes import start_run

_IN_A_ROW = 5


@dataclass(frozen=True)
class Site:
    """A bucket and a provider, and the job between them."""

    bucket: Bucket
    provider: OpenAIServer
    job: Job
    temporary: Path
    expected: Mapping[str, bytes]

    def events(self) -> int:
        """Requests that came, to either."""
        return len(self.bucket.requests) + len(self.provider.batches)


@contextmanager
def site(folder: Path, documents: int) -> Iterator[Site]:
    """The servers for as long as the block lasts, and an environment that leads there."""
    texts = {f"{number}.txt": clauses(number, 12) for number in range(documents)}
    temporary = folder / "temporary"
    temporary.mkdir(parents=True)
    with ExitStack() as running:
        bucket, address = running.enter_context(serve_bucket())
        provider = running.enter_context(
            OpenAIServer(lambda sent: [backwards(text) for text in sent], latency=0.06)
        )
        bucket.objects |= {f"in/{name}": (text.encode(), 1e9) for name, text in texts.items()}
        os.environ |= credentials(address) | {
            "TMPDIR": str(temporary),
            "OPENAI_API_KEY": provider.key,
        }
        made = make_job(
            folder,
            state=StateSettings(folder=folder / "state"),
            translator=provider.settings(texts_per_request=3, concurrency=1),
        )
        job = Job(input="s3://archive/in", output="s3://archive/out", settings=made.settings)
        expected = {name: backwards(text).encode() for name, text in texts.items()}
        yield Site(bucket, provider, job, temporary, expected)


def run(there: Site, *, until: int | None = None) -> bool:
    """Run the job, and kill it when ``until`` events have come; whether it was."""
    begun = there.events()
    process = start_run(again(there.job))
    while process.is_alive():
        if until is not None and there.events() - begun >= until:
            process.kill()
        time.sleep(0.001)
    process.join()
    if process.exitcode not in (0, KILLED):
        raise SystemExit(f"a run ended with {process.exitcode}")
    return process.exitcode == KILLED


def count_events(folder: Path, documents: int) -> int:
    """How many an undisturbed run makes."""
    with site(folder, documents) as there:
        run(there)
        return there.events()


def measure(folder: Path, documents: int, events: int, kills: int, rng: Random) -> dict[str, int]:
    """One archive, over which ``kills`` runs are killed before one comes to its end."""
    with site(folder, documents) as there:
        killed = leftovers = 0
        while killed < kills:
            killed += run(there, until=rng.randrange(1, events))
            leftovers += len([*there.temporary.glob("prism-private-*")])
            if there.bucket.documents() == there.expected:
                break
        run(there)
        made = there.bucket.documents()
        sent = [text for batch in there.provider.batches for text in batch]
        recorded = texts_by_status(there.job)["answered"]
        left = [path for path in there.temporary.rglob("*") if path.is_file()]
        return {
            "kills": killed,
            "lost": len(there.expected.keys() - made.keys()),
            "resent": recorded - len(set(sent)),
            "in_doubt": len(sent) - len(set(sent)),
            "identical": made == there.expected,
            "overwritten": len(
                made.keys() & {n.removeprefix("out/") for n in there.bucket.overwritten}
            ),
            "leftovers": leftovers,
            "plain": len([path for path in left if b" the " in path.read_bytes()]),
            "folders": len([*there.temporary.glob("prism-private-*")]),
        }


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--documents", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    rng, killed, rows = Random(asked.seed), 0, list[Mapping[str, object]]()
    with tempfile.TemporaryDirectory(prefix="prism-buckets-") as place:
        events = count_events(Path(place, "undisturbed"), asked.documents)
        while killed < asked.kills:
            few = min(_IN_A_ROW, asked.kills - killed)
            row = measure(Path(place, str(killed)), asked.documents, events, few, rng)
            killed += row["kills"]
            rows.append(row)
            print(row, flush=True)
    show(rows, as_json=False)


if __name__ == "__main__":
    main()
