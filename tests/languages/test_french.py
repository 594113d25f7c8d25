"""French as a source language: its words, its identifiers, and what agrees in what is sent."""

from random import Random

import pytest

from prism_core.dictionary import Dictionary
from prism_core.encoding import make_encoder
from prism_core.encoding.adjacent_words import fit_elisions
from prism_core.errors import ConfigurationError
from prism_core.identifiers import DenyList, IdentifierFinder, checksums
from prism_core.identifiers.detectors import built_in_detectors
from prism_core.identifiers.disguises import SpelledNumbers
from prism_core.identifiers.spans import SpanFinder
from prism_core.language import Sentence, Token, penn_tag
from prism_core.language.boundaries import BoundaryRules, Guess
from prism_core.languages import load_language, require_source
from prism_core.mechanisms import make_mechanism
from prism_core.mechanisms.word_classes import GRAMMAR, classify
from prism_core.record import Kind, Replacement
from prism_core.settings import MechanismSettings
from tests.words import ENGLISH, entry, names, nouns

FRENCH = load_language("fr")
SPANS = SpanFinder(FRENCH)


def found(text: str) -> set[tuple[str, str]]:
    return {(text[span.start : span.end], span.label) for span in SPANS.find(text)}


def sent(words: str, place: int, substitute: str, tag: str) -> str:
    """``words`` (a ``|`` between tokens, blanks kept) with ``substitute`` at ``place``."""
    tokens = [Token(word.strip(), " " * word.endswith(" "), "X") for word in words.split("|")]
    one = Replacement(place, 1, tokens[place].text, substitute, Kind.WORD, tag, 5)
    fitted = list(fit_elisions(Sentence(tuple(tokens)), [one], FRENCH).tokens)
    fitted[place] = fitted[place]._replace(text=substitute)
    return Sentence(tuple(fitted)).text


def test_french_is_refused_unless_it_is_accepted_as_experimental() -> None:
    with pytest.raises(ConfigurationError, match=r"French is experimental.*--experimental"):
        require_source("fr", experimental=False)
    require_source("fr", experimental=True)


@pytest.mark.parametrize(
    ("words", "place", "substitute", "tag", "goes"),
    [
        ("l'|avocat", 1, "médecin", "NN-M", "le médecin"),
        ("L'|avocate", 1, "voisine", "NN-F", "La voisine"),
        ("le |médecin", 1, "avocat", "NN-M", "l'avocat"),
        ("le |médecin", 1, "héros", "NN-M", "le héros"),
        ("la |table", 1, "héroïne", "NN-F", "l'héroïne"),
        ("du |médecin", 1, "avocat", "NN-M", "de l'avocat"),
        ("Au |médecin", 1, "avocat", "NN-M", "À l'avocat"),
        ("De |l’|avocat", 2, "médecin", "NN-M", "Du médecin"),
        ("à |l'|avocate", 2, "table", "NN-F", "à la table"),
        ("à |l'|avocat", 2, "médecin", "NN-M", "au médecin"),
        ("d'|avocats", 1, "médecins", "NNS-M", "de médecins"),
        ("que |Paul", 1, "Anne", "PERSON", "qu'Anne"),
        ("cet |homme", 1, "voisin", "NN-M", "ce voisin"),
        ("ma |voisine", 1, "amie", "NN-F", "mon amie"),
        ("mon |amie", 1, "voisine", "NN-F", "ma voisine"),
        ("bel |homme", 1, "voisin", "NN-M", "beau voisin"),
        ("les |avocats", 1, "médecins", "NNS-M", "les médecins"),
        ("de |l'|aider", 2, "suivre", "VB", "de le suivre"),
        ("la |suivre", 1, "voir", "VB", "la voir"),
        ("la |France", 1, "Perry", "PLACE", "le Perry"),
        ("l'|Italie", 1, "Perry", "PLACE", "le Perry"),
        ("parle|-t-il", 0, "finit", "VBP-3S", "finit-il"),
        ("finit|-elle", 0, "parle", "VBP-3S", "parle-t-elle"),
        ("l'|« |avocat", 2, "médecin", "NN-M", "le « médecin"),
        ("L'|AVOCAT", 1, "MÉDECIN", "NN-M", "LE MÉDECIN"),
    ],
)
def test_what_stands_before_a_word_fits_what_is_sent(
    words: str, place: int, substitute: str, tag: str, goes: str
) -> None:
    assert sent(words, place, substitute, tag) == goes


@pytest.mark.parametrize("substitute", ["médecin", "avocat"])
def test_what_is_sent_before_a_noun_does_not_tell_how_its_original_begins(substitute: str) -> None:
    pairs = (
        ("l'|avocat", "le |médecin"),
        ("l’|avocat", "le |médecin"),
        ("d'|avocat", "de |médecin"),
        ("cet |avocat", "ce |médecin"),
    )
    for one, other in pairs:
        assert sent(one, 1, substitute, "NN-M") == sent(other, 1, substitute, "NN-M")
    assert sent("de |l'|ami", 2, substitute, "NN-M") == sent("du |fils", 1, substitute, "NN-M")


