"""Figures, drawn from summaries alone: PNG to look at, SVG to print (optional extra).

Entry: ``draw_all``; then ``privacy_quality`` and ``attack_bars`` into an ``empty_figure`` ->
``save_figure``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from prism_core.errors import ConfigurationError
from prism_core.evaluation.findings import AttackRow
from prism_core.evaluation.methods import COLOURS, MARKERS
from prism_core.evaluation.summary import OURS, CorpusSummary, Curve
from prism_core.evaluation.tables import label
from prism_core.files import make_file, make_folder

_TITLES = {
    "qs": "Quality: questions answered from the translation (QS)",
    "chrf": "Fidelity: chrF against what T makes of the source",
}
_PRIVACY = "PPS: share of questions not answered from what was sent"
QUIET = "#B8B8B8"
INK = "#333333"
_REMARK = "#777777"


def file_name(summary: CorpusSummary) -> str:
    """Return the beginning of the names of its files: every panel but the usual has its own."""
    corpus, panel = summary.corpus.replace("/", "-"), re.findall(r"\w+", summary.panel)[0]
    return corpus if panel == "swd" else f"{corpus}_{panel}"


def draw_all(
    summaries: Sequence[CorpusSummary], attacks: Sequence[AttackRow], folder: Path
) -> list[Path]:
    """Draw every figure that has data, as ``NAME.png`` and ``NAME.svg``; return the PNGs.

    Raises ``ConfigurationError`` where matplotlib is not installed.
    """
    written = [
        save_figure(privacy_quality(summary), folder / f"{file_name(summary)}-privacy-quality")
        for summary in summaries
        if summary.questions and _curves(summary)
    ]
    if attacks:
        written.append(save_figure(attack_bars(attacks), folder / "attacks"))
    return written


def privacy_quality(summary: CorpusSummary) -> Any:
    """Draw the paper's Figure 3: quality over what the adversary could not answer."""
    figure, panels = empty_figure(1, 2, (11.5, 4.9))
    for axes, quality in zip(panels, ("qs", "chrf"), strict=True):
        _draw_frame(axes, summary, quality)
        ends = []
        for curve in _curves(summary):
            points = _points(curve, quality)
            if not points:
                continue
            ours = curve.method == OURS
            axes.plot(
                *zip(*points, strict=True),
                color=COLOURS[curve.method],
                marker=MARKERS[curve.method],
                markersize=6.5 if ours else 5,
                linewidth=2.6 if ours else 1.4,
                zorder=5 if ours else 3,
                clip_on=False,
            )
            ends.append((max(points), curve.method))
        _draw_typical_interval(axes, summary, quality)
        axes.set_title(_TITLES[quality], loc="left", fontsize=10, color=INK)
        _label_ends(axes, ends)
    return figure


def attack_bars(rows: Sequence[AttackRow]) -> Any:
    """Draw the result of each attack, with its interval, beside chance."""
    shown = list(rows)
    figure, (axes,) = empty_figure(1, 1, (9.5, 1.0 + 0.24 * len(shown)))
    for place, row in enumerate(reversed(shown)):
        colour = COLOURS.get(row.method, QUIET)
        axes.barh(place, row.value, color=colour, height=0.62, alpha=0.85)
        axes.plot([row.low, row.high], [place, place], color=INK, linewidth=1.1)
        axes.plot([row.chance] * 2, [place - 0.42, place + 0.42], color="#000000", linewidth=2)
    names = [f"{row.attack}: {label(row.method)} {row.setting}" for row in reversed(shown)]
    axes.set_yticks(range(len(shown)), names, fontsize=8)
    axes.set_xlim(0, 1)
    axes.set_xlabel("share found (bar, 95 % interval) and by chance (tick)", fontsize=9)
    axes.tick_params(axis="y", length=0)
    return figure


def _curves(summary: CorpusSummary) -> list[Curve]:
    """Return the methods to draw, ours last and on top."""
    return [curve for curve in summary.curves if curve.method in COLOURS]


def _points(curve: Curve, quality: str) -> list[tuple[float, float]]:
    found = [(s.estimate("pps").value, s.estimate(quality).value) for s in curve.settings]
    return [(p, q) for p, q in found if p is not None and q is not None]


def _draw_frame(axes: Any, summary: CorpusSummary, quality: str) -> None:
    """Draw the bounds of every score: no protection, and no text."""
    ceiling, best = summary.ceiling(quality).value, summary.floor("pps").value
    if ceiling is not None:
        axes.axhline(ceiling, color=QUIET, linestyle=(0, (4, 3)), linewidth=1)
    if best is not None:
        axes.axvline(best, color=QUIET, linestyle=(0, (1, 2)), linewidth=1.2)
    axes.grid(color="#F2F2F2")
    axes.set_xlabel(_PRIVACY, fontsize=9, color=INK)
    if ceiling is not None:
        beside = ("axes fraction", "data")
        text = _note(
            axes, "T of the source itself", (0.0, ceiling), (4, 3), _REMARK, xycoords=beside
        )
        text.set_in_layout(False)
    if best is not None:
        above = {"xycoords": ("data", "axes fraction"), "rotation": 90, "ha": "right"}
        _note(axes, "empty text", (best, 0.0), (-3, 4), _REMARK, **above)


