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


def test_what_was_asked_for_stays_as_it_is() -> None:
    asked = row("subjektiv", "JJ", Form("subjektiv", 2, CELLS[""]), method="packed")
    assert last(asked) is asked


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
