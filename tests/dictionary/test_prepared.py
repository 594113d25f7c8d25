import sys
from pathlib import Path

import pytest

from prism_core.dictionary import Dictionary, load_dictionary, parquet, prepared, save_dictionary
from prism_core.mechanisms import Pools
from prism_core.mechanisms.word_classes import WordClasses
from tests.dictionary.test_parquet import TRANSLATED
from tests.words import entry, nouns


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


def kept(folder: Path, name: str = "entries") -> list[Path]:
    return sorted(folder.glob(f"**/*.{name}"))


def list_pools(dictionary: Dictionary, threshold: float = 0.5) -> list[object]:
    pools = Pools(dictionary, threshold, 5)
    found = ((pools.for_entry(entry), entry) for entry in dictionary)
    listed = [(pools.number(pool), [*map(list, pool)], entry) for pool, entry in found]
    return [listed, [pools.list_drawn(tag) for tag in ("NN", "VB")], pools.for_unknown("NN")]


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


def test_pools_are_kept_for_their_rules_and_lists_alone(dictionary, tmp_path, monkeypatch) -> None:
    finer = [entry(f"thing{letter}", agreement="h | i") for letter in "abcdefghi"]
    words = [*nouns(12), *finer, *(entry(f"go{letter}", "VB") for letter in "abcd")]
    save_dictionary(words, {"source": "en", "target": "es"}, dictionary)
    made = list_pools(load_dictionary(dictionary))
    monkeypatch.setattr(Pools, "_arrange", None)  # they cannot be made again
    assert list_pools(load_dictionary(dictionary)) == made
    with pytest.raises(TypeError):
        list_pools(load_dictionary(dictionary), threshold=0.6)
    offensive = tmp_path / "never_drawn.txt"
    offensive.write_text(words[0].word)
    again = load_dictionary(dictionary)
    monkeypatch.setattr(type(again.language), "never_drawn", offensive)
    with pytest.raises(TypeError):
        list_pools(again)


def test_forms_words_and_phrases_are_kept(dictionary, monkeypatch) -> None:
    def describe() -> list[object]:
        found = load_dictionary(dictionary, "google")
        classes = WordClasses(found, phrases_from=0.1)
        index = found.form_index
        forms = [(text, index.features(text, "NN")) for row in found for text in row.forms.texts]
        kin = [index.kin(entry) for entry in found]
        return [forms, kin, found.names, found.target_words, classes.pairs, classes._phrases]

    made = describe()
    names = ["forms", "names", "words", "phrases"]
    files = {name: kept(dictionary.parent, name) for name in names}
    assert [len(files[name]) for name in names] == [1, 1, 1, 1]
    monkeypatch.setattr(Dictionary, "_list_names", None)
    monkeypatch.setattr(Dictionary, "_list_target_words", None)
    monkeypatch.setattr(WordClasses, "_index_phrases", None)
    monkeypatch.setattr("prism_core.dictionary.dictionary.index_forms", None)
    assert describe() == made
