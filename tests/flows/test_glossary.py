"""The user's own terms through a whole run: hidden as one, put out as the glossary says."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from prism_core.errors import ConfigurationError
from prism_core.jobs import translate
from prism_core.settings import Job, MechanismSettings
from prism_core.settings.sections import DictionarySettings
from tests.stages.archive import (
    DISTINCT,
    Backwards,
    again,
    backwards,
    install,
    make_job,
    outputs,
    texts_received,
    write_archive,
)

pytestmark = pytest.mark.usefixtures("log")

TERM = "quiet farmer"
SENTENCE = "The quiet farmer cleaned the table."


def glossary(folder: Path, rows: str) -> DictionarySettings:
    (folder / "terms.csv").write_text(f"source,target,kind\n{rows}\n", encoding="utf-8")
    return DictionarySettings(path=folder / "dictionary.parquet", glossary=folder / "terms.csv")


def job_with(folder: Path, rows: str, **more: object) -> Job:
    write_archive(folder / "in")
    return make_job(folder, dictionary=glossary(folder, rows), **more)


def notes(job: Job) -> str:
    return outputs(job)["notes.txt"].decode()


def terms_used(job: Job) -> int:
    table = pq.read_table(job.report_folder / f"run={job.run_id}" / "documents.parquet")
    return sum(table["glossary_terms"].to_pylist())


def test_a_term_of_several_words_is_hidden_as_one_and_put_out_as_the_glossary_says(
    tmp_path: Path, log: Path
) -> None:
    install(Backwards(log))
    job = job_with(tmp_path, f"{TERM},labrador sosegado,")
    translate(job)
    assert notes(job).startswith("The labrador sosegado denaelc eht elbat. ")
    sent = [text for text in texts_received(log) if len(text.split()) == 5]
    assert len(sent) == 3 + 1, "beside the three of five words one of six"
    assert terms_used(job) == 1


def test_nothing_of_the_glossary_is_kept_in_clear_outside_its_file(
    tmp_path: Path, log: Path
) -> None:
    install(Backwards(log))
    job = job_with(tmp_path, f"{TERM},labrador zosegado,\nunheard canary,labrador zosegado,")
    translate(job)
    kept = [path for path in tmp_path.rglob("*") if path.is_file() and path.name != "terms.csv"]
    for path in kept:
        content = path.read_bytes()
        assert b"unheard canary" not in content, path
        if path.name != "notes.txt":
            assert b"zosegado" not in content, path
    assert not any("canary" in text for text in texts_received(log))


def test_a_changed_term_is_translated_anew_and_nothing_else_is_sent(
    tmp_path: Path, log: Path
) -> None:
    install(Backwards(log))
    first = job_with(tmp_path, "old ladder,x,")
    translate(first)
    assert len(texts_received(log)) == DISTINCT
    changed = again(first, dictionary=glossary(tmp_path, f"{TERM},labrador,"))
    translate(changed)
    assert len(texts_received(log)) == DISTINCT + 1
    assert notes(changed).startswith("The labrador denaelc eht elbat.")
    assert outputs(changed)["letters/first.txt"] == outputs(first)["letters/first.txt"]
    third = again(changed, dictionary=glossary(tmp_path, f"{TERM},campesino,"))
    translate(third)
    assert len(texts_received(log)) == DISTINCT + 2
    assert notes(third).startswith("The campesino denaelc eht elbat.")
    translate(again(third))
    assert len(texts_received(log)) == DISTINCT + 2, "nothing changed"


def test_a_glossary_taken_out_gives_the_words_back_without_sending(
    tmp_path: Path, log: Path
) -> None:
    install(Backwards(log))
    write_archive(tmp_path / "in")
    plain = make_job(tmp_path)
    translate(plain)
    translate(again(plain, dictionary=glossary(tmp_path, f"{TERM},labrador,")))
    asked = len(texts_received(log))
    last = again(plain)
    translate(last)
    assert notes(last).startswith(backwards(SENTENCE))
    assert len(texts_received(log)) == asked


@pytest.mark.parametrize("mechanism", [{"name": "prism-r"}, {"name": "nested"}])
def test_a_glossary_that_a_mechanism_would_not_use_is_refused(tmp_path: Path, mechanism) -> None:
    with pytest.raises(ValueError, match=r"dictionary\.glossary is for prism-star, which"):
        job_with(tmp_path, f"{TERM},labrador,", mechanism=MechanismSettings.choose(**mechanism))


def test_a_glossary_with_a_bad_row_stops_the_run_before_anything_is_sent(
    tmp_path: Path, log: Path
) -> None:
    install(Backwards(log))
    with pytest.raises(ConfigurationError, match=r"terms\.csv.*row 3: it has no translation"):
        translate(job_with(tmp_path, f"{TERM},labrador,\nsecret,,"))
    assert texts_received(log) == []
