from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.building.jobs.build import estimate_build, read_parallel_texts, run_build
from prism_core.building.jobs.build_recipe import BuildRecipe, Memory, Method
from prism_core.dictionary import load_dictionary, read_dictionary
from prism_core.errors import ConfigurationError
from prism_core.settings import Settings
from tests.adapters import put_in_place_for_a_test

PAIRS = {"house": "casa", "dog": "perro", "garden": "jardín", "letter": "carta", "bridge": "puente"}
LINES = [
    (f"The {source} was near the {other}.", f"{{}} {target} estaba cerca de {PAIRS[other]}.")
    for source, target in PAIRS.items()
    for other in PAIRS
    if other != source
]


@pytest.fixture
def recipe(tmp_path: Path, monkeypatch) -> BuildRecipe:
    put_in_place_for_a_test(monkeypatch, "apertium", lambda *_: pytest.fail("nobody may be asked"))
    (tmp_path / "a.en").write_text("".join(f"{line}\n" for line, _ in LINES))
    for name, article in (("one", "El"), ("two", "Un")):
        translated = "".join(f"{line.format(article)}\n" for _, line in LINES)
        (tmp_path / f"a.{name}.es").write_text(translated)
    memories = [Memory(tmp_path / "a.en", tmp_path / f"a.{n}.es", n) for n in ("one", "two")]
    return BuildRecipe(
        output=tmp_path / "en-es.parquet",
        settings=Settings(),
        method=Method.CORPUS,
        memories=tuple(memories),
    )


def test_words_are_read_off_translated_sentences_and_nobody_is_asked(recipe: BuildRecipe) -> None:
    run_build(recipe)
    stored = read_dictionary(recipe.output)
    assert {entry.translator for entry in stored.entries} == {"one", "two"}
    assert {entry.calls for entry in stored.entries} == {0.0}
    house = load_dictionary(recipe.output, "one").find("house", "NN")
    assert house is not None
    assert house.forms[0].text == "casa"
    assert stored.provenance["translator"] == "one,two"


def test_there_is_nothing_to_rehearse(recipe: BuildRecipe) -> None:
    with pytest.raises(ConfigurationError, match="nothing to send"):
        estimate_build(recipe)


def test_translations_of_the_same_lines_are_read_together(recipe: BuildRecipe) -> None:
    (text,) = read_parallel_texts(recipe)
    assert text.lines == [line for line, _ in LINES]
    assert text.targets["two"][0].startswith("Un casa")


def test_translations_of_different_lines_are_read_apart(
    recipe: BuildRecipe, tmp_path: Path
) -> None:
    (tmp_path / "b.tsv").write_text("Hello.\tHola.\n")
    more = (*recipe.memories, Memory(tmp_path / "b.tsv", None, "two"))
    texts = read_parallel_texts(BuildRecipe(**{**vars(recipe), "memories": more}))
    assert [list(text.targets) for text in texts] == [["one"], ["two"]]
    assert all(len(text.lines) == len(t) for text in texts for t in text.targets.values())
    assert texts[1].lines[-1] == "Hello."
