import gc
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prism_core.dictionary import load_dictionary, read_dictionary, save_dictionary
from prism_core.dictionary.entry import Entry, Form
from prism_core.dictionary.preference import for_translator
from prism_core.errors import ConfigurationError
from tests.words import entry, names

ENTRIES = [entry("house", forms=["casa", "hogar"]), entry("read", "VB"), entry("read", "VBD")]

FORMS = (Form("casa", 8.5, ("she", "they")), Form("la casa", 2.25), Form("hogar", 0.5, ("she",)))
TRANSLATED = [
    Entry("house", "NN", FORMS, "f | a", 0.75, 2.5, "apertium", "packed", "2026-01-01"),
    Entry("house", "NN", FORMS[1:], "", 0.5, 0.0, "google", "corpus", "2026-01-02")._replace(
        calibrated=0.75
    ),
    Entry("ice cream", "NN", (Form("helado", 1.0),), "m", 0.25, 1.5, "google", "corpus", ""),
    Entry("podcast", "LEFT-NN", (Form("podcast", 1.0),), "", 1.0, 0.0, "apertium", "packed", ""),
]


def damage(path: Path) -> None:
    """A dictionary at ``path`` whose first page cannot be read."""
    save_dictionary(TRANSLATED, {}, path)
    content = path.read_bytes()
    path.write_bytes(content[:4] + bytes(16) + content[20:])


def test_what_is_saved_is_loaded(tmp_path) -> None:
    path = tmp_path / "d.parquet"
    save_dictionary([*ENTRIES, *names()], {"translator": "apertium"}, path)
    loaded = load_dictionary(path)
    assert {(e.word, e.tag): [f.text for f in e.forms] for e in loaded} == {
        (e.word, e.tag): [f.text for f in e.forms] for e in ENTRIES
    }
    assert loaded.provenance["translator"] == "apertium"
    assert loaded.names["GIVEN"] == ("Edith", "Hugo", "Nora", "Oscar", "Wanda")


@pytest.mark.parametrize("rows_a_group", [1, 3, 100])
def test_every_field_of_every_entry_is_read_however_the_file_is_cut(tmp_path, rows_a_group) -> None:
    path = tmp_path / "d.parquet"
    save_dictionary(TRANSLATED[::-1], {}, path)
    pq.write_table(pq.read_table(path), path, row_group_size=rows_a_group)
    stored = read_dictionary(path).entries
    assert stored == TRANSLATED
    assert set(stored) == set(TRANSLATED)
    assert [one.forms.texts for one in stored] == [one.forms.texts for one in TRANSLATED]


def test_a_file_that_does_not_say_how_sure_words_are_is_read(tmp_path) -> None:
    path = tmp_path / "d.parquet"
    save_dictionary(TRANSLATED, {}, path)
    pq.write_table(pq.read_table(path).drop_columns("calibrated"), path)
    assert [one.calibrated for one in read_dictionary(path).entries] == [0.0] * len(TRANSLATED)


@pytest.mark.parametrize("translator", ["apertium", "google", "openai"])
def test_a_loaded_dictionary_has_the_entries_that_are_preferred(tmp_path, translator) -> None:
    path = tmp_path / "d.parquet"
    save_dictionary(TRANSLATED, {}, path)
    loaded, chosen = load_dictionary(path, translator), for_translator(TRANSLATED, translator)
    assert [*loaded, *loaded.left.get("NN", ())] == chosen


def test_what_a_translator_has_no_use_of_changes_nothing_of_its_dictionary(tmp_path) -> None:
    path = tmp_path / "d.parquet"
    associates = Entry("house", "ASSOCIATED", FORMS, "", 1.0, 0.0, "text", "association", "")
    save_dictionary([*TRANSLATED, associates], {}, path)
    asked, other = load_dictionary(path, "apertium"), load_dictionary(path, "google")
    assert (asked.association("house", "casa"), other.association("house", "casa")) == (0.0, 8.5)
    assert list(asked) == [one for one in for_translator(TRANSLATED, "apertium") if one.tag == "NN"]


def test_equal_numbers_are_read_once(tmp_path) -> None:
    path = tmp_path / "d.parquet"
    save_dictionary([one._replace(confidence=0.375) for one in TRANSLATED], {}, path)
    stored = read_dictionary(path).entries
    assert len({id(one.confidence) for one in stored}) == 1


