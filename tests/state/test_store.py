"""The store: what it refuses to open, and what it guarantees row by row."""

from __future__ import annotations

import secrets
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from prism_core.alignment import Match, Translation
from prism_core.errors import DocumentError, DocumentFailure, StateError, WrongKey
from prism_core.language import Sentence, Token
from prism_core.record import Encoded, Fate, Kind, Replacement
from prism_core.state import Claim, Part, StatePlace
from prism_core.state.request_ledger import Destination
from prism_core.state.schema import DocumentStatus, SentenceStatus
from prism_core.state.sealed_columns import PackedSentences, SegmentLayout, SentencePlace
from prism_core.state.stage_records import Reading, Restoration, Sighting
from prism_core.state.store import Store
from tests.state.conftest import KEY, Place

RUN = "run-1"
TO = Destination("fake", "localhost", "t1")
SENTENCE = Sentence((Token("Alice", " ", "NNP", entity="PER"), Token("hides", "", "VBZ")))
ENCODED = Encoded(
    "Clara sings",
    (Replacement(0, 1, "Alice", "Clara", Kind.NAME, "PER"),),
    (Fate.IDENTIFIER, Fate.KEPT),
)


@pytest.fixture
def store(place: Place) -> Store:
    opened = place.open()
    opened.runs.begin(RUN)
    return opened


@pytest.fixture
def file_store(tmp_path: Path) -> Iterator[Store]:
    """One in a file, for what can only go wrong there."""
    opened = Store.open(StatePlace(tmp_path / "state"), KEY)
    opened.runs.begin(RUN)
    yield opened
    opened.close()


def add(store: Store, path: str = "a.txt", sentence: Sentence = SENTENCE) -> tuple[str, str]:
    """A document with one sentence; the ids of both."""
    store.documents.record(RUN, [(Sighting(path, 5, "c", "f"), DocumentStatus.FOUND)])
    document, row_id = store.documents.id_of(path), store.sentences.id_of(sentence.text, "en-es")
    layout = (SegmentLayout("paragraph", (SentencePlace(row_id, " "), "!")),)
    found = PackedSentences({row_id: sentence})
    reading = Reading("txt", ("n",), layout, found, frozenset({"Alice"}))
    store.add_readings(RUN, {document: reading})
    return document, row_id


def status_of(store: Store, document: str, row_id: str) -> SentenceStatus:
    return store.sentences.of_document(document)[row_id].status


def test_the_store_is_for_its_owner_alone(tmp_path: Path, file_store: Store) -> None:
    assert stat.S_IMODE((tmp_path / "state").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "state" / "state.db").stat().st_mode) == 0o600


def test_another_key_does_not_open_it(place: Place, store: Store) -> None:
    store.close()
    with pytest.raises(WrongKey):
        place.open(bytes(32))


def test_a_damaged_database_is_said_to_be_damaged(tmp_path: Path, file_store: Store) -> None:
    file_store.close()
    (tmp_path / "state" / "state.db").write_bytes(b"no database" * 1000)
    with pytest.raises(StateError, match="damaged"):
        Store.open(StatePlace(tmp_path / "state"), KEY)


def test_a_state_folder_that_cannot_be_made_is_a_state_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(StateError, match="cannot be made"):
        Store.open(StatePlace(tmp_path / "file" / "state"), KEY)


def test_a_full_disk_is_a_state_error_without_any_content(file_store: Store) -> None:
    with file_store._database.writing() as connection:
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count={pages + 2}")
    long = Sentence(tuple(Token(f"Secretive{n}", "", secrets.token_hex(99)) for n in range(999)))
    with pytest.raises(StateError, match="full") as error:
        add(file_store, "long.txt", long)
    assert "Secretive" not in repr(error.value)
    assert error.value.__cause__ is None
    assert error.value.__context__ is None or error.value.__suppress_context__


