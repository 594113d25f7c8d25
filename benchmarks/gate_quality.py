"""How good the gate is on documents that it was not trained on.

    python -m benchmarks.gate_quality [--to es] [--translator apertium] [--lines N] [--json]

Documents are some lines of public sets that stand together. Those with even numbers teach, those
with odd numbers are predicted; and so are wmt13 and the FLORES test, of which nothing is in any
dictionary. Apertium really translates them at eleven strengths; for another translator roles are
swapped in its own output. Of the loss then only that of what is restored is known.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from benchmarks.measure import argument_parser, show
from prism_core.evaluation.jobs.train_gate import Lesson, observe_bundles, read_lessons
from prism_core.evaluation.recovery_fitting import (
    Observation,
    bootstrap_interval,
    fit_table,
    judge_predictions,
)
from prism_core.recovery import Table
from prism_core.settings import Settings, load_settings

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
TAUGHT = ("wmt08", "wmt09", "wmt10", "wmt11", "wmt12", "flores-dev")
UNTOUCHED = ("wmt13", "flores-test")
FILES = {"azure": "microsoft"}
LARGE = 50


def lessons_of(settings: Settings, sets: Sequence[str]) -> list[Lesson]:
    """Return the files of ``sets``, with a person's reference where there is one."""
    target, name = settings.target, settings.translator.name
    folder, own = SHARED / "wmt" / f"en-{target}", FILES.get(name, name)
    other = "microsoft" if own == "google" else "google"
    found = []
    for each in sets:
        person = folder / f"{each}.{target}"
        reference = person if person.exists() else folder / f"{each}.{other}.{target}"
        answers = None if own == "apertium" else folder / f"{each}.{own}.{target}"
        found.append(Lesson(folder / f"{each}.en", reference, answers))
    return found


def judge(name: str, table: Table, observed: Sequence[Observation]) -> list[Mapping[str, object]]:
    """Rows for ``observed``: all documents of which anything is predicted, and the large ones."""
    told = []
    for one in observed:
        forecast = table.predict(one.features, one.withheld, one.mechanism)
        if table.sends == 1 and forecast.is_known:
            forecast = forecast._replace(loss=table.loss_of(one.drawn, one.left))
        if forecast.is_known:
            told.append((one, forecast))
    rows: list[Mapping[str, object]] = []
    large = [pair for pair in told if len(pair[0].features) >= LARGE]
    for title, some in ((name, told), (f"{name}, {LARGE} sentences or more", large)):
        if some:
            low, high = bootstrap_interval(some, lambda drawn: judge_predictions(drawn).auc)
            between = f"{low:.3f}–{high:.3f}"
            rows.append(
                {"text": title, **judge_predictions(some)._asdict(), "auc_interval": between}
            )
    return rows


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--to", default="es")
    parser.add_argument("--translator", default="apertium")
    parser.add_argument("--lines", type=int, default=500, help="of each set")
    asked = parser.parse_args()
    flags = {"source": "en", "target": asked.to, "translator.name": asked.translator}
    settings = load_settings(flags=flags, asks_nobody=True)
    bundles = read_lessons(lessons_of(settings, TAUGHT), asked.lines)
    untouched = read_lessons(lessons_of(settings, UNTOUCHED), asked.lines)
    sends = 3 if asked.translator == "apertium" else 1
    table = fit_table(observe_bundles(settings, bundles[::2]), TAUGHT, sends)
    rows = judge("odd documents", table, observe_bundles(settings, bundles[1::2]))
    rows += judge(" and ".join(UNTOUCHED), table, observe_bundles(settings, untouched))
    show(rows, as_json=asked.json)


if __name__ == "__main__":
    main()
