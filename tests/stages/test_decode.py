"""What decoding found is accounted for, sentence by sentence, as far as the report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from prism_core.language import Sentence, Token
from prism_core.record import Encoded, Fate, Kind, Replacement
from prism_core.settings import DecodingSettings
from prism_core.stages import Run, StageResult, decode, encode, report
from prism_core.stages.decode import Drafted, mark_doubts
from prism_core.state import Restoration
from prism_core.state.request_ledger import Destination
from prism_core.state.schema import DocumentStatus, SentenceStatus
from prism_core.state.sealed_columns import PackedSentences, SegmentLayout, SentencePlace
from prism_core.state.stage_records import Reading, Sighting, StoredSentence
from tests.stages.archive import make_job

WORDS, SUBSTITUTES = ("doctor", "garden", "valley"), ("window", "bottle", "kitchen")
EXACT, NEAR, LOST = "wodniw elttob nehctik", "wodniw elttobs nehctiken", "wodniw elttobs"
"""Answers that hold three, one and one of the substitutes as the dictionary says; the other two of
``NEAR`` have letters too many, and so has one of ``LOST``, where the other is missing."""


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with Run.open(make_job(tmp_path)) as run:
        yield run


def decoded(run: Run, answer: str) -> tuple[StageResult, StoredSentence]:
    """What decoding ``answer`` to a document of one sentence gives, and how it is stored."""
    store, run_id = run.store, run.job.run_id
    sentence = Sentence(tuple(Token(word, " ", "NN") for word in WORDS))
    store.runs.begin(run_id)
    sighting = Sighting("a.txt", 5, "c", "f")
    store.documents.record(run_id, [(sighting, DocumentStatus.FOUND)])
    document, row_id = store.documents.id_of("a.txt"), store.sentences.id_of(sentence.text, "")
    layout = (SegmentLayout("paragraph", (SentencePlace(row_id, ""),)),)
    reading = Reading("txt", (), layout, PackedSentences({row_id: sentence}), frozenset())
    store.add_readings(run_id, {document: reading})
    record = tuple(
        Replacement(place, 1, word, substitute, Kind.WORD, "NN", pool=20)
        for place, (word, substitute) in enumerate(zip(WORDS, SUBSTITUTES, strict=True))
    )
    encoded = Encoded(" ".join(SUBSTITUTES), record, (Fate.REPLACED,) * len(record))
    store.sentences.set_encoded([(row_id, encoded)], "checks")
    ledger = store.requests.ledger(run_id, Destination("fake", "localhost", "t"))
    ledger.sending("r1", [row_id])
    ledger.answered("r1", {row_id: answer})
    counted = decode(run, (document,))
    return counted, store.sentences.of_document(document)[row_id]


@pytest.mark.parametrize(
    ("answer", "status", "restored", "near"),
    [
        (EXACT, SentenceStatus.DONE, 3, 0),
        (NEAR, SentenceStatus.DONE, 3, 2),
        (LOST, SentenceStatus.NEW, 2, 1),
    ],
)
def test_each_sentence_keeps_what_was_found_exactly_by_a_near_form_and_not_at_all(
    run: Run, answer: str, status: SentenceStatus, restored: int, near: int
) -> None:
    counted, stored = decoded(run, answer)
    assert counted == StageResult(documents=1, sentences=1, again=status is SentenceStatus.NEW)
    assert stored.status is status
    assert (stored.to_restore, stored.restored) == (3, restored)
    assert stored.ways.get("near", 0) == near
    assert sum(stored.ways.values()) == restored


@pytest.mark.parametrize("table", ["sentences", "documents", "run"])
def test_what_a_near_form_restored_is_counted_in_every_table_of_the_report(
    run: Run, table: str
) -> None:
    decoded(run, NEAR)
    report(run)
    folder = run.job.report_folder / f"run={run.job.run_id}"
    (row,) = pq.ParquetFile(folder / f"{table}.parquet").read().to_pylist()
    assert (row["words_to_restore"], row["words_restored"]) == (3, 3)
    assert (row["words_form"], row["words_near"]) == (1, 2)


def test_a_sentence_that_was_sent_is_not_called_withheld_when_a_later_draw_may_not_be(
    run: Run,
) -> None:
    _, stored = decoded(run, LOST)
    nothing = Encoded("", (), (Fate.KEPT,) * len(WORDS), withheld="leak")
    run.store.sentences.set_encoded([(stored.id, nothing)], "checks")
    report(run)
    folder = run.job.report_folder / f"run={run.job.run_id}"
    (row,) = pq.ParquetFile(folder / "sentences.parquet").read().to_pylist()
    (whole,) = pq.ParquetFile(folder / "run.parquet").read().to_pylist()
    assert (row["outcome"], row["reason"], row["sends"]) == ("unrestored", "leak", 1)
    assert (whole["sentences_withheld"], whole["sentences_unrestored"]) == (0, 1)


def send_again(run: Run, row_id: str, answer: str) -> StoredSentence:
    """Encode the sentence once more, have ``answer`` come back for it, and decode that."""
    document = run.store.documents.id_of("a.txt")
    encode(run, (document,))
    ledger = run.store.requests.ledger(run.job.run_id, Destination("fake", "localhost", "t"))
    request = f"r{run.store.sentences.of_document(document)[row_id].draws + 1}"
    ledger.sending(request, [row_id])
    ledger.answered(request, {row_id: answer})
    decode(run, (document,))
    return run.store.sentences.of_document(document)[row_id]


ONE_LOST, OTHER_WORD = "wodniw quorx nehctik", "wodniw zulpi nehctik"
"""The second substitute came back as a word that the dictionary does not know."""


def test_a_word_that_alone_was_lost_is_drawn_anew_and_found_where_the_answers_differ(
    run: Run,
) -> None:
    _, first = decoded(run, ONE_LOST)
    assert first.encoded is not None
    again = send_again(run, first.id, OTHER_WORD)
    assert again.encoded is not None
    sent = [replacement.substitute for replacement in again.encoded.record]
    assert (sent[0], sent[2]) == (SUBSTITUTES[0], SUBSTITUTES[2])
    assert sent[1] != SUBSTITUTES[1]
    assert again.encoded.text == " ".join(sent)
    assert (again.status, again.draws) == (SentenceStatus.DONE, 2)
    assert again.ways == {"form": 2, "pair": 1, "doubtful": [1]}
    document = run.store.documents.id_of("a.txt")
    (_, translation), *_ = run.store.sentences.texts(document).values()
    assert translation is not None
    assert translation.text == "rotcod nedrag yellav"


def test_what_came_back_before_is_still_known_to_a_run_that_goes_on(tmp_path: Path) -> None:
    job = make_job(tmp_path)
    with Run.open(job) as run:
        _, first = decoded(run, ONE_LOST)
    with Run.open(job) as run:
        again = send_again(run, first.id, OTHER_WORD)
        assert (again.status, again.draws) == (SentenceStatus.DONE, 2)
        assert run.store.sentences.earlier([first.id]) == {}, "what is settled keeps no answers"


def test_an_unsure_sentence_is_counted_and_told_as_a_notice_of_its_document(run: Run) -> None:
    _, first = decoded(run, ONE_LOST)
    send_again(run, first.id, OTHER_WORD)
    report(run)
    folder = run.job.report_folder / f"run={run.job.run_id}"
    (document,) = pq.ParquetFile(folder / "documents.parquet").read().to_pylist()
    (row,) = pq.ParquetFile(folder / "sentences.parquet").read().to_pylist()
    assert (document["sentences_unsure"], document["words_pair"], row["unsure"]) == (1, 1, 1)
    assert "sentences:unsure" in document["notices"]


@pytest.mark.parametrize(
    ("source", "restored", "written", "reason"),
    [
        ("Inject 40,000 units.", "Inyecta 40,000 unidades.", "Inyecta 40.000 unidades.", ""),
        ("It is 10 pounds.", "Son 10 kilos.", "Son 10 kilos.", "number-changed"),
        ("A quarter of it.", "Un barrio de ello.", "Un barrio de ello.", "sense-doubtful"),
    ],
)
def test_a_restored_number_is_checked_and_gets_the_separators_of_the_target(
    source: str, restored: str, written: str, reason: str
) -> None:
    found = Restoration("s", SentenceStatus.DONE, text=restored)
    marked = mark_doubts(found, Drafted(()), source, ("en", "es"))
    assert (marked.text, marked.reason, marked.unsure) == (written, reason, bool(reason))


def test_what_a_translator_adds_makes_the_sentence_unsure_and_the_report_says_what(
    run: Run,
) -> None:
    _, stored = decoded(run, f"{EXACT} de00 500")
    assert (stored.status, stored.unsure) == (SentenceStatus.DONE, True)
    report(run)
    folder = run.job.report_folder / f"run={run.job.run_id}"
    (row,) = pq.ParquetFile(folder / "sentences.parquet").read().to_pylist()
    (document,) = pq.ParquetFile(folder / "documents.parquet").read().to_pylist()
    assert (row["outcome"], row["reason"]) == ("translated", "added: number; number-changed")
    assert {"sentences:unsure", "sentences:added:1"} <= set(document["notices"])


@pytest.mark.parametrize(
    ("added", "doubt"), [("no", "negation-changed"), ("euros", "number-changed")]
)
def test_a_negation_or_currency_that_came_in_makes_the_sentence_unsure_and_the_report_says_so(
    run: Run, added: str, doubt: str
) -> None:
    _, stored = decoded(run, f"{added} {EXACT}")
    assert (stored.status, stored.unsure) == (SentenceStatus.DONE, True)
    report(run)
    folder = run.job.report_folder / f"run={run.job.run_id}"
    (row,) = pq.ParquetFile(folder / "sentences.parquet").read().to_pylist()
    assert (row["outcome"], row["reason"], row["unsure"]) == ("translated", doubt, 1)


@pytest.mark.parametrize("answer", [LOST.replace("elttobs", "quorx"), "quorx zulpi nehctik"])
def test_where_more_was_lost_nothing_more_of_the_sentence_is_sent(run: Run, answer: str) -> None:
    _, first = decoded(run, answer)
    assert first.status is SentenceStatus.NEW
    document = run.store.documents.id_of("a.txt")
    encode(run, (document,))
    (after,) = run.store.sentences.of_document(document).values()
    assert (after.status, after.reason) == (SentenceStatus.WITHHELD, "unrestored")
    assert after.encoded == first.encoded, "the report tells of what was sent"
    assert run.store.sentences.to_send([(document,)]) == []


@pytest.mark.parametrize(
    ("elimination", "status", "ways"),
    [
        (
            "last",
            SentenceStatus.NEW,
            {"form": 2, "elimination": 1, "doubtful": [1]},
        ),  # for when no more is sent
        ("always", SentenceStatus.DONE, {"form": 2, "elimination": 1, "doubtful": [1]}),
        ("never", SentenceStatus.NEW, {"form": 2}),
    ],
)
def test_a_word_is_found_by_elimination_at_once_only_where_the_settings_say_so(
    tmp_path: Path, elimination: str, status: SentenceStatus, ways: dict[str, object]
) -> None:
    asked = DecodingSettings.model_validate({"elimination": elimination})
    with Run.open(make_job(tmp_path, decoding=asked)) as run:
        _, stored = decoded(run, ONE_LOST)
        assert (stored.status, stored.ways) == (status, ways)
        assert stored.unsure == ("elimination" in ways)


@pytest.mark.parametrize(
    ("elimination", "status"),
    [("last", SentenceStatus.DONE), ("never", SentenceStatus.WITHHELD)],
)
def test_elimination_comes_when_no_more_may_be_sent(
    tmp_path: Path, elimination: str, status: SentenceStatus
) -> None:
    asked = DecodingSettings.model_validate({"elimination": elimination})
    with Run.open(make_job(tmp_path, decoding=asked)) as run:
        _, stored = decoded(run, ONE_LOST)
        for _ in range(2):
            assert stored.status is SentenceStatus.NEW
            stored = send_again(run, stored.id, f"{ONE_LOST} y {OTHER_WORD}")  # where it is unclear
        assert (stored.status, stored.draws) == (status, 3)
        assert stored.ways.get("elimination", 0) == (status is SentenceStatus.DONE)
