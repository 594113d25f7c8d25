"""The whole run over a small archive: what it promises when all goes well, and when it does not."""

from __future__ import annotations

import base64
import resource
from dataclasses import replace
from pathlib import Path

import pytest

from prism_core import resources
from prism_core.errors import (
    ConfigurationError,
    ExitCode,
    QuotaExhausted,
    StoreInUse,
    Transient,
    WrongKey,
)
from prism_core.jobs import translate
from prism_core.report import ReportFolder
from prism_core.settings import Job, MechanismSettings, Settings
from prism_core.settings.sections import LimitSettings
from prism_core.stages import Run
from prism_core.stages.encoders import Encoders
from prism_core.state import StatePlace
from tests.child_process import KILLED
from tests.flows.killing import (
    check_resumed,
    ids_by_text,
    kill_at_request,
    run_in_child,
)
from tests.stages.archive import (
    DISTINCT,
    EXPECTED,
    NAME,
    TEXTS,
    Backwards,
    again,
    backwards,
    install,
    make_dictionary,
    make_job,
    outputs,
    received,
    texts_received,
    write_archive,
)


def test_every_document_is_translated_in_its_place(job: Job, log: Path) -> None:
    summary = translate(job)
    assert outputs(job) == EXPECTED
    assert (summary.documents, summary.documents_written, summary.documents_partly) == (3, 3, 0)
    assert summary.sentences_translated == DISTINCT


def test_only_encoded_text_leaves_and_equal_sentences_leave_once(job: Job, log: Path) -> None:
    translate(job)
    sent = texts_received(log)
    assert len(sent) == len(set(sent)) == DISTINCT
    assert not any(NAME in text for text in sent)
    assert not set(sent) & {s for text in TEXTS.values() for s in text.split("\n")}


def test_a_sentence_of_names_and_numbers_alone_is_copied_and_never_sent(
    tmp_path: Path, log: Path
) -> None:
    text = "Anna Quibble, 555-0188\n\nThe old dog opened the window.\n"
    write_archive(tmp_path / "in", {"card.txt": text})
    job = make_job(tmp_path)
    summary = translate(job)
    assert len(texts_received(log)) == 1
    assert outputs(job)["card.txt"].decode().startswith("Anna Quibble, 555-0188\n")
    assert (summary.documents_written, summary.documents_partly) == (1, 0)


def test_sentences_leave_in_an_order_without_meaning(tmp_path: Path, log: Path) -> None:
    nouns = ("doctor", "dog", "river", "teacher", "window", "table", "farmer", "house")
    texts = {f"{noun}.txt": f"The old {noun} opened the bottle.\n" for noun in nouns}
    write_archive(tmp_path / "in", texts)
    job = make_job(tmp_path, limits=LimitSettings(chunk_documents=50))
    translate(job)
    ids = ids_by_text(job)
    order = [ids[text] for text in texts_received(log)]
    assert sorted(order) == sorted(ids.values())
    assert order != sorted(order), "the order of the store; or one chance in 40,320"


def test_an_unchanged_document_is_neither_read_nor_sent_again(job: Job, log: Path) -> None:
    translate(job)
    before = {path: path.stat().st_mtime_ns for path in job.output.rglob("*.txt")}
    requests = len(received(log))
    second = translate(again(job))
    assert second.documents_unchanged == 3
    assert len(received(log)) == requests
    assert {path: path.stat().st_mtime_ns for path in job.output.rglob("*.txt")} == before


