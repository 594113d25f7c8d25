"""Names and numbers of Spanish texts through the shipped model and dictionary: what is found."""

import re
from collections.abc import Callable
from random import Random, SystemRandom

import pytest

from prism_core.dictionary import load_dictionary
from prism_core.encoding import Encoder, load_encoder
from prism_core.identifiers import DenyList, IdentifierFinder, checksums
from prism_core.identifiers.normal_form import squash
from prism_core.language import LanguageModel
from prism_core.resources import shipped_dictionary
from prism_core.settings import load_settings

FLAGS = {"source": "es", "target": "en", "language.experimental": True}
IDS_IN_ALL = 150


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.load("es")


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder(load_settings(flags=FLAGS))


def found(text: str, encoder: Encoder, model: LanguageModel) -> str:
    """The words of ``text`` that are within identifiers."""
    finder, words = IdentifierFinder(encoder.dictionary), list[str]()
    for sentence in model.sentences(text):
        cut, identifiers = finder.find(sentence)
        words += [one.text_in(cut) for one in identifiers]
    return " ".join(words)


@pytest.mark.parametrize(
    "text",
    [
        "NOMBRE: {MAR} APELLIDOS: {VALLE} {PAZ}",
        "nombre y apellidos: {pilar} {león} de la {cruz}",
        "Nombre del paciente: {felicidad} {bueno}",
        "\ufeffNombre: {Fe}",
        "Médico: {Felicidad} {Tercero} {Barba}  NºCol: 28 28 95102",
        "Médico responsable: Dra. {Socorro} {Cabeza}",
        "Dra.  {Felicidad} {Santos}",
        "Hola {Paz}, te escribo mañana.",
        "Querido {León}:",
        "Atentamente, {Rosa} {Blanco}",
        "Testigo: {Llévela}",
        "Firmado: {Dígalo}",
        "Hablé con {Dígalo} ayer.",
        "Para: {Ángel} {Rubio}",
        "Fdo.: {Fe} {Bravo} {Rico}",
        "{Pilar} firmó el contrato ayer.",
        "{Soledad} y {Mar} viven juntas.",
        "ACTA DE DECLARACIÓN DE {DOLORES} {REYES}",
        "AUDIENCIA PROVINCIAL DE {LEÓN}, SECCIÓN TERCERA",
        "Caso {Bueno} contra {España}",
        "CASO {MAS} Y {MÁS} c. {ESPAÑA}",
        "{ANA} {MAS}",
        "MÍA {HAYA} {MAS}",
        "DEMANDA DE {ANA} {MAS} CONTRA {JUAN} {HAYA}",
        "El testigo {Mas} firmó el contrato.",
        "La doctora {Haya} firmó el contrato.",
        "El señor {Mas} no acudió.",
        "D.ª {Sol} {Mas}",
        "La sede está en La {Haya}.",
        "{Sin} {Sobre}, S.L.",
        "Hospital {Virgen} de la {Salud}",
        "Ingresó en el Hospital La {Princesa}.",
        "HOSPITAL UNIVERSITARIO LA {PAZ}",
        "Hospital Universitario La {paz}.",
        "Reside en la calle {Desengaño} desde hace años.",
        "Nacida en {Buenos} {Aires}.",
        "DOMICILIO: CALLE {MAYOR} {12}, 3º {A}, {28013} {MADRID}",
        "Domicilio: C/ {Mayor}, {3}, 4 {D}.",
        "domicilio: calle {mayor} {12} {3} {b}",
        "{Reyes} {Católicos}, {19}. {41013} {Sevilla}",
        "Contacto: {marias.alfageme}@ {juntadeandalucia.es}",
        "Ante mí, {Ramón} {Notario} {Barba}, notario de {Cuenca}",
        "Ingresó en {marzo} y fue alta en {abril}.",
        "Hijo de {Jesús} y {Rosario}, natural de {Cabra} ({Córdoba})",
        "{J}. {A}. {M}., de 14 años",
        "(Demanda n.º {12345}/06)",
        "ASUNTO: HERENCIA DE {MARINA} {COSTA}",
        "los Sres. {Prado} y {Campo} firmaron",
        "Mi hija {Estrella} tiene fiebre",
        "doña {clara} y don {ángel}",
        "IES La {Flota}",
        "email: {rosa.leon} @ gmail.com",
        "matricula: {m}-{1234}-{zx}",
        "Doña Pilar {Haya} {de} {la} {Torre}, con DNI 54362315K",
    ],
)
def test_a_name_of_ordinary_words_is_found_by_what_stands_beside_it(
    text: str, encoder: Encoder, model: LanguageModel
) -> None:
    named = set(re.findall(r"\{(.*?)\}", text))
    hidden = found(re.sub(r"[{}]", "", text), encoder, model)
    assert named <= {*hidden.split(), *re.findall(r"\w+", hidden)}


@pytest.mark.parametrize(
    "text",
    [
        "La rosa es roja y el león duerme en el valle.",
        "El hospital cerró la noche anterior por obras en la calle.",
        "Paciente: refiere dolor de cabeza",
        "Médico: no consta",
        "Las palmas de las manos y la línea media son normales.",
        "Bueno, mañana vendrá el señor mayor con la señora buena.",
        "Gracias por todo y buenos días.",
        "Estimados señores:",
        "El juez de guardia, el notario y la abogada firmaron.",
        "En el caso que nos ocupa, la parte contraria apeló.",
        "El paciente bajo sedación, sin dolor, está mal.",
    ],
)
def test_ordinary_words_are_no_names(text: str, encoder: Encoder, model: LanguageModel) -> None:
    assert found(text, encoder, model) == ""


