"""Figures, drawn from summaries alone: PNG to look at, SVG to print (optional extra).

Entry: ``draw_all``; then what a summary has figures for, each drawn by a function of its name into
an ``empty_figure``, and ``attack_bars`` -> ``save_figure``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from prism_core.errors import ConfigurationError
from prism_core.evaluation.error_classes import ERRORS
from prism_core.evaluation.findings import AttackRow
from prism_core.evaluation.methods import COLOURS, MARKERS
from prism_core.evaluation.summary import FLAT, OURS, CorpusSummary, Curve, MeasuredSetting
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
_SHOWN_ERRORS = 0.65
"""Privacy near which the strengths lie whose errors are drawn."""

Draw = Callable[[CorpusSummary], Any]


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
    written = []
    for summary in summaries:
        figures: dict[str, Draw] = {}
        if _curves(summary):  # else no protection and the empty text alone
            if summary.questions:
                figures = {
                    "privacy-quality": privacy_quality,
                    "intervals": intervals,
                    "equal-privacy": equal_privacy,
                }
            figures["errors"] = errors
        for figure, draw in figures.items():
            written.append(save_figure(draw(summary), folder / f"{file_name(summary)}-{figure}"))
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


def intervals(summary: CorpusSummary) -> Any:
    """Draw a panel a method: its own points with intervals, the others' behind them."""
    curves = _curves(summary)
    figure, panels = _grid_of_panels(len(curves), 2.9)
    for axes, curve in zip(panels, curves, strict=False):
        _draw_frame(axes, summary, "qs", named=False)
        for other in curves:
            axes.plot(*zip(*_points(other, "qs"), strict=True), color="#E3E3E3", linewidth=1)
        colour = COLOURS[curve.method]
        for setting in curve.settings:
            pps, qs = setting.estimate("pps"), setting.estimate("qs")
            if None not in (pps.value, qs.value, pps.low, qs.low):
                look = {"color": colour, "alpha": 0.35, "linewidth": 1.2}
                axes.plot([pps.low, pps.high], [qs.value] * 2, **look)
                axes.plot([pps.value] * 2, [qs.low, qs.high], **look)
        axes.plot(
            *zip(*_points(curve, "qs"), strict=True),
            color=colour,
            marker=MARKERS[curve.method],
            linewidth=2,
        )
        for setting in {id(s): s for s in (curve.settings[0], curve.settings[-1])}.values():
            place = setting.estimate("pps").value, setting.estimate("qs").value
            if None not in place:  # the weakest and the strongest by name
                _note(axes, setting.setting, place, (4, 6), colour)
        axes.set_title(label(curve.method), loc="left", fontsize=9.5, color=colour, weight="bold")
    figure.supxlabel(_PRIVACY, fontsize=9, color=INK)
    figure.supylabel("QS", fontsize=9, color=INK)
    return figure


def equal_privacy(summary: CorpusSummary, privacies: Sequence[float] = (0.5, 0.65)) -> Any:
    """Draw quality and fidelity of each method at the same privacy, with intervals."""
    curves = _curves(summary)
    figure, panels = empty_figure(1, 2 * len(privacies), (11.5, 0.9 + 0.38 * len(curves)))
    pairs = [(quality, privacy) for quality in ("qs", "chrf") for privacy in privacies]
    for place, (axes, (quality, privacy)) in enumerate(zip(panels, pairs, strict=True)):
        for row, curve in enumerate(reversed(curves)):
            _draw_dot(axes, row, curve, privacy, quality)
        axes.set_yticks(range(len(curves)))
        names = [label(curve.method) for curve in reversed(curves)]
        axes.set_yticklabels(names if place == 0 else [], fontsize=9)
        axes.set_ylim(-0.6, len(curves) - 0.4)
        axes.set_title(
            f"{'QS' if quality == 'qs' else 'chrF'} at PPS {privacy:g}",
            loc="left",
            fontsize=10,
            color=INK,
        )
        axes.tick_params(axis="y", length=0)
        axes.grid(axis="x", color="#EEEEEE")
        axes.spines["left"].set_visible(False)
    return figure


