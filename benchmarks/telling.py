"""Measure what the pool of a substitute tells of a word that comes from a closed list.

    python -m benchmarks.telling [--pair en-es] [--translator apertium] [--json]

Each word of a list (crimes, drugs …) is put into the same sentence and encoded. The attacker knows
the list and the sentence, and sees of the substitute its part of speech and pool alone. Rows of
``list, words, classes, guessed, blind, bits, alone``: how many classes the list falls into, how
often the attacker names the word right, and would without looking, how many bits the class tells
of log2(words), and which words have a class of their own.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import cast

from benchmarks.measure import argument_parser, show
from prism_core.encoding import load_encoder
from prism_core.encoding.pool_encoder import PoolEncoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.record import Kind, Replacement
from prism_core.settings import load_settings

LISTS = Path(__file__).parent / "telling.tsv"


def read_lists(file: Path = LISTS) -> Iterator[tuple[str, str, list[str]]]:
    """Name, sentence with ``_`` where a word stands, and words of each list."""
    for line in file.read_text(encoding="utf-8").splitlines():
        if not line.startswith("#"):
            name, frame, words = line.split("\t")
            yield name, frame, words.split()


def classes(
    encoder: PoolEncoder, model: LanguageModel, frame: str, words: list[str]
) -> Mapping[object, list[str]]:
    """The words of a list by what an attacker sees of each in ``frame`` but the substitute."""
    rng = Random(1)
    found: dict[object, list[str]] = defaultdict(list)
    for word in words:
        (sentence,) = model.sentences(frame.replace("_", word))
        encoded = encoder.encode(sentence, DenyList(), rng)
        at = next(i for i, token in enumerate(sentence.tokens) if token.text == word)
        hiding = next((r for r in encoded.record if r.position <= at < r.position + r.length), None)
        found[word if hiding is None else _shown(encoder, hiding)].append(word)
    return found


def _shown(encoder: PoolEncoder, hiding: Replacement) -> str:
    """What an attacker sees of a substitute beside the word that it is."""
    is_word = hiding.kind in (Kind.WORD, Kind.UNKNOWN)
    return encoder.mechanism.shown_class(hiding) if is_word else hiding.kind.name


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--pair", default="en-es")
    parser.add_argument("--translator", default="apertium")
    asked = parser.parse_args()
    source, target = asked.pair.split("-")
    flags = {"source": source, "target": target, "translator.name": asked.translator}
    settings = load_settings(flags=flags, asks_nobody=True)
    encoder = cast("PoolEncoder", load_encoder(settings))
    model = LanguageModel.load(source)
    rows = []
    for name, frame, words in read_lists():
        groups = list(classes(encoder, model, frame, words).values())
        n = len(words)
        rows.append(
            {
                "list": name,
                "words": n,
                "classes": len(groups),
                "guessed": len(groups) / n,
                "blind": 1 / n,
                "bits": sum(len(own) / n * math.log2(n / len(own)) for own in groups),
                "alone": " ".join(own[0] for own in groups if len(own) == 1),
            }
        )
    show(rows, as_json=asked.json)


if __name__ == "__main__":
    main()
