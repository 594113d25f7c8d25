"""Spanish as a source language: its words, its identifiers, and that it is refused by default."""

from pathlib import Path
from random import Random

import pytest

from prism_core.decoding import decode
from prism_core.dictionary import Dictionary, Entry
from prism_core.encoding import load_encoder, make_encoder
from prism_core.encoding.adjacent_words import fit_elisions
from prism_core.errors import ConfigurationError
from prism_core.identifiers import DenyList, IdentifierFinder, checksums
from prism_core.identifiers.detectors.states import StateDetector
from prism_core.identifiers.spans import SpanFinder
from prism_core.jobs import prepare_job
from prism_core.language import Sentence, Token, penn_tag
from prism_core.language.boundaries import BoundaryRules, Guess
from prism_core.languages import load_language
from prism_core.mechanisms import make_mechanism
from prism_core.mechanisms.pools import Pools
from prism_core.mechanisms.word_classes import GRAMMAR, classify
from prism_core.record import Encoded, Fate, Kind, Replacement
from prism_core.settings import MechanismSettings, load_settings
from tests.words import ENGLISH, entry, names, nouns

SPANISH = load_language("es")
SPANS = SpanFinder(SPANISH)


def found(text: str) -> set[tuple[str, str]]:
    return {(text[span.start : span.end], span.label) for span in SPANS.find(text)}


def labels(text: str) -> set[str]:
    return {span.label for span in SPANS.find(text)}


def test_an_experimental_source_is_refused_unless_that_is_accepted(tmp_path: Path) -> None:
    flags = {"source": "es", "target": "en"}
    with pytest.raises(ConfigurationError, match=r"experimental.*--experimental"):
        prepare_job(tmp_path, tmp_path / "out", flags=flags)
    with pytest.raises(ConfigurationError, match="experimental"):
        load_encoder(load_settings(flags=flags))
    accepted = flags | {"language.experimental": True}
    assert prepare_job(tmp_path, tmp_path / "out", flags=accepted).settings.source == "es"


def test_accepting_it_changes_nothing_of_what_is_unchanged() -> None:
    flags = {"source": "es", "target": "en"}
    accepted = load_settings(flags=flags | {"language.experimental": True})
    assert accepted.digest() == load_settings(flags=flags).digest()


@pytest.mark.parametrize(
    ("label", "text", "hidden"),
    [
        ("NATIONAL_ID", "con DNI 54362315K y domicilio", "54362315K"),
        ("NATIONAL_ID", "NIE X-1234567-L", "X-1234567-L"),
        ("NATIONAL_ID", "NSS 28/12345678/40.", "28/12345678/40"),
        ("VAT", "Obras Sur, con CIF B-12.345.674,", "B-12.345.674"),
        ("ACCOUNT", "en la cuenta 2100 0418 45 0200051332 de", "2100 0418 45 0200051332"),
        ("IBAN", "IBAN ES91 2100 0418 4502 0005 1332", "ES91 2100 0418 4502 0005 1332"),
        ("PHONE", "llamar al 612 345 678 mañana", "612 345 678"),
        ("PHONE", "teléfono 91 123 45 67", "91 123 45 67"),
        ("PHONE", "móvil 622334455", "622334455"),
        ("PLATE", "el turismo 1234 BCD", "1234 BCD"),
        ("PLATE", "el turismo M-1234-ZX", "M-1234-ZX"),
        ("RECORD", "expediente n.º 4711/2019", "4711/2019"),
        ("PLAN", "la póliza 88A-2231", "88A-2231"),
    ],
)
def test_a_number_that_spain_gives_out_is_found_whole(label: str, text: str, hidden: str) -> None:
    assert (hidden, label) in found(text)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("vive en la C/ Mayor, 3, 2.º izda., Toledo", {"Mayor", "3", "2.º"}),
        ("Domicilio: Av/ pio XII 67, 3B", {"pio", "XII", "67", "3B"}),
        ("Calle Miguel Benítez 90.", {"Miguel", "Benítez", "90"}),
        ("c/ del Abedul 5-7, 2º dcha 28036 Madrid", {"Abedul", "5", "7", "28036", "Madrid"}),
        ("Avda. de la Constitución, s/n", {"Constitución", "s/n"}),
        ("Calle del Arzobispo Domenech, 4, 3, D.", {"Domenech", "4", "3", "D"}),
        ("Paseo de San Juan nº 14, piso 3", {"Juan", "nº 14"}),
        ("Domicilio: calle monforte de lemos 129, 8C", {"monforte", "lemos", "129", "8C"}),
    ],
)
def test_of_an_address_every_name_and_number_is_found(text: str, hidden: set[str]) -> None:
    parts = {part for piece, label in found(text) for part in piece.split("-") if label}
    assert hidden <= parts


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("el 3 de marzo de 1998", {"3", "marzo", "1998"}),
        ("nacida el 14.05.1961", {"14", "05", "1961"}),
        ("del 3 al 5 de enero", {"3", "5", "enero"}),
    ],
)
def test_dates_are_found_in_digits_and_words(text: str, hidden: set[str]) -> None:
    assert hidden <= {piece for piece, label in found(text) if label == "DATE"} | {
        part for piece, label in found(text) if label == "DATE" for part in piece.split(".")
    }


