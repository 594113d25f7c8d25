"""Identifiers for templates written after the patterns, in formats the others do not have."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

from benchmarks.identifier_fills import Fill, one_of


def _of(*patterns: str) -> Fill:
    def draw(rng: Random) -> str:
        return one_of(rng, *patterns)

    return draw


FORMATS: Mapping[str, tuple[str, Fill]] = {
    "record_new": (
        "record-number",
        _of(
            "H%##.###",
            "20##/0####",
            "%#####-#",
            "AA-20##-%##",
            "K ### ###",
            "%########",
            "C%##/##A",
        ),
    ),
    "plan_new": (
        "plan-number",
        _of(
            "AAAA######",
            "%##.%##.###.#",
            "W## ### ####",
            "%########-0#",
            "##A####-##",
            "A%########",
        ),
    ),
    "account_new": (
        "account-number",
        _of(
            "%#######-##", "%## #### ####", "####-#####-##", "%###.##.###", "AA%######", "%#######"
        ),
    ),
    "licence_new": (
        "licence",
        _of("AA%#####A", "%#.###.###", "##AA#####", "A##-###-###", "%######", "AA %### ###"),
    ),
    "plate_new": (
        "vehicle",
        _of("AA ### A", "A ### AA", "AAA %##", "%###-AAA", "AA-AA ##", "A%## AAA", "##-AAA-%"),
    ),
    "device_new": (
        "device",
        _of(
            "AA-####/##",
            "%##-####-A",
            "A#A##A####",
            "%######",
            "SN:########",
            "%##A####",
            "AAA ######",
        ),
    ),
    "bio_new": (
        "biometric",
        _of("AA/####/##", "%##-###-###", "T-######", "%########", "AAA-##-####", "A#######"),
    ),
    "photo_new": (
        "photo",
        _of("DSCF####.JPG", "PXL_20##0%1#.jpg", "left-arm-%.png", "scan ##.tiff", "p####.webp"),
    ),
}
"""Slots as ``identifier_fills.FILLS`` has them."""
