"""Tables of summaries, as rows for a terminal, a page or another program.

Entry: ``comparing_tables`` (``method_table``, ``difference_table``) and ``setting_tables``
(``setting_table``, ``error_table``) for pages, ``short_table`` for a terminal, ``summary_as_json``
for a program.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

from prism_core.evaluation.methods import FRAME, METHODS
from prism_core.evaluation.metrics import METRICS
from prism_core.evaluation.overlap import gain
from prism_core.evaluation.summary import (
    BASELINE,
    FIGURES,
    FLAT,
    NOT_DEFINED,
    OURS,
    PRIVACIES,
    QUALITIES,
    BoundedFigure,
    CorpusSummary,
    Curve,
    MeasuredSetting,
    advantage,
)


@dataclass(frozen=True, slots=True)
class TableCell:
    """Figure of a table; ``rank`` is 1 for the best of its column, 2 for the second."""

    text: str
    rank: int = 0


@dataclass(frozen=True, slots=True)
class ResultTable:
    """Heading, columns, and rows of cells under them; ``note`` says how to read it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[TableCell, ...], ...]
    note: str = ""


def text_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], note: str = ""
) -> ResultTable:
    """Build a table of texts, none of which has a rank."""
    return ResultTable(title, tuple(columns), tuple(tuple(map(TableCell, r)) for r in rows), note)


def label(method: str) -> str:
    """Return a method's name for people."""
    return METHODS[method].label if method in METHODS else method


def method_table(
    summary: CorpusSummary,
    qs_at: Sequence[float] = PRIVACIES,
    chrf_at: Sequence[float] = PRIVACIES[-2:],
) -> ResultTable:
    """Build the paper's Table 1 for one corpus: a row a method.

    The best of each column has rank 1, the second rank 2; no protection and the empty text take no
    part in that, nor do figures that are not defined.
    """
    columns = [
        ("AUPQC", lambda c: _area(c), 3),
        *((f"QS@{p:g}", _at(p, "qs"), 3) for p in qs_at),
        *((f"chrF@{p:g}", _at(p, "chrf"), 1) for p in chrf_at),
    ]
    curves = list(summary.curves)
    found = [_rank(curves, work, digits) for _, work, digits in columns]
    rows = []
    for i, curve in enumerate(curves):
        estimates = (setting.estimate("pps").value for setting in curve.settings)
        reached = sorted({f"{value:.3f}" for value in estimates if value is not None})
        ends = " to ".join(dict.fromkeys([*reached[:1], *reached[-1:]])) or "–"
        cells = (column[i] for column in found)
        rows.append((TableCell(label(curve.method)), TableCell(ends), *cells))
    return ResultTable(
        f"{summary.corpus}: quality at equal privacy",
        ("method", "PPS reached", *(name for name, _, _ in columns)),
        tuple(rows),
        "95 % intervals in brackets. –: the method was not seen to reach that privacy. AUPQC "
        "compares areas over different ranges of privacy, so read the other columns first.",
    )


def reference_table(summary: CorpusSummary) -> ResultTable:
    """Build a row for every method and strength: its quality by a person's translation.

    Where the model on this machine was measured, also how much better each is than that.
    """
    baseline = summary.baseline
    rows = (
        [
            label(setting.method),
            setting.setting,
            *(setting.estimate(name).written(1) for name in _BY_A_PERSON),
            *(gain(setting, baseline, name).written(1) for name in _BY_A_PERSON if baseline),
            setting.estimate("restored_at_once").written(3),
        ]
        for setting in summary.settings
        if setting.method != "empty"
    )
    gains = (f"{metric.label} − local" for metric in METRICS if baseline)
    heads = (*(_HEADS[name] for name in _BY_A_PERSON), *gains, "restored at once")
    return text_table(
        f"{summary.corpus}: against a person's translation",
        ("method", "setting", *heads),
        rows,
        "Above 0 in the columns of differences: better than the model on this machine in clear, "
        "which exposes nothing."
        if baseline
        else "Not compared with a model on this machine: add --local.",
    )


def setting_table(summary: CorpusSummary) -> ResultTable:
    """Build a row for every method at every strength."""
    figures = [
        *((("pps", 3), ("qs", 3)) if summary.questions else ()),
        *((name, 1) for name in _BY_A_PERSON if summary.has_references),
        *((metric.name, 1) for metric in METRICS),
        *(("restored_at_once", 3), ("untranslated", 3), ("surviving", 3), ("withheld", 3)),
    ]
    rows = (
        [
            label(setting.method),
            setting.setting,
            *(setting.estimate(name).written(digits) for name, digits in figures),
        ]
        for setting in summary.settings
    )
    heads = [_HEADS[name] for name, _ in figures]
    return text_table(f"{summary.corpus}: every setting", ("method", "setting", *heads), rows)


def error_table(summary: CorpusSummary) -> ResultTable:
    """Build the errors in a hundred sentences, by class, a row for each method and strength."""
    names = [name for name in FIGURES if name.startswith("error_")]
    rows = (
        [
            label(setting.method),
            setting.setting,
            *(
                "–" if (share := setting.estimate(name).value) is None else f"{100 * share:.1f}"
                for name in ("sentences_with_errors", *names)
            ),
        ]
        for setting in summary.settings
        if setting.method not in FRAME
    )
    heads = ["sentences with any", *(name.removeprefix("error_") for name in names)]
    return text_table(
        f"{summary.corpus}: errors in 100 sentences, by rules",
        ("method", "setting", *heads),
        rows,
        "Against T(x_pri), word by word; how reliable the rules are: docs/evaluation.md.",
    )


