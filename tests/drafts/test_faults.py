"""Checks of translations that a model on this machine makes, and of numbers across languages."""

from __future__ import annotations

import re

import pytest

from prism_core.drafts import Fault
from prism_core.drafts.faults import find_faults
from prism_core.drafts.lost_numbers import match_numbers
from prism_core.language import Sentence, Token
from prism_core.languages import load_language, number_format

ENGLISH, PORTUGUESE = number_format("en"), number_format("pt")


def sentence_of(text: str, *persons: str) -> Sentence:
    """A sentence of words and marks; the words of ``persons`` are names of persons."""
    words = [found.span() for found in re.finditer(r"\w+|[^\w\s]", text)]
    ends = [start for start, _ in words[1:]] + [len(text)]
    return Sentence(
        tuple(
            Token(
                text[start:end],
                text[end:after],
                "NN",
                entity="PER" if text[start:end] in persons else "",
            )
            for (start, end), after in zip(words, ends, strict=True)
        )
    )


def faults_of(source: str, answer: str, *persons: str) -> set[Fault]:
    checked = find_faults(sentence_of(source, *persons), answer, load_language("en"), "pt")
    return set(checked.faults)


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("The total was 2,200,112 people.", "O total foi de 2.200.112 pessoas."),
        ("It cost 3.5 million in 1,024 days.", "Custou 3,5 milhões em 1.024 dias."),
        ("Version 3.2 came in May.", "A versão 3.2 saiu em maio."),
        ("About 100,000 came.", "Cerca de 100 mil vieram."),
        ("In the 18th century.", "No século XVIII."),
        ("The meeting is at 3:30 p.m.", "A reunião é às 15:30."),
        ("It closes at 5 p.m.", "Fecha às 17:00."),
        ("Music of the 1990s.", "Música dos anos 90."),
        ("Two thousand euros.", "2000 euros."),
        ("See INV-2024/00317 of 12/03/2024.", "Veja INV-2024/00317 de 12/03/2024."),
        ("Write to jo.smith@example.org.", "Escreva para jo.smith@example.org."),
        ("Mr Smith saw Oliver Grant.", "O Sr. Smith viu Oliver Grant."),
        ("Sister Grant left the hospital.", "A irmã Grant deixou o hospital."),
        ("He said very, very little.", "Ele disse muito, muito pouco."),
        ("The meeting closed at 8.10 pm.", "A reunião fechou às 20h10."),
        ("It takes ninety days.", "Leva noventa dias."),
        ("He was taken to theatre.", "Ele foi levado ao bloco operatório."),
        ("We went to the theatre.", "Fomos ao teatro."),
        ("Mrs Grant saw Mr Smith.", "A Sra. Grant viu o senhor Smith."),
        ("Mr Smith is a Member of Parliament.", "O senhor deputado Smith."),
    ],
)
def test_a_right_translation_has_no_fault(source: str, answer: str) -> None:
    assert faults_of(source, answer, "Oliver", "Grant", "Sister") == set()


@pytest.mark.parametrize(
    ("source", "answer", "corrected"),
    [
        ("Dear Mr Grant,", "Caro senhor deputado Grant,", "Caro senhor Grant,"),
        ("Mr Grant MP", "O senhor deputado Grant", "O senhor deputado Grant"),
    ],
)
def test_an_office_that_the_model_adds_to_a_title_is_dropped(
    source: str, answer: str, corrected: str
) -> None:
    checked = find_faults(sentence_of(source), answer, load_language("en"), "pt")
    assert (checked.text, checked.faults) == (corrected, frozenset())


