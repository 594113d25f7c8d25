"""Sentences that a memory settles, in either kind of database: where they come from and go to."""

from __future__ import annotations

import pytest

from prism_core.alignment import Translation
from prism_core.language import Sentence, Token
from prism_core.record import Encoded, Fate, Kind, Replacement
from prism_core.state.request_ledger import Destination
from prism_core.state.schema import DocumentStatus, SentenceStatus
from prism_core.state.sealed_columns import PackedSentences, SegmentLayout, SentencePlace
from prism_core.state.settled_here import RecallCandidate
from prism_core.state.stage_records import Reading, Restoration, Sighting
from prism_core.state.store import Store
from prism_core.translation_memory import Translated
from tests.state.conftest import Place

RUN = "run-1"
WORDS = ("new", "encoded", "sent", "withheld", "answered", "done")
BEFORE = ("new", "encoded", "sent", "withheld")
"""Those that have no answer."""


@pytest.fixture
def store(place: Place) -> Store:
    """One document, with a sentence in each of ``WORDS``."""
    opened = place.open()
    opened.runs.begin(RUN)
    opened.documents.record(RUN, [(Sighting("a.txt", 5, "c", "f"), DocumentStatus.FOUND)])
    sentences = {id_of(opened, word): Sentence((Token(word, "", "NN"),)) for word in WORDS}
    layout = (SegmentLayout("paragraph", tuple(SentencePlace(one, " ") for one in sentences)),)
    reading = Reading("txt", (), layout, PackedSentences(sentences), frozenset())
    opened.add_readings(RUN, {opened.documents.id_of("a.txt"): reading})
    encoded = Encoded("x", (Replacement(0, 1, "w", "x", Kind.WORD, "NN"),), (Fate.REPLACED,))
    withheld = Encoded("", (), (Fate.KEPT,), withheld="leak")
    given = {word: withheld if word == "withheld" else encoded for word in WORDS[1:]}
    rows = [(id_of(opened, word), one) for word, one in given.items()]
    opened.sentences.set_encoded(rows, "checks")
    to = Destination("fake", "localhost", "t")
    for request, word in enumerate(("sent", "answered", "done")):
        opened.requests.ledger(RUN, to).sending(f"r{request}", [id_of(opened, word)])
        if word != "sent":
            opened.requests.ledger(RUN, to).answered(f"r{request}", {id_of(opened, word): "y"})
    done = Restoration(id_of(opened, "done"), SentenceStatus.DONE, text="hecho", to_restore=1)
    opened.sentences.set_restored([done])
    return opened


def id_of(store: Store, word: str) -> str:
    return store.sentences.id_of(word, "")


def statuses(store: Store) -> dict[str, tuple[str, str]]:
    found = store.sentences.of_document(store.documents.id_of("a.txt"))
    by_word = {word: found[id_of(store, word)] for word in WORDS}
    return {word: (one.status.value, one.reason) for word, one in by_word.items()}


def candidates(store: Store, *, all_unanswered: bool) -> list[RecallCandidate]:
    pages = store.recalled.candidates(RUN, all_unanswered=all_unanswered)
    return [one for page in pages for one in page]


def test_what_has_no_answer_is_looked_up_and_nothing_else(store: Store) -> None:
    found = candidates(store, all_unanswered=True)
    assert sorted(one.text for one in found) == sorted(BEFORE)
    assert not any(one.settled for one in found)
    assert candidates(store, all_unanswered=False) == []


def test_what_is_settled_is_done_and_goes_back_to_where_it_was(store: Store) -> None:
    before = statuses(store)
    store.recalled.settle({id_of(store, word): Translation(f"«{word}»") for word in BEFORE})
    assert {statuses(store)[word] for word in BEFORE} == {("recalled", "")}
    assert {statuses(store)[word] for word in ("answered", "done")} == {
        ("answered", ""),
        ("done", ""),
    }
    texts = store.sentences.texts(store.documents.id_of("a.txt"))
    said = {texts[id_of(store, word)][1] for word in BEFORE}
    assert {one.text for one in said if one} == {f"«{word}»" for word in BEFORE}
    settled = candidates(store, all_unanswered=False)
    assert {one.text for one in settled if one.settled} == set(BEFORE)
    assert store.sentences.count(RUN).get(SentenceStatus.RECALLED, 0) == len(BEFORE)
    store.recalled.release(one.id for one in settled)
    assert statuses(store) == before
    assert before["withheld"] == ("withheld", "leak")
    assert store.sentences.count(RUN).get(SentenceStatus.RECALLED, 0) == 0


def test_a_memory_is_made_of_what_was_restored_or_recalled_in_documents_that_are_written(
    store: Store,
) -> None:
    store.recalled.settle({id_of(store, "new"): Translation("nuevo")})
    assert list(store.recalled.finished_sentences(RUN)) == []
    document = store.documents.id_of("a.txt")
    store.add_writing(document, "a.txt", "c", (), 0, retry=False)
    finished = Translated("new", "nuevo", 0, "", is_machine=False)
    assert list(store.recalled.finished_sentences(RUN)) == [finished]
    assert list(store.recalled.finished_sentences("another")) == []
