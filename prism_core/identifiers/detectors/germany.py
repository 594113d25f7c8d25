"""Numbers that Germany issues, and streets and towns as they are written there.

Only texts in German are read: see ``CountryDetector``. German numbers that are recognised in any
text (Steuer-ID, KVNR, IBAN, plates, telephones) are among the ``shapes`` and ``phones``; those that
a word before them names (*Az.*, *Fallnummer*, *Police*) are in ``data/words/de/numbers.txt``.
"""

from __future__ import annotations

from typing import ClassVar

from prism_core.identifiers import checksums
from prism_core.identifiers.base import Strength
from prism_core.identifiers.national_numbers import CountryDetector, NationalNumber
from prism_core.languages import Language
from prism_core.settings import IdentifierClass

# The chamber of a file number: *VIII*, *3*, *I-12*.
_SENATE = r"(?:(?:[IVX]{1,5}|\d)-)?(?:[IVX]{1,5}[a-z]?|\d{1,4}[a-z]?)"
# The register after a social court's file number: * R*, * B ER*.
_AFTER_FILE = r"(?: (?:B ER|eAO?|eR|ER|EU|jug|NZB|PKH|R|S|U|UG|B|WA|Hs|P)(?!\w))?"
_NUMBERS = (
    NationalNumber("VAT", r"DE ?\d{3}([ .]?)\d{3}\1\d{3}", checksums.german_vat),
    NationalNumber(
        "NATIONAL_ID",
        r"\d\d[ /-]?\d{2}[ .]?\d{2}[ .]?\d{2}[ /-]?[A-Za-z][ /-]?\d\d[ -]?\d",
        checksums.german_insurance,
    ),
    NationalNumber(
        "NATIONAL_ID",
        r"(?=[A-Z\d]{0,8}[A-Z])[0-9CFGHJ-NPRTV-Z]{9} ?-?\d ?D?",
        checksums.german_document,
        Strength.LIKELY,
    ),
    NationalNumber("NATIONAL_ID", r"(?:FF ?)?\d{2,3} ?/ ?\d{3,4} ?/ ?\d{4,5}|0\d\d \d{3} \d{5}"),
    NationalNumber(  # *VIII ZR 12/20*, *3 O 123/21*, *B 1 KR 12/20 R*, *4 C 12.20*
        "RECORD",
        rf"(?:(?:[BLS]|[A-Z][a-z]?) )?{_SENATE} ?[A-ZÄ][A-Za-zÄ]{{0,5}}(?:\([A-Za-z]{{1,6}}\))? ?"
        rf"\d{{1,6}} ?/ ?\d\d(?:\d\d)?{_AFTER_FILE}"
        rf"|(?:[A-Z][a-z]? )?\d{{1,2}} [A-Z]{{1,3}} (?:\d{{1,5}}\.\d\d|\d\d\.\d{{2,6}})"
        rf"{_AFTER_FILE}",
    ),
    NationalNumber(
        "LICENCE", r"(?:HR[AB]|VR|GnR|GsR|PR)[ -]?(?:Nr\. ?)?\d{1,3} ?\d{0,4}(?: [A-Z]{1,3})?"
    ),
    NationalNumber("PLATE", r"[A-ZÄÖÜ]{1,3} ?[-–:·] ?[A-Z]{1,2} ?\d{1,4} ?[EH]?"),
    NationalNumber("PLATE", r"[a-zäöü]{1,3}-[a-z]{1,2} ?\d{1,4} ?[eh]?"),
    NationalNumber(
        "PHONE",
        r"(?:\(0 ?\d\d(?: ?\d{1,3})?\)|0 \d\d(?: ?\d{1,3})?) ?[/–-]? ?\d{1,3}(?: ?-?\d{1,3}){2,5}",
    ),
)
_CAPITAL = r"[A-ZÄÖÜ][^\W\d_]{0,60}(?:[-'’][^\W\d_]{1,60}){0,8}"
_KINDS = (
    "straße|strasse|str|gasse|platz|allee|weg|ring|damm|ufer|steig|stieg|chaussee|markt|graben|"
    "wall|pfad|zeile|promenade|brücke|twiete|kamp|berg|hof|park|tor|winkel|feld|anger|höhe|garten|"
    "siedlung"
)
_SURE_KINDS = "straße|strasse|str|gasse|allee|platz"
_ALONE = r"Straße|Strasse|Str|Platz|Allee|Ring|Weg|Gasse|Ufer|Damm|Chaussee|Markt|Hof|Berg|Park|Tor"
_LEADS = (
    "Am|An de[rnm]|Auf de[rnm]|Auf|Im|In de[rn]|Unter de[rn]|Zum|Zur|Zu den|Beim?|Bei de[rnm]|"
    "Hinter de[rnm]|Vor de[rnm]|Über de[rnm]|Neben de[rnm]|Alter|Alte|Neuer|Neue|Kleiner?|Großer?|"
    "Lange|Obere|Untere"
)
# *12*, *Nr. 12 a*, *12-14*; no year.
_HOUSE = (
    r"(?:(?:Nr\.|Hausnr\.|Hausnummer) ?)?(?!(?:19|20)\d\d(?!\d))\d{1,4}(?: ?[a-z](?!\w))?"
    r"(?: ?[-–/+] ?\d{1,4}(?: ?[a-z](?!\w))?)?"
)
# *Haus 3*, *2. OG links*, *Whg. 12*, *EG*.
_PART = (
    r"(?:(?:Haus|Hs\.|Whg\.|Wohnung|WE|App\.|Apartment|Zimmer|Zi\.|Block|Aufgang|Eingang|Tür|Top|"
    r"Stiege|Hinterhaus|HH|Vorderhaus|VH)(?: ?(?:Nr\. ?)?(?:\d{1,4}[a-z]?|[A-Z])(?!\w))?|"
    r"\d{1,2}\. ?(?:OG|UG|Stock|Etage|Obergeschoss)(?: (?:links|rechts|Mitte|li\.|re\.))?|"
    r"(?:EG|DG|UG|Erdgeschoss|Dachgeschoss)(?: (?:links|rechts))?)"
)
# Between the words of a town's name: *Frankfurt am Main*, *Rothenburg o. d. Tauber*.
_BESIDE = (
    r"(?:am|an der|im|in der|in|ob der|vor der|auf der|auf|bei|unter|der|zu|a\. ?d\.|a\.|i\. ?d\.|"
    r"i\.|v\. ?d\.|b\.|d\.)"
)
_NO_TOWN = (
    "Euro|EUR|Cent|Mark|DM|Dollar|Franken|Mio|Menschen|Einwohner|Personen|Leute|Patienten|Mitglieder|"
    "Kilometer|Meter|Tonnen|Kilo|Liter|Stück|Seiten|Uhr|Mal|Jahre|Tage|Stunden|Exemplare|"
    "Unterschriften|Teilnehmer|Besucher|Zuschauer|Soldaten|Flüchtlinge|Arbeitsplätze|Quadratmeter|"
    "Hektar|Beschäftigte|Mitarbeiter|Studenten|Kinder|Schüler|Wähler|Stimmen|Fälle|Haushalte"
)
# *Berlin*, *Frankfurt am Main*, *Halle (Saale)*; nothing that is counted (*12000 Euro*).
_TOWN_NAME = (
    rf"(?!(?:{_NO_TOWN})n?(?!\w)){_CAPITAL}(?:\.(?= [A-ZÄÖÜ]))?"
    rf"(?: (?:{_BESIDE} ?){{1,2}}{_CAPITAL}\.?|[ /-]{{1,3}}{_CAPITAL}){{0,2}}(?: ?\({_CAPITAL}\))?"
)
# *10115 Berlin*, *D-10115 Berlin*.
_TOWN = rf"(?:(?:DE?|A|CH) ?[-–] ?)?\d{{5}},? (?P<town>{_TOWN_NAME})"
# A line, a mark, a house number, or *in*, *aus*, *nach* before the postcode.
_BEFORE_TOWN = (
    r"(?:(?<![^\n])|(?<=[,;:(·|–-] )|(?<=\()|(?<=\d )|(?<=\b(?:in|zu) )|(?<=\b(?:aus|PLZ) )|"
    r"(?<=\bnach ))"
)
_TOWN_AFTER_STREET = _TOWN.replace(_TOWN_NAME, rf"{_TOWN_NAME}|[^\W\d_]{{3,}}(?:-[^\W\d_]+)*")
"""Postcode and town after a street, also in small letters, as forms are filled in."""


