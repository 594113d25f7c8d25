"""Numbers that France issues, and streets and towns as they are written there.

Only texts in French are read: see ``CountryDetector``. French numbers that are recognised in any
text (NIR, IBAN, current plates, telephones) are among the ``shapes`` and ``phones``; those that a
word before them names (*RG*, *RPPS*, *pourvoi*, *passeport*) are in ``data/words/fr/numbers.txt``.
"""

from __future__ import annotations

from typing import ClassVar

from prism_core.identifiers import checksums
from prism_core.identifiers.base import Strength
from prism_core.identifiers.national_numbers import CountryDetector, NationalNumber
from prism_core.languages import Language
from prism_core.settings import IdentifierClass

_BLANK = "[ \u00a0\u202f]"
_NUMBERS = (
    NationalNumber(
        "VAT", rf"\d{{3}}({_BLANK}?)\d{{3}}\1\d{{3}}{_BLANK}?\d{{5}}", checksums.french_company
    ),
    NationalNumber(
        "VAT",
        rf"\d{{3}}({_BLANK})\d{{3}}\1\d{{3}}(?!{_BLANK}?\d)",
        checksums.french_company,
        Strength.LIKELY,
    ),
    NationalNumber(
        "ACCOUNT", rf"\d{{5}}({_BLANK}?)\d{{5}}\1[\dA-Z]{{11}}\1\d\d", checksums.french_account
    ),
    NationalNumber(
        "PLATE",
        r"[1-9]\d{1,3}[ -][A-HJ-NP-TV-Z]{2,3}[ -](?:0[1-9]|[1-8]\d|9[0-5]|2[AB]|97[1-6])",
    ),
    NationalNumber("RECORD", r"(?:[A-Z] )?\d\d-\d\d\.\d{3}|\d{2}/\d{5}"),
)
# *Rivoli*, *Saint-Denis*, *D'Hères*.
_CAPITAL = r"[A-ZÀ-ÖØ-Þ][^\W_]{0,60}(?:['’.\-]{1,3}[^\W_]{1,60}){0,8}\.?"
_SMALL_WORDS = r"(?:de|du|des|la|le|les|l['’]|d['’]|et|à|aux?|en|sur|sous)"
_LINK = rf"(?:{_SMALL_WORDS}(?: |(?<=['’])))"
# *de Rivoli*, *du Général Leclerc*.
_NAME = rf"{_LINK}{{0,4}}{_CAPITAL}(?:[ -]{_LINK}{{0,3}}{_CAPITAL}){{0,5}}"
_SMALL = rf"{_LINK}{{0,3}}[^\W\d_]{{3,}}(?:[ -]{_LINK}{{0,2}}[^\W\d_]{{3,}}){{0,3}}"
"""Name in small letters, as forms are filled in."""
# *12 *, *12 bis, *, *12-14 *.
_HOUSE = (
    rf"(?<![\w.,/$€£-])\d{{1,4}}(?:[-/]\d{{1,4}})?(?:{_BLANK}?(?:bis|ter|quater|[A-D]\b))?"
    rf",?{_BLANK}"
)
# *Bât. 3*, *appt 12*, *2ème étage*, *BP 123*.
_PART = (
    r"(?:(?:[Bb][âa]t(?:iment|\.)?|[Aa]pp(?:artemen)?t\.?|[Aa]pt\.?|[Ee]sc(?:alier|\.)?|[Ee]ntrée|"
    r"[Pp]orte|[Rr]ésidence|[Hh]all) ?(?:n° ?)?(?:\d{1,4}|[A-Z]\b)?|\d{1,2}(?:er|e|ème) étage|"
    r"(?:BP|CS|B\.P\.) ?\d{1,6})"
)
# *75001 Paris Cedex 01*, *F-75 001 Paris*.
_TOWN = (
    rf"(?:F-)?\d{{2}} ?\d{{3}}{_BLANK}(?P<town>{_NAME})"
    rf"(?:{_BLANK}(?:[Cc]edex|CEDEX)(?:{_BLANK}\d{{1,2}})?)?"
)


class FranceDetector(CountryDetector):
    """Detector of French companies, accounts, plates until 2009, court files, and addresses."""

    order = 35
    code = "fr"
    numbers = _NUMBERS
    classes: ClassVar = {
        "ACCOUNT": IdentifierClass.ACCOUNT,
        "ADDRESS": IdentifierClass.GEOGRAPHY,
        "PLATE": IdentifierClass.VEHICLE,
        "RECORD": IdentifierClass.RECORD,
        "VAT": IdentifierClass.LICENCE,
    }

    def __init__(self, language: Language) -> None:
        streets = rf"(?i:{language.places.streets})\b\.?"
        rest = rf"(?:,? {_PART}){{0,4}}(?!\w)(?:[ ,.;–-]{{1,3}}{_TOWN})?"
        addresses = (
            rf"{_HOUSE}{streets} (?P<name>{_NAME}|{_SMALL}){rest}",
            rf"\b(?:domiciliée?s?|demeurant)(?: ensemble)?(?: au| à| à la)?,? {streets} "
            rf"(?P<name>{_NAME}){rest}",
            rf"\b(?:BP|CS|B\.P\.) ?\d{{1,6}}\b(?:[ ,.;–-]{{1,3}}{_TOWN})?(?P<name>)",
            rf"(?<![\w.,/$€-]){_TOWN}(?P<name>)",
        )
        resident = "domicilié|demeurant"
        super().__init__(language, rf"\d|{resident}", resident, addresses)


DETECTOR = FranceDetector
