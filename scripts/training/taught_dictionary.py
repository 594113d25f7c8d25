"""The rows of a dictionary from parallel text, tagged by the slow tagger that taught the model.

    python -m scripts.training.taught_dictionary --language de --lists LIST --nouns nouns.csv \
        --gold DOCS --folder SHARED/wmt/de-en --output ROWS

As ``scripts/make-dictionaries`` but for the tags: the teacher of ``silver`` gives them, which asks
word lists for the gender and number of nouns, so that what is drawn agrees. A word whose tag it is
not sure of is in no entry. Sets that are for evaluation alone are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pycrfsuite
import spacy

from prism_core.building import (
    ParallelText,
    entries_from_corpus,
    lend_entries,
    read_parallel,
    settle_genders,
    write_nouns_small,
)
from prism_core.dictionary import read_names, save_dictionary
from prism_core.language import Sentence, Token
from prism_core.languages import load_language
from prism_core.resources import shipped_names
from scripts.training.augmentation import TaggedText
from scripts.training.german import label_names
from scripts.training.silver import WordLists, tag, train
from scripts.training.tokenizer import adjust_tokenizer
from scripts.training.treebank import read_docs

EVALUATION_ALONE = ("flores-test", "wmt13", "mtedx_test")
TRANSLATORS = ("google", "microsoft")
LICENCE = "Apache-2.0, like the code: single words and their translations, no text"


class Teacher:
    """The slow tagger in the place of a language model."""

    def __init__(self, language: str, tagger: pycrfsuite.Tagger, lists: WordLists) -> None:
        self._cut = adjust_tokenizer(spacy.blank(language))
        self._tagger = tagger
        self._lists = lists

    def annotate(self, lines: Iterable[str]) -> Iterator[list[Sentence]]:
        """Each of ``lines`` as one sentence."""
        for line in lines:
            doc = self._cut.make_doc(line)
            text = tag(TaggedText.of(doc), self._tagger, self._lists)
            labels = label_names(text.words, text.tags)
            tokens = (
                Token(one.text, one.whitespace_, told, self._lists.lemma(one.text), "", label[2:])
                for one, told, label in zip(doc, text.tags, labels, strict=True)
            )
            yield [Sentence(tuple(tokens))]


def read_pairs(folder: Path, source: str, target: str) -> ParallelText:
    """The lines of ``folder`` that may be learned from, with what each translator made of them."""
    names = sorted(path.name.partition(".")[0] for path in folder.glob(f"*.google.{target}"))
    read = {
        translator: {
            line: translation
            for name in names
            if name not in EVALUATION_ALONE
            for line, translation in read_parallel(
                folder / f"{name}.{source}", folder / f"{name}.{translator}.{target}"
            )
        }
        for translator in TRANSLATORS
    }
    first, second = read.values()
    lines = [line for line in first if line in second]
    return ParallelText(lines, {name: [own[line] for line in lines] for name, own in read.items()})


def main() -> None:
    """Read the command line, train the teacher, write the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", required=True, help="its code")
    parser.add_argument("--lists", type=Path, required=True, help="clusters, or Lexique")
    parser.add_argument("--nouns", type=Path, help="of German, nouns.csv of german-nouns")
    parser.add_argument("--gold", type=Path, required=True, help="folder of gold_0_train.spacy")
    parser.add_argument("--folder", type=Path, required=True, help="parallel text")
    parser.add_argument("--output", type=Path, required=True, help="the rows")
    arguments = parser.parse_args()
    source, _, target = arguments.folder.name.partition("-")
    language = load_language(arguments.language)
    lists = WordLists(arguments.language, arguments.lists, arguments.nouns)
    vocab = spacy.blank(arguments.language).vocab
    gold = [TaggedText.of(doc) for doc in read_docs([arguments.gold / "gold_0_train.spacy"], vocab)]
    text = read_pairs(arguments.folder, source, target)
    teacher = Teacher(arguments.language, train(gold, lists), lists)
    annotated = settle_genders(text.annotate(teacher), language)
    sentences = write_nouns_small(annotated, language)
    day = datetime.now(UTC).date().isoformat()
    entries = entries_from_corpus(
        sentences, text.targets, language, built=day, least=2, names=read_names(shipped_names())
    )
    entries += lend_entries(entries, language)
    told = {"translator": ",".join(TRANSLATORS), "source": source, "target": target}
    told |= {
        "method": "corpus",
        "built": day,
        "licence": LICENCE,
        "sentences": str(len(sentences)),
        "calls": "0",
    }
    save_dictionary(entries, told, arguments.output)


if __name__ == "__main__":
    main()
