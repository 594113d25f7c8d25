"""Tables of the three papers, as they print them, with our figures beside theirs.

Our figures come from rows that are stored with the project, or in a folder of ``prism evaluate``;
nothing is measured. A figure that neither has is a dash, with what would fill it. The papers'
figures are in ``papers.toml``.

Entry: ``reproduce`` gives a ``Reproduction``: ``PRISM`` -> ``_prism``, ``DP_NMT`` -> ``_dp_nmt``,
``DX`` -> ``_dx``.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from statistics import fmean, stdev
from typing import Any, Literal, get_args

from prism_core.errors import ConfigurationError
from prism_core.evaluation.results import Results
from prism_core.evaluation.summary import BoundedFigure, CorpusSummary, Curve, summaries
from prism_core.evaluation.tables import ResultTable, markdown, text_table

_HERE = Path(__file__).resolve().parent
STORED = next(
    (p for p in (_HERE / "stored", _HERE.parents[1] / "docs" / "evaluation") if p.is_dir()), _HERE
)
"""Folder of stored rows: within an installed package, or beside the code of a checkout."""
NONE = "–"
_TABLE_1: Mapping[str, Callable[[Curve], BoundedFigure]] = {
    "AUPQC": Curve.area,
    "QS@0.5": lambda curve: curve.quality_at(0.5),
}
"""Figures of the paper's Table 1, in the order in which ``papers.toml`` has them."""
_LANGUAGES = {"fr": "French", "de": "German"}

Paper = Literal["prism", "dp-nmt", "dx"]
PAPERS: tuple[Paper, ...] = get_args(Paper)
Facts = Mapping[str, Any]


@dataclass(frozen=True)
class Reproduction:
    """Tables of a paper beside ours, how ours were made, and what fills the dashes."""

    paper: str
    tables: tuple[ResultTable, ...]
    made: tuple[str, ...]
    missing: tuple[str, ...]

    def as_markdown(self) -> str:
        """Return it as a page."""
        lists = ((self.made, "How ours were made"), (self.missing, "What fills a dash"))
        parts = [f"# {self.paper}", *(markdown(table).rstrip() for table in self.tables)]
        for facts, head in lists:
            parts += [f"### {head}", *map(_as_paragraph, facts)]
        return "\n\n".join(parts) + "\n"


def _as_paragraph(fact: str) -> str:
    head, *commands = fact.split("\n")
    return "\n".join((head, "```sh", *commands, "```")) if commands else head


def reproduce(paper: Paper, rows: Path | None = None) -> Reproduction:
    """Lay out the tables of ``paper``, with what is stored and what the folder ``rows`` has.

    Raises ``ConfigurationError`` for ``rows`` that are none, or are not of this paper.
    """
    told = tomllib.loads((_HERE / "papers.toml").read_text("utf-8"))[paper]
    if paper == "prism":
        given = Results.required(rows) if rows else ()
        return _prism(told, [*Results(STORED / "reproduction"), *given])
    if rows is not None:
        raise ConfigurationError("--rows go with prism reproduce prism alone: leave them out.")
    return _dp_nmt(told) if paper == "dp-nmt" else _dx(told)


def _prism(told: Facts, results: Iterable[Any]) -> Reproduction:
    """Table 1, one block a pair and translator, and the points of Figure 3."""
    measured = [found for found in summaries(results) if found.questions]
    blocks = list(dict.fromkeys((row[0], row[1]) for row in told["table_1"]))
    rows, points, missing = [], [], []
    for languages, translator in blocks:
        ours = [s for s in measured if _is_of(s, languages, told["translators"][translator])]
        theirs = {row[2]: row[3:] for row in told["table_1"] if row[:2] == [languages, translator]}
        name = f"{languages}, {translator}"
        if not ours:
            missing.append(_fill(languages, translator, told))
            rows += _block(name, theirs, None, told["methods"])
        for found in ours:
            rows += _block(name, theirs, found, told["methods"])
    known = [(pair, told["translators"][t]) for pair, t in blocks]
    for found in measured:
        if not any(_is_of(found, *block) for block in known):
            rows += _block(_name(found), {}, found, told["methods"])
        points += _points(found, told["methods"])
    floors = "; ".join(f"{_name(s)} {s.floor('pps').written(3)}" for s in measured)
    table = text_table(
        "Table 1",
        ("pair, T", "method", *chain(*((f"{head}: paper", "ours") for head in _TABLE_1))),
        rows,
        f"PPS without a text: paper {told['floor']}; {floors}. {told['note']}",
    )
    figure = text_table("Figure 3", ("pair, T, evaluator", "method", "", "PPS", "QS"), points)
    made = (" ".join((f"{_name(s)}.", *s.provenance())) for s in measured)
    return Reproduction(told["paper"], (table, figure), (*told["made"], *made), tuple(missing))


def _is_of(summary: CorpusSummary, languages: str, translator: str) -> bool:
    return summary.languages == languages and summary.translator.startswith(translator)


def _name(summary: CorpusSummary) -> str:
    return f"{summary.languages}, {summary.translator}, {summary.panel}"


def _block(
    name: str,
    theirs: Mapping[str, Sequence[float]],
    found: CorpusSummary | None,
    methods: Mapping[str, str],
) -> list[list[str]]:
    rows = []
    for method, ours in methods.items():
        curve = found.curve(ours) if found else None
        printed = theirs.get(method, [None] * len(_TABLE_1))
        rows.append([name, method])
        for figure, value in zip(_TABLE_1.values(), printed, strict=True):
            rows[-1] += [_figure(value), figure(curve).written(3) if curve else NONE]
    return rows