def errors(summary: CorpusSummary) -> Any:
    """Draw errors in a hundred sentences, by class, of each method near one privacy."""
    chosen = [s for curve in _curves(summary) if (s := _nearest_setting(curve)) is not None]
    figure, panels = _grid_of_panels(len(chosen), 2.6)
    names = [name.removeprefix("error_") for name in ERRORS]
    for axes, setting in zip(panels, chosen, strict=False):
        values = [100 * (setting.estimate(name).value or 0) for name in ERRORS]
        axes.barh(names[::-1], values[::-1], color=COLOURS[setting.method], height=0.66)
        for place, value in enumerate(values[::-1]):
            number = f"{value:.0f}" if value >= 1 else f"{value:.1f}"
            _note(axes, number, (value, place), (3, 0), va="center")
        title = f"{label(setting.method)}  {setting.setting}".rstrip()
        axes.set_title(title, loc="left", fontsize=9, color=COLOURS[setting.method], weight="bold")
        axes.tick_params(axis="y", length=0, labelsize=8)
        axes.set_xticks([])
        axes.spines[["left", "bottom"]].set_visible(False)
    figure.supxlabel("errors in 100 sentences, counted by rules", fontsize=9, color=INK)
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


def _grid_of_panels(count: int, height: float) -> tuple[Any, list[Any]]:
    """Make a figure of ``count`` panels, four in a row; the rest of the last row is hidden."""
    columns = min(4, count)
    rows = -(-count // columns)
    figure, panels = empty_figure(rows, columns, (2.9 * columns, height * rows), shared=True)
    for axes in panels[count:]:
        axes.set_visible(False)
    return figure, panels


def _curves(summary: CorpusSummary) -> list[Curve]:
    """Return the methods to draw, ours last and on top."""
    return [curve for curve in summary.curves if curve.method in COLOURS]


def _points(curve: Curve, quality: str) -> list[tuple[float, float]]:
    found = [(s.estimate("pps").value, s.estimate(quality).value) for s in curve.settings]
    return [(p, q) for p, q in found if p is not None and q is not None]


def _draw_frame(axes: Any, summary: CorpusSummary, quality: str, *, named: bool = True) -> None:
    """Draw the bounds of every score: no protection, and no text."""
    ceiling, best = summary.ceiling(quality).value, summary.floor("pps").value
    if ceiling is not None:
        axes.axhline(ceiling, color=QUIET, linestyle=(0, (4, 3)), linewidth=1)
    if best is not None:
        axes.axvline(best, color=QUIET, linestyle=(0, (1, 2)), linewidth=1.2)
    axes.grid(color="#F2F2F2")
    if not named:
        return
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


def _draw_dot(axes: Any, row: int, curve: Curve, privacy: float, quality: str) -> None:
    estimate = curve.quality_at(privacy, quality)
    colour = COLOURS[curve.method]
    if estimate.value is None:
        axes.annotate(
            "not reached",
            (0.02, row),
            xycoords=("axes fraction", "data"),
            fontsize=7.5,
            color="#999999",
            va="center",
        )
        return
    if estimate.low is not None:
        axes.plot([estimate.low, estimate.high], [row, row], color=colour, linewidth=2, alpha=0.5)
    axes.plot(estimate.value, row, color=colour, marker=MARKERS[curve.method], markersize=7)
    number = f"{estimate.value:.2f}" if quality == "qs" else f"{estimate.value:.0f}"
    _note(axes, number, (estimate.value, row), (0, 6), ha="center")


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


def _nearest_setting(curve: Curve) -> MeasuredSetting | None:
    """Return the setting nearest to the shown privacy; any if no questions are asked."""

    def distance(setting: MeasuredSetting) -> float:
        value = setting.estimate("pps").value
        return abs((value or 0.0) - _SHOWN_ERRORS)

    if not curve.settings:
        return None
    asked = [s for s in curve.settings if s.estimate("pps").value is not None]
    if not asked and curve.method not in FLAT:
        return curve.settings[len(curve.settings) // 2]
    return min(asked or curve.settings, key=distance)


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
