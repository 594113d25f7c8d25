import sys
from pathlib import Path

import pytest

from prism_core.dictionary import Dictionary, load_dictionary, parquet, prepared, save_dictionary
from tests.dictionary.test_parquet import TRANSLATED
from tests.words import entry


@pytest.fixture
def dictionary(tmp_path, monkeypatch) -> Path:
    """A dictionary that counts as shipped, and a folder of its own for bytecode."""
    path: Path = tmp_path / "en-es.parquet"
    save_dictionary(TRANSLATED, {"source": "en", "target": "es"}, path)
    monkeypatch.setattr(prepared, "shipped_dictionary", lambda *_: path)
    monkeypatch.setattr(sys, "pycache_prefix", None)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    return path


def content(found: Dictionary) -> list[tuple[object, ...]]:
    return [tuple(row) for entry in found for row in entry.rows]


def kept(folder: Path) -> list[Path]:
    return sorted(folder.glob("**/*.entries"))


@pytest.mark.parametrize("translator", ["google", "apertium", ""])
def test_a_kept_dictionary_is_the_merged_one(dictionary, monkeypatch, translator) -> None:
    merged = load_dictionary(dictionary, translator)
    monkeypatch.setattr(parquet, "for_translator", None)  # it cannot be merged again
    again = load_dictionary(dictionary, translator)
    assert content(again) == content(merged)
    assert (again.left, again.is_asked, again.digest) == (
        merged.left,
        merged.is_asked,
        merged.digest,
    )


def test_nothing_is_served_to_another_translator_or_from_another_file(dictionary) -> None:
    assert load_dictionary(dictionary, "apertium").find("ice cream", "NN") is None
    assert load_dictionary(dictionary, "google").find("ice cream", "NN")
    save_dictionary([entry("tree")], {"source": "en", "target": "es"}, dictionary)
    assert load_dictionary(dictionary, "google").find("tree", "NN")


def test_a_file_that_was_cut_short_is_written_anew(dictionary) -> None:
    merged = load_dictionary(dictionary)
    (file,) = kept(dictionary.parent)
    whole = file.read_bytes()
    file.write_bytes(whole[:-20])
    assert content(load_dictionary(dictionary)) == content(merged)
    assert file.read_bytes() == whole


def test_a_dictionary_of_the_users_own_is_not_kept(dictionary) -> None:
    own = dictionary.with_name("own.parquet")
    own.write_bytes(dictionary.read_bytes())
    load_dictionary(own)
    assert kept(dictionary.parent) == []


def test_nothing_is_kept_where_python_keeps_no_bytecode(dictionary, monkeypatch) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    load_dictionary(dictionary)
    assert kept(dictionary.parent) == []
