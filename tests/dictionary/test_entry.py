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
