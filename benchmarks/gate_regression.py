"""The regression of the d_X paper on our data: can what is lost be predicted, and by what?

    python -m benchmarks.gate_regression [--lines N] [--keep FILE] [--json]

The paper predicts how alike a model's summaries of a text and of its sanitised form are, by A) the
ε of the mechanism, B) how alike the text and a small local model's work on it are, C) the same with
the sanitised text. Here the task is translation: documents of WMT 2008 to 2012 (English to Spanish,
Apertium) under PRISM-R at nine strengths; predicted is the loss in chrF after decoding, against the
translation of another system. The local model is a round trip, English to Spanish to English, by
Apertium; B and C are the chrF of what comes back against the text. Beside them the gate's own
features, which cost nothing. Boosted trees of depth 2, in NumPy; each document is predicted by
trees that saw nothing of it. Intervals: 95 %, bootstrap over documents. ``--keep`` stores the rows.
"""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from benchmarks.measure import argument_parser, show
from prism_core.encoding import Encoder, load_encoder
from prism_core.evaluation.corpora import RawDocument, Texts, prepare
from prism_core.evaluation.gate_observations import Bundle, read_bundles
from prism_core.evaluation.metrics import CHRF
from prism_core.evaluation.recovery_fitting import TOO_LOSSY, area_under_curve
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.recovery import FEATURES, Trials
from prism_core.settings import MechanismSettings, TranslatorSettings, load_settings
from prism_core.translators import make_translator

Rows = NDArray[np.float64]
SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
SETS = ("wmt08", "wmt09", "wmt10", "wmt11", "wmt12")
PROBABILITIES = tuple(step / 10 for step in range(1, 10))
COLUMNS = ("A", "B", "C", *FEATURES)
CHOICES = {
    "A, B, C": ("A", "B", "C"),
    "without B": ("A", "C"),
    "without C": ("A", "B"),
    "A alone": ("A",),
    "A and the gate's": ("A", *FEATURES),
    "the gate's alone": FEATURES,
    "all": COLUMNS,
}
FOLDS, ROUNDS, RATE, BINS, LEAF = 5, 120, 0.1, 16, 8
DRAWS = 400


def ask(source: str, target: str) -> Callable[[Sequence[str]], list[str]]:
    """Apertium from ``source`` to ``target``, some hundred texts at a time."""
    translator = make_translator(TranslatorSettings.choose(name="apertium"), source, target)

    async def answer(texts: Sequence[str]) -> list[str]:
        found: list[str] = []
        for start in range(0, len(texts), 200):
            found += await translator.translate(texts[start : start + 200], source, target)
        return found

    return lambda texts: asyncio.run(answer(texts))


def score(texts: Sequence[str], references: Sequence[str]) -> float:
    """Return the chrF of a document, in [0, 100]."""
    return CHRF.compare(texts, references)


def measure(bundles: Sequence[Bundle], model: LanguageModel) -> Iterator[dict[str, object]]:
    """Yield a row for each document and strength: its columns, and what was lost."""
    there, back = ask("en", "es"), ask("es", "en")
    raw = tuple(RawDocument(one.name, one.lines, one.references) for one in bundles)
    corpus = prepare(Texts("regression", raw, True, ""), model, there, frozenset())
    returned = back(corpus.direct)
    settings = load_settings(flags={"translator.name": "apertium"}, asks_nobody=True)
    for chance in PROBABILITIES:
        chosen = MechanismSettings.choose(name="prism-r", replace_probability=chance)
        encoder = load_encoder(settings.model_copy(update={"mechanism": chosen}), model.retag)
        sent, decoded, rows = send(encoder, corpus.sentences, there, back)
        iterators = map(iter, (decoded, sent, rows, corpus.direct, returned, corpus.private))
        texts, round_trip, features, direct, plain_trip, own = iterators
        for document in corpus.documents:
            count = len(document.sentences)
            parts = [list(islice(one, count)) for one in (texts, direct)]
            lines = [iter(part) for part in parts]
            read, best = (
                [" ".join(islice(part, len(line))) for line in document.lines] for part in lines
            )
            private = list(islice(own, count))
            yield {
                "document": document.name,
                "loss": score(best, document.references) - score(read, document.references),
                "A": encoder.mechanism.epsilon_word,
                "B": score(list(islice(plain_trip, count)), private),
                "C": score(list(islice(round_trip, count)), private),
                **dict(zip(FEATURES, np.mean(list(islice(features, count)), axis=0), strict=True)),
            }


def send(
    encoder: Encoder,
    sentences: Sequence[object],
    there: Callable[[Sequence[str]], list[str]],
    back: Callable[[Sequence[str]], list[str]],
) -> tuple[list[str], list[str], list[list[float]]]:
    """Send each sentence once, and back.

    Returns:
        x_pub after its round trip, what is decoded (the sentence itself where a word was lost), and
        the features of another draw.
    """
    rng, trials = Random(1), Trials(encoder)
    encoded = [encoder.encode(one, DenyList(), rng) for one in sentences]  # type: ignore[arg-type]
    answers = there([one.text for one in encoded])
    texts = []
    for own, sent, answer in zip(sentences, encoded, answers, strict=True):
        found = encoder.decode(sent, answer)
        texts.append(own.text.strip() if found.unrestored else found.text)  # type: ignore[attr-defined]
    tried = [encoder.encode(one, DenyList(), rng) for one in sentences]  # type: ignore[arg-type]
    return back(answers), texts, [trials.read(one) for one in tried]


