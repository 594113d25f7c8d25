"""``prism evaluate roles``: rows for a program, a table for a person."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prism_core.errors import ExitCode
from tests.flows.conftest import Prism

LINES = ("The doctor opened the window.", "A farmer closed the garden.", "The bridge is old.")
PERSON = ("El médico abrió la ventana.", "Un granjero cerró el jardín.", "El puente es viejo.")
ANSWERS = ("El doctor abrió la ventana.", "Un granjero cerró el jardín.", "El puente es viejo.")


@pytest.fixture
def files(tmp_path: Path) -> list[object]:
    source, answers = tmp_path / "news.en", tmp_path / "news.own.es"
    source.write_text("\n".join(LINES))
    answers.write_text("\n".join(ANSWERS))
    given = ("--source", source, "--answers", answers, "--pair", "en-es", "--translator", "own")
    return list(given)


def test_a_row_for_each_threshold_is_printed_as_json(prism: Prism, files: list[object]) -> None:
    ended = prism("evaluate", "roles", *files, "--tau", 0.2, "--tau", 0.9, "--json")
    assert ended.code == ExitCode.OK, ended
    low, high = json.loads(ended.out)
    assert (low["tau"], high["tau"]) == (0.2, 0.9)
    assert (low["corpus"], low["answers"]) == ("news", "news.own.es")
    assert low["words_found"] > 0.7
    assert low["precision_sample"] is None


def test_no_word_of_the_text_is_printed_unless_it_is_public(
    prism: Prism, files: list[object]
) -> None:
    ended = prism("evaluate", "roles", *files)
    assert ended.code == ExitCode.OK, ended
    assert "words found" in ended.out
    assert not any(word in ended.out for word in ("doctor", "bridge", "puente"))
    ended = prism("evaluate", "roles", *files, "--sample", 5)
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert "not known to be public" in ended.err


def test_another_text_is_what_a_run_is_expected_for(
    prism: Prism, files: list[object], tmp_path: Path
) -> None:
    own = tmp_path / "own.txt"
    own.write_text("of the\n")
    ended = prism("evaluate", "roles", *files, "--expected-for", own, "--json")
    assert ended.code == ExitCode.OK, ended
    assert json.loads(ended.out)[0]["expected_first_send"] == 1


def test_a_pair_is_two_languages(prism: Prism, files: list[object]) -> None:
    files[5] = "spanish"
    ended = prism("evaluate", "roles", *files)
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert "en-es" in ended.err


@pytest.mark.usefixtures("trust_translators_here")
def test_words_are_swapped_whatever_the_translator_of_the_settings_sees(
    prism: Prism, files: list[object]
) -> None:
    ended = prism("evaluate", "roles", *files, "--json")
    assert ended.code == ExitCode.OK, ended
    assert json.loads(ended.out)[0]["words_found"] > 0.7


def test_a_person_judges_what_a_run_would_make_of_the_answers(
    prism: Prism, files: list[object], tmp_path: Path
) -> None:
    person = tmp_path / "news.es"
    person.write_text("\n".join(PERSON))
    ended = prism("evaluate", "roles", *files, "--reference", person, "--json")
    assert ended.code == ExitCode.OK, ended
    found = json.loads(ended.out)[0]["reference"]
    assert found["all"]["lines"] == 3
    assert set(found["restored"]["scores"]) == {"remote", "prism"}
    assert found["restored"]["scores"]["prism"]["chrf"]["value"] > 50
    ended = prism("evaluate", "roles", *files, "--local")
    assert ended.code == ExitCode.BAD_CONFIGURATION
    assert "--reference" in ended.err


def test_without_a_dictionary_the_translations_in_clear_are_compared(
    prism: Prism, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PRISM_DICTIONARY__PATH", str(tmp_path / "none.parquet"))
    texts = {"n.en": LINES, "n.x.pt": ("O doutor abriu a janela.", "Um homem.", "É velha.")}
    texts["n.pt"] = (
        "O médico abriu a janela.",
        "Um agricultor fechou o jardim.",
        "A ponte é velha.",
    )
    for name, lines in texts.items():
        (tmp_path / name).write_text("\n".join(lines))
    given = ["--source", tmp_path / "n.en", "--answers", tmp_path / "n.x.pt", "--translator", "x"]
    given += ["--pair", "en-pt", "--reference", tmp_path / "n.pt", "--local"]
    ended = prism("evaluate", "roles", *given)
    assert ended.code == ExitCode.OK, ended
    assert "remote − local" in ended.out
    assert "tok:13a" in ended.out
    assert "No dictionary for en-pt" in ended.out
    assert not any(word in ended.out for word in ("doctor", "médico"))
