"""What decoding found is accounted for, sentence by sentence, as far as the report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from prism_core.language import Sentence, Token
from prism_core.record import Encoded, Fate, Kind, Replacement
from prism_core.stages import Counted, Run, decode, report
from prism_core.state.documents import Reading, Sighting
from prism_core.state.records import SegmentLayout, SentencePlace
from prism_core.state.requests import Destination
from prism_core.state.schema import DocumentStatus, SentenceStatus
from prism_core.state.sentences import StoredSentence
from tests.stages.archive import make_job

WORDS, SUBSTITUTES = ("doctor", "garden", "valley"), ("window", "bottle", "kitchen")
EXACT, NEAR, LOST = "wodniw elttob nehctik", "wodniw elttobs nehctiken", "wodniw elttobs"
"""Answers that hold three, one and one of the substitutes as the dictionary says; the other two of
``NEAR`` have letters too many, and so has one of ``LOST``, where the other is missing."""


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Run]:
    with Run.open(make_job(tmp_path)) as run:
        yield run


def decoded(run: Run, answer: str) -> tuple[Counted, StoredSentence]:
    """What decoding ``answer`` to a document of one sentence gives, and how it is stored."""
    store, run_id = run.store, run.job.run_id
    sentence = Sentence(tuple(Token(word, " ", "NN") for word in WORDS))
    store.runs.begin(run_id)
    sighting = Sighting("a.txt", 5, "c", "f")
    store.documents.record(run_id, [(sighting, DocumentStatus.FOUND)])
    document, row_id = store.documents.id_of("a.txt"), store.sentences.id_of(sentence.text, "")
    layout = (SegmentLayout("paragraph", (SentencePlace(row_id, ""),)),)
    reading = Reading("txt", (), layout, {row_id: sentence}, frozenset())
    store.add_reading(run_id, document, reading)
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
    ("answer", "status", "restored", "fallback"),
    [
        (EXACT, SentenceStatus.DONE, 3, 0),
        (NEAR, SentenceStatus.DONE, 3, 2),
        (LOST, SentenceStatus.NEW, 2, 1),
    ],
)
def test_each_sentence_keeps_what_was_found_exactly_by_a_near_form_and_not_at_all(
    run: Run, answer: str, status: SentenceStatus, restored: int, fallback: int
) -> None:
    counted, stored = decoded(run, answer)
    assert counted == Counted(documents=1, sentences=1, again=status is SentenceStatus.NEW)
    assert stored.status is status
    assert (stored.to_restore, stored.restored, stored.fallback) == (3, restored, fallback)


@pytest.mark.parametrize("table", ["sentences", "documents", "run"])
def test_what_a_near_form_restored_is_counted_in_every_table_of_the_report(
    run: Run, table: str
) -> None:
    decoded(run, NEAR)
    report(run)
    folder = run.job.report_folder / f"run={run.job.run_id}"
    (row,) = pq.ParquetFile(folder / f"{table}.parquet").read().to_pylist()
    assert (row["words_to_restore"], row["words_restored"], row["words_fallback"]) == (3, 3, 2)


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
