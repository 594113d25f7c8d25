"""Scores of translations against a person's, and the differences of two on the same draws.

Entry: ``compare_with_reference`` for the lines of a text, ``gain`` for methods of a sweep.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from prism_core.evaluation.overlap import measure_overlap
from prism_core.evaluation.results import signatures
from prism_core.evaluation.summary import BoundedFigure, MeasuredSetting, estimate

_DIFFERENCES = (("prism", "local"), ("prism", "remote"), ("remote", "local"))


def compare_with_reference(
    clear: Mapping[str, Sequence[str]], prism: Sequence[str | None], references: Sequence[str]
) -> dict[str, object]:
    """Compare translations with a person's, as plain data.

    ``clear`` has those of ``remote`` and perhaps ``local``, compared on ``all`` lines. ``prism``
    has None for a line that is not restored, and is compared on the ``restored``. Sacrebleu's
    ``signatures`` are added.
    """
    found: dict[str, object] = {"signatures": signatures(), "all": _compare(clear, references)}
    if restored := [text for text in prism if text is not None]:
        pick = {name: _restored(texts, prism) for name, texts in clear.items()}
        found["restored"] = _compare({**pick, "prism": restored}, _restored(references, prism))
    return found


def _restored(texts: Sequence[str], prism: Sequence[str | None]) -> list[str]:
    return [text for text, made in zip(texts, prism, strict=True) if made is not None]


def _compare(texts: Mapping[str, Sequence[str]], references: Sequence[str]) -> dict[str, object]:
    """Return ``scores`` by name, and ``differences`` by *prism - local*, each with intervals."""
    scores = {
        name: {m: asdict(figure) for m, figure in measure_overlap(lines, references).items()}
        for name, lines in texts.items()
    }
    differences = {}
    for name, other in _DIFFERENCES:
        if name in texts and other in texts:
            found = measure_overlap(texts[name], references, others=texts[other])
            gains = {m: asdict(found[f"{m}_gain"]) for m in ("chrf", "bleu")}
            differences[f"{name} - {other}"] = gains
    return {"lines": len(references), "scores": scores, "differences": differences}


def gain(setting: MeasuredSetting, other: MeasuredSetting, figure: str) -> BoundedFigure:
    """Return how much higher the figure of ``setting`` is than that of ``other``, with interval."""
    pairs = zip(setting.values(figure), other.values(figure), strict=True)
    whole, *drawn = (None if a is None or b is None else a - b for a, b in pairs)
    return estimate(whole, drawn)
