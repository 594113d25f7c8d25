"""The calendar in English, how days are written, and how ages are told."""

from __future__ import annotations

from prism_core.languages.base import Dates

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
