"""Bars: what each attack reached against each method, beside chance."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.adversaries.results import Results, Row

SHOWN = (
    ("replaced places: precision", "position-precision"),
    ("order of confidence, what is drawn together", "order@draw"),
    ("who: all words drawn together known", "who-strong@draw"),
    ("who: half the archive got known", "who-learned"),
    ("same substitute, same original", "linkage-substitute"),
    ("matched by frequency", "match-frequency"),
    ("matched by company", "match-company"),
    ("rebuilt by frequency, top 10", "rebuild-unigram@10"),
    ("rebuilt from context, top 10", "rebuild-masked@10"),
    ("many nights, fresh draws", "repeat-fresh"),
    ("many nights, stored", "repeat-stored"),
    ("short numbers, fresh draws", "repeat-number-fresh"),
    ("short numbers, stored", "repeat-number-stored"),
    ("names, disguised too", "surviving-names-disguised"),
    ("names that never come: surnames", "absent-surname"),
    ("a closed set known with certainty", "closed-set-known"),
    ("age by its article", "article-age"),
    ("kept words, found by leaving words out", "kept-found@suspects"),
    ("linked among 10", "link@10"),
    ("linked among 1000", "link@1000"),
    ("linked among 1000, by meaning", "link-meaning@1000"),
    ("document was in the archive (AUC)", "membership"),
    ("neighbours of one document", "neighbours"),
    ("neighbours by content", "neighbours-content"),
    ("genre, requests of a document known", "topic@genre"),
    ("genre, by a single request", "topic-mixed@genre"),
    ("asked by extend: which are the archive's", "asked-known"),
)
COLOURS = {
    "threshold": "#0b6e99",
    "strongest": "#2f8f5b",
    "ratio": "#d98200",
    "prism-r": "#5b3fa0",
    "paper": "#b3292e",
}
LABELS = {
    "threshold": "PRISM* threshold (default)",
    "strongest": "strongest",
    "ratio": "PRISM* ratio",
    "prism-r": "PRISM-R",
    "paper": "the paper's procedure",
}


def draw(results: Results, path: Path) -> None:
    """Write the figure to ``path``; its suffix names the format. With mixing, without decoys."""
    matplotlib.rcParams.update({"svg.hashsalt": "prism", "svg.fonttype": "none", "font.size": 9})
    figure = Figure(figsize=(9.6, 14), layout="constrained")
    axes = figure.subplots()
    rows = results.usual
    methods = [name for name in COLOURS if any(one["method"] == name for one in rows)]
    for at, method in enumerate(methods):
        _bars(axes, [one for one in rows if one["method"] == method], method, at, len(methods))
    axes.set_yticks(range(len(SHOWN)), [label for label, _ in SHOWN])
    axes.invert_yaxis()
    axes.set_xlim(-0.05, 1)
    axes.set_xlabel(
        "what the attack reached, with its 95 % interval; the black line is chance "
        "(mixing on, no decoys)"
    )
    axes.grid(color="#eeeeee", axis="x")
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(loc="lower right", frameon=False)
    figure.savefig(path, dpi=150, metadata={"Date": None} if path.suffix == ".svg" else None)


def _bars(axes: Axes, rows: Sequence[Row], method: str, at: int, methods: int) -> None:
    """One method's bar for each attack, its interval and its chance."""
    height = 0.8 / methods
    found = {one["attack"]: one for one in rows}
    label: str | None = LABELS[method]
    for place, (_, attack) in enumerate(SHOWN):
        one = found.get(attack)
        if one is None or not one["n"]:
            continue
        y = place - 0.4 + height * (at + 0.5)
        axes.barh(y, one["value"], height * 0.9, color=COLOURS[method], label=label)
        axes.hlines(y, one["low"], one["high"], color="#444444", linewidth=0.8)
        axes.vlines(one["chance"], y - height / 2, y + height / 2, color="black", linewidth=1.6)
        label = None