class GermanyDetector(CountryDetector):
    """Detector of German insurance, tax, identity, court and register numbers, and of addresses."""

    order = 36
    code = "de"
    numbers = _NUMBERS
    classes: ClassVar = {
        "ADDRESS": IdentifierClass.GEOGRAPHY,
        "LICENCE": IdentifierClass.LICENCE,
        "NATIONAL_ID": IdentifierClass.NATIONAL_ID,
        "PHONE": IdentifierClass.PHONE,
        "PLATE": IdentifierClass.VEHICLE,
        "RECORD": IdentifierClass.RECORD,
        "VAT": IdentifierClass.LICENCE,
    }

    def __init__(self, language: Language) -> None:
        rest = rf"(?:,? {_PART}){{0,4}}(?!\w)(?:\s?[ ,;·|–-]{{0,3}}\s?{_TOWN_AFTER_STREET})?"
        inner = rf"(?:{_CAPITAL}[ -]){{0,2}}"
        of = rf"(?:de[rsnm]|am|an der|im|in der|zu[mr]|von|vor dem) (?:\d{{1,2}}\. )?{_CAPITAL}"
        named = rf"{inner}(?:[A-ZÄÖÜ][\w-]{{0,60}}(?:{_KINDS})|{_ALONE})\.?"
        of_something = rf"(?:{_ALONE})\.? {of}(?: {_CAPITAL})?"
        led = rf"(?:{_LEADS}) (?:{_CAPITAL} )?{_CAPITAL}"
        small = rf"[a-zäöüß-]{{3,}}(?:{_SURE_KINDS})\.?"
        addresses = (
            rf"(?<![\w-])(?P<name>{named}|{of_something}|{led}|{small}) ?{_HOUSE}{rest}",
            rf"(?<![\w-])(?P<name>{inner}{_CAPITAL}) {_HOUSE}(?:,? {_PART}){{0,3}}"
            rf"[ ,;·|–-]{{0,3}}\s?{_TOWN}",
            rf"\b(?:Postfach|PF|Pf\.) ?\d[\d ]{{0,8}}(?<=\d)(?!\d)(?:[ ,;·|–-]{{1,3}}{_TOWN})?"
            "(?P<name>)",
            rf"{_BEFORE_TOWN}(?P<name>){_TOWN}",
            rf"\b(?:[Ww]ohnhaft|[Aa]nsässig|[Bb]eheimatet)(?: gewesen| ist| war)?:? "
            rf"(?:(?:in|im|am|zu|bei|an|auf)(?: de[rmn])? )?(?P<name>{_TOWN_NAME})",
        )
        resident = "ohnhaft|nsässig|eheimatet"
        super().__init__(language, rf"\d|{resident}", resident, addresses)


DETECTOR = GermanyDetector
