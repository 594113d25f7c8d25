"""Telephones, plates and national numbers of eleven parts of the world, as people there write them.

The check digits are right where ``checksums`` knows the rule; all the rest is drawn.
"""

from __future__ import annotations

from collections.abc import Mapping

from benchmarks.identifier_fills import Fill
from benchmarks.identifier_shapes import anything, of, right
from prism_core.identifiers import checksums

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
    "gb": of("JG ## ## ## C", "pw######d", "NX######B", "CE ###### D"),
    "nhs": right((checksums.uk_nhs, "4## ### ####"), (checksums.uk_nhs, "6##-###-####")),
    "ie": right(
        (checksums.irish_personal, "%######A"),
        (checksums.irish_personal, "#######AW"),
        (checksums.irish_personal, "1######A"),
    ),
    "in": of("%### #### ####", "%###-####-####"),
    "pan": of("AAAPA####A", "AAAPA %### A"),
    "ng": of("%##########", "%### #### ###"),
    "de": of("65 1#0%7# A 0##", "122#0%6#A5##"),
    "fr": right(
        (checksums.french_social_security, "2 7% 0% 33 0## ### ##"),
        (checksums.french_social_security, "16%0%690#######"),
    ),
    "es": right(
        (checksums.spanish_id, "Y#######A"),
        (checksums.spanish_id, "%#######A"),
        (checksums.spanish_id, "########-A"),
    ),
    "it": right(
        (checksums.italian_fiscal, "RSSMRC7#D1#H501A"),
        (checksums.italian_fiscal, "BNCLRT8#T4#F205A"),
    ),
    "pl": right(
        (checksums.polish_national, "6%0%1######"), (checksums.polish_national, "7%1#0%#####")
    ),
    "nordic": right(
        (checksums.swedish_personal, "196%0%1#-####"),
        (checksums.swedish_personal, "7%1#0%-####"),
        (anything, "1#0%7######"),
        (anything, "1#0%7# #####"),
    ),
    "us": of("52%-4#-%###", "41% 2# %###", "30%4#%###"),
}
COUNTRIES: Mapping[str, tuple[str, Fill]] = {
    **{f"tel_{country}": ("phone", of(*forms)) for country, forms in _TELEPHONES.items()},
    **{f"fax_{country}": ("fax", of(*forms)) for country, forms in _TELEPHONES.items()},
    **{f"plate_{country}": ("vehicle", of(*forms)) for country, forms in _PLATES.items()},
    **{f"national_{country}": ("national-id", draw) for country, draw in _NATIONAL.items()},
}
"""Slots as ``identifier_fills.FILLS`` has them, named for a country."""
