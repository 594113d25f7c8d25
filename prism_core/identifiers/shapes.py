"""Identifiers that are known by their form: the table of patterns, and what checks them.

A row is here only if hardly anything else looks like it; what looks like many things is told by
the word before it (``contexts``). States are named by their ISO 3166 codes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from prism_core.identifiers import checksums
from prism_core.identifiers.base import Match, Strength

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


@dataclass(frozen=True, slots=True)
class Shape:
    """A row: text that looks like ``pattern``, and of which ``check`` holds, is a ``label``."""

    label: str
    pattern: re.Pattern[str]
    check: Callable[[str], bool] | None = None


def _shape(label: str, pattern: str, check: Callable[[str], bool] | None = None) -> Shape:
    return Shape(label, re.compile(rf"(?<![\w@+])(?<!\w[-./])(?:{pattern})(?![\w@]|[-/]\w)"), check)


def _is_address(text: str) -> bool:
    parts = text.partition("/")[0].partition(":")[0].split(".")
    return all(int(part) < 256 for part in parts)


LONG_SHAPES = (
    _shape("IBAN", r"[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?", checksums.iban),
    _shape(
        "NATIONAL_ID",
        r"[12] ?\d\d ?\d\d ?(?:\d\d|2A|2B) ?\d{3} ?\d{3} ?\d\d",
        checksums.french_social_security,
    ),
    _shape(
        "CARD",
        r"(?:[456]\d|2[2-7])\d\d([ -]?)\d{4}\1\d{4}\1\d{1,7}|3[47]\d\d([ -]?)\d{6}\2\d{5}",
        checksums.luhn,
    ),
    _shape(
        "NATIONAL_ID",
        r"[A-Z]{3} ?[A-Z]{3} ?\d\d[A-Z]\d\d ?[A-Z]\d{3}[A-Z]",
        checksums.italian_fiscal,
    ),
    _shape("NATIONAL_ID", r"756\.?\d{4}\.?\d{4}\.?\d\d", checksums.ean),
    _shape("NATIONAL_ID", r"\d\d\.\d\d\.\d\d[- ]\d{3}[.-]\d\d", checksums.belgian_national),
    _shape("NATIONAL_ID", r"(?:[XYZ][- ]?)?\d{7,8}[- ]?[A-Z]", checksums.spanish_id),
    _shape("NATIONAL_ID", r"\d{2}\.\d{3}\.\d{3}-?[A-Z]", checksums.spanish_id),
    _shape("NATIONAL_ID", r"(?:19|20)?\d{6}[-+]\d{4}", checksums.swedish_personal),
    _shape("NATIONAL_ID", r"[0-3]\d[01]\d{3}[-+A]\d{3}[0-9A-Y]", checksums.finnish_personal),
    _shape("NATIONAL_ID", r"\d\d ?\d{3} ?\d{3} ?\d{3}", checksums.german_tax),
    _shape("PLAN", r"[A-Z] ?\d{3} ?\d{3} ?\d{3}", checksums.german_health),
    _shape("VIN", r"[A-HJ-NPR-Z0-9]{17}", checksums.vehicle),
    _shape(
        "NATIONAL_ID",
        r"\d{3}-\d\d-\d{4}|\d{3} \d\d \d{4}|\d{3}\.\d\d\.\d{4}",
        checksums.us_social_security,
    ),
    _shape("NATIONAL_ID", r"[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?\d\d ?\d\d ?\d\d ?[A-D]"),
    _shape("NATIONAL_ID", r"\d\d ?[0-3]\d[01]\d{3} ?[A-Z] ?\d{3}"),
    _shape("NATIONAL_ID", r"[0-3]\d[01]\d{3}-\d{4}"),
    _shape(
        "PLAN",
        r"[1-9][AC-HJKMNP-RTY][AC-HJKMNP-RTY0-9]\d-?[AC-HJKMNP-RTY][AC-HJKMNP-RTY0-9]\d-?"
        r"[AC-HJKMNP-RTY]{2}\d\d",
    ),
    _shape("ACCOUNT", r"\d\d-\d\d-\d\d(?:,? | ?/ ?)\d{8}"),
    _shape("LICENCE", r"HR[AB] ?\d{3,6}(?: ?B)?"),
    _shape("VAT", _VAT),
    _shape("VIN", r"(?=[A-Z0-9]*[A-Z][A-Z0-9]*\d)(?=(?:[A-Z]*\d){4})[A-HJ-NPR-Z0-9]{13}\d{4}"),
    _shape("UDI", r"\(01\)\d{14}(?:\(\d\d\)[A-Za-z0-9-]+)*"),
    _shape("IP", r"\d{1,3}(?:\.\d{1,3}){3}(?:/\d{1,2}|:\d{2,5})?", _is_address),
)
"""Six or more digits and capitals; their order decides between two of one strength and length."""
FURTHER_SHAPES = (
    _shape("NATIONAL_ID", r"[2-9]\d{3}([ -])\d{4}\1\d{4}", checksums.indian_person),
    _shape("NATIONAL_ID", r"[A-Z]{3}[ABCFGHJLPT][A-Z] ?\d{4} ?[A-Z]"),
    _shape(
        "NATIONAL_ID", r"\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{4}[01]8\d", checksums.luhn
    ),
    _shape("NATIONAL_ID", r"\d{3}\.\d{3}\.\d{3}-\d\d|\d{5}-\d{7}-\d"),
    _shape("NATIONAL_ID", r"\d{7} ?[A-W][A-IW]?", checksums.irish_personal),
    _shape("PLAN", r"80(?: ?\d){18}"),
    _shape("LICENCE", r"[A-Z][A-Z9]{4} ?\d[0156]\d{4} ?[A-Z9]{2}[A-Z\d]{3}"),
    _shape("LICENCE", r"[A-Z]{2}[- ]?\d\d[ -]?(?:19|20)\d\d[ -]?\d{7}"),
    _shape("LICENCE", r"\d\d[A-L]\d{4}[EINSW]"),
    _shape("VAT", r"\d\d[A-Z]{5}\d{4}[A-Z][A-Z\d]Z[A-Z\d]"),
    _shape("DEVICE", r"89\d\d(?: ?\d{4}){3}(?: ?\d{1,4})?|\d\d-\d{6}-\d{6}-\d"),
    _shape("DEVICE", r"(?:35|86|01|99)\d{13}", checksums.luhn),
)
"""What has the sign of the long ones too, and a sign of its own that few texts have."""
SHORT_SHAPES = (
    _shape("PLATE", r"[A-ZÄÖÜ]{1,3}-[A-Z]{1,2} \d{1,4}[EH]?|[A-ZÄÖÜ]{1,3} [A-Z]{2} \d{3,4}[EH]?"),
    _shape("PLATE", rf"\d{{2,3}}-(?:{_IRELAND})-\d{{1,6}}"),
    _shape("PLATE", rf"(?:{_INDIA})[ -]?\d\d[ -]?[A-Z]{{1,3}}[ -]?\d{{4}}"),
    _shape("PLATE", r"[A-Z]{3}-\d{3} ?[A-Z]{2}|[A-Z]{3} \d{3} GP|[A-Z]{2} \d\d [A-Z]{2} GP"),
    _shape("PLATE", r"[A-Z]{2}\d\d ?[A-Z]{3}|[A-HJ-NP-TV-Z]{2}-\d{3}-[A-HJ-NP-TV-Z]{2}"),
    _shape(
        "PLATE", r"\d{4}[ -][B-DF-HJ-NPR-TV-Z]{3}|[A-Z]{2} ?\d{3} [A-Z]{2}|[A-Z]{2}-\d{2}-[A-Z]{2}"
    ),
    _shape(
        "MAC",
        rf"{_HEX}{{4}}(?:\.{_HEX}{{4}}){{2}}|{_HEX}{{2}}(?::{_HEX}{{2}}){{5}}|{_HEX}{{2}}(?:-{_HEX}{{2}}){{5}}",
    ),
    _shape(
        "IP",
        rf"{_HEX}{{1,4}}(?::{_HEX}{{1,4}}){{7}}(?:/\d+)?"
        rf"|{_HEX}{{1,4}}(?::{_HEX}{{1,4}})*::(?:{_HEX}{{1,4}}(?::{_HEX}{{1,4}})*)?(?:/\d+)?",
    ),
    _shape("PHOTO", rf"(?:{_CAMERAS})[_-]?\d{{4,8}}(?:[_-]\d{{3,9}}){{0,2}}"),
    _shape("CASE", r"\d{1,2}:\d\d-[a-z]{2}-\d{3,6}(?:-[A-Z]{2,4})*"),
    _shape("CASE", r"\d{1,4} ?[A-Z][A-Za-z]{0,3} ?\d{1,6}/\d{2,4}(?: [A-Z])?"),
    _shape("CASE", r"[CTF]-\d{1,4}/\d\d(?: P)?|\d{2,4}[-/](?:CV|CR|CIV|CRIM|PR|FA|MC)[-/]\d{3,7}"),
    _shape("POSTCODE", r"(?:GIR 0AA|[A-PR-UWYZ][A-HK-Y]?\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2})"),
    _shape(
        "POSTCODE",
        rf"(?<=[a-z]\s)(?!ID)(?:{_STATES}),? \d{{5}}(?:-\d{{4}})?"  # no Idaho in *Patient ID*
        rf"|(?<=,\s)(?:{_STATES}),? \d{{5}}(?:-\d{{4}})?",
    ),
    _shape("POSTCODE", r"P\.? ?O\.? Box \d+|Postfach \d[\d ]*\d"),
    _shape(
        "COORDINATES",
        r"-?\d{1,3}\.\d{3,}° ?[NS]?,? ?-?\d{1,3}\.\d{3,}°(?: ?[EW])?"
        rf"|{_ANGLE}[NS],? {_ANGLE}[EW]"
        r"|-?\d{1,2}\.\d{4,}, -?\d{1,3}\.\d{4,}",
    ),
)
"""Letters and digits, few of the one or the other; in their order, after the long ones."""
PICTURE = re.compile(
    r"(?<![\w.-])(?:(?:(?i:screenshot|screen shot|whatsapp image|photo|image|bildschirmfoto) "
    r"\d{4}-\d\d-\d\d (?:at |um )?\d{1,2}(?:\.\d\d){1,2}(?: [AP]M)?(?: \(\d{1,2}\))?|"
    rf"(?:(?i:scan|img|image|photo|picture|screenshot|page|foto|bild) (?=\d+\.))?[\w-]+"
    rf"(?:\.[\w-]+)*)\.(?:{_PICTURES})(?!\w))"
)
"""The name of a file with a picture."""
_PICTURE_SIGN = re.compile(rf"\.(?<=[\w)]\.)(?:{_PICTURES})")
_LONG_SIGN = re.compile(
    r"(?=[A-Z\d])(?:HR[AB] ?\d|\d(?:[ .:/)-]{0,2}[\dA-Z]){5}|[A-Z]{3} ?\d\d[A-Z]|[A-Z]\d\d[A-Z]"
    r"|[A-Z]{3} ?\d{4} ?[A-Z])"
)
_FURTHER_SIGN = re.compile(
    r"(?=[A-Z\d])(?:[A-Z]\d\d[A-Z]|[A-Z]{3} ?\d{4} ?[A-Z]|[A-Z9] ?\d{6} ?[A-Z9]"
    r"|[A-Z][- ]?\d\d[ -]?[12]\d{3}|\d\d[A-L]\d{4}|\d[A-Z]{5}\d|\d{4}([ -])\d{4}\1\d{4}|\d{13}"
    r"|\d{7} ?[A-W]|\d-\d{7}-\d"
    r"|\d{3}\.\d{3}\.\d{3}-\d|\d-\d{6}-\d|80 ?\d ?\d ?\d ?\d)"
)
_SHORT_SIGN = re.compile(
    r"(?=[A-Z\d])(?:[A-Z] ?\d[A-Z\d]? \d|[A-Z]\d[\dA-Z][ -]\d?[A-Z]|[A-Z]-[A-Z]{1,2} \d|"
    r"[A-Z]-\d+[-/][A-Z\d]"
    r"|[A-Z] [A-Z]{2} \d|[\dA-F][\da-fA-F]?:[\da-fA-F]{1,4}:|[A-Z]{2} ?\d{3} [A-Z]|\d[\da-f]*::|"
    r"[\da-fA-F]{4}\.[\da-fA-F]{4}\.|[\dA-F][\da-fA-F]-[\da-fA-F]{2}-[\da-fA-F]{2}-"
    r"|\d[-/](?:[a-z]{2}|[A-Z]{1,5})[-/]\d|[A-Z]\d\d[A-Z]{3}|[A-Z]-\d{3} ?[A-Z]{2}"
    r"|[A-Z]{3}[_-]?\d{4}|\d ?[A-Z][A-Za-z]{0,3} ?\d"
    r"|\d{4}[ -][A-Z]{3}\b|[A-Z]{2},? \d{5}|Box \d|Postfach|\d° ?\d|\d° ?[NSEW]|\d\.\d{4})"
)
"""What every shape of a kind has in it; most numbers have not."""


_PASSED_BY_MOST = (None, checksums.us_social_security, _is_address)
_PASSED_BY_CHANCE = (
    checksums.spanish_id,
    checksums.german_tax,
    checksums.german_health,
    checksums.indian_person,
    checksums.irish_personal,
)
"""Checks that one in ten to 23 numbers passes, of forms that any number may have."""


def has_picture(text: str) -> bool:
    """Whether ``text`` may name a file with a picture."""
    return "." in text and _PICTURE_SIGN.search(text) is not None


class ShapeDetector:
    """Every row of the table, on texts that can hold one."""

    def find(self, text: str) -> Iterator[Match]:
        """The shapes of ``text``; of each row the matches do not overlap."""
        if has_picture(text):
            for match in PICTURE.finditer(text):
                yield Match(*match.span(), "PHOTO", Strength.CHECKED)
        if _LONG_SIGN.search(text):
            yield from _all_found(LONG_SHAPES, text)
            if _FURTHER_SIGN.search(text):
                yield from _all_found(FURTHER_SHAPES, text)
        if _SHORT_SIGN.search(text):
            yield from _all_found(SHORT_SHAPES, text)


def _all_found(shapes: Sequence[Shape], text: str) -> Iterator[Match]:
    for shape in shapes:
        yield from _found(shape, text)


def _found(shape: Shape, text: str) -> Iterator[Match]:
    for match in shape.pattern.finditer(text):
        if shape.check is None or shape.check(match.group()):
            yield Match(*match.span(), shape.label, _strength(shape))


def _strength(shape: Shape) -> Strength:
    """A rule that most random numbers pass proves nothing, and a single check digit little."""
    if shape.check in _PASSED_BY_MOST:
        return Strength.SHAPED
    return Strength.LIKELY if shape.check in _PASSED_BY_CHANCE else Strength.CHECKED
