"""The figure: what is left of the translation over what the translator could not answer."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from benchmarks.quality.rows import Row

LABELS = {
    "plain": "T itself",
    "threshold": "PRISM* threshold",
    "ratio": "PRISM* ratio",
    "prism-r": "PRISM-R",
    "nested": "nested",
    "mixture": "mixture",
    "nodecode": "NoDecode",
    "reference": "the paper's procedure",
}
STYLES = {
    "plain": ("#222222", ""),
    "threshold": ("#0b6e99", "o"),
    "ratio": ("#d98200", "s"),
    "prism-r": ("#5b3fa0", "^"),
    "nested": ("#2f8f4e", "<"),
    "mixture": ("#c2529a", ">"),
    "nodecode": ("#8a8a8a", "v"),
    "reference": ("#b3292e", "D"),
}
EMPTY = 0.75
"""PPS of an empty text: an adversary who reads nothing picks one choice of four."""


def draw(rows: Sequence[Row], path: Path) -> None:
    """Write the figure to ``path``; its suffix names the format."""
    shown = [row for row in rows if row.pps is not None]
    matplotlib.rcParams.update({"svg.hashsalt": "prism", "svg.fonttype": "none", "font.size": 9})
    figure = Figure(figsize=(9.6, 4.4), layout="constrained")
    left, right = figure.subplots(1, 2, sharex=True)
    _panel(left, shown, "qs", "QS: share of questions answered from y_pri")
    _panel(right, shown, "chrf", "chrF of y_pri against T(x_pri)")
    handles, labels = left.get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=len(labels), frameon=False)
    metadata = {"Date": None} if path.suffix == ".svg" else None
    figure.savefig(path, dpi=150, metadata=metadata)


def _panel(axes: Axes, rows: Sequence[Row], figure: str, title: str) -> None:
    for method in dict.fromkeys(row.method for row in rows):
        line = [
            (row.pps or 0, getattr(row, figure), row.setting)
            for row in rows
            if row.method == method
        ]
        if method == "plain":
            axes.axhline(line[0][1], color=STYLES[method][0], linestyle="--", label=LABELS[method])
        else:
            _curve(axes, method, line)
    axes.axvline(EMPTY, color="#bbbbbb", linestyle=":")
    axes.annotate(
        "empty text", (EMPTY, 0.02), xycoords=("data", "axes fraction"), rotation=90,
        ha="right", fontsize=7, color="#888888",
    )  # fmt: skip
    axes.set_xlabel("PPS: share of questions not answered from x_pub")
    axes.set_title(title, loc="left")
    axes.grid(color="#eeeeee")
    axes.spines[["top", "right"]].set_visible(False)


def _curve(axes: Axes, method: str, line: Sequence[tuple[float, float, str]]) -> None:
    """One method in the order of its settings, the first and the last of them named."""
    colour, marker = STYLES[method]
    axes.plot(
        [pps for pps, _, _ in line],
        [value for _, value, _ in line],
        color=colour,
        marker=marker,
        linewidth=2.2 if method == "threshold" else 1.3,
        label=LABELS[method],
    )
    for pps, value, setting in (line[0], line[-1]):
        axes.annotate(
            setting.replace("tau", "τ"), (pps, value), textcoords="offset points", xytext=(4, 6),
            fontsize=7, color=colour,
        )  # fmt: skip
