"""What Spanish words can be, from the lemmas and rules of spacy-lookups-data 1.0.5 (MIT).

    python -m scripts.training.readings --output data/es_prism

Writes ``readings.json``, which ``prism_core.language.readings`` reads: the verbs, nouns and
adjectives, and how the forms of each end, with the slots they can have (``foreign.slot``).
"""

from __future__ import annotations

import argparse
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import spacy_lookups_data

from scripts.training.foreign import slot

_TABLES = Path(spacy_lookups_data.__file__).parent / "data"
_KINDS = ("verb", "noun", "adj")
_LETTERS = "abcdefghijklmnopqrstuvwxyzáéíóúñü"
Rule = tuple[str, str, str, list[str]]
"""A kind, how a form ends, how its lemma does instead, and the slots of the form."""


def _table(name: str) -> Any:
    return json.loads(gzip.decompress((_TABLES / f"es_{name}.json.gz").read_bytes()))


def spanish_lemmas() -> dict[str, list[str]]:
    """The lemmas of each kind that are words in small letters."""
    index = _table("lemma_index")
    return {kind: sorted({one for one in index[kind] if _is_word(one)}) for kind in _KINDS}


def _is_word(lemma: str) -> bool:
    return len(lemma) > 1 and lemma.isalpha() and lemma.islower()


def spanish_rules() -> list[Rule]:
    """How the forms end, lemmas among them."""
    return sorted({(kind, end, lemma, tuple(tags)) for kind, end, lemma, tags in _rules()})


def _rules() -> Iterator[Rule]:
    groups, rules = _table("lemma_rules_groups"), _table("lemma_rules")
    for kind in _KINDS:
        for group, features in groups[kind]:
            told = dict(one.split("=") for one in features)
            for end, lemma in rules[group]:
                yield kind, end, lemma, _slots(kind, end, told)
        for last in _LETTERS:
            yield kind, last, last, _slots(kind, last, {"VerbForm": "Inf"})


def _slots(kind: str, end: str, told: dict[str, str]) -> list[str]:
    """The slots of a form of a verb, a noun or an adjective that ends so."""
    if kind == "noun":
        is_plural = "Number" in told
        tags = ["NNS", "NNS-F", "NNS-M"] if is_plural or end == "s" else []
        return tags if is_plural else [*tags, "NN", "NN-F", "NN-M"]
    if kind == "adj":
        return _agreeing("JJ", end, "P" if told.get("Number") == "Plur" else "S")
    if told["VerbForm"] == "Part":
        number = "P" if end.endswith("s") else "S"
        return [*_agreeing("JJ", end, number), *_agreeing("VBN", end, number), "VBN"]
    return [slot("VERB", told, "")]


def _agreeing(tag: str, end: str, number: str) -> list[str]:
    """The slots of an adjective: by its vowel it may be of one gender alone."""
    vowel = end.rstrip("s")[-1:]
    genders = {"a": ("F", ""), "o": ("M", "")}.get(vowel, ("F", "M", ""))
    return [f"{tag}-{gender}{number}" for gender in genders]


def main() -> None:
    """Read the command line and write the file."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True, help="the folder of the model")
    arguments = parser.parse_args()
    stored = {"lemmas": spanish_lemmas(), "rules": spanish_rules()}
    text = json.dumps(stored, ensure_ascii=False, separators=(",", ":"))
    (arguments.output / "readings.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
