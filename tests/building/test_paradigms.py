"""Rows get the inflections that others of their kind have, where it is sure what these are."""

from prism_core.building import complete_paradigms
from prism_core.dictionary import Entry, Form

STEMS = "akt mass nat pass spekul alternat kreat posit negat intens exklus relat".split()
CELLS = {"": ("Ending=none",), "e": ("Ending=e",), "en": ("Ending=en",)}


def row(word: str, tag: str, *forms: Form, method: str = "corpus") -> Entry:
    return Entry(word, tag, forms, "", 0.9, 1, "t", method)


def adjective(stem: str, *endings: str) -> Entry:
    return row(stem, "JJ", *(Form(f"{stem}{end}", 2, CELLS[end]) for end in endings))


KNOWN = [adjective(f"{stem}iv", *CELLS) for stem in STEMS]
FAIR = [Form(f"akzeptab{end}", 2, CELLS[cell]) for end, cell in (("el", ""), ("le", "e"))]


def last(entry: Entry, *attested: str, others: tuple[Entry, ...] = ()) -> Entry:
    return list(complete_paradigms([*KNOWN, *others, entry], set(attested)))[-1]


def test_an_adjective_gets_the_endings_that_others_have() -> None:
    found = last(adjective("subjektiv", ""))
    assert found.forms.texts == ("subjektiv", "subjektive", "subjektiven")
    assert found.forms[1] == Form("subjektive", 1, ("Ending=e",))


def test_what_others_make_in_another_way_is_not_made() -> None:
    dark, fair = adjective("dunkel", ""), row("fair", "JJ", *FAIR)
    assert "dunkele" in last(dark).forms.texts
    assert "dunkele" not in last(dark, "dunkele", others=(fair,)).forms.texts


def test_what_a_text_has_needs_fewer_examples() -> None:
    few = [adjective(f"{stem}isch", *CELLS) for stem in "typ log mag kom trag".split()]
    lyric = row("lyric", "JJ", Form("lyrisch", 2, ("Ending=none",)))
    rows = [*few, lyric]
    assert list(complete_paradigms(rows, set()))[-1].forms.texts == ("lyrisch",)
    assert list(complete_paradigms(rows, {"lyrische"}))[-1].forms.texts == ("lyrisch", "lyrische")


def test_a_form_that_is_there_gets_what_follows_of_it() -> None:
    bare = row("subjektiv", "JJ", Form("subjektiv", 2, CELLS[""]), Form("subjektive", 2, ("s0",)))
    assert last(bare).forms[1] == Form("subjektive", 2, ("s0", "Ending=e"))


def asked(stem: str, *endings: str) -> Entry:
    cells = {
        "o": ("book", "Gender=Book", "Number=Sing"),
        "a": ("house", "Gender=House", "Number=Sing"),
        "os": ("books", "Gender=Book", "Number=Plur"),
        "as": ("houses", "Gender=House", "Number=Plur"),
    }
    forms = [Form(f"{stem}{end}", 2, cells[end]) for end in endings]
    return row(stem, "JJ", *forms, method="packed")


def test_an_adjective_that_was_left_out_of_a_frame_gets_its_form() -> None:
    whole = [asked(f"{stem}ic", "o", "a", "os", "as") for stem in STEMS]
    public = asked("públic", "os", "as", "o")
    found = list(complete_paradigms([*whole, public], {"pública"}))[-1]
    assert found.forms.texts == ("públicos", "públicas", "público", "pública")
    assert found.forms[-1] == Form("pública", 1, ("Gender=House", "Number=Sing"))
    # A verb that was asked for has all its frames, and stays as it is.
    verb = row("walk", "VB", Form("and", 2, ("VerbForm=Inf",)), method="packed")
    assert list(complete_paradigms([*whole, verb], set()))[-1] is verb


def test_a_form_that_frames_showed_keeps_what_they_showed() -> None:
    whole = [asked(f"{stem}ic", "o", "a", "os", "as") for stem in STEMS]
    both = ("house", "book", "houses")
    forms = *asked("físic", "o").forms, Form("físicas", 2, both)
    physical = row("physical", "JJ", *forms, method="packed")
    assert list(complete_paradigms([*whole, physical], set()))[-1].forms[1].features == both


def test_an_adjective_that_no_text_has_without_its_ending_gets_it_and_no_verb_is_made_up() -> None:
    assert "subjektiv" in last(adjective("subjektiv", "en")).forms.texts
    inf, past = ("VerbForm=Inf",), ("Mood=Ind", "Number=Sing", "Person=3", "Tense=Past")
    verbs = [
        row(stem, "VB", Form(f"{stem}en", 2, inf), Form(f"{stem}te", 2, (*past, "VerbForm=Fin")))
        for stem in STEMS
    ]
    assert last(row("s", "VB", Form("blitzen", 2, inf)), others=tuple(verbs)).forms.texts == (
        "blitzen",
    )
    future = ("Mood=Ind", "Number=Sing", "Person=3", "Tense=Fut", "VerbForm=Fin")
    verbs = [
        row(stem, "VB", Form(f"{stem}er", 2, inf), Form(f"{stem}era", 2, future)) for stem in STEMS
    ]
    made = last(row("s", "VB", Form("donner", 2, inf)), others=tuple(verbs))
    assert made.forms.texts == ("donner", "donnera")
