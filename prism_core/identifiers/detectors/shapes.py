"""Identifiers recognised by their form: the table of patterns and their checks.

Entry: ``ShapeDetector.find``, over the rows of ``SHAPES``: each has a sign, a pattern, a check.

A row is here only if hardly anything else looks like it. Forms that many things share are
recognised by the words before them (``labels``). States are named by their ISO 3166 codes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from random import Random
from typing import ClassVar

from prism_core.identifiers import checksums
from prism_core.identifiers.base import Detector, Match, Strength, kind_of
from prism_core.identifiers.format_preserving import code_like, number_like
from prism_core.languages import Language
from prism_core.record import Kind
from prism_core.settings import IdentifierClass

_STATES = (
    "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM "
    "NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY DC PR"
).replace(" ", "|")
_PICTURES = (
    "jpe?g|png|gif|bmp|tiff?|hei[cf]|webp|avif|dcm|cr[23]|nef|arw|dng|raf|orf|rw2|svg|JPE?G|PNG|GIF|"
    "BMP|TIFF?|HEI[CF]|WEBP|DCM|CR[23]|NEF|ARW|DNG|RAF|ORF|RW2"
)
_CAMERAS = r"DSC[FN]?|IMG|IMGP|PXL|CIMG|DJI|GOPR|PICT|HPIM|SAM|KIMG|MVIMG"
_INDIA = (
    "AN AP AR AS BR CG CH DD DL DN GA GJ HP HR JH JK KA KL LA LD MH ML MN MP MZ NL OD OR PB PY RJ "
    "SK TN TR TS TG UK UP WB"
).replace(" ", "|")
_IRELAND = (
    "CE CN CW DL KE KK KY LD LH LK LM LS MH MN MO OY RN SO WD WH WX WW C D G L T W"
).replace(" ", "|")
_ANGLE = r"\d{1,3}° ?\d{1,2}['′] ?(?:[\d.]{1,9}[\"″] ?)?"
_HEX = "[0-9A-Fa-f]"
_VAT = (
    r"ATU\d{8}|BE ?[01]\d{3}\.?\d{3}\.?\d{3}|BG\d{9,10}|CY\d{8}[A-Z]|CZ\d{8,10}|DE ?\d{9}"
    r"|DK ?\d{8}|EE\d{9}|EL ?\d{9}|ES ?[A-Z]\d{7}[A-Z0-9]|ES ?\d{8}[A-Z]|FI ?\d{8}"
    r"|FR ?[A-HJ-NP-Z0-9]{2} ?\d{3} ?\d{3} ?\d{3}|GB ?\d{3} ?\d{4} ?\d{2}|HR\d{11}|HU\d{8}"
    r"|IE ?\d{7}[A-W][A-I]?|IT ?\d{11}|LT\d{9}|LU\d{8}|LV\d{11}|MT\d{8}|NL ?\d{9}B\d\d"
    r"|PL ?\d{10}|PT ?\d{9}|RO\d{6,10}|SE ?\d{10}01|SI\d{8}|SK\d{10}|CHE-\d{3}\.\d{3}\.\d{3}"
)
_IPV4 = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_DOCUMENTATION = ("192.0.2", "198.51.100", "203.0.113")
"""Networks that are reserved for documentation (RFC 5737)."""
_COUNTRIES_BY_IBAN_LENGTH = {
    15: "NO", 16: "BE", 18: "DK FI NL", 19: "SI", 20: "AT LU", 21: "CH HR", 22: "DE GB IE",
    24: "CZ ES RO SE SK", 25: "PT", 27: "FR GR IT", 28: "CY HU PL",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Shape:
    """Row of the table: text that matches ``pattern``, has the ``sign`` and passes ``check``.

    The sign is for speed: a text without it is not read further. Every alternative of a sign begins
    with a digit, except for pictures. So one expression finds the signs of all rows, and stops at
    digits alone.
    """

    label: str
    sign: re.Pattern[str]
    pattern: re.Pattern[str]
    check: Callable[[str], bool] | None = None

    @property
    def strength(self) -> Strength:
        """Strength of a match: a check that many numbers pass by chance proves little."""
        if self.check in _PASSED_BY_MOST:
            return Strength.SHAPED
        return Strength.LIKELY if self.check in _PASSED_BY_CHANCE else Strength.CHECKED

    def find(self, text: str) -> Iterator[Match]:
        """Yield the matches in ``text``, which do not overlap."""
        for match in self.pattern.finditer(text):
            found = match.group()
            if self.sign.search(found) and (self.check is None or self.check(found)):
                yield Match(*match.span(), self.label, self.strength)


def _make_shape(
    label: str, sign: str, pattern: str, check: Callable[[str], bool] | None = None
) -> Shape:
    alone = re.compile(rf"(?<![\w@+])(?<!\w[-./])(?:{pattern})(?![\w@]|[-/]\w)")
    return Shape(label, re.compile(sign), alone, check)


def _is_address(text: str) -> bool:
    parts = text.partition("/")[0].partition(":")[0].split(".")
    return all(int(part) < 256 for part in parts)


_PASSED_BY_MOST = (None, checksums.us_social_security, _is_address)
_PASSED_BY_CHANCE = (
    checksums.spanish_id,
    checksums.german_tax,
    checksums.german_health,
    checksums.indian_person,
    checksums.irish_personal,
)
"""Checks that one in ten to 23 numbers passes, of forms that any number may have."""
_LONG = r"\d(?:[ .:/)-]{0,2}[\dA-Z]){5}"
"""Sign of six or more digits and capitals."""
_PICTURE = Shape(
    "PHOTO",
    re.compile(rf"\.(?<=[\w)]\.)(?:{_PICTURES})"),
    re.compile(
        r"(?<![\w.-])(?:(?:(?i:screenshot|screen shot|whatsapp image|photo|image|"
        r"bildschirmfoto) "
        r"\d{4}-\d\d-\d\d (?:at |um )?\d{1,2}(?:\.\d\d){1,2}(?: [AP]M)?(?: \(\d{1,2}\))?|"
        rf"(?:(?i:scan|img|image|photo|picture|screenshot|page|foto|bild) (?=\d+\.))?[\w-]+"
        rf"(?:\.[\w-]+)*)\.(?:{_PICTURES})(?!\w))"
    ),
    str.isprintable,  # the ending says enough
)
SHAPES = (
    _PICTURE,
    _make_shape(
        "IBAN",
        r"\d(?: ?[A-Z\d]{4}){2}",
        r"[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?",
        checksums.iban,
    ),
    _make_shape(
        "NATIONAL_ID",  # French NIR
        _LONG,
        r"[12] ?\d\d ?\d\d ?(?:\d\d|2A|2B) ?\d{3} ?\d{3} ?\d\d",
        checksums.french_social_security,
    ),
    _make_shape(
        "CARD",  # payment card; 15 digits for American Express
        _LONG,
        r"(?:[456]\d|2[2-7])\d\d([ -]?)\d{4}\1\d{4}\1\d{1,7}|3[47]\d\d([ -]?)\d{6}\2\d{5}",
        checksums.luhn,
    ),
    _make_shape(
        "NATIONAL_ID",  # Italian codice fiscale
        r"\d\d[A-Z]\d\d",
        r"[A-Z]{3} ?[A-Z]{3} ?\d\d[A-Z]\d\d ?[A-Z]\d{3}[A-Z]",
        checksums.italian_fiscal,
    ),
    # Swiss AHV number.
    _make_shape("NATIONAL_ID", _LONG, r"756\.?\d{4}\.?\d{4}\.?\d\d", checksums.ean),
    _make_shape(  # Belgian register number
        "NATIONAL_ID", _LONG, r"\d\d\.\d\d\.\d\d[- ]\d{3}[.-]\d\d", checksums.belgian_national
    ),
    # Spanish DNI and NIE.
    _make_shape("NATIONAL_ID", _LONG, r"(?:[XYZ][- ]?)?\d{7,8}[- ]?[A-Z]", checksums.spanish_id),
    # Spanish DNI with full stops.
    _make_shape("NATIONAL_ID", _LONG, r"\d{2}\.\d{3}\.\d{3}-?[A-Z]", checksums.spanish_id),
    # Swedish personnummer.
    _make_shape("NATIONAL_ID", _LONG, r"(?:19|20)?\d{6}[-+]\d{4}", checksums.swedish_personal),
    _make_shape(  # Finnish henkilötunnus
        "NATIONAL_ID", _LONG, r"[0-3]\d[01]\d{3}[-+A]\d{3}[0-9A-Y]", checksums.finnish_personal
    ),
    # German tax number.
    _make_shape("NATIONAL_ID", _LONG, r"\d\d ?\d{3} ?\d{3} ?\d{3}", checksums.german_tax),
    # German health insurance.
    _make_shape("PLAN", _LONG, r"[A-Z] ?\d{3} ?\d{3} ?\d{3}", checksums.german_health),
    _make_shape(
        "VIN", r"\d[A-Z\d]{8}|\d(?<=[A-Z\d]{9})", r"[A-HJ-NPR-Z0-9]{17}", checksums.vehicle
    ),
    _make_shape(
        "NATIONAL_ID",  # US social security number
        _LONG,
        r"\d{3}-\d\d-\d{4}|\d{3} \d\d \d{4}|\d{3}\.\d\d\.\d{4}",
        checksums.us_social_security,
    ),
    _make_shape(  # UK national insurance
        "NATIONAL_ID", _LONG, r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]"
    ),
    # German pension insurance.
    _make_shape("NATIONAL_ID", _LONG, r"\d\d ?[0-3]\d[01]\d{3} ?[A-Z] ?\d{3}"),
    # Danish CPR number.
    _make_shape("NATIONAL_ID", _LONG, r"[0-3]\d[01]\d{3}-\d{4}"),
    _make_shape(
        "PLAN",  # US Medicare beneficiary
        _LONG,
        r"[1-9][AC-HJKMNP-RTY][AC-HJKMNP-RTY0-9]\d-?[AC-HJKMNP-RTY][AC-HJKMNP-RTY0-9]\d-?"
        r"[AC-HJKMNP-RTY]{2}\d\d",
    ),
    # UK sort code and account.
    _make_shape("ACCOUNT", _LONG, r"\d\d-\d\d-\d\d(?:,? | ?/ ?)\d{8}"),
    _make_shape(  # German commercial register
        "LICENCE", r"\d\d\d(?<=HR[AB]\d{3})|\d\d\d(?<=HR[AB] \d{3})", r"HR[AB] ?\d{3,6}(?: ?B)?"
    ),
    _make_shape("VAT", _LONG, _VAT),
    _make_shape(
        "VIN",  # older, without a check digit
        r"\d\d{3}(?<=[A-Z\d]{17})",
        r"(?=[A-Z0-9]*[A-Z][A-Z0-9]*\d)(?=(?:[A-Z]*\d){4})[A-HJ-NPR-Z0-9]{13}\d{4}",
    ),
    _make_shape("UDI", _LONG, r"\(01\)\d{14}(?:\(\d\d\)[A-Za-z0-9-]+)*"),
    _make_shape("IP", _LONG, r"\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2}|:\d{2,5})?", _is_address),
    _make_shape(
        "NATIONAL_ID",  # Aadhaar
        r"\d\d{3}[ -]\d{4}[ -]\d{4}",
        r"[2-9]\d{3}([ -])\d{4}\1\d{4}",
        checksums.indian_person,
    ),
    _make_shape(
        "NATIONAL_ID",  # Indian PAN
        r"\d\d{3}(?<=[A-Z]\d{4}) ?[A-Z]|\d\d{3}(?<=[A-Z] \d{4}) ?[A-Z]",
        r"[A-Z]{3}[ABCFGHJLPT][A-Z] ?\d{4} ?[A-Z]",
    ),
    _make_shape(
        "NATIONAL_ID",  # South African identity number
        r"\d\d{12}",
        r"\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{4}[01]8\d",
        checksums.luhn,
    ),
    _make_shape(
        "NATIONAL_ID",  # Brazilian CPF, Pakistani CNIC
        r"\d\d\d\.\d{3}\.\d{3}-\d|\d-\d{7}-\d",
        r"\d{3}\.\d{3}\.\d{3}-\d\d|\d{5}-\d{7}-\d",
    ),
    # Irish PPS number.
    _make_shape("NATIONAL_ID", r"\d\d{6} ?[A-W]", r"\d{7} ?[A-W][A-IW]?", checksums.irish_personal),
    # European health insurance card.
    _make_shape("PLAN", r"\d(?: ?\d){18}", r"80(?: ?\d){18}"),
    _make_shape(  # UK driving licence
        "LICENCE", r"\d\d{5} ?[A-Z9]", r"[A-Z][A-Z9]{4} ?\d[0156]\d{4} ?[A-Z9]{2}[A-Z\d]{3}"
    ),
    _make_shape(  # Indian driving licence
        "LICENCE", r"\d\d[ -]?[12]\d{3}[ -]?\d{7}", r"[A-Z]{2}[- ]?\d\d[ -]?(?:19|20)\d\d[ -]?\d{7}"
    ),
    # UK nurse's PIN.
    _make_shape("LICENCE", r"\d\d[A-L]\d{4}", r"\d\d[A-L]\d{4}[EINSW]"),
    # Indian GSTIN.
    _make_shape("VAT", r"\d[A-Z]{5}\d", r"\d\d[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d]"),
    _make_shape(
        "DEVICE",  # SIM card, IMEI with hyphens
        r"\d\d{3} ?\d{4} ?\d{4}|\d-\d{6}-\d",
        r"89\d\d(?: ?\d{4}){3}(?: ?\d{1,4})?|\d\d-\d{6}-\d{6}-\d",
    ),
    # IMEI.
    _make_shape("DEVICE", r"\d\d{14}", r"(?:35|86|01|99)\d{13}", checksums.luhn),
    _make_shape(
        "PLATE",  # German
        r"\d(?<=-[A-Z] \d)|\d(?<=-[A-Z]{2} \d)|\d\d\d(?<=[A-ZÄÖÜ] [A-Z]{2} \d{3})",
        r"[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} \d{1,4}[EH]?|[A-ZÄÖÜ]{1,3} [A-Z]{2} \d{3,4}[EH]?",
    ),
    # Irish.
    _make_shape("PLATE", r"\d-[A-Z]{1,2}-\d", rf"\d{{2,3}}-(?:{_IRELAND})-\d{{1,6}}"),
    _make_shape(
        "PLATE",  # Indian
        r"\d\d[ -]?[A-Z]{1,3}[ -]?\d{4}",
        rf"(?:{_INDIA})[ -]?\d\d[ -]?[A-Z]{{1,3}}[ -]?\d{{4}}",
    ),
    _make_shape(
        "PLATE",  # Nigerian, South African
        r"\d\d\d(?<=[A-Z]-\d{3}) ?[A-Z]{2}|\d GP|\d [A-Z]{2} GP",
        r"[A-Z]{3}-\d{3} ?[A-Z]{2}|[A-Z]{3} \d{3} GP|[A-Z]{2} \d\d [A-Z]{2} GP",
    ),
    _make_shape(
        "PLATE",  # British, French
        r"\d\d(?<=[A-Z]\d\d) ?[A-Z]{3}|\d\d\d-[A-Z]{2}",
        r"[A-Z]{2}\d\d ?[A-Z]{3}|[A-HJ-NP-TV-Z]{2}-\d{3}-[A-HJ-NP-TV-Z]{2}",
    ),
    _make_shape(
        "PLATE",  # Spanish, Italian, Portuguese
        r"\d\d{3}[ -][A-Z]{3}|\d\d\d [A-Z]{2}|\d\d(?<=[A-Z]-\d\d)-[A-Z]",
        r"\d{4}[ -][B-DF-HJ-NPR-TV-Z]{3}|[A-Z]{2} ?\d{3} [A-Z]{2}|[A-Z]{2}-\d{2}-[A-Z]{2}",
    ),
    _make_shape(
        "MAC",
        rf"\d{_HEX}?[:-]{_HEX}{{2}}[:-]|\d{_HEX}{{0,3}}\.{_HEX}{{4}}|\d(?<=[\da-fA-F:.-]{{9}}\d)",
        rf"{_HEX}{{4}}(?:\.{_HEX}{{4}}){{2}}|{_HEX}{{2}}(?::{_HEX}{{2}}){{5}}|{_HEX}{{2}}(?:-{_HEX}{{2}}){{5}}",
    ),
    _make_shape(
        "IP",  # version 6
        rf"\d{_HEX}{{0,3}}:{_HEX}{{0,4}}:|\d(?<=::\d)|\d(?<=[\da-fA-F:]{{6}}\d)",
        rf"{_HEX}{{1,4}}(?::{_HEX}{{1,4}}){{7}}(?:/\d+)?"
        rf"|{_HEX}{{1,4}}(?::{_HEX}{{1,4}})*::(?:{_HEX}{{1,4}}(?::{_HEX}{{1,4}})*)?(?:/\d+)?",
    ),
    _make_shape(
        "PHOTO",  # *IMG_2041*, *DSC01234*
        r"\d\d{3}(?<=[A-Z]{3}\d{4})|\d\d{3}(?<=[A-Z]{3}[-_]\d{4})",
        rf"(?:{_CAMERAS})[_-]?\d{{4,8}}(?:[_-]\d{{3,9}}){{0,2}}",
    ),
    # *1:20-cv-01234*.
    _make_shape("CASE", r"\d-[a-z]{2}-\d", r"\d{1,2}:\d\d-[a-z]{2}-\d{3,6}(?:-[A-Z]{2,4})*"),
    _make_shape(
        "CASE",  # *3 O 123/21*
        r"\d ?[A-Z][A-Za-z]{0,3} ?\d{1,6}/\d\d",
        r"\d{1,4} ?[A-Z][A-Za-z]{0,3} ?\d{1,6}/\d{2,4}(?: [A-Z])?",
    ),
    _make_shape(
        "CASE",  # *C-123/20 P*, *20/CV/1234*
        r"\d(?<=[CTF]-\d)\d{0,3}/\d|\d[-/][A-Z]{2,4}[-/]\d",
        r"[CTF]-\d{1,4}/\d\d(?: P)?|\d{2,4}[-/](?:CV|CR|CIV|CRIM|PR|FA|MC)[-/]\d{3,7}",
    ),
    _make_shape(
        "POSTCODE",  # British
        r"\d[A-Z\d]? \d[A-Z]{2}|\dAA(?<=GIR 0AA)",
        r"(?:GIR 0AA|[A-PR-UWYZ][A-HK-Y]?\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2})",
    ),
    _make_shape(
        "POSTCODE",  # *TX 75001*
        r"\d\d{4}(?<=[A-Z]{2} \d{5})|\d\d{4}(?<=[A-Z]{2}, \d{5})",
        rf"(?<=[a-z]\s)(?!ID)(?:{_STATES}),? \d{{5}}(?:-\d{{4}})?"  # no Idaho in *Patient ID*
        rf"|(?<=,\s)(?:{_STATES}),? \d{{5}}(?:-\d{{4}})?",
    ),
    _make_shape(
        "POSTCODE", r"\d(?<=Box \d)|\d(?<=Postfach \d)", r"P\.? ?O\.? Box \d+|Postfach \d[\d ]*\d"
    ),
    _make_shape(
        "COORDINATES",  # *40.7128, -74.0060*
        r"\d°|\d\.\d{4}",
        r"-?\d{1,3}\.\d{3,}° ?[NS]?,? ?-?\d{1,3}\.\d{3,}°(?: ?[EW])?"
        rf"|{_ANGLE}[NS],? {_ANGLE}[EW]"
        r"|-?\d{1,2}\.\d{4,}, -?\d{1,3}\.\d{4,}",
    ),
)
"""Rows of the table; of two equal matches of one strength the earlier row's is kept."""
_SIGNS = tuple(dict.fromkeys(shape.sign for shape in SHAPES))
_AT_A_DIGIT = re.compile("|".join(sign.pattern for sign in _SIGNS if sign is not _PICTURE.sign))


