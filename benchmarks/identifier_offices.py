"""Identifiers as offices of many countries write them, for the templates of the group ``unseen``.

The check digits are right wherever python-stdnum knows the rule; all the rest is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random

from stdnum import iban, iso6346
from stdnum.dk import cvr
from stdnum.es import cif, dni, nie
from stdnum.fr import nir, siret
from stdnum.gb import nhs
from stdnum.ie import pps
from stdnum.in_ import aadhaar, gstin
from stdnum.it import codicefiscale, iva
from stdnum.no import fodselsnummer, kontonr
from stdnum.pl import nip, pesel
from stdnum.se import orgnr, personnummer
from stdnum.us import rtn

from benchmarks.identifier_fills import Fill, shaped
from prism_core.identifiers import checksums

_MONTHS = "January February March April May June July August September October November December"
_GAP = re.compile(r" (?=\w)|(?<=\w[-/])(?=\w)")
_ROMAN = "I II III IV V VI VII VIII IX X XI XII"


def _shape(pattern: str, rng: Random) -> str:
    """``pattern`` filled; ``*`` is a capital A that stays one."""
    return shaped(pattern, rng).replace("*", "A")


def _of(*patterns: str) -> Fill:
    def draw(rng: Random) -> str:
        return _shape(rng.choice(patterns), rng)

    return draw


def _right(*choices: tuple[Callable[[str], bool], str]) -> Fill:
    """One of ``choices``, a check and a pattern, filled until the check passes."""

    def draw(rng: Random) -> str:
        check, pattern = rng.choice(choices)
        while not check(text := _shape(pattern, rng)):
            pass
        return text

    return draw


def _broken(draw: Fill) -> Fill:
    """``draw`` with a line end for one of its blanks, or behind one of its hyphens or strokes."""

    def broken(rng: Random) -> str:
        for _ in range(100):
            text = draw(rng)
            if gaps := list(_GAP.finditer(text)):
                gap = rng.choice(gaps)
                return f"{text[: gap.start()]}\n{text[gap.end() :]}"
        raise ValueError("no form of this slot can be broken over two lines")

    return broken


def _day(rng: Random) -> str:
    """A whole date, as forms, letters and machines write it."""
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(1934, 2025)
    name, roman = _MONTHS.split()[month - 1], _ROMAN.split()[month - 1]
    return rng.choice(
        [
            f"{day}/{month}/{year % 100:02d}",
            f"{day:02d} / {month:02d} / {year}",
            f"{day:02d}-{month:02d}-{year}",
            f"{day}-{month}-{year % 100:02d}",
            f"{day:02d}-{name[:3].upper()}-{year}",
            f"{day:02d}{name[:3]}{year}",
            f"{day}. {name} {year}",
            f"{day}.{month:02d}.{year % 100:02d}",
            f"{day} {roman} {year}",
            f"{year}/{month:02d}/{day:02d}",
            f"{year}.{month:02d}.{day:02d}",
            f"{year}{month:02d}{day:02d}",
            f"{name[:3]} {day} {year}",
            f"{name[:3]}. {day}, {year}",
            f"{month}/{day}/{year}",
            f"{month:02d}-{day:02d}-{year}",
            f"{day} {name[:3]} '{year % 100:02d}",
            f"{day} {name}, {year}",
            f"{name} {day} {year}",
            f"{day} {name.lower()} {year}",
        ]
    )


def _day_short(rng: Random) -> str:
    """A day of a year that the reader knows, in a hurry."""
    day, month = rng.randint(1, 28), rng.randint(1, 12)
    name = _MONTHS.split()[month - 1]
    ending = "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return rng.choice(
        [
            f"{day} {name[:3]}",
            f"{day}{ending} {name}",
            f"{name[:3]} {day}{ending}",
            f"{name} {day}",
            f"the {day}{ending} of {name}".removeprefix("the "),
            f"{day}. {name}",
            f"{day}{ending} {name[:3]}",
        ]
    )


def _insured_german(text: str) -> bool:
    """The check digit of a German health insurance number: a letter as two digits, 1 and 2 apart."""
    digits = f"{ord(text[0]) - 64:02d}{text[1:].replace(' ', '')}"
    weighed = (int(digit) * (1 + place % 2) for place, digit in enumerate(digits[:-1]))
    return sum(number // 10 + number % 10 for number in weighed) % 10 == int(digits[-1])


def _ip(rng: Random) -> str:
    """An address of the ranges for documents or for private nets."""
    last = rng.randint(1, 254)
    return rng.choice(
        [
            f"203.0.113.{last}",
            f"198.51.100.{last}",
            f"192.0.2.{last}",
            f"172.{rng.randint(16, 31)}.{rng.randint(0, 254)}.{last}",
            f"192.168.178.{last}",
            _shape("2001:db8:^^^:^^^^::%^", rng),
            _shape("2001:DB8:0:%::%#", rng),
            _shape("fe80::%^^^:^^ff:fe^^:^^^^", rng),
            _shape("2001:0db8:85a3:0000:0000:8a2e:0%^^:%^^^", rng),
        ]
    )


_TELEPHONES = {
    "gb": ("01632 960###", "0113 496 0###", "07700-900-###", "(0117) 496 0###", "+447700900###"),
    "ie": ("087 %## ####", "01 8## ####", "+353 86 %######", "(021) 4%# ####", "085-%######"),
    "in": ("+91 98200 #####", "98200 #####", "022-2%## ####", "+91-80-4%## ####", "09820######"),
    "ng": ("0803 ### ####", "+234 803 ### ####", "0806-###-####", "+2348035######", "0805#######"),
    "de": ("0151-2%######", "089 / %# ## ##-0", "+49 221 %###-###", "(030) %## ## ###"),
    "fr": ("06.1%.##.##.##", "04 72 ## ## ##", "+33 (0)6 12 ## ## ##", "02-99-##-##-##"),
    "es": ("612 ## ## ##", "91 5%# ## ##", "+34 93 4%# ####", "(+34) 655 ######"),
    "it": ("347 %######", "+39 338 ### ####", "06/%#######", "02 %### ####", "051-%#####"),
    "pl": ("601-###-###", "+48 602 ### ###", "(22) 6%# ## ##", "58 3## ## ##", "48 512######"),
    "nordic": (
        "070-%## ## ##",
        "08-%## ### ##",
        "+47 912 ## ###",
        "+45 2# ## ## ##",
        "040 %######",
    ),
    "us": ("(617) 555-01##", "617/555-01##", "617 555 01## x%##", "+1.312.555.01##", "555-01##"),
}
_PLATES = {
    "gb": ("AA%# AAA", "AA%#AAA", "A%## AAA"),
    "ie": ("2#1-D-%####", "0%-KY-%###", "191 C %###", "12 MH %##"),
    "in": ("MH 12 AA %###", "DL-8C-AA-%###", "KL07A%###", "TN 09 AA ####"),
    "ng": ("AAA-%##AA", "AAA %## AA", "LSR%##AA"),
    "de": ("M-AA %###", "HH AA %##", "K-A %##E"),
    "fr": ("AA-%##-AA", "AA %## AA"),
    "es": ("%### BCD", "####-KLM"),
    "it": ("AA %##AA", "AA%##AA"),
    "pl": ("WX %####", "KR %AA##", "GD#%##A"),
    "nordic": ("AAA %##", "AAA ##A", "AA %####", "AA %# ###"),
    "us": ("%AAA###", "AAA %###", "AAA-%##", "%## AAA"),
}
_NATIONAL: Mapping[str, Fill] = {
    "gb": _of("JG ## ## ## C", "pw######d", "NX######B", "CE ###### D"),
    "nhs": _right((nhs.is_valid, "4## ### ####"), (nhs.is_valid, "6##-###-####")),
    "ie": _right((pps.is_valid, "%######A"), (pps.is_valid, "#######AW"), (pps.is_valid, "1######A")),
    "in": _right((aadhaar.is_valid, "%### #### ####"), (aadhaar.is_valid, "%###-####-####")),
    "pan": _of("AAAPA####A", "AAAPA %### A"),
    "ng": _of("%##########", "%### #### ###"),
    "de": _of("65 1#0%7# A 0##", "122#0%6#A5##"),
    "fr": _right((nir.is_valid, "2 7% 0% 33 0## ### ##"), (nir.is_valid, "16%0%690#######")),
    "es": _right((nie.is_valid, "Y#######A"), (dni.is_valid, "%#######A"), (dni.is_valid, "########-A")),
    "it": _right((codicefiscale.is_valid, "RSSMRC7#D1#H501A"), (codicefiscale.is_valid, "BNCLR*8#T4#F205A")),
    "pl": _right((pesel.is_valid, "6%0%1######"), (pesel.is_valid, "7%1#0%#####")),
    "nordic": _right(
        (personnummer.is_valid, "196%0%1#-####"),
        (personnummer.is_valid, "7%1#0%-####"),
        (fodselsnummer.is_valid, "1#0%7######"),
        (fodselsnummer.is_valid, "1#0%7# #####"),
    ),
    "us": _of("52%-4#-%###", "41% 2# %###", "30%4#%###"),
}  # fmt: skip
_DRAWN: Mapping[str, tuple[str, Fill]] = {
    "day": ("date", _day),
    "day_short": ("date", _day_short),
    "expiry": ("date", _of("0%/202%", "1#/2%", "0%-2%", "0% / 202%")),
    "extension": ("phone", _of("%###", "4-%###")),
    "hospital_no": ("record-number", _of("%######", "R%#####", "00######", "A##/####/%", "X%#####A")),
    "uhid": ("record-number", _of("AAH.0000######", "20250######", "MR2#-0####", "IP/2#/%####")),
    "crime_ref": ("record-number", _of("2#0/######/2#", "42/%####/2#", "2#*C######", "CR/%###/202#")),
    "court_no": (
        "record-number",
        _of("202#/%### P", "KB-202#-00####", "%:2#-cr-00###-AAA", "II K %##/2#", "RG 2#/0####"),
    ),
    "claim_no": ("record-number", _of("CLM-2#-#####", "%#########", "M##/%####/%", "TP/2#/0####")),
    "accession": ("record-number", _of("S2#-%####", "2#H######", "CT-202#-0####", "GB.2#.######.K")),
    "pupil_no": ("record-number", _of("C2#######", "2#/0###/%", "B00######", "%#####")),
    "file_ref": ("record-number", _of("AA/AAA/%####-#", "2#.%##-LD", "AAA/0###/%", "%###-2#/Ku")),
    "medical_card": ("plan-number", _of("C%#####A", "A###### B", "K%##### A")),
    "hmo_no": ("plan-number", _of("AAA/%####/A", "HY-######-0%", "%#######-0", "%####/0%/D")),
    "member_no": ("plan-number", _of("AAA%##M#####", "W%### ##### 01", "H%#######", "%##-%######")),
    "policy_no": (
        "plan-number",
        _of("%#/AA/########", "P/%#####/0%/202#/######", "MO 4### ### ##", "AA-%######-#", "01-###-%######"),
    ),
    "insured_de": ("plan-number", _right((_insured_german, "A%########"), (_insured_german, "A%## ### ###"))),
    "ehic": ("plan-number", _of("80372############%##", "8034 0### #### #### ####")),
    "sort_code": ("account-number", _of("##-##-##", "20 ## ##", "40####")),
    "account_gb": ("account-number", _of("%#######", "%### ####", "0#######")),
    "account_in": ("account-number", _of("5010########%#", "0###01######", "3%#########", "9##0100########")),
    "nuban": ("account-number", _of("0#########", "2### ### ###")),
    "account_no": ("account-number", _right((kontonr.is_valid, "%###.##.#####"), (kontonr.is_valid, "%### ## #####"))),
    "iban_far": (
        "account-number",
        _right(
            (iban.is_valid, "IE## AAAA #### #### #### ##"),
            (iban.is_valid, "PL## #### #### #### #### #### ####"),
            (iban.is_valid, "SE## #### #### #### #### ####"),
            (iban.is_valid, "FI################"),
            (iban.is_valid, "de## #### #### #### #### ##"),
        ),
    ),
    "card_far": ("account-number", _right((checksums.luhn, "5%## #### #### ####"), (checksums.luhn, "4###-####-####-####"))),
    "customer_no": ("account-number", _of("850 0## ### ###", "%#########", "C-######-%", "%### #### ##")),
    "roll_no": ("account-number", _of("D/%#####-%", "%/#######/##", "R%##-%####")),
    "routing": ("account-number", _right((rtn.is_valid, "0%#######"), (rtn.is_valid, "1########"))),
    "imc": ("licence", _of("0#####", "4#####")),
    "register_in": ("licence", _of("MMC/201#/0%/%###", "%####", "KMC %####")),
    "driver_gb": ("licence", _of("AAAAA70%1##AA%AA", "AAAAA 80%1## AA%AA", "AAAAA65%2##A99AA")),
    "driver_in": ("licence", _of("MH12 201#00#####", "DL-0%201#00#####", "K*05 201# 00#####")),
    "driver_pl": ("licence", _of("0####/1#/14%#", "%####/0%/1###")),
    "driver_us": ("licence", _of("S%#######", "%##-%##-###", "A### #### ####")),
    "passport_far": ("licence", _of("Z%######", "*0%######", "P*%######", "EK%######", "2#AA%####", "LT %######")),
    "residence_permit": ("licence", _of("ZU%######", "RS#######", "IRL%######", "AA %######")),
    "midwife_pin": ("licence", _of("##A####E", "9%I####E")),
    "company_no": ("licence", _of("0%######", "SC%#####", "RC %#####", "NI######", "%#####")),
    "rc_no": ("licence", _of("%#####", "%######", "0%####")),
    "eori": ("licence", _of("IE%######A", "GB%########000")),
    "gst": ("licence", _right((gstin.is_valid, "27AAACA####A1Z#"), (gstin.is_valid, "29AAAPA####A1Z#"))),
    "vat_pl": ("licence", _right((nip.is_valid, "526-###-##-##"), (nip.is_valid, "7%########"))),
    "vat_it": ("licence", _right((iva.is_valid, "0##########"), (iva.is_valid, "IT0##########"))),
    "register_fr": ("licence", _right((siret.is_valid, "4## ### ### 000##"), (siret.is_valid, "5######## 000##"))),
    "register_es": ("licence", _right((cif.is_valid, "B########"), (cif.is_valid, "B-########"))),
    "register_nordic": ("licence", _right((orgnr.is_valid, "556###-####"), (cvr.is_valid, "%#######"))),
    "badge_no": ("licence", _of("%####", "PHD/0%###", "OB%######", "SI*-10##-%###-####")),
    "frame_no": ("vehicle", _of("WTU%##A####A", "AA%######", "M%##A####", "GB-AAA%####A4%#")),
    "serial": ("device", _of("%#A#####", "AAA#####AA", "CN0%####", "%### #### ##", "0%-%#####")),
    "implant_sn": ("device", _of("PJN######H", "BLC######S", "%######", "1#-0####-%")),
    "asset_tag": ("device", _of("LT-0####", "WS%###", "AAA-NB-%##", "00%###")),
    "meter": ("device", _of("2%E5######", "S##A#######", "K%####### D0#", "1 ESY %### ### ###")),
    "tag_id": ("device", _of("%#####", "T-%####", "HMU %###/#")),
    "mac_far": ("device", _of("00^^.^^^^.^^^^", "F8:^^:^^:^^:^^:^^", "00%#^^^^^^^^")),
    "sim": ("device", _of("8944 1### #### #### ###", "8935301##########%#")),
    "print_ref": ("biometric", _of("FP/2#/0###", "%#/########S", "MF%#/##", "%##### L")),
    "dna_ref": ("biometric", _of("5%######", "DN*-2#-%###", "B%#-%###-K", "96######")),
    "template_id": ("biometric", _of("%^^^^^^^", "USR0####-R%", "TPL-%####", "%###/IDX")),
    "eurodac": ("biometric", _of("DE1%########", "GR2######%####", "IT1*N0###Q", "SE1-%######")),
    "picture": (
        "photo",
        _of(
            "IMG-202%0%1#-W*00##.jpg",
            "IMG_202%0%1#_1#2#4%.jpg",
            "P10#0###.JPG",
            "Screenshot 202%-0%-1# at 1#.2#.3#.png",
            "DSC_####.NEF",
            "image%.jpeg",
            "GOPR0###.JPG",
            "front_##.heic",
        ),
    ),
    "exhibit_photo": ("photo", _of("MJ/%", "AJB/%#", "PH/%#/2#", "%###-%")),
    "still": ("photo", _of("cam%_1#2#_0##.png", "CH0%-1#2#4%.bmp", "%####", "%#-%##")),
    "ip_far": ("ip", _ip),
    "link": (
        "url",
        _of(
            "https://portal.example.org/claims/%####",
            "http://example.ie:8080/login",
            "example.co.uk/t/%^^#",
            "www.example.de",
            "https://example.com/d/%^^^^?id=%###&lang=en#top",
            "HTTPS://WWW.EX*MPLE.COM/P*Y",
            "ftp://ftp.example.net/in/2#0%/",
            "https://meet.example.com/j/%##-###",
            "files.example.net/~lab/%##.html",
            "www.example.com.ng/verify/^^^^%#",
        ),
    ),
    "mailbox": (
        "email",
        _of(
            "accounts.payable@example.co.uk",
            "jk%#@mail.example.com",
            "o_%###@example.ie",
            "claims+%####@example.com",
            "front-desk@clinic.example.org",
            "rezeption@example.de",
            "m.w.%#@poczta.example.net",
            "NOREPLY@EX*MPLE.COM",
            "sec%@gov.example",
            "b.o'c@example.ie",
        ),
    ),
    "order_no": ("other", _of("%##-%######-#######", "PO 4500######", "#%####", "AAA%####", "2#-%####-W")),
    "tracking": ("other", _of("RR#########IE", "1Z%##A##########", "JD01%### #### ###", "%### %### %###")),
    "booking": ("other", _of("AAAAAA", "A%AA#A", "AA%A#A")),
    "ticket_no": ("other", _of("057-%#########", "220 %#########", "INC00%#####", "REQ%#####")),
    "container": ("other", _right((iso6346.is_valid, "MSKU ###### #"), (iso6346.is_valid, "TCLU#######"))),
    "invoice": ("other", _of("INV-%####", "202%/0%/%##", "F%##-2#", "RE %###/2#")),
    "staff_no": ("other", _of("%####", "E00%###", "P-%###", "AA%###")),
    "fob": ("other", _of("%#####", "T-%####", "%## %###")),
    "door_code": ("other", _of("C%###X", "%###", "%####")),
    "supply_no": ("other", _of("1# %### #### ####", "10### ### ###", "2% 0000 %### ###")),
    "voucher": ("other", _of("AAAA-%###-AAAA", "*UTH/%#####", "PC%##-###")),
    "land_ref": ("other", _of("DN%####F", "98%###3 VH5797S 000% WX", "TY%#####", "W*1M/000%####/%")),
}  # fmt: skip
_WHOLE: Mapping[str, tuple[str, Fill]] = {
    **_DRAWN,
    **{f"tel_{country}": ("phone", _of(*forms)) for country, forms in _TELEPHONES.items()},
    **{f"fax_{country}": ("fax", _of(*forms)) for country, forms in _TELEPHONES.items()},
    **{f"plate_{country}": ("vehicle", _of(*forms)) for country, forms in _PLATES.items()},
    **{f"national_{country}": ("national-id", draw) for country, draw in _NATIONAL.items()},
}
OFFICES: Mapping[str, tuple[str, Fill]] = {
    **_WHOLE,
    **{f"{slot}_broken": (of_class, _broken(draw)) for slot, (of_class, draw) in _WHOLE.items()},
}
"""Slots as ``identifier_fills.FILLS`` has them, and each with ``_broken`` for one over two lines."""
