"""Annotated text from spaCy ``DocBin`` files, for training and for measuring."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import spacy
from spacy.tokens import Doc, DocBin
from spacy.vocab import Vocab

from prism_core.language import Sentence, Token
from scripts.training.accuracy import AnnotatedText


def read_docs(paths: list[Path], vocab: Vocab) -> Iterator[Doc]:
    """The documents of ``paths``, one after another."""
    for path in paths:
        yield from DocBin().from_disk(path).get_docs(vocab)


def read_gold(path: Path) -> list[AnnotatedText]:
    """The documents of one file as the measure wants them."""
    return [
        AnnotatedText.of([_sentence(span) for span in doc.sents])
        for doc in read_docs([path], spacy.blank("en").vocab)
    ]


def _sentence(span: spacy.tokens.Span) -> Sentence:
    return Sentence(
        tuple(
            Token(token.text, token.whitespace_, token.tag_, token.lemma_, "", token.ent_type_)
            for token in span
        )
    )