def _iban_like(text: str, longer: int, rng: Random) -> str:
    """Draw an IBAN of a country whose IBANs have the same length."""
    drawn = code_like(text, 0, rng)
    length = sum(map(str.isalnum, text))
    country = rng.choice(_COUNTRIES_BY_IBAN_LENGTH.get(length, text[:2]).split())
    return country + drawn[2:] + "".join(number_like("1", 0, rng) for _ in range(longer))


def _address_like(text: str, longer: int, rng: Random) -> str:
    """Draw an IPv4 address reserved for documentation, or any address of version 6."""
    if _IPV4.fullmatch(text):
        return f"{rng.choice(_DOCUMENTATION)}.{rng.randrange(2, 255)}"
    like = number_like if kind_of(text) is Kind.NUMBER else code_like
    return like(text, longer, rng)


class ShapeDetector(Detector):
    """Detector that applies every row of the table whose sign the text has."""

    order = 10
    signs, signs_without_digits = (_AT_A_DIGIT, _PICTURE.sign), (_PICTURE.sign,)
    classes: ClassVar = {
        "ACCOUNT": IdentifierClass.ACCOUNT,
        "CARD": IdentifierClass.ACCOUNT,
        "CASE": IdentifierClass.RECORD,
        "COORDINATES": IdentifierClass.GEOGRAPHY,
        "DEVICE": IdentifierClass.DEVICE,
        "IBAN": IdentifierClass.ACCOUNT,
        "IP": IdentifierClass.IP,
        "LICENCE": IdentifierClass.LICENCE,
        "MAC": IdentifierClass.DEVICE,
        "NATIONAL_ID": IdentifierClass.NATIONAL_ID,
        "PHOTO": IdentifierClass.PHOTO,
        "PLAN": IdentifierClass.PLAN,
        "PLATE": IdentifierClass.VEHICLE,
        "POSTCODE": IdentifierClass.GEOGRAPHY,
        "UDI": IdentifierClass.DEVICE,
        "VAT": IdentifierClass.LICENCE,
        "VIN": IdentifierClass.VEHICLE,
    }
    surrogates: ClassVar = {"IBAN": _iban_like, "IP": _address_like}

    def __init__(self, _language: Language | None = None) -> None:
        """Accept and ignore the language: states and makers define the forms."""

    def find(self, text: str) -> Iterator[Match]:
        """Yield the shapes of ``text``; matches of one row do not overlap."""
        present = {sign for sign in _SIGNS if sign.search(text)}
        for shape in SHAPES:
            if shape.sign in present:
                yield from shape.find(text)


DETECTOR = ShapeDetector
