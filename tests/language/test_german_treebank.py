"""What the German model is trained on: the slots of words, and what their lists say of nouns."""

from pathlib import Path

import pytest
import spacy

from scripts.training.augmentation import TaggedText
from scripts.training.german import NounReadings, slot
from scripts.training.tokenizer import adjust_tokenizer

COLUMNS = (
    "lemma,pos,genus,nominativ singular,genitiv singular,dativ singular,akkusativ singular,"
    "nominativ plural,dativ plural,nominativ singular stark,dativ plural schwach"
)
NOUNS = (
    "Haus,Substantiv,n,Haus,Hauses,Haus,Haus,Häuser,Häusern,,",
    "Bote,Substantiv,m,Bote,Boten,Boten,Boten,Boten,Boten,,",
    "Leitung,Substantiv,f,Leitung,Leitung,Leitung,Leitung,Leitungen,Leitungen,,",
    "Kranker,Substantiv,m,,,,,,,Kranker,Kranken",
)


@pytest.fixture
def nouns(tmp_path: Path) -> NounReadings:
    (tmp_path / "nouns.csv").write_text("\n".join((COLUMNS, *NOUNS)), "utf-8")
    return NounReadings(tmp_path / "nouns.csv")


@pytest.mark.parametrize(
    ("upos", "penn", "told", "form", "lemma", "tag"),
    [
        ("NOUN", "NN", "Case=Dat|Gender=Neut|Number=Sing", "Haus", "Haus", "NN-N"),
        ("NOUN", "NN", "Case=Gen|Gender=Neut|Number=Sing", "Hauses", "Haus", "NN-G"),
        ("NOUN", "NN", "Case=Gen|Gender=Fem|Number=Sing", "Wand", "Wand", "NN-F"),
        ("NOUN", "NN", "Case=Acc|Gender=Masc|Number=Sing", "Boten", "Bote", "NN-W"),
        ("NOUN", "NN", "Case=Dat|Gender=Fem|Number=Plur", "Wänden", "Wand", "NNS-D"),
        ("NOUN", "NN", "Case=Acc|Gender=Fem|Number=Plur", "Wände", "Wand", "NNS"),
        ("ADJ", "ADJA", "Case=Acc|Degree=Pos|Gender=Masc|Number=Sing", "hohen", "hoch", "JJ-EN"),
        ("ADJ", "ADJD", "Degree=Pos", "hoch", "hoch", "JJ"),
        ("ADJ", "ADJD", "Degree=Cmp", "höher", "hoch", "JJR"),
        ("VERB", "VVFIN", "Mood=Ind|Number=Plur|Person=1|Tense=Pres", "gehen", "gehen", "VBP-P"),
        ("VERB", "VVFIN", "Mood=Ind|Number=Sing|Person=1|Tense=Past", "ging", "gehen", "VBD-S"),
        ("VERB", "VVFIN", "Mood=Sub|Number=Sing|Person=3|Tense=Past", "ginge", "gehen", "VBD-SS"),
        ("VERB", "VVIZU", "VerbForm=Inf", "anzukommen", "ankommen", "VB-Z"),
        ("ADP", "PTKVZ", "", "an", "an", "RP"),
        ("ADV", "ADV", "", "hier", "hier", ""),
    ],
)  # fmt: skip
def test_a_tag_tells_what_the_form_shows(
    upos: str, penn: str, told: str, form: str, lemma: str, tag: str
) -> None:
    features = dict(one.split("=") for one in told.split("|") if one)
    assert slot(upos, penn, features, form, lemma) == tag


@pytest.mark.parametrize(
    ("form", "slots"),
    [
        ("Hauses", {"NN-G"}),
        ("Boten", {"NN-W", "NNS", "NNS-D"}),
        ("Krankenhausleitung", {"NN-F"}),
        ("Kranken", {"NN-AEN"}),
        ("haus", set()),
        ("Xyz", set()),
    ],
)
def test_a_noun_has_the_slots_of_its_last_part(
    nouns: NounReadings, form: str, slots: set[str]
) -> None:
    assert nouns.of(form) == slots


def test_a_noun_of_one_slot_has_it_whatever_the_treebank_says(nouns: NounReadings) -> None:
    words, empty = ["Das", "Haus", "Kranken", "Haus"], [""] * 4
    text = TaggedText(
        words, [True] * 4, ["DT", "NN-M", "NNS", "NNP"], empty, empty, words, [True] * 4, empty
    )
    assert nouns.mend(text).tags == ["DT", "NN-N", "NN-AEN", "NNP"]
    assert nouns.mend(text, adjectives_alone=True).tags == ["DT", "NN-M", "NN-AEN", "NNP"]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("EU-Staaten", ["EU", "-", "Staaten"]),
        ("E-Mail-Adresse", ["E-Mail", "-", "Adresse"]),
        ("Umwelt- und", ["Umwelt", "-", "und"]),
        ("Wie geht's?", ["Wie", "geht", "'s", "?"]),
        ("am 3. März z.B. im Dr.", ["am", "3.", "März", "z.B.", "im", "Dr."]),
    ],
)
def test_a_compound_with_a_hyphen_is_its_parts(text: str, cut: list[str]) -> None:
    german = adjust_tokenizer(spacy.blank("de"))
    assert [token.text for token in german(text)] == cut
