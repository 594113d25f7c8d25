"""Clocks, months and weekdays of source languages that write them in small letters."""

import pytest

from prism_core.dictionary import load_dictionary
from prism_core.identifiers.spans import SpanFinder
from prism_core.languages import load_language
from prism_core.resources import shipped_dictionary


@pytest.mark.parametrize(
    ("language", "clock", "duration"),
    [("es", "a las 17 h", "durante 24 horas"), ("fr", "à 14 h 30", "pendant 24 heures")],
)
def test_hours_in_a_word_are_translated_and_those_of_a_clock_are_not(
    language: str, clock: str, duration: str
) -> None:
    spans = SpanFinder(load_language(language))
    assert [span.label for span in spans.find(clock)] == ["CLOCK"]
    assert "CLOCK" not in {span.label for span in spans.find(duration)}


@pytest.mark.parametrize(
    ("pair", "translator"), [("es-en", "apertium"), ("es-en", "google"), ("fr-en", "google")]
)
def test_every_month_and_weekday_has_a_translation(pair: str, translator: str) -> None:
    source, _, target = pair.partition("-")
    shipped = load_dictionary(shipped_dictionary(source, target), translator)
    dates = shipped.language.dates
    for tag, words in (("MONTH", dates.months), ("WEEKDAY", dates.weekdays)):
        assert [word for word in words if shipped.find(word, tag) is None] == []