def test_a_run_with_nothing_to_do_reads_no_dictionary_and_reports_the_same(
    job: Job, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    translate(job)
    monkeypatch.setattr(Encoders, "encoder", None)
    translate(again(job))
    first, second = (run.facts for run in ReportFolder(job.report_folder).runs())
    for name in ("dictionary_digest", "dictionary_entries", "mechanism", "epsilon_word"):
        assert getattr(first, name) == getattr(second, name)
    monkeypatch.undo()
    translate(again(job, mechanism=MechanismSettings.choose(threshold=0.6, minimum_pool=2)))


def test_another_file_of_the_product_is_noticed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for folder in ("data", "dictionaries"):
        (tmp_path / folder).mkdir()
    monkeypatch.setattr(resources, "SHIPPED", tmp_path)
    empty = resources.installed_digest()
    (tmp_path / "data" / "names.txt").write_text("Anna")
    found = resources.installed_digest()
    (tmp_path / "data" / "names.txt").write_text("Anne")
    assert len({empty, found, resources.installed_digest(), resources.installed_digest()}) == 3


def test_a_changed_document_sends_only_its_new_sentences(job: Job, log: Path) -> None:
    translate(job)
    old = set(texts_received(log))
    path = job.input / "notes.txt"
    path.write_text(TEXTS["notes.txt"] + "\nThe small dog moved the candle.\n")
    summary = translate(again(job))
    assert (summary.documents_unchanged, summary.documents_written) == (2, 1)
    assert len(set(texts_received(log)) - old) == 1
    assert len(texts_received(log)) == DISTINCT + 1
    assert outputs(job)["notes.txt"] == backwards(path.read_text()).encode()


def test_a_missing_output_is_written_again_without_sending(job: Job, log: Path) -> None:
    translate(job)
    (job.output / "notes.txt").unlink()
    translate(again(job))
    assert outputs(job) == EXPECTED
    assert len(texts_received(log)) == DISTINCT


def test_changed_settings_are_not_skipped(job: Job, log: Path) -> None:
    translate(job)
    mechanism = MechanismSettings.choose(threshold=0.6, minimum_pool=2)
    summary = translate(again(job, mechanism=mechanism))
    assert summary.documents_unchanged == 0
    assert len(texts_received(log)) == 2 * DISTINCT


def test_another_translator_is_asked_the_very_same_texts(job: Job, log: Path) -> None:
    translate(job)
    translator = job.settings.translator.model_copy(update={"style": "mark"})
    translate(again(job, translator=translator))
    assert sorted(texts_received(log)) == sorted([*set(texts_received(log))] * 2)


def test_a_bad_document_does_not_stop_the_others(job: Job, log: Path) -> None:
    (job.input / "broken.docx").write_bytes(b"PK\x03\x04 this is no archive")
    (job.input / "empty.txt").write_bytes(b"")
    (job.input / "link.txt").symlink_to(job.input / "notes.txt")
    summary = translate(job)
    assert (summary.documents_written, summary.documents_failed) == (3, 2)
    assert summary.documents_empty == 1
    assert outputs(job) == EXPECTED


def test_a_quota_that_ends_keeps_what_was_answered(job: Job, log: Path) -> None:
    def refuse(number: int) -> None:
        if number == 2:
            raise QuotaExhausted("no more")

    install(Backwards(log, before=refuse))
    with pytest.raises(QuotaExhausted):
        translate(job)
    answered = set(received(log)[0])
    install(Backwards(log))
    translate(again(job))
    assert outputs(job) == EXPECTED
    assert set(texts_received(log)[3:]) >= set(texts_received(log)) - answered
    assert not answered & {text for request in received(log)[1:] for text in request}


def test_what_a_run_was_stopped_before_is_not_said_to_have_been_sent(job: Job, log: Path) -> None:
    def refuse(_number: int) -> None:
        raise QuotaExhausted("no more")

    install(Backwards(log, before=refuse))
    with pytest.raises(QuotaExhausted):
        translate(job)
    stopped = ReportFolder(job.report_folder).find(job.run_id)
    assert stopped is not None
    assert stopped.totals.requests == 1
    assert stopped.totals.sentences_unrestored <= len(received(log)[0]) + 1


def test_a_provider_that_is_down_leaves_no_document_in_the_source_language(
    job: Job, log: Path
) -> None:
    def fail(_number: int) -> None:
        raise Transient("down", retry_after=10_000.0)

    install(Backwards(log, before=fail))
    with pytest.raises(Transient, match="down"):
        translate(job)
    assert outputs(job) == {}
    stopped = ReportFolder(job.report_folder).find(job.run_id)
    assert stopped is not None
    assert stopped.totals.sentences_unrestored > 0
    install(Backwards(log))
    assert translate(again(job)).documents_written == 3
    assert outputs(job) == EXPECTED


def test_a_sentence_that_lost_all_its_words_is_not_sent_again_and_stays(
    tmp_path: Path, log: Path
) -> None:
    write_archive(tmp_path / "in", {"a.txt": "The doctor opened the window.\n"})
    job = make_job(tmp_path)

    class Careless(Backwards):
        async def translate(self, texts, source, target):  # type: ignore[no-untyped-def]
            await super().translate(texts, source, target)
            return ["Esta frase perdió todas sus palabras." for _ in texts]

    install(Careless(log))
    summary = translate(job)
    assert len(texts_received(log)) == 1
    assert (summary.sentences_withheld, summary.documents_partly) == (1, 1)
    assert outputs(job) == {"a.txt": b"The doctor opened the window.\n"}


def test_a_full_disk_is_said_and_nothing_is_lost(job: Job, log: Path) -> None:
    def prepare() -> None:
        install(Backwards(log))
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    assert run_in_child(job, prepare) == ExitCode.STATE_UNUSABLE
    check_resumed(job, log)


def test_a_second_run_over_the_same_output_is_refused(job: Job, log: Path) -> None:
    with StatePlace(job.state_folder).hold():
        code = run_in_child(job, lambda: install(Backwards(log)))
        assert code == ExitCode.STATE_UNUSABLE
        with pytest.raises(StoreInUse):
            translate(job)
    assert not log.exists()
    assert translate(job).documents_written == 3


def test_another_key_is_refused_before_anything_is_sent(
    job: Job, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    translate(job)
    requests = len(received(log))
    monkeypatch.setenv("PRISM_KEY", base64.b64encode(bytes(32)).decode())
    with pytest.raises(WrongKey):
        translate(again(job))
    assert len(received(log)) == requests


def test_no_byte_of_the_state_folder_shows_text_names_or_paths(job: Job, log: Path) -> None:
    secrets = [NAME, "farmer", "notes.txt", "second", "letters", "remraf", str(job.input)]
    assert run_in_child(job, kill_at_request(log, 3, "after")) == KILLED
    secrets += texts_received(log)
    assert_hidden(job, secrets)
    translate(again(job))
    assert_hidden(job, secrets + texts_received(log))


def assert_hidden(job: Job, secrets: list[str]) -> None:
    files = [path for path in job.state_folder.rglob("*") if path.is_file()]
    assert any(path.name == "state.db" for path in files)
    for path in files:
        content = path.read_bytes().lower()
        for secret in secrets:
            for form in (secret.encode(), secret.encode("utf-16-le"), base64_core(secret)):
                assert form.lower() not in content, path.name


def base64_core(text: str) -> bytes:
    """What base64 of ``text`` looks like wherever whole groups of it start with the text."""
    whole = text.encode()[: len(text.encode()) // 3 * 3]
    return base64.b64encode(whole)


@pytest.mark.parametrize(("source", "target"), [("in", "in"), ("in", "in/out"), ("out/in", "out")])
def test_folders_that_overlap_are_refused(tmp_path: Path, source: str, target: str) -> None:
    write_archive(tmp_path / source)
    make_dictionary(tmp_path / "dictionary.parquet")
    job = make_job(tmp_path).model_copy(
        update={"input": tmp_path / source, "output": tmp_path / target}
    )
    with pytest.raises(ConfigurationError):
        translate(job)
    assert not list(tmp_path.rglob(".prism"))


def test_one_document_may_be_named_instead_of_a_folder(job: Job, log: Path) -> None:
    job = job.model_copy(update={"input": job.input / "notes.txt"})
    translate(job)
    assert outputs(job) == {"notes.txt": EXPECTED["notes.txt"]}


def test_the_names_of_documents_are_known_to_whoever_has_the_key(job: Job, log: Path) -> None:
    translate(job)
    with Run.view(job) as run:
        assert sorted(d.path for d in run.store.documents.of_run(job.run_id)) == sorted(TEXTS)


def test_a_settings_file_can_travel_in_a_job(job: Job) -> None:
    assert Job.model_validate_json(job.model_dump_json()) == job
    assert isinstance(job.settings, Settings)


def test_nothing_partial_stays_in_the_output_folder(job: Job, log: Path) -> None:
    (job.output / ".prism-partial").mkdir(parents=True)
    (job.output / ".prism-partial" / "of-a-killed-run.txt").write_text("half")
    translate(job)
    assert outputs(job) == EXPECTED
    assert sorted(path.name for path in job.output.iterdir() if path.name.startswith(".")) == [
        ".prism"
    ]


def test_a_sentence_that_fits_into_no_request_does_not_keep_its_document_waiting(
    job: Job, log: Path
) -> None:
    translator = Backwards(log)
    translator.limits = replace(translator.limits, characters_per_request=60)
    install(translator)
    long = "The old doctor opened the heavy window and the teacher cleaned the table."
    (job.input / "long.txt").write_text(f"{long}\n\nThe dog followed the farmer.\n", "utf-8")
    assert translate(job).documents_written == 4
    assert outputs(job)["long.txt"].decode().splitlines()[0] == long
