"""How often right answers without ids are doubted, and how often wrong places are found out.

    python -m benchmarks.places [--json]

Batches of 50 news texts with what two commercial translators made of them: as they are, backwards,
each answer one place on, two answers swapped, and one answer in the place of another. ``right`` and
so on are found without a dictionary; ``again`` is the share of texts in their right places that are
sent once more, and ``missed`` the share of swapped answers that are used, where there is one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

from benchmarks.measure import argument_parser, show
from benchmarks.parallel_folder import read_parallel_folder
from prism_core.dictionary import load_dictionary
from prism_core.errors import BadAnswer
from prism_core.translators.checks import check_places, find_misplaced

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
PAIRS = ("en-es", "en-de", "en-fr")
TRANSLATORS = ("google", "microsoft")
TEXTS = 50

Spoil = Callable[[list[str], Random], list[str]]


def main() -> None:
    """Print one row for each pair of languages and translator."""
    arguments = argument_parser(__doc__).parse_args()
    show([row for pair in PAIRS for row in rows(pair)], as_json=arguments.json)


def rows(pair: str) -> Iterator[Mapping[str, object]]:
    """Shares of batches that are not used."""
    source, target = pair.split("-")
    text = read_parallel_folder(SHARED / "wmt" / pair, source, target, TRANSLATORS)
    for translator, answers in text.targets.items():
        rng = Random(7)
        forms = load_dictionary(Path("dictionaries") / f"{pair}.parquet", translator).answer_words
        again = missed = 0
        both = [each for each in zip(text.lines, answers, strict=True) if all(map(str.strip, each))]
        rng.shuffle(both)
        batches = [both[n : n + TEXTS] for n in range(0, len(both), TEXTS)]
        refused = dict.fromkeys(SPOILT, 0)
        for batch in batches:
            texts, right = ([each[n] for each in batch] for n in (0, 1))
            for name, spoil in SPOILT.items():
                refused[name] += _is_refused(texts, spoil(right, rng))
            again += len(find_misplaced(batch, forms))
            swapped = _swapped(right, rng)
            wrong = {n for n, answer in enumerate(swapped) if answer != right[n]}
            found = find_misplaced(list(zip(texts, swapped, strict=True)), forms)
            missed += len(wrong.difference(found))
        yield {"pair": pair, "translator": translator, "batches": len(batches)} | {
            **{name: count / len(batches) for name, count in refused.items()},
            "again": again / len(both),
            "missed": missed / (2 * len(batches)),
        }


def _is_refused(texts: Sequence[str], answers: Sequence[str]) -> bool:
    try:
        check_places(texts, answers)
    except BadAnswer:
        return True
    return False


def _swapped(answers: list[str], rng: Random) -> list[str]:
    first, second = rng.sample(range(len(answers)), 2)
    changed = answers[:]
    changed[first], changed[second] = answers[second], answers[first]
    return changed


def _doubled(answers: list[str], rng: Random) -> list[str]:
    first, second = rng.sample(range(len(answers)), 2)
    return [answers[second] if n == first else answer for n, answer in enumerate(answers)]


SPOILT: Mapping[str, Spoil] = {
    "right": lambda answers, _: answers,
    "backwards": lambda answers, _: answers[::-1],
    "one_on": lambda answers, _: answers[1:] + answers[:1],
    "swapped": _swapped,
    "doubled": _doubled,
}


if __name__ == "__main__":
    main()
