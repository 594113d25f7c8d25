"""Numbers in French words, what tells what a number is, and the calendar."""

from __future__ import annotations

from prism_core.languages.base import Dates, NumberLabels, count_words
from prism_core.languages.numbers import Numbers
from prism_core.resources import SHIPPED

_UNITS = count_words("un deux trois quatre cinq six sept huit neuf", 1)
_ORDINALS = count_words(
    "unième deuxième troisième quatrième cinquième sixième septième huitième neuvième", 1
)
_TEENS = count_words("dix onze douze treize quatorze quinze seize", 10)
_ORDINAL_TEENS = count_words(
    "dixième onzième douzième treizième quatorzième quinzième seizième", 10
)
_TENS = count_words("vingt trente quarante cinquante soixante", 2, 10)
_ORDINAL_TENS = count_words("vingtième trentième quarantième cinquantième soixantième", 2, 10)

NUMBERS = Numbers(
    ordinal_endings=("er", "re", "ère", "ème", "eme", "nde", "nd", "e", "º", "°"),
    usual_ordinal_ending="e",
    ordinal_ending_of={},
    usual_ordinals=frozenset(),
    up_to_9=_UNITS | _ORDINALS | {"une": 1, "premier": 1, "première": 1, "second": 2, "seconde": 2},
    digits=frozenset(_UNITS),
    from_10=_TEENS | _ORDINAL_TEENS,
    by_ten=_TENS | _ORDINAL_TENS | {"septante": 70, "huitante": 80, "octante": 80, "nonante": 90},
    hundred="cent",
    hundredth="centième",
    magnitudes={"mille": 10**3, "million": 10**6, "millions": 10**6, "milliard": 10**9},
    noughts=frozenset({"zéro"}),
    noughts_among_digits=frozenset({"o"}),
    times={"double": 2, "triple": 3},
    marks=frozenset("tiret trait barre point virgule".split()),
    one=(),
    plus=("et",),
    with_teens=frozenset({60, 80}),
    twenties=frozenset({"vingt", "vingts", "vingtième"}),
    clock=r"(?i:h(?: ?[0-5]\d)?\b)",
    sections=r"(?:[Aa]rt|[Aa]l|[Cc]h|[Cc]hap|[Ff]ig|[Pp]ar|[Ss]ect|[Tt]it|[Vv]ol)s?\.|[Pp]p?\.|"
    r"[LRDA]\.",
    blanks=" \u00a0\u202f",
    thousands=".",
    decimal=",",
)

LABELS = NumberLabels(
    phrases=SHIPPED / "data" / "words" / "fr" / "numbers.txt",
    word="code[ -]barres?",
    units=r"pour cent|mg|ml|kg|g\b|cm|mm|km|mmhg|bpm|euros?|dollars?|livres?|francs?|frs?|eur|usd|"
    r"gbp|ans?|années?|jours?|semaines?|mois|heures?|minutes?|fois|unités|comprimés?|patients|"
    r"personnes|pages",
    after_letter="est|était|et|ou",
    listed="et|ou|à|ainsi que",
    before_listed="et|ou|le|la|les|l'",
    reached=frozenset({"au", "sur"}),
    within=frozenset({"en"}),
    copulas=frozenset("est était avec".split()),
)

_OVER_89 = r"(?:9\d|1[0-3]\d)"
_IN_WORDS = (
    r"(?:quatre-vingt-(?:dix(?:-(?:sept|huit|neuf))?|onze|douze|treize|quatorze|quinze|seize)|"
    r"nonante(?:[- ](?:et[- ])?(?:un|deux|trois|quatre|cinq|six|sept|huit|neuf))?|cent)"
)

DATES = Dates(
    months=tuple(
        "janvier février mars avril mai juin juillet août septembre octobre novembre "
        "décembre".split()
    ),
    short_months=tuple("janv jan févr fév fev avr juil juill sept sep oct nov déc dec".split()),
    weekdays=tuple("lundi mardi mercredi jeudi vendredi samedi dimanche".split()),
    plural_ending="s",
    ambiguous=frozenset(),
    small_months=True,
    of="(?:de|d')",
    of_month="(?:du mois (?:de |d['’]))?",
    between_days="(?:et|ou|au|et le|ou le)",
    between_days_of="(?:et|au)",
    joiners=frozenset("de du d' d’ le la et au ou".split()),
    born=r"\b(?:née?s?|naissance|date|datée?s?|le|d\.? ?n\.?)\b",
    expires=r"\b(?:exp|expir(?:e|ant|ation|é)|valable jusqu['’](?:au|à|en)|valide jusqu['’]"
    r"(?:au|à|en)|échéance|péremption)\b[.:]*(?: (?:en|le|fin|de)\b:?){0,2}",
    over_89=rf"(?<![\w.,/$€£-])(?P<before>{_OVER_89})(?=[- ]?ans?\b)"
    rf"|\b(?:[ÂâAa]ge|[ÂâAa]gée?s?|ÂGE|AGE)(?: ?[:=]| de)? ?(?P<after>{_OVER_89})(?![\w.,]*\d|%)"
    rf"|\b(?P<worded>{_IN_WORDS})(?= ans?\b)",
    over_89_sign=r"9\d(?!\d)(?<![\d.,]\d\d)|1[0-3]\d(?!\d)(?<![\d.,]\d{3})|ingt-|onante|cent",
)
