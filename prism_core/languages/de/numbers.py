"""Numbers in German words, what tells what a number is, and the calendar."""

from __future__ import annotations

from prism_core.languages.base import Dates, NumberLabels, count_words
from prism_core.languages.numbers import Numbers
from prism_core.resources import SHIPPED

_UNITS = count_words("eins zwei drei vier fünf sechs sieben acht neun", 1)
_STEMS = count_words("erst zweit dritt viert fünft sechst siebt acht neunt", 1)
_TEENS = count_words(
    "zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn", 10
)
_TENS = count_words("zwanzig dreißig vierzig fünfzig sechzig siebzig achtzig neunzig", 2, 10)
_WITHIN = {"ein": 1} | {word: value for word, value in _UNITS.items() if word != "eins"}
_TO_99 = {
    f"{unit}und{ten}": value + tens
    for ten, tens in _TENS.items()
    for unit, value in _WITHIN.items()
}
"""*einundzwanzig*: one word."""


def _compounds() -> dict[str, int]:
    """Numbers from 100 to 1999 and from 1000 to 9099 that are one word: *dreihundertfünfzig*,
    *neunzehnhundertachtzig*, *zweitausendneun*."""
    rest = {"": 0, "ein": 1} | _UNITS | _TEENS | _TENS | _TO_99
    hundreds = {"": 1} | _WITHIN | {word: value for word, value in _TEENS.items() if value > 10}
    thousands = {"": 1} | _WITHIN
    found = {
        f"{times}{word}{more}": count * value + added
        for word, value, counts in (("hundert", 100, hundreds), ("tausend", 1000, thousands))
        for times, count in counts.items()
        for more, added in rest.items()
    }
    return {word: value for word, value in found.items() if word not in ("hundert", "tausend")}


def _ordinals(stems: dict[str, int]) -> dict[str, int]:
    """Each stem of an ordinal with the endings of an adjective."""
    endings = ("e", "en", "er", "es", "em")
    return {f"{stem}{ending}": number for stem, number in stems.items() for ending in endings}


NUMBERS = Numbers(
    ordinal_endings=(),
    usual_ordinal_ending=".",
    ordinal_ending_of={},
    usual_ordinals=frozenset(),
    up_to_9=_UNITS | _ordinals(_STEMS) | {"zwo": 2, "fuenf": 5},
    digits=frozenset(_UNITS) | {"zwo"},
    from_10=_TEENS
    | _TO_99
    | _compounds()
    | _ordinals({f"{word}t": value for word, value in _TEENS.items()})
    | _ordinals({f"{word}st": value for word, value in _TO_99.items()}),
    by_ten=_TENS
    | {"dreissig": 30}
    | _ordinals({f"{word}st": value for word, value in _TENS.items()}),
    hundred="hundert",
    hundredth="hundertste",
    magnitudes={
        "tausend": 10**3,
        "million": 10**6,
        "millionen": 10**6,
        "milliarde": 10**9,
        "milliarden": 10**9,
    },
    magnitude_within="tausend",
    noughts=frozenset({"null"}),
    noughts_among_digits=frozenset({"o"}),
    times={"doppel": 2},
    marks=frozenset("strich bindestrich schrägstrich punkt komma".split()),
    one=(),
    plus=("und",),
    clock=r"(?i:uhr\b)",
    sections=r"(?:[Aa]bs|[Aa]rt|[Kk]ap|[Aa]bschn|[Zz]iff|[Bb]d|[Aa]bb|[Tt]ab|[Rr]n|[Rr]dnr|[Ss]|"
    r"[Bb]l|[Nn]r|[Aa]nl|lit)\.|§§?",
)

LABELS = NumberLabels(
    phrases=SHIPPED / "data" / "words" / "de" / "numbers.txt",
    word="[Ss]trich[ -]?[Cc]ode",
    units=r"prozent|mg|ml|kg|g\b|cm|mm|km|mmhg|bpm|µg|l\b|euro|dollar|pfund|franken|mark|eur|usd|"
    r"gbp|chf|jahren?|jahre?s?|tagen?|tage?|wochen?|monaten?|monate?|stunden?|minuten?|mal|"
    r"einheiten|tabletten?|patienten|personen|menschen|seiten",
    after_letter="ist|war|und|oder",
    listed="und|oder|bis|sowie",
    before_listed="und|oder|der|die|das|sowie",
    reached=frozenset({"unter"}),
    within=frozenset({"im", "in"}),
    copulas=frozenset("ist war lautet mit".split()),
)

_OVER_89 = r"(?:9\d|1[0-3]\d)"
_IN_WORDS = (
    r"(?:(?:(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun)und)?neunzig|"
    r"(?:ein)?hundert(?:(?:und)?(?:eins?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn))?)"
)

DATES = Dates(
    months=tuple(
        "januar februar märz april mai juni juli august september oktober november dezember".split()
    ),
    short_months=tuple("jan feb mär mrz apr jun jul aug sep sept okt nov dez".split()),
    weekdays=tuple("montag dienstag mittwoch donnerstag freitag samstag sonntag".split()),
    plural_ending="e",
    ambiguous=frozenset({"august"}),
    of="",
    of_month="(?:des Monats )?",
    between_days="(?:und|oder|bis|bis zum|und der|und den)",
    between_days_of="(?:und|bis)",
    joiners=frozenset("der den dem am vom bis zum und oder des".split()),
    born=r"\b(?:geb(?:oren)?|geburtsdatum|geburtstag|datum|vom|am|gestorben|verstorben|gest)\b",
    expires=r"\b(?:gültig bis|gilt bis|läuft ab|ablaufdatum|ablauf|verfalldatum|verfällt|exp)\b"
    r"[.:]*(?: (?:im|am|ende)\b:?){0,2}",
    over_89=rf"(?<![\w.,/$€£-])(?P<before>{_OVER_89})(?=[- ]?[Jj]ahren?\b| ?[Jj]\.|-?jährig)"
    rf"|\b(?:[Aa]lter|ALTER)(?: ?[:=]| von)? ?(?P<after>{_OVER_89})(?![\w.,]*\d|%)"
    rf"|\b(?P<worded>{_IN_WORDS})(?= [Jj]ahren?\b|-?jährig)",
    over_89_sign=r"9\d(?!\d)(?<![\d.,]\d\d)|1[0-3]\d(?!\d)(?<![\d.,]\d{3})|eunzig|undert",
)
