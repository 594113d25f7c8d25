"""Dates moved by a secret number of weeks: what stays the same, and what never does."""

from __future__ import annotations

from collections import Counter
from datetime import date, timedelta
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prism_core.encoding import Encoder, make_encoder
from prism_core.identifiers.date_surrogates import SHIFTS, random_date, read_date
from prism_core.identifiers.lists import DenyList
from prism_core.identifiers.scopes import KeyedRandom, Scope
from prism_core.identifiers.surrogates import SurrogateRules
from prism_core.language import LanguageModel
from prism_core.mechanisms import make_mechanism
from prism_core.record import Encoded
from prism_core.settings import MechanismSettings
from tests.examples import examples
from tests.words import ENGLISH, calendar_words
from tests.words import MONTHS as SMALL
from tests.words import SPANISH_MONTHS as SPANISH

MONTHS = [month.title() for month in SMALL]
dates = st.dates(date(1950, 1, 1), date(2060, 12, 31))
secrets = st.binary(min_size=32, max_size=32)


def shifting() -> Encoder:
    words = calendar_words()
    mechanism = make_mechanism(MechanismSettings.choose(minimum_pool=5), words)
    return make_encoder(words, mechanism, surrogates=SurrogateRules(shifts_dates=True))


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.load("en", lemmas=False)


def sent(model: LanguageModel, text: str, secret: bytes, encoder: Encoder) -> Encoded:
    (sentence,) = model.sentences(text)
    return encoder.encode(sentence, DenyList(), Random(1), Scope(dates=secret))


def worded(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1]} {day.year}"


def american(day: date) -> str:
    return f"{MONTHS[day.month - 1]} {day.day}, {day.year}"


FORMS = {
    "words": worded,
    "American words": american,
    "ISO": date.isoformat,
    "strokes": "{0.day:02d}/{0.month:02d}/{0.year}".format,
    "full stops": "{0.day}.{0.month}.{0.year}".format,
}


@given(dates, secrets)
@settings(max_examples=examples(40), deadline=None)
def test_all_forms_of_a_day_are_moved_alike(model, day, secret) -> None:
    day = day.replace(day=min(max(day.day, 13), 28), month=day.month % 9 + 1)
    forms = [form(day) for form in FORMS.values()]
    encoded = sent(model, f"It was of {forms[0]} or {' or '.join(forms[1:])}.", secret, shifting())
    assert not encoded.withheld
    (weeks,) = {weeks for weeks in SHIFTS if worded(day + timedelta(weeks=weeks)) in encoded.text}
    moved = day + timedelta(weeks=weeks)
    assert encoded.text == f"It was of {' or '.join(form(moved) for form in FORMS.values())}."


@given(dates, st.integers(1, 4000), secrets)
@settings(max_examples=examples(40), deadline=None)
def test_order_distance_and_weekday_stay(model, day, distance, secret) -> None:
    other = day + timedelta(days=distance)
    encoder = shifting()
    first, second = (
        sent(model, f"It was of {one.isoformat()}.", secret, encoder) for one in (day, other)
    )
    moved = [date.fromisoformat(one.text.split()[-1][:10]) for one in (first, second)]
    assert moved[1] - moved[0] == other - day
    assert moved[0].weekday() == day.weekday()


def test_a_weekday_stays_with_its_date(model) -> None:
    encoded = sent(model, "It was of Tuesday, 3 March 2020.", b"k" * 32, shifting())
    assert "Tuesday" in encoded.text
    assert "3 March 2020" not in encoded.text


def test_a_shift_may_be_any_number_of_weeks_none_and_whole_years_too() -> None:
    assert list(SHIFTS) == list(range(-521, 522))
    start = date(2001, 1, 15)
    months = Counter((start + timedelta(weeks=weeks)).month for weeks in SHIFTS)
    assert min(months.values()) > 0.9 * len(SHIFTS) / 12, "January as often as any other"


def test_a_shift_of_no_week_is_sent(model) -> None:
    """Which day never comes must not be told by what is withheld."""
    day, encoder = date(2020, 3, 14), shifting()
    secret = next(
        secret
        for secret in (number.to_bytes(32, "big") for number in range(50_000))
        if KeyedRandom(secret, b"shift").choice(SHIFTS) == 0
    )
    encoded = sent(model, f"It was of {worded(day)} or {day.isoformat()}.", secret, encoder)
    assert encoded.text == f"It was of {worded(day)} or {day.isoformat()}."
    assert not encoder.remaining(encoded, DenyList())


@given(dates, secrets)
@settings(max_examples=examples(40), deadline=None)
def test_shifted_dates_decode_to_their_own(model, day, secret) -> None:
    encoder = shifting()
    text = f"It was of {worded(day)} or {day.isoformat()} or in {MONTHS[day.month - 1]} {day.year}."
    encoded = sent(model, text, secret, encoder)
    answer = encoded.text
    for english, spanish in zip(MONTHS, SPANISH, strict=True):
        answer = answer.replace(english, spanish)
    decoded = encoder.decode(encoded, answer)
    wanted = text.replace(MONTHS[day.month - 1], SPANISH[day.month - 1])
    assert (decoded.text, decoded.unrestored) == (wanted, 0)


@given(dates, st.sampled_from(sorted(FORMS)), st.integers(0, 2**32))
def test_a_date_drawn_by_chance_is_one_of_the_calendar_in_the_same_form(day, form, seed) -> None:
    written = FORMS[form](day)
    if read_date(written, ENGLISH.dates) is not None:
        drawn = random_date(written, Random(seed), ENGLISH.dates)
        assert drawn is None or read_date(drawn, ENGLISH.dates) is not None
        assert drawn is None or len(drawn) == len(written)


@pytest.mark.parametrize("text", ["31.02.2020", "2020-13-40", "12/2020x", "99/99/99", "1234"])
def test_what_is_no_day_is_not_read_as_one(text) -> None:
    assert read_date(text, ENGLISH.dates) is None
