"""Identifiers come back through a translator that writes numbers, dates and codes its own way."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism_core.encoding import Encoder, make_encoder
from prism_core.identifiers import DenyList
from prism_core.identifiers.checksums import luhn
from prism_core.language import LanguageModel, Sentence
from prism_core.mechanisms import make_mechanism
from prism_core.settings import MechanismSettings
from tests.examples import examples
from tests.words import MONTHS, SPANISH_MONTHS, calendar_words

_NAMES = "|".join(month.title() for month in MONTHS)
_IBAN = re.compile(r"\b[A-Z]{2}\d\d(?: ?[A-Z0-9]{4}){2,7}(?: ?[A-Z0-9]{1,3})?\b")


def _month(english: str) -> str:
    return SPANISH_MONTHS[MONTHS.index(english.lower())]


def _iso(match: re.Match[str]) -> str:
    year, month, day = match.groups()
    return f"{int(day)} de {SPANISH_MONTHS[(int(month) - 1) % 12]} de {year}"


def numbers(text: str) -> str:
    """1,234.5 is written 1.234,5, and 3rd 3.º."""
    turned = re.sub(
        r"(?<![\d.])\d{1,3}(?:,\d{3})*(?:\.\d+)?(?![\d.]*\d)",
        lambda m: m[0].translate(str.maketrans(",.", ".,")),
        text,
    )
    return re.sub(r"(\d)(?:st|nd|rd|th)\b", r"\1.º", turned)


def dates(text: str) -> str:
    """Days before months, in words with *de*; ISO dates in words, American ones in digits."""
    text = re.sub(r"\b(\d{4})-(\d\d)-(\d\d)\b", _iso, text)
    text = re.sub(r"\b(\d\d?)/(\d\d?)/(\d{4})\b", r"\2.\1.\3", text)
    text = re.sub(
        rf"\b({_NAMES}) (\d\d?), (\d{{4}})", lambda m: f"{m[2]} de {_month(m[1])} de {m[3]}", text
    )
    return re.sub(
        rf"\b(\d\d?) ({_NAMES}) (\d{{4}})", lambda m: f"{m[1]} de {_month(m[2])} de {m[3]}", text
    )


def spacing(text: str) -> str:
    """Groups of digits between no-break blanks, no hyphen or bracket in a telephone number."""
    text = re.sub(r"\((\d+)\) ?", "\\1\u00a0", text)
    return re.sub(r"(?<=\d)[- ](?=\d)", "\u00a0", text)


def joined(text: str) -> str:
    """Codes written without blanks and hyphens in them."""
    text = _IBAN.sub(lambda m: m[0].replace(" ", ""), text)
    return re.sub(r"(?<=\d)[- ](?=\d)", "", text)


def grouped(text: str) -> str:
    """Codes in groups of four, long numbers in groups of three."""

    def in_fours(match: re.Match[str]) -> str:
        plain = match[0].replace(" ", "")
        return " ".join(plain[i : i + 4] for i in range(0, len(plain), 4))

    text = _IBAN.sub(in_fours, text)
    return re.sub(
        r"(?<![\w.,-])\d{5,9}(?![\w.,-]*\d)", lambda m: f"{int(m[0]):_}".replace("_", " "), text
    )


TRANSLATORS = (numbers, dates, spacing, joined, grouped)


def iban(number: int) -> str:
    plain = f"ES00{number:020d}"
    turned = int("".join(str(int(sign, 36)) for sign in plain[4:] + plain[:4]))
    plain = f"ES{98 - turned % 97:02d}{plain[4:]}"
    return " ".join(plain[i : i + 4] for i in range(0, 24, 4))


def card(number: int) -> str:
    (plain,) = (p for d in range(10) if luhn(p := f"4{number:014d}{d}"))
    return " ".join(plain[i : i + 4] for i in range(0, 16, 4))


days = st.dates(date(1950, 1, 1), date(2060, 12, 31))
CLASSES = {
    "amount": st.from_regex(r"\A[1-9][0-9]{0,2}(,[0-9]{3}){0,2}\.[0-9]{1,2}\Z"),
    "number": st.from_regex(r"\A[1-9][0-9]{0,8}\Z"),
    "ordinal": st.integers(4, 20).map("{}th".format),
    "telephone": st.from_regex(r"\A\([2-9][0-9]{2}\) [2-9][0-9]{2}-[0-9]{4}\Z"),
    "telephone abroad": st.from_regex(r"\A\+44 20 [1-9][0-9]{3} [0-9]{4}\Z"),
    "IBAN": st.integers(0, 10**20 - 1).map(iban),
    "card": st.integers(0, 10**14 - 1).map(card),
    "social security": st.from_regex(r"\A[1-5][0-9]{2}-[1-9][0-9]-[1-9][0-9]{3}\Z"),
    "code": st.from_regex(r"\A[A-Z]{2,4}-[0-9]{4,6}-[A-Z]\Z"),
    "address": st.from_regex(r"\A[a-z]{3,8}@[a-z]{3,8}\.com\Z"),
    "IP": st.from_regex(r"\A(1[0-9]{2}\.){3}1[0-9]\Z"),
    "hardware": st.from_regex(r"\A([0-9A-F]{2}:){5}[0-9A-F]{2}\Z"),
    "clock": st.from_regex(r"\A1[0-9]:[0-5][0-9]\Z"),
    "year": st.integers(1950, 2050).map(str),
}
DATES: dict[str, Callable[[date], str]] = {
    "ISO": date.isoformat,
    "American": "{0.month}/{0.day}/{0.year}".format,
    "words": lambda day: f"{day.day} {MONTHS[day.month - 1].title()} {day.year}",
    "American words": lambda day: f"{MONTHS[day.month - 1].title()} {day.day}, {day.year}",
}


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.load("en", lemmas=False)


def encoder() -> Encoder:
    words = calendar_words()
    mechanism = make_mechanism(MechanismSettings.choose(minimum_pool=5), words)
    return make_encoder(words, mechanism)


ENCODER = encoder()


def translated(
    model: LanguageModel, text: str, translate: Callable[[str], str], seed: int
) -> str | None:
    """y_pri, or None where a substitute was not found."""
    parts = model.sentences(f"It was of {text} or of it.")
    sentence = Sentence(tuple(token for part in parts for token in part.tokens))
    encoded = ENCODER.encode(sentence, DenyList(), Random(seed))
    assert not encoded.withheld
    decoded = ENCODER.decode(encoded, translate(encoded.text))
    return None if decoded.unrestored else decoded.text


def signs(text: str) -> str:
    return "".join(c for c in text if c.isalnum()).casefold()


@pytest.mark.parametrize("translate", TRANSLATORS)
@pytest.mark.parametrize("kind", CLASSES)
@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=8, deadline=None)
def test_an_identifier_of_every_class_comes_back(kind, translate, model, data, seed) -> None:
    text = data.draw(CLASSES[kind])
    found = translated(model, text, translate, seed)
    assert found is not None
    ending = "th" if kind == "ordinal" else ""
    assert signs(text.removesuffix(ending)) in signs(found)


@pytest.mark.parametrize("form", DATES)
@given(day=days, seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_a_date_comes_back_in_the_form_of_the_translator(form, model, day, seed) -> None:
    found = translated(model, DATES[form](day), dates, seed)
    worded = f"{day.day} de {SPANISH_MONTHS[day.month - 1]} de {day.year}"
    wanted = {"American": f"{day.day}.{day.month}.{day.year}"}.get(form, worded)
    assert found == f"It was of {wanted} or of it."


@given(day=days, seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_a_day_before_its_month_is_not_turned_round_though_what_stood_for_it_was(
    model, day, seed
) -> None:
    day = day.replace(day=day.day % 16 + 13)
    text = f"{day.day}/{day.month:02d}/{day.year}"
    wanted = {f"It was of {form} or of it." for form in (text, text.replace("/", "."))}
    assert translated(model, text, dates, seed) in wanted


@given(data=st.data(), seed=st.integers(0, 2**32))
@settings(max_examples=examples(60), deadline=None)
def test_several_identifiers_of_one_sentence_are_not_mixed_up(model, data, seed) -> None:
    first = data.draw(CLASSES["amount"])
    second = data.draw(CLASSES["telephone"])
    day = data.draw(days)
    text = f"{first} or {second} or {DATES['words'](day)}"
    found = translated(model, text, lambda sent: dates(spacing(sent)), seed)
    assert found is not None
    assert signs(first) + "or" + signs(second) + "or" in signs(found)
    assert f"{day.day} de {SPANISH_MONTHS[day.month - 1]} de {day.year}" in found
