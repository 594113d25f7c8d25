"""What is lost when hosts of a run in shards are cut off or lose their power.

    python -m benchmarks.hosts [--drill cut --drill kill …] [--seconds 60] [--documents 40]

For root, with ``ip`` (iproute2) and PostgreSQL's programs: the hosts are network namespaces of this
machine (``tests/hosts.py``). Two do two shards each, one has the database, one a provider that
refuses what is above its rate. The run itself is on the first of the two. Drills:

* ``none``: nothing happens.
* ``cut``: the second host's cable is pulled for ``seconds``, longer than its leases last.
* ``kill``: every process on the second host is killed at once, and again when it is at work anew.
* ``database``, ``provider``: that host's cable is pulled for ``seconds``.

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
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import cycle
from pathlib import Path

from benchmarks.measure import show
from prism_core.errors import PrismError
from prism_core.jobs import translate
from prism_core.settings import Job, Shard
from prism_core.settings.state import ShardSettings, StateSettings
from prism_core.stages import Summary
from tests.flows.forked_shards import (
    Forked,
    ForkedFleet,
    keep_language_model,
    texts_by_status,
    write_clauses,
)
from tests.hosts import Host, hosts
from tests.openai_server import OpenAIServer
from tests.postgres import PostgresServer, postgres_server
from tests.stages.archive import (
    again,
    backwards,
    make_job,
    outputs,
)

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
    postgres: PostgresServer
    provider: OpenAIServer

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
    with hosts(4) as (first, second, database, far):
        with far.inside():
            provider = OpenAIServer(
                lambda texts: [backwards(text) for text in texts],
                requests_per_minute=_REQUESTS_PER_MINUTE,
                latency=0.1,
                address=far.address,
            )
        with provider, postgres_server(database) as postgres:
            os.environ["OPENAI_API_KEY"] = provider.key
            yield Site(first, second, database, far, postgres, provider)


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


Drill = Callable[[Site, float], None]
DRILLS: Mapping[str, Drill] = {
    "none": lambda _there, _seconds: None,
    "cut": lambda there, seconds: cut(there.second, seconds),
    "kill": lambda there, seconds: kill_twice(there.second, seconds),
    "database": lambda there, seconds: cut(there.database, seconds),
    "provider": lambda there, seconds: cut(there.far, seconds),
}


def measure(folder: Path, drill: Drill, seconds: float, documents: int) -> dict[str, object]:
    """One archive, and ``drill`` when a few requests were answered."""
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
        summary, runs = _finish(there, job)
        over.set()
        drilling.join()
        sent = Counter(text for batch in there.provider.batches for text in batch)
        with there.first.inside():
            recorded = texts_by_status(job)["answered"]
    return {
        "runs": runs,
        "lost": summary.sentences - summary.sentences_translated,
        "resent": recorded - len(sent),
        "in_doubt": sent.total() - len(sent),
        "identical": outputs(job) == expected,
        "refused": there.provider.refused,
        "seconds": round(time.monotonic() - began, 1),
    }


def _finish(there: Site, job: Job) -> tuple[Summary, int]:
    """Run ``job``, again and again while something stops it; what came of it, after how many."""
    for number in range(1, _MOST_RUNS + 1):
        places = cycle((there.first, there.second))
        with suppress(PrismError), there.first.inside():
            summary = translate(job, fleet=HostFleet(places=places))
            if summary.sentences == summary.sentences_translated:
                return summary, number
        print(f"  run {number} ended early", file=sys.stderr)
        job = again(job)
        time.sleep(10)
    raise SystemExit("it does not come to an end")


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
            measured = measure(Path(folder), DRILLS[name], asked.seconds, asked.documents)
        rows.append({"drill": name, **measured})
        print(rows[-1], flush=True)
    show(rows, as_json=False)


if __name__ == "__main__":
    main()
