"""A run of which too little would come back is not begun unasked, and a plan says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.prefect_environment import enter_prefect
from prism_core.dictionary import read_dictionary
from prism_core.errors import ExitCode
from prism_core.recovery import MEASURED
from tests.flows.conftest import Archive, Prism, measured
from tests.openai_server import OpenAIServer

WORDS = ("doctor", "window", "farmer", "garden", "patient", "bridge")


def translate(archive: Archive, *more: object) -> list[object]:
    return ["translate", archive.input, archive.output, "--translator", "openai", *more]


def test_prefect_hears_that_losses_are_accepted_whoever_is_asked(tmp_path: Path) -> None:
    environment = {
        "HOME": str(tmp_path),
        "PRISM_TRANSLATOR__NAME": "deepl",
        "PRISM_TRANSLATOR__ACCEPT_LOSSES": "true",
    }
    flags = {"translator.name": "openai", "translator.accept_losses": None}
    enter_prefect(flags, None, environment)
    assert environment["PRISM_TRANSLATOR__NAME"] == "openai"
    assert environment["PRISM_TRANSLATOR__ACCEPT_LOSSES"] == "true"


def test_nothing_is_sent_when_less_than_half_would_come_back(
    prism: Prism, poor: Archive, openai_server: OpenAIServer
) -> None:
    ended = prism(*translate(poor))
    assert ended.code == ExitCode.BAD_CONFIGURATION, ended
    assert openai_server.received == []
    for said in ("with openai only", "no evidence of what openai writes", "--accept-losses"):
        assert said in " ".join(ended.err.split())
    assert not any(word in ended.out + ended.err for word in WORDS)


def test_what_is_expected_stops_nothing_where_epsilon_is_bounded(
    prism: Prism, poor: Archive, openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whether anything is sent would follow from the words of the archive."""
    monkeypatch.setenv("PRISM_MECHANISM__NAME", "prism-r")
    monkeypatch.setenv("PRISM_MECHANISM__REPLACE_PROBABILITY", "0.9")
    assert prism(*translate(poor, "--quiet")).code == ExitCode.OK
    assert openai_server.received


def test_losses_that_are_accepted_stop_nothing_and_the_same_command_goes_on(
    prism: Prism, poor: Archive, openai_server: OpenAIServer
) -> None:
    assert prism(*translate(poor)).code == ExitCode.BAD_CONFIGURATION
    ended = prism(*translate(poor, "--accept-losses", "--quiet"))
    assert ended.code == ExitCode.OK, ended
    assert openai_server.received
    assert poor.translated()


def test_the_settings_may_accept_losses_too(
    prism: Prism, poor: Archive, openai_server: OpenAIServer, monkeypatch
) -> None:
    monkeypatch.setenv("PRISM_TRANSLATOR__ACCEPT_LOSSES", "true")
    assert prism(*translate(poor, "--quiet")).code == ExitCode.OK
    assert openai_server.received


def test_a_run_that_has_nothing_left_to_send_is_not_stopped(
    prism: Prism, poor: Archive, openai_server: OpenAIServer
) -> None:
    assert prism(*translate(poor, "--accept-losses", "--quiet")).code == ExitCode.OK
    sent = len(openai_server.received)
    assert prism(*translate(poor, "--quiet")).code == ExitCode.OK
    assert len(openai_server.received) == sent


def test_a_dictionary_of_nobody_in_particular_is_taken_at_its_word(
    prism: Prism, archive: Archive, openai_server: OpenAIServer
) -> None:
    assert prism(*translate(archive, "--quiet")).code == ExitCode.OK


