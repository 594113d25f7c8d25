"""The benchmark of identifiers: its documents, what it counts, and the goals on a copy of each."""

from collections import Counter
from random import SystemRandom

import pytest

from benchmarks.identifier_documents import GROUPS, documents, templates
from benchmarks.identifier_recall import Reader, measure_documents
from prism_core.encoder import Encoder
from prism_core.language.model import LanguageModel
from prism_core.settings_sources import load_settings

NAMING = ("name", "geography")


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return Encoder.load(load_settings())


@pytest.fixture(scope="module")
def reader(encoder: Encoder) -> Reader:
    return Reader(LanguageModel.load(lemmas=False), encoder, SystemRandom())


def test_there_are_templates_enough_and_no_two_of_one_title() -> None:
    titles = Counter(title for group in GROUPS for title, _ in templates(group))
    assert len(titles) >= 60
    assert set(titles.values()) == {1}


def test_a_seed_gives_the_same_documents_and_another_gives_others() -> None:
    assert list(documents("tuned", 1, 3)) == list(documents("tuned", 1, 3))
    assert list(documents("tuned", 1, 3)) != list(documents("tuned", 1, 4))


def test_every_identifier_stands_where_its_document_says() -> None:
    for document in documents("tuned", 2, 5):
        for truth in document.truths:
            text = document.text[truth.start : truth.end]
            assert text == text.strip() != ""


def test_every_class_is_in_the_documents() -> None:
    classes = {t.of_class for group in GROUPS for d in documents(group, 2, 1) for t in d.truths}
    assert len(classes) == 17  # all but ``other``, which no word names


def test_patterned_classes_are_found_and_nothing_of_them_is_sent(reader, encoder) -> None:
    rows = measure_documents(documents("tuned", 2, 11), "tuned", reader, encoder, listed=False)
    for row in rows:
        assert row["in_clear"] == 0 or row["class"] == "geography"
        assert float(str(row["recall"])) >= (0.93 if row["class"] in NAMING else 0.97)


def test_a_listed_name_is_always_found(reader, encoder) -> None:
    rows = measure_documents(documents("tuned", 1, 11), "listed", reader, encoder, listed=True)
    (names,) = [row for row in rows if row["class"] == "name"]
    assert float(str(names["recall"])) >= 0.99
