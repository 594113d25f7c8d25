"""Summaries of stored sums: figures with intervals, areas, equal privacy.

Entry: ``summaries``; a ``CorpusSummary`` has a ``Curve`` for each method, and that a
``MeasuredSetting`` for each strength, which works its ``FIGURES`` out of sums on demand.

Intervals come of drawing documents again: the percentile bootstrap, over stories and not questions.
The questions about one story stand or fall together, so it is stories that are drawn. All methods
of a corpus are judged on the same draws, so that what tells two of them apart is not the draw.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from prism_core.evaluation.error_classes import ERRORS
from prism_core.evaluation.methods import FRAME
from prism_core.evaluation.metrics import METRICS, Metric
from prism_core.evaluation.results import (
    AGAINST,
    PLACES,
    Provenance,
    Result,
    Table,
    span,
)

Sums = NDArray[np.float64]
"""Row of ``COLUMNS``: the sums of some documents."""

PRIVACIES = (0.5, 0.6, 0.65, 0.7)
"""Privacy scores at which methods are compared."""
OURS = "prism-star-threshold"
BASELINE = "local"
"""Method whose quality any other must exceed: it exposes nothing."""
FLAT = (*FRAME, BASELINE, "identifiers-only")
"""Methods without a strength: points, and no curves."""


def _share(part: str, whole: str) -> Callable[[Sums], float | None]:
    def of(sums: Sums) -> float | None:
        total = sums[PLACES[whole]]
        return float(sums[PLACES[part]] / total) if total else None

    return of


def _compared(metric: Metric, against: str) -> Callable[[Sums], float]:
    return lambda sums: metric.score(sums[span(metric, against)])


_RIGHT = _share("adversary_right", "questions")
FIGURES: Mapping[str, Callable[[Sums], float | None]] = {
    "pps": lambda sums: None if (right := _RIGHT(sums)) is None else 1 - right,
    "qs": _share("reader_right", "questions"),
    **{f"{a}{m.name}": _compared(m, a) for a in AGAINST for m in METRICS},
    "restored_at_once": _share("restored_at_once", "sent"),
    "untranslated": _share("untranslated_words", "content_words"),
    "surviving": _share("surviving_identifiers", "identifiers"),
    "withheld": _share("withheld", "sentences"),
    "left": _share("left", "sentences"),
    "unread_by_adversary": _share("adversary_unread", "questions"),
    "unread_by_reader": _share("reader_unread", "questions"),
    "sentences_with_errors": _share("sentences_with_errors", "sentences"),
    **{name: _share(name, "sentences") for name in ERRORS},
}
"""Figures computed from sums; None or nan if there is nothing to count."""
QUALITIES = ("qs", "chrf")
"""Figures compared at equal privacy."""


@dataclass(frozen=True)
class MeasuredSetting:
    """Method at one strength: all its ``repeats`` runs together."""

    method: str
    setting: str
    repeats: int
    table: Table
    draws: Weights
    _known: dict[str, tuple[float | None, ...]] = field(default_factory=dict, init=False)

    def values(self, figure: str) -> tuple[float | None, ...]:
        """Return the figure on all documents, and then on each draw of them."""
        if figure not in self._known:
            rows = [self.table.sum(0), *np.asarray(self.draws @ self.table)]
            found = (FIGURES[figure](row) for row in rows)
            self._known[figure] = tuple(
                None if value is None or np.isnan(value) else value for value in found
            )
        return self._known[figure]

    def estimate(self, figure: str) -> BoundedFigure:
        """Return the figure with its interval."""
        whole, *drawn = self.values(figure)
        return estimate(whole, drawn)


@dataclass(frozen=True)
class Curve:
    """Method over the sweep of its strength."""

    method: str
    settings: tuple[MeasuredSetting, ...]
    _known: dict[str, list[list[Point]]] = field(default_factory=dict, init=False)

    def qualities_at(self, pps: float, quality: str) -> list[float | None]:
        """Return ``quality`` at a privacy of ``pps``, on all documents and on each draw."""
        return [quality_at(points, pps) if points else None for points in self._points(quality)]

    def area(self) -> BoundedFigure:
        """AUPQC with its interval; not defined where nothing is asked."""
        whole, *drawn = (aupqc(points) if points else None for points in self._points("qs"))
        return estimate(whole, drawn)

    def quality_at(self, pps: float, quality: str = "qs") -> BoundedFigure:
        """Return QS@p, or chrF at p, with its interval; undefined beyond the curve's end."""
        whole, *drawn = self.qualities_at(pps, quality)
        return estimate(whole, drawn)

    def _points(self, quality: str) -> list[list[Point]]:
        """Return the points of the curve on all documents, and on each draw of them."""
        if quality not in self._known:
            columns = [
                zip(setting.values("pps"), setting.values(quality), strict=True)
                for setting in self.settings
            ]
            self._known[quality] = [
                [Point(p, q) for p, q in row if p is not None and q is not None]
                for row in zip(*columns, strict=True)
            ]
        return self._known[quality]


