"""What is lost when hosts of a run in shards are cut off or lose their power.

    python -m benchmarks.hosts [--drill cut --drill kill …] [--seconds 60] [--documents 40]

For root, with ``ip`` (iproute2) and PostgreSQL's programs: the hosts are network namespaces of this
machine (``tests/hosts.py``). Two do two shards each, one has the database, one a provider that
refuses what is above its rate, one an object store. The run itself is on the first of the two.
Drills:

* ``none``: nothing happens.
* ``cut``: the second host's cable is pulled for ``seconds``, longer than its leases last.
* ``kill``: every process on the second host is killed at once, and again when it is at work anew.
* ``database``, ``provider``: that host's cable is pulled for ``seconds``.
* ``objects``: archive and output are in an object store on a host of its own, whose cable is pulled
  for ``seconds`` when it has the first translation; ``objects-none``: it is not.

Rows of ``drill, runs, lost, resent, in_doubt, identical, refused, seconds``:

* ``runs``: how often the run was started until everything was translated.
* ``lost``: sentences without the translation that one process would have made.
* ``resent``: texts whose answer was recorded, and that were sent once more.
* ``in_doubt``: texts that were sent again since no answer to them was recorded.
* ``identical``: every file of the output is what one process makes.
* ``refused``: requests that were above the rate.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from itertools import cycle
from pathlib import Path

from benchmarks.measure import show
from prism_core.errors import PrismError
from prism_core.jobs import translate
from prism_core.settings import Job, Shard
from prism_core.settings.run_settings import ShardSettings, StateSettings
from prism_core.stages import Summary
from tests.flows.forked_shards import (
    Forked,
    ForkedFleet,
    keep_language_model,
    texts_by_status,
    write_clauses,
)
from tests.hosts import Host, hosts
from tests.object_server import Bucket, credentials, serve_bucket
from tests.openai_server import OpenAIServer
from tests.postgres import PostgresServer, postgres_server
from tests.stages.archive import (
    again,
    backwards,
    make_job,
    outputs,
)
from tests.storage.processes import Processes, start

_LEASE_SECONDS = 4
_REQUESTS_PER_MINUTE = 240
_MOST_RUNS = 5


@dataclass
class HostFleet(ForkedFleet):
    """Shards on ``places`` in turn."""

    places: Iterator[Host] = field(default_factory=lambda: iter(()))

    def start(self, job: Job, shard: Shard) -> Forked:
        """A fork on the next host."""
        with next(self.places).inside():
            return super().start(job, shard)


@dataclass(frozen=True)
class Site:
    """Two hosts that work, the database's and the provider's, with what runs there."""

    first: Host
    second: Host
    database: Host
    far: Host
    objects: Host
    postgres: PostgresServer
    provider: OpenAIServer
    bucket: Bucket

    def make_job(self, folder: Path) -> Job:
        """A job in four shards over ``folder/in``."""
        url = self.postgres.network_url("disable")
        translator = self.provider.settings(
            allow_plain_http=True,
            texts_per_request=3,
            timeout_seconds=10,
            requests_per_minute=_REQUESTS_PER_MINUTE,
            concurrency=2,
            shared_pace=url,
        )
        shards = ShardSettings(count=4, lease_seconds=_LEASE_SECONDS, attempts=100)
        state = StateSettings(url=url)
        return make_job(folder, translator=translator, shards=shards, state=state)


@contextmanager
def site() -> Iterator[Site]:
    """The hosts, and what runs on them, for as long as the block lasts."""
    with hosts(5) as (first, second, database, far, objects), ExitStack() as running:
        with objects.inside():
            bucket, address = running.enter_context(serve_bucket(objects.address))
        with far.inside():
            provider = OpenAIServer(
                lambda texts: [backwards(text) for text in texts],
                requests_per_minute=_REQUESTS_PER_MINUTE,
                latency=0.1,
                address=far.address,
            )
        with provider, postgres_server(database) as postgres:
            os.environ |= credentials(address) | {"OPENAI_API_KEY": provider.key}
            yield Site(first, second, database, far, objects, postgres, provider, bucket)


def cut(place: Host, seconds: float) -> None:
    """Pull the cable of ``place`` for ``seconds``."""
    place.cut()
    time.sleep(seconds)
    place.join()


def kill_twice(place: Host, _seconds: float) -> None:
    """Kill all that runs on ``place``, and what is begun there anew."""
    for _ in range(2):
        until = time.monotonic() + 60
        while not place.kill() and time.monotonic() < until:
            time.sleep(0.1)
        time.sleep(2)


def cut_objects(there: Site, seconds: float) -> None:
    """Pull the cable of the object store when the first document was put into it."""
    until = time.monotonic() + 300
    while not there.bucket.documents() and time.monotonic() < until:
        time.sleep(0.02)
    cut(there.objects, seconds)


Drill = Callable[[Site, float], None]
DRILLS: Mapping[str, Drill] = {
    "none": lambda _there, _seconds: None,
    "cut": lambda there, seconds: cut(there.second, seconds),
    "kill": lambda there, seconds: kill_twice(there.second, seconds),
    "database": lambda there, seconds: cut(there.database, seconds),
    "provider": lambda there, seconds: cut(there.far, seconds),
    "objects-none": lambda _there, _seconds: None,
    "objects": cut_objects,
}


@dataclass(frozen=True)
class Outcome:
    """What came of an archive: sentences, those translated, texts answered, and after how many
    runs."""

    sentences: int
    translated: int
    answered: int
    runs: int = 0


def measure(
    folder: Path, drill: Drill, seconds: float, documents: int, *, objects: bool = False
) -> dict[str, object]:
    """One archive, and ``drill`` when a few requests were answered. ``objects``: it is in the
    object store."""
    expected = write_clauses(folder / "in", documents)
    began = time.monotonic()
    with site() as there:
        job, over = there.make_job(folder), threading.Event()

        def wait_and_drill() -> None:
            while len(there.provider.answered) < 5 and not over.is_set():
                time.sleep(0.02)
            drill(there, seconds)

        drilling = threading.Thread(target=wait_and_drill)
        drilling.start()
        if objects:
            job = _put_archive(there, job, folder)
        done = _finish(there, job, folder)
        over.set()
        drilling.join()
        sent = Counter(text for batch in there.provider.batches for text in batch)
        made = there.bucket.documents() if objects else outputs(job)
    return {
        "runs": done.runs,
        "lost": done.sentences - done.translated,
        "resent": done.answered - len(sent),
        "in_doubt": sent.total() - len(sent),
        "identical": made == expected,
        "refused": there.provider.refused,
        "seconds": round(time.monotonic() - began, 1),
    }


def _put_archive(there: Site, job: Job, folder: Path) -> Job:
    """The same with the archive and its translation in the object store."""
    for path in (folder / "in").iterdir():
        there.bucket.objects[f"in/{path.name}"] = path.read_bytes(), 1e9
    return Job(input="s3://archive/in", output="s3://archive/out", settings=job.settings)


def _finish(there: Site, job: Job, folder: Path) -> Outcome:
    """Run ``job``, again and again while something stops it; what came of it."""
    finish = _finish_folder if isinstance(job.output, Path) else partial(_finish_bucket, folder)
    for number in range(1, _MOST_RUNS + 1):
        done = finish(there, job)
        if done is not None and done.sentences == done.translated:
            return replace(done, runs=number)
        print(f"  run {number} ended early", file=sys.stderr)
        job = again(job)
        time.sleep(10)
    raise SystemExit("it does not come to an end")


def _finish_folder(there: Site, job: Job) -> Outcome | None:
    places = cycle((there.first, there.second))
    with suppress(PrismError), there.first.inside():
        return _outcome(job, translate(job, fleet=HostFleet(places=places)))
    return None


def _finish_bucket(folder: Path, there: Site, job: Job) -> Outcome | None:
    """In a process of its own: what used an object store may not be forked."""
    said = folder / "outcome.json"
    work = partial(_translate_in_processes, (there.first, there.second), said)
    start(work, job, there.first).join()
    return Outcome(**json.loads(said.read_text())) if said.exists() else None


def _translate_in_processes(places: Sequence[Host], said: Path, job: Job) -> None:
    done = _outcome(job, translate(job, fleet=Processes(places=cycle(places))))
    said.write_text(json.dumps(asdict(done)))


def _outcome(job: Job, summary: Summary) -> Outcome:
    answered = texts_by_status(job)["answered"]
    return Outcome(summary.sentences, summary.sentences_translated, answered)


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--drill", choices=DRILLS, action="append")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--documents", type=int, default=40)
    asked = parser.parse_args()
    keep_language_model()
    rows: list[Mapping[str, object]] = []
    for name in asked.drill or DRILLS:
        with tempfile.TemporaryDirectory(prefix="prism-hosts-") as folder:
            over = name.startswith("objects")
            measured = measure(
                Path(folder), DRILLS[name], asked.seconds, asked.documents, objects=over
            )
        rows.append({"drill": name, **measured})
        print(rows[-1], flush=True)
    show(rows, as_json=False)


if __name__ == "__main__":
    main()