@pytest.mark.parametrize(
    ("source", "answer", "fault"),
    [
        ("It has 783,562 square kilometres.", "Tem 733.562 quilômetros.", Fault.NUMBER),
        ("He waited 14 days.", "Ele esperou dias.", Fault.NUMBER),
        ("About 100,000 came.", "Cerca de 100 vieram.", Fault.NUMBER),
        ("VAT is £1,240.50.", "O IVA é de 1.240,50 euros.", Fault.NUMBER),
        ("We accept £6,000 plus costs.", "Aceitamos 6.000 custos mais.", Fault.NUMBER),
        ("He waited for days.", "Ele esperou 14 dias.", Fault.NUMBER),
        ("It takes ninety days.", "Leva dias.", Fault.NUMBER),
        ("It closed at 8.10 pm.", "Fechou às 21h10.", Fault.NUMBER),
        ("Patient: Mrs Grant", "Paciente: Sr. Grant", Fault.NAME),
        ("Meet at the bandstand.", "Encontro no bandstand.", Fault.UNTRANSLATED),
        ("He was taken to theatre.", "Ele foi levado ao teatro.", Fault.SENSE),
        ("Please reply by post.", "Por favor, responda por post.", Fault.SENSE),
        ("The Tenant pays.", "O Tenant paga.", Fault.UNTRANSLATED),
        ("IBAN GB33BUKB20201555555555", "IBAN GB33BUKB202015555555", Fault.CODE),
        ("Write to jo.smith@example.org.", "Escreva para jo.smith-example.org.", Fault.CODE),
        ("A <b> tag", "Uma marca b", Fault.CODE),
        ("We met Oliver Grant there.", "Nós o conhecemos lá.", Fault.NAME),
        ("Dr. Smith", "Dr. Smith (em inglês)", Fault.ADDED),
        ("Yes", "Sim, e muitas outras coisas que ninguém escreveu. " * 3, Fault.ADDED),
        ("(", "( (", Fault.ADDED),
        ("Thanks for sending Mrs. Grant to us.", "Obrigado pela edição. Grant.", Fault.ADDED),
        ("He died there.", "Ele morreu, morreu, morreu lá.", Fault.REPEATED),
        ("A house by the sea.", "Uma casa à beira à beira do mar.", Fault.REPEATED),
        ("The old man went home.", "The old man went home.", Fault.UNTRANSLATED),
        ("No crackles were heard.", "Nenhum crackles foi ouvido.", Fault.UNTRANSLATED),
        ("Apologies: Sister Jones", "A Apologies: A Irmã Jones", Fault.UNTRANSLATED),
        ("She took the red car and left.", "Ela took the red car e saiu.", Fault.UNTRANSLATED),
        (
            "The court heard both sides and will decide on the matter next week.",
            "O tribunal decidirá.",
            Fault.MISSING,
        ),
        ("One", "\0", Fault.UNUSABLE),
    ],
)  # fmt: skip
def test_a_wrong_translation_has_its_fault(source: str, answer: str, fault: Fault) -> None:
    assert fault in faults_of(source, answer, "Oliver", "Grant")


@pytest.mark.parametrize(
    ("source", "answer", "corrected"),
    [
        ("The total was 2,200,112.", "O total foi 2.200,112.", "O total foi 2.200.112."),
        ("Total: 1,234.56 EUR", "Total: 1.234.56 EUR", "Total: 1.234,56 EUR"),
        ("It was 1,234 m.", "Foram 1,234 m.", "Foram 1.234 m."),
        ("On 12/03/2024 12 came.", "Em 12/03/2024 vieram 12.", "Em 12/03/2024 vieram 12."),
    ],
)
def test_separators_alone_are_corrected(source: str, answer: str, corrected: str) -> None:
    matched = match_numbers(source, answer, ENGLISH, PORTUGUESE)
    assert (matched.correct(answer), matched.lost, matched.added) == (corrected, (), 0)


