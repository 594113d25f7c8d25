"""Numbers in English words, what tells what a number is, and the calendar."""

from __future__ import annotations

from prism_core.languages.base import Dates, NumberLabels, count_words
from prism_core.languages.numbers import Numbers
from prism_core.resources import SHIPPED

_UNITS = count_words("one two three four five six seven eight nine", 1)
_TEENS = count_words(
    "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen", 10
)
_TENS = count_words("twenty thirty forty fifty sixty seventy eighty ninety", 2, 10)
_ORDINAL_UNITS = count_words("first second third fourth fifth sixth seventh eighth ninth", 1)
_ORDINAL_TEENS = {"twelfth": 12} | {f"{word}th": value for word, value in _TEENS.items()}
_ORDINAL_TENS = {f"{word[:-1]}ieth": value for word, value in _TENS.items()}

NUMBERS = Numbers(
    ordinal_endings=("st", "nd", "rd", "th"),
    usual_ordinal_ending="th",
    ordinal_ending_of={1: "st", 2: "nd", 3: "rd"},
    usual_ordinals=frozenset({11, 12, 13}),
    up_to_9=_UNITS | _ORDINAL_UNITS,
    digits=frozenset(_UNITS),
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
    clock=r"(?i:[ap](?:m|\. ?m\b\.?))",
    sections=r"(?:[Pp]p?|rr?|ss?|(?:[Aa]rt|[Cc]h|[Cc]l|[Ff]ig|[Pp]ara|[Pp]t|[Rr]eg|[Ss]ec|[Ss]ch|"
    r"[Vv]ol)s?)\.|ss?|paras?",
)

LABELS = NumberLabels(
    phrases=SHIPPED / "data" / "words" / "numbers.txt",
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

_OVER_89 = r"(?:9\d|1[0-3]\d)"
_IN_WORDS = (
    r"(?:ninety(?:[- ](?:one|two|three|four|five|six|seven|eight|nine))?|a hundred|one hundred)"
)

DATES = Dates(
    months=tuple(
        "january february march april may june july august september october november "
        "december".split()
    ),
    short_months=tuple("jan feb mar apr jun jul aug sep sept oct nov dec".split()),
    weekdays=tuple("monday tuesday wednesday thursday friday saturday sunday".split()),
    plural_ending="s",
    ambiguous=frozenset({"may", "march"}),
    of="of",
    of_month="(?:day )?of",
    between_days="(?:and|to|or)",
    between_days_of="(?:to|and)",
    joiners=frozenset("of the to and or".split()),
    born=r"\b(?:born|dob|d\.o\.b\.?|birth|date|dated|on|fecha|geb)\b",
    expires=r"\b(?:exp|expir(?:y|es?|ed|ing|ation)|valid (?:thru|through|to|till|until)|good thru|"
    r"ends? in)\b[.:]*(?: (?:date|on|in|is|of)\b:?){0,2}",
    over_89=rf"(?<![\w.,/$€£-])(?P<before>{_OVER_89})"
    r"(?=[- ]?(?:years?|yrs?)[- ]?(?:olds?|of age)|-years?\b|[- ]?y[./]?o\b|[- ]?yo[mf]?\b)"
    r"|\b(?:[Aa]ge[ds]?|AGE|turn(?:ed|s|ing))(?: ?[:=]| of| is| was| at)?"
    rf" ?(?P<after>{_OVER_89})(?![\w.,]*\d|%)"
    rf"|(?<=[^\W\d_], about )(?P<about>{_OVER_89})(?=,)"
    rf"|(?<=[^\W\d_], )(?P<apart>{_OVER_89})"
    r"(?=, (?:of|from|who|whose|was|is|has|had|a|an|the|died|passed)\b)"
    rf"|\b(?P<worded>{_IN_WORDS})(?=[- ]years?[- ](?:old|of age))",
    over_89_sign=r"9\d(?!\d)(?<![\d.,]\d\d)|1[0-3]\d(?!\d)(?<![\d.,]\d{3})|inety|hundred",
)
