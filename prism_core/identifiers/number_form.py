"""What the form of a number alone tells: a quantity perhaps, a plate, or hardly a quantity."""

from __future__ import annotations

import re
from typing import NamedTuple

_SHORTEST = 5
_LONG = 7
_BARE = 6
_AMOUNT = re.compile(
    r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+[.,]\d\d?|\d{1,2}:\d\d|(?:19|20)\d\d|\d{1,3}(?:st|nd|rd|"
    r"th)|\d+[a-z]{1,3}|\d{3,4}00|\d{4}000|[A-Za-z]{4,}-\d{1,2}"
)
_YEAR = re.compile(r"(?:19|20)\d\d")
_PLATE = re.compile(
    r"(?=.{5,8}$|.*[ -])(?:[A-Z]{1,3}(?:[ -][A-Z]{1,2})?[ -]?\d{1,4}(?:[ -]?[A-Z]{1,3})?"
    r"|\d{1,4}[ -]?[A-Z]{1,3}(?:[ -]?\d{1,6})?"
    r"|[A-Z]{2,3} (?=[A-Z]*\d)[A-Z\d]{4,5}"  # Poland
    r"|[A-Z]{2}[ -]?\d{1,2}[ -]?[A-Z]{1,3}[ -]?\d{4}"  # India
    r"|[A-Z]{2,3} \d{3}-\d{3}|[A-Z]{2} \d\d [A-Z]{2} [A-Z]{2}"  # South Africa
    r"|\d\d-\d\d-[A-Z]{2}|\d[A-Z]{2}[ -]?\d[A-Z]{2})"  # the Netherlands, Australia
)
_MAKERS = re.compile(r"(?:BMW|VW|KIA|FIAT|FORD|AUDI|OPEL|SEAT|MAN|DAF|GMC|BYD|MG|HP)(?![A-Z])")
"""Capitals with which the model of a car begins, not its plate: *BMW 320*."""
_BRITISH_PLATE = re.compile(r"[A-Z]{2}\d\d ?[A-Z]{3}")
_VEHICLE = re.compile(r"(?=(?:\d*[A-Z]){2})(?=(?:[A-Z]*\d){4})[A-HJ-NPR-Z0-9]{13}\d{4}")
_PLATE_LENGTHS = range(5, 11)


class Form(NamedTuple):
    """``plain``: it may as well be a quantity, so that only *No.* makes a number of it. ``bare``:
    few digits and nothing else. ``long``: more digits than quantities have without marks.
    ``mixed``: a code of capitals and digits, ``serial``: one of more digits than models have.
    ``plate``: it looks like that of a vehicle."""

    plain: bool = False
    bare: bool = False
    long: bool = False
    mixed: bool = False
    serial: bool = False
    plate: bool = False


def form_of(value: str) -> Form:
    """What ``value`` looks like."""
    plain = len(value) < _SHORTEST or _AMOUNT.fullmatch(value) is not None
    digits = sum(map(str.isdigit, value))
    letters = sum(map(str.isupper, value))
    mixed = not plain and letters > 0 and digits > 1 and digits + letters >= _BARE
    return Form(
        plain,
        bare=value.isdigit() and digits <= _BARE,
        long=not plain and digits >= _LONG,
        mixed=mixed,
        serial=mixed and digits >= _SHORTEST,
        plate=digits + letters in _PLATE_LENGTHS and letters > 0 < digits and _is_plate(value),
    )


def _is_plate(value: str) -> bool:
    value = value.replace("\n", " ")
    return _PLATE.fullmatch(value) is not None and not _MAKERS.match(value)


def is_vehicle(text: str) -> bool:
    """Whether ``text`` may be a vehicle identification number (ISO 3779), check digit or not."""
    return _VEHICLE.fullmatch(text) is not None


def is_plate(text: str) -> bool:
    """Whether ``text`` is written as British plates are, and hardly anything else."""
    return _BRITISH_PLATE.fullmatch(text) is not None


def is_year(text: str) -> bool:
    """Whether ``text`` may be a year of this century or the last."""
    return _YEAR.fullmatch(text) is not None


def are_alike(one: str, other: str) -> bool:
    """Whether two numbers have digits, letters and marks in the same places."""
    return len(one) == len(other) and all(
        (a.isdigit() and b.isdigit()) or (a.isalpha() and b.isalpha()) or a == b
        for a, b in zip(one, other, strict=True)
    )
