"""The rows of a dictionary from parallel text, tagged by the slow tagger that taught the model.

    python -m scripts.training.taught_dictionary --language de --silver TRAIN/silver_train.spacy \
        --folder SHARED/wmt/de-en --output ROWS

As ``scripts/make-dictionaries`` but for the tags, which are those of ``silver``: that tagger asks
word lists for the gender and number of nouns, so that what is drawn agrees. A word whose tag it was
not sure of is in no entry. Sets that are for evaluation alone are left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path

import spacy
from spacy.tokens import Span

from prism_core.building import (
    ParallelText,
    build_corpus_entries,
    lend_entries,
    lowercase_nouns,
    read_parallel,
    settle_genders,
)
from prism_core.dictionary import read_names, save_dictionary
from prism_core.language import Sentence, Token
from prism_core.language.boundaries import use_plain_characters
from prism_core.languages import load_language
from prism_core.resources import SHIPPED_NAMES
from scripts.training.treebank import read_docs

EVALUATION_ALONE = ("flores-test", "wmt13", "mtedx_test")
TRANSLATORS = ("google", "microsoft")
LICENCE = "Apache-2.0, like the code: single words and their translations, no text"


def read_silver(file: Path, language: str) -> Iterator[tuple[str, Sentence]]:
    """The lines of ``file`` and their words."""
    for doc in read_docs([file], spacy.blank(language).vocab):
        for line in doc.sents:
            yield line.text, Sentence(tuple(_tokens(line)))


def _tokens(line: Span) -> Iterator[Token]:
    for token in line:
        lemma = token.lemma_ or token.text.lower()
        yield Token(token.text, token.whitespace_, token.tag_, lemma, "", token.ent_type_)


def read_pairs(folder: Path, source: str, target: str) -> Mapping[str, Mapping[str, str]]:
    """What each translator made of the lines of ``folder`` that may be learned from."""
    names = sorted(path.name.partition(".")[0] for path in folder.glob(f"*.google.{target}"))
    return {
        translator: {
            use_plain_characters(line): translation
            for name in names
            if name not in EVALUATION_ALONE
            for line, translation in read_parallel(
                folder / f"{name}.{source}", folder / f"{name}.{translator}.{target}"
            )
        }
        for translator in TRANSLATORS
    }


def main() -> None:
    """Read the command line, and write the rows."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--language", required=True, help="its code")
    parser.add_argument("--silver", type=Path, required=True, help="silver_train.spacy")
    parser.add_argument("--folder", type=Path, required=True, help="parallel text")
    parser.add_argument("--output", type=Path, required=True, help="the rows")
    arguments = parser.parse_args()
    source, _, target = arguments.folder.name.partition("-")
    language = load_language(arguments.language)
    of_translator = read_pairs(arguments.folder, source, target)
    silver = dict(read_silver(arguments.silver, arguments.language))
    lines = [line for line in silver if all(line in own for own in of_translator.values())]
    text = ParallelText(
        lines, {name: [own[line] for line in lines] for name, own in of_translator.items()}
    )
    sentences = settle_genders([silver[line] for line in lines], language)
    day = datetime.now(UTC).date().isoformat()
    entries = build_corpus_entries(
        lowercase_nouns(sentences, language),
        text.targets,
        language,
        built=day,
        least=2,
        names=read_names(SHIPPED_NAMES),
    )
    entries += lend_entries(entries, language)
    told = {"translator": ",".join(TRANSLATORS), "source": source, "target": target}
    files = arguments.folder.glob(f"*.{source}")
    learned = (path for path in files if path.stem not in EVALUATION_ALONE)
    told["text"] = ", ".join(sorted(f"{path.parent.name}/{path.name}" for path in learned))
    told |= {"method": "corpus", "built": day, "licence": LICENCE, "sentences": str(len(lines))}
    save_dictionary(entries, told | {"calls": "0"}, arguments.output)


if __name__ == "__main__":
    main()
