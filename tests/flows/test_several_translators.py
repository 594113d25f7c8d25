"""A run with several translators and with decoys, over HTTP: what each of them sees."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from shutil import rmtree

import pytest

from prism_core.errors import ConfigurationError, Misconfigured, QuotaExhausted
from prism_core.jobs import translate
from prism_core.report import ReportFolder
from prism_core.settings import Job, TranslatorSettings
from prism_core.settings.sections import IdentifierSettings, MixingSettings
from prism_core.stages import Run, report
from tests.provider_server import KEY, Fault
from tests.provider_servers import LibreServer
from tests.stages.archive import (
    DISTINCT,
    EXPECTED,
    NAME,
    again,
    backwards,
    make_job,
    outputs,
    rehearse,
    write_archive,
)

PUBLIC = [
    f"The {adjective} {noun} {verb} the {other}."
    for adjective in ("bright", "silent", "rough")
    for noun, verb, other in (
        ("mirror", "followed", "candle"),
        ("saddle", "watched", "tunnel"),
        ("pencil", "moved", "hammer"),
        ("basket", "opened", "wagon"),
    )
]


@pytest.fixture
def servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[LibreServer, LibreServer]]:
    monkeypatch.setenv("LIBRETRANSLATE_API_KEY", KEY)
    with LibreServer(backwards) as first, LibreServer(backwards) as second:
        yield first, second


def job_with(folder: Path, *servers: LibreServer, **changes: object) -> Job:
    write_archive(folder / "in")
    asked = [_settings(server) for server in servers]
    return make_job(folder, translator=asked[0], other_translators=tuple(asked[1:]), **changes)


def _settings(server: LibreServer) -> TranslatorSettings:
    return server.settings(texts_per_request=3, concurrency=1)


def seen(server: LibreServer) -> list[str]:
    return [text for batch in server.batches for text in batch]


def test_what_the_first_leaves_the_next_translates(tmp_path: Path, servers) -> None:
    first, second = servers
    job = job_with(tmp_path, first, second)
    first.fail("", "wrong key", "wrong key")
    summary = translate(job)
    assert outputs(job) == EXPECTED
    assert summary.sentences_translated == DISTINCT
    assert (len(seen(first)), len(seen(second))) == (3, DISTINCT - 3)
    assert not set(seen(first)) & set(seen(second))


def test_the_report_says_who_received_what(tmp_path: Path, servers) -> None:
    first, second = servers
    job = job_with(tmp_path, first, second)
    first.fail("wrong key")
    translate(job)
    written = ReportFolder(job.report_folder).find(job.run_id)
    assert written is not None
    assert written.totals.requests == 1 + len(second.batches)
    assert list(written.facts.other_translators) == ["libretranslate@127.0.0.1"]
    assert written.facts.routing == "failover"


def test_the_report_of_a_run_that_ended_early_names_who_failed_and_of_what(
    tmp_path: Path, servers
) -> None:
    job = job_with(tmp_path, servers[0])
    servers[0].fail(*["too much for a day"] * 2)
    with pytest.raises(QuotaExhausted) as caught:
        translate(job)
    written = ReportFolder(job.report_folder).find(job.run_id)
    assert written is not None
    assert written.facts.stopped == str(caught.value)
    assert written.facts.stopped.startswith("libretranslate at 127.0.0.1: The account's quota")
    assert written.facts.stopped in written.answer.to_do[0]
    assert {row.advice for row in written.failures} == {
        "The translator failed before it was done (see above); run again to go on."
    }


def test_a_request_without_an_answer_is_no_cost_but_may_be_one(tmp_path: Path, servers) -> None:
    price = {"price_per_million": 20, "price_unit": "characters"}
    settings = servers[0].settings(texts_per_request=3, concurrency=1, **price)
    write_archive(tmp_path / "in")
    job = make_job(tmp_path, translator=settings)
    servers[0].fail(Fault.RESET, "internal")
    translate(job)
    written = ReportFolder(job.report_folder).find(job.run_id)
    assert written is not None
    assert outputs(job) == EXPECTED
    lost = sum(map(len, servers[0].batches[0]))  # the same bytes were answered the third time
    assert written.totals.cost == pytest.approx(20e-6 * sum(map(len, seen(servers[0]))))
    assert written.totals.cost_unanswered == pytest.approx(20e-6 * lost)
    assert written.facts.stopped is None


def test_answers_of_any_listed_translator_are_kept(tmp_path: Path, servers) -> None:
    first, second = servers
    job = job_with(tmp_path, first, second)
    first.fail("wrong key")
    translate(job)
    changed = "The proud soldier moved the ladder.\n\nThe dog moved the wagon.\n"
    (job.input / "notes.txt").write_text(changed)
    before = len(seen(first)) + len(seen(second))
    translate(again(job))
    assert len(seen(first)) + len(seen(second)) == before + 1


def test_under_split_nobody_sees_more_than_half_of_a_document(tmp_path: Path, servers) -> None:
    first, second = servers
    job = job_with(tmp_path, first, second, mixing=MixingSettings(routing="split"))
    translate(job)
    assert outputs(job) == EXPECTED
    assert not set(seen(first)) & set(seen(second))
    for counts in shares(job):
        assert max(counts.values()) <= -(-sum(counts.values()) // 2) + 1  # one sentence is shared


def shares(job: Job) -> list[Counter[str]]:
    """For each document, how many of its sentences each translator was sent."""
    with Run.open(job) as run:
        ids = tuple(document.id for document in run.store.documents.of_run(job.run_id))
        asked = run.store.requests.asked_of(ids)
        return [Counter(filter(None, sentences.values())) for sentences in asked.values()]


def test_under_split_what_one_cannot_do_waits_for_it(tmp_path: Path, servers) -> None:
    first, second = servers
    job = job_with(tmp_path, first, second, mixing=MixingSettings(routing="split"))
    first.fail("too much for a day")
    with pytest.raises(QuotaExhausted):
        translate(job)
    theirs = set(seen(second))
    assert 0 < len(theirs) < DISTINCT
    translate(again(job))
    assert outputs(job) == EXPECTED
    assert theirs <= set(seen(second))
    assert not set(seen(first)) & set(seen(second))
    assert len(seen(first)) + len(seen(second)) == DISTINCT
    for counts in shares(job):
        assert max(counts.values()) <= -(-sum(counts.values()) // 2) + 1


def decoys(folder: Path, lines: list[str]) -> Path:
    file = folder / "public.txt"
    file.write_text("# public\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return file


def with_decoys(folder: Path, rate: float, lines: list[str] = PUBLIC) -> dict[str, object]:
    return {"mixing": MixingSettings(decoy_rate=rate, decoys_file=decoys(folder, lines))}


def test_decoys_leave_encoded_among_the_others_and_never_twice(tmp_path: Path, servers) -> None:
    first, _ = servers
    job = job_with(tmp_path, first, **with_decoys(tmp_path, 1.0))
    summary = translate(job)
    sent = seen(first)
    assert outputs(job) == EXPECTED
    assert len(sent) == len(set(sent))
    # Two documents share a sentence; each asks for a decoy for it.
    assert DISTINCT * 2 <= len(sent) <= DISTINCT * 2 + 1
    assert not set(sent) & set(PUBLIC)
    assert not any(NAME in text for text in sent)
    assert (summary.sentences, summary.sentences_translated) == (DISTINCT, DISTINCT)


def test_a_decoy_knows_nothing_of_the_names_of_the_archive(tmp_path: Path, servers) -> None:
    first, _ = servers
    nouns = "wagon candle tunnel saddle window garden river table bridge bottle ladder village"
    lines = [
        f"They {did} the Hammer to the {n}." for n in nouns.split() for did in ("moved", "took")
    ]
    job = job_with(tmp_path, first, **with_decoys(tmp_path, 1.0, lines))
    (job.input / "client.txt").write_text("Mr. Henry Hammer opened the wagon.\n")
    translate(job)
    with Run.open(job) as run:
        assert "Hammer" in run.known_identifiers()[0]
        knows = run.encoder().dictionary.knows
    sent = [re.fullmatch(r"They \w+ the ([A-Z]\w+) to the \w+\.", text) for text in seen(first)]
    drawn = [found[1] for found in sent if found]
    assert drawn, "one of the lines was used"
    assert all(map(knows, drawn)), "to who has the list a name there would tell one of the archive"


def test_a_decoy_that_shows_a_never_send_term_does_not_leave(tmp_path: Path, servers) -> None:
    first, _ = servers
    lines = [f"By all means the {noun} moved the {noun}." for noun in ("wagon", "candle", "saddle")]
    terms = tmp_path / "never.txt"
    terms.write_text("by all\n")
    lists = IdentifierSettings(never_send_file=terms)
    job = job_with(tmp_path, first, **with_decoys(tmp_path, 1.0, lines + PUBLIC), identifiers=lists)
    translate(job)
    assert len(seen(first)) >= DISTINCT * 2
    assert not any("by all" in text.lower() for text in seen(first))


def test_what_is_listed_as_never_sent_is_not_sent_again_either(tmp_path: Path, servers) -> None:
    first, _ = servers
    job = job_with(tmp_path, first)
    rmtree(job.input)
    write_archive(job.input, {"one.txt": "The teacher carried a basket to the village.\n"})
    first.fail("wrong key")
    with pytest.raises(Misconfigured):
        translate(job)
    terms = tmp_path / "never.txt"
    terms.write_text("to the\n")
    listed = IdentifierSettings(never_send_file=terms)
    summary = translate(again(job, identifiers=listed))
    assert (summary.sentences_withheld, seen(first)) == (1, [])


def test_a_line_is_used_once_in_an_archive(tmp_path: Path, servers) -> None:
    first, _ = servers
    job = job_with(tmp_path, first, **with_decoys(tmp_path, 1.0))
    translate(job)
    (job.input / "new.txt").write_text(" ".join(PUBLIC[:4]).replace("The", "The old") + "\n")
    with pytest.raises(ConfigurationError, match="no unused sentence left"):
        translate(again(job))


def test_too_few_decoys_are_said_before_anything_is_sent(tmp_path: Path, servers) -> None:
    first, _ = servers
    job = job_with(tmp_path, first, **with_decoys(tmp_path, 1.0, PUBLIC[:3]))
    with pytest.raises(ConfigurationError, match="decoys_file"):
        translate(job)
    assert not first.batches


def test_decoys_are_counted_by_the_rate_also_when_it_is_small(tmp_path: Path, servers) -> None:
    first, _ = servers
    job = job_with(tmp_path, first, **with_decoys(tmp_path, 0.5))
    translate(job)
    assert 3 <= len(seen(first)) - DISTINCT <= 6


def test_the_report_knows_no_decoy_for_a_sentence_of_the_archive(tmp_path: Path, servers) -> None:
    first, _ = servers
    job = job_with(tmp_path, first, **with_decoys(tmp_path, 1.0))
    translate(job)
    with Run.open(job) as run:
        report(run)
    written = ReportFolder(job.report_folder).find(job.run_id)
    assert written is not None
    assert written.totals.sentences_distinct == DISTINCT
    assert written.facts.decoys >= DISTINCT


def test_a_rehearsal_counts_the_decoys(tmp_path: Path, servers) -> None:
    first, _ = servers
    job = job_with(tmp_path, first, **with_decoys(tmp_path, 1.0))
    assert rehearse(job).rows[0].expected.texts >= 2 * DISTINCT
    assert not first.batches


def test_an_answer_to_a_decoy_is_forgotten(tmp_path: Path, servers) -> None:
    first, _ = servers
    job = job_with(tmp_path, first, **with_decoys(tmp_path, 1.0))
    translate(job)
    with Run.open(job) as run:
        store = run.store
        ids = tuple(document.id for document in store.documents.of_run(job.run_id))
        assert store.decoys.count(job.run_id) >= DISTINCT
        assert not store.sentences.to_send([ids])
        assert store.decoys.missing(ids, 1.0) == {}
