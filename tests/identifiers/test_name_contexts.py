"""After a title or a label, and beside a name, a word is a name whatever else it is."""

from __future__ import annotations

import re
from random import Random

import pytest

from prism_core.encoding import Encoder, load_encoder
from prism_core.identifiers import DenyList
from prism_core.identifiers.finder import IdentifierFinder
from prism_core.identifiers.leak_check import LeakCheck
from prism_core.language import LanguageModel, Sentence
from prism_core.settings import load_settings
from tests.identifiers.test_names import names
from tests.words import ENGLISH, dictionary, entry, sentence

SURNAMES = (
    "an be but do down few had he her him how in less may me more most "
    "much must my no off on or over she so such than to too under up was well will with you"
).split()
"""Surnames of the census of the United States that are function words."""
FRAMES = ("The letter of dr. {} has come.", "We met mrs {} there.", "Surname: {}")


@pytest.fixture(scope="module")
def encoder() -> Encoder:
    return load_encoder(load_settings())


@pytest.mark.parametrize("case", [str.lower, str.title, str.upper])
def test_no_surname_that_is_a_function_word_is_sent_after_a_title(case, encoder: Encoder) -> None:
    model = LanguageModel.load("en")
    lines = [frame.format(case(name)) for name in SURNAMES for frame in FRAMES]
    shown = []
    for line, sentences in zip(lines, model.annotate(lines), strict=True):
        sent = " ".join(encoder.encode(one, DenyList(), Random(1)).text for one in sentences)
        name = line.split()[{"T": 4, "W": 3, "S": 1}[line[0]]]
        shown += [line] * (name in sent.replace(".", "").split())
    assert not shown


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["mr/NN", "agreement/NN"], ["agreement"]),
        (["Mr./NNP", "and/CC", "Mrs./NNP", "To/TO"], ["To"]),
        (["Prof./NNP", "Dr./NNP", "Her/PRP$"], ["Her"]),
        (["my/PRP$", "dr/NN", "was/VBD", "there/RB"], []),
        (["patient/NN", ":/:", "do/VB"], ["do"]),
        (["the/DT", "patient/NN", "was/VBD", "there/RB"], []),
        (["the/DT", "patient/NN", "Will/MD", "was/VBD", "there/RB"], ["Will"]),
        (["dear/JJ", "He/PRP", ",/,"], ["He"]),
        (["dear/JJ", "all/DT", ",/,"], []),
        (["re/NN", ":/:", "your/PRP$", "agreement/NN"], []),
        (["we/PRP", "met/VBD", "Zorgle/NNP", "To/TO"], ["Zorgle", "To"]),
        (["To/TO", "Zorgle/NNP", "he/PRP", "left/VBD"], ["Zorgle"]),
        (["Zorgle/NNP", "to/TO", "him/PRP"], ["Zorgle"]),
        (["LETTER/NNP", "TO/TO", "ZORGLE/NNP"], ["ZORGLE"]),
    ],
)
def test_where_a_function_word_stands_tells_whether_it_is_a_name(words, expected) -> None:
    assert names(*words) == expected


def test_a_name_that_is_known_in_one_case_counts_in_any_after_a_title_or_beside_a_name() -> None:
    finder = IdentifierFinder(dictionary(entry("grace")))
    known = DenyList()
    for form in finder.collect_denied_forms(sentence("mr/NN", "grace/NN", "left/VBD")):
        known.add(form)

    def found(*words: str) -> list[str]:
        cut, identifiers = finder.find(sentence(*words), known)
        return [one.text_in(cut) for one in identifiers]

    assert found("Zorgle/NNP", "grace/NN", "left/VBD") == ["Zorgle", "grace"]
    assert found("she/PRP", "has/VBZ", "grace/NN") == []


