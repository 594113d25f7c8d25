"""d_X-privacy over words, exact and approximate: what comes out as it was, and what that hides.

    python -m benchmarks.dx_privacy measure --vectors glove.txt --store dx.json
    python -m benchmarks.dx_privacy draw --store dx.json            # tables, PNG and SVG beside it
    python -m benchmarks.dx_privacy speed
    python -m benchmarks.dx_privacy oracle --vectors glove.txt --python VENV/bin/python

``measure`` repeats experiments 1 (three words, a thousand draws each) and 2 (the whole vocabulary)
of "Preempting Text Sanitization Utility", with exact neighbours and with those of a forest of
random planes as annoy builds it, 50 trees; then what post-processing by ranks and the truncated
exponential mechanism do, and how well an attacker tells two words of the vocabulary apart.
``oracle`` compares our draws with those of mldp-text (an environment of its own has it). Draws are
the system's, so figures differ in the last digit. Nothing of it is private.
"""

from __future__ import annotations

import argparse
import heapq
import json
import math
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from itertools import count
from pathlib import Path
from random import Random, SystemRandom
from typing import Any

import numpy as np
from numpy.typing import NDArray

from prism_core.evaluation.near_words.word_draws import (
    DrawMethod,
    NearestRow,
    draw_noise,
    open_draws,
)
from prism_core.evaluation.near_words.word_vectors import WordVectors, read_vectors

WORDS = ("encryption", "hockey", "spacecraft")
WORD_EPSILONS = (19, 25, 35, 43)
EPSILONS = (5, 8, 10, 15, 19, 25, 35, 43)
WAYS: tuple[DrawMethod, ...] = ("noise", "ranks", "truncated")
TREES = 50
NEAR = 50
SPEEDS = ((20_000, 384), (2_000, 300))
Table = NDArray[np.float32]
Node = Any
"""A leaf is an array of rows; any other node is its plane, its offset, and two nodes."""


class Forest:
    """Approximate neighbours as annoy finds them: trees of planes between two random points, the
    most promising leaves of all trees first, until as many candidates are found as there are trees.
    """

    def __init__(self, table: Table, trees: int, rng: np.random.Generator) -> None:
        self._table, self._rng, self._leaf = table, rng, table.shape[1]
        self._roots = [self._grow(np.arange(len(table))) for _ in range(trees)]

    def _grow(self, rows: NDArray[np.intp]) -> Node:
        if len(rows) <= self._leaf:
            return rows
        one, other = self._table[self._rng.choice(rows, 2, replace=False)]
        plane, middle = one - other, (one + other) / 2
        right = self._table[rows] @ plane > plane @ middle
        if not 0.05 < right.mean() < 0.95:
            right = self._rng.random(len(rows)) < 0.5
        return plane, plane @ middle, self._grow(rows[~right]), self._grow(rows[right])

    def find(self, points: NDArray[np.float64]) -> NDArray[np.intp]:
        """A row for each point, often not the nearest."""
        return np.array([self._find(point.astype(np.float32)) for point in points])

    def _find(self, point: Table) -> int:
        tie, found = count(), np.empty(0, dtype=np.intp)
        heap = [(-math.inf, next(tie), root) for root in self._roots]
        while heap and len(found) < len(self._roots):
            priority, _, node = heapq.heappop(heap)
            if isinstance(node, np.ndarray):
                found = np.concatenate([found, node])
                continue
            plane, offset, left, right = node
            margin = float(point @ plane - offset)
            heapq.heappush(heap, (max(priority, -margin), next(tie), right))
            heapq.heappush(heap, (max(priority, margin), next(tie), left))
        return int(found[((self._table[found] - point) ** 2).sum(1).argmin()])


def perturb(table: Table, rows: NDArray[np.intp], epsilon: float, rng: Random) -> Any:
    """Algorithm 1 up to its last step."""
    return table[rows] + draw_noise(rng, len(rows), table.shape[1]) / epsilon


def measure_words(vectors: WordVectors, forest: Forest, draws: int, rng: Random) -> list[Any]:
    """Experiment 1: the four words that come out most often, by way and ε."""
    nearest, rows = NearestRow(vectors.table), []
    for word in WORDS:
        place = vectors.words.index(word)
        for epsilon in WORD_EPSILONS:
            points = perturb(vectors.table, np.full(draws, place), epsilon, rng)
            for name, finder in (("exact", nearest), ("approximate", forest)):
                drawn = Counter(vectors.words[row] for row in finder.find(points))
                top = drawn.most_common(4)
                rows.append({"word": word, "epsilon": epsilon, "search": name, "top": top})
    return rows


