"""What each strength costs: runs of one text through a provider on this machine, and one of none.

    python -m benchmarks.frontier [--text flores-dev] [--lines 150] [--strength light ...]
        [--beside FILE] [--json]

The model on this machine plays the provider, and answers what a run really sends. Rows: ``sent``
texts reached the provider, ``clear`` of ``telling`` words with meaning were sent as they are,
``left`` sentences stay in the source language.

The first row is of the same settings with ``send = "never"``. Then each strength has a row
``restored``, of the answers as they were put back, and one of what a run writes by default, which
is the local translation where that is likely better; ``here`` sentences are translated here. A line
with a sentence that did not come back counts as the local one in the first of them (``back`` of
``lines`` came back). ``chrf`` is to a person's translation; ``low`` and ``high`` bound its
difference to that of the first row with 95 % (paired bootstrap).

``--beside FILE`` has another translation, line by line, of somebody who has no model on this
machine: it stands in the first row, and no model helps to restore.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from benchmarks.measure import argument_parser, show
from benchmarks.roles import SHARED
from prism_core.evaluation.metrics import CHRF
from prism_core.jobs import translate
from prism_core.report import ReportFolder
from prism_core.report.reading import read_rows
from prism_core.resources import installed_folder
from prism_core.settings import Job, Settings, TranslatorSettings
from prism_core.translators import make_translator
from scripts.loopback_provider import LoopbackProvider
from scripts.side_by_side import read_sentences

STRENGTHS = ("identifiers-only", "light", "standard", "strongest")
SOURCE, TARGET = "en", "pt"
_DRAWS = 1000
_SEED = 1


class CountingProvider(LoopbackProvider):
    """Provider that counts the texts it gets, and needs no installed model once it is made."""

    def __init__(self) -> None:
        super().__init__(SOURCE, TARGET)
        model = TranslatorSettings.choose(name="firefox", folder=installed_folder(SOURCE, TARGET))
        self.translator = make_translator(model, SOURCE, TARGET)
        self.asked = 0

    def answer(self, texts: list[str]) -> list[str]:
        """Translate ``texts``."""
        self.asked += len(texts)
        return super().answer(texts)


@dataclass(frozen=True, slots=True)
class Written:
    """The lines that a run writes, and those of its source that came back or stayed as they were.

    ``left`` counts sentences in the source language.
    """

    lines: list[str]
    unrestored: tuple[str, ...]
    counted: Mapping[str, int]
    sent: int


class Frontier:
    """Runs of ``lines`` with a provider on loopback."""

    def __init__(self, lines: Sequence[str], provider: CountingProvider) -> None:
        self._lines, self._provider = lines, provider
        self._translator = TranslatorSettings.choose(
            name="libretranslate",
            base_url=f"http://127.0.0.1:{provider.server_port}",
            sees="encoded",
            accept_losses=True,  # the dictionary knows the model, and not that it is the provider
        )

    def run(self, **changes: object) -> Written:
        """Translate the lines, a paragraph each, under default settings with ``changes``."""
        settings = Settings(target=TARGET, translator=self._translator, **changes)
        asked = self._provider.asked
        with TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "in").mkdir()
            (folder / "in/text.txt").write_text("\n\n".join(self._lines), "utf-8")
            job = Job(input=folder / "in", output=folder / "out", settings=settings)
            found = ReportFolder(job.report_folder).find(translate(job).run_id)
            if found is None:
                raise SystemExit("The run has no report.")
            (counted,) = read_rows(found.folder / "documents.parquet")
            written = (folder / "out/text.txt").read_text("utf-8").split("\n\n")
            sentences = read_sentences(folder / "out").values()
        left = tuple(each.source for each in sentences if each.translation == each.source)
        texts = [line.strip() for line in written]
        return Written(texts, left, counted, self._provider.asked - asked)


def add_local(restored: Written, lines: Sequence[str], local: Sequence[str]) -> list[str]:
    """Return the restored lines, and the ``local`` ones of ``lines`` that did not come back."""
    return [
        other if any(sentence in line for sentence in restored.unrestored) else text
        for line, text, other in zip(lines, restored.lines, local, strict=True)
    ]


def describe(written: Written) -> dict[str, object]:
    """Return what was sent in clear, and what stayed."""
    counted = written.counted
    hidden = ("tokens_replaced", "tokens_identifier", "tokens_unknown")
    return {
        "sent": written.sent,
        "clear": counted["kept_words"] if written.sent else 0,
        "telling": sum(counted[name] for name in ("kept_words", *hidden)),
        "left": len(written.unrestored),
        "here": counted["sentences_by_local_model"],
    }


def compare(texts: Sequence[str], other: Sequence[str], person: Sequence[str]) -> dict[str, object]:
    """Return chrF of ``texts``, and bounds of its difference to that of ``other``."""
    counts, others = (
        np.array([CHRF.count([text], [to]) for text, to in zip(found, person, strict=True)])
        for found in (texts, other)
    )
    rng = np.random.default_rng(_SEED)
    size = len(counts)
    drawn = (rng.integers(size, size=size) for _ in range(_DRAWS))
    differences = [
        CHRF.score(counts[rows].sum(0)) - CHRF.score(others[rows].sum(0)) for rows in drawn
    ]
    low, high = np.percentile(differences, [2.5, 97.5])
    better = sum(CHRF.score(one) > CHRF.score(two) for one, two in zip(counts, others, strict=True))
    return {
        "lines": size,
        "chrf": round(CHRF.score(counts.sum(0)), 1),
        "low": round(float(low), 1),
        "high": round(float(high), 1),
        "better": better,
    }


def measure(
    frontier: Frontier,
    lines: Sequence[str],
    person: Sequence[str],
    strengths: Sequence[str],
    beside: Sequence[str] | None,
) -> Iterator[dict[str, object]]:
    """Yield the rows."""
    local = beside
    if local is None:
        here = frontier.run(send="never")
        local = here.lines
        yield {"strength": "local", **compare(local, local, person), **describe(here)}
    else:
        yield {"strength": "beside", **compare(local, local, person)}
    for strength in strengths:
        back = frontier.run(strength=strength, send="always", on_withheld="leave")
        texts = add_local(back, lines, local)
        row = {**compare(texts, local, person), **describe(back)}
        yield {"strength": strength, "text": "restored", **row}
        if beside is None:
            made = frontier.run(strength=strength, send="always", on_withheld="local")
            row = {**compare(made.lines, local, person), **describe(made)}
            yield {"strength": strength, "text": "written", **row}


@contextmanager
def serve(*, alone: bool) -> Iterator[CountingProvider]:
    """Serve the model; runs meanwhile find none on this machine if they are ``alone``."""
    with CountingProvider() as provider, TemporaryDirectory() as empty:
        if alone:
            os.environ["PRISM_MODELS"] = empty
        threading.Thread(target=provider.serve_forever, daemon=True).start()
        yield provider
        provider.shutdown()


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--text", default="flores-dev")
    parser.add_argument("--lines", type=int, default=150)
    parser.add_argument("--strength", action="append", choices=STRENGTHS)
    parser.add_argument("--beside", type=Path)
    given = parser.parse_args()

    def read(path: Path) -> list[str]:
        return path.read_text("utf-8").splitlines()[: given.lines]

    folder = SHARED / "wmt" / f"{SOURCE}-{TARGET}"
    lines, person = (read(folder / f"{given.text}.{name}") for name in (SOURCE, TARGET))
    beside = read(given.beside) if given.beside else None
    rows: list[Mapping[str, object]] = []
    with serve(alone=beside is not None) as provider:
        strengths = given.strength or STRENGTHS
        for row in measure(Frontier(lines, provider), lines, person, strengths, beside):
            rows.append(row)
            if not given.json:
                show([row], as_json=False)
    if given.json:
        show(rows, as_json=True)


if __name__ == "__main__":
    main()
