"""Treebanks and annotated texts of a language as ``DocBin`` files that training and measuring read.

    python -m scripts.training.foreign --language es --data SHARED/spanish --output FOLDER

Entry: ``main``; ``CORPORA`` says what there is of each language; ``read_treebank`` gives a
treebank's tokens their Penn tag and slot (``slot``).
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, cycle, pairwise
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.tokens import DocBin
from spacy.util import filter_spans

from scripts.training import german
from scripts.training.augmentation import TaggedText
from scripts.training.tokenizer import adjust_tokenizer

_PENN = {
    "ADP": "IN", "ADV": "RB", "CCONJ": "CC", "SCONJ": "IN", "DET": "DT", "INTJ": "UH", "NUM": "CD",
    "PART": "RB", "PRON": "PRP", "PROPN": "NNP", "SYM": "SYM", "X": "FW", "_": "FW",
}  # fmt: skip
_MARKS = {",": ",", "(": "-LRB-", ")": "-RRB-", "[": "-LRB-", "]": "-RRB-"}
_MARKS |= dict.fromkeys(".!?¿¡", ".") | dict.fromkeys("\"'»”’", "''") | dict.fromkeys("«“‘", "``")
_TENSES = {"Pres": "", "Past": "", "Imp": "I", "Fut": "F"}
_GENDERED = ("NOUN", "ADJ", "VERB")
_CLITICS = re.compile("(?:me|te|se|nos|os|l[aeo]s?)+$")
_CLASSES = {"PER": "PER", "LOC": "LOC", "ORG": "ORG"}
_OF_MEDDOCAN = {
    "NOMBRE_SUJETO_ASISTENCIA": "PER", "NOMBRE_PERSONAL_SANITARIO": "PER", "TERRITORIO": "LOC",
    "PAIS": "LOC", "CALLE": "LOC", "HOSPITAL": "ORG", "INSTITUCION": "ORG", "CENTRO_SALUD": "ORG",
}  # fmt: skip
_STOPS = (".", "?", "!")
_HELD_BACK = 12
"""One sentence in so many is kept from training, to choose the checkpoint."""


@dataclass(frozen=True)
class Corpora:
    """The files of one language."""

    treebank: tuple[str, ...]
    """CoNLL-U files to train on."""
    tests: dict[str, str]
    """CoNLL-U files for evaluation alone, by the names of their treebanks."""
    copies: int
    """How often the gold of the treebank is in an epoch, beside much longer texts without gold."""
    names: str = ""
    """A file of tokens and their BIO labels."""
    joined: str = ""
    """Marks that it has as tokens of their own, and that stand in the middle of a word."""
    spans: str = ""
    """A file in MEDDOCAN's form."""


CORPORA = {
    "es": Corpora(
        treebank=("es_gsd-ud-dev.conllu",),
        tests={"gsd": "es_gsd-ud-test.conllu", "pud": "es_pud-ud-test.conllu"},
        copies=6,
        names="echr_train.tsv",
        spans="meddocan.jsonl.gz",
    ),
    "fr": Corpora(
        treebank=("fr_sequoia-ud-train.conllu", "fr_sequoia-ud-dev.conllu"),
        tests={"sequoia": "fr_sequoia-ud-test.conllu"},
        copies=4,
        names="echr_train.tsv",
        joined="'-/",
    ),
    "de": Corpora(
        treebank=("de_gsd-ud-dev.conllu",),
        tests={"gsd": "de_gsd-ud-test.conllu"},
        copies=10,
    ),
}