@pytest.mark.parametrize("language", ["de", "en", "es", "fr", "pt", "pl", "sv", "xx"])
@pytest.mark.parametrize("value", ["7", "1234", "1234567", "0.5", "12345.678"])
def test_a_number_is_read_as_it_is_written(language: str, value: str) -> None:
    written = number_format(language).write(value)
    assert number_format(language).value_of(written) == value


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("It cost two thousand euros.", "Custou dois mil euros."),
        ("It cost two thousand euros.", "Custou 2 mil euros."),
        ("About two million people died.", "Cerca de dois milhões de pessoas morreram."),
        ("Over a hundred technicians work.", "Mais de uma centena de técnicos trabalham."),
        ("He ate a dozen eggs.", "Ele comeu uma dúzia de ovos."),
        ("It took four and a half hours.", "Levou quatro horas e meia."),
        ("Half a million people came.", "Meio milhão de pessoas vieram."),
        ("Thirty-two percent agreed.", "Trinta e dois por cento concordaram."),
        ("We met at half past two.", "Nos encontramos às duas e meia."),
        ("We met at half past two.", "Nos encontramos às 14h30."),
        ("We met at a quarter to nine.", "Nos encontramos às quinze para as nove."),
        ("We met at a quarter to nine.", "Nos encontramos às nove menos um quarto."),
        ("The twenty-first century began.", "O século XXI começou."),
        ("Between three and four thousand crowns.", "Entre três e quatro mil coroas."),
        ("They want three and a half million pounds.", "Querem três milhões e meio de libras."),
        ("We sent four dozen boxes.", "Enviamos quatro dúzias de caixas."),
        ("It rose to fifty-eight percent.", "Subiu para 58%."),
        ("It paid three quarters of it.", "Pagou 3/4 disso."),
        ("It cost 400 billion euros.", "Custou 400.000 milhões de euros."),
        ("It closes at 11 pm.", "Fecha às 11 da noite."),
        ("It closes at 4.30pm or 8pm.", "Fecha às 4.30pm ou 8pm."),
        ("It closes at ten to five.", "Fecha às 4:50."),
    ],
)
def test_an_amount_in_another_form_is_no_fault(source: str, answer: str) -> None:
    assert Fault.NUMBER not in faults_of(source, answer)


@pytest.mark.parametrize(
    ("source", "answer"),
    [
        ("It cost two thousand euros.", "Custou dois euros."),
        ("It cost two thousand euros.", "Custou dois mil e quinhentos euros."),
        ("It cost 1.779 million euros.", "Custou 1,79 milhões de euros."),
        ("It cost 2.5 million euros.", "Custou 2,5 bilhões de euros."),
        ("Four hundred professors wrote.", "Quatro professores escreveram."),
        ("The price was three hundred and fifty dollars.", "O preço era de três e cinquenta."),
        ("Thirty-two percent agreed.", "Trinta por cento concordaram."),
        ("We met at half past two.", "Nos encontramos às quatro e meia."),
        ("We met at half past two.", "Nos encontramos pela metade dos dois."),
        ("We met at a quarter to nine.", "Nos encontramos às nove."),
        ("It closes at 11 pm.", "Fecha às 11 horas."),
        ("The deadline is 11.59 p.m. today.", "O prazo é 11h59 de hoje."),
        ("He got 44,621 zlotys.", "Recebeu 44 621 habitantes."),
        ("He got five hundred pounds.", "Recebeu quinhentos quilos."),
        ("He holds 9 per cent.", "Ele detém 9 por centavo."),
        ("It cost £6bn.", "Custou £6 trilhões."),
        ("It came to three and a half million.", "Chegou a três e meia de milhão."),
    ],
)
def test_a_changed_amount_or_time_is_a_fault(source: str, answer: str) -> None:
    assert Fault.NUMBER in faults_of(source, answer)


@pytest.mark.parametrize(
    ("pair", "source", "answer", "corrected"),
    [
        ("en-pt", "VAT is £1,240.50.", "O IVA é £1,240.50.", "O IVA é £1.240,50."),
        ("en-pt", "It holds 420,588MMBTU.", "Tem 420,588MMBTU.", "Tem 420.588MMBTU."),
        (
            "en-pt",
            "It had 2.4 million people.",
            "Tinha 2.4 milhões de pessoas.",
            "Tinha 2,4 milhões de pessoas.",
        ),
        ("en-pt", "Take 2.5 mg of it.", "Tome 2.5 mg disso.", "Tome 2,5 mg disso."),
        ("en-pt", "Version 3.2 is out.", "A versão 3.2 saiu.", "A versão 3.2 saiu."),
        ("es-en", "Costó 21.000 dólares.", "It cost 21.000 dollars.", "It cost 21,000 dollars."),
        ("es-en", "Son 0,08 personas.", "They are 0,08 people.", "They are 0.08 people."),
        ("es-en", "La versión 3.2 salió.", "Version 3.2 is out.", "Version 3.2 is out."),
    ],
)
def test_a_number_that_stayed_as_it_was_gets_the_separators_of_the_target(
    pair: str, source: str, answer: str, corrected: str
) -> None:
    language, target = pair.split("-")
    checked = find_faults(sentence_of(source), answer, load_language(language), target)
    assert (checked.text, checked.faults) == (corrected, frozenset())
