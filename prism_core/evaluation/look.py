"""The look of the figures: an empty figure, how it is saved (optional extra)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from prism_core.errors import ConfigurationError

QUIET = "#B8B8B8"
INK = "#333333"


def empty_figure(
    rows: int, columns: int, size: tuple[float, float], *, shared: bool = False
) -> tuple[Any, list[Any]]:
    """An empty figure in the house's look, and its axes."""
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ModuleNotFoundError:
        raise ConfigurationError(
            "Figures are drawn with matplotlib, which is optional. Install it: "
            "pip install 'prism-translate[evaluation]'"
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
    axes = [one for row in found for one in row]
    for one in axes:
        one.spines[["top", "right"]].set_visible(False)
        one.tick_params(labelsize=8)
    return figure, axes


def save_figure(figure: Any, place: Path) -> Path:
    """``place`` with both endings; nothing in the files tells of the moment they were drawn."""
    place.parent.mkdir(parents=True, exist_ok=True)
    picture = place.with_name(f"{place.name}.png")
    figure.savefig(picture, dpi=160, metadata={"Software": None}, facecolor="white")
    figure.savefig(place.with_name(f"{place.name}.svg"), metadata={"Date": None})
    return picture
