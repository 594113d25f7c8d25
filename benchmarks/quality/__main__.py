"""How much survives a private translation, and how much of it the translator could read.

    python -m benchmarks.quality [--json] [--plot FILE] [--stories N] [--sentences N]
                                 [--methods NAME ...] [--datasets NAME ...] [--dictionary FILE]
                                 [--repeats N] [--seed N]

Rows of ``dataset, method, setting, pps, qs, chrf, bleu, restore_rate, untranslated,
surviving_identifiers`` (what each is: ``benchmarks/quality/rows.py``), by Apertium from English to
Spanish, over the stories of MCTest mc160.test and the clinical cases of ClinSpEn dev. ``--stories``
takes the first stories alone, ``--sentences`` the first documents with so many sentences.
``--repeats`` is over how many draws of the substitutes a row is the mean. Without ``--json`` the
area under each method's privacy-quality curve follows, and its QS at a PPS of .65 and .70
(None: the method was not seen to reach it). The first run builds the dictionary of the paper's
procedure and keeps it in ``.benchmark-cache``.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from random import Random

from benchmarks.measure import show
from benchmarks.quality.corpora import LOADERS
from benchmarks.quality.lineup import DEFAULT_METHODS, METHODS, Tools
from benchmarks.quality.methods import Method
from benchmarks.quality.plot import draw
from benchmarks.quality.rows import Row, mean, score
from benchmarks.quality.translation import LANGUAGES, TRANSLATOR, CachedTranslator
from prism_core.dictionary.parquet import load_dictionary
from prism_core.evaluation import Point, aupqc, quality_at
from prism_core.language.model import LanguageModel
from prism_core.resources import shipped_dictionary


def main() -> None:
    """Measure, print, draw."""
    arguments = _arguments()
    rows = []
    for row in measure(arguments):
        rows.append(row)
        if not arguments.json:
            show([row.as_dict()], as_json=False)
    if arguments.json:
        show([row.as_dict() for row in rows], as_json=True)
    else:
        show(list(curves(rows)), as_json=False)
    if arguments.plot:
        draw(rows, arguments.plot)


def measure(arguments: argparse.Namespace) -> Iterator[Row]:
    """One row for each corpus, method and setting, as each is done."""
    model = LanguageModel.load()
    with CachedTranslator() as translate:
        tools = Tools(model, translate, load_dictionary(arguments.dictionary, TRANSLATOR))
        methods = [method for name in arguments.methods for method in METHODS[name](tools)]
        for name in arguments.datasets:
            corpus = LOADERS[name](model, translate, arguments.stories, arguments.sentences)
            for method in methods:
                seeds = range(arguments.seed, arguments.seed + _repeats(method, arguments))
                yield mean(
                    score(corpus, method, method.run(corpus, translate, Random(seed)))
                    for seed in seeds
                )


def curves(rows: list[Row]) -> Iterator[dict[str, object]]:
    """The figures of each method's privacy-quality curve, where something is asked."""
    for dataset, method in dict.fromkeys((row.dataset, row.method) for row in rows):
        points = [
            Point(row.pps, row.qs)
            for row in rows
            if (row.dataset, row.method) == (dataset, method)
            if row.pps is not None and row.qs is not None
        ]
        if points:
            yield {
                "dataset": dataset,
                "method": method,
                "aupqc": aupqc(points),
                "qs@.65": quality_at(points, 0.65),
                "qs@.70": quality_at(points, 0.70),
            }


def _repeats(method: Method, arguments: argparse.Namespace) -> int:
    return arguments.repeats if method.draws else 1


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--plot", type=Path, help="a file to draw: .svg, .png or .pdf")
    parser.add_argument("--stories", type=int)
    parser.add_argument("--sentences", type=int)
    parser.add_argument("--methods", nargs="+", choices=METHODS, default=DEFAULT_METHODS)
    parser.add_argument("--datasets", nargs="+", choices=LOADERS, default=list(LOADERS))
    parser.add_argument("--dictionary", type=Path, default=shipped_dictionary(*LANGUAGES))
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


if __name__ == "__main__":
    main()
