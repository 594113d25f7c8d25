"""Surrogates: what stands in for an identifier, of the same shape, and found again by decoding."""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Sequence
from random import Random

from prism_core.dictionary.dictionary import Dictionary
from prism_core.identifiers.base import MAIL_DOMAIN, WEB_ADDRESS, Identifier
from prism_core.identifiers.view import without_invisible
from prism_core.language.function_words import is_function_word
from prism_core.language.sentence import Sentence, Token
from prism_core.mechanisms.base import Kind

Forbidden = Callable[[str], bool]
"""Whether a word may not be sent: it is denied, stands in the sentence, or was drawn before."""

DRAWS = 200
DRAWS_OF_SAME_LENGTH = 40
_INITIALS = "BCDFGHJKLMNPQRSTVWXZ"
"""Single letters that are no words in the languages we translate to."""
_DIGITS = re.compile(r"\d+")


class NoSurrogateError(Exception):
    """Every draw was forbidden; the sentence is withheld."""


class Surrogates:
    """Draws surrogates for the identifiers of one language pair from OS entropy."""

    def __init__(self, dictionary: Dictionary) -> None:
        self._names = dictionary.names
        self._dictionary = dictionary

    def draw(
        self,
        sentence: Sentence,
        identifier: Identifier,
        text: str,
        forbidden: Forbidden,
        rng: Random,
    ) -> str:
        """A surrogate for ``text``, never ``text`` itself. Raises ``NoSurrogateError``.

        What is invisible in ``text`` is not in the surrogate: translators drop it.
        """
        text = text if text.isascii() else without_invisible(text)
        for attempt in range(DRAWS):
            longer = attempt // DRAWS_OF_SAME_LENGTH
            surrogate = self._candidate(sentence, identifier, text, longer, rng)
            if surrogate != text and not forbidden(surrogate):
                return surrogate
        raise NoSurrogateError

    def _candidate(
        self, sentence: Sentence, identifier: Identifier, text: str, longer: int, rng: Random
    ) -> str:
        if identifier.kind is Kind.NUMBER:
            if not longer and self._is_day_of_month(sentence.tokens, identifier, text):
                return str(rng.randrange(10, 29) if len(text) > 1 else rng.randrange(2, 10))
            return number_like(text, longer, rng)
        if identifier.kind is Kind.CODE:
            return code_like(text, identifier.label, longer, rng)
        if identifier.kind is Kind.WORD:
            return self._calendar_word(text, rng)
        return self._name_like(sentence.tokens, identifier.position, text, rng)

    def _is_day_of_month(self, tokens: Sequence[Token], identifier: Identifier, text: str) -> bool:
        beside = (identifier.position - 1, identifier.position + identifier.length)
        words = [tokens[i].text for i in beside if 0 <= i < len(tokens)]
        return bool(re.fullmatch(r"[1-9]|[12]\d|3[01]", text)) and any(
            self._dictionary.find(word, "MONTH") for word in words
        )

    def _calendar_word(self, text: str, rng: Random) -> str:
        entry = self._dictionary.calendar_entry(text)
        word = rng.choice(self._dictionary.by_tag[entry.tag]).word if entry else text
        return word.upper() if text.isupper() else word.capitalize()

    def _name_like(self, tokens: Sequence[Token], position: int, text: str, rng: Random) -> str:
        if len(text) == 1:
            return rng.choice(_INITIALS)
        name = rng.choice(self._names[name_class(tokens, position)])
        return name.upper() if text.isupper() else name


def name_class(tokens: Sequence[Token], position: int) -> str:
    """Which list a name is drawn from: a person's first name, a place, else a surname.

    A place of several words (*New York*) is written as a person's name is: between two places, or
    a surname and another, translators put words of their own, or change their order.
    """
    token = tokens[position]
    before, after = (
        0 <= beside < len(tokens)
        and tokens[beside].entity == token.entity
        and not is_function_word(tokens[beside].text)
        for beside in (position - 1, position + 1)
    )
    if token.entity == "LOC" and not (before or after):
        return "PLACE"
    return "GIVEN" if token.entity in ("PER", "LOC") and after and not before else "SURNAME"


def number_like(text: str, longer: int, rng: Random) -> str:
    """Digits replaced run by run, separators kept; a clock stays a clock and a year a year.

    ``longer`` adds that many digits to the first run, for when all of one length are forbidden.
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

    drawn = _DIGITS.sub(redraw, text)
    ordinal = re.fullmatch(r"(\d+)(?:st|nd|rd|th)", drawn)
    return ordinal[1] + _ordinal_suffix(int(ordinal[1])) if ordinal else drawn


def code_like(text: str, label: str, longer: int, rng: Random) -> str:
    """A random code of the same shape; addresses point to a reserved domain instead."""
    if label == "EMAIL":
        return _letters(8, rng) + MAIL_DOMAIN
    if label == "URL":
        return WEB_ADDRESS + _letters(8, rng)
    drawn = "".join(_character_like(c, rng) for c in text)
    return drawn + "".join(_digits(1, rng) for _ in range(longer))


def _character_like(character: str, rng: Random) -> str:
    if character.isnumeric():
        return rng.choice(string.digits[2:])
    if character.isupper():
        return rng.choice(string.ascii_uppercase)
    return rng.choice(string.ascii_lowercase) if character.isalpha() else character


def _digits(length: int, rng: Random) -> str:
    """``length`` digits without a leading zero; a single one is plural, so grammar stays plural."""
    return str(rng.randrange(10 ** (length - 1) if length > 1 else 2, 10**length))


def _letters(length: int, rng: Random) -> str:
    return "".join(rng.choices(string.ascii_lowercase, k=length))


def _ordinal_suffix(number: int) -> str:
    if number % 100 in (11, 12, 13):
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
