"""*'* and *'s* behind what is replaced fit what is sent: they tell nothing of the original."""

from __future__ import annotations

import asyncio
from collections import Counter
from random import Random

import pytest

from benchmarks.dictionary import translated
from prism_core.encoding import load_encoder, make_encoder
from prism_core.encoding.pool_encoder import PoolEncoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence, Token
from prism_core.mechanisms import make_mechanism
from prism_core.record import Fate
from prism_core.settings import MechanismSettings, load_settings
from tests.words import ENGLISH, dictionary, entry, nouns, sentence

IN_S = [entry(f"a{c}ss") for c in "bcdfghjklm"]
PLURALS = [entry(f"{c}aks", "NNS") for c in "bcdfghjklm"]
IRREGULAR = [entry(f"{c}een", "NNS") for c in "cdfghjklm"]
WORDS = dictionary(*nouns(10), *IN_S, *PLURALS, *IRREGULAR, entry("sold", "VBN"))
ENCODER = make_encoder(
    WORDS,
    make_mechanism(MechanismSettings.choose(minimum_pool=5, threshold=0.5, draws="uniform"), WORDS),
)


def possessive(hidden: str, mark: str, *others: str) -> Sentence:
    """``others``, then ``hidden`` with ``mark`` directly behind it, and *other*, which is kept."""
    made = sentence(*others, hidden, mark, "other/JJ").tokens
    return Sentence((*made[:-3], made[-3]._replace(whitespace=""), *made[-2:]))


def texts_of(sent: Sentence, count: int = 60) -> list[str]:
    made = [ENCODER.encode(sent, DenyList(), Random(seed)) for seed in range(count)]
    assert not any(one.withheld for one in made)
    return [one.text for one in made]


def marks_of(texts: list[str]) -> set[str]:
    """What stands behind the substitute, the word before the last, as the text has it."""
    words = (text.split()[-2].strip("‘`").lstrip("'").replace("’", "'") for text in texts)
    return {"'" + word.partition("'")[2] for word in words}


@pytest.mark.parametrize(
    "hidden",
    ["abss/NN", "baak/NN", "baks/NNS", "ceen/NNS", "Jones/NNP", "Hugo/NNP", "zorgles/NN", "F7s/NN"],
)
@pytest.mark.parametrize("apostrophe", "'’")
def test_what_is_sent_is_the_same_whichever_mark_stood_there(hidden, apostrophe) -> None:
    bare, full = (texts_of(possessive(hidden, f"{apostrophe}{s}/POS")) for s in ("", "s"))
    assert bare == full
    assert all(apostrophe in text for text in bare)


def test_a_singular_in_s_is_sent_as_any_other_and_the_pool_is_whole() -> None:
    texts = texts_of(possessive("abss/NN", "'/POS"), 400)
    assert marks_of(texts) == {"'s"}
    assert len({text.partition("'")[0] for text in texts}) == 20


def test_names_have_the_full_mark_whatever_they_end_in() -> None:
    texts = texts_of(possessive("Jones/NNP", "'/POS", "Mr/NNP"), 200)
    assert marks_of(texts) == {"'s"}
    assert {text.partition("'")[0][-1] == "s" for text in texts} == {True, False}


def test_a_plural_in_s_has_a_bare_mark_and_any_other_plural_the_full_one() -> None:
    for hidden in ("baks/NNS", "ceen/NNS"):
        texts = texts_of(possessive(hidden, "'/POS"), 200)
        ends = Counter(
            (text.split()[0][:4].endswith("s"), marks_of([text]) == {"'"}) for text in texts
        )
        assert ends.keys() == {(True, True), (False, False)}


@pytest.mark.parametrize(
    ("hidden", "mark", "before", "sent"),
    [
        ("JONES/NNP", "'/POS", "MR/NNP", "'s"),
        ("JONES/NNP", "'S/POS", "MR/NNP", "'s"),
        ("ABSS/NN", "'/POS", "THE/DT", "'s"),
        ("ABSS/NN", "'S/POS", "THE/DT", "'s"),
    ],
)
def test_its_capital_tells_only_that_all_else_is_in_capitals(hidden, mark, before, sent) -> None:
    mixed = possessive(hidden, mark, before)
    assert marks_of(texts_of(mixed)) == {sent}
    *tokens, last = mixed.tokens
    capitals = Sentence((*tokens, last._replace(text="OTHER")))
    assert marks_of(texts_of(capitals)) == {sent.upper()}


