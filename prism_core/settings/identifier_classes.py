"""The classes that identifiers are counted in: those of HIPAA's Safe Harbor rule.

45 CFR 164.514(b)(2)(i), (A) to (R). European numbers count in the class that is nearest: a VAT
number as a licence, an IBAN as an account, a number plate as a vehicle.
"""

from __future__ import annotations

from collections.abc import Mapping
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


_LABELS: Mapping[IdentifierClass, str] = {
    IdentifierClass.NAME: "PERSON ORGANISATION NAME HANDLE",
    IdentifierClass.GEOGRAPHY: "PLACE ADDRESS POSTCODE COORDINATES",
    IdentifierClass.DATE: "DATE AGE",
    IdentifierClass.PHONE: "PHONE",
    IdentifierClass.FAX: "FAX",
    IdentifierClass.EMAIL: "EMAIL",
    IdentifierClass.NATIONAL_ID: "NATIONAL_ID",
    IdentifierClass.RECORD: "RECORD CASE",
    IdentifierClass.PLAN: "PLAN",
    IdentifierClass.ACCOUNT: "ACCOUNT IBAN CARD",
    IdentifierClass.LICENCE: "LICENCE VAT",
    IdentifierClass.VEHICLE: "VEHICLE VIN PLATE",
    IdentifierClass.DEVICE: "DEVICE MAC UDI",
    IdentifierClass.URL: "URL",
    IdentifierClass.IP: "IP",
    IdentifierClass.BIOMETRIC: "BIOMETRIC",
    IdentifierClass.PHOTO: "PHOTO",
    IdentifierClass.OTHER: "PATH LOGIN NUMBER CODE",
}
"""The labels that detectors give."""
_CLASS_OF_LABEL: Mapping[str, IdentifierClass] = {
    label: of_labels for of_labels, labels in _LABELS.items() for label in labels.split()
}


def class_of(label: str) -> IdentifierClass:
    """The class that a detector's ``label`` counts in; ``OTHER`` for one that is not known."""
    return _CLASS_OF_LABEL.get(label, IdentifierClass.OTHER)
