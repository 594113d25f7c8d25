"""The commands as a person types them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from prism_core.building.jobs.build_recipe import Method
from prism_core.dictionary import Entry, read_dictionary, save_dictionary
from prism_core.errors import ExitCode
from tests.flows.conftest import Archive
from tests.openai_server import Fault, OpenAIServer, sent_texts
from tests.words import entry, names, nouns

TEXT = "".join(f"The man saw the {noun} there .\nA {noun} fell .\n" for noun in ("house", "dog"))


@pytest.fixture
def place(archive: Archive, monkeypatch) -> Path:
    """The working folder, with public text in it."""
    folder = archive.input.parent
    monkeypatch.chdir(folder)
    (folder / "public.en").write_text(TEXT)
    return folder


def write(path: Path, *entries: Entry, **provenance: str) -> Path:
    signed = [
        e._replace(translator=e.translator or "apertium", built="2026-01-01") for e in entries
    ]
    save_dictionary(signed, {"source": "en", "target": "es", **provenance}, path)
    return path


@pytest.mark.parametrize("command", ["build", "extend", "inspect", "merge", "diff"])
def test_every_command_has_help(prism, command) -> None:
    ended = prism("dictionary", command, "--help")
    assert ended.code == ExitCode.OK
    assert f"prism dictionary {command}" in ended.out


def test_the_help_of_build_names_every_method(prism) -> None:
    shown = prism("dictionary", "build", "--help").out
    assert all(f"  {method} " in shown for method in Method)


def test_a_rehearsal_of_a_build_asks_nobody_and_leaves_nothing(prism, place, monkeypatch) -> None:
    before = sorted(place.iterdir())
    with OpenAIServer() as server:
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        monkeypatch.setenv("PRISM_TRANSLATOR__BASE_URL", server.base_url)
        arguments = ["dictionary", "build", "--text", "public.en", "--translator", "openai"]
        ended = prism(*arguments, "--dry-run")
        counts = json.loads(prism(*arguments, "--dry-run", "--json").out)
        assert server.received == []
    assert ended.code == ExitCode.OK
    assert "nothing was sent" in ended.out
    assert counts["words"] > 2
    assert counts["texts"] > 100
    assert counts["requests"] >= 1
    assert sorted(place.iterdir()) == before


def test_a_build_stops_before_it_costs_more_than_its_budget(prism, place, monkeypatch) -> None:
    arguments = ["dictionary", "build", "--text", "public.en", "--translator", "openai"]
    with OpenAIServer() as server:
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        monkeypatch.setenv("PRISM_TRANSLATOR__BASE_URL", server.base_url)
        monkeypatch.setenv("PRISM_TRANSLATOR__MAX_COST", "4000")
        ended = prism(*arguments)
        assert (ended.code, server.received) == (ExitCode.BAD_CONFIGURATION, [])
        monkeypatch.setenv("PRISM_TRANSLATOR__PRICE_PER_MILLION", "1000000")
        monkeypatch.setenv("PRISM_TRANSLATOR__PRICE_UNIT", "characters")
        monkeypatch.setenv("PRISM_TRANSLATOR__CHARACTERS_PER_REQUEST", "1500")
        assert prism(*arguments).code == ExitCode.BUDGET_REACHED
        assert 1_000 < sum(map(len, sent_texts(server))) <= 4_000
    assert not (place / "en-es.parquet").exists()


def test_a_build_that_the_quota_stops_ends_with_4_and_the_same_command_goes_on(
    prism, place, monkeypatch
) -> None:
    arguments = ["dictionary", "build", "--text", "public.en", "--translator", "openai", "--json"]
    with OpenAIServer(faults=[Fault.QUOTA]) as server:
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        monkeypatch.setenv("PRISM_TRANSLATOR__BASE_URL", server.base_url)
        ended = prism(*arguments)
        assert ended.code == ExitCode.QUOTA_EXHAUSTED
        assert "run the same command again" in ended.err
        assert not (place / "en-es.parquet").exists()
        done = prism(*arguments)
    assert done.code == ExitCode.OK
    summary = json.loads(done.out)
    assert summary["entries"] == sum(tag["entries"] for tag in summary["tags"])
    assert (place / "en-es.parquet").exists()
    assert not (place / "en-es.parquet.build").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["build"], "--text"),
        (["build", "--text", "nowhere.en"], "nowhere.en is not a file"),
        (["build", "--text", "public.en", "--method", "magic"], "choose packed"),
        (["build", "--text", "public.en", "--to", "xx"], "eng"),
        (["build", "--text", "binary.en", "--translator", "fake"], "UTF-8"),
        (["extend", "nowhere.parquet", "in", "--text", "public.en"], "no dictionary"),
        (["extend", "public.en", "in", "--text", "public.en"], "not a Parquet file"),
        (["extend", "d.parquet", "nowhere", "--text", "public.en"], "does not exist"),
        (["inspect", "house", "--dictionary", "public.en"], "not a Parquet file"),
        (["merge", "d.parquet", "nowhere.parquet", "-o", "out.parquet"], "no dictionary"),
        (["merge", "d.parquet", "fr.parquet", "-o", "out.parquet"], "one language pair"),
        (["merge", "d.parquet", "d.parquet", "-o", "fr.parquet"], "exists"),
        (["diff", "d.parquet", "public.en"], "not a Parquet file"),
    ],
)
def test_what_was_asked_wrongly_ends_with_2_and_one_message(prism, place, arguments, said) -> None:
    write(place / "d.parquet", entry("house"))
    save_dictionary([], {"source": "en", "target": "fr"}, place / "fr.parquet")
    (place / "binary.en").write_bytes(b"\xff\xfe\x00a")
    ended = prism("dictionary", *arguments)
    assert ended.code == ExitCode.BAD_CONFIGURATION, ended
    assert said in ended.err
    assert not (place / "out.parquet").exists()


def test_inspect_shows_forms_scores_class_pool_and_why(prism, place) -> None:
    write(
        place / "d.parquet", *nouns(30), entry("house", forms=["casa", "casas"], agreement="la _")
    )
    ended = prism("dictionary", "inspect", "house", "--dictionary", "d.parquet")
    assert ended.code == ExitCode.OK
    for shown in ("casa", "100.0", "la _", "0.95", "31 words", "threshold 0.2", "apertium"):
        assert shown in ended.out, shown
    found = json.loads(
        prism("dictionary", "inspect", "house", "--dictionary", "d.parquet", "--json").out
    )
    assert found["senses"][0]["replaced"] is True
    assert found["stored"][0]["translator"] == "apertium"


def test_inspect_of_an_unknown_word_gives_near_ones(prism, place) -> None:
    write(place / "d.parquet", entry("house"))
    ended = prism("dictionary", "inspect", "hoouse", "--dictionary", "d.parquet")
    assert ended.code == ExitCode.OK
    assert "near it: house" in ended.out


def test_an_entry_that_merging_drops_is_not_counted_as_written(prism, place) -> None:
    words = [entry(word, "JJ", forms=["feliz"]) for word in ("happy", "unhappy")]
    write(place / "a.parquet", *words)
    told = json.loads(prism("dictionary", "merge", "a.parquet", "-o", "b.parquet", "--json").out)
    assert [e.word for e in read_dictionary(place / "b.parquet").entries] == ["happy"]
    assert (told["read"], told["entries"]) == ([2], 1)


def test_dictionaries_are_merged_and_compared(prism, place) -> None:
    write(place / "a.parquet", entry("house"), entry("dog"), *names())
    write(place / "b.parquet", entry("house", forms=["hogar"]), entry("cat"))
    ended = prism("dictionary", "merge", "a.parquet", "b.parquet", "--output", "both.parquet")
    assert ended.code == ExitCode.OK
    merged = {e.word: e for e in read_dictionary(place / "both.parquet").entries}
    assert {"house", "dog", "cat"} <= merged.keys()
    assert merged["house"].forms[0].text == "hogar"

    counts = json.loads(prism("dictionary", "diff", "a.parquet", "both.parquet", "--json").out)
    assert (counts["added"], counts["removed"], counts["first_form"]) == (1, 0, 1)
    assert "words" not in counts
    shown = prism("dictionary", "diff", "a.parquet", "both.parquet", "--words").out
    assert "added: cat/NN" in shown
    assert "first form: house/NN" in shown


def test_an_extension_tells_how_many_words_and_not_which_and_sends_nothing_unasked(
    prism, place, archive: Archive, small_dictionary: Path, monkeypatch
) -> None:
    (archive.input / "more.txt").write_text("The stethoscope lay near the scalpel.\n")
    arguments = ["dictionary", "extend", small_dictionary, archive.input, "--text", "public.en"]
    with OpenAIServer() as server:
        monkeypatch.setenv("OPENAI_API_KEY", server.key)
        monkeypatch.setenv("PRISM_TRANSLATOR__BASE_URL", server.base_url)
        arguments += ["--translator", "openai"]
        counts = json.loads(prism(*arguments, "--dry-run", "--json").out)
        assert counts["to_be_asked_for"] >= 2
        monkeypatch.setattr(sys, "stdin", None)
        monkeypatch.setattr("typer.confirm", lambda *_, **__: False)
        declined = prism(*arguments)
        assert server.received == []
    assert declined.code == ExitCode.OK
    assert "to be asked for" in declined.err
    assert "The translator learns" in declined.err
    assert "stethoscope" not in declined.out + declined.err
    assert not list(place.glob("*.build"))