def difference_table(summary: CorpusSummary) -> ResultTable:
    """Build the advantage of our default over each method at equal privacy, on the same draws."""
    ours = summary.curve(OURS)
    others = [c for c in summary.curves if c.method not in (OURS, *FRAME, BASELINE)]
    columns, digits = [(p, q) for q in QUALITIES for p in PRIVACIES], {"qs": 3, "chrf": 1}
    rows = (
        [
            label(curve.method),
            *(
                (advantage(curve, ours, p, q) if ours else NOT_DEFINED).written(digits[q])
                for p, q in columns
            ),
        ]
        for curve in others
    )
    return text_table(
        f"{summary.corpus}: {label(OURS)} less each other method",
        ("method", *(f"{_HEADS[q]}@{p:g}" for p, q in columns)),
        rows,
        "Positive: the default is better. An interval without 0 is a difference that does not "
        "hang on the choice of documents.",
    )


def summary_as_json(summary: CorpusSummary) -> dict[str, object]:
    """Return a summary as plain data: every figure as value, low and high (None: undefined)."""
    return {
        "corpus": summary.corpus,
        "panel": summary.panel,
        "translator": summary.translator,
        "languages": summary.languages,
        "documents": summary.documents,
        "questions": summary.questions,
        "seeds": list(summary.seeds),
        "floor": {"pps": asdict(summary.floor("pps")), "qs": asdict(summary.floor("qs"))},
        "methods": [
            {
                "method": curve.method,
                "aupqc": asdict(_area(curve)),
                "at": {
                    f"{privacy:g}": {q: asdict(curve.quality_at(privacy, q)) for q in QUALITIES}
                    for privacy in PRIVACIES
                },
                "settings": [
                    {
                        "setting": setting.setting,
                        "repeats": setting.repeats,
                        **{name: asdict(setting.estimate(name)) for name in FIGURES},
                        **_gains(summary, setting),
                    }
                    for setting in curve.settings
                ],
            }
            for curve in summary.curves
        ],
    }


def _gains(summary: CorpusSummary, setting: MeasuredSetting) -> dict[str, object]:
    """Return what ``setting`` gains over the model on this machine; nothing if not measured."""
    if summary.baseline is None:
        return {}
    return {f"{n}_less_local": asdict(gain(setting, summary.baseline, n)) for n in _BY_A_PERSON}


def markdown(table: ResultTable) -> str:
    """Format a table in Markdown: the best bold, the second in italics."""
    marks = ("", "**", "_")
    lines = [
        "| " + " | ".join(table.columns) + " |",
        "| " + " | ".join("---" for _ in table.columns) + " |",
        *(
            "| "
            + " | ".join(marks[cell.rank] + cell.text + marks[cell.rank] for cell in row)
            + " |"
            for row in table.rows
        ),
    ]
    note = f"\n{table.note}\n" if table.note else ""
    return f"### {table.title}\n\n" + "\n".join(lines) + f"\n{note}"


def short_table(summary: CorpusSummary) -> ResultTable:
    """Build the table that fits a terminal; all columns are in the tables of the page."""
    if summary.has_references:
        return reference_table(summary)
    if not summary.questions:
        return setting_table(summary)
    return method_table(summary, qs_at=(0.5, 0.65), chrf_at=(0.65,))


def comparing_tables(summary: CorpusSummary) -> tuple[ResultTable, ...]:
    """Build the tables that compare the methods: by a person's translation, and at equal privacy.

    Each only where the corpus has what it needs, so there may be none.
    """
    by_reference = (reference_table(summary),) if summary.has_references else ()
    at_privacy = (method_table(summary), difference_table(summary)) if summary.questions else ()
    return *by_reference, *at_privacy


def setting_tables(summary: CorpusSummary) -> tuple[ResultTable, ...]:
    """Build the tables with a row for each method and strength."""
    return setting_table(summary), error_table(summary)


_BY_A_PERSON = tuple(f"human_{metric.name}" for metric in METRICS)
"""Figures by a person's translation."""
_HEADS: Mapping[str, str] = {
    "pps": "PPS",
    "qs": "QS",
    **{metric.name: metric.label for metric in METRICS},
    **{f"human_{metric.name}": f"{metric.label} (human)" for metric in METRICS},
    "restored_at_once": "restored at once",
    "untranslated": "untranslated",
    "surviving": "surviving",
    "withheld": "withheld",
}


def _at(privacy: float, quality: str) -> Callable[[Curve], BoundedFigure]:
    return lambda curve: curve.quality_at(privacy, quality)


def _area(curve: Curve) -> BoundedFigure:
    return NOT_DEFINED if curve.method in FLAT else curve.area()


def _rank(
    curves: Sequence[Curve], work: Callable[[Curve], BoundedFigure], digits: int
) -> list[TableCell]:
    found = [
        (figure, figure.value is not None and curve.method not in (*FRAME, BASELINE))
        for curve in curves
        for figure in (work(curve),)
    ]
    values = {round(figure.value or 0.0, digits) for figure, takes_part in found if takes_part}
    best = sorted(values, reverse=True)[:2]
    cells = []
    for figure, takes_part in found:
        value = round(figure.value or 0.0, digits)
        rank = best.index(value) + 1 if takes_part and value in best else 0
        cells.append(TableCell(figure.written(digits), rank))
    return cells
