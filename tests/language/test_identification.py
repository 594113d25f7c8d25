"""Lines in other languages are told, and none of the source language is taken for one."""

import pytest

from prism_core.language.identification import (
    UNDETERMINED,
    count_letters_in,
    document_language,
    main_language,
    other_languages,
)
from tests.shared_data import shared

ENGLISH = "The contract was signed by both parties before the end of the month."
HEADINGS = [
    "QUARTERLY FINANCIAL STATEMENT ANALYSIS",
    "Pulmonary function testing: spirometry",
    "Giovanni Rossi, Maria Bianchi",
    "Invoice no. 2021-33",
    "El Paso, Los Angeles",
    "ḁ, Việt Nam",
]
MISREAD = "El contrato⍰ fue firmado por ambas partes antes del fin de mes."


@pytest.mark.parametrize(
    "line", [ENGLISH, MISREAD, *HEADINGS, "", "12 / 34", "Hello", "naïve café façade"]
)
def test_a_line_of_the_source_language_and_one_in_doubt_are_told_to_be_in_none_other(line) -> None:
    assert other_languages([line], "en") == {}


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("El paciente ingresó el lunes con dolor torácico y fiebre alta.", "es"),
        ("Der Vertrag wird hiermit mit sofortiger Wirkung gekündigt.", "de"),
        ("Le contrat est résilié avec effet immédiat par les parties.", "fr"),
        ("Комиссия принимает решение об определении победителя", "ru"),
        ("تشجع الوزارة الأطفال ذكورا وإناثا على التعليم", "ar"),
        ("日本語", "und"),
    ],
)
def test_a_line_in_another_language_is_told_with_its_code(line, language) -> None:
    assert other_languages([ENGLISH, line], "en") == {line: language}


def test_english_is_another_language_where_it_is_not_the_source() -> None:
    assert other_languages([ENGLISH], "de") == {ENGLISH: "en"}


@pytest.mark.parametrize(("language", "least"), [("es", 0.85), ("fr", 0.95), ("de", 0.95)])
def test_lines_of_news_are_told_apart(language, least) -> None:
    folder = shared(f"wmt/en-{language}")
    english = (folder / "flores-dev.en").read_text("utf-8").splitlines()[:300]
    others = (folder / f"flores-dev.{language}").read_text("utf-8").splitlines()[:300]
    assert other_languages(english, "en") == {}
    found = other_languages(others, "en")
    assert set(found.values()) == {language}
    assert len(found) >= least * len(set(others))


def test_french_is_no_spanish_though_it_shares_its_function_words() -> None:
    french = (shared("wmt/fr-en") / "flores-dev.fr").read_text("utf-8").splitlines()[:300]
    spanish = (shared("wmt/es-en") / "flores-dev.es").read_text("utf-8").splitlines()[:300]
    assert other_languages(spanish, "es") == {}
    assert len(other_languages(french, "es")) >= 0.95 * len(set(french))
    assert count_letters_in("es", french) < 200 < count_letters_in("es", spanish[:10])


@pytest.mark.parametrize(
    ("line", "language"),
    [
        ("El pacient va ingressar dilluns amb dolor i febre, però els metges no van trobar", "ca"),
        ("Aquest contracte també és vàlid per als altres socis de la seva empresa.", "ca"),
        ("Os documentos foram assinados ontem pelo advogado e não há mais nada a fazer.", "pt"),
        ("Il contratto è stato firmato dalle parti e gli avvocati sono già partiti.", "it"),
        ("O doente foi ingresado na clínica coa súa nai, pero non tiña moita febre.", "gl"),
    ],
)
def test_a_line_in_a_language_near_to_spanish_is_no_spanish(line, language) -> None:
    assert other_languages([line], "es") == {line: language}


def test_a_document_is_in_the_language_of_most_of_it_and_in_none_when_in_doubt() -> None:
    spanish = "El paciente ingresó el lunes con dolor torácico y fiebre alta."
    assert document_language([ENGLISH, ENGLISH, spanish]) == "en"
    assert document_language([ENGLISH, "El paciente", spanish, f"{spanish} {spanish}"]) == "es"
    cells = ["Viaje a la clínica", "Informe del médico", "Silla de ruedas", "Gastos de la caída"]
    assert document_language(cells) == "es"
    for lines in (["Total"], ["Nombre", "Dirección"], ["Anna Quibble"], ["12 / 34"], []):
        assert document_language(lines) == UNDETERMINED
    assert document_language([ENGLISH, spanish]) in ("en", UNDETERMINED)


def test_the_main_language_has_more_than_half_of_all_letters() -> None:
    assert main_language({"ru": 60, "ar": 10}, 100) == "ru"
    assert main_language({"ru": 40, "ar": 40}, 100) is None
    assert main_language({}, 0) is None
