"""The canary test from a bucket into a bucket: what the object store got is searched, too.

It is the user's own and holds the documents; what is planted may be in them and in their names, and
in no other byte that it receives, nor anywhere on this machine.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from prism_core.errors import ExitCode
from tests.end_to_end import planted
from tests.end_to_end.aftermath import (
    SECRETS,
    names_of,
    prepared,
    received,
    searched_once,
    suffixes,
)
from tests.end_to_end.canary import Finding, Searcher
from tests.end_to_end.job import Workplace
from tests.object_server import OWN, SECRET, Bucket, credentials, serve_bucket
from tests.openai_server import OpenAIServer, by_apertium

pytestmark = pytest.mark.slow

SABOTAGE = {"raises.txt": "raise", "aborts.txt": "abort", "spins.txt": "raise"}


class Done(NamedTuple):
    """What is left when a run was killed, and another came to its end; ``left`` by the first."""

    workplace: Workplace
    server: OpenAIServer
    bucket: Bucket
    left: set[str]


@pytest.fixture(scope="module")
def done(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Done]:
    with OpenAIServer(by_apertium()) as server, serve_bucket() as (bucket, address):
        workplace, sabotage = prepared(tmp_path_factory.mktemp("buckets"), server, warm=True)
        for path in workplace.input.rglob("*"):
            if path.is_file():
                name = f"in/{path.relative_to(workplace.input)}"
                bucket.objects[name] = path.read_bytes(), 1e9
        shutil.rmtree(workplace.input)  # now nothing on this machine may hold what is planted
        workplace.addresses = "s3://archive/in", "s3://archive/out"
        workplace.variables |= credentials(address) | {
            "PRISM_STATE__FOLDER": str(workplace.root / "state"),
            "PRISM_DOCUMENTS__COPY_UNTRANSLATED": "true",
        }
        sabotage.plan(SABOTAGE | {"agreement.docx": "hang"})
        kill_when_it_hangs(workplace, sabotage.hangs)
        left = {path.name for path in (workplace.root / "temporary").rglob("*")}
        sabotage.plan(SABOTAGE)
        assert workplace.run("--json") == ExitCode.SOME_DOCUMENTS_FAILED, workplace.printed()
        yield Done(workplace, server, bucket, left)


def kill_when_it_hangs(workplace: Workplace, hangs) -> None:
    process = workplace.start()
    until = time.monotonic() + 120
    while not hangs():
        assert process.poll() is None, workplace.printed()
        assert time.monotonic() < until, workplace.printed()
        time.sleep(0.05)
    process.kill()
    process.wait()


def test_everything_is_translated_and_what_cannot_be_is_copied(done: Done) -> None:
    made = done.bucket.documents()
    copied = {name.partition("/")[2] for name in made if name.startswith("broken/")}
    assert copied == {name.partition("/")[2] for name in planted.FAILED}
    translated = [name for name in made if not name.startswith("broken/")]
    assert suffixes(translated) == suffixes(planted.TRANSLATED)
    found = names_of(set().union(*(SECRETS.in_bytes(made[n], n) for n in translated)))
    assert len(found & set(planted.NAMES)) > len(planted.NAMES) * 0.9


def test_the_translator_received_nothing_planted(done: Done) -> None:
    assert received(done.server) == set()


def test_a_document_in_clear_that_a_killed_run_left_is_gone_with_the_next(done: Done) -> None:
    assert "agreement.docx" in done.left
    assert list((done.workplace.root / "temporary").iterdir()) == []


def test_nothing_is_left_on_this_machine(done: Done) -> None:
    found = searched_once(done.workplace, done.server)
    named = {one for one in found["planted"] if one.place.startswith("printed/")}
    assert found["planted"] == named, "but for the names of failed files on the terminal"
    assert found["sent"] == set()
    assert found["key"] == set()
    assert Searcher([SECRET]).in_folder(done.workplace.root) == set()


def test_the_object_store_received_nothing_planted_but_in_documents_and_their_names(
    done: Done,
) -> None:
    sent = [text for batch in done.server.batches for text in batch if len(text) >= 25]
    search = Searcher([*planted.ALL, SECRET, *sent, done.workplace.key_file.read_text()])
    found, documents = set[Finding](), 0
    for one in done.bucket.received:
        is_document = one.name.startswith(("in/", "out/")) and not one.name.startswith(OWN)
        if one.name.startswith(OWN):
            found |= search.in_bytes(one.line.encode(), "a line")
        found |= search.in_bytes(one.head, f"the head of {one.name}")
        if not is_document:
            found |= search.in_bytes(one.body, one.name or one.line)
        documents += is_document and bool(one.body)
    assert found == set()
    assert documents >= len(planted.TRANSLATED)
