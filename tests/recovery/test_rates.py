"""How often substitutes are expected back: as measured, else by confidence."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.dictionary import (
    Dictionary,
    Entry,
    Form,
    load_dictionary,
    read_dictionary,
    save_dictionary,
)
from prism_core.errors import ConfigurationError
from prism_core.record import Kind, Replacement, Surface
from prism_core.recovery import (
    MEASURED,
    MeasuredRates,
    Rate,
    RecoveryRates,
    WordGroups,
    read_rates,
    write_rates,
)
from tests.words import dictionary, entry, names

SURE, UNSURE = ("word", "6", "agree"), ("word", "1", "agree")


def row(word: str, translator: str, confidence: float, form: str = "") -> Entry:
    return Entry(word, "NN", [Form(form or f"{word}o", 1.0)], "g", confidence, 1, translator)


def replaced(substitute: str, kind: Kind = Kind.WORD, tag: str = "NN") -> Replacement:
    return Replacement(0, 1, "hidden", substitute, kind, tag)


def rates(
    translator: str, *entries: Entry, measured: dict[tuple[str, ...], Rate] | None = None
) -> RecoveryRates:
    stated = {} if measured is None else write_rates({"google": MeasuredRates(("news",), measured)})
    return RecoveryRates(Dictionary([*entries, *names()], stated, "", translator=translator))


def test_what_was_measured_of_the_translator_counts_by_how_sure_a_word_is() -> None:
    words = row("house", "google", 0.97), row("table", "google", 0.6)
    found = rates("google", *words, measured={SURE: Rate(0.96, 40), UNSURE: Rate(0.5, 10)})
    assert found.rate_of(replaced("house")) == 0.96
    assert found.rate_of(replaced("table")) == 0.5


def test_a_group_that_was_not_seen_has_the_mean_of_its_family() -> None:
    word = row("house", "google", 0.85)
    found = rates("google", word, measured={SURE: Rate(0.9, 30), UNSURE: Rate(0.6, 10)})
    assert found.rate_of(replaced("house")) == pytest.approx(0.825)


def test_what_was_measured_of_one_translator_is_not_taken_for_another() -> None:
    word = row("house", "google", 0.97)._replace(sureness=0.0)
    measured = {SURE: Rate(0.1, 40)}
    assert rates("google", word, measured=measured).rate_of(replaced("house")) == 0.1
    assert rates("deepl", word, measured=measured).rate_of(replaced("house")) == 0.6


def test_without_a_measure_surer_words_are_expected_more() -> None:
    words = [row(f"word{step}", "google", step / 10) for step in range(11)]
    found = [rates("deepl", *words).rate_of(replaced(word.word)) for word in words]
    assert found == sorted(found)
    assert found[0] == pytest.approx(0.6)
    assert found[-1] == pytest.approx(0.98)


def test_own_words_of_a_translator_by_rule_come_back_however_unsure() -> None:
    own, strange = row("house", "apertium", 0.2), row("table", "google", 0.2)
    found = rates("apertium", own, strange._replace(sureness=0.0))
    assert found.rate_of(replaced("house")) > 0.97
    assert found.rate_of(replaced("table")) == 0.6


def test_words_of_nobody_in_particular_are_the_translators_own() -> None:
    nobody = row("house", "", 1.0)._replace(sureness=0.0)
    assert rates("openai", nobody).rate_of(replaced("house")) == pytest.approx(0.98)


def test_the_fake_translator_writes_what_is_looked_for() -> None:
    word = row("house", "apertium", 0.2)._replace(sureness=0.0)
    found = rates("fake", word, measured={SURE: Rate(0.1, 40)})
    assert found.rate_of(replaced("house")) == found.rate_of(replaced("17", Kind.NUMBER, "")) == 1


@pytest.mark.parametrize(
    ("drawn", "group"),
    [
        (replaced("Denver", Kind.NAME, "PERSON"), ("name", "PLACE")),
        (replaced("Nora Quinn", Kind.NAME, "PERSON"), ("name", "SURNAME")),
        (replaced("Q", Kind.NAME, "PERSON"), None),
        (replaced("17", Kind.NUMBER, "CARDINAL"), ("shape", "number")),
        (replaced("19th", Kind.NUMBER, "CARDINAL"), ("shape", "number")),
        (replaced("18:35", Kind.CODE, "CLOCK"), ("shape", "number")),
        (replaced("TFKWB-59", Kind.CODE, "CODE"), ("shape", "code")),
        (replaced("5392z", Kind.CODE, "CODE"), ("shape", "code")),
        (replaced("1980s", Kind.CODE, "CODE"), None),
        (replaced("6 p.m.", Kind.CODE, "CLOCK"), None),
        (replaced("gizmo", Kind.UNKNOWN, "LEFT-NN"), ("left alone",)),
        (replaced("nowhere"), None),
    ],
)
def test_names_numbers_and_stand_ins_are_groups_of_their_own(
    drawn: Replacement, group: tuple[str, ...] | None
) -> None:
    assert WordGroups(dictionary(entry("gizmo", "LEFT-NN", ["gizmo"]))).group_of(drawn) == group


def test_a_word_sent_as_a_surface_counts_as_its_surest_sense() -> None:
    drawn = replaced("house")._replace(surface=Surface())
    assert WordGroups(dictionary(row("house", "google", 0.97))).group_of(drawn) == SURE


def test_neural_translators_that_differ_are_evidence_of_another_kind() -> None:
    google, microsoft = row("house", "google", 0.97), row("house", "microsoft", 0.97, "hogar")
    rules = row("house", "apertium", 0.3, "vivienda")
    both = dictionary(google._replace(others=(microsoft,)))
    assert WordGroups(both).group_of(replaced("house")) == ("word", "6", "differ")
    assert (
        WordGroups(dictionary(google._replace(others=(rules,)))).group_of(replaced("house")) == SURE
    )


def test_a_file_keeps_what_was_measured_and_gives_it_to_whoever_uses_that_translator(
    tmp_path: Path,
) -> None:
    path = tmp_path / "en-es.parquet"
    measured = {"microsoft": MeasuredRates(("news, 9 lines",), {SURE: Rate(0.25, 3)})}
    stated = {"source": "en", "target": "es", **write_rates(measured)}
    save_dictionary([row("house", "microsoft", 0.97)], stated, path)
    assert read_rates(read_dictionary(path).provenance) == measured
    for name in ("microsoft", "azure"):
        assert RecoveryRates(load_dictionary(path, name)).rate_of(replaced("house")) == 0.25
    assert RecoveryRates(load_dictionary(path, "google")).measured is None


@pytest.mark.parametrize("stated", ["[]", "no JSON", '{"google": {}}', '{"google": 3}'])
def test_rates_that_cannot_be_read_are_an_error_that_says_so(stated: str) -> None:
    with pytest.raises(ConfigurationError, match="measure it again"):
        read_rates({MEASURED: stated})


def test_a_calibrated_confidence_is_the_rate_that_is_expected() -> None:
    word = row("house", "google", 0.4)._replace(calibrated=0.93, sureness=0.93)
    assert rates("google", word).rate_of(replaced("house")) == 0.93
