"""Surrogates by shape: random digits and letters where the identifier has digits and letters."""

from __future__ import annotations

import re
import string
from random import Random

from prism_core.identifiers.base import MAIL_DOMAIN, WEB_ADDRESS
from prism_core.languages import Numbers

_DIGITS = re.compile(r"\d+")
_CONSONANTS = "BCDFHJKLNQTWXZ"
"""Letters of codes: with vowels, or M, P, R, S or V, they would be words (*TO*, *MR*, *TV*), with G
a measure (*g_6*), and translated."""
_HEXADECIMAL = "bcd"
"""Letters of numbers in base 16: no vowels, and *ff* is what follows a page."""
_HARDWARE = re.compile(r"[0-9A-Fa-f]{2}(?:[:-][0-9A-Fa-f]{2}){5}")


def number_like(text: str, longer: int, rng: Random) -> str:
    """Digits replaced run by run, separators kept; a clock stays a clock and a year a year.

    ``longer`` adds that many digits to the first run, for when all of one length are forbidden. No
    run begins or ends with a zero: translators leave those out.
    """
    if re.fullmatch(r"(19|20)\d\d", text) and not longer:
        return str(rng.randrange(1900, 2100))
    if match := re.fullmatch(r"(\d{1,2}):(\d\d)", text):
        hour = rng.randrange(10, 24) if len(match[1]) > 1 else rng.randrange(1, 10)
        return f"{hour}:{rng.randrange(10, 60)}"
    first = _DIGITS.search(text)
    start = first.start() if first else 0

    def redraw(run: re.Match[str]) -> str:
        length = len(run.group()) + (longer if run.start() == start else 0)
        return _digits(length, rng)

    return _DIGITS.sub(redraw, text)


def with_its_ending(text: str, words: Numbers) -> str:
    """``text`` with the ending that its number has, if it is an ordinal in digits."""
    if text[-1:].isdecimal():
        return text
    ordinal = re.fullmatch(rf"(\d+){words.ordinal}", text)
    return ordinal[1] + words.ordinal_ending(int(ordinal[1])) if ordinal else text


def mail_address(_text: str, _longer: int, rng: Random) -> str:
    """An address at a reserved domain."""
    return _letters(8, rng) + MAIL_DOMAIN


def web_address(_text: str, _longer: int, rng: Random) -> str:
    """An address that points to a reserved domain."""
    return WEB_ADDRESS + _letters(8, rng)


def code_like(text: str, longer: int, rng: Random) -> str:
    """A random code of the same shape; a hardware address is in base 16."""
    if _HARDWARE.fullmatch(text):
        base_16 = string.digits + _HEXADECIMAL
        drawn = "".join(rng.choice(base_16) if c.isalnum() else c for c in text)
        return drawn.upper() if any(map(str.isupper, text)) else drawn
    drawn = "".join(_character_like(c, rng) for c in text)
    return drawn + "".join(_digits(1, rng) for _ in range(longer))


def _character_like(character: str, rng: Random) -> str:
    if character.isnumeric():
        return rng.choice(string.digits[2:])
    if character.isupper():
        return rng.choice(_CONSONANTS)
    return rng.choice(_CONSONANTS).lower() if character.isalpha() else character


def _digits(length: int, rng: Random) -> str:
    """``length`` digits, no zero first or last; a single one is plural, so grammar stays plural."""
    if length == 1:
        return str(rng.randrange(2, 10))
    return f"{rng.randrange(10 ** (length - 2), 10 ** (length - 1))}{rng.randrange(1, 10)}"


def _letters(length: int, rng: Random) -> str:
    return "".join(rng.choices(string.ascii_lowercase, k=length))


def ordinal_like(text: str, number: int, words: Numbers) -> str:
    """``number`` with a leading zero, or the ending of an ordinal, where ``text`` has one."""
    digits = str(number).zfill(2 if text.startswith("0") else 1)
    ending = text.lstrip(string.digits)
    if not ending:
        return digits
    blank = ending[: len(ending) - len(ending.lstrip())]
    suffix = words.ordinal_ending(number)
    return digits + blank + (suffix.upper() if ending.isupper() else suffix)
