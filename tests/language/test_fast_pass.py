"""The language model computed by PRISM gives what spaCy gives, and leaves other models to spaCy."""

import os
import subprocess
import sys
from collections.abc import Iterable

import pytest
import spacy
from spacy.language import Language as Pipeline
from spacy.tokens import Doc

from prism_core.language.entity_pass import replace_recognizer
from prism_core.language.possible_tags import use_possible_tags
from prism_core.language.tok2vec_pass import (
    _openblas_threads,
    replace_tok2vec,
    use_one_thread,
    use_openblas,
)
from prism_core.languages import load_language
from tests.shared_data import shared

TEXTS = {
    "en": "wmt/en-es/wmt12.en",
    "es": "wmt/en-es/wmt12.google.es",
    "fr": "wmt/en-fr/wmt12.google.fr",
    "de": "wmt/de-en/wmt12.de",
}
TWO_WORDS_TO_EITHER_SIDE = {
    "@architectures": "spacy.HashEmbedCNN.v2",
    "pretrained_vectors": None,
    "width": 16,
    "depth": 2,
    "embed_size": 50,
    "window_size": 2,
    "maxout_pieces": 3,
    "subword_features": True,
}


def annotations(docs: Iterable[Doc]) -> list[list[tuple[str, bool | None, str]]]:
    """The tag, the sentence start and the entity of each word."""
    return [[(word.tag_, word.is_sent_start, word.ent_type_) for word in doc] for doc in docs]


@pytest.mark.parametrize("code", TEXTS)
def test_tags_slots_sentences_and_names_are_those_of_spacy(code: str) -> None:
    language = load_language(code)
    lines = shared(TEXTS[code]).read_text("utf-8").splitlines()[100:160]
    lines += ["", "Madrid", " ".join(lines[:20])]
    nlp = spacy.load(language.model, exclude=["morphologizer", "trainable_lemmatizer"])
    use_possible_tags(nlp)
    expected = annotations(nlp.pipe(lines))
    assert use_openblas(nlp)
    assert replace_tok2vec(nlp, language.probe)
    entities = replace_recognizer(nlp, language.probe)
    assert entities is not None
    docs = list(nlp.pipe(lines))
    entities.annotate(docs)
    assert annotations(docs) == expected
    assert sum(map(len, docs)) > 1000
    assert {"PER", "LOC", "ORG"} < {entity for doc in expected for _, _, entity in doc}


@pytest.fixture(scope="module")
def other() -> Pipeline:
    """A pipeline of another architecture, untrained."""
    nlp = spacy.blank("en")
    nlp.add_pipe("tok2vec", config={"model": TWO_WORDS_TO_EITHER_SIDE})
    model = {"@architectures": "spacy.TransitionBasedParser.v2", "state_type": "ner"}
    listener = {"@architectures": "spacy.Tok2VecListener.v1", "width": 16}
    shape = {"hidden_width": 16, "maxout_pieces": 2, "use_upper": True, "tok2vec": listener}
    recognizer = nlp.add_pipe(
        "ner", config={"model": {**model, **shape, "extra_state_tokens": True}}
    )
    recognizer.add_label("PER")
    nlp.initialize()
    return nlp


def test_a_model_of_another_architecture_stays_with_spacy(other: Pipeline) -> None:
    before = other.get_pipe("tok2vec").model
    assert not replace_tok2vec(other, "Ada met Bob.")
    assert replace_recognizer(other, "Ada met Bob.") is None
    assert other.get_pipe("tok2vec").model is before
    assert other.pipe_names == ["tok2vec", "ner"]
    assert replace_recognizer(spacy.blank("en"), "Ada met Bob.") is None


def test_threads_are_given_back_when_the_last_user_has_done() -> None:
    threads = _openblas_threads()
    assert threads is not None
    before = threads.read()
    threads.write(2)
    try:
        with use_one_thread():
            with use_one_thread():
                assert threads.read() == 1
            assert threads.read() == 1
        assert threads.read() == min(2, os.cpu_count() or 1)
    finally:
        threads.write(before)


def test_spacy_is_imported_without_its_command_line() -> None:
    program = (
        "import sys; from prism_core.language import LanguageModel; "
        "assert not {'spacy.cli', 'weasel'} & sys.modules.keys(); assert 'spacy' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)
