"""Numbers in Spanish words, what tells what a number is, and the calendar."""

from __future__ import annotations

from prism_core.languages.base import Dates, NumberLabels, count_words
from prism_core.languages.numbers import Numbers
from prism_core.resources import SHIPPED

_UNITS = count_words("uno dos tres cuatro cinco seis siete ocho nueve", 1)
_ORDINALS = count_words("primero segundo tercero cuarto quinto sexto séptimo octavo noveno", 1)
_ORDINALS |= {word[:-1] + "a": value for word, value in _ORDINALS.items()}
_TEENS = count_words(
    "diez once doce trece catorce quince dieciséis diecisiete dieciocho diecinueve veinte "
    "veintiuno veintidós veintitrés veinticuatro veinticinco veintiséis veintisiete veintiocho "
    "veintinueve",
    10,
)
_TENS = count_words("veinte treinta cuarenta cincuenta sesenta setenta ochenta noventa", 2, 10)

NUMBERS = Numbers(
    ordinal_endings=("º", "ª", "°", "er"),
    usual_ordinal_ending="º",
    ordinal_ending_of={},
    usual_ordinals=frozenset(),
    up_to_9=_UNITS | _ORDINALS | {"un": 1, "una": 1, "primer": 1, "tercer": 3},
    digits=frozenset(_UNITS),
    from_10=_TEENS | {"décimo": 10, "décima": 10, "undécimo": 11, "duodécimo": 12},
    by_ten=_TENS | {"vigésimo": 20, "vigésima": 20, "trigésimo": 30, "trigésima": 30},
    hundred="ciento",
    hundredth="centésimo",
    magnitudes={"mil": 10**3, "millón": 10**6, "millones": 10**6, "billón": 10**12},
    noughts=frozenset({"cero"}),
    noughts_among_digits=frozenset({"o"}),
    times={"doble": 2, "triple": 3},
    marks=frozenset("guion guión punto barra raya coma".split()),
    one=(),
    plus=("y",),
    clock=r"(?i:[ap]\. ?m\b\.?|h(?:rs)?\b\.?)",
    sections=r"(?:[Aa]rt|[Aa]p|[Cc]ap|[Ff]ig|[Pp]ág|[Pp]árr|[Ss]ec|[Vv]ol|[Tt]ít)s?\.|[Pp]p?\.|[Ss]s\.",
    blanks=" \u00a0\u202f",
    thousands=".",
    decimal=",",
    thousand="mil",
)

LABELS = NumberLabels(
    phrases=SHIPPED / "data" / "words" / "es" / "numbers.txt",
    word="código[ -]de[ -]barras",
    units=r"por ciento|mg|ml|kg|g\b|cm|mm|km|mmhg|lpm|euros?|dólares|libras?|pesetas|usd|eur|gbp|"
    r"años?|días?|semanas?|mes(?:es)?|horas?|minutos?|veces|unidades|comprimidos?|pacientes|"
    r"personas|páginas",
    after_letter="es|era|y|o",
    listed="y|e|o|u|a|así como",
    before_listed="y|e|o|u|el|la|los|las",
    reached=frozenset({"en", "al"}),
    within=frozenset({"en"}),
    copulas=frozenset("es era con".split()),
)

_OVER_89 = r"(?:9\d|1[0-3]\d)"
_IN_WORDS = (
    r"(?:noventa(?: y (?:un[oa]?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve))?|cien(?:to)?)"
)

DATES = Dates(
    months=tuple(
        "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
        "diciembre".split()
    ),
    short_months=tuple("ene feb mar abr jun jul ago sep sept oct nov dic".split()),
    weekdays=tuple("lunes martes miércoles jueves viernes sábado domingo".split()),
    ambiguous=frozenset(),
    small_months=True,
    of="del?",
    of_month="(?:días? )?del?(?: mes de)?",
    between_days="(?:y|e|a|al|o|hasta(?: el)?)",
    between_days_of="(?:y|a|al)",
    joiners=frozenset("de del el la y e a al".split()),
    born=r"\b(?:nacid[oa]s?|nacimiento|nac\.?|fecha|fechad[oa]|el|f\. ?n\.?)\b",
    expires=r"\b(?:cad|caduc(?:a|idad|ó)|vence|vencimiento|válid[oa] hasta|expira)\b[.:]*"
    r"(?: (?:en|el|de)\b:?){0,2}",
    over_89=rf"(?<![\w.,/$€£-])(?P<before>{_OVER_89})(?=[- ]?(?:años?\b|a\.))"
    rf"|\b(?:[Ee]dad|EDAD)(?: ?[:=]| de)? ?(?P<after>{_OVER_89})(?![\w.,]*\d|%)"
    rf"|\b(?P<worded>{_IN_WORDS})(?= años? de edad)",
    over_89_sign=r"9\d(?!\d)(?<![\d.,]\d\d)|1[0-3]\d(?!\d)(?<![\d.,]\d{3})|oventa|cien",
)
