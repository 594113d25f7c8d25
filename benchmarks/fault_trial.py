"""One archive, its provider, and the ``prism`` command run over it again and again."""

from __future__ import annotations

import shutil
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.fault_archive import CANARIES, SETTINGS
from prism_core.errors import ExitCode, StateError
from prism_core.state import StatePlace
from prism_core.state.schema import SentenceStatus
from prism_core.state.stage_records import StoredSentence
from prism_core.state.store import Store
from tests.end_to_end.canary import Searcher
from tests.end_to_end.job import COMMAND, Started, Workplace, end
from tests.openai_batch_server import BatchServer
from tests.openai_server import OpenAIServer
from tests.stages.archive import backwards

_SETTLED = (SentenceStatus.ANSWERED, SentenceStatus.DONE)
_MOST_RUNS = 8


@contextmanager
def provider() -> Iterator[OpenAIServer]:
    """A provider that takes a moment, and translates the same way whatever was drawn."""
    with OpenAIServer(lambda texts: [backwards(text) for text in texts], latency=0.03) as server:
        yield server


@contextmanager
def batch_provider() -> Iterator[BatchServer]:
    """The same by the batch: one is done when it has been looked at a few times."""
    with BatchServer(lambda texts: [backwards(text) for text in texts], looks=4) as server:
        yield server


@dataclass
class Trial:
    """One archive, its provider, and the command run over it again and again."""

    root: Path
    server: OpenAIServer
    archive: Path
    warm: bool = False
    workplace: Workplace = field(init=False)
    resent: set[str] = field(default_factory=set)
    plain: set[str] = field(default_factory=set)
    codes: list[int] = field(default_factory=list)
    _store_before: dict[Path, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.workplace = Workplace(self.root, warm=self.warm)
        shutil.copytree(self.archive / "in", self.workplace.input)
        dictionary = str(self.archive / "dictionary.parquet")
        self.workplace.variables |= SETTINGS | {"PRISM_DICTIONARY__PATH": dictionary}
        self.workplace.use(self.server, texts_per_request=4, concurrency=2)
        if isinstance(self.server, BatchServer):
            self.workplace.use(self.server, name="openai-batch", poll_seconds=0.2)

    @property
    def state(self) -> Path:
        """The file of the state store."""
        return self.workplace.output / ".prism" / "state.db"

    @contextmanager
    def started(self, *, killed: bool = False, program: str = "") -> Iterator[Started]:
        """The command while it works; then, when it has ended, what it did is looked at."""
        recorded, seen = self.recorded(), len(self.server.batches)
        answered = len(self.server.answered)
        self._store_before = self._store_as_it_is()
        process = self.workplace.start("--quiet", program=program or COMMAND)
        try:
            yield process
            process.wait(timeout=300)
        finally:
            end(process)
        self.codes.append(process.returncode)
        arrived = [text for batch in self.server.batches[seen:] for text in batch]
        self.resent |= recorded.intersection(arrived)
        if not killed:  # what a killed run was told may not have been recorded
            for until_then, batch in self.server.answered[answered:]:
                later = {text for one in self.server.batches[until_then:] for text in one}
                self.resent |= later.intersection(batch)
        self._search()

    def run(self, program: str = "") -> int:
        """Run it to its end; the exit code."""
        with self.started(program=program) as process:
            process.wait(timeout=300)
        return self.codes[-1]

    def finish(self) -> None:
        """Run until it is done, a few times at most."""
        for _ in range(_MOST_RUNS):
            if self.run() == ExitCode.OK and not self._waits():
                break
        else:
            raise SystemExit(f"it does not come to an end: {self.workplace.printed()}")
        if isinstance(self.server, BatchServer):  # what was handed in before a kill was worked on
            times = Counter(self.server.texts())
            self.resent |= {text for text, count in times.items() if count > 1}

    def _waits(self) -> bool:
        """Whether the next run would try a sentence again."""
        return any(
            s.status.is_pending or s.status is SentenceStatus.FAILED for s in self._sentences()
        )

    def recorded(self) -> set[str]:
        """The texts whose answers are in the store."""
        return {s.encoded.text for s in self._sentences() if s.encoded and s.status in _SETTLED}

    def translated(self) -> int:
        """How many sentences have a translation."""
        return sum(s.status is SentenceStatus.DONE for s in self._sentences())

    def output(self) -> dict[str, bytes]:
        """Every document of the output folder."""
        output = self.workplace.output
        return {name: (output / name).read_bytes() for name in self.workplace.documents()}

    def _sentences(self) -> list[StoredSentence]:
        if not self.state.exists() or not self.state.stat().st_size:
            return []
        try:
            store = Store.view(StatePlace(self.state.parent), self.workplace.key())
        except StateError:  # it was stopped before there was anything in it
            return []
        try:
            with store._database.reading() as connection:
                ids = connection.exec_driver_sql("SELECT id FROM documents").scalars().all()
            found = [store.sentences.of_document(row_id) for row_id in ids]
        finally:
            store.close()
        return list({key: one for each in found for key, one in each.items()}.values())

    def _search(self) -> None:
        """Text of the documents where none may be; the readers of a killed run end in a moment."""
        until = time.monotonic() + 10
        while list((self.root / "temporary").iterdir()) and time.monotonic() < until:
            time.sleep(0.05)
        places = self.workplace.places_of_documents()
        found = Searcher(CANARIES).in_folder(self.root, leave_out=places)
        self.plain |= {finding.place for finding in found}

    def wait_for_work(self, process: Started) -> None:
        """Until the run has changed its store, or has ended."""
        while process.poll() is None and self._store_as_it_is() == self._store_before:
            time.sleep(0.01)

    def _store_as_it_is(self) -> dict[Path, int]:
        """When each file beside the state store was last changed."""
        changed = dict[Path, int]()
        for path in self.state.parent.rglob("*"):
            with suppress(FileNotFoundError):
                changed[path] = path.stat().st_mtime_ns
        return changed

    def wait_for_requests(self, process: Started, count: int) -> None:
        """Until ``count`` requests have arrived since the server was made, or the run has ended."""
        while process.poll() is None and len(self.server.batches) < count:
            time.sleep(0.01)