def _points(found: CorpusSummary, methods: Mapping[str, str]) -> list[list[str]]:
    names = {ours: method for method, ours in methods.items()}
    return [
        [_name(found), names[point.method], point.setting]
        + [point.estimate(figure).written(3) for figure in ("pps", "qs")]
        for point in found.settings
        if point.method in names
    ]


def _fill(languages: str, translator: str, told: Facts) -> str:
    target = languages.partition("-")[2]
    settings = told["settings"][translator].format(language=_LANGUAGES[target])
    return str(told["missing"]).format(
        languages=languages, translator=translator, target=target, settings=settings
    )


def _dp_nmt(told: Facts) -> Reproduction:
    """Table 1, and Figure 2 with Table 3: BLEU by data, ε and lots."""
    lines = (STORED / "training.jsonl").read_text("utf-8").splitlines()
    stored = [row for row in map(json.loads, lines) if row["benchmark"] == "quality"]
    names = {row[0]: row[4] for row in told["table_1"] if row[0]}
    wanted = [(names[row[0]], row[1], row[2]) for row in told["table_3"]]
    rows = []
    for (data, epsilon, lots, bleu, deviation, bert), key in zip(
        told["table_3"], wanted, strict=True
    ):
        ours = _bleu(stored, *key)
        rows.append([data, _epsilon(epsilon), lots, f"{bleu:.2f} ({deviation:.2f})", ours])
        rows[-1] += [f"{bert:.2f}", NONE]
    others = dict.fromkeys((row["corpus"], row["epsilon"] or 0, row["sampling"]) for row in stored)
    for data, epsilon, lots in others:
        lots = "shuffled" if not epsilon and lots == "poisson" else lots
        if (data, epsilon, lots) not in wanted and lots != "none":
            ours = _bleu(stored, data, epsilon, lots)
            rows.append([data, _epsilon(epsilon), lots, NONE, ours, NONE, NONE])
    heads = ("data", "languages", "paper: trained", "tested", "ours: trained", "tested")
    sizes = [[row[0] or row[4], *row[1:4], *row[5:]] for row in told["table_1"]]
    tables = (
        text_table("Table 1", heads, [[str(cell) or NONE for cell in row] for row in sizes]),
        text_table(
            "Figure 2 and Table 3",
            ("data", "ε", "lots", "BLEU: paper", "ours", "BERTScore: paper", "ours"),
            rows,
            told["note"],
        ),
    )
    seeds = ", ".join(map(str, sorted({row["seed"] for row in stored})))
    return Reproduction(
        told["paper"], tables, (f"Seeds {seeds}.", *told["made"]), tuple(told["missing"])
    )


def _bleu(rows: Iterable[Facts], data: str, epsilon: float, lots: str) -> str:
    values = [
        row["bleu"][0] if isinstance(row["bleu"], list) else row["bleu"]
        for row in rows
        if row["corpus"] == data
        and (row["epsilon"] or 0) == epsilon
        and (row["sampling"] == lots or (not epsilon and row["sampling"] == "poisson"))
        and row["epsilon"] != 0
        and "bleu" in row
    ]
    if not values:
        return NONE
    return f"{fmean(values):.2f}" + (f" ({stdev(values):.2f})" if len(values) > 1 else "")


def _dx(told: Facts) -> Reproduction:
    """Experiments 1 and 2, and the regression of Table 1."""
    ours = json.loads((STORED / "dx.json").read_text("utf-8"))
    fitted = {row["features"]: row for row in json.loads((STORED / "regression.json").read_text())}
    kept = {
        (row["epsilon"], row["word"], row["search"]): dict(row["top"]).get(row["word"], 0)
        for row in ours["words"]
    }
    share = {(row["epsilon"], row["way"]): row["unchanged"] for row in ours["vocabulary"]}
    ways = ("approximate", "exact")
    first = [
        [f"{epsilon}", word, *_pairs(theirs, [kept[epsilon, word, way] for way in ways])]
        for epsilon, word, *theirs in told["experiment_1"]
    ]
    second = [
        [f"{epsilon}", *_pairs(theirs, [round(1000 * share[epsilon, way], 1) for way in ways])]
        for epsilon, *theirs in told["experiment_2"]
    ]
    third = [
        [features, _figure(r2, 2), row["r2"], _figure(rmse, 2), row["rmse"]]
        for features, r2, rmse in told["regression"]
        for row in (fitted[features],)
    ]
    heads = ("approximate: paper", "ours", "exact: paper", "ours")
    size = fitted["A alone"]
    tables = (
        text_table("Experiment 1: times of 1,000 that a word stays", ("ε", "word", *heads), first),
        text_table("Experiment 2: the same, mean over a vocabulary", ("ε", *heads), second),
        text_table(
            "Table 1: regression",
            ("features", "R²: paper", "ours", "RMSE: paper", "ours"),
            third,
            f"{told['regression_note']} {size['rows']} rows, {size['documents']} documents.",
        ),
    )
    vectors = ours["vectors"]
    made = (f"{vectors['words']:,} words in {vectors['dimensions']} dimensions.", *told["made"])
    return Reproduction(told["paper"], tables, made, tuple(told["missing"]))


def _pairs(theirs: Sequence[float], ours: Sequence[float]) -> list[str]:
    return [f"{value:g}" for pair in zip(theirs, ours, strict=True) for value in pair]


def _epsilon(value: float) -> str:
    return f"{value:g}" if value else "∞"


def _figure(value: float | None, digits: int = 3) -> str:
    return NONE if value is None else f"{value:.{digits}f}"
