"""What the user says of identifiers, and the classes that they are counted in.

The classes are those of HIPAA's Safe Harbor rule, 45 CFR 164.514(b)(2)(i), (A) to (R). European
numbers count in the class that is nearest: a VAT number as a licence, an IBAN as an account, a
number plate as a vehicle.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Literal

from prism_core.settings.section import Section


class IdentifierClass(StrEnum):
    """One of the eighteen, in the order of the rule."""

    NAME = "name"
    """(A) Of persons; names of organisations count here too."""
    GEOGRAPHY = "geography"
    """(B) Every place; the rule asks for those smaller than a state."""
    DATE = "date"
    """(C) Parts of dates smaller than a year, and ages over 89."""
    PHONE = "phone"
    FAX = "fax"
    EMAIL = "email"
    NATIONAL_ID = "national-id"
    """(G) Social security numbers, and what other states number their people with."""
    RECORD = "record-number"
    """(H) Of medical records; of cases and files too."""
    PLAN = "plan-number"
    """(I) Of beneficiaries of a health plan."""
    ACCOUNT = "account-number"
    LICENCE = "licence"
    """(K) Numbers of licences and certificates."""
    VEHICLE = "vehicle"
    DEVICE = "device"
    URL = "url"
    IP = "ip"
    BIOMETRIC = "biometric"
    PHOTO = "photo"
    OTHER = "other"
    """(R) Any other number or code."""


Consistency = Literal["sentence", "document", "archive"]
"""Within what equal identifiers get equal surrogates."""


class IdentifierSettings(Section):
    """The user's own lists, UTF-8 text with one term a line, and how surrogates are drawn.

    ``names_file``: names of clients, patients, staff; replaced wherever they stand.
    ``never_send_file``: a sentence that still shows one of these is withheld.
    ``presidio``: ask Presidio's pattern recognisers too (optional extra ``presidio``).
    ``withhold``: a sentence in which an identifier of these classes is found is withheld, though it
    would be replaced.

    ``consistency``: within what equal identifiers get equal surrogates. The wider, the more of an
    archive the translator can link. ``dates``: drawn by chance, or all of a document shifted by
    the same secret number of weeks. ``checksums``: whether the surrogate of a number with check
    digits has wrong ones or right ones; with right ones it may be somebody's number.
    """

    names_file: Path | None = None
    never_send_file: Path | None = None
    presidio: bool = False
    consistency: Consistency = "sentence"
    dates: Literal["random", "shift"] = "random"
    checksums: Literal["fail", "pass"] = "fail"
    withhold: tuple[IdentifierClass, ...] = ()