def test_a_document_is_stored_whole_and_sealed(place: Place, store: Store) -> None:
    document, row_id = add(store, "case of Alice.txt")
    stored = store.documents.fetch([document])[0]
    assert (stored.path, stored.output, stored.format) == ("case of Alice.txt", None, "txt")
    assert (stored.status, stored.sentences, stored.notices) == (DocumentStatus.READ, 1, ("n",))
    (segment,) = store.documents.layout(document)
    assert segment.pieces == (SentencePlace(row_id, " "), "!")
    assert list(store.identifiers) == ["Alice"]
    for path in place.folder.iterdir():
        assert b"Alice" not in path.read_bytes()
    for table in ("documents", "sentences", "document_sentences", "identifiers", "meta"):
        rows = place.ask(f"SELECT * FROM {table}")  # noqa: S608
        assert rows
        assert not any("Alice" in row or b"Alice".hex() in row for row in rows)


def test_names_that_are_no_unicode_survive(store: Store) -> None:
    document, _ = add(store, "caf\udce9.txt")
    assert store.documents.fetch([document])[0].path == "caf\udce9.txt"


@pytest.mark.parametrize("first", [0, 1])
def test_the_annotation_of_a_sentence_does_not_depend_on_which_document_is_read_first(
    store: Store, first: int
) -> None:
    other = Sentence((Token("Alice", " ", "NN"), Token("hides", "", "NNS")))
    both = [SENTENCE, other]
    document, row_id = add(store, "a.txt", both[first])
    add(store, "b.txt", both[1 - first])
    [batch] = store.sentences.to_encode((document,), "c1")
    assert batch == [(row_id, other)]


def test_a_sentence_that_was_encoded_keeps_its_annotation(store: Store) -> None:
    document, row_id = add(store)
    store.sentences.set_encoded([(row_id, ENCODED)], "c1")
    add(store, "b.txt", Sentence((Token("Alice", " ", "NN"), Token("hides", "", "NNS"))))
    [batch] = store.sentences.to_encode((document,), "c2")
    assert batch == [(row_id, SENTENCE)]


def test_an_encoding_is_kept_once_it_may_have_been_sent(store: Store) -> None:
    document, row_id = add(store)
    store.sentences.set_encoded([(row_id, ENCODED)], "c1")
    store.requests.ledger(RUN, TO).sending("r1", [row_id])
    store.sentences.set_encoded([(row_id, Encoded("Nora runs", (), ()))], "c2")
    assert list(store.sentences.to_encode((document,), "c2")) == []
    assert store.sentences.to_send([(document,)]) == [(row_id, "Clara sings")]


def test_an_encoding_that_was_not_sent_is_made_again_when_the_deny_list_grows(store: Store) -> None:
    document, row_id = add(store)
    store.sentences.set_encoded([(row_id, ENCODED)], "c1")
    assert list(store.sentences.to_encode((document,), "c1")) == []
    assert list(store.sentences.to_encode((document,), "c2")) == [[(row_id, SENTENCE)]]


def test_a_withheld_sentence_is_never_given_out_for_sending(store: Store) -> None:
    document, row_id = add(store)
    store.sentences.set_encoded([(row_id, Encoded("", (), (), withheld="leak"))], "c1")
    assert store.sentences.to_send([(document,)]) == []
    store.sentences.adopt(RUN, ["another"])
    assert status_of(store, document, row_id) is SentenceStatus.WITHHELD


def test_a_request_is_on_disk_before_it_is_sent(place: Place, store: Store) -> None:
    _, row_id = add(store)
    store.sentences.set_encoded([(row_id, ENCODED)], "c1")
    store.requests.ledger(RUN, TO).sending("r1", [row_id])
    length = len("Clara sings")
    asked = "SELECT texts, characters, status FROM requests"
    assert place.ask(asked) == [f"1|{length}|unanswered"]
    assert place.ask("SELECT status, draws, sends FROM sentences") == ["sent|1|1"]


