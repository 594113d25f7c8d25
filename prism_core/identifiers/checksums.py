"""Check digits of numbers that states, banks and makers issue, and rules for surrogates of these.

Entry: one function for each number, and ``make_surrogate_check`` for their surrogates.

Each function takes a number as it is written, blanks and marks included, and returns True if its
check digits are right. A wrong length gives False, and no function raises.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal

Check = Callable[[str], bool]
CheckDigits = Literal["fail", "pass"]
_NO_LETTER_OR_DIGIT = re.compile(r"[\W_]+")
_DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE"
_HETU_LETTERS = "0123456789ABCDEFHJKLMNPRSTUVWXY"
_PPS_LETTERS = "WABCDEFGHIJKLMNOPQRSTUV"
_MONTH_LETTERS = "ABCDEHLMPRST"
_FISCAL_ODD = tuple(
    map(int, "1 0 5 7 9 13 15 17 19 21 2 4 18 20 11 3 6 8 12 14 16 10 22 25 24 23".split())
)
_VIN_VALUES = dict(zip("ABCDEFGHJKLMNPRSTUVWXYZ", map(int, "12345678123457923456789"), strict=True))
_VIN_WEIGHTS = (8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2)
_RIB_DIGITS = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "12345678912345678923456789")
_VERHOEFF_TURN = (1, 5, 7, 6, 2, 8, 3, 0, 9, 4)


def _strip_marks(text: str) -> str:
    return _NO_LETTER_OR_DIGIT.sub("", text).upper()


def _digits(text: str, *lengths: int) -> list[int]:
    """Return the digits of ``text``; none if it has other characters or the wrong length."""
    plain = _strip_marks(text)
    right = plain.isascii() and plain.isdigit() and (not lengths or len(plain) in lengths)
    return [int(digit) for digit in plain] if right else []


def _weighted(digits: Sequence[int], weights: Sequence[int]) -> int:
    return sum(digit * weight for digit, weight in zip(digits, weights, strict=False))


def luhn(text: str) -> bool:
    """Check the Luhn digit (ISO/IEC 7812-1) of payment cards, IMEIs and many other numbers."""
    digits = _digits(text)
    doubled = (sum(divmod(2 * digit, 10)) for digit in digits[-2::-2])
    return len(digits) > 1 and any(digits) and (sum(digits[-1::-2]) + sum(doubled)) % 10 == 0


def iban(text: str) -> bool:
    """Check an IBAN (ISO 13616).

    The rule is ISO 7064 mod 97-10 over the number with its first four characters moved to the end.
    """
    plain = _strip_marks(text)
    if not re.fullmatch(r"[A-Z]{2}\d\d[A-Z0-9]{11,30}", plain, re.ASCII):
        return False
    turned = plain[4:] + plain[:4]
    return int("".join(str(int(sign, 36)) for sign in turned)) % 97 == 1


def _make_weighted_check(length: int, weights: Sequence[int], modulus: int) -> Check:
    """Return a check that weighted digits, not all 0, add up to a multiple of ``modulus``."""

    def check(text: str) -> bool:
        digits = _digits(text, length)
        return any(digits) and _weighted(digits, weights) % modulus == 0

    return check


ean = _make_weighted_check(13, (1, 3) * 7, 10)
"""Check of an EAN-13, the form of Swiss AHV numbers (756.…)."""
us_routing = _make_weighted_check(9, (3, 7, 1) * 3, 10)
"""Check of an ABA routing transit number."""
uk_nhs = _make_weighted_check(10, range(10, 0, -1), 11)
"""Check of an NHS number."""
dutch_citizen = _make_weighted_check(9, (9, 8, 7, 6, 5, 4, 3, 2, -1), 11)
"""Check of a BSN."""
polish_national = _make_weighted_check(11, (1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1), 10)
"""Check of a PESEL."""


def us_social_security(text: str) -> bool:
    """Check that area, group and serial of an SSN can be issued; it has no check digit."""
    plain = _strip_marks(text)
    given_out = re.fullmatch(r"(?!000|666|9)\d{3}(?!00)\d\d(?!0000)\d{4}", plain, re.ASCII)
    return given_out is not None


def us_provider(text: str) -> bool:
    """Check an NPI: Luhn over 80840 and its ten digits."""
    return bool(_digits(text, 10)) and luhn("80840" + _strip_marks(text))


def us_dea(text: str) -> bool:
    """Check a prescriber's DEA registration: two letters and seven digits."""
    match = re.fullmatch(r"[A-Z][A-Z9](\d{7})", _strip_marks(text), re.ASCII)
    if match is None:
        return False
    digits = _digits(match[1])
    return (sum(digits[0:6:2]) + 2 * sum(digits[1:6:2])) % 10 == digits[6]


