"""What foreign models are trained on: words as they are written, with the tags of their slots."""

from pathlib import Path
from random import Random

import pytest
import spacy

from scripts.training.augmentation import TaggedText, vary_accents
from scripts.training.foreign import in_paragraphs, of_spans, read_tokens, read_treebank, slot
from scripts.training.tokenizer import adjust_tokenizer

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
        ("VERB", "Tense=Pres|VerbForm=Part", "faisant", "VBG"),
        ("VERB", "Gender=Fem|Number=Plur|Tense=Past|VerbForm=Part", "faites", "VBN-FP"),
        ("PUNCT", "", "¿", "."),
    ],
)
def test_a_tag_tells_the_slot(upos: str, features: str, form: str, tag: str) -> None:
    told = dict(one.split("=") for one in features.split("|") if one)
    assert slot(upos, told, form) == tag


def test_a_word_that_does_not_tell_its_number_has_that_of_its_article(tmp_path: Path) -> None:
    rows = (
        "1\tles\tle\tDET\t_\tNumber=Plur\t2\tdet\t_\t_",
        "2\tcours\tcours\tNOUN\t_\tGender=Masc\t0\troot\t_\t_",
        "3\theureux\theureux\tADJ\t_\tGender=Masc\t2\tamod\t_\tNumber[ctxt]=Plur",
    )
    (tmp_path / "few.conllu").write_text("\n".join(rows) + "\n\n", "utf-8")
    (text,) = read_treebank(tmp_path / "few.conllu")
    assert text.tags == ["DT", "NNS-M", "JJ-MP"]


def test_an_apostrophe_or_a_hyphen_within_a_word_has_no_blanks(tmp_path: Path) -> None:
    tokens = "L O,' O,avocat O,de O,Jean B-PER,- I-PER,Luc I-PER,a O,dit O,- O,non O".split(",")
    (tmp_path / "few.tsv").write_text("\n".join(tokens) + "\n\n", "utf-8")
    ((text, spans),) = read_tokens(tmp_path / "few.tsv", "'-/")
    assert text.startswith("L'avocat de Jean-Luc a dit")
    assert [text[start:end] for start, end, _ in spans] == ["Jean-Luc"]


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("A-t-il vu l'avocat ?", ["A", "-t-il", "vu", "l'", "avocat", "?"]),
        ("Donne-le-moi.", ["Donne", "-le", "-moi", "."]),
        ("le porte-parole de Villers-la-Ville", ["le", "porte-parole", "de", "Villers-la-Ville"]),
        ("aujourd'hui, jusqu'à midi", ["aujourd'hui", ",", "jusqu'", "à", "midi"]),
    ],
)  # fmt: skip
def test_a_french_verb_is_cut_from_its_pronouns_and_a_compound_is_one(
    text: str, cut: list[str]
) -> None:
    french = adjust_tokenizer(spacy.blank("fr"))
    assert [token.text for token in french(text)] == cut


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