def test_a_resent_text_counts_one_draw_and_two_sends(store: Store) -> None:
    document, row_id = add(store)
    ledger = store.requests.ledger(RUN, TO)
    store.sentences.set_encoded([(row_id, ENCODED)], "c1")
    ledger.sending("r1", [row_id])
    ledger.failed("r1", [row_id], "transient")
    ledger.sending("r2", [row_id])
    ledger.answered("r2", {row_id: "Clara canta"})
    assert store.sentences.of_document(document)[row_id].draws == 1
    first, second = store.requests.of_run(RUN)
    assert (first.status, first.again) == ("transient", False)
    assert (second.status, second.again) == ("answered", True)
    [[one]] = store.sentences.answered((document,))
    assert (one.encoded, one.answer, one.draws) == (ENCODED, Translation("Clara canta"), 1)


def test_an_answer_for_a_sentence_that_waits_for_none_is_dropped(store: Store) -> None:
    document, row_id = add(store)
    store.sentences.set_encoded([(row_id, ENCODED)], "c1")
    ledger = store.requests.ledger(RUN, TO)
    ledger.sending("r1", [row_id])
    ledger.answered("r1", {row_id: "first"})
    ledger.answered("r1", {row_id: "second"})
    [[one]] = store.sentences.answered((document,))
    assert one.answer == Translation("first")


def test_an_answer_is_kept_with_its_links_whatever_characters_it_has(store: Store) -> None:
    document, row_id = add(store)
    store.sentences.set_encoded([(row_id, ENCODED)], "c1")
    ledger = store.requests.ledger(RUN, TO)
    ledger.sending("r1", [row_id], marks=24)
    text, links = '["\ud83d", 1]', (Match((0, 5), (2, 3)), Match((6, 9), (6, 7)))
    ledger.answered("r1", {row_id: text}, {row_id: links})
    [[one]] = store.sentences.answered((document,))
    assert one.answer == Translation(text, links)
    [request] = store.requests.of_run(RUN)
    assert request.characters == len(ENCODED.text) + 24


def test_a_text_that_is_to_be_marked_is_so_until_there_is_another(store: Store) -> None:
    document, row_id = add(store)
    store.sentences.set_encoded([(row_id, ENCODED)], "c1")
    ledger = store.requests.ledger(RUN, TO)
    ledger.sending("r1", [row_id])
    ledger.answered("r1", {row_id: "first"})
    assert store.sentences.to_mark([(document,)]) == set()
    store.sentences.set_restored([Restoration(row_id, SentenceStatus.SENT, marked=True)])
    assert store.sentences.to_mark([(document,)]) == {row_id}
    ledger.sending("r2", [row_id])
    assert store.sentences.to_mark([(document,)]) == {row_id}
    ledger.answered("r2", {row_id: "second"})
    [[one]] = store.sentences.answered((document,))
    assert (one.marked, one.draws) == (True, 1)
    store.sentences.set_restored([Restoration(row_id, SentenceStatus.NEW)])
    store.sentences.set_encoded([(row_id, ENCODED)], "c1")
    ledger.sending("r3", [row_id])
    assert store.sentences.to_mark([(document,)]) == set()


def test_a_document_waits_for_its_last_sentence(store: Store) -> None:
    document, row_id = add(store)
    assert store.sentences.documents_with((document,)) == {document}
    store.sentences.set_encoded([(row_id, ENCODED)], "c1")
    store.requests.ledger(RUN, TO).sending("r1", [row_id])
    store.requests.ledger(RUN, TO).answered("r1", {row_id: "x"})
    assert store.sentences.documents_with((document,)) == {document}
    store.sentences.set_restored([Restoration(row_id, SentenceStatus.DONE, text="Alicia canta")])
    assert not store.sentences.documents_with((document,))
    assert store.sentences.texts(document) == {row_id: ("Alice hides", Translation("Alicia canta"))}