def _mod_11_10(digits: Sequence[int]) -> bool:
    """Check digits by ISO 7064 mod 11,10; the first digit must not be 0."""
    product = 10
    for digit in digits[:-1]:
        product = 2 * ((digit + product) % 10 or 10) % 11
    return bool(digits) and digits[0] != 0 and (11 - product) % 10 == digits[-1]


def german_tax(text: str) -> bool:
    """Check a Steuerliche Identifikationsnummer: eleven digits, ISO 7064 mod 11,10."""
    return _mod_11_10(_digits(text, 11))


def german_vat(text: str) -> bool:
    """Check a German VAT number: DE and nine digits, ISO 7064 mod 11,10."""
    plain = _strip_marks(text)
    return plain.startswith("DE") and _mod_11_10(_digits(plain[2:], 9))


def german_insurance(text: str) -> bool:
    """Check a Sozialversicherungsnummer.

    It consists of area, day of birth, a letter, a serial number and a check digit.
    """
    plain = _strip_marks(text)
    if not re.fullmatch(r"\d{8}[A-Z]\d{3}", plain, re.ASCII):
        return False
    digits = _digits(f"{plain[:8]}{ord(plain[8]) - ord('A') + 1:02d}{plain[9:]}")
    weights = (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)
    products = (digit * weight for digit, weight in zip(digits, weights, strict=False))
    return sum(sum(divmod(product, 10)) for product in products) % 10 == digits[-1]


def german_document(text: str) -> bool:
    """Check the number of an identity card or passport: nine characters and a digit (ICAO 9303)."""
    plain = _strip_marks(text).removesuffix("D")
    if not re.fullmatch(r"[0-9CFGHJ-NPRTV-Z]{9}\d", plain, re.ASCII):
        return False
    values = [int(sign, 36) for sign in plain[:9]]
    return _weighted(values, (7, 3, 1) * 3) % 10 == int(plain[9])


def german_health(text: str) -> bool:
    """Check a Krankenversichertennummer: a letter and nine digits, Luhn with weights 1 and 2."""
    plain = _strip_marks(text)
    if not re.fullmatch(r"[A-Z]\d{9}", plain, re.ASCII):
        return False
    digits = _digits(f"{ord(plain[0]) - ord('A') + 1:02d}{plain[1:]}")
    weighted = (sum(divmod(digit * (1 + i % 2), 10)) for i, digit in enumerate(digits[:-1]))
    return sum(weighted) % 10 == digits[-1]


def french_social_security(text: str) -> bool:
    """Check an NIR: 13 digits (2A and 2B for Corsica) and a key, mod 97."""
    plain = _strip_marks(text)
    if not re.fullmatch(r"[1-478]\d{4}(?:\d\d|2A|2B)\d{8}", plain, re.ASCII):
        return False
    number = int(plain[:13].replace("2A", "19").replace("2B", "18"))
    return 97 - number % 97 == int(plain[13:])


def french_company(text: str) -> bool:
    """Check a SIREN (9 digits) or SIRET (14 digits): Luhn."""
    return bool(_digits(text, 9, 14)) and luhn(text)