def slot(upos: str, features: dict[str, str], form: str) -> str:
    """The Penn tag of a word, a hyphen, and what a word in its place must agree in.

    Gender of nouns (``NN-F``), gender and number of adjectives and participles (``JJ-FP``; without
    gender where the form has none, ``JJ-S``), of verbs mood (``S`` subjunctive, ``C`` conditional,
    ``M`` imperative), tense (``I`` imperfect, ``F`` future), person and number (``VBP-S3P``).
    """
    gender, number = features.get("Gender", "")[:1], features.get("Number", "")[:1]
    if upos == "PUNCT":
        return _MARKS.get(form, ":")
    if upos == "NOUN" and not (gender or number) and form[:1].isupper():
        return "NNP"  # within a name, where treebanks tag some of its words so
    if upos == "NOUN":
        return _join("NNS" if number == "P" else "NN", gender)
    if upos == "ADJ":
        return _join("JJ", gender + number)
    if upos not in ("VERB", "AUX"):
        return _PENN[upos]
    kind, mood = features.get("VerbForm"), features.get("Mood", "Ind")
    tense = features.get("Tense", "Pres")
    if kind == "Ger" or (kind == "Part" and features.get("Tense") == "Pres"):
        return "VBG"
    if kind == "Part" or gender:
        return _join("VBN", gender + number)
    if kind == "Inf":
        return "VB"
    base = "VBD" if tense in ("Past", "Imp") else "VBP"
    if mood in ("Cnd", "Imp"):
        told = "C" if mood == "Cnd" else "M"
    else:
        told = "S" if mood == "Sub" else _TENSES[tense]
    return _join(base, told + features.get("Person", "3") + (number or "S"))


def _join(tag: str, told: str) -> str:
    return f"{tag}-{told}" if told else tag


def read_treebank(path: Path, language: str = "") -> Iterator[TaggedText]:
    """The sentences of a CoNLL-U file, words as they are written.

    What is written as one word is one token: *del* is a preposition, *dárselo* (``VB-CL``) a verb.
    """
    for block in path.read_text("utf-8").strip().split("\n\n"):
        rows = [line.split("\t") for line in block.splitlines() if not line.startswith("#")]
        yield _read_sentence(rows, language)


def _read_sentence(rows: list[list[str]], language: str) -> TaggedText:
    words, spaces, tags, lemmas = [], [], [], []
    inside = 0
    for place, (number, form, lemma, upos, own, told, *_, other) in enumerate(rows):
        first = int(re.split(r"[-.]", number)[0])
        if "." in number or first <= inside:
            continue
        if "-" in number:
            inside = int(number.split("-")[1])
            _, _, lemma, upos, own, told, *_ = rows[place + 1]
        features = _features(told)
        if upos in _GENDERED and "Gender" in features:  # *cours* is no more of one than of several
            features.setdefault("Number", _number_beside(rows, number))
        tag = slot(upos, features, form)
        if language == "de":
            tag = german.slot(upos, own, features, form, lemma) or tag
        if "-" in number and tag.startswith("VB") and _CLITICS.search(form.lower()):
            tag = f"{tag.partition('-')[0]}-CL"
        words.append(form)
        spaces.append("SpaceAfter=No" not in other)
        tags.append(tag)
        lemmas.append(lemma if lemma != "_" else form.lower())
    empty = [""] * len(words)
    entities = german.label_names(words, tags) if language == "de" else empty
    starts: list[bool | int | None] = [place == 0 for place in range(len(words))]
    return TaggedText(words, spaces, tags, empty, empty, lemmas, starts, entities)


def _features(told: str) -> dict[str, str]:
    return dict(item.split("=", 1) for item in told.split("|") if "=" in item)


def _number_beside(rows: list[list[str]], number: str) -> str:
    """The number of a word whose form does not tell it: that of what hangs on it."""
    (own,) = (row[9] for row in rows if row[0] == number)
    if in_context := re.search(r"Number\[ctxt\]=(\w+)", own):
        return in_context[1]
    beside = (_features(row[5]).get("Number") for row in rows if row[6] == number)
    return next(filter(None, beside), "")


def in_paragraphs(sentences: Sequence[TaggedText]) -> Iterator[TaggedText]:
    """Runs of one to four sentences as one text each, so that boundaries can be learned."""
    lengths, start = cycle((3, 1, 4, 2)), 0
    while start < len(sentences):
        end = start + next(lengths)
        yield join(sentences[start:end])
        start = end


def join(texts: Sequence[TaggedText]) -> TaggedText:
    """``texts`` one after another, a blank between them."""
    ended = [replace(text, spaces=[*text.spaces[:-1], True]) for text in texts]
    columns = zip(*(vars(text).values() for text in ended), strict=True)
    return TaggedText(*([item for part in column for item in part] for column in columns))


