import re
from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prism_core.dictionary import Dictionary
from prism_core.encoding import make_encoder
from prism_core.identifiers.base import Identifier
from prism_core.identifiers.format_preserving import (
    code_like,
    fix_ordinal_ending,
    mail_address,
    number_like,
    web_address,
)
from prism_core.identifiers.lists import DenyList
from prism_core.identifiers.scopes import KeyedRandom, Scope
from prism_core.identifiers.surrogates import (
    NoSurrogateError,
    SentenceSurrogates,
    Surrogates,
    name_class,
)
from prism_core.languages import load_language, read_words
from prism_core.mechanisms import make_mechanism
from prism_core.record import Kind
from prism_core.settings import MechanismSettings
from tests.words import ENGLISH, dictionary, entry, nouns, sentence

seeds = st.integers(0, 2**32)


@given(st.from_regex(r"[0-9]{1,4}([.,/-][0-9]{1,4}){0,3}", fullmatch=True), seeds)
def test_a_number_keeps_its_shape(number, seed) -> None:
    drawn = number_like(number, 0, Random(seed))
    assert re.sub(r"\d", "9", drawn) == re.sub(r"\d", "9", number)


@given(seeds)
def test_years_clocks_and_ordinals_stay_plausible(seed) -> None:
    rng = Random(seed)
    assert 1900 <= int(number_like("2024", 0, rng)) < 2100
    hour, minute = number_like("10:30", 0, rng).split(":")
    assert (int(hour), int(minute)) <= (23, 59)
    assert re.fullmatch(
        r"\d?1st|\d?2nd|\d?3rd|\d+th",
        fix_ordinal_ending(number_like("21st", 0, rng), ENGLISH.numbers),
    )


@given(st.from_regex(r"[A-Z]{2,4}-[0-9]{3,6}-[a-z]", fullmatch=True), seeds)
def test_a_code_keeps_its_shape(code, seed) -> None:
    def shape(text: str) -> str:
        return re.sub(r"[a-z]", "a", re.sub(r"[A-Z]", "A", re.sub(r"\d", "9", text)))

    assert shape(code_like(code, 0, Random(seed))) == shape(code)


@given(seeds)
def test_a_hardware_address_is_in_one_case_and_no_word(seed) -> None:
    drawn = [code_like(one, 0, Random(seed)) for one in ("00:1A:2B:3C:4D:5E", "0a-1b-2c-3d-4e-5f")]
    assert re.fullmatch(r"([0-9BCD]{2}:){5}[0-9BCD]{2}", drawn[0])
    assert re.fullmatch(r"([0-9bcd]{2}-){5}[0-9bcd]{2}", drawn[1])


def test_addresses_point_to_the_reserved_domain() -> None:
    assert mail_address("jo@firm.com", 0, Random(1)).endswith("@example.org")
    assert web_address("https://firm.com/x", 0, Random(1)).startswith("https://example.org/")


def _nothing(text: str) -> bool:
    return False


def test_the_day_of_a_month_stays_one() -> None:
    words = sentence("on/IN", "14/CD", "June/NNP")
    surrogates = Surrogates(dictionary(entry("june", "MONTH")))
    one = Identifier(1, 1, "NUMBER", Kind.NUMBER)
    drawings = (
        SentenceSurrogates(
            surrogates, words, KeyedRandom(bytes([i % 256, i >> 8])).restart_for, _nothing
        )
        for i in range(300)
    )
    drawn = {drawing.draw(one, "14") for drawing in drawings}
    assert drawn == {str(day) for day in range(10, 32)}


def draw(forbidden) -> str:
    sent = sentence("Kovacs/NNP/PER", "left/VBD")
    identifier = Identifier(0, 1, "PERSON", Kind.NAME)
    drawing = SentenceSurrogates(
        Surrogates(dictionary()), sent, KeyedRandom(b"2").restart_for, forbidden
    )
    return drawing.draw(identifier, "Kovacs")


def test_a_name_never_stands_for_itself_though_nothing_is_forbidden() -> None:
    public, name = sentence("Nash/NNP/PER", "left/VBD"), Identifier(0, 1, "PERSON", Kind.NAME)
    surrogates = Surrogates(dictionary())
    drawn = {
        SentenceSurrogates(
            surrogates, public, KeyedRandom(bytes([seed])).restart_for, _nothing
        ).draw(name, "Nash")
        for seed in range(60)
    }
    assert len(drawn) > 2
    assert "Nash" not in drawn


def test_a_name_is_replaced_by_a_public_one_that_is_not_forbidden() -> None:
    assert draw(lambda name: name != "Quinn") == "Quinn"


def _everything(name: str) -> bool:
    return True


def test_no_free_surrogate_is_an_error_not_a_leak() -> None:
    with pytest.raises(NoSurrogateError):
        draw(_everything)


def test_a_sentence_is_replaced_as_a_whole_or_not_at_all() -> None:
    sent = sentence("Kovacs/NNP/PER", "met/VBD", "Ashworth/NNP/PER")
    found = [Identifier(place, 1, "PERSON", Kind.NAME) for place in (0, 2)]
    for allowed, several in ({"Quinn"}, False), ({"Quinn", "Ellis"}, True):
        names = Dictionary([entry(one, "SURNAME", [one]) for one in allowed], {}, "test")
        drawing = SentenceSurrogates(
            Surrogates(names), sent, KeyedRandom(b"2").restart_for, _nothing
        )
        replaced = drawing.replace(found)
        assert (replaced is not None) == several, "no name stands for two"
        if replaced is not None:
            assert [(one.position, one.word, one.tag) for one in replaced] == [
                (0, "Kovacs", "PERSON"),
                (2, "Ashworth", "PERSON"),
            ]
            assert {one.substitute for one in replaced} == allowed