def advantage(other: Curve, ours: Curve, pps: float, quality: str) -> BoundedFigure:
    """Return how much better ``ours`` is than ``other`` at a privacy of ``pps``."""
    pairs = zip(ours.qualities_at(pps, quality), other.qualities_at(pps, quality), strict=True)
    whole, *drawn = (None if a is None or b is None else a - b for a, b in pairs)
    return estimate(whole, drawn)


@dataclass(frozen=True)
class CorpusSummary:
    """Measurements over one corpus by one panel, with one translator."""

    corpus: str
    panel: str
    translator: str
    languages: str
    documents: int
    questions: int
    curves: tuple[Curve, ...]
    made: tuple[Provenance, ...]
    seeds: tuple[int, ...]

    def curve(self, method: str) -> Curve | None:
        """Return the curve of a method, if it was measured."""
        return next((curve for curve in self.curves if curve.method == method), None)

    @property
    def settings(self) -> list[MeasuredSetting]:
        """Every method at every strength."""
        return [setting for curve in self.curves for setting in curve.settings]

    def floor(self, figure: str) -> BoundedFigure:
        """Return the result without any text: the best PPS there is, and the worst QS."""
        return self._of("empty", figure)

    def ceiling(self, figure: str) -> BoundedFigure:
        """Return the result of sending the source: the worst PPS there is, and the best QS."""
        return self._of("plain", figure)

    def provenance(self) -> list[str]:
        """Describe what was measured, by whom, when, where and with what, a line each."""
        days = sorted(origin.date[:10] for origin in self.made)
        machines = sorted({origin.machine for origin in self.made})
        versions = {
            f"{name} {number}" for origin in self.made for name, number in origin.versions.items()
        }
        cpu = sum(origin.cpu_seconds for origin in self.made)
        intervals = "No intervals: there is a single document."
        if self.documents > 1:
            intervals = (
                f"Intervals: percentile bootstrap over the {self.documents} documents, {DRAWS} "
                f"draws (seed {SEED}), 95 %."
            )
        asked = f", {self.questions} questions" if self.questions else ", nothing asked"
        frame = "Nothing is asked about this corpus, so it has no PPS and no QS."
        if self.questions:
            frame = (
                f"An empty text has PPS {self.floor('pps')} and QS {self.floor('qs')}: no method "
                "can hide more, and none should be read without it. The source itself has PPS "
                f"{self.ceiling('pps')} and QS {self.ceiling('qs')}."
            )
        seeds = ", ".join(map(str, self.seeds))
        signatures = dict(item for origin in self.made for item in origin.signatures.items())
        return [
            f"Corpus: {self.corpus}, {self.documents} documents{asked}, {self.languages}.",
            f"Translator: {self.translator}. Adversary and reader: {self.panel}.",
            frame,
            f"{intervals} Substitutes drawn with seeds {seeds}.",
            f"Measured {days[0]}{'' if days[0] == days[-1] else f' to {days[-1]}'} on "
            f"{'; '.join(machines)}: {cpu:,.0f} s of processor time in {len(self.made)} runs.",
            f"Versions: {', '.join(sorted(versions))}.",
            *(f"{name}: {signature}." for name, signature in signatures.items()),
        ]

    @property
    def baseline(self) -> MeasuredSetting | None:
        """Return the model on this machine in clear, if it was measured."""
        curve = self.curve(BASELINE)
        return curve.settings[0] if curve else None

    @property
    def has_references(self) -> bool:
        """True if a person's translation of the corpus was compared."""
        return any(s.estimate("human_chrf").value is not None for s in self.settings)

    def _of(self, method: str, figure: str) -> BoundedFigure:
        curve = self.curve(method)
        return curve.settings[0].estimate(figure) if curve else NOT_DEFINED


def summaries(results: Iterable[Result], order: Sequence[str] = ()) -> list[CorpusSummary]:
    """Summarise each corpus, number of documents, panel and translator among ``results``.

    ``order`` is that of the methods; those it does not name come last. Of a method at one strength
    the runs with the latest version of dictionary, code and language model count, all others not.
    """
    groups: dict[tuple[object, ...], list[Result]] = defaultdict(list)
    for result in results:
        run = result.run
        groups[
            run.corpus, run.corpus_digest, run.documents, run.panel, run.translator, run.languages
        ].append(result)
    found = []
    for group in groups.values():
        latest = {
            (result.run.method, result.run.setting): (result.run.version, result.run.model)
            for result in sorted(group, key=lambda result: result.provenance.date)
        }
        counting = [
            result
            for result in group
            if latest[result.run.method, result.run.setting]
            == (result.run.version, result.run.model)
        ]
        found.append(_summary(counting, order))
    return found


