"""Sentences joined give their text back, byte for byte, whatever the text."""

import json
import re
from collections.abc import Iterator
from itertools import chain
from random import Random

import numpy as np
import pytest
import spacy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.attrs import SENT_START
from spacy.language import Language
from spacy.tokens import Doc, DocBin

from prism_core.language.language_model import LanguageModel
from prism_core.language.tok2vec_pass import remove_unread
from prism_core.languages import load_language
from tests.examples import examples
from tests.shared_data import shared

HARD = re.compile(r"[\t\n\r]")
WORD_WITH_SPACE = re.compile(r"\S+\s*|\s+")
ODD = "a Zé.,!?()'\"’“” \u00a0\u200b\t\n\r\x00\x1c\u2028\ud800\udc00👩\u200d🚀שלום中0١$%@/-_"
SLICE = 600
LEARNED = ["tagger", "morphologizer", "trainable_lemmatizer", "senter", "ner"]


def assert_round_trip(model: LanguageModel, texts: list[str]) -> None:
    for text, sentences in zip(texts, model.annotate(texts), strict=True):
        assert "".join(sentence.text for sentence in sentences) == text
        for sentence in sentences:
            assert sentence.tokens
            assert all(token.text for token in sentence.tokens)
            body = sentence.text.rstrip("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2028\u2029 \u00a0")
            assert not HARD.search(body)


@pytest.fixture(scope="module")
def corpora() -> list[str]:
    """All English text of every file of the shared corpora."""
    return list(read_corpora())


def read_corpora() -> Iterator[str]:
    for folder in ("mctest", "wmt"):
        for path in sorted(shared(folder).rglob("*")):
            if path.suffix in (".txt", ".tsv", ".ans", ".en"):
                yield path.read_bytes().decode("utf-8")
    for path in sorted(shared("clinspen").glob("*.json")):
        yield "\n".join(case["en"] for case in json.loads(path.read_text("utf-8")))
    vocabulary = spacy.blank("en").vocab
    for path in sorted(shared("english").glob("*.spacy")):
        docs = DocBin().from_disk(path).get_docs(vocabulary)
        yield "\n".join(doc.text for doc in docs)


def test_a_slice_of_every_shared_corpus(model: LanguageModel, corpora: list[str]) -> None:
    texts = []
    for text in corpora:
        middle = len(text) // 2
        texts += [text[:SLICE], text[middle : middle + SLICE], text[-SLICE:]]
    assert len(texts) > 60
    assert_round_trip(model, texts)


def test_every_word_of_every_shared_corpus_wherever_sentences_begin(corpora: list[str]) -> None:
    """Boundaries are drawn: whatever a model says of them, every text is given back."""
    model = LanguageModel(tokenizer_with_any_boundaries(), "en")
    words = list(dict.fromkeys(chain.from_iterable(map(WORD_WITH_SPACE.findall, corpora))))
    assert len(words) > 100_000
    assert_round_trip(model, ["".join(words[at : at + 30]) for at in range(0, len(words), 30)])


def tokenizer_with_any_boundaries() -> Language:
    """The shipped tokenizer alone, and a sentence boundary before one token in eight.

    Loaded as the model is: new words have no attributes that nobody reads, frequent ones are known.
    """
    nlp = spacy.load(load_language("en").model, exclude=["tok2vec", *LEARNED])
    remove_unread(nlp, lemmas=False)
    for word in nlp.meta["frequent_words"]:
        nlp.make_doc(word)
    nlp.add_pipe("any_boundaries")
    return nlp


@Language.component("any_boundaries")
def begin_sentences_anywhere(doc: Doc) -> Doc:
    rng = Random(len(doc))
    begins = [1 if not index or rng.random() < 1 / 8 else 0 for index in range(len(doc))]
    return doc.from_array([SENT_START], np.array(begins, dtype="uint64")[:, None])


@settings(
    max_examples=examples(80),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(texts=st.lists(st.text(alphabet=st.sampled_from(ODD), max_size=60), max_size=6))
def test_any_text(model: LanguageModel, texts: list[str]) -> None:
    assert_round_trip(model, texts)


@settings(
    max_examples=examples(40),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(text=st.text(alphabet=st.characters(), max_size=80))
def test_any_character(model: LanguageModel, text: str) -> None:
    assert_round_trip(model, [text])