def test_a_plan_says_what_share_each_translator_is_expected_to_restore(
    prism: Prism, poor: Archive
) -> None:
    asked = ("--translator", "openai", "--translator", "deepl", "--translator", "fake")
    ended = prism("plan", poor.input, "--to", "es", *asked, "--json")
    assert ended.code == ExitCode.OK, ended
    openai, deepl, fake = json.loads(ended.out)["translators"]
    assert openai["expected_within_draws"] < 0.1 < 0.8 < deepl["expected_first_send"] < 1
    assert openai["expected_withheld"] == pytest.approx(1 - openai["expected_within_draws"])
    assert deepl["expected_first_send"] < deepl["expected_within_draws"] <= 1
    assert (fake["expected_first_send"], fake["expected_withheld"]) == (1, 0)
    assert any("--accept-losses" in remark for remark in openai["remarks"])
    assert any("decoding.redraws" in remark for remark in openai["remarks"])
    assert not any("decoding.redraws" in remark for remark in fake["remarks"])
    assert not any("--accept-losses" in remark for remark in deepl["remarks"])


def test_a_plan_for_a_person_has_the_shares_and_no_text(prism: Prism, poor: Archive) -> None:
    ended = prism("plan", poor.input, "--to", "es", "--translator", "openai")
    assert "restored at the first send" in ended.out
    assert "withheld" in ended.out
    assert not any(word in ended.out + ended.err for word in WORDS)


def test_inspect_without_a_word_says_what_may_be_drawn_and_what_comes_back(
    prism: Prism, small_dictionary: Path, tmp_path: Path
) -> None:
    path = measured(small_dictionary, tmp_path / "half.parquet", 0.5)
    asked = ("dictionary", "inspect", "--dictionary", path, "--translator")
    found = json.loads(prism(*asked, "openai", "--json").out)
    nouns = next(tag for tag in found["tags"] if tag["tag"] == "NN")
    assert nouns["drawn"] == nouns["hidden"] == 36
    assert nouns["rate"] == 0.5
    assert found["first_send"] == pytest.approx(0.5**9)
    assert found["corpora"] == ["news, 9 lines"]
    ended = prism(*asked, "deepl")
    assert "estimated from confidence" in " ".join(ended.out.split())
    assert "may be drawn" in ended.out


def test_measure_states_rates_in_the_file_and_leaves_its_entries(
    prism: Prism, small_dictionary: Path, tmp_path: Path
) -> None:
    source, answers = tmp_path / "news.en", tmp_path / "news.model.es"
    lines = [f"The {word} is near the garden." for word in WORDS]
    source.write_text("\n".join(lines) + "\n", "utf-8")
    answers.write_text("".join(f"{line} Nada.\n" for line in lines), "utf-8")
    written = tmp_path / "measured.parquet"
    parallel = ("--parallel", f"{source}:{answers}:openai")
    ended = prism("dictionary", "measure", small_dictionary, *parallel, "-o", written, "--json")
    assert ended.code == ExitCode.OK, ended
    (table,) = json.loads(ended.out)["measured"].values()
    assert table["corpora"] == ["news, 6 lines"]
    before, after = read_dictionary(small_dictionary), read_dictionary(written)
    assert after.entries == before.entries
    assert "openai" in after.provenance[MEASURED]
    assert not any(word in after.provenance[MEASURED] for word in WORDS)
    again = prism("dictionary", "measure", written, "--parallel", f"{source}:{answers}:deepl")
    assert again.code == ExitCode.OK, again
    assert json.loads(read_dictionary(written).provenance[MEASURED]).keys() == {"deepl", "openai"}


def test_a_merge_of_several_states_nothing_that_was_measured_of_one(
    prism: Prism, small_dictionary: Path, tmp_path: Path
) -> None:
    path = measured(small_dictionary, tmp_path / "half.parquet", 0.5)
    both, alone = tmp_path / "both.parquet", tmp_path / "alone.parquet"
    assert prism("dictionary", "merge", path, small_dictionary, "-o", both).code == ExitCode.OK
    assert prism("dictionary", "merge", path, "-o", alone).code == ExitCode.OK
    assert MEASURED not in read_dictionary(both).provenance
    assert MEASURED in read_dictionary(alone).provenance
