import pytest

from prism_core.decoding import decode
from prism_core.dictionary import Dictionary, Entry, Form
from prism_core.languages import load_language
from prism_core.record import Encoded, Kind, Replacement, Surface
from tests.words import dictionary, entry

NOUNS = [
    entry("house", forms=["casa"]),
    entry("book", forms=["libro"]),
    entry("dog", forms=["perro"]),
]


def adjective(word: str, feminine: str, masculine: str) -> Entry:
    forms = (Form(masculine, 9, ("book",)), Form(feminine, 8, ("house",)))
    return Entry(word, "JJ", forms, "", 0.9, 1)


def record(*pairs, kind=Kind.WORD, tag="NN") -> Encoded:
    made = [Replacement(i, 1, word, sub, kind, tag) for i, (word, sub) in enumerate(pairs)]
    return Encoded("", tuple(made), ())


def decoded(encoded: Encoded, answer: str, *entries: Entry):
    return decode(encoded, answer, dictionary(*(entries or NOUNS)))


def test_originals_replace_substitutes_in_source_order() -> None:
    result = decoded(record(("house", "book"), ("dog", "house")), "El libro y la casa.")
    assert result.text == "El casa y la perro."
    assert (result.restored, result.unrestored) == (2, 0)


def test_a_word_just_restored_is_not_searched_again() -> None:
    swapped = record(("house", "book"), ("book", "house"))
    assert decoded(swapped, "libro casa").text == "casa libro"


def test_only_whole_words_are_replaced() -> None:
    result = decoded(record(("dog", "house")), "casamiento")
    assert (result.text, result.unrestored) == ("casamiento", 1)


def test_letter_case_follows_what_came_back() -> None:
    assert decoded(record(("house", "Book")), "Libro.").text == "Casa."
    assert decoded(record(("house", "BOOK")), "LIBRO.").text == "CASA."


def test_a_word_in_capitals_stays_in_capitals_whatever_came_back() -> None:
    assert decoded(record(("HOUSE", "BOOK")), "Libro.").text == "CASA."


def test_inflection_follows_the_form_that_was_found() -> None:
    words = (adjective("red", "roja", "rojo"), adjective("big", "gorda", "gordo"))
    encoded = record(("red", "big"), tag="JJ")
    assert decoded(encoded, "la casa gorda", *words).text == "la casa roja"
    assert decoded(encoded, "el libro gordo", *words).text == "el libro rojo"


def test_a_known_word_hidden_as_an_unknown_one_comes_back_translated() -> None:
    words = [entry("later", "RBR", forms=["más tarde"]), entry("cortex", "LEFT-NN")]
    for tag, expected in (("RBR", ("días más tarde", 0)), ("NNP", ("días later", 1))):
        one = Replacement(0, 1, "later", "cortex", Kind.UNKNOWN, tag, surface=Surface("LEFT-NN"))
        result = decoded(Encoded("", (one,), ()), "días cortex", *words)
        assert (result.text, result.untranslated) == expected


def test_the_longest_form_is_found_first() -> None:
    words = [entry("view", forms=["punto", "punto de vista"]), entry("dog", forms=["perro"])]
    assert decoded(record(("dog", "view")), "un punto de vista", *words).text == "un perro"


def test_a_near_form_is_a_fallback_and_counted_as_one() -> None:
    words = [entry("dance", forms=["bailar"]), entry("eat", forms=["comer"])]
    result = decoded(record(("eat", "dance")), "han bailado", *words)
    assert (result.text, result.restored, result.fallback) == ("han comer", 0, 1)


def test_two_near_forms_are_no_answer() -> None:
    words = [entry("dance", forms=["bailar"]), entry("eat", forms=["comer"])]
    assert decoded(record(("eat", "dance")), "bailaba bailando", *words).unrestored == 1


def test_a_missing_substitute_is_counted_as_unrestored() -> None:
    assert decoded(record(("dog", "house")), "nada").unrestored == 1