def measure_vocabulary(
    vectors: WordVectors, forest: Forest, some: int, of: int | None, rng: Random
) -> list[dict[str, Any]]:
    """Experiment 2: the share of words unchanged, and of those changed, near ones; exact for ``of``
    words of the vocabulary (None: all), else for ``some``, drawn evenly."""
    table, rows = vectors.table, []
    every = np.array(rng.sample(range(len(table)), of or len(table)))
    chosen = every[:some]
    reach = radii(table, chosen)
    for epsilon in EPSILONS:
        drawn = open_draws(table, epsilon).draw(every, rng)
        rows.append(_row(epsilon, "exact", every, drawn, table, chosen, reach))
        found = forest.find(perturb(table, chosen, epsilon, rng))
        rows.append(_row(epsilon, "approximate", chosen, found, table, chosen, reach))
        for way in WAYS[1:]:
            found = open_draws(table, epsilon, way=way).draw(chosen, rng)
            rows.append(_row(epsilon, way, chosen, found, table, chosen, reach))
    return rows


def radii(table: Table, rows: NDArray[np.intp]) -> NDArray[np.float64]:
    """How far the ``NEAR`` nearest other words of each of ``rows`` reach."""
    squares = (table**2).sum(1)
    parts = []
    for some in np.array_split(rows, max(1, len(rows) // 256)):
        apart = squares[some][:, None] + squares - 2 * table[some] @ table.T
        parts.append(np.partition(apart, NEAR, axis=1)[:, NEAR])
    return np.sqrt(np.maximum(np.concatenate(parts), 0.0))


def _row(
    epsilon: float,
    way: str,
    rows: NDArray[np.intp],
    drawn: NDArray[np.intp],
    table: Table,
    chosen: NDArray[np.intp],
    reach: NDArray[np.float64],
) -> dict[str, Any]:
    to = drawn[: len(chosen)]
    changed = to != chosen
    apart = np.linalg.norm(table[to[changed]] - table[chosen[changed]], axis=1)
    near = float((apart <= reach[changed] * (1 + 1e-6)).mean()) if changed.any() else None
    unchanged = float((drawn == rows).mean())
    return {
        "epsilon": epsilon,
        "way": way,
        "words": len(rows),
        "unchanged": unchanged,
        "near": near,
    }


def measure_strength(
    vectors: WordVectors, pairs: int, draws: int, rng: Random
) -> list[dict[str, Any]]:
    """How well two random words are told apart: TPR − FPR, the mean of ``pairs``.

    For ``truncated`` it is exact (total variation). For the others the attacker guesses the word
    that what came out is nearer to, so a lower bound. ``bound`` is what ε d allows at most.
    """
    table, rows = vectors.table, []
    places = np.array([rng.sample(range(len(table)), 2) for _ in range(pairs)])
    apart = np.linalg.norm(table[places[:, 0]] - table[places[:, 1]], axis=1)
    for epsilon in EPSILONS:
        for way in WAYS:
            made = open_draws(table, epsilon, way=way)
            if way == "truncated":
                one, other = (made.chances(places[:, side]) for side in (0, 1))
                gained = np.abs(one - other).sum(1) / 2
            else:
                gained = sum(_told(made, table, places, side, draws, rng) for side in (0, 1)) - 1
            bound = float(np.tanh(epsilon * apart / 2).mean())
            row = {"epsilon": epsilon, "way": way, "advantage": float(np.mean(gained))}
            rows.append({**row, "bound": bound, "distance": float(np.median(apart))})
    return rows


def _told(
    made: Any, table: Table, places: NDArray[np.intp], side: int, draws: int, rng: Random
) -> Any:
    drawn = made.draw(np.repeat(places[:, side], draws), rng)
    own, others = (np.repeat(places[:, at], draws) for at in (side, 1 - side))
    nearer = np.linalg.norm(table[drawn] - table[own], axis=1)
    farther = np.linalg.norm(table[drawn] - table[others], axis=1)
    return (nearer < farther).reshape(len(places), draws).mean(1)


def measure(
    vectors: Path | None, store: Path, some: int, of: int | None, draws: int = 1000
) -> None:
    """Both experiments and the strength, into ``store``."""
    found, rng = read_vectors(vectors), SystemRandom()
    forest = Forest(found.table, TREES, np.random.default_rng(1))
    results = {
        "vectors": {"words": len(found.words), "dimensions": found.table.shape[1]},
        "words": measure_words(found, forest, draws, rng),
        "vocabulary": measure_vocabulary(found, forest, some, of, rng),
        "strength": measure_strength(found, 40, max(1, draws // 50), rng),
    }
    store.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")


def write_tables(results: dict[str, Any]) -> str:
    """What was found, in Markdown."""
    about = results["vectors"]
    lines = ["# d_X-privacy over words: the tables", ""]
    lines += [f"{about['words']:,} words, {about['dimensions']} dimensions.", ""]
    lines += ["| ε | word | exact | approximate |", "| --- | --- | --- | --- |"]
    tops = {(r["word"], r["epsilon"], r["search"]): r["top"] for r in results["words"]}
    for epsilon in WORD_EPSILONS:
        for word in WORDS:
            both = (tops[word, epsilon, search] for search in ("exact", "approximate"))
            cells = (", ".join(f"{times} {drawn}" for drawn, times in top) for top in both)
            lines.append(f"| {epsilon} | {word} | {' | '.join(cells)} |")
    shares = {(r["epsilon"], r["way"]): r for r in results["vocabulary"]}
    ways = ("exact", "approximate", "ranks", "truncated")
    lines += ["", f"Share unchanged %, and of those changed, among the {NEAR} nearest %:", ""]
    lines += [f"| ε | {' | '.join(ways)} |", "| --- |" + " --- |" * len(ways)]
    for epsilon in EPSILONS:
        cells = (_cell(shares[epsilon, way]) for way in ways)
        lines.append(f"| {epsilon} | {' | '.join(cells)} |")
    gains = {(r["epsilon"], r["way"]): r for r in results["strength"]}
    distance = results["strength"][0]["distance"]
    lines += [
        "",
        f"Advantage of an attacker over two random words (median distance {distance:.1f}):",
    ]
    lines += ["", f"| ε | bound | {' | '.join(WAYS)} |", "| --- |" + " --- |" * (len(WAYS) + 1)]
    for epsilon in EPSILONS:
        cells = (f"{gains[epsilon, way]['advantage']:.3f}" for way in WAYS)
        lines.append(
            f"| {epsilon} | {gains[epsilon, 'noise']['bound']:.3f} | {' | '.join(cells)} |"
        )
    return "\n".join(lines) + "\n"


def _cell(row: dict[str, Any]) -> str:
    near = "–" if row["near"] is None else f"{100 * row['near']:.0f}"
    return f"{100 * row['unchanged']:.1f}, {near}"


def draw(store: Path) -> None:
    """Tables as Markdown, and two figures, beside ``store``. The same results, the same files."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    results = json.loads(store.read_text(encoding="utf-8"))
    store.with_suffix(".md").write_text(write_tables(results), encoding="utf-8")
    plt.rcParams["svg.hashsalt"] = "dx"
    figure, (left, right) = plt.subplots(1, 2, figsize=(10, 4))
    styles = {"exact": "#0072B2", "approximate": "#D55E00", "ranks": "#009E73", "noise": "#0072B2"}
    for axes, rows, value in (
        (left, results["vocabulary"], "unchanged"),
        (right, results["strength"], "advantage"),
    ):
        for way in dict.fromkeys(row["way"] for row in rows):
            curve = [(row["epsilon"], row[value]) for row in rows if row["way"] == way]
            colour = styles.get(way, "#CC79A7")
            axes.plot(*zip(*curve, strict=True), "o-", label=way, color=colour, markersize=4)
        axes.set(xlabel="ε per unit of Euclid's distance", ylim=(-0.02, 1.02))
        axes.grid(alpha=0.3)
        axes.legend()
    left.set_title("Share of words that come out as they were")
    right.set_title("Two random words told apart: TPR − FPR")
    figure.tight_layout()
    for kind, metadata in ((".png", {"Software": None}), (".svg", {"Date": None})):
        figure.savefig(store.with_suffix(kind), metadata=metadata, dpi=110)


def measure_speed(rows: int, dimensions: int, queries: int) -> None:
    """Words a second of processor time, in turns: ours, a plain loop over products of 64 with all
    that is far, and what the product of matrices alone would allow, which is no search at all."""
    make = np.random.default_rng(1)
    table = (make.normal(size=(rows, dimensions)) / 14).astype(np.float32)
    points = table[make.integers(0, rows, queries)] + make.normal(size=(queries, dimensions)) / 5
    ours, squares = NearestRow(table), (table**2).sum(1)
    columns, out = np.ascontiguousarray(table.T), np.empty((512, rows), np.float32)

    def plain(some: Any) -> Any:
        parts = (some[at : at + 64].astype(np.float32) for at in range(0, len(some), 64))
        return np.concatenate([(squares - 2 * part @ table.T).argmin(1) for part in parts])

    def product(some: Any) -> None:
        for part in np.split(some.astype(np.float32), range(512, len(some), 512)):
            np.matmul(part, columns, out=out[: len(part)])

    for name, find in [("plain", plain), ("ours", ours.find), ("product alone", product)] * 3:
        cpu = time.process_time()
        find(points)
        cpu = time.process_time() - cpu
        speed = 2 * rows * dimensions * queries / cpu / 1e9
        print(
            f"{rows:,} x {dimensions}, {name}: {queries / cpu:,.0f} words/s of processor, "
            f"{speed:.0f} GFLOP/s",
            flush=True,
        )


def compare_kernels(queries: int) -> None:
    """``measure_speed`` with one thread, as a worker has it: by the kernels that OpenBLAS chooses
    for the processor, and, if the environment names others, by those."""
    chosen = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    named = chosen.pop("OPENBLAS_CORETYPE", None)
    kinds = {"that OpenBLAS chooses": chosen}
    if named is not None:
        kinds[named] = {**chosen, "OPENBLAS_CORETYPE": named}
    for title, environment in kinds.items():
        print(f"kernels {title}:", flush=True)
        for rows, dimensions in SPEEDS:
            call = f"measure_speed({rows}, {dimensions}, {queries})"
            code = f"from benchmarks.dx_privacy import measure_speed; {call}"
            subprocess.run([sys.executable, "-c", code], env=environment, check=True)


_ORACLE = """
import sys, json
import numpy as np, gensim.models, mldp_text.mechanisms as m
from collections import Counter
table = gensim.models.KeyedVectors.load_word2vec_format(sys.argv[1])
words, draws, epsilon = json.loads(sys.argv[2]), int(sys.argv[3]), float(sys.argv[4])
np.random.seed(None)
made = m.MultivariateCalibrated(epsilon, table, dim=table.vector_size, use_faiss=False)
print(json.dumps({w: Counter(made.replace_word(w) for _ in range(draws)) for w in words}))
"""


def compare_with_oracle(vectors: Path | None, python: Path, epsilon: float, draws: int) -> None:
    """Chi-square over what a word becomes, ours against mldp-text's loop, and against ours at an ε
    a tenth larger, which it must tell apart; over 1,500 words and 50 dimensions, since the loop
    factors a matrix for each draw."""
    found, rng = read_vectors(vectors), SystemRandom()
    words, table = found.words[:1500], found.table[:1500, :50]
    asked = ["time", "people", "water", "money", "music"]
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "words.txt"
        lines = (
            f"{w} {' '.join(map(repr, r))}" for w, r in zip(words, table.tolist(), strict=True)
        )
        file.write_text(f"1500 {table.shape[1]}\n" + "\n".join(lines) + "\n", encoding="utf-8")
        command = [python, "-c", _ORACLE, file, json.dumps(asked), str(draws), str(epsilon)]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
    theirs = json.loads(done.stdout.splitlines()[-1])
    for name, ours_at in (("same ε", epsilon), ("ε larger by a tenth", 1.1 * epsilon)):
        made = open_draws(table, ours_at)
        statistic, freedom = 0.0, 0
        for word in asked:
            drawn = made.draw(np.full(draws, words.index(word)), rng)
            ours = Counter(words[row] for row in drawn)
            one, two = _chi_square(ours, Counter(theirs[word]))
            statistic, freedom = statistic + one, freedom + two
        normal = ((statistic / freedom) ** (1 / 3) - 1 + 2 / (9 * freedom)) / math.sqrt(
            2 / (9 * freedom)
        )
        print(
            f"{name}: chi-square {statistic:.1f}, {freedom} degrees of freedom, z = {normal:+.2f}"
        )


def _chi_square(one: Counter[str], other: Counter[str]) -> tuple[float, int]:
    """Of two samples of one size; what is rare in both counts together."""
    both = one + other
    cells = [(one[word], other[word]) for word, times in both.items() if times >= 10]
    cells.append((one.total() - sum(a for a, _ in cells), other.total() - sum(b for _, b in cells)))
    return sum((a - b) ** 2 / (a + b) for a, b in cells if a + b), len(cells) - 1


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description="d_X-privacy over words")
    parser.add_argument("what", choices=("measure", "draw", "speed", "oracle"))
    parser.add_argument("--vectors", type=Path)
    parser.add_argument("--store", type=Path, default=Path("docs/evaluation/dx.json"))
    parser.add_argument("--some", type=int, default=2000, help="words where not all are drawn for")
    parser.add_argument("--of", type=int, help="words that exact search draws for (default: all)")
    parser.add_argument("--python", type=Path, help="of an environment with mldp-text")
    parser.add_argument("--epsilon", type=float, default=10.0)
    parser.add_argument("--draws", type=int, default=1000)
    given = parser.parse_args()
    if given.what == "measure":
        measure(given.vectors, given.store, given.some, given.of)
    elif given.what == "draw":
        draw(given.store)
    elif given.what == "speed":
        compare_kernels(2048)
    else:
        compare_with_oracle(given.vectors, given.python, given.epsilon, given.draws)


if __name__ == "__main__":
    main()
