"""Sentences whose capitals say little, through the translator alone and through PRISM.

    python -m benchmarks.capitals [--seed 1] [--table OUT.tsv]

Clinical notes, contracts, letters, headings and lists are drawn from parts of our own: words at
beginnings, in title case and in capitals, firms, weekdays and months, and names that are words too.
Each row counts the sentences whose names are lost or in another order (``names lost``), and
the ordinary words that the translator alone translates and that come back untranslated
(``untranslated``). ``--table`` writes source, the translator's own and ours
side by side, for people to judge.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from itertools import chain, islice
from pathlib import Path
from random import Random

from benchmarks.dictionary import translated
from benchmarks.measure import argument_parser, show
from prism_core import Prism
from prism_core.language import LanguageModel

KINDS = {
    "beginning": (
        "{Noun} was checked again on {day}.",
        "{Noun}: no change since {month}.",
        "{Person} visits every {day} and brings fruit.",
        "{Person} of {name} was told in {month}.",
        "{Noun} is worse; {person} asked for help.",
    ),
    "heading": (
        "{Adjective} {Noun} {Paper}",
        "{Paper} and {Adjective} {Noun}",
        "Schedule of {Adjective} {Papers}",
        "{Paper} for {Month} and {Month}",
    ),
    "capitals": (
        "{ADJECTIVE} {PAPER}",
        "{PERSON} AND {PERSON}: {PAPER}",
        "{NOUN} AND {NOUN} {PAPERS}",
        "PATIENT: {SURNAME}, {GIVEN}",
        "THE {PERSON} SHALL SIGN THE {PAPER}.",
    ),
    "firm": (
        "Privileged & Confidential — {surname} & {surname}",
        "{surname}, {surname} & {surname} LLP, Solicitors",
        "Prepared by {surname} & {surname} for the {Person}.",
    ),
    "letter": (
        "Dear Mr {surname}, thank you for the {paper} of {month}.",
        "{name} will call you on {day} about the {paper}.",
        "The {Person} gave the {Paper} to Dr {surname}.",
        "The {Person} and {name} met on {day}.",
    ),
}
_PARTS = {
    "noun": "kitchen kidney liver bladder garden bathroom appetite sleep wound shoulder mood",
    "person": "daughter chaplain neighbour nurse patient landlord tenant witness buyer wife",
    "adjective": "medical social annual legal private urgent general confidential daily",
    "paper": "report summary agreement letter invoice certificate history plan review statement",
    "day": "Monday Tuesday Wednesday Thursday Friday Saturday Sunday",
    "month": "January February June July September October November December",
    "surname": "Halloran Voss Baker Young Field Brown Miller Smith Okafor Lindqvist Marsh Price",
    "given": "Rose Mark Hope Grace Olivia Margaret Daniel Ingrid",
}


def sentences(seed: int, each: int) -> Iterator[tuple[str, str, list[str]]]:
    """Kind, text, and the words of names in it; ``each`` of every kind, no two alike."""
    rng = Random(seed)
    for kind, patterns in KINDS.items():
        seen: set[str] = set()
        while len(seen) < each:
            text, names = _fill(patterns[len(seen) % len(patterns)], rng)
            if text not in seen:
                seen.add(text)
                yield kind, text, names


def _fill(pattern: str, rng: Random) -> tuple[str, list[str]]:
    names: list[str] = []
    used: set[str] = set()

    def draw(match: re.Match[str]) -> str:
        slot = match[1]
        part = slot.lower()
        if part == "name":
            found = f"{_draw('given', rng, used)} {_draw('surname', rng, used)}"
        else:
            found = _draw(part.removesuffix("s"), rng, used)
            found = re.sub("y$", "ie", found) + "s" if part.endswith("s") else found
        if part in ("name", "surname", "given"):
            names.extend(found.lower().split())
        if slot.isupper():
            return found.upper()
        return found[:1].upper() + found[1:] if slot[:1].isupper() else found

    return re.sub(r"{(\w+)}", draw, pattern), names


def _draw(part: str, rng: Random, used: set[str]) -> str:
    found = rng.choice([word for word in _PARTS[part].split() if word not in used])
    used.add(found)
    return found


def main() -> None:
    """Measure and print."""
    parser = argument_parser(__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--each", type=int, default=24)
    parser.add_argument("--table", type=Path)
    arguments = parser.parse_args()
    made = list(sentences(arguments.seed, arguments.each))
    prism = Prism.load("en-es")

    def translate(texts: list[str]) -> list[str]:
        return list(asyncio.run(translated(texts)))

    texts = [text for _, text, _ in made]
    model = LanguageModel.load("en")
    parts = [[one.text for one in model.sentences(text)] for text in texts]
    cut = list(chain.from_iterable(parts))
    back = prism.protect(cut, translate, prism.deny_list(cut), leave=True)
    ours = [" ".join(islice(back, len(of_text))) for of_text in parts]
    alone = list(asyncio.run(translated(texts)))
    rows = {kind: {"kind": kind, "untranslated": 0, "names lost": 0, "n": 0} for kind in KINDS}
    for (kind, text, names), mine, other in zip(made, ours, alone, strict=True):
        source = set(_words(text)) - set(names)
        row = rows[kind]
        row["untranslated"] += len((source & set(_words(mine))) - set(_words(other)))
        kept = [word for word in _words(mine) if word in names]
        row["names lost"] += kept != [word for word in _words(text) if word in names]
        row["n"] += 1
    if arguments.table:
        lines = zip((kind for kind, *_ in made), texts, alone, ours, strict=True)
        arguments.table.write_text("".join("\t".join(line) + "\n" for line in lines))
    show(list(rows.values()), as_json=arguments.json)


def _words(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.lower())


if __name__ == "__main__":
    main()
