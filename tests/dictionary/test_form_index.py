"""What stands in a place decides the form, and kindred verbs lend theirs."""

from prism_core.dictionary import Dictionary, Entry, Form

SINGULAR, PLURAL = ("they", "Number=Sing", "VerbForm=Fin"), ("Number=Plur", "VerbForm=Fin")


def entry(word, tag, *forms, others=()) -> Entry:
    return Entry(word, tag, forms, "", 0.9, 1, "t", others=others)


def index(*entries):
    return Dictionary(entries, {}, "test").form_index


def test_the_rows_of_a_form_are_told_together_by_kind() -> None:
    other = entry("sing", "VB", Form("canta", 1, ("does_she", "Number=Sing", "Tense=Past")))
    verb = entry("sing", "VB", Form("canta", 1, ("Number=Sing", "Tense=Pres")), others=(other,))
    noun = entry("edge", "NN", Form("canta", 1, ("Gender=Fem", "Number=Sing")))
    known = index(verb, noun)
    assert known.features("Canta", "VBD") == ("Number=Sing", "does_she")  # no tense: they differ
    assert known.features("canta", "NNS") == ("Gender=Fem", "Number=Sing")
    assert known.features("canta", "JJ") == ()  # a noun or a verb


def test_a_form_of_one_kind_alone_is_described_by_that() -> None:
    noun = entry("edge", "NN", Form("canto", 1, ("Number=Sing",)))
    assert index(noun).features("canto", "VB") == ("Number=Sing",)
    assert index(noun).features("cantos", "NN") == ()


def test_kin_are_the_same_verb_and_its_inflections_nearest_first() -> None:
    sang = entry("walked", "VBD", Form("caminaba", 1))
    same = entry("walked", "VBN", Form("andado", 1))
    base = entry("walk", "VB", Form("caminar", 1))
    other = entry("walls", "VBZ", Form("amuralla", 1))
    assert index(sang, same, base, other).kin(sang) == (same, base)


def test_a_noun_has_no_kin_since_its_number_is_what_it_means() -> None:
    parent, parents = entry("parent", "NN", Form("padre", 1)), entry("parents", "NNS", Form("p", 1))
    assert index(parent, parents).kin(parent) == ()


def test_a_kindred_verb_lends_a_form_where_all_own_differ() -> None:
    walked = entry("walked", "VBD", Form("andaba", 1, SINGULAR))
    walk = entry("walk", "VBP", Form("andan", 1, PLURAL))
    find = index(walked, walk).kin
    assert walked.inflect("cantan", PLURAL, find) == "andan"
    assert walked.inflect("cantan", PLURAL) == "andaba"
    assert walked.inflect("cantaba", SINGULAR, find) == "andaba"
    assert walk.inflect("cantaba", ("Number=Sing",), find) == "andaba"


def test_kin_may_double_a_letter_drop_one_or_be_phrases_of_the_same_words() -> None:
    using = entry("using", "VBG", Form("utilizando", 1))
    uses = entry("uses", "VBZ", Form("utiliza", 1))
    sitting = entry("sitting", "VBG", Form("sentando", 1))
    sat = entry("sits", "VBZ", Form("sentaba", 1))
    looking = entry("looking for", "VBG", Form("buscando", 1))
    looks, alone = (entry(word, "VBZ", Form("buscaba", 1)) for word in ("looks for", "looks up"))
    find = index(using, uses, sitting, sat, looking, looks, alone).kin
    assert [find(verb) for verb in (using, sitting, looking)] == [(uses,), (sat,), (looks,)]