def read_spans(path: Path, part: str) -> Iterator[tuple[str, list[tuple[int, int, str]]]]:
    """The lines of MEDDOCAN's texts, with the spans of names in them."""
    for row in gzip.decompress(path.read_bytes()).decode("utf-8").splitlines():
        case = json.loads(row)
        start = 0
        for line in case["text"].split("\n") if case["part"] == part else ():
            end = start + len(line)
            spans = [
                (first - start, last - start, _OF_MEDDOCAN[label])
                for first, last, label in case["spans"]
                if start <= first and last <= end and label in _OF_MEDDOCAN
            ]
            if line.strip():
                yield line, spans
            start = end + 1


def read_tokens(path: Path, joined: str = "") -> Iterator[tuple[str, list[tuple[int, int, str]]]]:
    """The sentences of a file of tokens and their BIO labels, joined by blanks, with the spans.

    None stand beside the marks ``joined`` between two words: *l'avocat*.
    """
    for block in path.read_text("utf-8").split("\n\n"):
        text, spans = "", list[tuple[int, int, str]]()
        for row in block.splitlines():
            word, _, label = row.rpartition(" ")
            is_within = word in joined and text[-1:].isalnum()
            is_within |= word[:1].isalnum() and text[-1:] in joined and text[-2:-1].isalnum()
            is_first = not text or text[-1] in "(«"
            gap = "" if is_first or is_within or word in ".,;:)»" else " "
            start = len(text) + len(gap)
            text += gap + word
            kind = _CLASSES.get(label[2:], "")
            if kind and label[0] == "I" and spans and spans[-1][2] == kind:
                spans[-1] = (spans[-1][0], len(text), kind)
            elif kind:
                spans.append((start, len(text), kind))
        if text:
            yield text, spans


def of_spans(text: str, spans: Iterable[tuple[int, int, str]], cut: Language) -> TaggedText:
    """``text`` with its names and where sentences begin, by their marks: no gold is there."""
    doc = cut.make_doc(text)
    found = (doc.char_span(*span, alignment_mode="expand") for span in spans)
    doc.set_ents(filter_spans([span for span in found if span]))
    starts: list[bool | int | None] = [True] + [
        before.text in _STOPS and word.text[:1].isupper() for before, word in pairwise(doc)
    ]
    return replace(TaggedText.of(doc), starts=starts)


def write(texts: Iterable[TaggedText], path: Path) -> None:
    """``texts`` as one file of documents."""
    vocab = spacy.blank("xx").vocab
    attributes = ["TAG", "LEMMA", "SENT_START", "ENT_IOB", "ENT_TYPE", "SPACY"]
    DocBin(attrs=attributes, docs=[text.doc(vocab) for text in texts]).to_disk(path)


def main() -> None:
    """Read the command line and write the files."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", choices=sorted(CORPORA), required=True)
    parser.add_argument("--data", type=Path, required=True, help="the folder of its data")
    parser.add_argument("--nouns", type=Path, help="of German, nouns.csv of german-nouns")
    parser.add_argument("--output", type=Path, required=True, help="folder of the files")
    arguments = parser.parse_args()
    data, output, language = arguments.data, arguments.output, arguments.language
    corpora = CORPORA[language]
    output.mkdir(parents=True, exist_ok=True)
    gold = [one for name in corpora.treebank for one in read_treebank(data / name, language)]
    nouns = german.NounReadings(arguments.nouns) if arguments.nouns else None
    gold = [nouns.mend(one) for one in gold] if nouns else gold
    rest = [one for place, one in enumerate(gold) if place % _HELD_BACK]
    for copy in range(corpora.copies):
        write(in_paragraphs(rest[copy:]), output / f"gold_{copy}_train.spacy")
    write(in_paragraphs(gold[::_HELD_BACK]), output / "gold_dev.spacy")
    for name, file in corpora.tests.items():
        tests = read_treebank(data / file, language)
        tests = (nouns.mend(one, adjectives_alone=True) for one in tests) if nouns else tests
        write(in_paragraphs(list(tests)), output / f"{name}_test.spacy")
    cut = adjust_tokenizer(spacy.blank(language))
    spans = read_spans(data / corpora.spans, "train") if corpora.spans else ()
    tokens = read_tokens(data / corpora.names, corpora.joined) if corpora.names else ()
    named = [of_spans(*one, cut) for one in chain(spans, tokens)]
    rest = [one for place, one in enumerate(named) if place % _HELD_BACK]
    write(rest, output / "names_train.spacy")
    write(named[::_HELD_BACK], output / "names_dev.spacy")


if __name__ == "__main__":
    main()