def test_an_age_over_89_is_found_and_another_is_not() -> None:
    assert ("94", "AGE") in found("paciente de 94 años de edad")
    assert "AGE" not in labels("paciente de 64 años de edad")


def test_what_is_numbered_in_spain_is_not_looked_for_in_other_languages() -> None:
    state = StateDetector(ENGLISH)
    assert not state.may_find("call 612 345 678 at C/ Mayor, 3")
    assert list(state.find("call 612 345 678 at C/ Mayor, 3")) == []


@pytest.mark.parametrize(
    ("check", "right", "wrong"),
    [
        (checksums.spanish_company, "A58818501", "A58818502"),
        (checksums.spanish_company, "P0800000B", "P0800000C"),
        (checksums.spanish_social_security, "281234567840", "281234567841"),
        (checksums.spanish_account, "21000418450200051332", "21000418460200051332"),
    ],
)
def test_the_check_digits_of_spain(check: checksums.Check, right: str, wrong: str) -> None:
    assert check(right)
    assert not check(wrong)
    assert not check("")
    assert not check("0" * len(right))


def test_both_surnames_and_the_particles_between_them_are_one_name() -> None:
    dictionary = Dictionary([entry("casa", "NN-F"), *names()], {}, "es", SPANISH)
    words = "la doctora María de la Torre Vázquez firmó".split()
    tags = "DT NN-F NNP IN DT NNP NNP VBD-3S".split()
    tokens = tuple(Token(word, " ", tag) for word, tag in zip(words, tags, strict=True))
    cut, identifiers = IdentifierFinder(dictionary).find(Sentence(tokens))
    hidden = " ".join(one.text_in(cut) for one in identifiers)
    assert all(name in hidden for name in ("María", "Torre", "Vázquez"))


@pytest.mark.parametrize("word", "del al primer buen gran se lo ninguno estaban".split())
def test_contracted_and_short_forms_pronouns_and_auxiliaries_are_kept(word: str) -> None:
    dictionary = Dictionary([], {}, "es", SPANISH)
    assert classify(Token(word, " ", "JJ-MS"), dictionary) is GRAMMAR


@pytest.mark.parametrize(("tag", "word"), [("NN-F", "casa"), ("JJ-FS", "roja"), ("VBD-3S", "vio")])
def test_a_substitute_is_of_the_gender_number_and_person_of_its_word(tag: str, word: str) -> None:
    other = {"NN-F": "NN-M", "JJ-FS": "JJ-MS", "VBD-3S": "VBP-3P"}[tag]
    fitting = {one.word for one in _made(tag, "b")}
    words = Dictionary(
        [entry(word, tag), *_made(tag, "b"), *_made(other, "d"), *names()], {}, "es", SPANISH
    )
    encoder = make_encoder(words, make_mechanism(MechanismSettings.choose(minimum_pool=5), words))
    text = Sentence((Token("la", " ", "DT"), Token(word, " ", tag), Token(".", "", ".")))
    for seed in range(60):
        _, drawn, _ = encoder.encode(text, DenyList(), Random(seed)).text.split()
        assert drawn in fitting | {word}


def _made(tag: str, stem: str) -> list[Entry]:
    return [entry(f"{stem}{one.word}", tag) for one in nouns(30)]


def test_what_stands_in_for_an_unknown_word_is_a_noun_of_the_gender_that_has_most() -> None:
    words = Dictionary([*_made("NN-F", "b"), *_made("NN-M", "d")[:10], *names()], {}, "es", SPANISH)
    pools = Pools(words, 0.2, 5)
    assert {one.tag for one in pools.for_unknown("FW")} == {"NN-F"}


def test_no_sentence_ends_after_a_title_or_an_abbreviation() -> None:
    rules = BoundaryRules(SPANISH)
    for abbreviation in ("Dña.", "Sr.", "art.", "Avda."):
        guesses = [Guess(abbreviation, True, True), Guess("García", True, True)]
        assert rules.mend(guesses) == [True, False]


def test_the_tag_of_a_slot_has_its_penn_tag_before_the_hyphen() -> None:
    assert [penn_tag(tag) for tag in ("NN-F", "VBD-I3S", "IN", "-LRB-")] == [
        "NN", "VBD", "IN", "-LRB-",
    ]  # fmt: skip
    known = {"MONTH", "WEEKDAY"} | {penn_tag(tag) for tag in ENGLISH.frames.of_tags}
    assert {penn_tag(tag) for tag in SPANISH.frames.of_tags} <= known


