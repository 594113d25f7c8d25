"""The quality benchmark."""

from __future__ import annotations

import argparse
from random import Random

from benchmarks.measure import show
from benchmarks.quality.corpora import Corpus, load_clinspen, load_mctest
from benchmarks.quality.methods import default_methods
from benchmarks.quality.rows import Row, score
from benchmarks.quality.translation import CachedTranslator
from prism_core.language.model import LanguageModel


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--stories", type=int)
    parser.add_argument("--sentences", type=int)
    parser.add_argument("--methods", nargs="+")
    parser.add_argument("--datasets", nargs="+", default=["mctest", "clinspen"])
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    rows = []
    with CachedTranslator() as translate:
        model = LanguageModel.load()
        corpora = []
        if "mctest" in arguments.datasets:
            corpora.append(load_mctest(model, translate, arguments.stories, arguments.sentences))
        if "clinspen" in arguments.datasets:
            corpora.append(load_clinspen(model, translate, arguments.sentences))
        for corpus in corpora:
            for method in default_methods():
                if arguments.methods and method.name not in arguments.methods:
                    continue
                outcomes = method.run(corpus, translate, Random(arguments.seed))
                rows.append(score(corpus, method, outcomes).as_dict())
                if not arguments.json:
                    show(rows[-1:], as_json=False)
    if arguments.json:
        show(rows, as_json=True)


if __name__ == "__main__":
    main()