def test_a_word_of_grammar_that_is_a_name_elsewhere_is_hidden_where_it_is_none(
    encoder: Encoder, model: LanguageModel
) -> None:
    named = (
        "La doctora Haya firmó.",
        "Haya no vino al juicio.",
        "Haya lo sabe.",
        "Según Haya, cayó.",
    )
    grammar = ("Haya o no haya pruebas, vendrá.", "Haya fiebre.", "Es posible que haya fiebre.")
    sentences = [one for text in (*named, *grammar) for one in model.sentences(text)]
    known = encoder.add_identifiers(DenyList(), sentences)
    sent = [encoder.encode(one, known, Random(1)).text.lower() for one in sentences]
    assert ["haya" in one for one in sent] == [False] * 4 + [True] * 3


def test_two_persons_with_y_between_them_stay_two(encoder: Encoder, model: LanguageModel) -> None:
    assert " y " not in f" {found('los Sres. Prado y Campo firmaron', encoder, model)} "


def test_what_stands_for_months_and_initials_is_written_as_spanish_is(
    encoder: Encoder, model: LanguageModel
) -> None:
    (sentence,) = model.sentences("En marzo y en abril declaró J. K. Ochoa.")
    for seed in range(40):
        text = encoder.encode(sentence, DenyList(), Random(seed)).text
        months = re.findall(r"\b[Ee]n (\w+)", text)
        assert len(months) == 2
        assert all(month.islower() for month in months)
        assert not re.search(r"\b[AEIOUYD]\.", text)


def test_names_of_spain_stand_for_names_with_the_translator_that_leaves_them() -> None:
    surnames = {
        name: set(load_dictionary(shipped_dictionary("es", "en"), name).names["SURNAME"])
        for name in ("apertium", "google")
    }
    assert {"Aguirre", "Valdés"} <= surnames["apertium"]
    assert surnames["google"].isdisjoint({"Aguirre", "Valdés"})


def _any(digits: int, rng: Random) -> str:
    return "".join(rng.choices("0123456789", k=digits))


def _that_checks(make: Callable[[Random], str], check: checksums.Check, rng: Random) -> str:
    return next(one for _ in range(100_000) if check(one := make(rng)))


def _identity(rng: Random) -> str:
    number = _any(8, rng)
    return number + "TRWAGMYFPDXBNJZSQVHLCKE"[int(number) % 23]


def _foreigner(rng: Random) -> str:
    first, number = rng.choice("XYZ"), _any(7, rng)
    value = int(f"{'XYZ'.index(first)}{number}")
    return f"{first}{number}{'TRWAGMYFPDXBNJZSQVHLCKE'[value % 23]}"


def _iban(rng: Random) -> str:
    account = _any(20, rng)
    return f"ES{98 - int(account + '142800') % 97:02d}{account}"


MAKERS: dict[str, Callable[[Random], str]] = {
    "DNI": _identity,
    "NIE": _foreigner,
    "CIF": lambda rng: _that_checks(
        lambda rng: rng.choice("ABEFGH") + _any(8, rng), checksums.spanish_company, rng
    ),
    "NSS": lambda rng: _that_checks(
        lambda rng: _any(12, rng), checksums.spanish_social_security, rng
    ),
    "CCC": lambda rng: _that_checks(lambda rng: _any(20, rng), checksums.spanish_account, rng),
    "IBAN": _iban,
    "teléfono": lambda rng: rng.choice("6789") + _any(8, rng),
    "matrícula": lambda rng: _any(4, rng) + "".join(rng.choices("BCDFGHJKLMNPRSTVWXYZ", k=3)),
}
CONTEXTS = (
    "{} {}", "{}: {}", "con {} n.º {} y domicilio en Madrid", "El {} ({}) no consta.", "{}:{}",
    "Se presentó con el {} «{}», caducado.", "{}\t{}", "- {} = {};", "{}nº{}",
    "Ayer el perito leyó {} y luego {} en voz alta.", "DATOS: {} / {} / VARÓN", "{}={}",
)  # fmt: skip


def _written(number: str, rng: Random) -> str:
    """``number`` with marks between its parts perhaps, in small letters perhaps."""
    mark = rng.choice(["", "", " ", "-", ".", "\u00a0"])
    size = rng.choice([2, 3, 4])
    parts = [number[at : at + size] for at in range(0, len(number), size)]
    written = mark.join(parts)
    return rng.choice([written, written, written.lower()])


@pytest.mark.parametrize("kind", MAKERS)
def test_a_number_that_spain_gives_out_is_never_sent_however_it_is_written(
    kind: str, encoder: Encoder, model: LanguageModel
) -> None:
    rng, goes = SystemRandom(), 0
    for _ in range(IDS_IN_ALL // len(MAKERS)):
        number = MAKERS[kind](rng)
        name = rng.choice([kind, kind.lower(), kind.upper(), "documento", "Ref."])
        text = rng.choice(CONTEXTS).format(name, _written(number, rng))
        sentences = model.sentences(text)
        known = encoder.add_identifiers(DenyList(), sentences)
        encoded = [encoder.encode(one, known, rng) for one in sentences]
        sent = squash("".join(one.text for one in encoded if not one.withheld))
        assert number.lower() not in sent
        goes += sent != ""
    assert goes > 1
