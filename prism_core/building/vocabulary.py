"""The words a dictionary is made for: read off public text, with the tags they have there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from prism_core.building.frames import FRAMES
from prism_core.language.sentence import Sentence
from prism_core.language.words import MONTHS, WEEKDAYS, is_function_word

SMALLEST_SHARE = 0.1
"""A tag that a word has in less than this share of its occurrences is taken for a tagger's slip."""

NUMERALS = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
    "hundred",
    "thousand",
    "million",
    "billion",
]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A word to build an entry for; ``count`` is how often the text has it under this tag."""

    word: str
    tag: str
    count: int

    @property
    def surface(self) -> str:
        """The word as it is written into a frame: names of the calendar take a capital."""
        return self.word.capitalize() if self.tag in CALENDAR else self.word


ENDINGS: Mapping[str, tuple[str, ...]] = {
    "ing": ("VBG", "NN", "JJ"),
    "ed": ("VBD", "VBN", "JJ"),
    "ly": ("RB", "JJ"),
    "s": ("NNS", "VBZ"),
    "": ("NN", "VB", "JJ"),
}
"""English endings, and the tags that a word with one may have; the first that fits counts."""


def possible_tags(word: str) -> tuple[str, ...]:
    """The tags that the ending of an English word allows."""
    return next(tags for ending, tags in ENDINGS.items() if word.endswith(ending))


CALENDAR = ("MONTH", "WEEKDAY")
"""Tags of our own for closed sets of proper nouns that translators do translate."""


def candidates(sentences: Iterable[Sentence], *, least: int = 2) -> list[Candidate]:
    """Every open-class word seen at least ``least`` times, commonest first, and the calendar.

    Only lower-case words of at least two letters count: a name in the text never becomes an entry.
    """
    counts = Counter(
        (token.text, token.tag)
        for sentence in sentences
        for token in sentence.tokens
        if token.tag in FRAMES and _is_ordinary(token.text)
    )
    totals: Counter[str] = Counter()
    for (word, _), count in counts.items():
        totals[word] += count
    found = [
        Candidate(word, tag, count)
        for (word, tag), count in counts.most_common()
        if count >= least and count >= SMALLEST_SHARE * totals[word]
    ]
    return found + _closed_sets({(c.word, c.tag) for c in found})


def _closed_sets(present: set[tuple[str, str]]) -> list[Candidate]:
    sets = (("MONTH", MONTHS), ("WEEKDAY", WEEKDAYS), ("CD", NUMERALS))
    return [
        Candidate(word, tag, 0)
        for tag, words in sets
        for word in words
        if (word, tag) not in present
    ]


def _is_ordinary(word: str) -> bool:
    return len(word) > 1 and word.isalpha() and word.islower() and not is_function_word(word)