def test_forms_of_a_file_can_be_sent_to_another_process_before_and_after_they_are_read(
    tmp_path,
) -> None:
    path = tmp_path / "d.parquet"
    save_dictionary(TRANSLATED, {}, path)
    stored = read_dictionary(path).entries
    sent = pickle.loads(pickle.dumps(stored))  # noqa: S301 (made a moment ago)
    assert sent == stored == pickle.loads(pickle.dumps(stored))  # noqa: S301
    assert {one.forms.features for one in sent} == {one.forms.features for one in TRANSLATED}


def test_a_dictionary_without_words_can_be_loaded(tmp_path) -> None:
    path = tmp_path / "d.parquet"
    save_dictionary([], {}, path)
    assert len(load_dictionary(path, "apertium")) == 0


@pytest.fixture
def pool() -> Iterator[pa.MemoryPool]:
    """What Arrow allocates with, and nothing has used yet."""
    own = pa.default_memory_pool()
    found = pa.proxy_memory_pool(own)
    pa.set_memory_pool(found)
    yield found
    pa.set_memory_pool(own)


@pytest.mark.parametrize("broken", [False, True])
def test_arrow_allocates_as_before_when_a_dictionary_is_loaded(tmp_path, pool, broken) -> None:
    path = tmp_path / "d.parquet"
    save_dictionary(TRANSLATED, {}, path)
    if broken:
        damage(path)
    with pytest.raises(ConfigurationError) if broken else nullcontext():
        load_dictionary(path)
    before = pool.bytes_allocated()
    buffer = pa.allocate_buffer(4096)
    assert pool.bytes_allocated() - before >= buffer.size


@pytest.mark.parametrize("collects", [False, True])
def test_garbage_is_collected_as_before_when_a_dictionary_is_loaded(tmp_path, collects) -> None:
    path = tmp_path / "d.parquet"
    save_dictionary(TRANSLATED, {}, path)
    (gc.enable if collects else gc.disable)()
    try:
        load_dictionary(path)
        assert gc.isenabled() is collects
    finally:
        gc.enable()


def test_what_a_process_has_frozen_stays_frozen(tmp_path) -> None:
    path = tmp_path / "d.parquet"
    save_dictionary(TRANSLATED, {}, path)
    gc.freeze()
    try:
        frozen = gc.get_freeze_count()
        load_dictionary(path)
        assert 0.9 * frozen < gc.get_freeze_count() <= frozen  # some die meanwhile
    finally:
        gc.unfreeze()


def test_equal_dictionaries_are_equal_files(tmp_path) -> None:
    one, other = tmp_path / "one.parquet", tmp_path / "other.parquet"
    save_dictionary(ENTRIES, {}, one)
    save_dictionary(ENTRIES[::-1], {}, other)
    assert one.read_bytes() == other.read_bytes()
    assert load_dictionary(one).digest == load_dictionary(other).digest


@pytest.mark.parametrize("stated", ["", "nan", "1.2", "-0.1", "high"])
def test_a_bound_of_draws_that_is_no_share_is_refused(tmp_path, stated) -> None:
    path = tmp_path / "pair.parquet"
    save_dictionary([entry("house")], {"source": "en", "target": "es", "drawn_from": stated}, path)
    with pytest.raises(ConfigurationError, match=r"drawn_from .* no number from 0 to 1"):
        load_dictionary(path, "t")


@pytest.mark.parametrize("content", [None, b"", b"no parquet", "foreign", "damaged"])
def test_a_file_that_is_no_dictionary_is_a_clear_error(tmp_path, content) -> None:
    path = tmp_path / "d.parquet"
    if content == "foreign":
        pq.write_table(pa.table({"a": [1]}), path)
    elif content == "damaged":
        damage(path)
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"d\.parquet"):
        load_dictionary(path)


def test_a_dictionary_is_read_without_pandas(tmp_path: Path) -> None:
    save_dictionary(ENTRIES, {}, tmp_path / "d.parquet")
    program = (
        "import sys; from pathlib import Path; from prism_core.dictionary import load_dictionary;"
        "load_dictionary(Path(sys.argv[1]), 'apertium'); print('pandas' in sys.modules)"
    )
    command = [sys.executable, "-c", program, tmp_path / "d.parquet"]
    assert subprocess.check_output(command, text=True).strip() == "False"
