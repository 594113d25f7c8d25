"""Other ways of translating a sentence whose translation has a fault."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from prism_core.drafts import Fault
from prism_core.drafts.checked import translate_checked
from prism_core.errors import Rejected
from prism_core.settings import TranslatorSettings
from prism_core.translators import Limits, Translator, make_translator
from tests.drafts.test_faults import sentence_of


class Answering:
    """A model with an answer to each text that it is expected to get."""

    name, endpoint, price = "answering", "localhost", None
    limits = Limits(texts_per_request=2, characters_per_request=1000)

    def __init__(self, **answers: str) -> None:
        self.answers = {text.replace("_", " "): answer for text, answer in answers.items()}
        self.asked: list[str] = []

    async def translate(self, texts: Sequence[str], *_pair: str) -> list[str]:
        """Answer, or refuse a text without an answer."""
        self.asked += texts
        if any(text not in self.answers for text in texts):
            raise Rejected("unknown", 0)
        return [self.answers[text] for text in texts]


def draft(
    model: object, *texts: str, contexts: Sequence[str] = ()
) -> list[tuple[str, set[Fault]] | None]:
    sentences = [sentence_of(text) for text in texts]
    translated = translate_checked(model, sentences, "en", "pt", contexts)  # type: ignore[arg-type]
    made = asyncio.run(translated)
    return [found and (found.text, set(found.faults)) for found in made]


@pytest.fixture(scope="module")
def firefox() -> Translator:
    return make_translator(TranslatorSettings.choose(name="firefox"), "en", "pt")


def test_a_translation_without_fault_is_asked_for_once() -> None:
    model = Answering(**{"Good morning": "Bom dia"})
    assert draft(model, "Good morning") == [("Bom dia", set())]
    assert model.asked == ["Good morning"]


def test_what_has_a_fault_is_translated_in_parts() -> None:
    whole = "The large red house, on the hill of 12 trees, is old."
    model = Answering(
        **{
            whole: "A grande casa vermelha é velha.",
            "The large red house,": "A grande casa vermelha,",
            "on the hill of 12 trees,": "no monte de 12 árvores,",
            "is old.": "é velha.",
            "on the hill of 12 trees, is old.": "no monte de 12 árvores, é velha.",
        }
    )
    assert draft(model, whole) == [
        ("A grande casa vermelha, no monte de 12 árvores, é velha.", set())
    ]


def test_what_no_way_avoids_is_kept_with_its_fault() -> None:
    model = Answering(**{"He waited 14 days": "Ele esperou dias"})
    assert draft(model, "He waited 14 days") == [("Ele esperou dias", {Fault.NUMBER})]


def test_a_text_that_the_model_does_not_take_has_no_draft_and_its_neighbours_have_theirs() -> None:
    model = Answering(**{"Good morning": "Bom dia"})
    assert draft(model, "Good morning", "unheard of things") == [("Bom dia", set()), None]


def test_a_code_that_the_model_breaks_comes_back_whole(firefox: Translator) -> None:
    texts = "Contact: john.smith@example.org", "IBAN GB33BUKB20201555555555"
    for text, made in zip(texts, draft(firefox, *texts), strict=True):
        assert made is not None
        assert made[1] == set()
        assert text.split()[-1] in made[0]


def test_numbers_that_the_model_changes_come_back_right_or_marked(firefox: Translator) -> None:
    """mozilla/translations#1388: separators of long numbers."""
    texts = [
        f"The total was {number} people." for number in ("2,200,112", "1,234.56", "10,000,000")
    ]
    assert draft(firefox, *texts) == [
        (f"O total foi de {number} pessoas.", set())
        for number in ("2.200.112", "1.234,56", "10 milhões de")
    ]


def test_single_words_and_marks_get_nothing_added(firefox: Translator) -> None:
    """mozilla/translations#1252: a bracket after one word."""
    for text in ("(", "Dr. Smith", "Weight", "Yes", "***", "INVOICE"):
        (made,) = draft(firefox, text)
        assert made is not None
        assert made[1] == set(), text
        assert len(made[0]) <= 2 * len(text) + 4


@pytest.mark.parametrize(
    ("word", "context", "translation"),
    [
        ("Right:", "", "Direita:"),
        ("LEFT", "", "ESQUERDA"),
        ("Left", "Knee", "Esquerda"),
        ("May", "Month", "Maio"),
        ("Hearing", "Court", "Audiência"),
        ("Hearing", "Ear", "Audição"),
    ],
)
def test_a_word_of_several_senses_is_translated_behind_its_context_and_marked(
    firefox: Translator, word: str, context: str, translation: str
) -> None:
    (made,) = draft(firefox, word, contexts=[context])
    assert made == (translation, {Fault.ALONE})