@pytest.mark.parametrize(
    ("label", "text", "hidden"),
    [
        ("NATIONAL_ID", "NIR 2 84 05 75 116 001 63", "2 84 05 75 116 001 63"),
        ("NATIONAL_ID", "passeport 12AB34567", "12AB34567"),
        ("VAT", "la société 552 100 554 00021 ", "552 100 554 00021"),
        ("VAT", "entreprise sise 732 829 320 et", "732 829 320"),
        ("ACCOUNT", "sur 20041 01005 0500013M026 06 hier", "20041 01005 0500013M026 06"),
        ("IBAN", "IBAN FR76 3000 6000 0112 3456 7890 189", "FR76 3000 6000 0112 3456 7890 189"),
        ("PHONE", "appeler le 06 12 34 56 78 demain", "06 12 34 56 78"),
        ("PLATE", "la Renault AB-123-CD", "AB-123-CD"),
        ("PLATE", "la Renault 456 ABC 75.", "456 ABC 75"),
        ("RECORD", "pourvoi n° 18-12.345", "18-12.345"),
        ("RECORD", "RG n° 19/01234", "19/01234"),
        ("LICENCE", "RPPS 10003456789", "10003456789"),
        ("DATE", "le 1er janvier 2020", "1er"),
        ("AGE", "patiente de 94 ans", "94"),
    ],
)
def test_a_number_that_france_gives_out_is_found_whole(label: str, text: str, hidden: str) -> None:
    assert (hidden, label) in found(text)


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("au 12 bis, rue de la Paix, 75002 Paris", {"12", "Paix", "75002", "Paris"}),
        ("3 rue des Lilas 69003 Lyon Cedex 03", {"3", "Lilas", "69003", "Lyon"}),
        ("5 allée des Érables, bât. B, appt 12", {"5", "Érables", "B", "12"}),
        ("demeurant rue Victor Hugo à Lyon", {"Victor", "Hugo"}),
        ("12 rue de la paix", {"12", "paix"}),
        ("BP 123, 13001 Marseille cedex 1", {"123", "13001", "Marseille"}),
    ],
)
def test_of_an_address_every_name_and_number_is_found(text: str, hidden: set[str]) -> None:
    assert hidden <= {piece for piece, _ in found(text)}
    assert "rue" not in {piece for piece, _ in found(text)}


def test_what_is_numbered_in_france_is_not_looked_for_in_other_languages() -> None:
    (state,) = (
        one for one in built_in_detectors(ENGLISH) if type(one).__module__.endswith("states")
    )
    assert not state.may_find("12 bis, rue de la Paix")
    assert list(state.find("12 bis, rue de la Paix")) == []


def test_the_key_of_a_french_account() -> None:
    assert checksums.french_account("20041 01005 0500013M026 06")
    assert not checksums.french_account("20041 01005 0500013M026 07")
    assert not checksums.french_account("")
    assert not checksums.french_account("0" * 23)


@pytest.mark.parametrize(
    ("words", "digits"),
    [
        ("quatre vingt dix sept", "97"),
        ("soixante et onze", "71"),
        ("vingt et un", "21"),
        ("deux cent trois", "203"),
    ],
)
def test_a_number_in_french_words_is_read(words: str, digits: str) -> None:
    assert SpelledNumbers(FRENCH).replace_number_words(words.split()) == [digits]


def test_a_name_with_its_particles_is_found_and_its_title_is_kept() -> None:
    dictionary = Dictionary([entry("maison", "NN-F"), *names()], {}, "fr", FRENCH)
    words = "Me Claire de La Fontaine-Moreau plaida .".split()
    tags = "NN-M NNP IN DT NNP VBD-3S .".split()
    tokens = tuple(Token(word, " ", tag) for word, tag in zip(words, tags, strict=True))
    cut, identifiers = IdentifierFinder(dictionary).find(Sentence(tokens))
    hidden = " ".join(one.text_in(cut) for one in identifiers)
    assert all(name in hidden for name in ("Claire", "Fontaine", "Moreau"))
    assert "Me" not in hidden.split()


@pytest.mark.parametrize(
    "word", "du aux l' d’ qu' -t-il -moi aujourd'hui étaient ce M. Mme".split()
)
def test_contracted_and_elided_forms_pronouns_and_auxiliaries_are_kept(word: str) -> None:
    dictionary = Dictionary([], {}, "fr", FRENCH)
    assert classify(Token(word, " ", "JJ-MS"), dictionary) is GRAMMAR


def test_a_substitute_is_of_the_gender_of_its_word_and_its_article_fits_it() -> None:
    made = [entry(f"{start}{one.word}", "NN-F") for one in nouns(15) for start in ("b", "a")]
    others = [entry(f"d{one.word}", "NN-M") for one in nouns(30)]
    words = Dictionary([entry("avocate", "NN-F"), *made, *others, *names()], {}, "fr", FRENCH)
    encoder = make_encoder(words, make_mechanism(MechanismSettings.choose(minimum_pool=5), words))
    tokens = (Token("l'", "", "DT"), Token("avocate", " ", "NN-F"), Token(".", "", "."))
    starts = set()
    for seed in range(60):
        text = encoder.encode(Sentence(tokens), DenyList(), Random(seed)).text
        assert text.startswith(("l'a", "la b"))
        starts.add(text[:3])
    assert len(starts) == 2


def test_no_sentence_ends_after_a_title_or_an_abbreviation() -> None:
    rules = BoundaryRules(FRENCH)
    for abbreviation in ("M.", "art.", "av."):
        guesses = [Guess(abbreviation, True, True), Guess("Garnier", True, True)]
        assert rules.mend(guesses) == [True, False]


def test_french_tags_are_penn_tags_before_their_hyphen() -> None:
    known = {"MONTH", "WEEKDAY"} | {penn_tag(tag) for tag in ENGLISH.frames.of_tags}
    assert {penn_tag(tag) for tag in FRENCH.frames.of_tags} <= known


def test_forms_that_hang_on_the_next_word_are_counted_as_one() -> None:
    assert {*map(FRENCH.neutral_form, ("le", "la", "l'", "l’", "du", "au"))} == {"le"}
    assert FRENCH.neutral_form("d'") == FRENCH.neutral_form("de") == "de"
    assert FRENCH.neutral_form("les") == "les"
