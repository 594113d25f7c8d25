"""Formulas are told by keyed numbers of places, in either kind of database."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from prism_core.language import Sentence, Token
from prism_core.record import Encoded, Fate
from prism_core.state import (
    Destination,
    DocumentStatus,
    PackedSentences,
    Reading,
    SegmentLayout,
    SentencePlace,
    SentenceStatus,
    Sighting,
    Store,
)
from prism_core.state.recurring_contexts import RECURRING
from tests.state.conftest import Place

RUN = "r1"


def add(store: Store, path: str, contexts: Mapping[str, Sequence[str]]) -> list[str]:
    """Store and encode a document of one-word sentences with their contexts; gives their ids."""
    store.documents.record(RUN, [(Sighting(path, 5, "c", "f"), DocumentStatus.FOUND)])
    ids = {store.sentences.id_of(word, "en-es"): word for word in contexts}
    sentences = {row_id: Sentence((Token(word, "", "NN"),)) for row_id, word in ids.items()}
    places = tuple(SentencePlace(row_id, " ") for row_id in sentences)
    layout = (SegmentLayout("paragraph", places),)
    reading = Reading("txt", (), layout, PackedSentences(sentences), frozenset())
    store.add_readings(RUN, {store.documents.id_of(path): reading})
    store.formulas.mark({row_id: contexts[word] for row_id, word in ids.items()})
    sent = Encoded("x", (), (Fate.KEPT,))
    store.sentences.set_encoded([(row_id, sent) for row_id in ids], "checks")
    return list(ids)


def withheld(store: Store, path: str) -> int:
    found = store.sentences.of_document(store.documents.id_of(path)).values()
    return sum(one.status is SentenceStatus.WITHHELD and one.reason == RECURRING for one in found)


def judge(store: Store, *paths: str, least: int = 2) -> list[int]:
    chunk = tuple(store.documents.id_of(path) for path in paths)
    assert store.formulas.withhold(chunk, least) == sum(withheld(store, p) for p in paths)
    return [withheld(store, path) for path in paths]


def test_half_of_the_words_in_known_places_make_a_formula(place: Place) -> None:
    store = place.open()
    add(store, "a.txt", {"one": ["x", "y"], "two": ["z", "u", "v"], "three": []})
    add(store, "b.txt", {"four": ["x", "w"], "five": ["z"]})
    assert judge(store, "a.txt", "b.txt") == [1, 2]


def test_several_sentences_of_one_document_are_none(place: Place) -> None:
    store = place.open()
    add(store, "a.txt", {"one": ["x"], "two": ["x"], "three": ["x"]})
    assert judge(store, "a.txt") == [0]


def test_it_takes_as_many_documents_as_are_asked_for(place: Place) -> None:
    store = place.open()
    for number in range(3):
        add(store, f"{number}.txt", {f"word{number}": ["x"]})
    assert judge(store, "0.txt", least=4) == [0]
    assert judge(store, "0.txt", least=3) == [1]


def test_what_was_sent_is_not_withheld(place: Place) -> None:
    store = place.open()
    ids = add(store, "a.txt", {"one": ["x"]})
    add(store, "b.txt", {"two": ["x"]})
    store.requests.ledger(RUN, Destination("fake", "localhost", "t1")).sending("r1", ids)
    assert judge(store, "a.txt", "b.txt") == [0, 1]


def test_what_is_released_is_encoded_anew(place: Place) -> None:
    store = place.open()
    add(store, "a.txt", {"one": ["x"]})
    add(store, "b.txt", {"two": ["x"]})
    assert judge(store, "a.txt", "b.txt") == [1, 1]
    store.formulas.release("another")
    assert [withheld(store, path) for path in ("a.txt", "b.txt")] == [1, 1]
    store.formulas.release(RUN)
    assert [withheld(store, path) for path in ("a.txt", "b.txt")] == [0, 0]


def test_a_document_that_is_destroyed_counts_no_more(place: Place) -> None:
    store = place.open()
    add(store, "a.txt", {"one": ["x"]})
    add(store, "b.txt", {"two": ["x"]})
    store.prune(RUN, store.documents.id_of("b.txt"), ("en", "es"))
    assert judge(store, "a.txt") == [0]