def test_a_word_of_one_sense_is_not_marked(firefox: Translator) -> None:
    words = ["VAT", "Normal", "Weight:", "Temperature", "From:", "Judge"]
    assert draft(firefox, *words) == [
        (text, set()) for text in ("IVA", "Normal", "Peso:", "Temperatura", "De:", "Juiz")
    ]


@pytest.mark.parametrize(
    ("text", "translation"),
    [
        ("Held on 24 February 2026 at 6.30 pm", "Realizado em 24 de fevereiro de 2026 às 18:30"),
        ("The fee is £850 plus VAT.", "A taxa é £850 mais IVA."),
        ("Kind regards,", "Atenciosamente,"),
        ("2. Price and payment", "2. Preço e pagamento"),
        ("Education", "Educação"),
    ],
)
def test_lines_of_letters_and_forms_come_back_as_people_write_them(
    firefox: Translator, text: str, translation: str
) -> None:
    assert draft(firefox, text) == [(translation, set())]


def test_a_word_on_which_the_model_disagrees_with_itself_is_marked() -> None:
    model = Answering(Quorx="Rua", quorx="vaca")
    assert draft(model, "Quorx") == [("Rua", {Fault.ALONE})]


def test_words_in_capitals_are_translated(firefox: Translator) -> None:
    assert draft(firefox, "PRIVILEGED AND CONFIDENTIAL") == [("PRIVILEGIADO E CONFIDENCIAL", set())]


def test_an_address_of_several_persons_stays(firefox: Translator) -> None:
    (found,) = draft(firefox, "Write to {anna,bob}@example.org before Friday.")
    assert found == ("Escreva para o {anna,bob}@example.org antes de sexta-feira.", set())


@pytest.mark.parametrize("word", ["Wilmington", "Anaheim", "Richmond"])
def test_a_word_that_may_be_a_name_is_not_translated_by_what_stands_before_it(
    firefox: Translator, word: str
) -> None:
    assert draft(firefox, word, contexts=["Los Angeles"]) == [(word, set())]


def test_a_name_to_which_the_model_adds_words_stays_as_it_is(firefox: Translator) -> None:
    assert draft(firefox, "Newport Beach") == [("Newport Beach", set())]


def test_a_line_that_is_an_address_stays_as_it_is(firefox: Translator) -> None:
    line = "<qfvhgsvhgsduiohncdhcvhsdfvsfygusd@gmail.com>:"
    assert draft(firefox, line) == [(line, set())]


def test_ordinary_words_with_capitals_are_no_name_that_was_lost() -> None:
    model = Answering(**{"Closure Unknown today": "Encerramento desconhecido hoje"})
    sentence = sentence_of("Closure Unknown today", "Closure", "Unknown")
    translated = translate_checked(model, [sentence], "en", "pt")  # type: ignore[arg-type]
    (made,) = asyncio.run(translated)
    assert made is not None
    assert not made.faults


@pytest.mark.parametrize(
    ("text", "translation"),
    [
        ("DOCUMENT NO.", "NÚMERO DO DOCUMENTO"),
        ("Patient No.: 4711", "Número do paciente: 4711"),
        ("He said no.", "Ele disse que não."),
        ("Qty", "Quantidade"),
    ],
)
def test_an_abbreviation_that_models_misread_is_written_out(
    firefox: Translator, text: str, translation: str
) -> None:
    assert draft(firefox, text) == [(translation, set())]


@pytest.mark.parametrize("name", ["Margaret Ellison", "MRN 4471-0926"])
def test_a_name_or_a_number_in_a_cell_stays(firefox: Translator, name: str) -> None:
    sentences = [sentence_of(name, "Margaret", "Ellison")]
    (made,) = asyncio.run(translate_checked(firefox, sentences, "en", "pt"))
    assert made is not None
    assert (made.text, made.faults) == (name, frozenset())


def test_the_stop_of_a_title_ends_no_sentence(firefox: Translator) -> None:
    text = "Thank you for referring Mrs. Margaret Ellison to our clinic."
    ((translation, faults),) = [d for d in draft(firefox, text) if d is not None]
    assert translation.endswith("Margaret Ellison à nossa clínica.")
    assert ". Margaret" not in translation
    assert not faults
