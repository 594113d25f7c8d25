"""What ``prism gate train`` refuses before it sends or learns anything."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from prism_core.errors import ConfigurationError, PrismError
from prism_core.evaluation import read_bundles
from prism_core.evaluation.jobs.train_gate import Lesson, mend_gate, train_gate
from prism_core.jobs import translate
from prism_core.recovery import RecoveryModel, load_recovery_model
from prism_core.settings import GateSettings, Settings, TranslatorSettings
from tests.provider_server import KEY
from tests.recovery.invented import table
from tests.stages.archive import make_job, write_archive

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
    RecoveryModel("en-es").with_table("fake", table()).write(tmp_path / "gate.json")
    settings = Settings(translator=TranslatorSettings.choose(name="fake"))
    with pytest.raises(ConfigurationError, match="no report"):
        mend_gate(settings, [tmp_path], tmp_path / "gate.json", tmp_path / "new.json")


def test_too_few_documents_teach_nothing(tmp_path) -> None:
    settings = Settings(translator=TranslatorSettings.choose(name="fake"))
    with pytest.raises(ConfigurationError, match="20 documents at least"):
        train_gate(settings, [files(tmp_path)], tmp_path / "gate.json")
    assert not (tmp_path / "gate.json").exists()


def finished_run(folder: Path) -> Path:
    """The output folder of a run with the fake translator, whose gate was on."""
    write_archive(folder / "in")
    RecoveryModel("en-es").with_table("fake", table()).write(folder / "gate.json")
    gate = GateSettings(minimum_restored=0.1, model=folder / "gate.json")
    fake = TranslatorSettings.choose(name="fake", style="reverse")
    job = make_job(folder, translator=fake, gate=gate)
    translate(job)
    return job.output


def test_runs_of_another_pair_or_translator_teach_nothing(tmp_path) -> None:
    out, model = finished_run(tmp_path), tmp_path / "gate.json"
    fake = TranslatorSettings.choose(name="fake")
    assert mend_gate(Settings(translator=fake), [out], model, tmp_path / "new.json")
    load_recovery_model(model, "en-es").with_table("apertium", table()).write(model)
    for told in (
        Settings(translator=TranslatorSettings.choose(name="apertium")),
        Settings(translator=fake, target="fr"),
    ):
        known = tmp_path / f"{told.target}.json"
        learned = load_recovery_model(model, "en-es")
        RecoveryModel(f"en-{told.target}", learned.tables).write(known)
        with pytest.raises(ConfigurationError, match="nothing of another"):
            mend_gate(told, [out], known, tmp_path / "other.json")
    assert not (tmp_path / "other.json").exists()


def test_reports_of_another_version_are_refused(tmp_path) -> None:
    out, model = finished_run(tmp_path), tmp_path / "gate.json"
    for file in (out / "prism-report").rglob("run.parquet"):
        stored = pq.read_table(file)
        other = {**stored.schema.metadata, b"prism.schema_version": b"1"}
        pq.write_table(stored.replace_schema_metadata(other), file)
    settings = Settings(translator=TranslatorSettings.choose(name="fake"))
    with pytest.raises(PrismError, match="use the PRISM that wrote it"):
        mend_gate(settings, [out], model, tmp_path / "new.json")