def add_many(store: Store, path: str, count: int) -> tuple[str, list[str]]:
    """A document with ``count`` different sentences; its id and theirs."""
    store.documents.record(RUN, [(Sighting(path, 5, "c", "f"), DocumentStatus.FOUND)])
    document = store.documents.id_of(path)
    texts = [f"{path} {number}" for number in range(count)]
    found = {store.sentences.id_of(t, "en-es"): Sentence((Token(t, "", "NN"),)) for t in texts}
    places = tuple(SentencePlace(row_id, " ") for row_id in found)
    layout = (SegmentLayout("paragraph", places),)
    reading = Reading("txt", (), layout, PackedSentences(found), frozenset())
    store.add_readings(RUN, {document: reading})
    return document, sorted(found)


@pytest.mark.parametrize("count", [0, 1, 500, 501, 1203])
def test_every_sentence_of_a_document_is_given_once_however_many_it_has(
    store: Store, count: int
) -> None:
    document, ids = add_many(store, "long.txt", count)
    add_many(store, "other.txt", 3)
    given = []
    for batch in store.sentences.to_encode((document,), "c1"):
        assert 0 < len(batch) <= 500
        given += [row_id for row_id, _ in batch]
        store.sentences.set_encoded([(row_id, ENCODED) for row_id, _ in batch], "c1")
    assert given == ids
    assert list(store.sentences.to_encode((document,), "c1")) == []
    assert sorted(store.sentences.texts(document)) == ids
    assert sorted(row_id for row_id, _ in store.sentences.to_send([(document,)])) == ids


def test_each_sentence_of_a_document_is_in_one_of_its_parts(store: Store) -> None:
    document, ids = add_many(store, "long.txt", 100)
    for of in (1, 2, 3, 7):
        parts = [store.sentences.to_encode((document,), "c1", Part(n, of)) for n in range(of)]
        given = [[row_id for batch in part for row_id, _ in batch] for part in parts]
        assert sorted(row_id for part in given for row_id in part) == ids
        assert of == 1 or max(map(len, given)) < 80


def test_documents_are_told_by_what_has_become_of_their_sentences(store: Store) -> None:
    waits, _ = add_many(store, "waits.txt", 1)
    done, (other_id,) = add_many(store, "done.txt", 1)
    empty, _ = add_many(store, "empty.txt", 0)
    store.sentences.set_copied({other_id: SENTENCE})
    both, new = (waits, done, empty), [SentenceStatus.NEW]
    assert store.sentences.documents_with(both) == {waits}
    assert store.sentences.documents_with(both, [SentenceStatus.DONE]) == {done}
    assert store.sentences.documents_with((done, empty), new) == set()
    assert store.sentences.documents_with((), new) == set()


def test_the_account_of_a_decoding_is_kept(store: Store) -> None:
    document, row_id = add(store)
    store.sentences.set_encoded([(row_id, ENCODED)], "c1")
    store.requests.ledger(RUN, TO).sending("r1", [row_id])
    store.requests.ledger(RUN, TO).answered("r1", {row_id: "x"})
    decoded = Restoration(
        row_id,
        SentenceStatus.NEW,
        to_restore=7,
        restored=5,
        ways={"form": 3, "near": 2},
        unsure=True,
    )
    store.sentences.set_restored([decoded])
    kept = store.sentences.of_document(document)[row_id]
    assert (kept.to_restore, kept.restored) == (7, 5)
    assert (kept.ways, kept.unsure) == ({"form": 3, "near": 2}, True)


def test_a_failed_sentence_is_tried_again_by_the_next_run_and_a_refused_one_is_not(
    store: Store,
) -> None:
    document, row_id = add(store)
    store.sentences.set_encoded([(row_id, ENCODED)], "c1")
    store.requests.ledger(RUN, TO).sending("r1", [row_id])
    store.sentences.set_unanswered([row_id], SentenceStatus.FAILED, "transient")
    assert store.sentences.to_send([(document,)]) == []
    store.sentences.adopt(RUN, [TO.translator])
    assert store.sentences.to_send([(document,)]) == [(row_id, "Clara sings")]
    store.sentences.set_unanswered([row_id], SentenceStatus.REFUSED, "rejected")
    store.sentences.adopt(RUN, [TO.translator])
    assert store.sentences.to_send([(document,)]) == []


