"""How long the path of a document is: the functions entered until its first request leaves.

    python -m benchmarks.path            # how many, by room
    python -m benchmarks.path --list     # each, by module, with how often it was called

A Word document of one paragraph (three runs, one of them bold) is translated by the job with the
translator ``fake``, after another one in the same process. Counted are different functions of ours,
without comprehensions and lambdas. The document is read in this process. Language model,
dictionary and encoder are open: loading them is not counted.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from types import FrameType
from typing import Any

import docx

from prism_core import encoding
from prism_core.formats import Sandbox
from prism_core.jobs import prepare_job, translate
from prism_core.language import LanguageModel
from prism_core.translators.adapters.fake import FakeTranslator

_ROOT = f"{Path(__file__).resolve().parents[1]}{os.sep}"
_ROOMS = ("prism_core/", "flows/", "tasks/")
_READ = ("prism_core/stages/read.py", "read")
_FUNCTION = 0x02
"""The flag of code that is a function's: that of a class body has it not."""

Entered = Counter[tuple[str, str]]
"""How often each function was entered, by module and name, in the order of the first time."""


class Tracer:
    """Notes what is ``entered`` in this process while it is on; ``paused`` code is left out."""

    def __init__(self) -> None:
        self.entered: Entered = Counter()
        self.is_on = False

    def note(self, frame: FrameType, event: str, _: object) -> None:
        """See ``sys.setprofile``."""
        code = frame.f_code
        module = code.co_filename.removeprefix(_ROOT)
        is_ours = module.startswith(_ROOMS) and bool(code.co_flags & _FUNCTION)
        if self.is_on and event == "call" and is_ours and not code.co_name.startswith("<"):
            self.entered[module, code.co_qualname] += 1

    def paused(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """``function``, of which nothing is noted."""

        @wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            was, _ = sys.getprofile(), sys.setprofile(None)
            try:
                return function(*given, **named)
            finally:
                sys.setprofile(was)

        return call

    def until(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """``function``, with which the noting ends."""

        @wraps(function)
        def call(*given: Any, **named: Any) -> Any:
            self.is_on = False
            return function(*given, **named)

        return call


@contextmanager
def opened_beforehand(tracer: Tracer) -> Iterator[None]:
    """Read documents in this process, and leave the loading of what is loaded once out."""
    kept = Sandbox.call, LanguageModel.load, encoding.load_encoder, FakeTranslator.translate
    Sandbox.call = lambda _, function, *given: function(*given)  # type: ignore[method-assign]
    LanguageModel.load = tracer.paused(LanguageModel.load)  # type: ignore[method-assign]
    encoding.load_encoder = tracer.paused(encoding.load_encoder)
    FakeTranslator.translate = tracer.until(FakeTranslator.translate)  # type: ignore[method-assign]
    threading.setprofile(tracer.note)
    sys.setprofile(tracer.note)
    try:
        yield
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
        Sandbox.call, LanguageModel.load, encoding.load_encoder, FakeTranslator.translate = kept  # type: ignore[method-assign]


def make_document(path: Path, *runs: str) -> None:
    """A Word document of one paragraph, its second run bold."""
    document = docx.Document()
    paragraph = document.add_paragraph()
    for number, text in enumerate(runs):
        paragraph.add_run(text).bold = number == 1
    document.save(str(path))


def trace_path(folder: Path) -> Entered:
    """What is entered between the start of a job and its first request, in a warm process."""
    tracer = Tracer()
    texts = {
        "first": ("The nurse ", "closed", " the window on Tuesday."),
        "second": ("The patient ", "walked", " to the hospital on Monday."),
    }
    with opened_beforehand(tracer):
        for name, runs in texts.items():
            (folder / name).mkdir()
            make_document(folder / name / "a.docx", *runs)
            flags = {"target": "es", "translator.name": "fake"}
            job = prepare_job(folder / name, folder / f"{name}-es", None, flags)
            tracer.is_on = name == "second"
            translate(job)
    return tracer.entered


def _say(title: str, entered: Entered) -> None:
    modules = {module for module, _ in entered}
    print(f"{title:24} {len(entered):4} functions in {len(modules):3} modules")


def main() -> None:
    """Trace, and print what was entered."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true", help="every function, by module")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ.setdefault("PRISM_KEY_FILE", f"{folder}/key")
        entered = trace_path(Path(folder))
    order = list(entered)
    _say("from the job on", entered)
    _say("from reading it on", Counter(dict.fromkeys(order[order.index(_READ) :], 1)))
    by_module: dict[str, list[str]] = {}
    for (module, name), calls in entered.items():
        by_module.setdefault(module, []).append(f"{name} ×{calls}")
    rooms = Counter("/".join(module.split("/")[:2]) for module, _ in entered)
    for room, count in rooms.most_common() if not asked.list else ():
        print(f"  {room:24} {count:3}")
    for module, names in sorted(by_module.items()) if asked.list else ():
        print(f"  {module}: {', '.join(names)}")


if __name__ == "__main__":
    main()