def _label_ends(axes: Any, ends: Sequence[tuple[tuple[float, float], str]]) -> None:
    """Write names at the right, each beside the end of its curve, without overlaps."""
    low, high = axes.get_ylim()
    least = 0.058 * (high - low)
    right = axes.get_xlim()[1]
    ordered = sorted(ends, key=lambda end: end[0][1])
    heights = [max(low + least / 2, ordered[0][0][1])] if ordered else []
    for (_, height), _ in ordered[1:]:
        heights.append(max(height, heights[-1] + least))
    excess = max(0.0, heights[-1] - high) if heights else 0.0
    heights = [height - excess for height in heights]
    for ((x, y), method), height in zip(ordered, heights, strict=True):
        axes.annotate(
            label(method),
            (x, y),
            xytext=(right + 0.02, height),
            textcoords="data",
            color=COLOURS[method],
            fontsize=8.5,
            weight="bold" if method == OURS else "normal",
            va="center",
            annotation_clip=False,
            arrowprops={
                "arrowstyle": "-",
                "color": COLOURS[method],
                "linewidth": 0.6,
                "alpha": 0.5,
                "shrinkA": 2,
                "shrinkB": 4,
            },
        )
    axes.set_xlim(right=right)


def _draw_typical_interval(axes: Any, summary: CorpusSummary, quality: str) -> None:
    """Draw a cross in the lower left corner with the typical length of the intervals."""
    found = [
        (setting.estimate("pps"), setting.estimate(quality))
        for curve in _curves(summary)
        for setting in curve.settings
    ]
    widths = sorted(p.high - p.low for p, _ in found if p.low is not None and p.high is not None)
    heights = sorted(q.high - q.low for _, q in found if q.low is not None and q.high is not None)
    if not widths or not heights:
        return
    width, height = widths[len(widths) // 2] / 2, heights[len(heights) // 2] / 2
    left, bottom = axes.get_xlim()[0], axes.get_ylim()[0]
    margin_x, margin_y = 0.012, 0.035 * (axes.get_ylim()[1] - bottom)
    x, y = left + width + margin_x, bottom + height + margin_y
    axes.plot([x - width, x + width], [y, y], color="#777777", linewidth=1)
    axes.plot([x, x], [y - height, y + height], color="#777777", linewidth=1)
    _note(axes, "typical 95 % interval", (x, y), (4, -9), _REMARK)
    axes.set_xlim(left=left)
    axes.set_ylim(bottom=bottom)


def _note(
    axes: Any,
    text: str,
    at: tuple[float | None, float | None],
    shift: tuple[int, int],
    color: str = INK,
    **look: Any,
) -> Any:
    """Write a small text, ``shift`` points away from a place of the drawing."""
    return axes.annotate(
        text, at, xytext=shift, textcoords="offset points", fontsize=7.5, color=color, **look
    )


def empty_figure(
    rows: int, columns: int, size: tuple[float, float], *, shared: bool = False
) -> tuple[Any, list[Any]]:
    """Make an empty figure in the house's style, and its axes."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise ConfigurationError(
            "Figures are drawn with matplotlib, which is optional. Install it: "
            "pip install 'prism-translate[lab]'"
        ) from None
    mpl.rcParams.update(
        {
            "font.family": "DejaVu Sans",
            "font.size": 9,
            "svg.hashsalt": "prism",
            "svg.fonttype": "none",
            "axes.edgecolor": "#999999",
            "axes.axisbelow": True,
            "xtick.color": "#666666",
            "ytick.color": "#666666",
            "text.parse_math": False,
        }
    )
    figure = Figure(figsize=size, layout="constrained")
    found = figure.subplots(rows, columns, sharex=shared, sharey=shared, squeeze=False)
    axes = [axis for row in found for axis in row]
    for axis in axes:
        axis.spines[["top", "right"]].set_visible(False)
        axis.tick_params(labelsize=8)
    return figure, axes


def save_figure(figure: Any, place: Path) -> Path:
    """Save ``figure`` as ``place`` with both endings, without the time of drawing."""
    make_folder(place.parent)
    picture, drawing = (place.with_name(f"{place.name}.{end}") for end in ("png", "svg"))
    for file in (picture, drawing):
        make_file(file)
    figure.savefig(picture, dpi=160, metadata={"Software": None}, facecolor="white")
    figure.savefig(drawing, metadata={"Date": None})
    return picture
