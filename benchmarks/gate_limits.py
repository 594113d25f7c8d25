"""What keeps the gate from telling more, and whether the distance of clear and sent text helps.

    python -m benchmarks.gate_limits [--to es] [--translator google] [--lines N]
        [--embeddings FOLDER or FILE] [--json]

Documents are lines of public sets that stand together (``benchmarks.gate_quality``), each at one
strength. Every figure is of documents that the model was not fitted on, by five folds over
documents; in brackets 95 % over documents. ``the gate's`` is what ships, ``and distance`` adds the
mean distance of each sentence and an encoding of it, drawn on trial: 1 less the cosine of their
embeddings, by a static model as Model2Vec saves one, or by the mean of the word vectors in a file.

For a translator whose roles are swapped two bounds follow. ``another draw``: each document is drawn
for three times, and its loss told from the other two; who knows that knows the translator's
answers, which nobody has before sending. ``the other half``: the loss of every second sentence told
from the rest of the document: all that its sentences have in common, however it is found out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from benchmarks.gate_quality import TAUGHT, lessons_of
from benchmarks.measure import argument_parser, show
from prism_core.encoding import Encoder, load_encoder
from prism_core.evaluation import Bundle, load_roles_encoder, observe_roles
from prism_core.evaluation.adversaries.linking import load_embedder
from prism_core.evaluation.jobs.train_gate import observe_bundles, read_lessons
from prism_core.evaluation.near_words.word_vectors import read_vectors
from prism_core.evaluation.recovery_fitting import (
    TOO_LOSSY,
    Observation,
    area_under_curve,
    bootstrap_interval,
    judge_predictions,
    predict_unseen,
)
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.settings import MechanismSettings, Settings, load_settings

Numbers = NDArray[np.float64]
Embed = Callable[[Sequence[Sequence[str]]], Numbers]
TAUS = (0.0, 0.2, 0.5, 0.9)
DRAWS = 3


def open_embeddings(path: Path) -> Embed:
    """Return unit rows for sentences, by the static model or word vectors at ``path``."""
    if (path / "config.json").is_file():
        return load_embedder(path)
    vectors = read_vectors(path)
    places = {word: row for row, word in enumerate(vectors.words)}

    def embed(sentences: Sequence[Sequence[str]]) -> Numbers:
        rows = []
        for words in sentences:
            known = [places[word.lower()] for word in words if word.lower() in places]
            row = vectors.table[known].mean(0) if known else np.zeros(vectors.table.shape[1])
            rows.append(row / max(float(np.linalg.norm(row)), 1e-9))
        return np.array(rows)

    return embed


def distance(encoder: Encoder, bundle: Bundle, model: LanguageModel, embed: Embed) -> float:
    """Return the mean distance of the sentences of ``bundle`` and their encodings."""
    rng, deny_list = Random(1), DenyList()
    sentences = [one for line in model.annotate(list(bundle.lines)) for one in line]
    drawn = [encoder.encode(one, deny_list, rng) for one in sentences]
    kept = [pair for pair in zip(sentences, drawn, strict=True) if not pair[1].withheld]
    if not kept:
        return 0.0
    clear = embed([_words(one.text) for one, _ in kept])
    sent = embed([_words(one.text) for _, one in kept])
    return float(1 - (clear * sent).sum(1).mean())


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text)


def with_column(one: Observation, value: float) -> Observation:
    """``one`` with a further feature, the same for all of its sentences."""
    column = np.full((len(one.features), 1), value)
    features, drawn = (np.hstack([rows, column]) for rows in (one.features, one.drawn))
    return one._replace(features=features, drawn=drawn)


def judge(name: str, observed: Sequence[Observation], sends: int) -> Mapping[str, object]:
    """Return figures of ``observed``, each predicted by a model that saw nothing of it."""
    spread = [
        (one, found._replace(spread=3.0)) for one, found in predict_unseen(observed, (), sends)
    ]
    size = float(np.sqrt(np.mean([(o.loss - f.loss) ** 2 for o, f in spread if o.knows_loss])))
    told = [(one, found._replace(spread=size)) for one, found in spread]
    found = judge_predictions(told)
    low, high = bootstrap_interval(told, lambda some: judge_predictions(some).auc, draws=200)
    return {"by": name, **found._asdict(), "auc_interval": f"{low:.3f}–{high:.3f}"}


def bounds(settings: Settings, bundles: Sequence[Bundle], model: LanguageModel) -> list[str]:
    """Measure what another draw and the other half of a document tell of its loss."""
    lines, scores, hits, halves = [], [], [], []
    for tau in TAUS:
        strength = {"mechanism": MechanismSettings.choose(threshold=tau)}
        encoder = load_roles_encoder(settings.model_copy(update=strength), settings.translator.name)
        draws = [list(observe_roles([encoder], bundles, model, seed=n)) for n in range(DRAWS)]
        losses = np.array([[one.loss for one in draw] for draw in draws])
        for losses_of_one in losses.T[np.isfinite(losses).all(0)]:
            for number in range(DRAWS):
                hits.append(float(losses_of_one[number] > TOO_LOSSY))
                scores.append(float(np.delete(losses_of_one, number).mean()))
        parts = [list(observe_roles([encoder], _half(bundles, n), model)) for n in (0, 1)]
        pairs = np.array([[a.loss, b.loss] for a, b in zip(*parts, strict=True)])
        halves.append(pairs[np.isfinite(pairs).all(1)])
        lines.append(f"τ {tau}: the other half, r = {np.corrcoef(halves[-1].T)[0, 1]:.2f}")
    found = area_under_curve(np.array(hits), np.array(scores))
    both = np.vstack([*halves, *(one[:, ::-1] for one in halves)])
    other = area_under_curve((both[:, 0] > TOO_LOSSY).astype(float), both[:, 1])
    return [f"AUC by another draw {found:.3f}, by the other half {other:.3f}", *lines]


def _half(bundles: Sequence[Bundle], number: int) -> list[Bundle]:
    return [
        Bundle(one.name, one.lines[number::2], one.references[number::2], one.answers[number::2])
        for one in bundles
    ]


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--to", default="es")
    parser.add_argument("--translator", default="google")
    parser.add_argument("--lines", type=int, default=300, help="of each set")
    parser.add_argument("--embeddings", type=Path)
    asked = parser.parse_args()
    flags = {"source": "en", "target": asked.to, "translator.name": asked.translator}
    settings = load_settings(flags=flags, asks_nobody=True)
    bundles = read_lessons(lessons_of(settings, TAUGHT), asked.lines)
    model = LanguageModel.load("en", settings.language.model)
    swaps = bool(bundles[0].answers)
    observed, further = [], []
    for number, tau in enumerate(TAUS):
        some = bundles[number :: len(TAUS)]
        own = settings.model_copy(update={"mechanism": MechanismSettings.choose(threshold=tau)})
        found = observe_bundles(own, some, [own.mechanism])
        observed += found
        if asked.embeddings:
            embed = open_embeddings(asked.embeddings)
            encoder = load_encoder(own, model.retag)
            apart = {one.name: distance(encoder, one, model, embed) for one in some}
            further += [with_column(one, apart[one.group]) for one in found]
    rows = [judge("the gate's", observed, 1 if swaps else 3)]
    if further:
        rows.append(judge("and distance", further, 1 if swaps else 3))
    show(rows, as_json=asked.json)
    for line in bounds(settings, bundles, model) if swaps else ():
        print(line)


if __name__ == "__main__":
    main()
