"""Sentences joined give their text back, byte for byte, whatever the text."""

import json
import multiprocessing
import re
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from itertools import islice

import pytest
import spacy
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from spacy.tokens import DocBin

from prism_core.language.model import LanguageModel
from tests.shared_data import shared

HARD = re.compile(r"[\t\n\r]")
ODD = "a Zé.,!?()'\"’“” \u00a0\u200b\t\n\r\x00\x1c\u2028\ud800\udc00👩\u200d🚀שלום中0١$%@/-_"
SLICE = 1_500
PART = 1_000


def assert_round_trip(model: LanguageModel, texts: list[str]) -> None:
    for text, sentences in zip(texts, model.annotate(texts), strict=True):
        assert "".join(sentence.text for sentence in sentences) == text
        for sentence in sentences:
            assert sentence.tokens
            assert all(token.text for token in sentence.tokens)
            body = sentence.text.rstrip("\t\n\v\f\r\x1c\x1d\x1e\x1f\x85\u2028\u2029 \u00a0")
            assert not HARD.search(body)


def corpora() -> Iterator[tuple[str, str]]:
    """Every text file of the shared corpora: its name and all its English text."""
    for folder in ("mctest", "wmt"):
        for path in sorted(shared(folder).rglob("*")):
            if path.suffix in (".txt", ".tsv", ".ans", ".en"):
                yield path.name, path.read_bytes().decode("utf-8")
    for path in sorted(shared("clinspen").glob("*.json")):
        yield path.name, "\n".join(case["en"] for case in json.loads(path.read_text("utf-8")))
    vocabulary = spacy.blank("en").vocab
    for path in sorted(shared("english").glob("*.spacy")):
        docs = DocBin().from_disk(path).get_docs(vocabulary)
        yield path.name, "\n".join(doc.text for doc in docs)


def test_a_slice_of_every_shared_corpus(model: LanguageModel) -> None:
    texts = []
    for _, text in corpora():
        middle = len(text) // 2
        texts += [text[:SLICE], text[middle : middle + SLICE], text[-SLICE:]]
    assert len(texts) > 60
    assert_round_trip(model, texts)


@pytest.mark.slow
def test_all_of_every_shared_corpus() -> None:
    """On all cores: it is the longest test by far."""
    lines = dict.fromkeys(line for _, text in corpora() for line in text.splitlines(keepends=True))
    parts = list(batched(lines, PART))
    assert len(parts) > 50
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(mp_context=spawn) as workers:
        assert sum(workers.map(_checked_alone, parts)) == len(lines)


def _checked_alone(texts: tuple[str, ...]) -> int:
    """Check ``texts`` in a process of its own; gives their number."""
    assert_round_trip(_model_of_process(), list(texts))
    return len(texts)


@cache
def _model_of_process() -> LanguageModel:
    return LanguageModel.load()


def batched(texts: Iterable[str], size: int) -> Iterator[tuple[str, ...]]:
    """``texts`` in parts of ``size``."""
    rest = iter(texts)
    while part := tuple(islice(rest, size)):
        yield part


@settings(
    max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(texts=st.lists(st.text(alphabet=st.sampled_from(ODD), max_size=60), max_size=6))
def test_any_text(model: LanguageModel, texts: list[str]) -> None:
    assert_round_trip(model, texts)


@settings(
    max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(text=st.text(alphabet=st.characters(), max_size=80))
def test_any_character(model: LanguageModel, text: str) -> None:
    assert_round_trip(model, [text])
