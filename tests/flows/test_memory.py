"""Sentences that the user's own translation memory holds, through a whole run."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from html import escape, unescape
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from prism_core.errors import ConfigurationError, QuotaExhausted
from prism_core.jobs import translate
from prism_core.settings import Job, MechanismSettings, new_run_id
from prism_core.settings.sections import IdentifierSettings
from tests.stages.archive import (
    DISTINCT,
    TEXTS,
    Backwards,
    backwards,
    install,
    make_job,
    outputs,
    rehearse,
    texts_received,
    write_archive,
)

SENTENCE = "The quiet farmer cleaned the table."
HELD = "El granjero tranquilo limpió la mesa."
OTHER = "The gentle teacher watched the river."

pytestmark = pytest.mark.usefixtures("log")


def tmx(path: Path, pairs: Iterable[tuple[str, str]], source: str = "en-US") -> Path:
    units = "".join(
        f'<tu><tuv xml:lang="{source}"><seg>{escape(one)}</seg></tuv>'
        f'<tuv xml:lang="es"><seg>{escape(other)}</seg></tuv></tu>\n'
        for one, other in pairs
    )
    text = f'<?xml version="1.0"?><tmx version="1.4"><header/><body>{units}</body></tmx>'
    path.write_text(text, encoding="utf-8")
    return path


def job_with(folder: Path, *files: Path, texts: dict[str, str] = TEXTS, **more: object) -> Job:
    write_archive(folder / "in", texts)
    return make_job(folder, memory={"files": files}, **more)


def again(job: Job, *files: Path) -> Job:
    memory = job.settings.memory.model_copy(update={"files": files})
    settings = job.settings.model_copy(update={"memory": memory})
    return job.model_copy(update={"run_id": new_run_id(), "settings": settings})


def notes(job: Job) -> str:
    """The translation of ``notes.txt``, lines joined: plain text is wrapped anew."""
    return " ".join(outputs(job)["notes.txt"].decode().split())


def row(job: Job, table: str, **wanted: object) -> dict[str, object]:
    file = job.report_folder / f"run={job.run_id}" / f"{table}.parquet"
    rows = pq.ParquetFile(file).read().to_pylist()
    (found,) = (one for one in rows if wanted.items() <= one.items())
    return found


def test_what_a_memory_holds_is_translated_from_it_and_never_sent(
    tmp_path: Path, log: Path
) -> None:
    job = job_with(tmp_path, tmx(tmp_path / "a.tmx", [(SENTENCE, HELD), ("Not there.", "No.")]))
    summary = translate(job)
    assert notes(job).startswith(f"{HELD} {backwards(OTHER)}")
    assert len(texts_received(log)) == DISTINCT - 1
    assert (summary.sentences_translated, summary.sentences_from_memory) == (DISTINCT, 1)
    assert summary.documents_partly == 0
    of_run, of_sentence = row(job, "run"), row(job, "sentences", from_memory=1)
    assert of_run["sentences_from_memory"] == 1
    assert (of_sentence["outcome"], of_sentence["reason"]) == ("translated", "")
    assert (of_sentence["sends"], of_sentence["tokens"]) == (0, 0)


@pytest.mark.parametrize(
    "mechanism", [name for name, kind in MechanismSettings.kinds() if not kind.bounds_epsilon]
)
def test_it_is_so_under_every_mechanism_that_bounds_no_epsilon(
    tmp_path: Path, log: Path, mechanism: str
) -> None:
    memory = tmx(tmp_path / "a.tmx", [(SENTENCE, HELD)])
    texts = {"notes.txt": f"{SENTENCE}\n"}
    job = job_with(
        tmp_path,
        memory,
        texts=texts,
        mechanism=MechanismSettings.choose(name=mechanism, minimum_pool=2),
    )
    translate(job)
    assert notes(job) == HELD
    assert texts_received(log) == []


@pytest.mark.parametrize(
    ("written", "held"),
    [
        ("The quiet farmer cleaned\u00a0the\u2009table.", SENTENCE),
        (SENTENCE, " The quiet\n farmer\tcleaned the table. "),
        ("The caf\u00e9 opened.", unicodedata.normalize("NFD", "The caf\u00e9 opened.")),
    ],
)
def test_white_space_and_composition_of_letters_make_no_difference(
    tmp_path: Path, log: Path, written: str, held: str
) -> None:
    job = job_with(
        tmp_path, tmx(tmp_path / "a.tmx", [(held, HELD)]), texts={"notes.txt": written + "\n"}
    )
    translate(job)
    assert notes(job) == HELD
    assert texts_received(log) == []


@pytest.mark.parametrize(
    "held", [SENTENCE.lower(), SENTENCE[:-1], SENTENCE.replace("table", "tables")]
)
def test_what_is_only_similar_is_no_match(tmp_path: Path, log: Path, held: str) -> None:
    job = job_with(tmp_path, tmx(tmp_path / "a.tmx", [(held, HELD)]))
    assert translate(job).sentences_from_memory == 0
    assert len(texts_received(log)) == DISTINCT


def test_of_translations_that_contradict_each_other_the_last_one_counts(tmp_path: Path) -> None:
    first = tmx(tmp_path / "a.tmx", [(SENTENCE, "Uno."), (SENTENCE, "Dos.")])
    columns = tmp_path / "b.tsv"
    columns.write_text(f"{OTHER}\tTres.\n{SENTENCE}\tCuatro.\n", encoding="utf-8")
    job = job_with(tmp_path, first, columns)
    translate(job)
    assert notes(job).startswith("Cuatro. Tres.")
    translate(again(job, columns, first))
    assert notes(job).startswith("Dos. Tres.")


def test_a_translation_whose_placeholder_is_not_known_is_not_used(
    tmp_path: Path, log: Path
) -> None:
    memory = tmx(tmp_path / "a.tmx", [(SENTENCE, HELD), (OTHER, "Otra.")])
    text = memory.read_text().replace("limpió", '<ph x="1">[1]</ph>limpió')
    memory.write_text(text.replace("Otra", '<bpt i="1">&lt;b&gt;</bpt>Otra<ept i="1">x</ept>'))
    job = job_with(tmp_path, memory)
    translate(job)
    assert notes(job).startswith(f"{backwards(SENTENCE)} Otra.")


def test_a_changed_memory_changes_the_documents_and_a_lost_one_has_them_translated(
    tmp_path: Path, log: Path
) -> None:
    memory = tmx(tmp_path / "a.tmx", [(SENTENCE, HELD)])
    job = job_with(tmp_path, memory)
    translate(job)
    unchanged = translate(again(job, memory))
    assert (unchanged.documents_unchanged, unchanged.documents) == (3, 3)
    tmx(memory, [(SENTENCE, "Corregido.")])
    assert translate(again(job, memory)).documents_written == 3
    assert notes(job).startswith("Corregido. ")
    assert len(texts_received(log)) == DISTINCT - 1
    assert translate(again(job)).sentences_from_memory == 0
    assert notes(job).startswith(backwards(SENTENCE))
    assert len(texts_received(log)) == DISTINCT


def test_an_answer_that_is_stored_stays(tmp_path: Path, log: Path) -> None:
    job = job_with(tmp_path)
    translate(job)
    second = translate(again(job, tmx(tmp_path / "a.tmx", [(SENTENCE, HELD)])))
    assert (second.documents_written, second.sentences_from_memory) == (3, 0)
    assert notes(job).startswith(backwards(SENTENCE))
    assert len(texts_received(log)) == DISTINCT


def test_what_was_withheld_can_be_given_by_a_memory_and_is_withheld_again_without(
    tmp_path: Path, log: Path
) -> None:
    never = tmp_path / "never.txt"
    never.write_text("farmer cleaned\nfarmer\n", encoding="utf-8")
    job = job_with(
        tmp_path,
        texts={"notes.txt": f"{SENTENCE}\n"},
        identifiers=IdentifierSettings(never_send_file=never),
        mechanism=MechanismSettings.choose(name="prism-r", replace_probability=0.001),
    )
    assert translate(job).sentences_withheld == 1
    epsilon = row(job, "sentences")["epsilon"]
    assert epsilon
    with_memory = again(job, tmx(tmp_path / "a.tmx", [(SENTENCE, HELD)]))
    assert translate(with_memory).sentences_from_memory == 1
    assert notes(job) == HELD
    assert row(with_memory, "sentences")["epsilon"] == epsilon, "that it is missing was a draw"
    assert translate(again(job)).sentences_withheld == 1
    assert notes(job) == SENTENCE
    assert texts_received(log) == []


def test_what_was_sent_in_vain_is_not_sent_again_and_still_counts_as_sent(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def exhausted(_number: int) -> None:
        raise QuotaExhausted("over")

    install(Backwards(log, before=exhausted))
    job = job_with(tmp_path, texts={"notes.txt": f"{SENTENCE}\n"})
    with pytest.raises(QuotaExhausted):
        translate(job)
    (first,) = texts_received(log)
    install(Backwards(log))
    with_memory = again(job, tmx(tmp_path / "a.tmx", [(SENTENCE, HELD)]))
    translate(with_memory)
    assert notes(job) == HELD
    assert row(with_memory, "sentences", from_memory=1)["sends"] == 1
    assert texts_received(log) == [first]
    translate(again(job))
    assert texts_received(log) == [first, first], "repeat protection: the same encoding"


def test_a_rehearsal_counts_what_a_memory_would_save(tmp_path: Path, log: Path) -> None:
    planned = rehearse(job_with(tmp_path, tmx(tmp_path / "a.tmx", [(SENTENCE, HELD)])))
    assert (planned.rows[0].expected.texts, planned.summary.sentences_from_memory) == (
        DISTINCT - 1,
        1,
    )
    assert texts_received(log) == []


def test_what_would_turn_a_text_round_is_left_out_of_its_translation(tmp_path: Path) -> None:
    turned = "El granjero \u202etranquilo\u202c limpió\u0000la \u2067mesa\u2069."
    columns = tmp_path / "a.tsv"
    columns.write_text(f"{SENTENCE}\t{turned}\n", encoding="utf-8")
    job = job_with(tmp_path, columns)
    translate(job)
    assert HELD in notes(job)


@pytest.mark.parametrize(
    ("name", "content", "why"),
    [
        ("a.tmx", "<tmx><body>", "well-formed"),
        ("a.tmx", "<tmx><body/></tmx>", "no translation from en to es"),
        ("a.tsv", "no tab\n", "no translation from en to es"),
        ("a.tsv", None, "cannot be read"),
    ],
)
def test_a_file_that_is_no_memory_ends_the_run_before_anything_is_read(
    tmp_path: Path, log: Path, name: str, content: str | None, why: str
) -> None:
    if content is not None:
        (tmp_path / name).write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError, match=why):
        translate(job_with(tmp_path, tmp_path / name))
    assert texts_received(log) == []


def test_formatting_within_a_sentence_stays_about_its_words(tmp_path: Path, log: Path) -> None:
    page = f"<html><body><p>{SENTENCE.replace('quiet', '<b>quiet</b>')}</p></body></html>"
    job = job_with(tmp_path, tmx(tmp_path / "a.tmx", [(SENTENCE, HELD)]), texts={"page.html": page})
    translate(job)
    written = unescape(outputs(job)["page.html"].decode())
    assert " ".join(re.sub(r"<[^>]*>", "", written).split()) == HELD
    assert "<b>" in written
    assert texts_received(log) == []


@pytest.mark.parametrize("withdrawn", [True, False])
def test_a_run_that_is_stopped_goes_on_with_what_a_memory_gave(
    tmp_path: Path, log: Path, monkeypatch: pytest.MonkeyPatch, *, withdrawn: bool
) -> None:
    def exhausted(_number: int) -> None:
        raise QuotaExhausted("over")

    install(Backwards(log, before=exhausted))
    memory = tmx(tmp_path / "a.tmx", [(SENTENCE, HELD)])
    job = job_with(tmp_path, memory)
    with pytest.raises(QuotaExhausted):
        translate(job)
    install(Backwards(log))
    summary = translate(again(job) if withdrawn else again(job, memory))
    assert summary.sentences_from_memory == (0 if withdrawn else 1)
    assert notes(job).startswith(backwards(SENTENCE) if withdrawn else HELD)
