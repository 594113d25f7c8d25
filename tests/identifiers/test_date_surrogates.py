"""Dates drawn by chance: days of the calendar in the same form."""

from __future__ import annotations

from datetime import date
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.identifiers.date_surrogates import random_date, read_date

FORMS = {
    "ISO": "{0:%Y-%m-%d}",
    "run together": "{0:%Y%m%d}",
    "strokes": "{0:%d/%m/%Y}",
    "stops": "{0.day}. {0.month}. {0.year}",
    "short year": "{0:%d.%m.%y}",
    "month and year": "{0:%m/%Y}",
}


@given(
    st.dates(date(1950, 1, 1), date(2060, 12, 31)),
    st.sampled_from(sorted(FORMS)),
    st.integers(0, 2**32),
)
def test_a_date_drawn_by_chance_is_one_of_the_calendar_in_the_same_form(day, form, seed) -> None:
    written = FORMS[form].format(day)
    fields = read_date(written)
    drawn = random_date(written, Random(seed))
    assert fields is not None
    assert drawn is not None
    assert read_date(drawn) is not None
    assert [c for c in drawn if not c.isdigit()] == [c for c in written if not c.isdigit()]
    assert len(drawn) == len(written)


@pytest.mark.parametrize("text", ["31.02.2020", "2020-13-40", "12/2020x", "99/99/99", "1234"])
def test_what_is_no_day_is_not_read_as_one(text) -> None:
    assert read_date(text) is None
