"""Numbers in English words, and what tells what a number is."""

from __future__ import annotations

from prism_core.languages.base import NumberLabels, Numbers
from prism_core.resources import PROJECT


def _counted(words: str, start: int, step: int = 1) -> dict[str, int]:
    return {word: (start + place) * step for place, word in enumerate(words.split())}


_UNITS = _counted("one two three four five six seven eight nine", 1)
_TEENS = _counted(
    "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen", 10
)
_TENS = _counted("twenty thirty forty fifty sixty seventy eighty ninety", 2, 10)
_ORDINAL_UNITS = _counted("first second third fourth fifth sixth seventh eighth ninth", 1)
_ORDINAL_TEENS = {"twelfth": 12} | {f"{word}th": value for word, value in _TEENS.items()}
_ORDINAL_TENS = {f"{word[:-1]}ieth": value for word, value in _TENS.items()}

NUMBERS = Numbers(
    ordinal_endings=("st", "nd", "rd", "th"),
    usual_ordinal_ending="th",
    ordinal_ending_of={1: "st", 2: "nd", 3: "rd"},
    usual_ordinals=frozenset({11, 12, 13}),
    up_to_9=_UNITS | _ORDINAL_UNITS,
    from_10=_TEENS | _ORDINAL_TEENS,
    by_ten=_TENS | _ORDINAL_TENS | {"fourty": 40, "ninty": 90},
    hundred="hundred",
    hundredth="hundredth",
    magnitudes={"thousand": 10**3, "million": 10**6, "billion": 10**9},
    noughts=frozenset("zero nought naught".split()),
    noughts_among_digits=frozenset("oh o nil".split()),
    times={"double": 2, "triple": 3, "treble": 3},
    marks=frozenset("dash hyphen dot point slash stroke".split()),
    one=("a", "an"),
    plus=("and",),
)

LABELS = NumberLabels(
    phrases=PROJECT / "data" / "words" / "numbers.txt",
    word="bar[ -]code",
    units=r"percent|per cent|mg|ml|kg|g\b|cm|mm|km|mmhg|bpm|euros?|dollars?|pounds?|usd|eur|gbp|"
    r"years?|days?|weeks?|months?|hours?|minutes?|times|units|tablets?|patients|people|pages",
    after_letter="is|was|and|or",
    listed="and|or|to|as well as",
    before_listed="and|or|the",
    reached=frozenset({"at", "on"}),
    within=frozenset({"in"}),
    copulas=frozenset("is was with".split()),
)
