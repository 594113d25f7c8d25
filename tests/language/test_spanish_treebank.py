"""What the Spanish model is trained on: words as they are written, with the tags of their slots."""

from pathlib import Path
from random import Random

import pytest
import spacy

from scripts.training.augmentation import TaggedText, vary_accents
from scripts.training.spanish import in_paragraphs, of_spans, read_treebank, slot

ROWS = (
    ("1", "Al", "_", "_", "_", "_"),
    ("1", "A", "a", "ADP", "_", "_"),
    ("2", "el", "el", "DET", "_", "Gender=Masc|Number=Sing"),
    ("3", "dárselo", "_", "_", "_", "_"),
    ("3", "dar", "dar", "VERB", "_", "VerbForm=Inf"),
    ("4", "se", "él", "PRON", "_", "_"),
    ("5", "lo", "él", "PRON", "_", "_"),
    ("6", "cayó", "caer", "VERB", "_", "Mood=Ind|Number=Sing|Person=3|Tense=Past|VerbForm=Fin"),
)
NUMBERS = ("1-2", "1", "2", "3-5", "3", "4", "5", "6")


def treebank(folder: Path) -> Path:
    lines = (
        "\t".join((number, *row[1:], "0", "root", "_", "_"))
        for number, row in zip(NUMBERS, ROWS, strict=True)
    )
    (folder / "few.conllu").write_text("# text = x\n" + "\n".join(lines) + "\n\n", "utf-8")
    return folder / "few.conllu"


def test_a_contraction_and_a_verb_with_its_pronouns_are_one_token(tmp_path: Path) -> None:
    (text,) = read_treebank(treebank(tmp_path))
    assert list(zip(text.words, text.tags, text.lemmas, strict=True)) == [
        ("Al", "IN", "a"), ("dárselo", "VB-CL", "dar"), ("cayó", "VBD-3S", "caer"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("upos", "features", "form", "tag"),
    [
        ("NOUN", "Gender=Fem|Number=Plur", "casas", "NNS-F"),
        ("NOUN", "Number=Sing", "estudiante", "NN"),
        ("NOUN", "", "Gobierno", "NNP"),
        ("ADJ", "Gender=Masc|Number=Plur", "rojos", "JJ-MP"),
        ("ADJ", "Number=Sing", "verde", "JJ-S"),
        ("VERB", "Gender=Fem|Number=Sing|VerbForm=Part", "hecha", "VBN-FS"),
        ("AUX", "Mood=Ind|Number=Plur|Person=3|Tense=Imp|VerbForm=Fin", "habían", "VBD-I3P"),
        ("VERB", "Mood=Sub|Number=Sing|Person=1|Tense=Pres|VerbForm=Fin", "hable", "VBP-S1S"),
        ("VERB", "Mood=Cnd|Number=Sing|Person=3|VerbForm=Fin", "haría", "VBP-C3S"),
        ("PUNCT", "", "¿", "."),
    ],
)
def test_a_tag_tells_the_slot(upos: str, features: str, form: str, tag: str) -> None:
    told = dict(one.split("=") for one in features.split("|") if one)
    assert slot(upos, told, form) == tag


def test_a_text_with_names_alone_leaves_its_tags_open_and_says_where_sentences_begin() -> None:
    text = of_spans("Habló Ana. Calló.", [(6, 9, "PER")], spacy.blank("es"))
    assert text.entities[1] == "B-PER"
    assert set(text.tags) == {""}
    assert text.starts == [True, False, False, True, False]


def test_sentences_are_read_in_runs_and_none_is_lost(tmp_path: Path) -> None:
    (one,) = read_treebank(treebank(tmp_path))
    runs = list(in_paragraphs([one] * 11))
    assert [sum(map(bool, run.starts)) for run in runs] == [3, 1, 4, 2, 1]


def test_a_text_is_now_and_then_read_without_accents_and_no_word_is_lost() -> None:
    words = ["dárselo", "´", "año"]
    text = TaggedText(words, [True] * 3, [""] * 3, [""] * 3, [""] * 3, words, [True] * 3, [""] * 3)
    read = {tuple(vary_accents(text, Random(seed)).words) for seed in range(80)}
    assert ("darselo", "´", "ano") in read
    assert all(all(each) for each in read)
