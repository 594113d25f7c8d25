"""An entry keeps its forms by columns, and is the same however it was made."""

from prism_core.dictionary.entry import Entry, Form, Forms

HOUSE = (
    Form("casa", 9.0, ("she",)),
    Form("hogar", 2.0),
    Form("casa de campo", 1.0, ("she", "they")),
)


def house(forms) -> Entry:
    return Entry("house", "NN", forms, "la _", 0.9, calls=2)


def test_an_entry_of_forms_is_that_of_their_columns() -> None:
    columns = Forms(
        ("casa", "hogar", "casa de campo"), (9.0, 2.0, 1.0), (("she",), (), ("she", "they"))
    )
    assert house(HOUSE) == house(iter(HOUSE)) == house(columns)
    assert hash(house(HOUSE)) == hash(house(columns))
    assert house(HOUSE) != house(HOUSE[:2])


def test_the_forms_of_an_entry_are_a_sequence_of_forms() -> None:
    forms = house(HOUSE).forms
    assert (len(forms), list(forms), forms[-1], forms[:2]) == (3, [*HOUSE], HOUSE[-1], HOUSE[:2])
    assert forms.features_of("casa de campo") == ("she", "they")


def test_phrases_are_searched_before_the_words_they_hold() -> None:
    assert list(house(HOUSE).longest_first) == ["casa de campo", "casa", "hogar"]


def test_a_shared_frame_says_more_than_what_endings_tell() -> None:
    said = Entry(
        "said",
        "VBD",
        (
            Form("dije", 9.0, ("i", "Number=Sing", "Person=3", "Tense=Pres")),
            Form("dijo", 1.0, ("she", "Number=Sing", "Person=3", "Tense=Past")),
        ),
        "",
        0.9,
        calls=2,
        method="packed",
    )
    mistaken = ("she", "Number=Sing", "Person=3", "Tense=Pres")
    assert said.inflect("se arrastró", mistaken) == "dijo"
    assert said.inflect("arrastra", mistaken[1:]) == "dije"


def test_a_form_of_the_same_frame_wins_over_what_others_write() -> None:
    others = (Entry("wall", "NN", (Form("pared", 1.0, ("noun", *MASCULINE)),), "", 0.9, 1),)
    own = (Form("muro", 1.0, ("noun",)),)
    wall = Entry("wall", "NN", own, "", 0.9, 1, method="packed", others=others)
    assert wall.inflect("palacio", ("noun", *MASCULINE)) == "muro"


MASCULINE = ("Gender=Masc", "Number=Sing")


def test_what_others_have_beside_a_noun_is_no_form_of_it() -> None:
    singular, plural = ("noun", "Number=Sing"), ("noun", "Number=Plur")
    beside = Entry(
        "order", "NN", [Form("para", 3.0, ("noun",)), Form("fin", 2.0, singular)], "", 1, 1
    )
    asked = Entry("order", "NN", [Form("orden", 9.0, singular)], "el _ .", 1, 1, "t", "packed")
    order = asked._replace(others=(beside,))
    assert order.inflect("radicales", ("houses", "Number=Plur")) == "orden"
    several = beside.replace_forms([*beside.forms, Form("pedidos", 1.0, plural)])
    assert order._replace(others=(several,)).inflect("rojas", ("Number=Plur",)) == "pedidos"