def test_unknown_words_come_back_as_the_source_word() -> None:
    result = decoded(record(("dexamethasone", "house"), kind=Kind.UNKNOWN), "la casa")
    assert (result.text, result.untranslated) == ("la dexamethasone", 1)


def test_names_come_back_letter_by_letter() -> None:
    encoded = record(("O'Neill", "Baxter"), kind=Kind.NAME, tag="PERSON")
    assert decoded(encoded, "Baxter llegó").text == "O'Neill llegó"
    assert decoded(encoded, "Baxterville").unrestored == 1


def test_a_name_that_the_translator_gave_an_accent_comes_back() -> None:
    sent = record(("Rupert", "Victor"), kind=Kind.NAME, tag="PERSON")
    assert decoded(sent, "Víctor vino.").text == "Rupert vino."
    assert decoded(sent, "Victoria vino.").text == "Victoria vino."


def test_a_symbol_that_the_translator_left_out_is_lost_and_stops_nothing() -> None:
    sent = record(("\N{GRINNING FACE}", "▽"), kind=Kind.CODE, tag="SYMBOL")
    assert decoded(sent, "Vino 12 veces.").unrestored == 1


def test_codes_survive_added_spaces() -> None:
    encoded = record(("MRN-48213-B", "QXK-70914-W"), kind=Kind.CODE, tag="CODE")
    assert decoded(encoded, "el QXK - 70914 - W").text == "el MRN-48213-B"


@pytest.mark.parametrize(
    ("original", "surrogate", "answer", "expected"),
    [
        ("1,234.50", "7,391.28", "son 7,391.28 euros", "son 1,234.50 euros"),
        ("1,234.50", "7,391.28", "son 7.391,28 euros", "son 1.234,50 euros"),
        ("1,234.50", "7,391.28", "son 7391,28", "son 1234,50"),
        ("2024", "1987", "en 1987.", "en 2024."),
        ("10:30", "17:42", "a las 17.42", "a las 10.30"),
        ("21st", "47th", "el 47.º piso", "el 21.º piso"),
        ("21st", "47th", "el 47 de mayo", "el 21 de mayo"),
        ("5", "8", "8,5 y 8", "8,5 y 5"),
        ("15:50", "18:05", "at 6:05 p.m. sharp", "at 15:50 sharp"),
        ("09:30", "08:35", "at 8:35 a.m.", "at 09:30"),
    ],
)
def test_numbers_keep_the_form_the_translator_gave_them(
    original, surrogate, answer, expected
) -> None:
    encoded = record((original, surrogate), kind=Kind.NUMBER, tag="NUMBER")
    assert decoded(encoded, answer).text == expected


def test_a_short_number_is_not_found_inside_a_long_one() -> None:
    encoded = record(("2", "7"), ("1,555", "7,391"), kind=Kind.NUMBER, tag="NUMBER")
    assert decoded(encoded, "7,391 y 7").text == "1,555 y 2"


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize(
    ("long", "short", "answer", "expected"),
    [
        (("XY-99", "AB-12", Kind.CODE), ("7", "12", Kind.NUMBER), "Ve AB-12 y 12", "Ve XY-99 y 7"),
        (("40 000", "12 000", Kind.NUMBER), ("7", "12", Kind.NUMBER), "12 000 y 12", "40 000 y 7"),
    ],
)
def test_a_code_that_holds_another_is_looked_for_before_it(
    long, short, answer, expected, first
) -> None:
    pairs = [long, short] if first == 0 else [short, long]
    made = [Replacement(i, 1, *texts, kind, kind.upper()) for i, (*texts, kind) in enumerate(pairs)]
    assert decoded(Encoded("", tuple(made), ()), answer).text == expected


def test_an_initial_is_not_mistaken_for_a_word_of_the_target() -> None:
    encoded = record(("B", "Y"), kind=Kind.NAME, tag="NAME")
    assert decoded(encoded, "él y Y. Baxter").text == "él y B. Baxter"


