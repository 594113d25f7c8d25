"""Identifiers as offices of many countries write them.

The check digits are right where ``checksums`` knows the rule; all the rest is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from benchmarks.identifier_countries import COUNTRIES
from benchmarks.identifier_fills import Fill
from benchmarks.identifier_shapes import anything, broken, filled, of, right
from prism_core.identifiers import checksums

_MONTHS = "January February March April May June July August September October November December"
_ROMAN = "I II III IV V VI VII VIII IX X XI XII"


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
    """The check digit of a German health insurance number: 1 and 2 by turns."""
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
            filled("2001:db8:^^^:^^^^::%^", rng),
            filled("2001:DB8:0:%::%#", rng),
            filled("fe80::%^^^:^^ff:fe^^:^^^^", rng),
            filled("2001:0db8:85a3:0000:0000:8a2e:0%^^:%^^^", rng),
        ]
    )


_BY_CLASS: Mapping[str, Mapping[str, Fill]] = {
    "date": {
        "day": _day,
        "day_short": _day_short,
        "expiry": of("0%/202%", "10/2%", "0%-2%", "0% / 202%"),
    },
    "phone": {
        "extension": of("%###", "4-%###"),
    },
    "record-number": {
        "hospital_no": of("%######", "R%#####", "00######", "A##/####/%", "X%#####A"),
        "uhid": of("AAH.0000######", "20250######", "MR2#-0####", "IP/2#/%####"),
        "crime_ref": of("2#0/######/2#", "42/%####/2#", "2#*C######", "CR/%###/202#"),
        "court_no": of(
            "202#/%### P", "KB-202#-00####", "%:2#-cr-00###-AAA", "II K %##/2#", "RG 2#/0####"
        ),
        "accession": of("S2#-%####", "2#H######", "CT-202#-0####", "GB.2#.######.K"),
        "pupil_no": of("C2#######", "2#/0###/%", "B00######", "%#####"),
        "file_ref": of("AA/AAA/%####-#", "2#.%##-LD", "AAA/0###/%", "%###-2#/Ku"),
    },
    "plan-number": {
        "claim_no": of("CLM-2#-#####", "%#########", "M##/%####/%", "TP/2#/0####"),
        "medical_card": of("C%#####A", "A###### B", "K%##### A"),
        "hmo_no": of("AAA/%####/A", "HY-######-0%", "%#######-0", "%####/0%/D"),
        "member_no": of("AAA%##M#####", "W%### ##### 01", "H%#######", "%##-%######"),
        "policy_no": of(
            "%#/AA/########",
            "P/%#####/0%/202#/######",
            "MO 4### ### ##",
            "AA-%######-#",
            "01-###-%######",
        ),
        "insured_de": right((_insured_german, "A%########"), (_insured_german, "A%## ### ###")),
        "ehic": of("80372############%##", "8034 0### #### #### ####"),
    },
    "account-number": {
        "sort_code": of("##-##-##", "20 ## ##", "40####"),
        "account_gb": of("%#######", "%### ####", "0#######"),
        "account_in": of("5010########%#", "0###01######", "3%#########", "9##0100########"),
        "nuban": of("0#########", "2### ### ###"),
        "account_no": of("%###.##.#####", "%### ## #####"),
        "iban_far": right(
            (checksums.iban, "IE## AAAA #### #### #### ##"),
            (checksums.iban, "PL## #### #### #### #### #### ####"),
            (checksums.iban, "SE## #### #### #### #### ####"),
            (checksums.iban, "FI################"),
            (checksums.iban, "de## #### #### #### #### ##"),
        ),
        "card_far": right(
            (checksums.luhn, "5%## #### #### ####"), (checksums.luhn, "4###-####-####-####")
        ),
        "customer_no": of("850 0## ### ###", "%#########", "C-######-%", "%### #### ##"),
        "roll_no": of("D/%#####-%", "%/#######/##", "R%##-%####"),
        "routing": right((checksums.us_routing, "0%#######"), (checksums.us_routing, "1########")),
    },
    "licence": {
        "imc": of("0#####", "4#####"),
        "register_in": of("MMC/201#/0%/%###", "%####", "KMC %####"),
        "driver_gb": of("AAAAA70%1##AA%AA", "AAAAA 80%1## AA%AA", "AAAAA65%2##A99AA"),
        "driver_in": of("MH12 201#00#####", "DL-0%201#00#####", "K*05 201# 00#####"),
        "driver_pl": of("0####/1#/14%#", "%####/0%/1###"),
        "driver_us": of("S%#######", "%##-%##-###", "A### #### ####"),
        "passport_far": of(
            "Z%######", "*0%######", "P*%######", "EK%######", "2#AA%####", "LT %######"
        ),
        "residence_permit": of("ZU%######", "RS#######", "IRL%######", "AA %######"),
        "midwife_pin": of("##A####E", "9%I####E"),
        "company_no": of("0%######", "SC%#####", "RC %#####", "NI######", "%#####"),
        "rc_no": of("%#####", "%######", "0%####"),
        "eori": of("IE%######A", "GB%########000"),
        "gst": of("27AAACA####A1Z#", "29AAAPA####A1Z#"),
        "vat_pl": of("526-###-##-##", "7%########"),
        "vat_it": of("0##########", "IT0##########"),
        "register_fr": right(
            (checksums.luhn, "4## ### ### 000##"), (checksums.luhn, "5######## 000##")
        ),
        "register_es": of("B########", "B-########"),
        "register_nordic": right((checksums.luhn, "556###-####"), (anything, "%#######")),
        "badge_no": of("%####", "PHD/0%###", "OB%######", "SI*-10##-%###-####"),
    },
    "vehicle": {
        "frame_no": of("WTU%##A####A", "AA%######", "M%##A####", "GB-AAA%####A4%#"),
    },
    "device": {
        "serial": of("%#A#####", "AAA#####AA", "CN0%####", "%### #### ##", "0%-%#####"),
        "implant_sn": of("PJN######H", "BLC######S", "%######", "1#-0####-%"),
        "asset_tag": of("LT-0####", "WS%###", "AAA-NB-%##", "00%###"),
        "meter": of("2%E5######", "S##A#######", "K%####### D0#", "1 ESY %### ### ###"),
        "tag_id": of("%#####", "T-%####", "HMU %###/#"),
        "mac_far": of("00^^.^^^^.^^^^", "F8:^^:^^:^^:^^:^^", "00%#^^^^^^^^"),
        "sim": of("8944 1### #### #### ###", "8935301##########%#"),
    },
    "biometric": {
        "print_ref": of("FP/2#/0###", "%#/########S", "MF%#/##", "%##### L"),
        "dna_ref": of("5%######", "DN*-2#-%###", "B%#-%###-K", "96######"),
        "template_id": of("%^^^^^^^", "USR0####-R%", "TPL-%####", "%###/IDX"),
        "eurodac": of("DE1%########", "GR2######%####", "IT1*N0###Q", "SE1-%######"),
    },
    "photo": {
        "picture": of(
            "IMG-202%0%1#-W*00##.jpg",
            "IMG_202%0%1#_1#2#4%.jpg",
            "P10#0###.JPG",
            "Screenshot 202%-0%-1# at 1#.2#.3#.png",
            "DSC_####.NEF",
            "image%.jpeg",
            "GOPR0###.JPG",
            "front_##.heic",
        ),
        "exhibit_photo": of("MJ/%", "AJB/%#", "PH/%#/2#", "%###-%"),
        "still": of("cam%_1#2#_0##.png", "CH0%-1#2#4%.bmp", "%####", "%#-%##"),
    },
    "ip": {
        "ip_far": _ip,
    },
    "url": {
        "link": of(
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
    },
    "email": {
        "mailbox": of(
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
    },
    "other": {
        "order_no": of("%##-%######-#######", "PO 4500######", "#%####", "AAA%####", "2#-%####-W"),
        "tracking": of("RR#########IE", "1Z%##A##########", "JD01%### #### ###", "%### %### %###"),
        "booking": of("AAAAAA", "A%AA#A", "AA%A#A"),
        "ticket_no": of("057-%#########", "220 %#########", "INC00%#####", "REQ%#####"),
        "container": of("MSKU ###### #", "TCLU#######"),
        "invoice": of("INV-%####", "202%/0%/%##", "F%##-2#", "RE %###/2#"),
        "staff_no": of("%####", "E00%###", "P-%###", "AA%###"),
        "fob": of("%#####", "T-%####", "%## %###"),
        "door_code": of("C%###X", "%###", "%####"),
        "supply_no": of("1# %### #### ####", "10### ### ###", "2% 0000 %### ###"),
        "voucher": of("AAAA-%###-AAAA", "*UTH/%#####", "PC%##-###"),
        "land_ref": of("DN%####F", "98%###3 VH5797S 000% WX", "TY%#####", "W*1M/000%####/%"),
    },
}
_WHOLE = COUNTRIES | {
    slot: (of_class, draw) for of_class, slots in _BY_CLASS.items() for slot, draw in slots.items()
}
OFFICES: Mapping[str, tuple[str, Fill]] = {
    **_WHOLE,
    **{f"{slot}_broken": (of_class, broken(draw)) for slot, (of_class, draw) in _WHOLE.items()},
}
"""Slots as ``identifier_fills.FILLS`` has them, and each once more for one over two lines."""
