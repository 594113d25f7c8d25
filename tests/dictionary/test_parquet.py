import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from prism_core.dictionary.parquet import load_dictionary, save_dictionary
from prism_core.errors import ConfigurationError
from tests.words import entry, names

ENTRIES = [entry("house", forms=["casa", "hogar"]), entry("read", "VB"), entry("read", "VBD")]


def test_what_is_saved_is_loaded(tmp_path) -> None:
    path = tmp_path / "d.parquet"
    save_dictionary([*ENTRIES, *names()], {"translator": "apertium"}, path)
    loaded = load_dictionary(path)
    assert {(e.word, e.tag): [f.text for f in e.forms] for e in loaded} == {
        (e.word, e.tag): [f.text for f in e.forms] for e in ENTRIES
    }
    assert loaded.provenance["translator"] == "apertium"
    assert loaded.names["GIVEN"] == ("Edith", "Hugo", "Nora", "Oscar", "Wanda")


def test_equal_dictionaries_are_equal_files(tmp_path) -> None:
    one, other = tmp_path / "one.parquet", tmp_path / "other.parquet"
    save_dictionary(ENTRIES, {}, one)
    save_dictionary(ENTRIES[::-1], {}, other)
    assert one.read_bytes() == other.read_bytes()
    assert load_dictionary(one).digest == load_dictionary(other).digest


@pytest.mark.parametrize("content", [None, b"", b"no parquet", "foreign"])
def test_a_file_that_is_no_dictionary_is_a_clear_error(tmp_path, content) -> None:
    path = tmp_path / "d.parquet"
    if content == "foreign":
        pq.write_table(pa.table({"a": [1]}), path)
    elif content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigurationError, match=r"d\.parquet"):
        load_dictionary(path)