@pytest.mark.parametrize(
    ("answer", "back"),
    [
        ("There was a table here.", "There was an apple here."),
        ("A table fell.", "An apple fell."),
        ("The table fell.", "The apple fell."),
        ("Vitamin A table.", "Vitamin A apple."),
    ],
)
def test_an_english_article_fits_the_word_that_is_put_back(answer: str, back: str) -> None:
    entries = [entry("manzana", "NN-F", ["apple"]), entry("mesa", "NN-F", ["table"])]
    words = Dictionary(entries, {"source": "es", "target": "en"}, "es")
    record = (Replacement(0, 1, "manzana", "mesa", Kind.WORD, "NN-F", 5),)
    assert decode(Encoded("mesa", record, (Fate.REPLACED,)), answer, words).text == back


@pytest.mark.parametrize(
    ("words", "place", "substitute", "tag", "goes"),
    [
        ("el |agua", 1, "mesa", "NN-F", "la mesa"),
        ("La |mesa", 1, "agua", "NN-F", "El agua"),
        ("el |libro", 1, "agua", "NN-M", "el agua"),
        ("la |torre", 1, "alta", "JJ-FS", "la alta"),
        ("la |miro", 1, "ama", "VBP-3S", "la ama"),
        ("del |área", 1, "mesa", "NN-F", "de la mesa"),
        ("a |la |mesa", 2, "águila", "NN-F", "al águila"),
        ("algún |arma", 1, "mesa", "NN-F", "alguna mesa"),
        ("e |hijo", 1, "perro", "NN-M", "y perro"),
        ("y |perro", 1, "hijo", "NN-M", "e hijo"),
        ("y |perro", 1, "hielo", "NN-M", "y hielo"),
        ("u |hombre", 1, "perro", "NN-M", "o perro"),
        ("7 |o |9", 2, "8", "CD", "7 u 8"),
        ("10 |u |11", 2, "110", "CD", "10 o 110"),
        ("10 |o |12", 2, "11000", "CD", "10 u 11000"),
        ("E |Inés", 1, "Marta", "GIVEN", "Y Marta"),
    ],
)
def test_what_hangs_on_a_sound_fits_what_is_sent(
    words: str, place: int, substitute: str, tag: str, goes: str
) -> None:
    tokens = [Token(word.strip(), " " * word.endswith(" "), "X") for word in words.split("|")]
    one = Replacement(place, 1, tokens[place].text, substitute, Kind.WORD, tag, 5)
    fitted = list(fit_elisions(Sentence(tuple(tokens)), [one], SPANISH).tokens)
    fitted[place] = fitted[place]._replace(text=substitute)
    assert Sentence(tuple(fitted)).text == goes


def test_words_that_only_a_draw_tells_apart_are_one_to_the_draw() -> None:
    assert {SPANISH.neutral_form(word) for word in ("el", "la", "al", "del")} == {"el"}
    assert SPANISH.neutral_form("e") == SPANISH.neutral_form("y") != SPANISH.neutral_form("o")
    assert SPANISH.neutral_form("mesa") == "mesa"


@pytest.mark.parametrize(
    ("verb", "pronouns", "written"),
    [
        ("hablar", 1, "hablar"), ("hablar", 2, "hablár"), ("oír", 2, "oír"),
        ("comiendo", 1, "comiéndo"), ("busque", 1, "búsque"), ("traiga", 1, "tráiga"),
        ("DECIR", 2, "DECÍR"),
    ],
)  # fmt: skip
def test_a_verb_has_the_accent_that_its_pronouns_ask_for(
    verb: str, pronouns: int, written: str
) -> None:
    assert SPANISH.grammar.enclitics.accent(verb, pronouns) == written


@pytest.mark.parametrize(
    ("word", "bare"), [("dár", "dar"), ("haciéndo", "haciendo"), ("cámara", "cámara")]
)
def test_an_accent_that_pronouns_give_is_taken_off_and_no_other(word: str, bare: str) -> None:
    assert SPANISH.grammar.enclitics.bare(word) == bare


@pytest.mark.parametrize("word", ["cárteles", "película", "teléfonos", "mártires", "hacerlo"])
def test_a_word_that_only_ends_like_pronouns_is_not_cut(word: str) -> None:
    assert SPANISH.grammar.enclitics.split(word) is None


def test_groups_of_digits_with_blanks_are_one_number() -> None:
    assert ("12 500 000,50", "NUMBER") in found("cuesta 12 500 000,50 pesos")
    assert {"2012", "300"} <= {piece for piece, _ in found("en 2012 300 personas")}
    assert ("600 123 456", "PHONE") in found("llame al 600 123 456")


@pytest.mark.parametrize(
    ("spanish", "english"),
    [
        ("7.000", "7,000"), ("100 000", "100,000"), ("1.234,56", "1,234.56"), ("2,5", "2.5"),
        ("0,125", "0.125"), ("1,234", "1,234"), ("3.5", "3.5"), ("12:30", "12:30"),
    ],
)  # fmt: skip
def test_a_number_is_written_as_in_english_where_it_can_be_told_apart(
    spanish: str, english: str
) -> None:
    assert SPANISH.numbers.write_as(ENGLISH.numbers, spanish) == english