def test_what_fails_for_the_same_reason_in_two_runs_is_told_from_the_rest(store: Store) -> None:
    document, row_id = add(store)
    store.sentences.set_encoded([(row_id, ENCODED)], "c1")

    def fail(reason: str) -> SentenceStatus:
        store.sentences.adopt(RUN, [TO.translator])
        store.sentences.set_unanswered([row_id], SentenceStatus.REFUSED, reason, twice=True)
        store.sentences.set_unanswered([row_id], SentenceStatus.FAILED, reason)
        return store.sentences.of_document(document)[row_id].status

    assert [fail("no-answer"), fail("bad-answer")] == [SentenceStatus.FAILED] * 2
    assert fail("bad-answer") is SentenceStatus.REFUSED


def test_a_failed_document_says_why(store: Store) -> None:
    document, _ = add(store)
    store.documents.set_failed(document, DocumentError(DocumentFailure.SIGNED))
    stored = store.documents.fetch([document])[0]
    assert (stored.status, stored.failure) == (DocumentStatus.FAILED, "signed")
    assert "unsigned" in stored.advice


def test_a_document_that_changed_forgets_its_old_sentences(store: Store) -> None:
    document, row_id = add(store)
    other = Sentence((Token("Gone", "", "VBN"),))
    _, other_id = add(store, sentence=other)
    assert set(store.sentences.of_document(document)) == {other_id} != {row_id}


def test_two_documents_never_share_an_output(store: Store) -> None:
    first, _ = add(store, "mail.msg")
    second, _ = add(store, "mail.msg.eml")
    name = "mail.msg.eml"
    assert not store.add_names([Claim(first, name, name)])
    assert store.add_names([Claim(second, name, name)]) == {second}
    assert store.documents.fetch([second])[0].output is None
    assert store.documents.fetch([first])[0].output == "mail.msg.eml"


@pytest.mark.parametrize("other", ["Note.txt", "NOTE.TXT", "note.txt"])
def test_spellings_are_one_name_where_the_output_folder_says_so(store: Store, other: str) -> None:
    first, _ = add(store, "a.txt")
    second, _ = add(store, "b.txt")
    store.add_names([Claim(first, "note.txt", "note.txt")], folds=True)
    assert store.add_names([Claim(second, other, other)], folds=True) == {second}
    accents = ("caf\u00e9", "cafe\u0301")
    assert not any(store.outputs.holders(accents, folds=True).values())
    both = [Claim(one, path, path) for one, path in zip((first, second), accents, strict=True)]
    assert store.add_names(both, folds=True) == {second}
    assert store.outputs.holders(accents[1:], folds=True) == {accents[1]: {first}}
    assert not store.add_names(both, folds=False)


def test_a_document_that_is_written_has_one_name_and_the_others_are_free(store: Store) -> None:
    first, _ = add(store, "a.txt")
    second, _ = add(store, "b.txt")
    for path in ("old.txt", "new.txt"):
        store.add_names([Claim(first, path, path)])
    store.add_writing(first, "new.txt", "c1", ("n",), 0, retry=False)
    [output] = store.outputs.of_document(first)
    assert (output.path, output.content) == ("new.txt", "c1")
    assert not store.add_names([Claim(second, "old.txt", "old.txt")])


def test_names_of_outputs_are_sealed(tmp_path: Path, store: Store) -> None:
    document, _ = add(store)
    store.add_names([Claim(document, "of Quibble.txt", "of Quibble.txt")])
    for path in (tmp_path / "state").iterdir():
        assert b"Quibble" not in path.read_bytes()