def test_a_form_of_no_frame_is_replaced_by_the_one_that_ends_like_it() -> None:
    said = Entry(
        "said", "VBD", (Form("dijiste", 9, ("you",)), Form("dijo", 8, ("she",))), "", 0.9, 1
    )
    seen = Entry("seen", "VBD", (Form("confirmó", 9),), "", 0.9, 1)
    encoded = record(("said", "seen"), tag="VBD")
    assert decoded(encoded, "el testigo confirmó", said, seen).text == "el testigo dijo"


def test_a_substitute_read_as_another_part_of_speech_is_undone_as_that() -> None:
    walk = [entry("walk", forms=["paseo"]), entry("walk", "VB", ["andar"])]
    rush = [entry("rush", forms=["prisa"]), entry("rush", "VB", ["correr"])]
    assert decoded(record(("walk", "rush")), "quiere correr", *walk, *rush).text == "quiere andar"
    assert decoded(record(("dog", "rush")), "quiere correr", *NOUNS, *rush).text == "quiere perro"


def test_an_unknown_word_stands_where_its_like_was_left_alone() -> None:
    left = entry("zorgle", "LEFT-NN", ["zorgle"])
    encoded = record(("dyspnea", "zorgle"), kind=Kind.UNKNOWN, tag="LEFT-NN")
    assert decoded(encoded, "La Zorgle duele", left).text == "La Dyspnea duele"


def test_a_place_is_written_as_the_translator_writes_it() -> None:
    places = [entry("London", "PLACE", ["Londres"]), entry("Brazil", "PLACE", ["Brasil"])]
    encoded = record(("Brazil", "London"), kind=Kind.NAME, tag="PLACE")
    assert decoded(encoded, "en Londres", *places).text == "en Brasil"
    person = record(("Brazil", "London"), kind=Kind.NAME, tag="PERSON")
    assert decoded(person, "en Londres", *places).text == "en Brazil"
    two = record(("Rio Seco", "London Perth"), kind=Kind.NAME, tag="PLACE")
    assert decoded(two, "en Londres Perth", *places).text == "en Rio Seco"


def test_a_form_glued_to_a_number_is_found_and_the_number_too() -> None:
    encoded = Encoded(
        "",
        (
            Replacement(0, 1, "45", "87", Kind.NUMBER, "NUMBER"),
            Replacement(1, 1, "dog", "house", Kind.WORD, "NN"),
        ),
        (),
    )
    result = decoded(encoded, "Una casade87años allí")
    assert (result.text, result.unrestored) == ("Una perrode45años allí", 0)


def test_a_place_in_capitals_is_still_that_place() -> None:
    places = [entry("London", "PLACE", ["Londres"]), entry("Brazil", "PLACE", ["Brasil"])]
    encoded = record(("BRAZIL", "LONDON"), kind=Kind.NAME, tag="PLACE")
    assert decoded(encoded, "EN LONDRES", *places).text == "EN BRASIL"


def test_what_other_translators_write_is_found_but_never_put_in() -> None:
    others = (entry("bank", forms=["banco"])._replace(translator="google"),)
    bank = entry("bank", forms=["ribera"])._replace(others=others)
    assert decoded(record(("dog", "bank")), "el banco", bank, *NOUNS).text == "el perro"
    assert decoded(record(("bank", "dog")), "el perro", bank, *NOUNS).text == "el ribera"


VERBS = [
    entry("help", "VB", ["ayudar"]),
    entry("check", "VBG", ["controlando"]),
    entry("eat", "VBG", ["comiendo"]),
    entry("point", "VB", ["señalar"]),
]


def test_a_pronoun_that_is_glued_to_a_substitute_stays() -> None:
    result = decoded(record(("help", "point"), tag="VB"), "Viene para señalarle.", *VERBS)
    assert result.text == "Viene para ayudarle."
    assert (result.fallback, result.unrestored) == (1, 0)


