"""Words of a frame belong to no form: examples are real answers of a neural translator."""

from collections.abc import Sequence
from dataclasses import replace

from prism_core.building.form_checks import check_forms, drop_lost_negations
from prism_core.building.frame_queries import FrameReading, Proposal
from prism_core.building.word_candidates import WordCandidate
from prism_core.dictionary import Entry, Form
from prism_core.languages import load_language

FRAME_WORDS = "a as o os casa livro vermelha vermelho estava estavam foi em na".split()


def proposal(word: str, form: str, residue: str, alone: str = "", after: str = "") -> Proposal:
    others = [FrameReading("", text, "_") if text else None for text in (alone, after)]
    shown = (FrameReading("noun", form, residue),)
    return Proposal(WordCandidate(word, "NN", 2), shown, (others[1],), others[0])


def check(*asked: Proposal) -> Sequence[FrameReading | None]:
    usual = [proposal(f"w{i}", f"v{i}", "a _ vermelha estava lá .") for i in range(20)]
    return [found.in_frames[0] for found in check_forms([*usual, *asked], FRAME_WORDS)[20:]]


def test_words_of_the_frame_go_from_the_form_into_the_residue() -> None:
    police, vacation = check(
        proposal("police", "a polícia vermelha estava", "_ lá .", after="polícia"),
        proposal("vacation", "feriado foi", "o _ lá ."),
    )
    assert police == FrameReading("noun", "polícia", "a _ vermelha estava lá .")
    assert vacation == FrameReading("noun", "feriado", "o _ foi lá .")


def test_what_the_word_alone_has_too_is_its_own() -> None:
    weekend, wood = check(
        proposal("weekend", "fim em semana", "o _ vermelho estava lá .", alone="fim em semana"),
        proposal("wooden", "em madeiras", "a casa _ estava lá .", alone="em madeira"),
    )
    assert weekend is not None
    assert weekend.form == "fim em semana"
    assert wood is not None
    assert wood.form == "em madeiras"


def test_a_word_before_many_forms_belongs_to_the_form_where_the_word_alone_has_it() -> None:
    (largely,) = check(
        proposal("largely", "grande parte", "ela correu em _ lá .", alone="em grande parte")
    )
    assert largely == FrameReading("noun", "em grande parte", "ela correu _ lá .")


def test_what_an_adverb_has_before_it_is_its_own_unless_it_stands_alone() -> None:
    def adverb(word: str, form: str, residue: str, alone: str = "") -> Proposal:
        asked = proposal(word, form, residue, alone)
        return replace(asked, word=WordCandidate(word, "RB", 2), in_behaviour_frames=())

    usual = [adverb(f"w{i}", f"v{i}", "ela correu lá _ .") for i in range(20)]
    odd = [
        adverb("undoubtedly", "dúvida", "ela correu lá sem _ ."),
        adverb("carefully", "cuidadosamente", "ela correu lá com _ .", alone="cuidadosamente"),
        adverb("north", "norte", "ela correu para o _ ."),
    ]
    found = [each.in_frames[0] for each in check_forms([*usual, *odd], FRAME_WORDS)[20:]]
    assert [(each.form, each.residue) for each in found if each] == [
        ("sem dúvida", "ela correu lá _ ."),
        ("cuidadosamente", "ela correu lá com _ ."),
        ("norte", "ela correu para o _ ."),
    ]


def test_a_form_of_frame_words_alone_is_dropped_unless_the_rest_is_as_usual() -> None:
    happy, gone = check(
        proposal("happy", "estava", "a casa _ .", alone="feliz"),
        proposal("house", "casa", "a _ vermelha estava lá ."),
    )
    assert happy is None
    assert gone == FrameReading("noun", "casa", "a _ vermelha estava lá .")


def test_an_auxiliary_that_the_word_alone_lacks_is_no_part_of_a_participle() -> None:
    (expected,) = check(proposal("expected", "eram esperadas", "as casas _ lá .", alone="esperado"))
    assert expected == FrameReading("noun", "esperadas", "as casas eram _ lá .")


def test_an_article_that_a_word_alone_gets_is_no_part_of_it() -> None:
    clothes, twins, police = check(
        proposal("clothes", "a roupas vermelhas estavam", "_ lá .", after="a roupas"),
        proposal("twins", "gêmeos", "a _ vermelhos estavam lá .", alone="a gêmeos"),
        proposal("police", "a polícia vermelha estava", "_ lá .", alone="a polícia"),
    )
    assert [clothes and clothes.form, twins and twins.form] == ["roupas", "gêmeos"]
    assert police == FrameReading("noun", "polícia", "a _ vermelha estava lá .")


def test_a_form_that_has_lost_the_negation_of_its_word_is_dropped() -> None:
    def entry(word: str, tag: str, *texts: str) -> Entry:
        return Entry(word, tag, [Form(text, 1) for text in texts], "", 0.9, 1)

    entries = [
        entry("registered", "VBN", "registrado", "registrada"),
        entry("unregistered", "JJ", "Registrado", "não registrado"),
        entry("unregistered", "VBN", "registrada"),
        entry("habitants", "NNS", "habitantes"),
        entry("inhabitants", "NNS", "habitantes"),
    ]
    left = list(drop_lost_negations(entries, load_language("en")))
    assert [(found.word, found.tag) for found in left] == [
        ("registered", "VBN"),
        ("unregistered", "JJ"),
        ("habitants", "NNS"),
        ("inhabitants", "NNS"),
    ]
    assert left[1].forms.texts == ("não registrado",)
