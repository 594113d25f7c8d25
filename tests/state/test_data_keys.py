"""Data keys: what opens with which, what a rotation changes, and what is gone with a run's key."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select

from prism_core.cipher import HEADER_BYTES, Cipher
from prism_core.errors import ConfigurationError, WrongKey
from prism_core.language.sentence import Sentence, Token
from prism_core.state import reencryption
from prism_core.state.data_keys import Purpose
from prism_core.state.database import open_database
from prism_core.state.decoys import Decoy
from prism_core.state.purging import purge_old
from prism_core.state.reencryption import encrypt_anew, needs_it
from prism_core.state.rotation import admit, dismiss_others, keys_of
from prism_core.state.schema import DocumentStatus, SentenceStatus, data_keys, metadata
from prism_core.state.sentences import Restoration
from prism_core.state.shredding import run_keys, shred, would_shred
from prism_core.state.store import Store, Written
from tests.child_process import KILLED, die_at_transaction, exit_code_of
from tests.state.conftest import KEY, Place
from tests.state.test_migrations import DOCUMENT_ID, write_version_2
from tests.state.test_store import ENCODED, RUN, SENTENCE, TO, add

NEW = bytes(range(1, 33))
NEWER = bytes(range(2, 34))
OTHER = Sentence((Token("Bob", " ", "NNP"), Token("seeks", "", "VBZ")))


def opened(place: Place, run: str | None = None, key: bytes = KEY) -> Store:
    store = Store.open(place.folder, key, place.url, run)
    place.opened.append(store)
    return store


def translated(store: Store, path: str, sentence: Sentence = SENTENCE) -> tuple[str, str]:
    """A document whose one sentence went all the way."""
    document, row_id = add(store, path, sentence)
    store.sentences.set_encoded([(row_id, ENCODED)], "checks")
    store.requests.sending(RUN, TO, f"request of {path}", [row_id])
    store.requests.answered(f"request of {path}", {row_id: "Clara canta"})
    store.sentences.set_restored([Restoration(row_id, SentenceStatus.DONE, "Alicia canta")])
    store.add_writing(document, path, Written("c", (), 0, retry=False))
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
    admit(place.folder, place.url, old, new)
    dismiss_others(place.folder, place.url, new)


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


def test_a_run_that_goes_on_with_another_opens_what_that_sealed(place: Place) -> None:
    _, row_id = translated(opened(place, "run-1"), "a.txt")
    document, _ = translated(opened(place, "run-2"), "b.txt", OTHER)
    third = opened(place, "run-3")
    assert third.sentences.texts(document) != {}
    assert [row_id] == [*third.sentences.texts(third.documents.id_of("a.txt"))]
    assert len({number for number, *_ in key_rows(place)}) == len(key_rows(place)) == 6


def test_a_run_that_is_opened_twice_has_one_key(place: Place) -> None:
    opened(place, "run-1")
    opened(place, "run-1")
    assert [one.run for one in run_keys(place.folder, place.url)] == ["run-1"]


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
        Store.open(place.folder, KEY, place.url)
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
        query = select(data_keys.c.wrapped).where(data_keys.c.purpose == Purpose.MASTER)
        wrapped = bytes(connection.execute(query).scalar_one())
    assert any(wrapped in path.read_bytes() for path in place.folder.iterdir())
    rotate(place, KEY, NEW)  # the other connection is open: its log is not folded in by closing
    assert not any(wrapped in path.read_bytes() for path in place.folder.iterdir())
    database.close()


def test_a_rotation_needs_the_right_key(place: Place) -> None:
    opened(place).close()
    with pytest.raises(WrongKey):
        admit(place.folder, place.url, NEWER, NEW)
    with pytest.raises(WrongKey):
        dismiss_others(place.folder, place.url, NEW)
    opened(place)


@pytest.mark.parametrize("key", [KEY, NEW])
def test_between_the_two_steps_either_key_opens_and_closes_the_door_behind_it(
    place: Place, key: bytes
) -> None:
    opened(place, "run-1").close()
    admit(place.folder, place.url, KEY, NEW)
    assert len(keys_of(place.folder, place.url)) == 2
    opened(place, key=key).close()
    with pytest.raises(WrongKey):
        opened(place, key=NEW if key == KEY else KEY)
    assert len(keys_of(place.folder, place.url)) == 1


def test_a_rotation_that_was_begun_twice_is_one(place: Place) -> None:
    opened(place).close()
    admit(place.folder, place.url, KEY, NEW)
    admit(place.folder, place.url, KEY, NEW)
    dismiss_others(place.folder, place.url, NEW)
    opened(place, key=NEW)


def test_a_copy_from_before_a_rotation_opens_with_the_old_key_alone(tmp_path: Path) -> None:
    """And with its keys, until a deep rotation, so does the store of today: hence there is one."""
    place, copy = Place(tmp_path / "state"), tmp_path / "copy"
    store = opened(place, "run-1")
    translated(store, "a.txt")
    store.close()
    _copy(place.folder, copy)
    stolen = Store.view(copy, KEY).cipher
    rotate(place, KEY, NEW)
    [(where, value)] = _of_sentences(place, "decoded")
    assert stolen.open(where, value) == b"Alicia canta"
    encrypt_anew(place.folder, None, NEW)
    [(where, value)] = _of_sentences(place, "decoded")
    with pytest.raises(WrongKey):
        stolen.open(where, value)
    with pytest.raises(WrongKey):
        Store.view(copy, NEW)


def test_a_deep_rotation_seals_every_value_anew_and_changes_nothing_else(place: Place) -> None:
    store = opened(place, "run-1")
    document, _ = translated(store, "a.txt")
    store.keep_job(b"the job")
    before, keys = sealed_values(place), {number for number, *_ in key_rows(place)}
    store.close()
    count = encrypt_anew(place.folder, place.url, KEY)
    after = sealed_values(place)
    assert count == len(before) + 1  # and the job
    assert after.keys() == before.keys()
    assert not [where for where in before if before[where] == after[where]]
    again = opened(place)
    assert again.kept_job() == b"the job"
    said = [one.text for _, one in again.sentences.texts(document).values() if one]
    assert said == ["Alicia canta"]
    left = keys & {number for number, *_ in key_rows(place)}
    assert left == {number_of(place, Purpose.IDS)}
    assert [one.run for one in run_keys(place.folder, place.url)] == ["run-1"]


def test_what_was_sealed_before_there_were_data_keys_opens_and_is_encrypted_anew(
    place: Place,
) -> None:
    write_version_2(place)
    store = opened(place, "run-9")
    [[one]] = store.sentences.answered((DOCUMENT_ID,))
    assert one.answer == "Clara canta"
    store.close()
    assert needs_it(place.folder, place.url)
    rotate(place, KEY, NEW)
    old = Cipher(KEY, bytes(range(16)))
    [(where, value)] = _of_sentences(place, "answer")
    assert old.open(where, value) == b"Clara canta", "the old key still opens it by itself"
    encrypt_anew(place.folder, place.url, NEW)
    [(where, value)] = _of_sentences(place, "answer")
    with pytest.raises(WrongKey):
        old.open(where, value)
    assert not needs_it(place.folder, place.url)
    [[one]] = opened(place, key=NEW).sentences.answered((DOCUMENT_ID,))
    assert one.answer == "Clara canta"


@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("number", [1, 5])
def test_a_deep_rotation_that_is_killed_goes_on_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int, committed: bool
) -> None:
    monkeypatch.setattr(reencryption, "_BATCH", 3)
    place = Place(tmp_path / "state")
    store = opened(place, "run-1")
    words = [Sentence((Token(f"word{n}", "", "NN"),)) for n in range(9)]
    for n, sentence in enumerate(words):
        translated(store, f"{n}.txt", sentence)
    store.close()
    assert _killed(lambda: encrypt_anew(place.folder, None, KEY), number, committed)
    between = opened(place)
    assert len(_texts(between)) == 9, "a store in between is as good as any"
    between.close()
    encrypt_anew(place.folder, None, KEY)
    assert len(_texts(opened(place))) == 9
    assert not [p for _, p, _ in key_rows(place) if p == Purpose.RETIRED]


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


def test_with_the_key_of_a_run_goes_all_that_it_sealed(place: Place) -> None:
    first = opened(place, "run-1")
    first.runs.begin(RUN)
    old, _ = translated(first, "a.txt")
    second = opened(place, "run-2")
    new, kept = translated(second, "b.txt", OTHER)
    shared, _ = add(second, "shared.txt", SENTENCE)
    expected = would_shred(place.folder, place.url, "run-1")
    assert (expected.sentences, expected.documents, expected.documents_waiting) == (1, 2, 1)
    assert shred(place.folder, place.url, "run-1") == expected
    third = opened(place)
    assert third.sentences.texts(old) == {}
    assert [*third.sentences.texts(new)] == [kept]
    statuses = {one.id: one.status for one in third.documents.fetch([old, new, shared])}
    assert statuses == {
        old: DocumentStatus.WRITTEN,
        new: DocumentStatus.WRITTEN,
        shared: DocumentStatus.FOUND,
    }
    assert [one.run for one in run_keys(place.folder, place.url)] == ["run-2"]
    with pytest.raises(ConfigurationError, match="no data key of a run run-1"):
        shred(place.folder, place.url, "run-1")


def test_a_document_that_is_read_again_after_it_has_its_sentence_again(place: Place) -> None:
    document, row_id = translated(opened(place, "run-1"), "a.txt")
    shred(place.folder, place.url, "run-1")
    store = opened(place, "run-2")
    assert add(store, "a.txt") == (document, row_id)
    assert store.sentences.count(RUN) == {SentenceStatus.NEW: 1}


def test_decoys_go_with_the_key_of_their_run_and_are_not_used_twice(place: Place) -> None:
    store = opened(place, "run-1")
    document, _ = translated(store, "a.txt")
    row_id = store.decoys.id_of("Bob seeks")
    store.decoys.add(RUN, [Decoy(row_id, document, OTHER, ENCODED)], "checks")
    assert shred(place.folder, place.url, "run-1").sentences == 2
    assert opened(place).decoys.used([row_id]) == {row_id}
    assert place.ask("SELECT count(*) FROM sentences") == ["0"]


def test_without_the_key_of_the_run_the_users_key_opens_nothing_of_it(tmp_path: Path) -> None:
    """Of values that survived somewhere: here, those taken out before the key was destroyed."""
    place = Place(tmp_path / "state")
    translated(opened(place, "run-1"), "a.txt")
    values = _of_sentences(place, "encoded") + _of_sentences(place, "decoded")
    assert len(values) == 2
    shred(place.folder, None, "run-1")
    cipher = opened(place).cipher
    for where, value in values:
        with pytest.raises(WrongKey, match="its data key was destroyed"):
            cipher.open(where, value)


def test_a_backup_opens_until_its_key_is_replaced_and_destroyed(tmp_path: Path) -> None:
    place, backup = Place(tmp_path / "state"), tmp_path / "backup"
    translated(opened(place, "run-1"), "a.txt")
    place.opened.pop().close()
    _copy(place.folder, backup)
    shred(place.folder, None, "run-1")
    rotate(place, KEY, NEW)
    store = Store.view(backup, KEY)
    assert _texts(store) == ["Alicia canta"], "it holds the data key, wrapped by the old key"
    store.close()
    with pytest.raises(WrongKey):
        Store.view(backup, NEW)


def test_a_purge_destroys_the_keys_of_runs_of_which_nothing_is_left(place: Place) -> None:
    translated(opened(place, "run-1"), "a.txt")
    later = opened(place, "run-2")
    add(later, "b.txt", OTHER)
    opened(place, "run-3")
    purge_old(place.folder, place.url, 0)
    assert [one.run for one in run_keys(place.folder, place.url)] == ["run-2"]


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
