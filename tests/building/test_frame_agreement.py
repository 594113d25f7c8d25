"""Gender, number and the words before nouns, from what a model answers to frames."""

import asyncio
from collections.abc import Sequence
from functools import partial

import pytest

from prism_core.building.frame_agreement import add_agreement, ask_preceding_words
from prism_core.building.frame_queries import translate_packed
from prism_core.dictionary import Entry, Form, agreement_of
from prism_core.languages import load_language
from prism_core.settings.translators import TranslatorSettings
from prism_core.translators import make_translator

ENGLISH = load_language("en")
NOUNS = {
    "a _ vermelha estava lá .": "table:mesa room:sala letter:carta street:rua",
    "o _ vermelho estava lá .": "cat:gato car:carro lake:lago book:livro",
    "as _ vermelhas estavam lá .": "tables:mesas rooms:salas letters:cartas streets:ruas",
    "os _ vermelhos estavam lá .": "cats:gatos cars:carros lakes:lagos books:livros",
}
RED = {"vermelha": "house", "vermelho": "book", "vermelhas": "houses", "vermelhos": "books"}


def entry(word: str, tag: str, *forms: Form, agreement: str = "") -> Entry:
    return Entry(word, tag, forms, agreement, 0.9, 1, "firefox", "packed")


def nouns() -> list[Entry]:
    return [
        entry(
            word,
            "NNS" if "estavam" in shown else "NN",
            Form(form, 1, ("noun",)),
            agreement=f"{shown} | eles viram sal e _ lá .",
        )
        for shown, pairs in NOUNS.items()
        for word, form in (pair.split(":") for pair in pairs.split())
    ]


def adjectives() -> list[Entry]:
    red = [Form(text, 1, (frame,)) for text, frame in RED.items()]
    green = [Form("verde", 1, ("house", "book")), Form("verdes", 1, ("houses", "books"))]
    return [entry("red", "JJ", *red), entry("green", "JJ", *green)]


def functions() -> Entry:
    words = "o a os as um uma do da dos seu sua seus suas de com em no na"  # not *das*, *nas*
    return Entry("the", "FUNCTION", [Form(word, 1) for word in words.split()], "", 0.9, 1, "t")


@pytest.fixture(scope="module")
def described() -> list[Entry]:
    return add_agreement([*adjectives(), *nouns(), functions()], ENGLISH)


def features(entries: list[Entry], word: str) -> dict[str, tuple[str, ...]]:
    found = next(known for known in entries if known.word == word)
    return {form.text: agreement_of(form.features) for form in found.forms}


def test_a_noun_has_the_gender_of_the_adjective_beside_it(described: list[Entry]) -> None:
    assert features(described, "table") == {"mesa": ("Gender=House", "Number=Sing")}
    assert features(described, "cars") == {"carros": ("Gender=Book", "Number=Plur")}


def test_an_adjective_of_one_form_has_no_gender(described: list[Entry]) -> None:
    assert features(described, "green") == {"verde": ("Number=Sing",), "verdes": ("Number=Plur",)}


def test_a_language_with_one_gender_gives_nouns_none() -> None:
    red = entry("red", "JJ", Form("red", 1, ("house", "book", "houses", "books")))
    found = add_agreement([red, *nouns()], ENGLISH)
    assert features(found, "table") == {"mesa": ()}


def test_words_before_nouns_change_as_the_model_changes_them(described: list[Entry]) -> None:
    translator = make_translator(TranslatorSettings.choose(name="firefox"), "en", "pt")

    def ask(texts: Sequence[str]) -> list[str]:
        with asyncio.Runner() as runner:
            found = (runner.run(translator.translate([text], "en", "pt")) for text in texts)
            return [answer for answers in found for answer in answers]

    asked = ask_preceding_words(described, ENGLISH, partial(translate_packed, ask, size=16))
    found = {
        before.word: {form.features[:2]: form.text for form in before.forms} for before in asked
    }
    feminine, masculine = ("Gender=House", "Number=Sing"), ("Gender=Book", "Number=Sing")
    assert found["o"] == {
        feminine: "a",
        masculine: "o",
        ("Gender=House", "Number=Plur"): "as",
        ("Gender=Book", "Number=Plur"): "os",
    }
    assert (found["da"][masculine], found["do"][feminine]) == ("do", "da")
    assert found["das"][masculine[0], "Number=Plur"] == "dos"
    assert (found["sua"][masculine], found["um"][feminine]) == ("seu", "uma")
    assert "table" not in found
    assert not [text for row in found.values() for text in row.values() if "viram" in text]


def answer_by_sound(sentence: str) -> str:
    """Answer as the Firefox model does: *a nossa* before vowels, *nossa* before consonants."""
    noun = sentence.split()[-2][1:]
    if "They saw our" not in sentence:
        return f"Eles viram {'o' if noun.endswith('o') else 'a'} {noun} lá."
    if noun.endswith("o"):
        return f"Eles viram o nosso {noun} lá."
    return f"Eles viram {'a ' if noun.startswith('a') else ''}nossa {noun} lá."


def test_words_before_a_noun_are_composed_where_answers_leave_the_first_out() -> None:
    numbers = {"o": "Gender=Book", "a": "Gender=House"}
    known = [
        entry(f"b{word}", "NN", Form(word, 1, (numbers[word[-1]], "Number=Sing")))  # no vowel here
        for word in "gato carro livro amigo aluno ano mesa sala carta aldeia amiga alga".split()
    ]
    asked = ask_preceding_words(
        [*known, functions()], ENGLISH, lambda t: [*map(answer_by_sound, t)]
    )
    row = next(before for before in asked if before.word == "o nosso")
    feminine = [form.text for form in row.forms if "Gender=House" in form.features]
    assert feminine == ["a nossa", "a nossa"]
