from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from prism_core.errors import ConfigurationError
from prism_core.evaluation.corpora import READERS, ordinary_words, read_texts
from tests.shared_data import SHARED_DATA, shared


@pytest.mark.parametrize(
    ("name", "documents", "asked", "translated"),
    [
        ("mctest", 60, 240, False),
        ("mctest/mc160.dev", 30, 120, False),
        ("clinspen", 8, 0, True),
        ("wmt", 100, 0, True),
        ("wmt/wmt08", 206, 0, False),
    ],
)
def test_a_shared_corpus_is_read_whole(name, documents, asked, translated) -> None:
    shared("mctest")
    texts = read_texts(name, SHARED_DATA, "en", "es")
    assert len(texts.documents) == documents
    assert sum(len(one.questions) for one in texts.documents) == asked
    assert all(bool(one.references) is translated for one in texts.documents)
    if translated:
        assert all(len(one.references) == len(one.lines) for one in texts.documents)


def test_clinical_cases_are_read_from_either_side() -> None:
    shared("clinspen")
    there, back = (
        read_texts("clinspen", SHARED_DATA, *pair) for pair in (("en", "es"), ("es", "en"))
    )
    assert [one.lines for one in back.documents] == [one.references for one in there.documents]
    assert back.public


def test_stories_in_another_language_are_files_of_their_own(tmp_path: Path) -> None:
    folder = shared("mctest")
    with pytest.raises(ConfigurationError, match=r"mc160\.test\.es\.tsv is missing.*in English"):
        read_texts("mctest", SHARED_DATA, "es", "en")
    (tmp_path / "mctest").mkdir()
    for name in ("mc160.test.tsv", "mc160.test.ans", "stopwords.txt"):
        stem, _, ending = name.rpartition(".")
        shutil.copy(folder / name, tmp_path / "mctest" / f"{stem}.es.{ending}")
    assert len(read_texts("mctest", tmp_path, "es", "en").documents) == 60


def test_a_corpus_is_public_by_what_it_holds_and_not_by_its_name(tmp_path: Path) -> None:
    folder = tmp_path / "mctest"
    shutil.copytree(shared("mctest"), folder)
    assert read_texts("mctest", tmp_path, "en", "es").public
    stories = folder / "mc160.test.tsv"
    stories.write_text(stories.read_text("utf-8").replace("kitten", "patient"), "utf-8")
    assert not read_texts("mctest", tmp_path, "en", "es").public


@pytest.mark.parametrize("name", READERS)
def test_a_missing_corpus_is_named_with_what_to_do(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"missing.*--data or PRISM_SHARED_DATA"):
        read_texts(name, tmp_path, "en", "es")


@pytest.mark.parametrize("name", ["news", "mctest/../../secret", "clinspen/a/b"])
def test_what_is_no_corpus_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError):
        read_texts(name, tmp_path, "en", "es")


def test_lines_and_translations_must_be_as_many(tmp_path: Path) -> None:
    folder = tmp_path / "wmt" / "en-es"
    folder.mkdir(parents=True)
    (folder / "flores-dev.en").write_text("One.\nTwo.\n")
    (folder / "flores-dev.es").write_text("Uno.\n")
    with pytest.raises(ConfigurationError, match="as many lines"):
        read_texts("wmt", tmp_path, "en", "es")


def test_cases_of_another_form_are_refused(tmp_path: Path) -> None:
    (tmp_path / "clinspen").mkdir()
    (tmp_path / "clinspen" / "dev.json").write_text(json.dumps([{"en": "Fever."}]))
    with pytest.raises(ConfigurationError, match="file_name"):
        read_texts("clinspen", tmp_path, "en", "es")


@pytest.mark.parametrize("row", [{"file_name": "a", "en": 1, "es": "x"}, "text", 3])
def test_cases_without_text_are_refused(tmp_path: Path, row: object) -> None:
    (tmp_path / "clinspen").mkdir()
    (tmp_path / "clinspen" / "dev.json").write_text(json.dumps([row]))
    with pytest.raises(ConfigurationError, match="no list of rows"):
        read_texts("clinspen", tmp_path, "en", "es")


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("mctest/mine", {"mctest/mine.tsv": "", "mctest/mine.ans": "", "mctest/stopwords.txt": ""}),
        ("clinspen", {"clinspen/dev.json": "[]"}),
        ("wmt", {"wmt/en-es/flores-dev.en": " \n\n"}),
    ],
)
def test_a_corpus_that_holds_nothing_is_said(
    name: str, files: dict[str, str], tmp_path: Path
) -> None:
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(content)
    with pytest.raises(ConfigurationError, match="holds no text"):
        read_texts(name, tmp_path, "en", "es")


@pytest.mark.parametrize("damaged", ["wmt/en-es/wmt08.en", "mctest/stopwords.txt"])
def test_a_file_that_is_no_text_is_named(damaged: str, tmp_path: Path) -> None:
    shutil.copytree(shared("mctest"), tmp_path / "mctest")
    (tmp_path / "wmt" / "en-es").mkdir(parents=True)
    for part in ("08", "09", "10", "11", "12"):
        (tmp_path / "wmt" / "en-es" / f"wmt{part}.en").write_text("News.\n")
    (tmp_path / damaged).write_bytes(b"\xff\xfe\x00")
    of_corpus = damaged.startswith("mctest")
    with pytest.raises(ConfigurationError, match=f"{Path(damaged).name} is no text in UTF-8"):
        read_texts("mctest", tmp_path, "en", "es") if of_corpus else ordinary_words(tmp_path, "en")


def test_ordinary_words_are_those_that_news_writes_small() -> None:
    words = ordinary_words(SHARED_DATA, "en")
    assert {"house", "will", "brown"} <= words
    assert not words & {"jason", "spike", "London", "obama"}


def test_missing_news_is_named(tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match=r"wmt08\.en is missing.*names"):
        ordinary_words(tmp_path, "en")


def test_the_first_documents_are_taken(tmp_path: Path) -> None:
    texts = read_texts("mctest", SHARED_DATA, "en", "es")
    assert [d.name for d in texts.first(2).documents] == [d.name for d in texts.documents[:2]]
    assert texts.first(2).public
