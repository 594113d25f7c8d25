"""An archive in a bucket, translated into a bucket: what is fetched, put, kept and left."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from prism_core.errors import ConfigurationError, StorageError
from prism_core.jobs import auditing, translate
from prism_core.settings import Job
from prism_core.settings.run_settings import StateSettings
from prism_core.stages import Folders
from prism_core.storage import ObjectAddress, ObjectStore, Scratch, parse_address, remove_leftovers
from prism_core.storage.objects import REFUSED, refusal_in
from tests.object_server import SECRET, Bucket, Fault
from tests.stages.archive import (
    EXPECTED,
    NAME,
    again,
    outputs,
    texts_received,
    write_archive,
)


def test_a_bucket_is_translated_like_a_folder_and_skipped_the_next_night_unfetched(
    job: Job, bucket: Bucket, tmp_path: Path
) -> None:
    assert translate(job).documents_written == len(EXPECTED)
    assert bucket.documents() == EXPECTED
    sent = texts_received(tmp_path / "log")
    bucket.requests.clear()
    assert translate(again(job)).documents_unchanged == len(EXPECTED)
    assert texts_received(tmp_path / "log") == sent
    assert not [request for request in bucket.requests if request.startswith("GET in/")]
    place = auditing.find_reports(parse_address("s3://archive/out"), job.settings)
    audit = auditing.verify(place, job.settings)
    assert (audit.verdict.runs, audit.verdict.findings, audit.asked_store) == (2, (), True)


def test_nothing_in_clear_is_left_but_the_translations(
    job: Job, bucket: Bucket, temporary: Path, tmp_path: Path
) -> None:
    translate(job)
    left = [p.read_bytes() for p in temporary.rglob("*") if p.is_file()]
    left += [p.read_bytes() for p in (tmp_path / "state").rglob("*") if p.is_file()]
    kept = [c for n, (c, _) in bucket.objects.items() if n.startswith(("out/prism", "out/.prism"))]
    assert kept
    for content in (*left, *kept):
        assert NAME.encode() not in content
        assert SECRET.encode() not in content


def test_the_same_bytes_put_again_are_fetched_and_not_translated_again(
    job: Job, bucket: Bucket
) -> None:
    translate(job)
    bucket.objects["in/notes.txt"] = bucket.objects["in/notes.txt"][0], 2e9
    assert translate(again(job)).documents_unchanged == len(EXPECTED)


def test_an_altered_report_in_a_bucket_is_found(job: Job, bucket: Bucket) -> None:
    translate(job)
    (table,) = [name for name in bucket.objects if name.endswith("/documents.parquet")]
    del bucket.objects[table]
    place = auditing.find_reports(parse_address("s3://archive/out/prism-report"), job.settings)
    assert auditing.verify(place, job.settings).verdict.findings


def test_an_object_that_is_not_ours_is_never_overwritten(job: Job, bucket: Bucket) -> None:
    bucket.objects["out/notes.txt"] = b"mine", 1e9
    translate(job)
    expected = {n: c for n, c in EXPECTED.items() if n != "notes.txt"}
    others = {"notes.txt": b"mine", "notes (2).txt": EXPECTED["notes.txt"]}
    assert bucket.documents() == expected | others


def test_our_output_that_somebody_changed_stays_when_its_source_changes(
    job: Job, bucket: Bucket
) -> None:
    translate(job)
    bucket.objects["out/notes.txt"] = b"corrected by hand", 1e9
    bucket.objects["in/notes.txt"] = b"The dog visited the garden.\n", 2e9
    translate(again(job))
    made = bucket.documents()
    assert made["notes.txt"] == b"corrected by hand"
    assert made["notes (2).txt"] == b"The god detisiv eht nedrag.\n"


@pytest.mark.parametrize(
    ("request_", "fault"),
    [
        ("GET in/", "500"),
        ("GET in/", "cut"),
        ("GET in/", "slow"),
        ("GET list", "500"),
        ("GET list", "cut"),
        ("PUT out/letters", "500"),
        ("PUT out/letters", "lost"),
        ("PUT out/prism-report", "lost"),
    ],
)
def test_a_provider_that_fails_once_changes_nothing(
    job: Job, bucket: Bucket, tmp_path: Path, request_: str, fault: Fault
) -> None:
    bucket.faults.append((request_, fault))
    assert translate(job).documents_written == len(EXPECTED)
    assert not bucket.faults
    assert bucket.documents() == EXPECTED


def test_a_provider_that_keeps_failing_ends_with_words_of_ours(bucket: Bucket) -> None:
    bucket.faults += [("GET", "500")] * 100
    store = ObjectStore(ObjectAddress("s3", "archive", "in"), patience=0.3)
    with pytest.raises(StorageError, match="nothing is lost") as raised:
        store.get("private-name.txt")
    assert "private-name" not in str(raised.value)
    assert raised.value.__cause__ is None
    assert raised.value.__suppress_context__


@pytest.mark.parametrize(
    ("fault", "raised", "said"),
    [
        ("301", ConfigurationError, "another region"),
        ("400", StorageError, "no longer valid"),
        ("403", StorageError, "no such credentials"),
        ("404", ConfigurationError, "no such bucket"),
        ("501", ConfigurationError, "does not know a request"),
    ],
)
def test_what_a_provider_refuses_for_good_ends_the_run_at_once_and_says_why(
    job: Job, bucket: Bucket, fault: Fault, raised: type[Exception], said: str
) -> None:
    bucket.faults += [("", fault)] * 100
    asked = ObjectStore(ObjectAddress("s3", "archive", "in"), patience=0.3)
    with pytest.raises(raised, match=said):
        asked.holds_any()
    if fault != "501":  # which the library asks again by itself
        with pytest.raises(raised, match=said):
            translate(job)


def test_a_bucket_for_the_report_that_is_not_there_is_found_before_anything_is_sent(
    job: Job, bucket: Bucket, tmp_path: Path
) -> None:
    report = job.settings.report.model_copy(update={"path": parse_address("s3://reports/night")})
    bucket.faults.append(("GET list night", "404"))
    with pytest.raises(ConfigurationError, match="s3://reports/night: there is no such bucket"):
        translate(again(job, report=report))
    assert texts_received(tmp_path / "log") == []


def test_an_answer_that_fits_no_question_is_an_error_of_ours() -> None:
    assert refusal_in("- Server returned non-2xx status code: 403 Forbidden: private") == REFUSED
    assert refusal_in("status code: 503 Slow Down") is None
    assert refusal_in("non-2xx status code: 400 Bad Request: <Code>RequestTimeout</Code>") is None
    none = refusal_in("Error performing PUT http://169.254.169.254/latest/api/token")
    assert "holds no credentials" in (none or "")


def test_googles_dialect_is_spoken_where_an_object_is_replaced(
    job: Job, bucket: Bucket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOOGLE_BASE_URL", os.environ["AWS_ENDPOINT_URL"])
    monkeypatch.setenv("GOOGLE_ALLOW_HTTP", "true")
    account = {"disable_oauth": True, "client_email": "", "private_key": "", "private_key_id": ""}
    monkeypatch.setenv("GOOGLE_SERVICE_ACCOUNT_KEY", json.dumps(account))
    job = Job(input="gs://archive/in", output="gs://archive/out", settings=job.settings)
    translate(job)
    assert bucket.documents() == EXPECTED
    bucket.objects["in/notes.txt"] = b"The dog visited the garden.\n", 2e9
    translate(again(job))
    assert bucket.documents() == EXPECTED | {"notes.txt": b"The god detisiv eht nedrag.\n"}


def test_a_provider_that_overwrites_is_refused(job: Job, bucket: Bucket) -> None:
    bucket.heeds = False
    with pytest.raises(ConfigurationError, match="overwrites"):
        translate(job)
    assert bucket.documents() == {}


def test_an_output_has_one_state(job: Job, tmp_path: Path) -> None:
    translate(job)
    with pytest.raises(ConfigurationError, match="another folder"):
        translate(again(job, state=StateSettings(folder=tmp_path / "other")))
    with pytest.raises(ConfigurationError, match="needs a permanent location"):
        Folders(again(job, state=StateSettings())).check()
    elsewhere = job.model_copy(update={"output": parse_address("s3://archive/elsewhere")})
    with pytest.raises(ConfigurationError, match="holds the state of"):
        translate(elsewhere)


def test_a_bucket_and_a_folder_go_together(job: Job, bucket: Bucket, tmp_path: Path) -> None:
    settings = job.settings.model_copy(update={"state": StateSettings()})
    to_folder = Job(input=job.input, output=tmp_path / "out", settings=settings)
    translate(to_folder)
    assert outputs(to_folder) == EXPECTED
    translate(Job(input=write_archive(tmp_path / "in"), output=job.output, settings=job.settings))
    assert bucket.documents() == EXPECTED


@pytest.mark.parametrize(
    "said",
    [
        "s3://id:secret@bucket/x",
        "s3://bucket/x?secret=1",
        "ftp://bucket/x",
        "s3:///x",
        "s3://b/../x",
    ],
)
def test_an_address_with_more_than_a_place_is_refused_unquoted(said: str) -> None:
    with pytest.raises(ConfigurationError) as raised:
        parse_address(said)
    assert "secret" not in str(raised.value)


def test_input_and_output_in_one_bucket_may_not_overlap(job: Job) -> None:
    within = job.model_copy(update={"output": parse_address("s3://archive/in/out")})
    with pytest.raises(ConfigurationError, match="lies within"):
        Folders(within).check()


@pytest.mark.usefixtures("bucket")
def test_documents_of_a_killed_process_go_with_the_next_and_not_those_of_a_living_one(
    temporary: Path,
) -> None:
    code = (
        "import os, signal\nfrom prism_core.storage import Scratch\n"
        "with Scratch().file('a.txt') as path:\n"
        "    path.write_text('in clear')\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    killed = subprocess.run([sys.executable, "-c", code], check=False)
    assert killed.returncode == -signal.SIGKILL
    (left,) = temporary.rglob("a.txt")
    (left.parents[1] / "lock").unlink()  # as one does that is killed when it removes the folder
    with Scratch().file("b.txt") as living:
        living.write_text("in work")
        remove_leftovers()
        assert living.exists()
    assert not [*temporary.rglob("*.txt")]


@pytest.mark.usefixtures("bucket")
def test_a_forked_process_is_refused_rather_than_left_waiting() -> None:
    store = ObjectStore(ObjectAddress("s3", "archive"))
    store.head("x")
    if (child := os.fork()) == 0:
        signal.alarm(10)
        try:
            store.head("x")
        except RuntimeError:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
