"""Telephones, plates, national numbers and addresses of eleven more countries, as written there.

Check digits are right: by ``checksums`` where it knows the rule, else by the rules below, each with
the office that publishes it. Numbers of telephones are of ranges for fiction where there are some
(North America's 555-01, Australia's 5550, 7010 and 0491 57); all the rest is drawn.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from benchmarks.identifier_fills import Fill
from benchmarks.identifier_shapes import broken, of, right
from prism_core.identifiers import checksums


def _weighed(text: str, weights: Sequence[int]) -> int:
    digits = re.sub(r"\D", "", text)
    return sum(int(digit) * weight for digit, weight in zip(digits, weights, strict=False))


def _tax_file(text: str) -> bool:
    """Tax file numbers of the Australian Taxation Office: weighed, a multiple of 11."""
    return _weighed(text, (1, 4, 3, 7, 5, 8, 6, 9, 10)) % 11 == 0


def _medicare(text: str) -> bool:
    """Cards of Services Australia: the ninth digit is the weighed first eight, modulo 10."""
    return _weighed(text, (1, 3, 7, 9, 1, 3, 7, 9)) % 10 == int(re.sub(r"\D", "", text)[8])


def _identity_card(text: str) -> bool:
    """Identity cards of Singapore (S, T: citizens; F, G: foreigners), the letter modulo 11."""
    letters = "JZIHGFEDCBA" if text[0] in "ST" else "XWUTRQPNMLK"
    total = _weighed(text, (2, 7, 6, 5, 4, 3, 2)) + (4 if text[0] in "TG" else 0)
    return letters[total % 11] == text[-1]


def _health_index(text: str) -> bool:
    """Numbers of New Zealand's health index (HISO 10046): letters without I and O, modulo 11."""
    letters = "ABCDEFGHJKLMNPQRSTUVWXYZ"
    values = [letters.index(sign) + 1 if sign in letters else int(sign) for sign in text]
    rest = sum(value * (7 - place) for place, value in enumerate(values[:-1])) % 11
    return rest != 0 and (11 - rest) % 10 == values[-1]


