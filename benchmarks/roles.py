"""What the real output of two commercial translators says of a run with them, by swapped roles.

    python -m benchmarks.roles [--json] [--pair en-es] [--tau 0.2] [--sentences 300]
    python -m benchmarks.roles --table [--pair en-es] [--sentences 500]
    python -m benchmarks.roles --source FILE --answers FILE --pair en-es --translator NAME

Without files: the sets of the shared data that are for evaluation alone, through the dictionaries
that ship; of a pair without English what a person wrote, in Google's words. Where these were built
from a set its figures are too good. Rows of ``pair, corpus, answers, tau, words_found,
sentences_found, sentences_found_elimination, expected_first_send, expected_three_draws, wrong_form,
precision_sample``: see ``prism evaluate roles --help``, which does the same for one text. About a
second for each 300 lines and τ. ``--table`` prints what ``docs/translators.md`` says to expect.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from benchmarks.measure import argument_parser, show
from prism_core.evaluation import read_answered, read_sentences, role_row
from prism_core.language import LanguageModel
from prism_core.settings import load_settings

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
PAIRS = ("en-es", "en-fr", "en-de", "es-en", "fr-en")
WITHOUT_ENGLISH = ("es-fr", "fr-es", "fr-de", "de-fr", "de-es", "es-de")
SETS = ("wmt13", "flores-test")
TRANSLATORS = ("google", "microsoft")


def main() -> None:
    """Measure and print."""
    arguments = _arguments()
    models = {pair: LanguageModel.load(pair.partition("-")[0]) for pair, *_ in _texts(arguments)}
    rows = []
    for pair, source, answers, translator in _texts(arguments):
        model, most = models[pair], arguments.sentences
        text = read_answered(source, answers, model, arguments.corpus, most)
        own = arguments.expected_for and read_sentences(arguments.expected_for, model, most)
        language, _, target = pair.partition("-")
        for tau in arguments.tau or [None]:
            flags = {"source": language, "target": target, "mechanism.threshold": tau}
            settings = load_settings(environment=os.environ, flags=flags, asks_nobody=True)
            rows.append(
                role_row(
                    settings,
                    text,
                    translator,
                    seed=arguments.seed,
                    drawn_for=own,
                    sample=arguments.sample,
                )
            )
    if arguments.table:
        print("\n".join(shares_table(rows)))
    else:
        show(rows, as_json=arguments.json)


def shares_table(rows: Sequence[Mapping[str, object]]) -> Iterator[str]:
    """The shares to expect as Markdown: a line for each pair and translator, two columns a text."""
    corpora = list(dict.fromkeys(row["corpus"] for row in rows))
    heads = [f"{corpus}, {said}" for corpus in corpora for said in ("first send", "three sends")]
    yield f"| pair | translator | {' | '.join(heads)} |"
    yield f"| --- | --- |{' ---: |' * len(heads)}"
    shares: dict[tuple[str, str], dict[object, str]] = {}
    for row in rows:
        translator = "".join(str(row["answers"]).split(".")[1:-1]) or "a person"
        found = (row["expected_first_send"], row["expected_three_draws"])
        said = " | ".join("–" if share is None else f"{share:.0%}" for share in found)
        shares.setdefault((str(row["pair"]), translator), {})[row["corpus"]] = said
    for (pair, translator), said in shares.items():
        cells = " | ".join(said.get(corpus, "– | –") for corpus in corpora)
        yield f"| {pair} | {translator} | {cells} |"


def _texts(arguments: argparse.Namespace) -> Iterator[tuple[str, Path, Path, str]]:
    """Pair, source, answers and translator of each text that is to be measured on."""
    if arguments.source:
        yield arguments.pair, arguments.source, arguments.answers, arguments.translator
        return
    for pair in [arguments.pair] if arguments.pair else PAIRS:
        for name in SETS:
            for source, answers, translator in answered_files(pair, name):
                yield pair, source, answers, arguments.translator or translator


def answered_files(pair: str, name: str) -> Iterator[tuple[Path, Path, str]]:
    """The source of the set ``name``, what answers it, and whose words ``pair`` is asked for."""
    source, _, target = pair.partition("-")
    wmt = SHARED / "wmt"
    if pair in WITHOUT_ENGLISH:
        person = wmt / f"{target}-en" / f"{name}.{target}"
        yield wmt / f"{source}-en" / f"{name}.{source}", person, "google"
        return
    for translator in TRANSLATORS:
        yield (
            wmt / pair / f"{name}.{source}",
            wmt / pair / f"{name}.{translator}.{target}",
            translator,
        )


def _arguments() -> argparse.Namespace:
    parser = argument_parser(__doc__)
    parser.add_argument("--table", action="store_true")
    for name in ("--source", "--answers", "--expected-for"):
        parser.add_argument(name, type=Path)
    for name in ("--pair", "--translator"):
        parser.add_argument(name)
    parser.add_argument("--corpus", default="")
    parser.add_argument("--tau", type=float, action="append")
    for name in ("--sentences", "--sample"):
        parser.add_argument(name, type=int)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    given = [arguments.source, arguments.answers]
    if any(given) and not all([*given, arguments.pair, arguments.translator]):
        parser.error("--source and --answers also need each other, --pair and --translator")
    return arguments


if __name__ == "__main__":
    main()
