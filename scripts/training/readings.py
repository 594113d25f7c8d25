"""What Spanish words can be, from the lemmas and rules of spacy-lookups-data 1.0.5 (MIT).

    python -m scripts.training.readings --text FILE… --output FOLDER

Writes ``readings.json``, which ``prism_core.language.possible_tags`` reads: the verbs, nouns and
adjectives, and how the forms of each end, with the slots they can have (``foreign.slot``). The
articles before a noun in ``--text`` tell its gender.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import spacy_lookups_data

from scripts.training.foreign import slot

_TABLES = Path(spacy_lookups_data.__file__).parent / "data"
_KINDS = ("verb", "noun", "adj")
_GENDERS = {"noun": "FM", "noun, feminine": "F", "noun, masculine": "M"}
_ARTICLES = {
    "M": "el un los unos del al este estos ese esos nuestro nuestros".split(),
    "F": "la una las unas esta estas esa esas nuestra nuestras".split(),
}
_STRESSED = re.compile("h?[aá]")
"""How a feminine noun begins that has *el* before it."""
_ENOUGH, _SURE = 3, 0.95
"""So many articles before a noun tell its gender, if so many of them agree."""
_UNACCENTED = str.maketrans("áéíóú", "aeiou")
_LETTERS = "abcdefghijklmnopqrstuvwxyzáéíóúñü"
Rule = tuple[str, str, str, list[str]]
"""A kind, how a form ends, how its lemma does instead, and the slots of the form."""


def _table(name: str) -> Any:
    return json.loads(gzip.decompress((_TABLES / f"es_{name}.json.gz").read_bytes()))


def spanish_lemmas(lines: Iterable[str]) -> dict[str, list[str]]:
    """The lemmas of each kind that are words in small letters; nouns by the gender in ``lines``."""
    index = _table("lemma_index")
    lemmas = {kind: sorted({one for one in index[kind] if _is_word(one)}) for kind in _KINDS}
    sightings = _count_articles(lines)
    nouns = lemmas["noun"]
    lemmas |= {kind: [] for kind in _GENDERS}
    for noun in nouns:
        genders = _gender(noun, sightings)
        kind = next(kind for kind, of_kind in _GENDERS.items() if of_kind == genders)
        lemmas[kind].append(noun)
    return lemmas


def _count_articles(lines: Iterable[str]) -> dict[str, Counter[str]]:
    """How often each word stands behind an article of each gender."""
    found = {gender: Counter[str]() for gender in _ARTICLES}
    for line in lines:
        words = re.findall(r"\w+", line.lower())
        for before, word in pairwise(words):
            for gender, articles in _ARTICLES.items():
                found[gender][word] += before in articles
    return found


def _gender(noun: str, sightings: dict[str, Counter[str]]) -> str:
    """The gender that the articles before a noun and its plurals tell; both where they do not."""
    plurals = [noun + "s", noun + "es", noun[:-1] + "ces"]
    plurals.append(noun[:-2] + noun[-2:].translate(_UNACCENTED) + "es")
    forms = plurals if _STRESSED.match(noun) else [noun, *plurals]
    counts = {gender: sum(seen[form] for form in forms) for gender, seen in sightings.items()}
    total = sum(counts.values())
    sure = [gender for gender, count in counts.items() if count >= _SURE * total]
    return sure[0] if sure and total >= _ENOUGH else "FM"


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
                yield from _of_kinds(kind, end, lemma, told)
        for last in _LETTERS:
            yield from _of_kinds(kind, last, last, {"VerbForm": "Inf"})


def _of_kinds(kind: str, end: str, lemma: str, told: dict[str, str]) -> Iterator[Rule]:
    for own in _GENDERS if kind == "noun" else (kind,):
        yield own, end, lemma, _slots(own, end, told)


def _slots(kind: str, end: str, told: dict[str, str]) -> list[str]:
    """The slots of a form of a verb, a noun or an adjective that ends so."""
    if kind in _GENDERS:
        is_plural = "Number" in told
        tags = ["NNS"] if is_plural else ["NNS", "NN"] if end == "s" else ["NN"]
        return [tag for one in tags for tag in (one, *(f"{one}-{g}" for g in _GENDERS[kind]))]
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
    parser.add_argument("--text", type=Path, nargs="+", required=True, help="a sentence a line")
    parser.add_argument("--output", type=Path, required=True, help="the folder of the file")
    arguments = parser.parse_args()
    lines = (line for file in arguments.text for line in file.read_text("utf-8").splitlines())
    stored = {"lemmas": spanish_lemmas(lines), "rules": spanish_rules()}
    text = json.dumps(stored, ensure_ascii=False, separators=(",", ":"))
    (arguments.output / "readings.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
