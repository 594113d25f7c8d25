"""A line of one word of grammar is translated here, as it is written; nothing else is."""

from __future__ import annotations

from itertools import permutations

import pytest

from prism_core.languages import load_language
from prism_core.translation_memory import SingleWordTranslations, is_unclear_alone

SOURCES = ("de", "en", "es", "fr")


@pytest.mark.parametrize(
    ("pair", "line", "translation"),
    [
        ("es-en", "Otro", "Other"),
        ("es-en", "De:", "From:"),
        ("en-fr", "FROM:", "DE :"),
        ("fr-de", "aujourd'hui", "heute"),
        ("de-es", "* Mehr", "* Más"),
        ("en-es", "Other parties", None),
        ("en-es", "Holm", None),
        ("es-en", "A", None),
        ("es-en", "a)", None),
        ("es-en", "DE", None),
        ("en-fr", "No.", None),
        ("en-fr", "No", "Non"),
        ("en-fr", "Mr.", "M."),
        ("es-en", "Sra.:", "Ms.:"),
        ("en-de", "Mrs.", "Frau"),
        ("de-en", "Frau.", "Ms."),
        ("en-pt", "Other:", "Outro:"),
        ("en-pt", "Mr.", "Sr."),
        ("en-ca", "Other", None),
        ("en-es", "Left", "Izquierdo"),
        ("en-pt", "RIGHT:", "DIREITO:"),
        ("de-en", "links", "left"),
        ("en-pt", "Kind regards,", "Atenciosamente,"),
        ("en-fr", "MATTERS ARISING:", "SUITES DE LA DERNIÈRE RÉUNION :"),
        ("en-pt", "- Discharged home", "- Alta para o domicílio"),
        ("en-de", "Kind people", None),
    ],
)
def test_a_word_alone_is_translated_as_it_is_written(
    pair: str, line: str, translation: str | None
) -> None:
    assert SingleWordTranslations(*pair.split("-")).translate(line) == translation


def test_a_term_of_the_users_has_a_translation_of_its_own() -> None:
    words = SingleWordTranslations("en", "es", {"Other", "summary"}.__contains__)
    assert words.translate("Other") is None
    assert words.translate("Discharge summary") is None
    assert words.translate("Discharge letter") == "Carta de alta"


@pytest.mark.parametrize("source", SOURCES)
def test_every_word_that_forms_have_alone_is_translated_into_each_language(source: str) -> None:
    alone = load_language(source).words.alone
    for one, target in permutations(SOURCES, 2):
        if one == source:
            words = SingleWordTranslations(source, target)
            assert not [word for word in alone if len(word) > 1 and not words.translate(word)]


def test_a_word_of_several_senses_is_unclear_where_it_is_alone() -> None:
    assert is_unclear_alone("Right:", "en")
    assert is_unclear_alone("Alta", "es")
    assert not is_unclear_alone("Right knee", "en")
    assert not is_unclear_alone("Temperature", "en")