def french_account(text: str) -> bool:
    """Check a RIB: bank, branch, account (letters count as digits) and a key, mod 97."""
    plain = _strip_marks(text)
    if not re.fullmatch(r"\d{10}[0-9A-Z]{11}\d\d", plain, re.ASCII):
        return False
    digits = plain.translate(_RIB_DIGITS)
    bank, branch, account, key = (
        int(digits[a:b]) for a, b in ((0, 5), (5, 10), (10, 21), (21, 23))
    )
    return bank > 0 and (89 * bank + 15 * branch + 3 * account + key) % 97 == 0


def spanish_id(text: str) -> bool:
    """Check a DNI, a person's NIF, or a NIE: a letter, mod 23."""
    plain = _strip_marks(text)
    match = re.fullmatch(r"([XYZ]?)(\d{7,8})([A-Z])", plain, re.ASCII)
    if match is None or len(plain) != 9:
        return False
    number = {"": "", "X": "0", "Y": "1", "Z": "2"}[match[1]] + match[2]
    return _DNI_LETTERS[int(number) % 23] == match[3]


def spanish_company(text: str) -> bool:
    """Check a CIF: a letter for the kind, seven digits, and a digit or its letter."""
    plain = _strip_marks(text)
    if not re.fullmatch(r"[A-HJNP-SUVW]\d{7}[0-9A-J]", plain, re.ASCII):
        return False
    digits = _digits(plain[1:8])
    check = -(sum(digits[1::2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[::2])) % 10
    return plain[8] in (str(check), "JABCDEFGHI"[check])


def spanish_social_security(text: str) -> bool:
    """Check an NSS: province, number and a key, mod 97.

    A number below ten million loses its leading zeros.
    """
    plain = "".join(map(str, _digits(text, 12)))
    if not plain or not 1 <= int(plain[:2]) <= 66:
        return False
    province, number, key = int(plain[:2]), int(plain[2:10]), int(plain[10:])
    whole = province * 10**7 + number if number < 10**7 else province * 10**8 + number
    return whole % 97 == key


def spanish_account(text: str) -> bool:
    """Check a CCC: bank, branch, two check digits mod 11, account."""
    digits = _digits(text, 20)
    weights = (1, 2, 4, 8, 5, 10, 9, 7, 3, 6)

    def check(part: Sequence[int]) -> int:
        found = 11 - _weighted(part, weights) % 11
        return {10: 1, 11: 0}.get(found, found)

    return any(digits) and digits[8:10] == [check([0, 0, *digits[:8]]), check(digits[10:])]


def italian_fiscal(text: str) -> bool:
    """Check a person's codice fiscale: 15 characters and a letter, mod 26."""
    plain = _strip_marks(text)
    pattern = rf"[A-Z]{{6}}\d\d[{_MONTH_LETTERS}]\d\d[A-Z]\d{{3}}[A-Z]"
    if not re.fullmatch(pattern, plain, re.ASCII):
        return False
    values = [int(c) if c.isdigit() else ord(c) - ord("A") for c in plain]
    total = sum(values[1:15:2]) + sum(_FISCAL_ODD[value] for value in values[0:15:2])
    return total % 26 == values[15]


def belgian_national(text: str) -> bool:
    """Check a Rijksregisternummer: nine digits and a key, mod 97.

    From 2000 on the digit 2 is put before the nine digits.
    """
    digits = _digits(text, 11)
    if not digits:
        return False
    plain = _strip_marks(text)
    number, key = plain[:9], int(plain[9:])
    return key in (97 - int(number) % 97, 97 - int("2" + number) % 97)


def portuguese_tax(text: str) -> bool:
    """Check a Portuguese NIF: nine digits, mod 11."""
    digits = _digits(text, 9)
    if not any(digits):
        return False
    check = 11 - _weighted(digits[:8], range(9, 1, -1)) % 11
    return digits[8] == (0 if check > 9 else check)


def swedish_personal(text: str) -> bool:
    """Check a personnummer: Luhn over its ten digits, a date first."""
    digits = _digits(text, 10, 12)[-10:]
    month, day = (int(_strip_marks(text)[-i : -i + 2]) for i in (8, 6)) if digits else (0, 0)
    return 1 <= month <= 12 and 1 <= day % 60 <= 31 and luhn("".join(map(str, digits)))


def finnish_personal(text: str) -> bool:
    """Check a henkilötunnus, mod 31.

    It consists of DDMMYY, a sign for the century, three digits and a check character.
    """
    match = re.fullmatch(r"(\d{6})[-+A-FU-Y](\d{3})([0-9A-Y])", text.upper(), re.ASCII)
    return match is not None and _HETU_LETTERS[int(match[1] + match[2]) % 31] == match[3]


def irish_personal(text: str) -> bool:
    """Check a PPS number: seven digits, a letter mod 23, and from 2013 on a second letter."""
    match = re.fullmatch(r"(\d{7})([A-W])([A-IW]?)", _strip_marks(text), re.ASCII)
    if match is None:
        return False
    second = 0 if match[3] in ("", "W") else ord(match[3]) - ord("A") + 1
    total = _weighted(_digits(match[1]), range(8, 1, -1)) + 9 * second
    return _PPS_LETTERS[total % 23] == match[2]


def indian_person(text: str) -> bool:
    """Check an Aadhaar number: twelve digits, the last by Verhoeff's scheme."""
    total = 0
    digits = _digits(text, 12)
    for place, digit in enumerate(reversed(digits)):
        for _ in range(place % 8):
            digit = _VERHOEFF_TURN[digit]
        # A product in the dihedral group of the pentagon; 5 to 9 are its reflections.
        turn = total + digit if total < 5 else total - digit
        total = turn % 5 + 5 * ((total < 5) != (digit < 5))
    return bool(digits) and total == 0


def ip_address(text: str) -> bool:
    """Check that each number of an IPv4 address, perhaps with a port or mask, is below 256."""
    return all(int(part) < 256 for part in text.partition("/")[0].partition(":")[0].split("."))


def vehicle(text: str) -> bool:
    """Check a VIN with the North American check digit in ninth place."""
    plain = _strip_marks(text)
    if not re.fullmatch(r"[A-HJ-NPR-Z0-9]{17}", plain, re.ASCII):
        return False
    values = [int(c) if c.isdigit() else _VIN_VALUES[c] for c in plain]
    return "0123456789X"[_weighted(values, _VIN_WEIGHTS) % 11] == plain[8]


_STATE_CHECKS: tuple[Check, ...] = (
    ean,
    uk_nhs,
    german_tax,
    german_insurance,
    german_document,
    french_social_security,
    spanish_id,
    italian_fiscal,
    dutch_citizen,
    belgian_national,
    polish_national,
    portuguese_tax,
    swedish_personal,
    finnish_personal,
    irish_personal,
    indian_person,
)
_CHECKS_BY_LABEL: Mapping[str, tuple[Check, ...]] = {
    "IBAN": (iban,),
    "CARD": (luhn,),
    "NATIONAL_ID": (*_STATE_CHECKS, spanish_social_security),
    "VAT": (portuguese_tax, polish_national, french_company, german_vat, spanish_company),
    "PLAN": (german_health, uk_nhs),
    "ACCOUNT": (us_routing, iban, spanish_account, french_account),
    "LICENCE": (us_dea, us_provider),
    "VIN": (vehicle,),
    "DEVICE": (luhn,),
}
_SOCIAL_SECURITY = re.compile(r"\d{3}[-. ]\d\d[-. ]\d{4}")


def make_surrogate_check(text: str, label: str, wanted: CheckDigits) -> Check:
    """Return a function that checks if a surrogate for ``text`` has the ``wanted`` check digits.

    ``fail``: none of the checks of its class passes, so that the surrogate is nobody's number.
    ``pass``: every check passes that ``text`` passes. Classes without check digits accept
    everything.
    """
    checks = _CHECKS_BY_LABEL.get(label, ())
    if not checks:
        return lambda _: True
    if label == "NATIONAL_ID" and _SOCIAL_SECURITY.fullmatch(text):
        checks = (*checks, us_social_security)
    if wanted == "fail":
        return lambda surrogate: not any(check(surrogate) for check in checks)
    held = [check for check in checks if check(text)]
    return lambda surrogate: all(check(surrogate) for check in held)