def test_nothing_stays_attached_where_the_language_is_not_known() -> None:
    portuguese = Dictionary(
        [entry("demand", "VB", ["exige"]), entry("correct", "VB", ["corrigir"])],
        {"target": "pt"},
        "test",
    )
    asked = record(("correct", "demand"), tag="VB")
    assert decode(asked, "uma exigência", portuguese).text == "uma corrigir"  # no *corrigirncia*


def test_an_accent_that_moved_does_not_hide_a_glued_substitute() -> None:
    result = decoded(record(("eat", "check"), tag="VBG"), "Está controlándolo.", *VERBS)
    assert (result.text, result.unrestored) == ("Está comiendolo.", 0)


def test_substitutes_written_as_one_are_found_each() -> None:
    glued = record(("dog", "house"), ("house", "book"))
    assert decoded(glued, "la casalibro").text == "la perrocasa"
    assert decoded(glued, "la librodecasa").text == "la casadeperro"


def test_part_of_a_longer_word_is_no_glued_substitute() -> None:
    assert decoded(record(("dog", "house")), "casamiento").unrestored == 1
    assert decoded(record(("dog", "house")), "casarle y casarla").unrestored == 1


SHARPEST = entry("sharpest", "JJS", ["agudo"], agreement="el libro más _ era | JJ")
BEST = entry("best", "JJS", ["mejor"], agreement="el libro _ era | JJ")


def test_company_of_the_substitute_alone_goes_with_it() -> None:
    best = record(("best", "sharpest"), tag="JJS")
    assert decoded(best, "el amigo más agudo", SHARPEST, BEST).text == "el amigo mejor"
    assert decoded(best, "Más agudo aún", SHARPEST, BEST).text == "Mejor aún"
    assert decoded(best, "el amigo además agudo", SHARPEST, BEST).text == "el amigo además mejor"


def test_company_that_both_classes_have_stays() -> None:
    widest = entry("widest", "JJS", ["ancho"], agreement="el libro más _ era | NN")
    result = decoded(record(("widest", "sharpest"), tag="JJS"), "el más agudo", SHARPEST, widest)
    assert result.text == "el más ancho"


def test_names_that_are_glued_to_each_other_are_found_each() -> None:
    names = Encoded(
        text="",
        record=(
            Replacement(0, 1, "H", "X", Kind.NAME, "NAME"),
            Replacement(1, 1, "Online", "Phelps", Kind.NAME, "NAME"),
        ),
        fates=(),
    )
    result = decode(names, "encima PhelpsdeX, aquí", dictionary(*NOUNS))
    assert (result.text, result.fallback) == ("encima OnlinedeH, aquí", 2)
    assert decode(names, "PhelpsdeX y PhelpsdeX", dictionary(*NOUNS)).unrestored == 2
    assert decode(names, "XavierPhelps", dictionary(*NOUNS)).unrestored == 2
    assert decode(names, "Phelpsville, Xavier", dictionary(*NOUNS)).unrestored == 2


def test_a_name_in_the_german_genitive_is_put_back_in_it() -> None:
    def put_back(original: str, answer: str) -> str:
        name = Replacement(0, 1, original, "Ander", Kind.NAME, "NAME")
        sent = Encoded(text="", record=(name,), fates=())
        return decode(sent, answer, dictionary(*NOUNS)).text

    assert put_back("Kovacs", "Anders Haus") == "Kovacs’ Haus"
    assert put_back("Quibble", "das Haus Anders") == "das Haus Quibbles"
    assert put_back("Quibble", "Anders und Ander") == "Anders und Quibble"
    assert put_back("Quibble", "ganz anders") == "ganz anders", "it is no name"