@pytest.mark.parametrize(("known", "drawn"), [(["SURNAME"], "Quinn"), ([], None)])
def test_a_dictionary_without_names_of_a_class_lends_those_of_another(
    known: list[str], drawn: str | None
) -> None:
    words = Dictionary([entry("Quinn", tag, ["Quinn"]) for tag in known], {}, "test")
    sent = sentence("in/IN", "Kovacs/NNP/LOC")
    identifier = Identifier(1, 1, "PLACE", Kind.NAME)
    drawing = SentenceSurrogates(
        Surrogates(words), sent, KeyedRandom(b"2").restart_for, lambda _: False
    )
    if drawn is None:
        with pytest.raises(NoSurrogateError):
            drawing.draw(identifier, "Kovacs")
    else:
        assert drawing.draw(identifier, "Kovacs") == drawn


def test_a_place_of_several_words_gets_no_two_places() -> None:
    one = sentence("in/IN", "York/NNP/LOC", "in/IN").tokens
    two = sentence("in/IN", "New/NNP/LOC", "York/NNP/LOC").tokens
    article = sentence("the/DT/LOC", "Netherlands/NNP/LOC").tokens
    assert name_class(one, 1, ENGLISH) == "PLACE"
    assert [name_class(two, 1, ENGLISH), name_class(two, 2, ENGLISH)] == ["GIVEN", "SURNAME"]
    assert name_class(article, 1, ENGLISH) == "PLACE"


def test_equal_identifiers_of_a_sentence_get_equal_surrogates_and_others_different_ones() -> None:
    words = sentence("Kovacs/NNP", "KOVACS/NNP", "Petrov/NNP", "48213/CD", "48213/CD")
    for seed in range(40):
        taken: set[str] = set()
        random_for = KeyedRandom(bytes([seed])).restart_for
        drawing = SentenceSurrogates(
            Surrogates(dictionary()), words, random_for, taken.__contains__
        )
        drawn = []
        for place, token in enumerate(words.tokens):
            kind = Kind.NUMBER if token.text.isdigit() else Kind.NAME
            drawn.append(drawing.draw(Identifier(place, 1, "X", kind), token.text))
            taken.add(drawn[-1])
        assert drawn[1] == drawn[0].upper()
        assert drawn[2] != drawn[0]
        assert drawn[3] == drawn[4]


def test_surrogates_follow_from_the_secret_alone() -> None:
    words = sentence("see/VB", "Kovacs/NNP")
    other = sentence("by/IN", "the/DT", "Kovacs/NNP")

    def drawn(where, place, secret) -> str:
        drawing = SentenceSurrogates(
            Surrogates(dictionary()), where, KeyedRandom(secret).restart_for, _nothing
        )
        return drawing.draw(Identifier(place, 1, "NAME", Kind.NAME), "Kovacs")

    secrets = [bytes([seed]) for seed in range(60)]
    assert [drawn(words, 1, s) for s in secrets] == [drawn(other, 2, s) for s in secrets]
    assert len({drawn(words, 1, s) for s in secrets}) == 5, "every surname is drawn"


def test_keyed_numbers_are_even_and_follow_from_key_and_content() -> None:
    counts = Counter(KeyedRandom(b"k", str(i).encode()).randrange(10) for i in range(5000))
    chi_squared = sum((count - 500) ** 2 / 500 for count in counts.values())
    assert 0.7 < chi_squared < 30, "chance gives 9, and hardly ever less than 1 or more than 27"
    first, again = (KeyedRandom(b"k", b"x") for _ in range(2))
    assert [first.random() for _ in range(9)] == [again.random() for _ in range(9)]
    assert KeyedRandom(b"k", b"y").random() != KeyedRandom(b"l", b"y").random()


_PLAIN = read_words(load_language("en").plain)
"""Words that are hardly ever names: such a one is a name only where the archive says so."""
private = st.one_of(
    st.text("abcdefghijklmnopqrstuvwxyz", min_size=3, max_size=9)
    .filter(lambda word: word not in _PLAIN)
    .map(str.title),
    st.from_regex(r"\A[1-9][0-9]{4,8}\Z"),
    st.from_regex(r"\A[A-Z]{2,3}-[0-9]{4,6}\Z"),
)


@given(
    st.lists(private, min_size=1, max_size=6, unique=True), st.lists(private, max_size=30), seeds
)
def test_no_surrogate_is_an_identifier_of_the_sentence_or_follows_from_the_archive(
    own, others, seed
) -> None:
    deny_list = DenyList()
    for form in (*own, *others, "Baxter", "Quinn"):
        deny_list.add(form)
    kinds = {text: "NNP" if text.isalpha() else "CD" for text in own}
    words = sentence("of/IN", *(f"{text}/{tag}" for text, tag in kinds.items()))
    words_of = dictionary(*nouns(40))
    used = make_encoder(
        words_of, make_mechanism(MechanismSettings.choose(minimum_pool=5), words_of)
    )
    scope = Scope(seed.to_bytes(5, "big"))
    encoded = used.encode(words, deny_list, Random(seed), scope)
    drawn = [one.substitute for one in encoded.record]
    assert not {text.lower() for text in drawn} & {text.lower() for text in own}
    assert encoded == used.encode(words, DenyList(), Random(seed), scope)


def test_what_got_lost_is_drawn_anew_in_a_consistent_scope_too() -> None:
    scope = Scope(b"s" * 32)
    assert scope.for_retry(0) == scope
    assert len({scope.for_retry(draws).secret for draws in range(3)}) == 3
    assert Scope().for_retry(2) == Scope()
