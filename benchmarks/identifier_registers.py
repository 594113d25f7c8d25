"""Numbers as prisons, ministries, schools, shops and laboratories give them, in many countries.

The check digits are right where ``checksums`` knows the rule; all the rest is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from benchmarks.identifier_fills import Fill
from benchmarks.identifier_shapes import broken, of, right
from prism_core.identifiers import checksums

_MONTHS = "January February March April May June July August September October November December"
_ORDINALS = (
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth "
    "fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
).split()


def _of_a_deed(rng: Random) -> str:
    """A day as it is spelled out where a deed is signed."""
    place, name, year = rng.randint(1, 20), rng.choice(_MONTHS.split()), rng.randint(2004, 2025)
    numeral = f"{place}{'th' if place > 3 else ('st', 'nd', 'rd')[place - 1]}"
    return rng.choice(
        [
            f"{numeral} day of {name} {year}",
            f"{numeral} day of {name}, {year}",
            f"{_ORDINALS[place - 1]} day of {name} {year}",
            f"{_ORDINALS[place - 1].capitalize()} day of {name}, {year}",
        ]
    )


def _of_a_log(rng: Random) -> str:
    """A day as machines and soldiers write it."""
    day, month, year = rng.randint(1, 28), rng.randint(1, 12), rng.randint(2015, 2025)
    name = _MONTHS.split()[month - 1][:3]
    return rng.choice(
        [
            f"{day:02d} {name.upper()} {year % 100:02d}",
            f"{day:02d}/{name}/{year}",
            f"{day:02d}{name.upper()}{year % 100:02d}",
            f"{year}-{month:02d}-{day:02d}",
            f"{day:02d}-{name.upper()}-{year % 100:02d}",
        ]
    )


def _of_a_year_known(rng: Random) -> str:
    """A day in figures, of a year that the reader knows."""
    day, month = rng.randint(1, 28), rng.randint(1, 12)
    return rng.choice([f"{day}/{month}", f"{day:02d}/{month:02d}", f"{day}.{month}."])


_BY_CLASS: Mapping[str, Mapping[str, Fill]] = {
    "date": {
        "deed_day": _of_a_deed,
        "log_day": _of_a_log,
        "day_figures": _of_a_year_known,
        "day_scanned": of("l4 March 20l%", "2% 0ctober 20l%", "l%/0%/20l%", "O%.1l.201%"),
    },
    "phone": {
        "phone_scanned": of("O1632 96O%##", "0l632 960%##", "(O29) 2O18 0###"),
        "extension_far": of("%##", "x%###", "%# ##"),
    },
    "record-number": {
        "prison_no": of("A%###AA", "A%###CK", "%####-0##", "T%####", "K%####"),
        "custody_no": of("%#AA/%###/2#", "YE/%####/2#", "%###/2#/C"),
        "charge_no": of("%#AA0%###%2#", "06WW/0%##/2#", "C*S 1%#/0%/202#", "2#-%####-FH"),
        "pnc_id": of("8#/%#####A", "0%/%####A", "202#/0%######A"),
        "docket_au": of("S CI 202# 0%###", "VID%##/202#", "202%/00%#####", "HB 2#/%####"),
        "docket_gb": of("ZC2#D00%##", "%###-%###-%###-%###", "BV2#D0%###"),
        "docket_ke": of("E0%# of 202#", "CR/E%##/202#", "MCSUCC/E0%#/202#"),
        "docket_nz": of("CIV-202#-404-%###", "CRI-202#-004-00%###", "F*M-202#-004-%###"),
        "docket_us": of("D-1-GN-2#-00%###", "F*2#-%####-S", "2#-DCR-%#####", "2#-%####-CR"),
        "docket_za": of("%####/202#", "202#-%#####", "C%##/2#"),
        "citation": of("[202#] NZHC %###", "[202#] NZF*MC %##", "(202#) 3% FRNZ %##"),
        "citation_au": of("[202#] NSWSC %##", "[202#] NSWC*T*P %##"),
        "alien_no": of("*2## ### ###", "*0%#-###-###", "*%########"),
        "receipt_no": of("MSC2%########", "IOE09########", "LIN 2# %## %####"),
        "ministry_ref": of("HO/%######/00#", "3434-%###-####-####", "V%######/2", "CON/202#/%####"),
        "service_no": of("2%######", "2#%# ####", "P%#####A", "D%#####B"),
        "service_us": of("R* %# ### ###", "US 5% ### ###", "5%######"),
        "veteran_file": of("WP/%#####/A", "M/%/%####", "%#-%####/W"),
        "veteran_us": of("C-2# ### ###", "2# ### ###", "C %# %## ###"),
        "student_no": of("s%######", "20%######", "%########", "UP%#####", "U%######A", "z%######"),
        "chart_no": of("UR %######", "E%######", "00-%#-##-##", "%#####-A", "KNH/%####"),
        "lab_no": of("2#L%#####", "L2#.%#####.A", "B,2#.%####", "HS-2#-%####", "%######.1"),
        "subject_no": of("0##-%###", "%###-0##", "S0%-##-0##", "%##/A/0#"),
        "matter_no": of("%#####.000%", "M2#-%###", "AAA/%####.%", "CON%###/AA", "%###-%"),
        "council_ref": of("2#/0%###/FUL", "D*-202#/%##", "HB%######", "2#/E/0%##", "FOI-%###"),
        "loss_no": of("%####-0%-2#", "A2#C%#####", "VL %### ###", "GEN/2#/%####", "02-%###-%##"),
        "parole_no": of("PB-2#-%####", "2#-P-0%##", "PBO/%####"),
    },
    "plan-number": {
        "ohip": of("%### ### ### AA", "%###-###-###", "%### ### ### VK"),
        "mbi": of("%A##-A##-AA##", "%A##A##AA##", "%A%#-AK#-AA##"),
        "medical_aid": of("0%#######", "%########/01", "%####### 00", "PRO%######"),
        "blues": of("AAA %##A#####", "XJA%########", "YFA %## ### ###", "R%#######"),
        "group_no": of("%####-0##", "00%#####", "G%#####", "%######-A"),
        "policy_far": of(
            "AAP-0%-2#-%####",
            "PMV %### ####",
            "HO3-%######-##",
            "TXA-%###-##-##",
            "%#.###.###-%",
            "%#AA######",
            "L%#######/0%",
            "MV/2#/%#####",
        ),
        "insured_be": of("%##/%######", "%## %######-##", "3## / %#####"),
        "sha_no": of("CR%#########-%", "R%######", "CR %#### %####-%"),
    },
    "account-number": {
        "bsb": of("0%#-###", "73%-###", "06%###"),
        "account_au": of("%## ### ###", "%#####", "10 %### ####"),
        "account_nz": of("0%-0###-0######-0#", "12-3###-0%#####-00", "38-90##-0%#####-0#"),
        "transit": of("0%###-00%", "%####-010"),
        "account_ca": of("%######", "%##-%##-#", "%### %##"),
        "account_sg": of("%##-%####-#", "0##-%#####-#", "%##-%##-###-#"),
        "account_za": of("62 %## ### ###", "%#########", "00%# %### ##"),
        "account_ke": of("01%###########", "%###-%##-####", "114%#########"),
        "account_us": of("%#########", "00%# #### ####", "%###-%####-%"),
        "loan_no": of("L-%######-##", "%###-####-##", "%#########", "SLC %### ### ##"),
        "utility_acc": of("A-%####-####", "%########-##", "%## %### ## %", "%### %### %###"),
        "iban_more": right(
            (checksums.iban, "BE## #### #### ####"),
            (checksums.iban, "NO## #### #### ###"),
            (checksums.iban, "PT## 00## #### #### #### #### #"),
            (checksums.iban, "CH## 0#### #### #### #### #"),
            (checksums.iban, "GR################ ###########"),
        ),
        "card_more": right(
            (checksums.luhn, "5%## #### #### ####"),
            (checksums.luhn, "4###-####-####-####"),
            (checksums.luhn, "37## ###### #####"),
            (checksums.luhn, "4###############"),
        ),
    },
    "licence": {
        "driver_far": of(
            "A%###-%####-%####",
            "%######",
            "%## ### ###",
            "AA%#####",
            "403200%##%AA",
            "J0%#0AA1A##",
            "5%########",
            "WDL%A###%#AB",
        ),
        "passport_more": of(
            "P*%######", "N%#######", "LA%#####", "K%######A", "*K0%#####", "5%#######", "C0%######"
        ),
        "visa_no": of("%#######", "U%########", "0%##-%####-#", "VKE %### ###"),
        "doctor_no": of("7%#####", "MED000%######", "MP 0%#####", "%#-%####", "M%####A"),
        "nurse_pin": of("9%A%###E", "NMW000%######", "RN-%#####", "1#I%###E"),
        "collar_no": of("%###", "C%###", "%##KF", "KE%##"),
        "bar_no": of("0%######", "%#####", "P%####", "MUM/%###/201%", "%####A"),
        "company_far": of(
            "20%######A",
            "%# ### ### ###",
            "201%/%#####/07",
            "PVT-%A%AAAA",
            "%#-%######",
            "0%######",
        ),
        "firearm_no": of("0%/%###/A", "%#####/1", "P*L %### %###", "F*-%####"),
        "trade_licence": of("PHV %####", "OK%######", "%####", "MVRL %#####", "TL/2#/%###"),
        "certificate": of("AAA %#####", "2#/%####", "%###-%#####-%", "DYE %#####%", "HC/%####/1#"),
    },
    "vehicle": {
        "aircraft": of("G-AAAA", "N%##AA", "ZK-AAA", "5Y-AAA"),
        "engine_no": of("4D%#-%####", "AA1%#%####", "M2%#.%###", "JT%####A"),
        "fleet_plate": of("AA%# AAA", "AAA %##A", "AAA-%##", "%AA%##"),
    },
    "device": {
        "serial_far": of(
            "PL%##A####", "MXQ%###A#A", "C02A%###A###", "5CG%###A##", "R58M%#A####", "%#-%####-A"
        ),
        "implant_far": of("RNN%#####H", "%####-%##", "CI512-%#####", "TKR %## ###A", "PUZ%#####S"),
        "udi": of("(01)00%##########(21)A%###", "(21)%######", "+H%##A####/$%####"),
        "phone_handset": right(
            (checksums.luhn, "35%############"), (checksums.luhn, "86-######-######-#")
        ),
        "sim_far": of("8961 0%## #### #### ###", "89254%#############", "8927 0%00 00## #### ##"),
        "probation_tag": of("BUD-%###", "%######-G", "HT%#####"),
    },
    "biometric": {
        "print_card": of("TCN %#########", "%####-LP", "FPC/2#/0%##", "%#%#######", "10P-%####"),
        "print_form": of("NFB-%####", "%##/%###/L", "F%#####", "LV-%#-2#"),
        "dna_far": of("9%######", "DN*/%###/2#", "BC%#######", "%#-%####-DN*", "S%###-Q%"),
        "iris_id": of("IR-%###-^^%^", "%^^^-^^^%", "IRS%######"),
        "voice_id": of("VP%######", "vp_%^^^^%^", "V-%###-%##"),
        "face_id": of("FT-%^^^^^", "fr%#####", "%####-F%"),
    },
    "photo": {
        "picture_far": of(
            "WhatsApp Image 202%-0%-1# at 1#.2#.3#.jpeg",
            "DJI_0%##.JPG",
            "Screenshot_202%0%1#-1#2#4%.png",
            "IMG_%###.HEIC",
            "passport_photo_%.jpg",
            "pic%##.bmp",
            "20250%1#_1#3#4%.jpg",
            "kitchen ceiling %.jpg",
            "P%0%####.ORF",
            "FullSizeRender-%.jpg",
        ),
        "mugshot": of("BK-%####", "M-2#-0%##", "%#####A", "2#/%###"),
        "plate_of_album": of("WP-%##", "%#-%", "F%###", "MI/2#/%###"),
    },
    "url": {
        "link_far": of(
            "https://track.example.com/?awb=%####",
            "example.com/in/a-%#^^^",
            "https://forms.example.gov/f/%^^",
            "www.example.ca",
            "http://m.example.co.za/~p%##",
            "http://example.ke/pay?ref=%####",
            "https://lms.example.edu/course/%###/#grades",
            "example.org/memorial/%###",
            "https://example.nz",
            "www.example.sg/appt/%^^^",
        ),
    },
    "email": {
        "mailbox_far": of(
            "j%#_%#@students.example.edu",
            "records+%###@example.ca",
            "payroll@example.co.nz",
            "a.b-c@mail.example.sg",
            "Ward%B@hospital.example.org",
            "enquiries@example.co.za",
            "no-reply@example.gov.au",
            "tmk%#@example.co.ke",
            "Casework.Team%@example.gov.uk",
        ),
    },
    "other": {
        "kit_no": of("K-%####", "%#####", "BTL %###"),
        "seal_no": of("UL-%######", "SG%#####", "M0%######", "B%#######"),
        "air_waybill": of("%##-%### ####", "176-%#######", "020-%#######"),
        "declaration": of("2#GB%#######A#####%", "2#NL000%########", "%##-%######-%"),
        "exhibit_no": of("RK/%", "DLB/%#", "TJM/0%", "PW%/MO%"),
        "plot_no": of("C-%#-1##", "N/%##", "RC %##", "G%##B"),
        "payroll_no": of("%#####", "0%###", "K%####", "ZA%###", "HR-%####"),
        "order_far": of("PO-%####", "SO%#####", "#%###", "WO %#####", "2#-%###"),
        "job_card": of("J%####", "JC-2#-%###", "%#####"),
        "booking_far": of("AAA%##", "%AAA#A", "HX-%####"),
        "ticket_far": of("CS%######", "#%######", "INC-%####", "SR %-%#########"),
    },
}
_WHOLE: Mapping[str, tuple[str, Fill]] = {
    slot: (of_class, draw) for of_class, slots in _BY_CLASS.items() for slot, draw in slots.items()
}
REGISTERS: Mapping[str, tuple[str, Fill]] = {
    **_WHOLE,
    **{f"{slot}_broken": (of_class, broken(draw)) for slot, (of_class, draw) in _WHOLE.items()},
}
"""Slots as ``identifier_fills.FILLS`` has them, and each once more for one over two lines."""
