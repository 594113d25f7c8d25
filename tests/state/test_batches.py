"""Batches on record: what is in one survives, says nothing, and is never taken for another text."""

from __future__ import annotations

from dataclasses import replace

from prism_core.state.batch_ledger import RunBatchLedger
from prism_core.state.request_ledger import Destination
from prism_core.state.schema import SentenceStatus
from prism_core.state.store import Store
from tests.state.conftest import Place
from tests.state.test_store import ENCODED, RUN, add

TO = Destination("openai-batch", "api.example.org", "a" * 32)
TEXT = ENCODED.text


def encoded(store: Store, name: str = "a.txt") -> str:
    """A sentence that waits to be sent."""
    store.runs.begin(RUN)
    row_id = add(store, name)[1]
    store.sentences.set_encoded([(row_id, ENCODED)], "checks")
    return row_id


def ledger(store: Store, run: str = RUN, to: Destination = TO) -> RunBatchLedger:
    return store.batches.ledger(run, to, (to.translator,))


def test_a_batch_and_its_requests_are_recorded_together(place: Place) -> None:
    store = place.open()
    row_id = encoded(store)
    ledger(store).submitting("b" * 32, {"1" * 32: {row_id: TEXT}})
    (batch,) = ledger(place.open()).under_way()
    assert (batch.id, batch.batch, list(batch.requests)) == ("b" * 32, "", ["1" * 32])
    assert store.sentences.count(RUN) == {SentenceStatus.SENT: 1}
    assert place.ask("SELECT texts, status FROM requests") == ["1|unanswered"]
    ledger(store).submitted("b" * 32, "batch_7")
    assert next(iter(ledger(place.open()).under_way())).batch == "batch_7"
    assert store.batches.count() == 1


def test_nothing_in_the_table_names_a_sentence_or_its_text(place: Place) -> None:
    store = place.open()
    row_id = encoded(store)
    ledger(store).submitting("b" * 32, {"1" * 32: {row_id: TEXT}})
    (row,) = place.ask("SELECT id, status, endpoint, requests FROM batches")
    assert row_id not in row
    assert ledger(store).mark(TEXT) not in row
    assert TEXT not in row


def test_the_texts_of_a_batch_are_given_only_as_they_were_sent(place: Place) -> None:
    store = place.open()
    row_id = encoded(store)
    book = ledger(store)
    book.submitting("b" * 32, {"1" * 32: {row_id: TEXT}})
    assert book.texts("b" * 32) == {"1" * 32: {row_id: TEXT}}
    book.submitting("c" * 32, {"2" * 32: {row_id: "another encoding of it"}})
    assert book.texts("c" * 32) == {}


def test_a_batch_is_unwanted_under_other_settings_or_when_all_of_it_is_settled(
    place: Place,
) -> None:
    store = place.open()
    row_id = encoded(store)
    book = ledger(store)
    book.submitting("b" * 32, {"1" * 32: {row_id: TEXT}})
    assert list(book.unwanted()) == []
    other = ledger(store, to=replace(TO, translator="e" * 32))
    assert [one.id for one in other.unwanted()] == ["b" * 32]
    assert list(ledger(store, to=replace(TO, endpoint="elsewhere")).unwanted()) == []
    book.answered("1" * 32, {row_id: "una respuesta"})
    assert [one.id for one in book.unwanted()] == ["b" * 32]


def test_the_run_that_collects_a_batch_reports_its_requests(place: Place) -> None:
    store = place.open()
    row_id = encoded(store)
    ledger(store).submitting("b" * 32, {"1" * 32: {row_id: TEXT}})
    ledger(store, "later").adopt()
    assert [one.id for one in store.requests.of_run("later")] == ["1" * 32]
    assert list(store.requests.of_run(RUN)) == []


def test_a_closed_batch_is_a_leftover_until_it_is_forgotten(place: Place) -> None:
    store = place.open()
    row_id = encoded(store)
    book = ledger(store)
    book.submitting("b" * 32, {"1" * 32: {row_id: TEXT}})
    book.closed("b" * 32, "interrupted")
    assert place.ask("SELECT status FROM requests") == ["interrupted"]
    assert (list(book.under_way()), store.batches.count()) == ([], 0)
    assert [one.id for one in book.leftovers()] == ["b" * 32]
    book.forgotten("b" * 32)
    assert list(book.leftovers()) == []
