"""Every detector, and every row of shapes, can find something through the finder of spans."""

import re
import tomllib
from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.identifiers.base import Detection, Detector, Span, Strength
from prism_core.identifiers.detectors import built_in_detectors
from prism_core.identifiers.detectors.labels import number_words
from prism_core.identifiers.detectors.shapes import ShapeDetector, read_shapes
from prism_core.identifiers.leak_check import class_of
from prism_core.identifiers.shape_tables import Shape
from prism_core.identifiers.spans import SpanFinder
from prism_core.record import Kind
from prism_core.resources import SHIPPED_IDENTIFIERS
from prism_core.settings import IdentifierClass
from tests.words import ENGLISH

CLASSES = tomllib.loads((SHIPPED_IDENTIFIERS / "classes.toml").read_text("utf-8"))

EXAMPLES = (
    "see portrait_smith.jpg there",
    "IBAN DE89 3704 0044 0532 0130 00",
    "2 95 10 99 126 111 93",
    "4111-1111-1111-1111",
    "RSS MRA 80A01 H501U",
    "756.9217.0769.85",
    "85.07.30-033.28",
    "54362315K",
    "54.362.315-K",
    "811228-9874",
    "131052-308T",
    "36 574 261 809",
    "A123456780",
    "1HGCM82633A004352",
    "536-90-4399",
    "JK 12 34 56 B",
    "12 010180 A 123",
    "310180-1234",
    "1EG4-TE5-MK73",
    "20-45-91 / 33817264",
    "HRB 12345",
    "DE123456789",
    "VF1DN290297113652",
    "(01)09506000134352",
    "192.168.0.17",
    "2341 2341 2346",
    "ABCPE1234F",
    "8001015009087",
    "529.982.247-25",
    "1234567T",
    "80372356354470818191",
    "MORGA657054SM9IJ",
    "KA05 2016 0061870",
    "61D1234N",
    "29ABCDE1234F1Z5",
    "8944 1234 5678 9012 345",
    "353366555169786",
    "AB-C 1234",
    "191-D-66869",
    "TN 09 BB 8658",
    "ABC 123 GP",
    "AB-123-CD",
    "1234 BCD",
    "0a:1b:2c:3d:4e:5f",
    "2001:db8::1",
    "DSC_9153",
    "3:19-cv-01234-ABC",
    "4 K 123/19",
    "C-131/12",
    "NW1 6XE",
    "Springfield, IL 62704",
    "P.O. Box 123",
    "48.8566° N, 2.3522° E",
)
"""In the order of the rows, a text for each."""
AMOUNTS = ("5 mg", "It was 37.2 in 2019", "on 3 of 12 days")


@pytest.mark.parametrize(
    ("shape", "text"),
    list(zip(read_shapes(), EXAMPLES, strict=True)),
    ids=lambda one: getattr(one, "label", ""),
)
def test_every_row_of_shapes_can_fire(shape: Shape, text: str) -> None:
    assert list(shape.find(text)) != []
    assert shape.label in {match.label for match in ShapeDetector().find(text)}
    assert {class_of(span.label) for span in SpanFinder(ENGLISH).find(text)} == {
        class_of(shape.label)
    }


def test_a_sign_is_part_of_what_a_row_finds_so_that_none_is_looked_for_in_vain() -> None:
    for shape, text in zip(read_shapes(), EXAMPLES, strict=True):
        for found in shape.find(text):
            assert shape.sign
            assert shape.sign.search(text, found.start, found.end)


def test_the_signs_of_rows_are_looked_for_at_digits_alone() -> None:
    for shape in read_shapes()[1:]:
        assert shape.sign
        assert shape.sign.pattern.startswith(r"\d")
        assert not shape.sign.search("Box of GIR AA, HRB and AB-CD: no digit is here.")


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("CARD", "4111-1111-1111-1111"),
        ("DATE", "12/03/1987"),
        ("AGE", "ninety-four years old"),
        ("POLICY", "policy no. 4711"),
        ("ADDRESS", "in Hauptstraße 12 now"),
        ("PHONE", "call (555) 013-2297 now"),
    ],
)
def test_every_own_detector_is_asked(label: str, text: str) -> None:
    label = {"POLICY": "PLAN"}.get(label, label)
    assert label in {span.label for span in SpanFinder(ENGLISH).find(text)}


class Projects(Detector):
    """Finds words, in texts without a digit."""

    def find(self, text: str) -> Iterator[Detection]:
        for match in re.finditer("Falcon", text):
            yield Detection(*match.span(), "CODE", Strength.SHAPED)


class SignedProjects(Projects):
    """The same, with a sign that its texts have."""

    signs = (re.compile("Project"),)


@pytest.mark.parametrize("detector", [Projects(), SignedProjects()])
@pytest.mark.parametrize("amount", ["", *AMOUNTS])
def test_a_detector_is_asked_about_texts_without_a_digit_and_about_mere_amounts(
    detector: Detector, amount: str
) -> None:
    text = f"Project Falcon {amount}"
    spans = SpanFinder(ENGLISH, [detector]).find(text)
    assert Span(8, 14, "CODE", Kind.CODE) in spans


def test_a_detector_is_spared_a_text_without_its_sign() -> None:
    assert SpanFinder(ENGLISH, [SignedProjects()]).find("the Falcon") == []


@given(st.text(max_size=60) | st.text(alphabet="AB12 -./:@#,()ab° [x", max_size=60))
def test_what_a_detector_finds_has_one_of_its_signs(text: str) -> None:
    has_digits = any(map(str.isnumeric, text))
    for detector in built_in_detectors(ENGLISH):
        assert detector.may_find(text, has_digits=has_digits) or list(detector.find(text)) == []


def test_detectors_have_an_order_of_their_own_and_each_label_one_class() -> None:
    orders = [detector.order for detector in built_in_detectors(ENGLISH)]
    assert orders == sorted(set(orders))
    labels = [label for labels in CLASSES.values() for label in labels.split()]
    assert len(labels) == len(set(labels))
    assert CLASSES.keys() == IdentifierClass.__members__.keys()
    assert (class_of("VIN"), class_of("VAT")) == (IdentifierClass.VEHICLE, IdentifierClass.LICENCE)
    assert class_of("anything else") is IdentifierClass.OTHER


def test_an_iban_is_drawn_with_a_country_whose_ibans_are_as_long_and_an_address_is_reserved() -> (
    None
):
    iban = ShapeDetector.surrogates["IBAN"]("DE89 3704 0044 0532 0130 00", 0, Random(1))
    assert iban[:2] in ("DE", "GB", "IE")
    assert len(iban) == 27
    address = ShapeDetector.surrogates["IP"]("10.20.30.40", 0, Random(1))
    assert address.startswith(("192.0.2.", "198.51.100.", "203.0.113."))


def test_every_word_that_announces_a_number_has_a_class() -> None:
    assert set(number_words(ENGLISH).labels) >= number_words(ENGLISH).announcing


def test_the_labels_of_number_words_are_known_and_no_phrase_is_too_long_to_be_found() -> None:
    known = number_words(ENGLISH)
    either = {"REGISTRATION", "INDEX", "FRAME", "CODE", "IP", "PHONE", "FAX", "POSTCODE"}
    labels = {label for labels in CLASSES.values() for label in labels.split()}
    assert set(known.labels.values()) <= labels | either
    assert [one for one in known.labels if one != one.lower() or len(one.split()) > 3] == []