_TELEPHONES = {
    "ca": ("(416) 555-01##", "604-555-01##", "+1 (902) 555-01##", "514 555-01##", "1 888 555-01##"),
    "au": ("(02) 5550 ####", "(03) 7010 ####", "0491 57# ###", "+61 491 57# ###", "1800 %## ###"),
    "nz": ("(09) 5## ####", "027 4## ####", "+64 21 ### ###", "04-4## ####", "0800 %## ###"),
    "za": ("082 %## ####", "(011) %## ####", "+27 83 %## ####", "021-%## ####", "0860 %## ###"),
    "sg": ("9%## ####", "6%##-####", "+65 8%## ####", "+65-6%## ####"),
    "ke": ("0722 %## ###", "+254 7%# ### ###", "0733-%#####", "020 2%#####", "07%#######"),
    "nl": ("06-%#######", "020-%######", "+31 6 %### ####", "(030) 2%# ## ##"),
    "ch": ("079 %## ## ##", "044 %## ## ##", "+41 (0)31 %## ## ##"),
    "be": ("0475 %# ## ##", "02 5## ## ##", "+32 9 2## ## ##", "0486/%#.##.##"),
    "pt": ("91# ### ###", "+351 21# ### ###", "22 %## ## ##"),
    "gr": ("69%# ######", "+30 210 %######", "2310-%#####"),
}
_FAXES = {
    "ca": ("(416) 555-01##", "604-555-01##", "902 555 01##"),
    "au": ("(02) 5550 ####", "03 7010 ####"),
    "nz": ("(09) 5## ####", "04-4## ####", "+64 3 3## ####"),
    "za": ("(011) %## ####", "021-%## ####", "086 %## ####"),
    "sg": ("6%##-####", "+65-6%## ####", "6%## ####"),
    "ke": ("020 2%#####", "+254 20 %######", "041-2%#####"),
    "nl": ("020-%######", "(030) 2%# ## ##"),
    "ch": ("044 %## ## ##", "+41 (0)31 %## ## ##"),
    "be": ("02 5## ## ##", "+32 9 2## ## ##"),
    "pt": ("+351 21# ### ###", "22 %## ## ##"),
    "gr": ("+30 210 %######", "2310-%#####"),
}
_PLATES = {
    "ca": ("AAAA ###", "AA# ##A", "AAA-%##", "%## AAA"),
    "au": ("AAA-##A", "%AA-#AA", "AA-##-AA", "S%##-AAA", "%##-AAA"),
    "nz": ("AAA%##", "AAA %##", "AA%###"),
    "za": ("AAA %## GP", "C* %##-###", "ND %##-###", "AA ## AA GP", "C* %#####"),
    "sg": ("SAA %### A", "SAA%###A", "GBA %## A"),
    "ke": ("KDA %##A", "KCA %##A", "KMFA %##A", "GKB %##A"),
    "nl": ("AA-%##-A", "%-AAA-##", "##-AAA-%", "A-%##-AA"),
    "ch": ("ZH %#####", "VD %## ###", "GR-%####"),
    "be": ("1-AAA-%##", "2-AAA-%##", "%-AAA-###"),
    "pt": ("##-AA-##", "AA-##-AA", "##-##-AA"),
    "gr": ("AAA-%###", "AAA %###"),
    "at": ("W-%####A", "G %##AA", "S-%##AA"),
}
_NATIONAL: Mapping[str, Fill] = {
    "ca": right((checksums.luhn, "%## ### ###"), (checksums.luhn, "%##-###-###")),
    "au": right((_tax_file, "%## ### ###"), (_tax_file, "%########")),
    "nz": right((_health_index, "AAA####")),
    "za": right(
        (checksums.luhn, "7#0%1#%###08#"),
        (checksums.luhn, "9#112#0###08#"),
        (checksums.luhn, "6%0%1# %### 08 #"),
    ),
    "sg": right(
        (_identity_card, "S%######A"), (_identity_card, "T0######A"), (_identity_card, "G%######A")
    ),
    "ke": of("%#######", "2#######", "3#######"),
    "kra": of("*00%######A", "*01%######A"),
    "nl": right((checksums.dutch_citizen, "%### ## ###"), (checksums.dutch_citizen, "%########")),
    "be": right((checksums.belgian_national, "8#.0%.1#-###.##")),
    "ch": right((checksums.ean, "756.####.####.##")),
    "pt": right((checksums.portuguese_tax, "2## ### ###"), (checksums.portuguese_tax, "1########")),
    "gr": right((checksums.luhn, "1#0%7######")),
    "itin": of("9##-7%-####", "9## 8% ####"),
}
_ADDRESSES: Mapping[str, Fill] = {
    "street_far": of(
        "Unit %/%# Beach Road",
        "%## Ngong Road",
        "Blk 1## Bedok North Ave %, #0%-1##",
        "%### Concession Road %",
        "1%# Queen Street West, Suite %##",
        "%# Kloof Nek Road",
        "Plot No. %#, 4th Cross, 2nd Main",
        "Flat %B, %# Harcourt Terrace",
        "Keizersgracht %##",
        "Rua do Carmo %#, %.º Esq.",
        "P O Box %####",
        "Private Bag X%#",
        "%### NW 2#rd Ct",
        "Apt. %C, 1%# Sycamore Blvd",
        "The Old Forge, Mill Lane",
        "RD %, Settlers Road",
        "Bahnhofstrasse %#",
        "Hs. No. %-#-%##, Civil Lines",
    ),
    "town_far": of(
        "Toronto, ON M5V %B%",
        "Parramatta NSW 21##",
        "Wellington 60##",
        "Cape Town, 80##",
        "Singapore 46####",
        "Nairobi 00100",
        "Bengaluru 5600##",
        "Cork T12 A###",
        "Dublin %",
        "90## Gent",
        "40## Basel",
        "10#0 Wien",
        "Columbus OH 432##",
        "Bristol BS% %AA",
        "Tucson, Arizona 857##",
        "10## GZ Amsterdam",
        "1#00-0## Lisboa",
        "Halifax, Nova Scotia B3H %K%",
        "Ballarat, Vic. 33##",
        "Sandton 21##",
    ),
    "postcode": of("BS% %AA", "M1# %AA", "432##", "K1* 0B%", "V6B %P%", "EH1# %AA", "5600##"),
}
_WHOLE: Mapping[str, tuple[str, Fill]] = {
    **{f"tel_{country}": ("phone", of(*forms)) for country, forms in _TELEPHONES.items()},
    **{f"fax_{country}": ("fax", of(*forms)) for country, forms in _FAXES.items()},
    **{f"plate_{country}": ("vehicle", of(*forms)) for country, forms in _PLATES.items()},
    **{f"national_{country}": ("national-id", draw) for country, draw in _NATIONAL.items()},
    **{slot: ("geography", draw) for slot, draw in _ADDRESSES.items()},
    "medicare_au": (
        "plan-number",
        right((_medicare, "2### ##### #"), (_medicare, "4#########"), (_medicare, "3### ##### %")),
    ),
}
OVERSEAS: Mapping[str, tuple[str, Fill]] = {
    **_WHOLE,
    **{f"{slot}_broken": (of_class, broken(draw)) for slot, (of_class, draw) in _WHOLE.items()},
}
"""Slots as ``identifier_fills.FILLS`` has them, and each once more for one over two lines."""