def test_the_halves_of_a_double_name_are_together_again() -> None:
    names = Encoded(
        text="The curry found Riley-Tyler there.",
        record=(
            Replacement(3, 1, "Al", "Riley", Kind.NAME, "NAME"),
            Replacement(5, 1, "Khwarizmi", "Tyler", Kind.NAME, "NAME"),
        ),
        fates=(),
    )
    parted = decode(names, "El curry Riley encontrado-Tyler allí.", dictionary(*NOUNS))
    assert parted.text == "El curry encontrado Al-Khwarizmi allí."
    assert [parted.text[slice(*parted.places[at])] for at in (3, 5)] == ["", " Al-Khwarizmi"]
    whole = decode(names, "El curry encontró a Riley-Tyler allí.", dictionary(*NOUNS))
    assert whole.text == "El curry encontró a Al-Khwarizmi allí."
    apart = Encoded("Riley found Tyler.", names.record, ())
    assert decode(apart, "Aquí Riley casi-Tyler.", dictionary()).text == "Aquí Al casi-Khwarizmi."


@pytest.mark.parametrize("shown", ["mayo", "MAYO", "may"])
def test_a_date_comes_back_whose_short_month_was_translated(shown: str) -> None:
    months = [entry("may", "MONTH", ["mayo"])]
    date = record(("01-Feb-02", "29-May-09"), kind=Kind.CODE, tag="DATE")
    assert decoded(date, f"Hasta el 29-{shown}-09.", *months).text == "Hasta el 01-Feb-02."
    assert decoded(date, "Hasta el 28-mayo-09.", *months).unrestored == 1


def test_a_month_is_written_as_dates_have_it() -> None:
    august = Entry(
        "august", "MONTH", (Form("august", 9), Form("agosto", 8, ("month",))), "", 0.9, 1
    )
    short = record(("Aug", "May"), kind=Kind.NAME, tag="DATE")
    result = decoded(short, "el 2 de mayo", august, entry("may", "MONTH", ["mayo"]))
    assert result.text == "el 2 de agosto"
    forms = (Form("marzo", 9, ("month",)), Form("marcha", 2))
    march = Entry("march", "MONTH", forms, "", 0.9, 1)
    walked = record(("August", "March"), kind=Kind.WORD, tag="MONTH")
    assert decoded(walked, "Encima Marcha 2", august, march).text == "Encima Agosto 2"


def test_a_form_is_widened_to_a_phrase_only_where_it_was_read_off_texts() -> None:
    other = Entry("often", "RB", (Form("cada vez", 1.0),), "", 0.9, 1, translator="others")
    for method, expected in (("corpus", "un perro."), ("packed", "un perro vez.")):
        forms = (Form("cada", 1.0, ("adverb",)),)
        own = Entry("often", "RB", forms, "", 0.9, 1, method=method, others=(other,))
        encoded = record(("dog", "often"), tag="RB")
        assert decoded(encoded, "un cada vez.", own, entry("dog", "RB", ["perro"])).text == expected


def spanish_to_english(word: str, form: str, answer: str, tag: str = "JJ") -> str:
    words = [
        Entry("europea", tag, (Form("european", 9, ("f0",)),), "", 0.9, 1),
        Entry(word, tag, (Form(form, 9, ("f0",)),), "", 0.9, 1),
    ]
    made = Dictionary(words, {"target": "en"}, "test", load_language("es"))
    return decode(record((word, "europea"), tag=tag), answer, made).text


def test_the_capital_of_a_people_is_its_own() -> None:
    assert spanish_to_english("fresca", "fresh", "It is European fruit.") == "It is fresh fruit."
    assert spanish_to_english("rusa", "russian", "It is european fruit.") == "It is Russian fruit."
    assert spanish_to_english("fresca", "fresh", "European fruit.") == "Fresh fruit."


def test_a_month_keeps_the_capital_that_came_back() -> None:
    assert spanish_to_english("mayo", "may", "Since European he ran.", "MONTH").startswith(
        "Since May"
    )


def test_the_ending_of_a_form_that_is_not_known_is_not_kept_where_nothing_is_attached() -> None:
    english = Dictionary(
        [entry("derramar", "VB", ["spill"]), entry("celebrar", "VB", ["celebrate"])],
        {"source": "es", "target": "en"},
        "test",
    )
    asked = record(("celebrar", "derramar"), tag="VB")
    assert decode(asked, "without spilling", english).text == "without celebrate"
