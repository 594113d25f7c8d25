"""Made-up identifiers for the slots of templates, in the formats that people write them in."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping
from random import Random

from prism_core.identifiers import checksums

_MONTHS = (
    "January February March April May June July August September October November December"
).split()
_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ"
_STREETS = "Church, High, Station, Victoria, Mill, Elm, Maple, Park, King, Queen, Oak, Washington"
_SIGN = re.compile(r"[#%^]|A(?![a-zà-ÿ])")
_GERMAN = "Haupt, Bahnhof, Goethe, Garten, Linden, Schul"
_PEOPLE = "Molière, Victor Hugo, la République, Gambetta, la Paix, Saint-Michel"
_SPANISH = "Mayor, de Alcalá, Real, San Juan, de la Constitución"


def shaped(pattern: str, rng: Random) -> str:
    """``#`` becomes a digit, ``%`` one from 1 to 9, ``^`` a hexadecimal one, ``A`` a capital.

    An ``A`` that begins a word stays one.
    """
    draw = {
        "#": lambda: rng.choice(string.digits),
        "%": lambda: rng.choice("123456789"),
        "A": lambda: rng.choice(_LETTERS),
        "^": lambda: rng.choice("0123456789abcdef"),
    }
    return _SIGN.sub(lambda match: draw[match.group()](), pattern)


def one_of(rng: Random, *patterns: str) -> str:
    """One of ``patterns``, filled."""
    return shaped(rng.choice(patterns), rng)


def valid(rng: Random, check: Callable[[str], bool], *patterns: str) -> str:
    """One of ``patterns``, filled until its check digits are right."""
    pattern = rng.choice(patterns)
    while not check(text := shaped(pattern, rng)):
        pass
    return text


def date(rng: Random) -> str:
    """A date of the calendar, most in words."""
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(1931, 2025)
    name = _MONTHS[month - 1]
    ordinal = f"{day}{'th' if 10 < day < 14 else {1: 'st', 2: 'nd', 3: 'rd'}.get(day % 10, 'th')}"
    return rng.choice(
        [
            f"{day} {name} {year}",
            f"{name} {day}, {year}",
            f"{ordinal} of {name} {year}",
            f"the {ordinal} of {name}, {year}".removeprefix("the "),
            f"{name} {ordinal}, {year}",
            f"{month:02d}/{day:02d}/{year}",
            f"{day:02d}.{month:02d}.{year}",
            f"{year}-{month:02d}-{day:02d}",
            f"{day:02d}/{month:02d}/{year % 100:02d}",
            f"{day}-{name[:3]}-{year}",
            f"{name[:3]} {day}, {year}",
            f"{day} {name[:3]}. {year}",
            f"{name} {year}",
            f"{day}.{month}.{year}",
            f"{day} {name}",
            f"{name.upper()} {day}, {year}",
        ]
    )


def phone(rng: Random) -> str:
    """A telephone number of one of eight countries."""
    return one_of(
        rng,
        "(%##) 555-01##",
        "%##-555-01##",
        "+1 %## 555 01##",
        "%##.555.01##",
        "1-800-555-01##",
        "+44 20 7946 0###",
        "020 7946 0###",
        "07700 900###",
        "+44 (0)1632 960###",
        "0044 1632 960###",
        "+49 30 %######",
        "030/%######",
        "0171 %######",
        "+49 (0)89 %##-##",
        "+33 1 45 67 ## ##",
        "01 45 67 ## ##",
        "+34 612 ### ###",
        "+34 91 %## ## ##",
        "+39 06 %### ####",
        "+48 22 %## ## ##",
        "+31 20 %## ####",
        "+41 44 %## ## ##",
    )


def iban(rng: Random) -> str:
    """One of six countries, mostly in groups of four."""
    text = valid(
        rng,
        checksums.iban,
        "DE##%#################",
        "GB##AAAA##############",
        "FR76%######################",
        "ES##%###################",
        "NL##AAAA##########",
        "IT##A%#####################",
    )
    return text if rng.random() < 0.3 else " ".join(text[i : i + 4] for i in range(0, len(text), 4))


def card(rng: Random) -> str:
    """A payment card."""
    return valid(
        rng,
        checksums.luhn,
        "4### #### #### ####",
        "5%##-####-####-####",
        "4###############",
        "37## ###### #####",
    )


def european_id(rng: Random) -> str:
    """A number of a citizen or taxpayer of one of eleven states."""
    choices: list[tuple[Callable[[str], bool], str]] = [
        (checksums.german_tax, "%# ### ### ###"),
        (checksums.german_tax, "%##########"),
        (checksums.spanish_id, "########A"),
        (checksums.spanish_id, "X-#######-A"),
        (checksums.french_social_security, "1 8# 0% 75 ### ### ##"),
        (checksums.french_social_security, "28#127511######"),
        (checksums.italian_fiscal, "AAAAAA8#A1#A###A"),
        (checksums.dutch_citizen, "%########"),
        (checksums.belgian_national, "7#.0%.1#-###.##"),
        (checksums.polish_national, "7#0%1######"),
        (checksums.swedish_personal, "7#0%1#-####"),
        (checksums.finnish_personal, "1#0%7#-###A"),
        (checksums.irish_personal, "#######A"),
        (checksums.ean, "756.####.####.##"),
    ]
    check, pattern = rng.choice(choices)
    return valid(rng, check, pattern)


def vin(rng: Random) -> str:
    """A vehicle identification number; European ones have no check digit."""
    if rng.random() < 0.5:
        return one_of(rng, "WVWAAA1AAA%######", "VF1AA######%#####")
    return valid(rng, checksums.vehicle, "1HGAA#####A######", "5YJAA#A###F######")


def street(rng: Random) -> str:
    """A street with its number."""
    name = rng.choice(_STREETS.split(", "))
    return rng.choice(
        [
            shaped(f"%# {name} {rng.choice(('Street', 'Road', 'Avenue', 'Lane', 'Drive'))}", rng),
            shaped(f"%### N. {name} {rng.choice(('St.', 'Ave', 'Blvd'))}, Apt %A", rng),
            shaped(f"Flat %, ## {name} {rng.choice(('Close', 'Terrace', 'Gardens'))}", rng),
            shaped(
                f"{rng.choice(_GERMAN.split(', '))}{rng.choice(('straße', 'weg', 'str.'))} %#", rng
            ),
            shaped(f"%# rue {rng.choice(_PEOPLE.split(', '))}", rng).replace("rue la", "rue de la"),
            f"Calle {rng.choice(_SPANISH.split(', '))} {shaped('%#, %º B', rng)}",
            shaped("Via Garibaldi %#", rng),
            shaped("%# Rue Gambetta", rng),
            shaped("P.O. Box %###", rng),
        ]
    )


def town(rng: Random) -> str:
    """A town with its postcode."""
    return rng.choice(
        [
            shaped("Leeds LS% %BD", rng),
            "London NW1 6XE",
            "London SW1A 1AA",
            shaped("Springfield, IL 627##", rng),
            shaped("Dallas, TX 752##-####", rng),
            shaped("10#%# Berlin", rng),
            shaped("750## Paris", rng),
            shaped("280## Madrid", rng),
            shaped("35%# BC Utrecht", rng),
            shaped("CH-80## Zürich", rng),
            shaped("D-80%## München", rng),
        ]
    )


def photo(rng: Random) -> str:
    """The name of a picture's file, or its number."""
    return one_of(
        rng, "IMG_####.jpg", "portrait_##.png", "DSC0####.JPG", "scan-####-%%.tiff", "wound_%.jpeg"
    )


