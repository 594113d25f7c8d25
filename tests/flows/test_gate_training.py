"""What ``prism gate train`` refuses before it sends or learns anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.errors import ConfigurationError
from prism_core.evaluation import read_bundles
from prism_core.jobs.gate_training import Lesson, mend_gate, train_gate
from prism_core.prospects import GateModel
from prism_core.settings import Settings, TranslatorSettings
from tests.prospects.invented import table
from tests.provider_server import KEY

LINES = "The doctor opened the window.\n" * 12


def files(folder: Path, target: str = LINES) -> Lesson:
    source, reference = folder / "news.en", folder / "news.es"
    source.write_text(LINES)
    reference.write_text(target)
    return Lesson(source, reference)


def test_text_is_never_sent_in_clear_to_a_translator_elsewhere(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("DEEPL_AUTH_KEY", KEY)
    settings = Settings(translator=TranslatorSettings.choose(name="deepl"))
    with pytest.raises(ConfigurationError, match="not on this machine"):
        train_gate(settings, [files(tmp_path)], tmp_path / "gate.json")
    assert not (tmp_path / "gate.json").exists()


def test_too_little_text_teaches_nothing(tmp_path) -> None:
    settings = Settings(translator=TranslatorSettings.choose(name="fake"))
    with pytest.raises(ConfigurationError, match="give --text"):
        train_gate(settings, [], tmp_path / "gate.json")


def test_files_must_agree_line_by_line(tmp_path) -> None:
    lesson = files(tmp_path, "El médico.\n")
    with pytest.raises(ConfigurationError, match="as many lines"):
        read_bundles(lesson.source, lesson.reference)


def test_every_line_is_in_one_document(tmp_path) -> None:
    lesson = files(tmp_path)
    bundles = read_bundles(lesson.source, lesson.reference, most=12)
    assert 5 <= sum(len(one.lines) for one in bundles) <= 12
    assert len({one.name for one in bundles}) == len(bundles)


@pytest.mark.parametrize(("said", "answered"), [("a", False), ("a:b", True), ("a:b:c", False)])
def test_a_lesson_names_as_many_files_as_it_needs(said: str, answered: bool) -> None:
    with pytest.raises(ConfigurationError, match="SOURCE:"):
        Lesson.parse(said, answered=answered)


def test_a_folder_without_a_report_teaches_nothing(tmp_path) -> None:
    GateModel("en-es").with_table("fake", table()).write(tmp_path / "gate.json")
    settings = Settings(translator=TranslatorSettings.choose(name="fake"))
    with pytest.raises(ConfigurationError, match="no report"):
        mend_gate(settings, [tmp_path], tmp_path / "gate.json", tmp_path / "new.json")
