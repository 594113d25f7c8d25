"""Encodings beside the first, as the store grants them."""

from __future__ import annotations

import pytest

from prism_core.language import Sentence, Token
from prism_core.record import Encoded
from prism_core.state.schema import SentenceStatus
from prism_core.state.stage_records import Restoration
from prism_core.state.store import Store
from tests.state.conftest import Place
from tests.state.test_store import ENCODED, RUN, TO, add


@pytest.fixture
def store(place: Place) -> Store:
    opened = place.open()
    opened.runs.begin(RUN)
    return opened


def test_what_may_not_be_drawn_anew_keeps_what_was_sent_and_takes_no_room(store: Store) -> None:
    document, row_id = add(store)
    _, other = add(store, "b.txt", Sentence((Token("hides", "", "VBZ"),)))
    store.sentences.set_encoded([(row_id, ENCODED), (other, ENCODED)], "c1")
    ledger = store.requests.ledger(RUN, TO)
    ledger.sending("r1", [row_id, other])
    ledger.answered("r1", {row_id: "canta", other: "canta"})
    store.sentences.set_restored(
        [Restoration(each, SentenceStatus.NEW) for each in (row_id, other)]
    )
    refused, drawn = Encoded("", (), (), withheld="unrestored"), Encoded("Nora sings", (), ())
    store.redraws.grant(RUN, [(row_id, refused), (other, drawn)], "c1", lambda _: 1, "spent")
    stored = store.sentences.of_document(document)[row_id]
    assert (stored.status, stored.reason) == (SentenceStatus.WITHHELD, "unrestored")
    assert stored.encoded == ENCODED
    waiting = store.documents.id_of("b.txt")
    assert store.sentences.to_send([(document, waiting)]) == [(other, "Nora sings")]