def case(rng: Random) -> str:
    """The number of a case at a court."""
    return one_of(
        rng,
        "%:2#-cv-0####",
        "2#-CV-0###",
        "2#/####",
        "CR-20##-0####",
        "%# O %##/2#",
        "CL-2#-####",
        "HC-####-00####",
        "2#-1####-BKC",
    )


Fill = Callable[[Random], str]
FILLS: Mapping[str, tuple[str, Fill]] = {
    "street": ("geography", street),
    "town": ("geography", town),
    "date": ("date", date),
    "age": ("date", lambda rng: str(rng.randint(90, 104))),
    "phone": ("phone", phone),
    "fax": ("fax", phone),
    "ssn": (
        "national-id",
        lambda rng: valid(rng, checksums.us_social_security, "###-##-####", "### ## ####"),
    ),
    "ssn_eu": ("national-id", european_id),
    "nino": ("national-id", lambda rng: one_of(rng, "RB ## ## ## C", "JK######B")),
    "nhs": ("national-id", lambda rng: valid(rng, checksums.uk_nhs, "### ### ####", "##########")),
    "mrn": (
        "record-number",
        lambda rng: one_of(rng, "%#######", "MRN-#####-A", "%##-##-##", "A######", "%## ### ###"),
    ),
    "case": ("record-number", case),
    "case_eu": (
        "record-number",
        lambda rng: one_of(rng, "% K %##/2#", "%# O %###/2#", "% StR %##/2#"),
    ),
    "plan": (
        "plan-number",
        lambda rng: one_of(
            rng, "AAA%########", "A#########", "##-######-##", "AA %### ####", "%EG%-TE5-MK73"
        ),
    ),
    "iban": ("account-number", iban),
    "card": ("account-number", card),
    "card_end": ("account-number", lambda rng: shaped("####", rng)),
    "account": (
        "account-number",
        lambda rng: one_of(
            rng, "%########", "##-##-## ########", "%### ### ###", "00########", "%###-######-#"
        ),
    ),
    "licence": (
        "licence",
        lambda rng: one_of(
            rng, "A%######", "AAAAA#####AA%AA", "A-######", "HRB #####", "%#######", "AB-####-##"
        ),
    ),
    "npi": ("licence", lambda rng: valid(rng, checksums.us_provider, "1#########")),
    "passport": (
        "licence",
        lambda rng: one_of(rng, "%########", "A%#######", "C01X0####", "AA#######"),
    ),
    "vat": (
        "licence",
        lambda rng: one_of(
            rng,
            "DE#########",
            "GB### #### ##",
            "@TU########",
            "FR## #########",
            "IT###########",
            "ESB########",
        ).replace("@", "A"),
    ),
    "plate": (
        "vehicle",
        lambda rng: one_of(
            rng,
            "AB-C ####",
            "M-AA %##",
            "AB%# CDE",
            "AB-###-CD",
            "%ABC###",
            "ABC-####",
            "#### BCD",
            "AB ### CD",
        ),
    ),
    "vin": ("vehicle", vin),
    "device": (
        "device",
        lambda rng: one_of(
            rng, "SN-#####-A", "%########", "AAA######A", "PM%#-####-###", "%#######A"
        ),
    ),
    "imei": (
        "device",
        lambda rng: valid(rng, checksums.luhn, "35############%", "35-######-######-#"),
    ),
    "mac": ("device", lambda rng: one_of(rng, "00:1a:^^:^^:^^:^^", "3c-5a-^^-^^-^^-^^")),
    "ip": (
        "ip",
        lambda rng: rng.choice(
            (
                f"10.{rng.randint(0, 255)}.{rng.randint(0, 255)}.{rng.randint(1, 254)}",
                shaped("2001:db8:^^^^::^%", rng),
                f"192.168.1.{rng.randint(2, 250)}",
            )
        ),
    ),
    "url": (
        "url",
        lambda rng: one_of(
            rng,
            "https://example.com/files/%###",
            "www.example.org/^^%",
            "http://intranet.example.net/~user%",
            "example.com",
        ),
    ),
    "biometric": (
        "biometric",
        lambda rng: one_of(rng, "FP-####-##", "%#######", "BIO%###A", "A%##-####"),
    ),
    "photo": ("photo", photo),
    "photo_number": ("photo", lambda rng: one_of(rng, "%####", "PH-####", "%###A")),
}
"""For each slot that is no name: the class of what fills it, and how it is drawn."""
