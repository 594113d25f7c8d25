"""Numbers, addresses and names of German texts: what is found, and what is never sent."""

import re
from random import Random

import pytest

from prism_core.encoding import Encoder, load_encoder
from prism_core.identifiers import DenyList
from prism_core.identifiers.base import resolve
from prism_core.identifiers.detectors.states import StateDetector
from prism_core.language import LanguageModel
from prism_core.languages import load_language
from prism_core.settings import load_settings

FLAGS = {
    "source": "de", "target": "en", "translator.name": "fake", "language.experimental": True,
}  # fmt: skip


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.load("de")


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder(load_settings(flags=FLAGS))


@pytest.mark.parametrize(
    ("label", "text"),
    [
        ("NATIONAL_ID", "SV-Nummer {65 170839 J 003} liegt vor"),
        ("NATIONAL_ID", "Ausweis {T22000129 3}"),
        ("NATIONAL_ID", "St.-Nr. {181/815/08155}, {013 815 08153}"),
        ("VAT", "USt-IdNr. {DE 136 695 976}"),
        ("LICENCE", "{HRB 86891}, {HRA 12 345 B}, {VR 1234}"),
        ("RECORD", "Az. {VIII ZR 12/20}, {3 O 123/21}, {5 StR 12/22}, {B 1 KR 12/20 R}"),
        ("RECORD", "BVerwG {4 C 12.20}, {M 12 K 20.1234}, {101 Js 12345/19 jug}, {I-4 U 12/20}"),
        ("PLATE", "Kfz {M-AB 1234}, {m-ab 123}, {B - XY 12 E}"),
        ("PHONE", "Tel. {0 89 / 12 34 56-0}, {(0 30) 123 45 67}"),
        ("ADDRESS", "wohnt in der {Hauptstraße 12a, 80331 München}."),
        ("ADDRESS", "{Am Markt 3, 99084 Erfurt}"),
        ("ADDRESS", "{Straße des 17. Juni 135, 10623 Berlin}"),
        ("ADDRESS", "{Postfach 12 34 56, 60311 Frankfurt am Main}"),
        ("ADDRESS", "{Karl-Marx-Allee 34, 2. OG links, 10178 Berlin-Mitte}"),
        ("ADDRESS", "{hauptstr. 5 a, 12345 berlin}"),
        ("ADDRESS", "Herr Klein, {wohnhaft in Berg am Laim}"),
    ],
)
def test_a_number_or_an_address_is_found_whole(label: str, text: str) -> None:
    plain = re.sub("[{}]", "", text)
    matches = resolve(StateDetector(load_language("de")).find(plain))
    assert [plain[one.start : one.end] for one in matches] == re.findall(r"\{(.*?)\}", text)
    assert {one.label for one in matches} == {label}


@pytest.mark.parametrize(
    "text",
    ["SV-Nummer 65 170839 J 004", "Im Jahr 2020 kamen 3 Kinder.", "12345 Euro", "§ 5 Abs. 3 Nr. 2"],
)
def test_an_ordinary_number_is_none_of_germany(text: str) -> None:
    assert list(StateDetector(load_language("de")).find(text)) == []


def test_only_german_texts_are_read_for_german_numbers() -> None:
    assert list(StateDetector(load_language("en")).find("HRB 86891, Am Markt 3")) == []


@pytest.mark.parametrize(
    "text",
    [
        "Herr {Klein} kam nach {Berg}.",
        "Frau Dr. {Groß} sprach mit RA {Lang}.",
        "Richter {Mai} entschied.",
        "Rechtssache {Wolf} gegen {Weiß}",
        "Name: {August} {Koch}",
        "Sehr geehrter Herr {Will},",
        "Der Zeuge {Denn} sagte aus.",
        "Prof. {Koch} und Herr von {Berg}",
        "Mit freundlichen Grüßen\n\n{Rosa} {Weiß}",
        "KLAGE DES HERRN {KLEIN}",
    ],
)
def test_a_name_that_is_a_word_is_not_sent(
    text: str, encoder: Encoder, model: LanguageModel
) -> None:
    sentences = model.sentences(re.sub("[{}]", "", text))
    sent = " ".join(encoder.encode(one, DenyList(), Random(1)).text for one in sentences)
    assert set(re.findall(r"\{(\w+)\}", text)).isdisjoint(re.findall(r"\w+", sent))


def test_a_title_before_a_name_stays(encoder: Encoder, model: LanguageModel) -> None:
    (sentence,) = model.sentences("Frau Dr. Groß wartet.")
    assert encoder.encode(sentence, DenyList(), Random(1)).text.startswith("Frau Dr. ")