def test_a_verb_and_a_pronoun_stay() -> None:
    for mark in ("'s/VBZ", "'s/PRP"):
        assert marks_of(texts_of(possessive("baks/NNS", mark))) == {"'s"}


@pytest.mark.parametrize("tag", ["''", "``", "POS"])
@pytest.mark.parametrize("mark", ["'", "‘", "`"])
def test_a_mark_that_closes_a_quotation_stays(tag, mark) -> None:
    opening = Token(mark, "", "``")
    first, *rest = possessive("baak/NN", f"'/{tag}", "the/DT").tokens
    assert marks_of(texts_of(Sentence((first, opening, *rest)))) == {"'"}
    before = Sentence((opening, first._replace(whitespace=""), Token("'", " ", "''"), *rest))
    assert marks_of(texts_of(before)) == {"'s"}, "that quotation was closed before"


@pytest.mark.parametrize("tag", ["''", "``"])
def test_a_mark_that_the_tagger_mistook_is_fitted_where_a_word_follows(tag) -> None:
    assert marks_of(texts_of(possessive("abss/NN", f"'/{tag}"))) == {"'s"}
    *tokens, _ = possessive("abss/NN", f"'/{tag}").tokens
    assert all(
        text.endswith("'.")
        for text in texts_of(
            Sentence((*tokens[:-1], tokens[-1]._replace(whitespace=""), Token(".", "", ".")))
        )
    )


def test_a_measure_and_what_stands_behind_a_kept_word_stay() -> None:
    assert marks_of(texts_of(possessive("5/CD", "'/POS"))) == {"'"}
    assert texts_of(possessive("others/NNS", "'/POS", "baak/NN"))[0].endswith(" others' other")


def test_draws_by_the_words_beside_do_not_tell_the_marks_apart() -> None:
    assert len({ENGLISH.neutral_form(mark) for mark in ("'", "'s", "’", "’s")}) == 1
    encoder = load_encoder(load_settings())
    texts = [
        [
            encoder.encode(possessive("boss/NN", mark, "the/DT"), DenyList(), Random(n)).text
            for n in range(40)
        ]
        for mark in ("'/POS", "'s/POS")
    ]
    assert texts[0] == texts[1]


def test_a_mark_that_was_fitted_changes_nothing_for_decoding_and_redrawing() -> None:
    sent = possessive("Jones/NNP", "'/POS", "abss/NN", "of/IN")
    for seed in range(40):
        encoded = ENCODER.encode(sent, DenyList(), Random(seed))
        word, name = encoded.record
        assert encoded.fates[-2] is Fate.GRAMMAR, "what is sent there is 's"
        answer = f"otro {word.substitute}o de {name.substitute}"
        assert ENCODER.decode(encoded, answer).text == "otro absso de Jones"
        again = ENCODER.redraw(sent, encoded, {0}, DenyList(), Random(seed + 1))
        assert again is not None, "a mark that was fitted is no other sentence"
        assert again.text.endswith(f"{name.substitute}'s other")
        assert not ENCODER.remaining(encoded, ENCODER.add_identifiers(DenyList(), [sent]))


SENTENCES = [
    "Mr Jones' claim was refused by the court.",
    "The boss' car was sold in March.",
    "The workers' rights were refused.",
    "Mr Easton’s claim was accepted.",
    "Dickens’ books were kept in the room of the doctor.",
    "The children's teacher wrote a letter.",
    "The doctors' friends went home.",
    "MR JONES' CLAIM WAS REFUSED.",
    "The statement was read in James' house.",
    "The women's lawyer asked for ten days' time.",
]


@pytest.fixture(scope="module")
def encoder() -> PoolEncoder:
    made = load_encoder(load_settings())
    assert isinstance(made, PoolEncoder)
    return made


def test_apertium_gives_back_every_word_beside_a_possessive(encoder: PoolEncoder) -> None:
    sentences = [one for text in SENTENCES for one in LanguageModel.load("en").sentences(text)]
    encoded = [
        encoder.encode(one, DenyList(), Random(seed)) for seed in range(3) for one in sentences
    ]
    answers = asyncio.run(translated([one.text for one in encoded]))
    decoded = [encoder.decode(*pair) for pair in zip(encoded, answers, strict=True)]
    assert [one.unrestored for one in decoded] == [0] * len(decoded)
    texts = {one.text for one in decoded}
    assert "La reclamación de señor Jones estuvo rechazada por la corte." in texts
    assert "El coche del jefe estuvo vendido en marzo." in texts
