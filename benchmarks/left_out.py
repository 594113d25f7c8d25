"""Measure which translations are marked for words that they leave out.

    python -m benchmarks.left_out news.en --to pt --lines 1000

Each line is translated by the model on this machine and rated; those that are marked are printed
with their translations for a person to read, so the lines must be public. Then words in a row are
taken out of each translation of twelve words and more, at random: ``found`` is the share of these
that is marked, by the number of words.
"""

from __future__ import annotations

import sys
from random import Random

from benchmarks.measure import add_text_options, argument_parser, show
from prism_core.drafts import Drafter, Fault
from prism_core.settings import TranslatorSettings

_TAKEN = (3, 4, 5, 6, 8)
_LEAST = 12
_SEED = 3


def is_marked(drafter: Drafter, pairs: list[tuple[str, str]]) -> list[bool]:
    """Tell for each of ``pairs``, of a source and its translation, if it is marked."""
    ratings = drafter.rate([(source, text, text) for source, text in pairs])
    return [Fault.MISSING in rating.faults for rating in ratings]


def take_out(text: str, count: int, rng: Random) -> str:
    """Return ``text`` without ``count`` words in a row."""
    words = text.split()
    first = rng.randrange(len(words) - count)
    return " ".join(words[:first] + words[first + count :])


def main() -> None:
    """Measure the lines of a file."""
    parser = argument_parser(__doc__)
    add_text_options(parser)
    asked = parser.parse_args()
    lines = asked.file.read_text(encoding="utf-8").splitlines()[: asked.lines]
    lines = [line.strip() for line in lines if line.strip()]
    firefox = TranslatorSettings.choose(name="firefox")
    drafter = Drafter.open(firefox, asked.source, asked.to)
    if drafter is None:
        sys.exit("No model of the pair is installed: prism models list.")
    pairs = list(zip(lines, (made.text for made in drafter.translate(lines)), strict=True))
    marked = [pair for pair, found in zip(pairs, is_marked(drafter, pairs), strict=True) if found]
    rows: list[dict[str, object]] = [{"lines": len(lines), "marked": len(marked)}]
    rng = Random(_SEED)
    for count in _TAKEN:
        shorter = [
            (source, take_out(text, count, rng))
            for source, text in pairs
            if len(text.split()) >= _LEAST
        ]
        found = is_marked(drafter, shorter)
        rows.append({"taken out": count, "found": sum(found) / len(found)})
    show(rows, as_json=asked.json)
    for source, text in marked:
        print(f"{source}\n    {text}")


if __name__ == "__main__":
    main()
