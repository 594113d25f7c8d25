"""Surrogates that preserve the format: random digits and letters in place of digits and letters.

Entry: ``number_like``, ``code_like``, ``initials_like`` and others draw one. ``is_closed`` is True
for forms with so few surrogates that the original has to be among the possible draws.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable
from random import Random

from prism_core.identifiers.base import MAIL_DOMAIN, WEB_ADDRESS, kind_of
from prism_core.languages import Numbers
from prism_core.record import CODE_LETTERS, Kind

CLOSED = 10_000
"""Most surrogates of one form that make a closed set.

An archive uses all of them. If the original were never drawn, it would be the one that never
occurs. So it is drawn with the same probability as any other.
"""
_DIGITS = re.compile(r"\d+")
_CODE_DIGITS = "23456789"
"""Digits of codes: 0 and 1 are mistaken for letters."""
_HEXADECIMAL = "bcd"
"""Letters of numbers in base 16: no vowels, and no *f*, since *ff* marks following pages."""
_INITIALS = "BCDEFGHJKLMNOPQRSTUVWXYZ"
"""Letters that are no English word, so that no translator takes *A. Smith* for grammar."""
_SYMBOLS = "★☆▲△▼▽◆◇○□♦♣♠♥►◄"
"""Signs that translators copy, none of them among the marks and bullets that are kept."""
# *J.*, *J.K.*, *J.-K.*.
_ARE_INITIALS = re.compile(r"[^\W\d_](?:\.-?[^\W\d_])*\.?")
_YEAR = re.compile(r"(?:19|20)\d\d")
# *00:1B:44:11:3A:B7*.
_HARDWARE = re.compile(r"[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}")
_IPV4 = re.compile(r"\d{1,3}(?:\.\d{1,3}){3}")
_DOCUMENTATION = ("192.0.2", "198.51.100", "203.0.113")
"""Networks that are reserved for documentation (RFC 5737)."""
_COUNTRIES_BY_IBAN_LENGTH = {
    15: "NO", 16: "BE", 18: "DK FI NL", 19: "SI", 20: "AT LU", 21: "CH HR", 22: "DE GB IE",
    24: "CZ ES RO SE SK", 25: "PT", 27: "FR GR IT", 28: "CY HU PL",
}  # fmt: skip


def number_like(text: str, longer: int, rng: Random) -> str:
    """Replace digits run by run and keep separators; a time stays a time and a year a year.

    ``longer`` adds that many digits to the first run, if all numbers of one length are forbidden.
    No run begins with a zero, and in a number of several runs none ends with one: translators drop
    those zeros.
    """
    if _YEAR.fullmatch(text) and not longer:
        return str(rng.randrange(1900, 2100))
    if match := re.fullmatch(r"(\d{1,2}):(\d\d)", text):
        hour = rng.randrange(10, 24) if len(match[1]) > 1 else rng.randrange(1, 10)
        return f"{hour}:{rng.randrange(10, 60)}"
    runs = list(_DIGITS.finditer(text))
    if len(runs) == 1 and not longer:
        low, high = (10 ** (len(runs[0].group()) - back) for back in (1, 0))
        low = 0 if text.isdecimal() and low == 1 else low
        return _DIGITS.sub(str(rng.randrange(low, high)), text)
    start = runs[0].start() if runs else 0

    def redraw(run: re.Match[str]) -> str:
        length = len(run.group()) + (longer if run.start() == start else 0)
        return _digits(length, rng)

    return _DIGITS.sub(redraw, text)


def day_like(text: str, rng: Random) -> str:
    """Draw a day of a month with as many digits as ``text``."""
    return str(rng.randrange(10, 32) if len(text) > 1 else rng.randrange(1, 10))


def initials_like(text: str, rng: Random, is_word: Callable[[str], bool]) -> str:
    """Draw initials of the same form: *J.* gives *T.*, *j. k.* two small letters.

    No letter for which ``is_word`` is True is drawn.
    """
    letters = [letter for letter in _INITIALS if not is_word(letter)]

    def redraw(letter: str) -> str:
        drawn = rng.choice(letters)
        return drawn.lower() if letter.islower() else drawn

    return "".join(redraw(c) if c.isalpha() else c for c in text)


def are_initials(text: str) -> bool:
    """Return True for one letter, or several with a full stop after each but the last."""
    return _ARE_INITIALS.fullmatch(text) is not None


def is_closed(text: str, kind: Kind) -> bool:
    """Return True if an identifier like ``text`` has at most ``CLOSED`` surrogates."""
    digits, letters = sum(map(str.isnumeric, text)), sum(map(str.isalpha, text))
    if kind is Kind.NAME:
        return are_initials(text) and bool(len(_INITIALS) ** letters <= CLOSED)
    choices = 1 if kind is Kind.WORD else int(10**digits)
    if kind is Kind.CODE:
        choices = int(len(CODE_LETTERS) ** letters * len(_CODE_DIGITS) ** digits)
    return choices <= CLOSED


def fix_ordinal_ending(text: str, words: Numbers) -> str:
    """Give an ordinal in digits the ending that its number requires."""
    if text[-1:].isdecimal():
        return text
    ordinal = re.fullmatch(rf"(\d+){words.ordinal}", text)
    return ordinal[1] + words.ordinal_ending(int(ordinal[1])) if ordinal else text


def mail_address(_text: str, _longer: int, rng: Random) -> str:
    """Draw a mail address at a reserved domain."""
    return _draw_letters(rng) + MAIL_DOMAIN


def web_address(_text: str, _longer: int, rng: Random) -> str:
    """Draw a web address at a reserved domain."""
    return WEB_ADDRESS + _draw_letters(rng)


def symbol_like(_text: str, _longer: int, rng: Random) -> str:
    """Draw one sign, whatever the text is."""
    return rng.choice(_SYMBOLS)


def code_like(text: str, longer: int, rng: Random) -> str:
    """Draw a code of the same form; for a hardware address, in base 16."""
    if _HARDWARE.fullmatch(text):
        base_16 = string.digits + _HEXADECIMAL
        drawn = "".join(rng.choice(base_16) if c.isalnum() else c for c in text)
        return drawn.upper() if any(map(str.isupper, text)) else drawn

    def redraw(character: str) -> str:
        if character.isnumeric():
            return rng.choice(_CODE_DIGITS)
        if character.isupper():
            return rng.choice(CODE_LETTERS)
        return rng.choice(CODE_LETTERS).lower() if character.isalpha() else character

    return "".join(map(redraw, text)) + "".join(_digits(1, rng) for _ in range(longer))


def iban_like(text: str, longer: int, rng: Random) -> str:
    """Draw an IBAN of a country whose IBANs have the same length."""
    drawn = code_like(text, 0, rng)
    length = sum(map(str.isalnum, text))
    country = rng.choice(_COUNTRIES_BY_IBAN_LENGTH.get(length, text[:2]).split())
    return country + drawn[2:] + "".join(number_like("1", 0, rng) for _ in range(longer))


def ip_address_like(text: str, longer: int, rng: Random) -> str:
    """Draw an IPv4 address reserved for documentation, or any address of version 6."""
    if _IPV4.fullmatch(text):
        return f"{rng.choice(_DOCUMENTATION)}.{rng.randrange(2, 255)}"
    like = number_like if kind_of(text) is Kind.NUMBER else code_like
    return like(text, longer, rng)


def _digits(length: int, rng: Random) -> str:
    """Draw ``length`` digits, no zero first or last."""
    if length == 1:
        return str(rng.randrange(1, 10))
    return f"{rng.randrange(10 ** (length - 2), 10 ** (length - 1))}{rng.randrange(1, 10)}"


def _draw_letters(rng: Random) -> str:
    return "".join(rng.choices(string.ascii_lowercase, k=8))
