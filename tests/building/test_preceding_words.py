"""Which article stands before which noun is read off what two translators write."""

from prism_core.building import learn_preceding_words
from prism_core.dictionary import BEFORE, Dictionary, Entry, Form

WOMEN = "casa mesa silla puerta".split()
MEN = "libro perro gato coche".split()


def noun(text: str, gender: str) -> Entry:
    features = ("noun", f"Gender={gender}", "Number=Sing")
    return Entry(text, "NN", (Form(text, 1, features),), "", 0.9, 1, "t")


def functions(*texts: str) -> Entry:
    return Entry("the", "FUNCTION", tuple(Form(text, 1) for text in texts), "", 0.9, 1, "t")


def learn(*pairs: tuple[str, str], words=("el", "la", "un", "una", "de", "del", "l", "le")):
    nouns = [noun(w, "Fem") for w in WOMEN] + [noun(w, "Masc") for w in MEN]
    lines = [(f"{at}", text) for at, pair in enumerate(pairs) for text in pair]
    found = learn_preceding_words(lines, [*nouns, functions(*words)], translator="text")
    assert {entry.tag for entry in found} <= {BEFORE}
    return {entry.word: entry.forms for entry in found}


def both(first: str, second: str) -> list[tuple[str, str]]:
    zipped = zip(WOMEN, MEN, strict=True)
    return [(f"hoy {first}{w} duerme", f"hoy {second}{m} duerme") for w, m in zipped]


def test_articles_are_exchanged_by_gender() -> None:
    found = learn(*both("la ", "el "))
    partners = {(f.text, f.features[:-1]) for f in found["la"] if len(f.features) == 3}
    assert ("el", ("Gender=Masc", "Number=Sing")) in partners
    assert found["el"][0].text == "la"
    assert "m" in found["el"][0].features[-1]  # a letter that was seen, and one of its kind
    assert "z" in found["el"][0].features[-1]


def test_two_words_are_exchanged_for_their_contraction() -> None:
    found = learn(*both("de la ", "del "))
    assert [form.text for form in found["del"] if len(form.features) == 3] == ["de la"]


def test_a_word_more_or_less_is_no_partner() -> None:
    assert "de" not in learn(*both("de una ", "de "))


def test_what_is_no_function_word_is_no_companion() -> None:
    assert learn(*both("vieja ", "viejo ")) == {}


def test_what_was_seen_before_a_few_words_alone_is_chance() -> None:
    assert learn(*both("la ", "el ")[:2]) == {}


def test_a_word_that_keeps_its_article_is_an_exception() -> None:
    usual = [("hoy el mesa", "hoy el mesa azul")] * 5
    assert any(f.features == ("Word=mesa",) for f in learn(*both("la ", "el "), *usual)["el"])


def test_genitives_have_articles_of_their_own() -> None:
    genitive = [
        Entry(f"{man}s", "NN", (Form(f"{man}s", 1, ("noun", "Case=Gen", "Number=Sing")),), "", 1, 1)
        for man in MEN
    ]
    pairs = zip(WOMEN, MEN, strict=True)
    lines = [
        (f"{at}", text)
        for at, (woman, man) in enumerate(pairs)
        for text in (f"hoy der {woman} duerme", f"hoy des {man}s duerme")
    ]
    nouns = [noun(word, "Fem") for word in WOMEN]
    found = learn_preceding_words(
        lines, [*nouns, *genitive, functions("der", "des")], translator="t"
    )
    known = Dictionary(found, {}, "test")
    fem = ("Gender=Fem", "Number=Sing")
    assert known.companion("des", "mesa", fem) == "der"
    assert known.companion("der", "perros", ("Case=Gen", "Number=Sing")) == "des"
    assert known.companion("des", "perro", ("Gender=Masc", "Number=Sing")) is None
