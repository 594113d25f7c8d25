"""Overlap of translations with a person's, and the differences of two on the same draws.

BLEU and chrF have percentile bootstraps over groups (documents, or sentences where there are none)
as intervals; two translators are judged on the same draws.

Entry: ``measure_overlap`` of translations with references; ``compare_with_reference`` for the lines
of a text, ``gain`` for methods of a sweep.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

import numpy as np

from prism_core.evaluation.metrics import METRICS, signatures
from prism_core.evaluation.summary import DRAWS, BoundedFigure, MeasuredSetting, estimate, weights

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
            differences[f"{name} - {other}"] = {
                metric.name: asdict(found[f"{metric.name}_gain"]) for metric in METRICS
            }
    return {"lines": len(references), "scores": scores, "differences": differences}


def gain(setting: MeasuredSetting, other: MeasuredSetting, figure: str) -> BoundedFigure:
    """Return how much higher the figure of ``setting`` is than that of ``other``, with interval."""
    pairs = zip(setting.values(figure), other.values(figure), strict=True)
    whole, *drawn = (None if a is None or b is None else a - b for a, b in pairs)
    return estimate(whole, drawn)


def measure_overlap(
    texts: Sequence[str],
    references: Sequence[str],
    *,
    groups: Sequence[object] | None = None,
    others: Sequence[str] | None = None,
) -> dict[str, BoundedFigure]:
    """Return the score of ``texts``, with a reference each, by the name of each metric.

    With ``others``, another translator's output for the same, also ``NAME_gain`` over it.
    ``groups`` names for each text the group it is drawn with. Raises ``ConfigurationError`` where
    sacrebleu is not installed.
    """
    names = list(range(len(texts)) if groups is None else groups)
    places = [
        [n for n, name in enumerate(names) if name == group] for group in dict.fromkeys(names)
    ]
    draws = weights(len(places), DRAWS)
    found = {}
    for metric in METRICS:
        ours, theirs = (
            [metric.score(row) for row in (sums.sum(0), *(draws @ sums))]
            for sums in (
                np.array(
                    [
                        metric.count([of[n] for n in at], [references[n] for n in at])
                        for at in places
                    ]
                )
                for of in (texts, others or texts)
            )
        )
        found[metric.name] = estimate(ours[0], ours[1:])
        if others is not None:
            gains = [mine - other for mine, other in zip(ours, theirs, strict=True)]
            found[f"{metric.name}_gain"] = estimate(gains[0], gains[1:])
    return found
