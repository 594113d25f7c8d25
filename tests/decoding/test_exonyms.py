"""Public names (*United States*) are put back as the target language calls them."""

from random import Random

import pytest

from prism_core.decoding import decode
from prism_core.dictionary import Dictionary, load_dictionary, read_exonyms
from prism_core.encoding import load_encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.record import Encoded, Kind, Replacement
from prism_core.resources import shipped_dictionary
from prism_core.settings import load_settings
from tests.words import entry, names

EXONYMS = read_exonyms("en", "es")


def put_back(source: str, answer: str, tags: str = "PLACE", gap: int = 1) -> str:
    """The words of ``source``, sent as *Nash, Ostrow, Perth*, as they come back in ``answer``."""
    pairs = zip(source.split(), ("Nash", "Ostrow", "Perth"), strict=False)
    record = tuple(
        Replacement(gap * at, 1, word, sent, Kind.NAME, tags)
        for at, (word, sent) in enumerate(pairs)
    )
    dictionary = Dictionary(names(), {}, "test", exonyms=EXONYMS)
    return decode(Encoded("", record, ()), answer, dictionary).text


@pytest.mark.parametrize(
    ("source", "answer", "expected"),
    [
        ("United States", "Voló a la Nash Ostrow.", "Voló a los Estados Unidos."),
        ("United States", "la ley del Nash Ostrow", "la ley de los Estados Unidos"),
        ("United Nations", "El Nash Ostrow cumplió.", "Las Naciones Unidas cumplió."),
        ("United Kingdom", "Vino de la Nash Ostrow.", "Vino del Reino Unido."),
        ("UNITED KINGDOM", "DE LA NASH OSTROW", "DEL REINO UNIDO"),
        ("South Africa", "en Nash Ostrow ahora", "en Sudáfrica ahora"),
        ("South Korea", "en Nash Ostrow ahora", "en Corea del Sur ahora"),
        ("New York City", "en Nash Ostrow Perth ahora", "en Nueva York ahora"),
    ],
)
def test_a_public_name_comes_back_as_it_is_called_with_its_article(
    source, answer, expected
) -> None:
    assert put_back(source, answer) == expected


@pytest.mark.parametrize(
    ("source", "answer", "expected"),
    [
        ("Anna Easter", "con Nash Ostrow", "con Anna Easter"),
        ("United States Bank", "la Nash Ostrow Perth", "la United States Bank"),
        ("United States", "la Ostrow y la Nash", "la States y la United"),
        ("United States", "la Nash de Ostrow", "la United de States"),
    ],
)
def test_a_name_that_is_no_whole_public_one_comes_back_letter_by_letter(
    source, answer, expected
) -> None:
    assert put_back(source, answer) == expected


def test_a_feast_is_translated_and_the_person_of_that_name_is_not() -> None:
    assert put_back("Christmas", "en Nash", "NAME") == "en Navidad"
    assert put_back("Christmas", "Señor Nash", "PERSON") == "Señor Christmas"
    assert put_back("United States", "la Nash Ostrow", gap=2) == "la United States", "words apart"


def test_a_name_that_may_be_a_persons_is_translated_where_it_is_tagged_as_a_place() -> None:
    known = Dictionary([entry("Jordan", "SURNAME", ["Jordan"])], {}, "test", exonyms=EXONYMS)
    for tag, expected in (("PLACE", "con Jordania"), ("NAME", "con Jordan")):
        record = (Replacement(0, 1, "Jordan", "Nash", Kind.NAME, tag),)
        assert decode(Encoded("", record, ()), "con Nash", known).text == expected


def test_an_article_is_written_where_only_the_substitute_has_none() -> None:
    portuguese = read_exonyms("en", "pt")
    assert portuguese["Afghanistan"].articles["em"] == "no"
    assert portuguese["Germany"].articles["do"] == "da"
    assert not portuguese["New York"].articles


@pytest.mark.parametrize(
    ("pair", "place", "expected"),
    [
        (("en", "fr"), "Germany", "Allemagne"),
        (("en", "de"), "Munich", "München"),
        (("es", "en"), "Alemania", "Germany"),
        (("de", "fr"), "Mailand", "Milan"),
        (("fr", "pt"), "Danemark", "Dinamarca"),
    ],
)
def test_a_place_has_its_name_in_every_language_whatever_the_source(pair, place, expected) -> None:
    assert read_exonyms(*pair)[place].text == expected


def test_nobody_claims_what_names_are_called_in_a_language_without_a_list() -> None:
    assert not read_exonyms("en", "nl")


@pytest.fixture(scope="module")
def portuguese() -> Dictionary:
    return load_dictionary(shipped_dictionary("en", "pt"), "firefox")


def put_back_people(word: str, answer: str, dictionary: Dictionary, *, sent: str = "Nash") -> str:
    """``word``, sent as *Nash*, and the troops after it, sent as *army*, as they come back."""
    troops = Replacement(1, 1, "troops", "army", Kind.WORD, "NN")
    nouns = (troops,) if "exército" in answer else ()
    record = (Replacement(0, 1, word, "Nash", Kind.NAME, "NAME"), *nouns)
    return decode(Encoded(sent, record, ()), answer, dictionary).text


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("o exército Nash", "as tropas americanas"),
        ("o exército de Nash", "as tropas americanas"),
        ("o exército da Nash", "as tropas americanas"),
        ("o Nash exército", "o tropas americanas"),
    ],
)
def test_a_word_for_people_agrees_with_its_noun_and_follows_it(
    answer, expected, portuguese
) -> None:
    assert put_back_people("American", answer, portuguese) == expected


@pytest.mark.parametrize(
    ("word", "sent", "answer", "expected"),
    [
        ("Germans", "by Nash", "pelo Nash", "pelos alemães"),
        ("French", "by the Nash", "pelo Nash", "pelos franceses"),
        ("French", "in Nash", "em Nash", "em francês"),
        ("Germans", "Nash left", "Nash saiu", "Alemães saiu"),
    ],
)
def test_a_word_for_people_alone_is_one_person_or_a_people(
    word, sent, answer, expected, portuguese
) -> None:
    assert put_back_people(word, answer, portuguese, sent=sent) == expected


def test_what_is_sent_does_not_depend_on_what_public_names_are_called() -> None:
    def without(path, translator):
        loaded = load_dictionary(path, translator)
        loaded.exonyms = {}
        return loaded

    (sentence,) = LanguageModel.load("en", lemmas=False).sentences(
        "The United States paid at Christmas."
    )
    assert load_dictionary(shipped_dictionary("en", "es"), "apertium").exonyms
    sent = [
        load_encoder(load_settings(), load=load).encode(sentence, DenyList(), Random(3))
        for load in (load_dictionary, without)
    ]
    assert sent[0] == sent[1]
    assert not {"United", "States", "Christmas"}.intersection(sent[0].text.split())
