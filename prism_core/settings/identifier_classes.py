"""The classes that identifiers are counted in: those of HIPAA's Safe Harbor rule.

45 CFR 164.514(b)(2)(i), (A) to (R). European numbers count in the class that is nearest: a VAT
number as a licence, an IBAN as an account, a number plate as a vehicle.
"""

from __future__ import annotations

from enum import StrEnum


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