def predict_apart(columns: Rows, values: Rows, groups: Sequence[str]) -> Rows:
    """Predict each document by trees that were fitted without it."""
    names = sorted(set(groups))
    Random(1).shuffle(names)
    fold = np.array([names.index(group) % FOLDS for group in groups])
    found = np.empty(len(values))
    for number in range(FOLDS):
        inside = fold == number
        found[inside] = boost(columns[~inside], values[~inside])(columns[inside])
    return found


def boost(columns: Rows, values: Rows) -> Callable[[Rows], Rows]:
    """Gradient boosting of trees with two levels, for the squared error."""
    edges = [np.unique(np.quantile(one, np.linspace(0, 1, BINS + 1)[1:-1])) for one in columns.T]
    base, trees = float(values.mean()), []
    current = np.full(len(values), base)
    for _ in range(ROUNDS):
        tree = grow(columns, values - current, edges, depth=2)
        current = current + RATE * tree(columns)
        trees.append(tree)
    return lambda rows: base + RATE * sum((tree(rows) for tree in trees), np.zeros(len(rows)))


def grow(columns: Rows, rest: Rows, edges: Sequence[Rows], depth: int) -> Callable[[Rows], Rows]:
    """Grow the tree that explains most of ``rest``, split at ``edges``, leaves of ``LEAF``."""
    best, chosen = 0.0, None
    for place, bounds in enumerate(edges) if depth else ():
        for bound in bounds:
            left = columns[:, place] <= bound
            count = int(left.sum())
            if LEAF <= count <= len(rest) - LEAF:
                total = rest[left].sum()
                gain = total**2 / count + (rest.sum() - total) ** 2 / (len(rest) - count)
                if gain > best:
                    best, chosen = gain, (place, bound, left)
    if chosen is None:
        value = float(rest.mean())
        return lambda rows: np.full(len(rows), value)
    place, bound, left = chosen
    low = grow(columns[left], rest[left], edges, depth - 1)
    high = grow(columns[~left], rest[~left], edges, depth - 1)
    return lambda rows: np.where(rows[:, place] <= bound, low(rows), high(rows))


def figures(values: Rows, found: Rows) -> dict[str, float]:
    """R² and RMSE of what was ``found``, and the AUC of a loss above ``TOO_LOSSY``."""
    errors = float(((values - found) ** 2).sum())
    return {
        "r2": 1 - errors / float(((values - values.mean()) ** 2).sum()),
        "rmse": float(np.sqrt(errors / len(values))),
        "auc": area_under_curve((values > TOO_LOSSY).astype(float), found),
    }


def compare(measured: Sequence[dict[str, object]]) -> list[dict[str, object]]:
    """Return a row for each choice of columns, every figure with its interval."""
    values = np.array([row["loss"] for row in measured], dtype=float)
    groups = [str(row["document"]) for row in measured]
    places: dict[str, list[int]] = {}
    for place, group in enumerate(groups):
        places.setdefault(group, []).append(place)
    rows: list[dict[str, object]] = []
    for name, chosen in CHOICES.items():
        columns = np.array([[row[column] for column in chosen] for row in measured], dtype=float)
        found = predict_apart(columns, values, groups)
        rng, drawn = np.random.default_rng(1), []
        for _ in range(DRAWS):
            some = rng.choice(list(places), len(places))
            where = [place for group in some for place in places[group]]
            drawn.append(list(figures(values[where], found[where]).values()))
        low, high = np.nanpercentile(drawn, [2.5, 97.5], axis=0)
        bounds = zip(figures(values, found).items(), low, high, strict=True)
        told = {key: f"{one:.3f} ({a:.3f}–{b:.3f})" for (key, one), a, b in bounds}
        rows.append({"features": name, "rows": len(values), "documents": len(places), **told})
    return rows


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--lines", type=int, default=200, help="of each set")
    parser.add_argument("--keep", type=Path, help="rows as JSON lines; read if it is there")
    asked = parser.parse_args()
    if asked.keep is not None and asked.keep.exists():
        measured = [json.loads(line) for line in asked.keep.read_text("utf-8").splitlines()]
    else:
        folder = SHARED / "wmt" / "en-es"
        bundles = [
            bundle
            for name in SETS
            for bundle in read_bundles(
                folder / f"{name}.en", folder / f"{name}.google.es", most=asked.lines
            )
        ]
        measured = list(measure(bundles, LanguageModel.load("en")))
        if asked.keep is not None:
            short = (
                {k: v if isinstance(v, str) else round(float(v), 4) for k, v in row.items()}
                for row in measured
            )  # type: ignore[arg-type]
            lines = (json.dumps(row) + "\n" for row in short)
            asked.keep.write_text("".join(lines), encoding="utf-8")
    show(list(compare(measured)), as_json=asked.json)


if __name__ == "__main__":
    main()
