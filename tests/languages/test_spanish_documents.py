"""Spanish texts through the shipped model and dictionary, to Apertium and back."""

import asyncio
from collections.abc import Sequence

import pytest

from prism_core import Prism
from prism_core.language import LanguageModel
from prism_core.settings import load_settings
from prism_core.translators import make_translator

FLAGS = {"source": "es", "target": "en", "language.experimental": True}
LETTER = (
    "La doctora María del Carmen Rodríguez Peñalver examinó la pierna izquierda el 3 de marzo.",
    "El vecino vive en la C/ Mayor, 3, 2.º izda., y tiene el DNI 54362315K.",
    "¿Pagó la empresa los daños? ¡No! La cuenta ES91 2100 0418 4502 0005 1332 estaba vacía.",
    "Los abogados enviaron ayer los documentos firmados, y la juez pidió una respuesta clara.",
)
PRIVATE = (
    "María del Carmen", "Rodríguez", "Peñalver", "C/ Mayor", "54362315K",
    "2100 0418 4502 0005 1332",
)  # fmt: skip


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.load("es")


@pytest.mark.parametrize(
    "text", [*LETTER, "¡¿Qué?!  «Sí», dijo —dándoselo— al\tfin.\n\n1.º  Del art. 3.2\u00a0CE…"]
)
def test_the_sentences_of_a_text_give_it_back_byte_for_byte(
    model: LanguageModel, text: str
) -> None:
    assert "".join(one.text for one in model.sentences(text)) == text


def test_the_tag_of_a_word_tells_what_agrees_with_it(model: LanguageModel) -> None:
    (sentence,) = model.sentences("La casa roja y los libros nuevos estaban en el jardín.")
    tags = {token.text: token.tag for token in sentence.tokens}
    assert tags["casa"] == "NN-F"
    assert tags["roja"] == "JJ-FS"
    assert tags["libros"] == "NNS-M"
    assert tags["nuevos"] == "JJ-MP"


def test_a_verb_and_the_pronouns_at_its_end_are_words_by_themselves(model: LanguageModel) -> None:
    text = "Quiere hacerlo y quedarse; el compañero parte."
    (one,) = model.sentences(text)
    assert one.text == text
    words = [(token.text, token.tag) for token in one.tokens]
    assert words[1:6] == [
        ("hacer", "VB"),
        ("lo", "PRP"),
        ("y", "CC"),
        ("quedar", "VB"),
        ("se", "PRP"),
    ]
    assert {"compañero", "parte"} <= {word for word, _ in words}


def test_a_sentence_that_ends_before_an_opening_mark_is_one(model: LanguageModel) -> None:
    found = model.sentences("El paciente no come. ¿Tiene fiebre? La doctora no lo sabe.")
    assert [one.text.strip() for one in found] == [
        "El paciente no come.", "¿Tiene fiebre?", "La doctora no lo sabe.",
    ]  # fmt: skip


def test_nothing_private_of_a_letter_is_sent_and_its_names_are_put_back() -> None:
    settings = load_settings(flags=FLAGS)
    translator = make_translator(settings.translator, "es", "en")
    sent: list[str] = []

    def translate(texts: Sequence[str]) -> list[str]:
        sent.extend(texts)
        return asyncio.run(translator.translate(texts, "es", "en"))

    letter = list(Prism.load("es-en", settings).protect(LETTER, translate, leave=True))
    asyncio.run(translator.close())
    seen = " ".join(sent)
    assert sent
    assert not [text for text in PRIVATE if text in seen]
    back = " ".join(letter)
    assert all(word in back for word in ("Rodríguez", "54362315K", "ES91 2100 0418 4502 0005 1332"))
    assert " the " in f" {back.lower()} "


@pytest.mark.parametrize(
    ("word", "parts"),
    [
        ("dárselo", [("dár", "VB"), ("se", "PRP"), ("lo", "PRP")]),
        ("haciéndolo", [("haciéndo", "VBG"), ("lo", "PRP")]),
        ("Dígame", [("Díga", "VBP-S3S"), ("me", "PRP")]),
    ],
)
def test_an_accent_tells_a_verb_from_the_pronouns_at_its_end(
    model: LanguageModel, word: str, parts: list[tuple[str, str]]
) -> None:
    (one,) = model.sentences(f"{word} a la mujer.")
    assert one.text == f"{word} a la mujer."
    assert [(token.text, token.tag) for token in one.tokens][: len(parts)] == parts


def test_accented_verbs_and_numbers_with_blanks_come_back_translated() -> None:
    settings = load_settings(flags=FLAGS)
    translator = make_translator(settings.translator, "es", "en")
    sent: list[str] = []

    def translate(texts: Sequence[str]) -> list[str]:
        sent.extend(texts)
        return asyncio.run(translator.translate(texts, "es", "en"))

    text = "La mujer está haciéndolo y puede dárselo por 100 000 pesos o 1.234,56 €."
    (back,) = Prism.load("es-en", settings).protect([text], translate, leave=True)
    asyncio.run(translator.close())
    assert sent
    assert not any(private in " ".join(sent) for private in ("dárselo", "100 000", "1.234,56"))
    assert {"doing", "give"} <= set(back.split())
    assert "100,000" in back
    assert "1,234.56" in back