def _summary(group: Sequence[Result], order: Sequence[str]) -> CorpusSummary:
    run = group[0].run
    draws = weights(run.documents) if run.documents > 1 else np.zeros((0, run.documents))
    known = {name: place for place, name in enumerate(order)}
    strengths: dict[tuple[str, str], list[Table]] = defaultdict(list)
    for member in group:
        strengths[member.run.method, member.run.setting].append(member.table)
    curves: dict[str, list[MeasuredSetting]] = defaultdict(list)
    for method, name in sorted(
        strengths,  # by the number in r=0.5
        key=lambda key: (known.get(key[0], 99), key[0], float(key[1].partition("=")[2] or 0)),
    ):
        tables = strengths[method, name]
        setting = MeasuredSetting(method, name, len(tables), np.sum(tables, axis=0), draws)
        curves[method].append(setting)
    return CorpusSummary(
        corpus=run.corpus,
        panel=run.panel,
        translator=run.translator,
        languages=run.languages,
        documents=run.documents,
        questions=int(group[0].table[:, PLACES["questions"]].sum()),
        curves=tuple(Curve(method, tuple(settings)) for method, settings in curves.items()),
        made=tuple(member.provenance for member in group),
        seeds=tuple(sorted({member.run.seed for member in group})),
    )


Weights = NDArray[np.float64]
"""Counts of each document in each draw: a row a draw."""

DRAWS = 1_000
SEED = 160
CONFIDENCE = 0.95
DEFINED = 0.95
"""Share of the draws in which a figure must be defined to have an interval."""


@dataclass(frozen=True, slots=True)
class BoundedFigure:
    """Figure with the bounds between which 95 % of the draws lie.

    ``value`` is None where the figure is not defined (nothing was asked, or the curve ends before);
    ``low`` and ``high`` are None there, for a single document, and where too many draws have none.
    """

    value: float | None
    low: float | None = None
    high: float | None = None

    def __str__(self) -> str:
        return self.written()

    def written(self, digits: int = 3) -> str:
        """Format the figure and its bounds for a table; a dash if undefined."""
        if self.value is None:
            return "–"
        bounds = (
            f" [{self.low:.{digits}f}, {self.high:.{digits}f}]"
            if self.low is not None and self.high is not None
            else ""
        )
        return f"{self.value:.{digits}f}{bounds}"


NOT_DEFINED = BoundedFigure(None)


def weights(documents: int, draws: int = DRAWS, seed: int = SEED) -> Weights:
    """Draw ``draws`` samples of ``documents``, with repetition."""
    rng = np.random.default_rng(seed)
    chances = np.full(documents, 1 / documents)
    return rng.multinomial(documents, chances, size=draws).astype(np.float64)


def estimate(value: float | None, drawn: Sequence[float | None]) -> BoundedFigure:
    """Return ``value`` with the percentile interval of the draws."""
    known = np.array([figure for figure in drawn if figure is not None], dtype=np.float64)
    known = known[np.isfinite(known)]
    if value is None or not np.isfinite(value):
        return NOT_DEFINED
    if not len(drawn) or len(known) < DEFINED * len(drawn):
        return BoundedFigure(value)
    tail = 100 * (1 - CONFIDENCE) / 2
    low, high = np.percentile(known, [tail, 100 - tail])
    return BoundedFigure(value, float(low), float(high))


@dataclass(frozen=True, slots=True, order=True)
class Point:
    """Setting of a method: its privacy score in [0, 1], and its quality.

    Quality is the score QS, also in [0, 1], or any other figure that should be compared at equal
    privacy (chrF).
    """

    pps: float
    qs: float


def aupqc(points: Iterable[Point]) -> float:
    """Return the area under the privacy-quality curve: Algorithm 3 of the PRISM paper.

    The points are taken in increasing order of privacy; left of the first the curve is flat, right
    of the last there is none. Methods that reach different privacies have areas over different
    ranges: compare at equal privacy too (``quality_at``). Raises ``ValueError`` without a point.
    """
    ordered = _order(points)
    area = ordered[0].pps * ordered[0].qs
    for left, right in pairwise(ordered):
        area += (right.pps - left.pps) * (left.qs + right.qs) / 2
    return area


def quality_at(points: Iterable[Point], pps: float) -> float | None:
    """Return QS@p: the quality of a method whose privacy score is at least ``pps``.

    Linear between neighbouring points; left of the first it is that point's, as in Algorithm 3.
    None where the curve has ended: the method was not seen to reach that privacy at any setting,
    and nothing is extrapolated. Raises ``ValueError`` without a point.
    """
    ordered = _order(points)
    if pps <= ordered[0].pps:
        return ordered[0].qs
    for left, right in pairwise(ordered):
        if left.pps < pps <= right.pps:
            share = (pps - left.pps) / (right.pps - left.pps)
            return left.qs + share * (right.qs - left.qs)
    return None


def _order(points: Iterable[Point]) -> list[Point]:
    ordered = sorted(points)
    if not ordered:
        raise ValueError("A curve needs at least one point.")
    return ordered
