"""Where the processor time of a run goes: tagging, encoding, decoding, state, reading, writing.

    python -m benchmarks.scale_shares [--documents 300] [--lines 8] [--translator apertium] [--json]

Runs the stages of a local run in this process, with one worker and in one wave, so that nothing
goes on at the same time, over the archive of `benchmarks.scale`. Rows of ``part, seconds,
per_1000_sentences, share``: all that the run takes once model and dictionary are loaded.

* ``tagging`` is spaCy's pipeline and nothing else; ``annotations`` is what turns its result into
  plain data. ``documents`` are the child processes that parse and rebuild documents, with the
  server that forks them; ``state`` is the database, with encryption and what packs its records;
  ``report`` writes the report; ``rest`` is what none of them is.
* A part lasts from a call of one of its functions until that returns, less what is called of
  another part. Times are processor times: of the thread, and for ``documents`` of the processes.
* ``outside tagging`` is the sum of all but ``tagging``.

A translator's own program is not counted: it is what a run waits for.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import wraps
from importlib import import_module
from inspect import isgeneratorfunction
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from spacy.language import Language

from benchmarks.measure import argument_parser, show
from benchmarks.processes import cpu_of_children
from benchmarks.scale import Setting, sentences_of, variables
from benchmarks.scale_archive import LINES, write_archive
from prism_core.encoding import Encoder
from prism_core.encoding.pool_encoder import PoolEncoder
from prism_core.jobs import Stages, prepare_job, translate
from prism_core.language import LanguageModel
from prism_core.report import ReportFolder
from prism_core.stages.run import Encoders
from prism_core.state.documents import Documents
from prism_core.state.outputs import Outputs
from prism_core.state.request_ledger import Requests
from prism_core.state.sentences import Sentences
from prism_core.state.store import Runs, Store, StoredIdentifiers

_STATE: Final = (Store, Documents, Sentences, Outputs, Requests, Runs, StoredIdentifiers)
_FUNCTIONS: Final[tuple[tuple[str, type | ModuleType, tuple[str, ...]], ...]] = (
    ("tagging", Language, ("pipe",)),
    ("annotations", LanguageModel, ("annotate",)),
    ("languages", import_module("prism_core.stages.read"), ("survey",)),
    ("identifiers", Encoder, ("look",)),
    ("identifiers", PoolEncoder, ("identifiers",)),
    ("encode", PoolEncoder, ("encode", "needs_translator")),
    ("decode", Encoder, ("decode", "decode_draws")),
    ("decode", import_module("prism_core.stages.decode"), ("align",)),
    ("report", ReportFolder, ("write",)),
    ("loading", import_module("spacy"), ("load",)),
    ("loading", Encoders, ("_load_encoder",)),
)
"""The functions whose time is that of a part; ``state`` are all public ones of these classes."""


class Parts:
    """Processor seconds of this process by part, each moment counted once."""

    def __init__(self) -> None:
        self.seconds: Counter[str] = Counter()
        self._guard = threading.Lock()
        self._under_way = threading.local()

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """The block's time is that of ``name``; what it opens within is not."""
        outer: list[float] = getattr(self._under_way, "stack", [])
        self._under_way.stack = [*outer, 0.0]
        start = time.thread_time()
        try:
            yield
        finally:
            taken = time.thread_time() - start
            within = self._under_way.stack[-1]
            if outer:
                outer[-1] += taken
            self._under_way.stack = outer
            with self._guard:
                self.seconds[name] += taken - within

    def watch(self, name: str, owner: Any, function: str) -> None:
        """Count calls of ``owner.function`` as part ``name``, also what a generator does later."""
        original = vars(owner)[function]
        if callable(original):
            watched = self._generator if isgeneratorfunction(original) else self._function
            setattr(owner, function, watched(name, original))

    def _function(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(original)
        def call(*args: Any, **options: Any) -> Any:
            with self.part(name):
                return original(*args, **options)

        return call

    def _generator(self, name: str, original: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(original)
        def steps(*args: Any, **options: Any) -> Iterator[Any]:
            running = original(*args, **options)
            while True:
                with self.part(name):
                    try:
                        step = next(running)
                    except StopIteration:
                        return
                yield step

        return steps


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--documents", type=int, default=300)
    parser.add_argument("--lines", type=int, default=LINES, help="of a document")
    parser.add_argument("--translator", choices=["fake", "apertium"], default="fake")
    arguments = parser.parse_args()
    parts = Parts()
    for name, owner, functions in _FUNCTIONS:
        for function in functions:
            parts.watch(name, owner, function)
    for table in _STATE:
        for function in [name for name in vars(table) if name[0] != "_" or name == "__iter__"]:
            parts.watch("state", table, function)
    with tempfile.TemporaryDirectory(prefix="prism-scale-") as folder:
        setting = Setting("local", 1, arguments.translator, arguments.lines)
        sentences = run(Path(folder), setting, arguments.documents, parts)
    show(rows(parts.seconds, sentences), as_json=arguments.json)


def run(place: Path, setting: Setting, documents: int, parts: Parts) -> int:
    """Run an archive of ``documents`` documents, watched by ``parts``; gives its sentences."""
    os.environ |= variables(place, place, setting)
    os.environ["PRISM_LIMITS__WAVE_DOCUMENTS"] = str(documents)
    flags = {"target": "es", "translator.name": setting.translator}
    job = prepare_job(
        write_archive(place / "in", documents, setting.lines), place / "out", None, flags
    )
    start, before = time.process_time(), cpu_of_children()
    translate(job, Stages())
    total = time.process_time() - start - parts.seconds.pop("loading")
    parts.seconds["rest"] = total - parts.seconds.total()
    parts.seconds["documents"] = cpu_of_children() - before
    return sentences_of(job.report_folder)


def rows(seconds: Mapping[str, float], sentences: int) -> list[Mapping[str, object]]:
    """A row for each part, the largest first, and the sum of all but tagging."""
    parts = sorted(seconds.items(), key=lambda part: -part[1])
    total = sum(seconds.values())
    outside = ("outside tagging", total - seconds["tagging"])
    return [
        {
            "part": name,
            "seconds": taken,
            "per_1000_sentences": 1000 * taken / sentences,
            "share": taken / total,
        }
        for name, taken in (*parts, outside)
    ]


if __name__ == "__main__":
    main()
