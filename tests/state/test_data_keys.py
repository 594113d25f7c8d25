"""Data keys: what opens with which, what a rotation changes, and what is gone after a purge."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from prism_core.cipher import HEADER_BYTES
from prism_core.errors import WrongKey
from prism_core.language import Sentence, Token
from prism_core.state import StatePlace
from prism_core.state.data_keys import Purpose
from prism_core.state.database import open_database
from prism_core.state.schema import SentenceStatus, data_keys, metadata
from prism_core.state.stage_records import Restoration
from prism_core.state.store import Store
from tests.child_process import KILLED, die_at_transaction, exit_code_of
from tests.state.conftest import KEY, Place
from tests.state.test_store import ENCODED, RUN, SENTENCE, TO, add

NEW = bytes(range(1, 33))
NEWER = bytes(range(2, 34))
OTHER = Sentence((Token("Bob", " ", "NNP"), Token("seeks", "", "VBZ")))


def runs_with_keys(place: Place) -> set[str]:
    with place.at.view() as connection:
        of_run = select(data_keys.c.run).where(data_keys.c.purpose == Purpose.RUN)
        return set(connection.execute(of_run).scalars())


def opened(place: Place, run: str | None = None, key: bytes = KEY) -> Store:
    store = Store.open(place.at, key, run)
    place.opened.append(store)
    return store


def translated(store: Store, path: str, sentence: Sentence = SENTENCE) -> tuple[str, str]:
    """A document whose one sentence went all the way."""
    document, row_id = add(store, path, sentence)
    store.sentences.set_encoded([(row_id, ENCODED)], "checks")
    ledger = store.requests.ledger(RUN, TO)
    ledger.sending(f"request of {path}", [row_id])
    ledger.answered(f"request of {path}", {row_id: "Clara canta"})
    store.sentences.set_restored([Restoration(row_id, SentenceStatus.DONE, "Alicia canta")])
    store.add_writing(document, path, "c", (), 0, retry=False)
    return document, row_id


def sealed_values(place: Place) -> dict[str, bytes]:
    """Every sealed value of the store, by its place."""
    database = open_database(place.folder, place.url, read_only=True)
    found: dict[str, bytes] = {}
    with database.reading() as connection:
        for table in metadata.sorted_tables:
            names = [c.name for c in table.columns if str(c.type) in ("BLOB", "BYTEA")]
            for row in connection.execute(select(table)).mappings():
                for name in names if table is not data_keys else ():
                    if row[name] is not None and "id" in row:
                        found[f"{table.name}.{name}:{row['id']}"] = bytes(row[name])
    database.close()
    return found


def key_rows(place: Place) -> list[tuple[int, str, str]]:
    database = open_database(place.folder, place.url, read_only=True)
    with database.reading() as connection:
        query = select(data_keys.c.number, data_keys.c.purpose, data_keys.c.run)
        rows = [(row.number, row.purpose, row.run) for row in connection.execute(query)]
    database.close()
    return rows


def number_of(place: Place, purpose: Purpose, run: str = "") -> int:
    [number] = [n for n, p, r in key_rows(place) if (p, r) == (purpose, run)]
    return number


def rotate(place: Place, old: bytes, new: bytes) -> None:
    place.at.admit(old, new)
    place.at.dismiss_others(new)


def test_what_a_run_makes_is_under_its_own_key_and_the_rest_is_not(place: Place) -> None:
    store = opened(place, "run-1")
    store.runs.begin(RUN)
    translated(store, "a.txt")
    mine = number_of(place, Purpose.RUN, "run-1").to_bytes(HEADER_BYTES)
    by_column = {where.split(":")[0]: value for where, value in sealed_values(place).items()}
    of_run = {name for name, value in by_column.items() if value.startswith(mine)}
    assert of_run == {
        "documents.layout",
        "sentences.annotated",
        "sentences.encoded",
        "sentences.answer",
        "sentences.decoded",
    }
    assert set(by_column) - of_run == {"documents.path", "identifiers.form"}


def test_what_a_batch_answers_is_under_the_key_of_its_run(place: Place) -> None:
    store = opened(place, "run-1")
    store.runs.begin(RUN)
    _, row_id = add(store, "a.txt")
    store.sentences.set_encoded([(row_id, ENCODED)], "checks")
    ledger = store.batches.ledger(RUN, TO, (TO.translator,))
    ledger.submitting("b" * 32, {"1" * 32: {row_id: ENCODED.text}})
    ledger.answered("1" * 32, {row_id: "Clara canta"})
    mine = number_of(place, Purpose.RUN, "run-1").to_bytes(HEADER_BYTES)
    [(_, value)] = _of_sentences(place, "answer")
    assert value.startswith(mine)


def test_a_run_that_goes_on_with_another_opens_what_that_sealed(place: Place) -> None:
    _, row_id = translated(opened(place, "run-1"), "a.txt")
    document, _ = translated(opened(place, "run-2"), "b.txt", OTHER)
    third = opened(place, "run-3")
    assert third.sentences.texts(document) != {}
    assert [row_id] == [*third.sentences.texts(third.documents.id_of("a.txt"))]
    assert len({number for number, *_ in key_rows(place)}) == len(key_rows(place)) == 5


def test_a_run_that_is_opened_twice_has_one_key(place: Place) -> None:
    opened(place, "run-1")
    opened(place, "run-1")
    assert runs_with_keys(place) == {"run-1"}


def test_after_a_rotation_the_old_key_opens_nothing_and_the_new_one_everything(
    place: Place,
) -> None:
    store = opened(place, "run-1")
    document, _ = translated(store, "a.txt")
    before = sealed_values(place)
    ids = store.documents.id_of("a.txt")
    store.close()
    rotate(place, KEY, NEW)
    with pytest.raises(WrongKey):
        Store.open(place.at, KEY)
    again = opened(place, key=NEW)
    assert [said.text for _, said in again.sentences.texts(document).values() if said] == [
        "Alicia canta"
    ]
    assert again.documents.id_of("a.txt") == ids, "else nothing unchanged is recognised"
    assert sealed_values(place) == before, "nothing is encrypted anew"


def test_no_byte_of_what_the_old_key_opened_is_left_in_the_files(tmp_path: Path) -> None:
    place = Place(tmp_path / "state")
    opened(place, "run-1").close()
    database = open_database(place.folder, None)
    with database.reading() as connection:
        wrapped = [bytes(one) for one in connection.execute(select(data_keys.c.wrapped)).scalars()]
    assert len(wrapped) == 3
    assert all(any(one in path.read_bytes() for path in place.folder.iterdir()) for one in wrapped)
    rotate(place, KEY, NEW)  # the other connection is open: its log is not folded in by closing
    left = [one for one in wrapped for path in place.folder.iterdir() if one in path.read_bytes()]
    assert not left
    database.close()


def test_a_rotation_needs_the_right_key(place: Place) -> None:
    opened(place).close()
    with pytest.raises(WrongKey):
        place.at.admit(NEWER, NEW)
    with pytest.raises(WrongKey):
        place.at.dismiss_others(NEW)
    opened(place)


@pytest.mark.parametrize("key", [KEY, NEW])
def test_between_the_two_steps_either_key_opens_and_closes_the_door_behind_it(
    place: Place, key: bytes
) -> None:
    opened(place, "run-1").close()
    place.at.admit(KEY, NEW)
    assert len(place.at.user_keys()) == 2
    opened(place, key=key).close()
    with pytest.raises(WrongKey):
        opened(place, key=NEW if key == KEY else KEY)
    assert len(place.at.user_keys()) == 1


def test_a_rotation_that_was_begun_twice_is_one(place: Place) -> None:
    opened(place).close()
    place.at.admit(KEY, NEW)
    place.at.admit(KEY, NEW)
    place.at.dismiss_others(NEW)
    opened(place, key=NEW)


def test_with_the_old_key_a_copy_opens_what_it_had_and_nothing_of_later_runs(
    tmp_path: Path,
) -> None:
    place, copy = Place(tmp_path / "state"), tmp_path / "copy"
    translated(opened(place, "run-1"), "a.txt")
    place.opened.pop().close()
    _copy(place.folder, copy)
    stolen = Store.view(StatePlace(copy), KEY).cipher
    rotate(place, KEY, NEW)
    of_before = set(_of_sentences(place, "decoded"))
    translated(opened(place, "run-2", NEW), "b.txt", OTHER)
    [(where, before)] = of_before
    [(place_of_later, later)] = set(_of_sentences(place, "decoded")) - of_before
    assert stolen.open(where, before) == b"Alicia canta"
    with pytest.raises(WrongKey):
        stolen.open(place_of_later, later)
    with pytest.raises(WrongKey):
        Store.view(StatePlace(copy), NEW)


def test_a_data_key_does_not_open_in_the_place_of_another(place: Place) -> None:
    opened(place, "run-1").close()
    place.ask("UPDATE data_keys SET purpose = 'content' WHERE purpose = 'run'")
    with pytest.raises(WrongKey):
        opened(place)


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("number", [1, 2])
def test_a_rotation_that_is_killed_leaves_a_store_that_opens(
    tmp_path: Path, number: int, committed: bool
) -> None:
    place = Place(tmp_path / "state")
    opened(place, "run-1").close()
    assert _killed(lambda: rotate(place, KEY, NEW), number, committed)
    in_place = KEY if number == 1 else NEW  # the command puts NEW in its place between the two
    opened(place, key=in_place).close()
    rotate(place, in_place, NEWER)
    opened(place, key=NEWER)


def test_without_the_key_of_the_run_the_users_key_opens_nothing_of_it(tmp_path: Path) -> None:
    """Of values that survived somewhere: here, those taken out before the key was destroyed."""
    place = Place(tmp_path / "state")
    translated(opened(place, "run-1"), "a.txt")
    values = _of_sentences(place, "encoded") + _of_sentences(place, "decoded")
    assert len(values) == 2
    place.at.purge_old(0)
    cipher = opened(place).cipher
    for where, value in values:
        with pytest.raises(WrongKey, match="the data key was destroyed"):
            cipher.open(where, value)


def test_a_backup_opens_until_its_key_is_replaced_and_destroyed(tmp_path: Path) -> None:
    place, backup = Place(tmp_path / "state"), tmp_path / "backup"
    translated(opened(place, "run-1"), "a.txt")
    place.opened.pop().close()
    _copy(place.folder, backup)
    place.at.purge_old(0)
    rotate(place, KEY, NEW)
    store = Store.view(StatePlace(backup), KEY)
    assert _texts(store) == ["Alicia canta"], "it holds the data key, wrapped by the old key"
    store.close()
    with pytest.raises(WrongKey):
        Store.view(StatePlace(backup), NEW)


def test_a_purge_destroys_the_keys_of_runs_of_which_nothing_is_left(place: Place) -> None:
    translated(opened(place, "run-1"), "a.txt")
    later = opened(place, "run-2")
    add(later, "b.txt", OTHER)
    opened(place, "run-3")
    place.at.purge_old(0)
    assert runs_with_keys(place) == {"run-2"}


def test_numbers_in_the_values_cannot_be_moved_to_another_row(place: Place) -> None:
    _, row_id = translated(opened(place, "run-1"), "a.txt")
    cipher = opened(place).cipher
    [(where, value)] = _of_sentences(place, "decoded")
    assert cipher.open(where, value) == b"Alicia canta"
    for wrong in (f"sentences.answer:{row_id}", f"sentences.decoded:{'0' * 32}"):
        with pytest.raises(WrongKey):
            cipher.open(wrong, value)


def _copy(folder: Path, into: Path) -> None:
    into.mkdir()
    (into / "state.db").write_bytes((folder / "state.db").read_bytes())


def _of_sentences(place: Place, column: str) -> list[tuple[str, bytes]]:
    values = sealed_values(place).items()
    return [(where, value) for where, value in values if f"sentences.{column}:" in where]


def _texts(store: Store) -> list[str]:
    every = (row for run in (RUN,) for row in store.documents.of_run(run))
    texts = (store.sentences.texts(document.id) for document in every)
    return [said.text for found in texts for _, said in found.values() if said]


def _killed(work: Callable[[], object], number: int, committed: bool) -> bool:
    """Do ``work`` in a process that is killed at its transaction ``number``; whether it was."""

    def child() -> None:
        die_at_transaction(number, committed=committed)
        work()

    return exit_code_of(child) == KILLED
