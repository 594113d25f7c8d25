"""Whether the surrogate of a number with check digits is to have wrong ones or right ones."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Literal

from prism_core.identifiers import checksums

Check = Callable[[str], bool]
CheckDigits = Literal["fail", "pass"]

_OF_STATES: tuple[Check, ...] = (
    checksums.ean,
    checksums.uk_nhs,
    checksums.german_tax,
    checksums.french_social_security,
    checksums.spanish_id,
    checksums.italian_fiscal,
    checksums.dutch_citizen,
    checksums.belgian_national,
    checksums.polish_national,
    checksums.portuguese_tax,
    checksums.swedish_personal,
    checksums.finnish_personal,
    checksums.irish_personal,
    checksums.indian_person,
)
_OF_LABEL: Mapping[str, tuple[Check, ...]] = {
    "IBAN": (checksums.iban,),
    "CARD": (checksums.luhn,),
    "NATIONAL_ID": _OF_STATES,
    "VAT": (checksums.portuguese_tax, checksums.polish_national, checksums.french_company),
    "PLAN": (checksums.german_health, checksums.uk_nhs),
    "ACCOUNT": (checksums.us_routing, checksums.iban),
    "LICENCE": (checksums.us_dea, checksums.us_provider),
    "VIN": (checksums.vehicle,),
    "DEVICE": (checksums.luhn,),
}
_SOCIAL_SECURITY = re.compile(r"\d{3}[-. ]\d\d[-. ]\d{4}")


def checks_of(text: str, label: str) -> tuple[Check, ...]:
    """The checks that may hold for numbers such as ``text``, which a detector calls ``label``."""
    checks = _OF_LABEL.get(label, ())
    if label == "NATIONAL_ID" and _SOCIAL_SECURITY.fullmatch(text):
        return (*checks, checksums.us_social_security)
    return checks


def acceptable(text: str, label: str, asked: CheckDigits) -> Check:
    """Tells whether a surrogate for ``text`` has the check digits that are ``asked`` for.

    ``fail``: none of the checks for its class holds, so that it is nobody's number. ``pass``: every
    one holds that holds for ``text``. Always true for classes without check digits.
    """
    checks = checks_of(text, label)
    if not checks:
        return _any
    if asked == "fail":
        return lambda surrogate: not any(check(surrogate) for check in checks)
    held = [check for check in checks if check(text)]
    return lambda surrogate: all(check(surrogate) for check in held)


def _any(_surrogate: str) -> bool:
    return True
