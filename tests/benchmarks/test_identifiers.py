"""The benchmark of identifiers: its documents, what it counts, and the goals on a copy of each."""

import re
from collections import Counter
from random import Random, SystemRandom

import pytest

from benchmarks.identifier_documents import GROUPS, SLOTS, documents, templates
from benchmarks.identifier_offices import OFFICES
from benchmarks.identifier_recall import Reader, Tally, measure_documents
from prism_core.encoding import Encoder, load_encoder
from prism_core.language import LanguageModel
from prism_core.settings import load_settings

NAMED_BY_WORDS = {
    "record-number",
    "plan-number",
    "account-number",
    "licence",
    "vehicle",
    "device",
    "biometric",
    "photo",
}
"""Classes of numbers that mostly the words before them tell."""
NAMING = ("name", "geography")
PLAIN = {
    "family doctor in Ontario to a heart clinic": {"148/86,"},  # a pressure of blood
    "sister in a care home dictates a fall": {"132/70,"},  # another
    "handover sheet of a night shift in Leinster": {"3/10."},  # how much it hurts
}
"""Numbers outside the slots that identify nobody."""


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder(load_settings())


@pytest.fixture(scope="module")
def reader(encoder: Encoder) -> Reader:
    return Reader(LanguageModel.load("en", lemmas=False), encoder, SystemRandom())


def test_there_are_templates_enough_and_no_two_of_one_title() -> None:
    titles = Counter(title for group in GROUPS for title, _ in templates(group))
    assert len(titles) >= 60
    assert set(titles.values()) == {1}


def test_a_seed_gives_the_same_documents_and_another_gives_others() -> None:
    assert list(documents("tuned", 1, 3)) == list(documents("tuned", 1, 3))
    assert list(documents("tuned", 1, 3)) != list(documents("tuned", 1, 4))


@pytest.mark.parametrize("group", GROUPS)
def test_every_identifier_stands_where_its_document_says(group: str) -> None:
    for document in documents(group, 2, 5):
        for truth in document.truths:
            text = document.text[truth.start : truth.end]
            assert text == text.strip() != ""


def test_every_class_is_in_the_documents() -> None:
    classes = {t.of_class for group in GROUPS for d in documents(group, 2, 1) for t in d.truths}
    assert len(classes) == 18


def test_templates_nobody_tuned_for_have_enough_of_every_class() -> None:
    made = list(documents("unseen", 12, 1))
    found = Counter(t.of_class for d in made for t in d.truths)
    titles = Counter(c for _, c in {(d.title, t.of_class) for d in made for t in d.truths})
    assert len(list(templates("unseen"))) >= 36
    assert len(found) == 18
    assert min(found.values()) >= 150
    assert min(titles.values()) >= 8


@pytest.mark.parametrize("group", GROUPS)
def test_no_slot_is_misspelt_and_so_filled_with_a_name(group: str) -> None:
    slots = {slot for _, text in templates(group) for slot in re.findall(r"\{(.*?)\}", text)}
    assert slots <= SLOTS


def test_no_identifier_stands_in_a_template_outside_a_slot() -> None:
    for title, text in templates("unseen"):
        plain = re.findall(
            r"\S*(?:\d{4}|\d[-/]\d|\w@\w|://|www\.)\S*", re.sub(r"\{.*?\}", "", text)
        )
        assert set(plain) <= PLAIN.get(title, set())


def test_identifiers_stand_over_two_lines_and_are_one_truth() -> None:
    broken = {
        truth.of_class
        for document in documents("unseen", 4, 1)
        for truth in document.truths
        if "\n" in document.text[truth.start : truth.end]
    }
    assert broken >= {"phone", "fax", "account-number", "plan-number", "date", "vehicle"}


def test_other_codes_have_a_recall_but_no_precision() -> None:
    one = Counter({"other": 1, "device": 1})
    rows = Tally(known=one, right=one, true=one, reported=Counter(one, other=3)).rows("unseen")
    assert {row["class"]: row["precision"] for row in rows} == {"device": 1, "other": None}
    assert {row["recall"] for row in rows} == {1}


def test_a_slot_that_no_line_end_can_break_is_refused() -> None:
    with pytest.raises(ValueError, match="cannot be broken"):
        OFFICES["imc_broken"][1](Random(1))


def test_patterned_classes_are_found_and_nothing_of_them_is_sent(reader, encoder) -> None:
    rows = measure_documents(documents("tuned", 2, 11), "tuned", reader, encoder, listed=False)
    for row in rows:
        assert row["in_clear"] == 0 or row["class"] == "geography"
        assert float(str(row["found"])) >= 0.97
        least = 0.93 if row["class"] in NAMING else 0.75 if row["class"] in NAMED_BY_WORDS else 0.97
        assert float(str(row["recall"])) >= least


def test_most_of_what_nobody_has_seen_gets_its_class_and_nothing_of_it_is_sent(
    reader, encoder
) -> None:
    rows = measure_documents(documents("unseen", 1, 1), "unseen", reader, encoder, listed=False)
    known = sum(int(str(row["n"])) for row in rows)
    right = sum(float(str(row["recall"])) * int(str(row["n"])) for row in rows)
    assert right >= 0.7 * known
    assert {row["in_clear"] for row in rows} == {0}


def test_a_listed_name_is_always_found(reader, encoder) -> None:
    rows = measure_documents(documents("tuned", 1, 11), "listed", reader, encoder, listed=True)
    (names,) = [row for row in rows if row["class"] == "name"]
    assert float(str(names["recall"])) >= 0.99
