"""Draw ``docs/images/frontier.svg``: what hiding costs, from the figures in the table of README.md.

    python -m benchmarks.frontier_picture

Entry: ``main`` -> ``read_points`` -> ``draw``.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

import matplotlib as mpl

mpl.use("svg")
from matplotlib import pyplot as plt

ROOT = Path(__file__).parents[1]
PICTURE = ROOT / "docs/images/frontier.svg"
INK, LOCAL, SENT = "#333333", "#1B7F5C", "#2F5D9B"
OFFSETS = {
    "light": (6, -16, "left"),
    "standard": (4, 14, "right"),
    "strongest": (-8, -14, "right"),
    "local": (-8, -4, "right"),
}


class Point(NamedTuple):
    """A strength: the share of words with meaning it hides, in %, and its chrF to a person."""

    strength: str
    hidden: float
    chrf: float


def read_points(readme: str) -> list[Point]:
    """Return the rows of the table under *What hiding costs*."""
    section = readme.split("## What hiding costs")[1].split("\n## ")[0]
    row = re.compile(r"^\| `?([\w-]+)`? \|[^|]*?([\d.]+) %[^|]*\| ([\d.]+) \|", re.MULTILINE)
    return [
        Point(name, 100 - float(clear), float(chrf)) for name, clear, chrf in row.findall(section)
    ]


def draw(points: list[Point]) -> None:
    """Draw ``points`` into the picture, the same bytes for the same points."""
    plt.rcParams.update({"svg.hashsalt": "frontier", "svg.fonttype": "none", "font.size": 10})
    figure, axes = plt.subplots(figsize=(6, 3.4), facecolor="white", layout="constrained")
    sent = [point for point in points if point.strength != "local"]
    axes.plot([p.hidden for p in sent], [p.chrf for p in sent], color=SENT, marker="o", lw=1)
    for point in points:
        is_local = point.strength == "local"
        if is_local:
            axes.plot(point.hidden, point.chrf, color=LOCAL, marker="D", clip_on=False)
        x, y, side = OFFSETS.get(point.strength, (8, 4, "left"))
        label = "local: nothing leaves" if is_local else point.strength
        colour, place = LOCAL if is_local else INK, (point.hidden, point.chrf)
        axes.annotate(
            label, place, xytext=(x, y), textcoords="offset points", ha=side, color=colour
        )
    axes.set(xlim=(0, 103), ylim=(58, 72))
    axes.set_xlabel("words with meaning that are hidden, %", color=INK)
    axes.set_ylabel("chrF to a person", color=INK)
    axes.tick_params(colors=INK)
    axes.spines[["top", "right"]].set_visible(False)
    figure.savefig(PICTURE, metadata={"Date": None, "Creator": None})


def main() -> None:
    """Draw the picture from README.md."""
    draw(read_points((ROOT / "README.md").read_text(encoding="utf-8")))


if __name__ == "__main__":
    main()
