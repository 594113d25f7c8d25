"""Builds with the real Apertium: killed, resumed, rehearsed."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from prism_core.building.jobs import build as dictionary_building
from prism_core.building.jobs.build import BuildWatch, estimate_build, run_build
from prism_core.building.jobs.build_recipe import BuildRecipe, make_build_recipe
from prism_core.dictionary import read_dictionary
from prism_core.errors import ConfigurationError
from prism_core.settings import KeySettings, Settings, TranslatorSettings
from prism_core.translators.adapters.apertium import ApertiumTranslator
from tests.adapters import put_in_place, put_in_place_for_a_test
from tests.child_process import KILLED, die, exit_code_of

NOUNS = """house table window doctor letter garden river mountain bottle street church school
forest horse chicken knife island bridge king queen soldier farmer""".split()
PUBLIC = "".join(
    f"The old man saw the {noun} near the red wall with his good friend yesterday .\n"
    f"They said that the {noun} was behind the tall tree before the long winter .\n"
    for noun in NOUNS
)


class Watched(ApertiumTranslator):
    """The real Apertium, which notes on disk what it gets before it answers."""

    log = Path()
    last = 10**9
    """The request that is not answered any more: the process is killed instead."""

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        with self.log.open("a") as file:
            file.write(json.dumps(list(texts)) + "\n")
        if len(received(self.log)) == self.last:
            die()
        return await super().translate(texts, source, target)


def received(log: Path) -> list[list[str]]:
    return [json.loads(line) for line in log.read_text().splitlines()] if log.exists() else []


@pytest.fixture
def recipe(tmp_path: Path, monkeypatch) -> BuildRecipe:
    names = tmp_path / "names"
    names.mkdir()
    for file, name in (("given.txt", "Edith"), ("surnames.txt", "Baxter"), ("places.txt", "Leeds")):
        (names / file).write_text(name + "\n")
    monkeypatch.setattr(dictionary_building, "SHIPPED_NAMES", names)
    text = tmp_path / "public.en"
    text.write_text(PUBLIC)
    settings = Settings(
        key=KeySettings(file=tmp_path / "key"),
        translator=TranslatorSettings.choose(name="apertium", texts_per_request=20, concurrency=1),
    )
    return BuildRecipe(output=tmp_path / "en-es.parquet", settings=settings, texts=(text,))


def run(recipe: BuildRecipe, log: Path, last: int = 10**9) -> int:
    """``run_build`` in a process of its own; its exit code, negative for a signal."""

    def child() -> None:
        Watched.log, Watched.last = log, last
        put_in_place("apertium", lambda *arguments: Watched(*arguments))
        run_build(recipe)
        os._exit(0)

    return exit_code_of(child, 180)


def test_a_build_that_was_killed_asks_only_for_the_rest_and_gives_the_same_file(
    recipe: BuildRecipe, tmp_path: Path
) -> None:
    whole, killed = (replace(recipe, output=tmp_path / f"{n}.parquet") for n in ("whole", "killed"))
    assert run(whole, tmp_path / "whole.log") == 0
    requests = received(tmp_path / "whole.log")
    assert len(requests) > 4

    log = tmp_path / "killed.log"
    unanswered = (2, len(requests) // 2 + 1)
    for last in unanswered:
        assert run(killed, log, last) == KILLED
        assert not killed.output.exists()
    assert run(killed, log) == 0

    arrived = enumerate(received(log), start=1)
    answered = [text for number, texts in arrived if number not in unanswered for text in texts]
    assert len(answered) == len(set(answered)), "nothing that was answered is asked again"
    assert set(answered) == {text for texts in requests for text in texts}
    assert killed.output.read_bytes() == whole.output.read_bytes()
    assert not (tmp_path / "killed.parquet.build").exists()


def test_a_dictionary_says_whose_words_it_has_and_how_they_were_found(recipe: BuildRecipe) -> None:
    watch = BuildWatch()
    built = run_build(recipe, watch)
    stored = read_dictionary(recipe.output)
    assert built.entries == len(stored.entries) > 10
    assert {entry.translator for entry in stored.entries} == {"apertium"}
    assert all(entry.method and entry.built for entry in stored.entries)
    assert stored.provenance["text"] == f"{recipe.texts[0].parent.name}/public.en"
    assert stored.provenance["licence"].startswith("GPL-2.0")
    assert "house" in {entry.word for entry in stored.entries}
    assert abs(built.texts - watch.expected) <= watch.expected / 8
    assert watch.progress().settled == built.texts


def test_a_rehearsal_tells_about_how_much_would_be_sent_and_sends_nothing(
    recipe: BuildRecipe, tmp_path: Path, monkeypatch
) -> None:
    Watched.log = tmp_path / "log"
    put_in_place_for_a_test(monkeypatch, "apertium", lambda *arguments: Watched(*arguments))
    expected = estimate_build(recipe)
    assert received(tmp_path / "log") == []
    assert sorted(path.name for path in tmp_path.iterdir()) == ["names", "public.en"]
    run_build(recipe)
    texts = [text for texts in received(tmp_path / "log") for text in texts]
    assert abs(expected.texts - len(texts)) <= len(texts) / 8
    assert abs(expected.characters - sum(map(len, texts))) <= expected.characters / 8
    assert expected.words > len(NOUNS)
    assert (expected.seconds, expected.cost) == (None, 0), "Apertium has no rate and is free"


def test_words_of_a_list_are_asked_for_beside_those_of_the_text(
    recipe: BuildRecipe, tmp_path: Path
) -> None:
    (tmp_path / "list.tsv").write_text("lamp\tNN\nhouse\tNN\n")
    run_build(replace(recipe, words=(tmp_path / "list.tsv",)))
    words = [entry.word for entry in read_dictionary(recipe.output).entries if entry.tag == "NN"]
    assert "lamp" in words
    assert words.count("house") == 1


def test_an_existing_dictionary_is_never_replaced(recipe: BuildRecipe) -> None:
    recipe.output.write_bytes(b"mine")
    with pytest.raises(ConfigurationError, match="exists"):
        run_build(recipe)
    assert recipe.output.read_bytes() == b"mine"


def test_text_without_repeated_words_is_told(recipe: BuildRecipe) -> None:
    recipe.texts[0].write_text("A house .\n")
    with pytest.raises(ConfigurationError, match="--least 1"):
        run_build(recipe)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        ({"method": "guess"}, "choose packed"),
        ({"texts": ["nowhere.en"]}, "nowhere.en is not a file"),
        ({"texts": []}, "--text"),
        ({"method": "corpus"}, "--parallel"),
        ({"method": "corpus", "texts": [], "parallel": ["a.en:a.fr"]}, "TEXT:TRANSLATION:NAME"),
        ({"method": "corpus", "texts": [], "memory": ["a.tmx"]}, "FILE:NAME"),
        ({"memory": ["a.tmx:me"]}, "--method corpus"),
    ],
)
def test_a_recipe_that_cannot_be_followed_is_refused(recipe: BuildRecipe, said, why) -> None:
    words = {
        "method": "packed",
        "texts": recipe.texts,
        "words": [],
        "parallel": [],
        "memory": [],
        **said,
    }
    words["texts"] = [Path(text) for text in words["texts"]]
    with pytest.raises(ConfigurationError, match=why):
        make_build_recipe(recipe.settings, output=None, least=2, calls=10, licence="", **words)