@pytest.mark.parametrize(
    ("text", "leaks"),
    [
        ("the letter of mr do", True),
        ("the letter of DR. DO", True),
        ("the letter of Ms Do", True),
        ("what do they want", False),
        ("the dr do not know", False),
    ],
)
def test_the_last_look_sees_a_denied_function_word_after_a_title(text: str, leaks: bool) -> None:
    known = DenyList()
    for form in IdentifierFinder(dictionary()).collect_denied_forms(
        sentence("Mr./NNP", "Do/VBP", "left/VBD")
    ):
        known.add(form)
    assert bool(LeakCheck(ENGLISH).find_leaks(text, [], known, ENGLISH.is_function_word)) is leaks


@pytest.mark.parametrize(
    "text",
    [
        "Hi {Will}, please call me.",
        "hi {will}, please call me.",
        "thanks, {will}",
        "best wishes, {will}",
        "hi {will} can you call me?",
        "Good morning {Will}, please call me.",
        "The defendant {Next} appealed.",
        "The patient will recover.",
        "Hi there, please call me.",
        "TO: {NEXT}",
        "State v. {Will}",
        "{Will}, who left, called.",
        "Little by little he left.",
        "Kind regards,\n{Next}",
        "{Today} Ltd paid.",
        "The LLP paid.",
        "Anna Smith-{Will} called.",
        "ask {will} about it",
        "tell {will} to call me",
        "Those who smoke may in time die.",
        "{Next} v. Smith",
        "In {Today} v. {Tomorrow} he lost.",
        "Witnesses: {Next}, {Hi}, {Do}",
        "Witness: Yes",
        "Present: Smith, {Next}, Jones, {Hello}",
        "Hello, Mary",
        "{Next}, Mary",
        "{Will} today signed the lease.",
        "MARY {NEXT} LEFT",
        "MARY {WILL} SIGNED THE LEASE",
        "MARY WILL SIGN THE LEASE",
        "Will he come?",
        "{Over} phoned at ten.",
        "{So} told the officer.",
        "So did the officer.",
        "{Being}, for the appellant; {Down}, for the respondent.",
        "{Still}, A.",
        "{Quite} & Sons sold the mill.",
        "{More} J: I agree.",
        "{Do} Kwon to Stand Trial",
        "{Yours}, {An}",
        "from: {will}",
        "{will} said mark left at noon",
        "{Such}",
        "Yes",
        "The witness, {Still}, said no.",
        "Judge {You} adjourned the hearing.",
        "Captain {Not} reported the loss of the cargo.",
        "Miss {Her}, the plaintiff, fell on the stairs.",
        "He left the farm to Aunt {Or}.",
        "Rev. {Both} married them in church.",
        "Captain And Crew went home.",
        "The Nurse Will See You",
        "{Such} told the officer.",
        "Such was the case.",
        "{Must}",
        "he has {down} syndrome",
        "{Down} syndrome, asthma",
        "The syndrome and no other syndrome came down.",
        "{A}, a child, was heard.",
        "{A}, B and C were heard.",
        "Her blood group is {A} positive.",
        "Blood group: {A}",
        "She has stage {I} cancer.",
        "See Exhibit {A} and Annex {I} to this deed.",
        "Mary and I went, and the man I saw left.",
        "We read A Tale of Two Cities.",
        "A Guide To The Law Of A Nation",
        "{US} troops left.",
        "He fled to the {US} that year.",
        "The {WHO} doctor told us of the {IT} manager.",
        "You must NOT pay rent AND fees.",
        "NOTHING BINDS US.",
        "Witness: {Down} (mother)",
        "Nurse: {Such}",
        "Seen by: {Over}",
        "Next of kin: {Down} (mother)",
    ],
)
def test_a_function_word_is_a_name_where_no_grammar_can_stand(text: str, encoder: Encoder) -> None:
    model = LanguageModel.load("en")
    tokens = [token for one in model.sentences(re.sub("[{}]", "", text)) for token in one.tokens]
    cut, found = IdentifierFinder(encoder.dictionary).find(Sentence(tuple(tokens)))
    seen = [name.text_in(cut) for name in found]
    grammar = [name for name in seen if encoder.dictionary.language.is_function_word(name)]
    assert grammar == re.findall("{(.+?)}", text)
