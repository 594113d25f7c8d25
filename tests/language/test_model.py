"""The model as its callers meet it: breaks, names, other pipelines, threads, children, memory."""

import os
import pickle
import re
import resource
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
import spacy

from prism_core.errors import ConfigurationError
from prism_core.language.language_model import LanguageModel
from prism_core.language.sentence import Sentence
from prism_core.languages import load_language

LETTER = "Dear Mr. Blarnov,\n\nplease call “Dr. Smith” in New York. He  isn’t there!\tYours, Alice"


def words(sentences: tuple[Sentence, ...]) -> list[list[str]]:
    return [[token.text for token in sentence.tokens] for sentence in sentences]


@pytest.fixture(scope="module")
def other_pipeline(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A pipeline with sentences by rule and names in classes of its own, but without tags."""
    nlp = spacy.blank("en")
    nlp.add_pipe("sentencizer")
    patterns = {"Ada": "PERSON", "Peru": "GPE", "Louvre": "FAC", "Inuit": "NORP", "May": "DATE"}
    nlp.add_pipe("entity_ruler").add_patterns(
        [{"pattern": word, "label": label} for word, label in patterns.items()]
    )
    folder = tmp_path_factory.mktemp("pipelines") / "untagged"
    nlp.to_disk(folder)
    return folder


@pytest.fixture(scope="module")
def tagged_pipeline(other_pipeline: Path) -> Path:
    """The same with tags."""
    nlp = spacy.load(other_pipeline)
    nlp.add_pipe("attribute_ruler").add([[{"TEXT": {"REGEX": "."}}]], {"TAG": "NN"})
    folder = other_pipeline.parent / "tagged"
    nlp.to_disk(folder)
    return folder


def test_a_sentence_has_words_tags_lemmas_features_and_names(model: LanguageModel) -> None:
    (sentence,) = model.sentences("Kofi Annan has met children in New York.")
    has, met, children = sentence.tokens[2:5]
    assert [token.tag for token in sentence.tokens[:2]] == ["NNP", "NNP"]
    assert (has.tag, has.lemma) == ("VBZ", "have")
    assert "Person=3" in has.morph.split("|")
    assert (met.tag, met.lemma) == ("VBN", "meet")
    assert (children.tag, children.lemma) == ("NNS", "child")
    assert {token.entity for token in sentence.tokens[:2]} == {"PER"}
    assert {token.entity for token in sentence.tokens[6:8]} == {"LOC"}


def test_a_model_without_lemmas_differs_in_nothing_that_encoding_reads(
    model: LanguageModel,
) -> None:
    bare = LanguageModel.load("en", lemmas=False)
    with_lemmas, without = model.sentences(LETTER), bare.sentences(LETTER)
    assert without == tuple(
        Sentence(tuple(t._replace(lemma="", morph="") if t.tag != "_SP" else t for t in s.tokens))
        for s in with_lemmas
    )
    again = pickle.loads(pickle.dumps(bare))  # noqa: S301 (what this test itself has dumped)
    assert again.sentences(LETTER) == without


def test_what_the_model_leaves_out_other_pipelines_keep(model: LanguageModel) -> None:
    assert model.sentences("It works.")
    assert spacy.blank("en")("3")[0].like_num


def test_a_newline_or_tab_ends_a_sentence(model: LanguageModel) -> None:
    sentences = model.sentences("the table\tof the\nbig house\r\nis red")
    assert [sentence.text for sentence in sentences] == [
        "the table\t",
        "of the\n",
        "big house\r\n",
        "is red",
    ]


def test_a_newline_is_a_token_of_white_space(model: LanguageModel) -> None:
    (sentence, _) = model.sentences("the table\nis red")
    assert [(token.text, token.tag) for token in sentence.tokens] == [
        ("the", "DT"),
        ("table", "NN"),
        ("\n", "_SP"),
    ]


def test_white_space_is_never_part_of_a_word(model: LanguageModel) -> None:
    for sentence in model.sentences("  one   two\u00a0three\n four  "):
        for token in sentence.tokens:
            assert token.whitespace in ("", " ")
            assert token.text.isspace() == (token.tag == "_SP")


def test_typographic_quotes_are_understood_and_kept(model: LanguageModel) -> None:
    tokens = [
        token for part in model.sentences("She said: “I don’t know.”") for token in part.tokens
    ]
    assert [(token.text, token.tag) for token in tokens[3:]] == [
        ("“", "``"),
        ("I", "PRP"),
        ("do", "VBP"),
        ("n’t", "RB"),
        ("know", "VB"),
        (".", "."),
        ("”", "''"),
    ]


def test_titles_end_no_sentence(model: LanguageModel) -> None:
    assert len(model.sentences("We met Dr. Blarnov and Mrs. Quirfel vs. Mr. Thonk.")) == 1


def test_texts_stay_apart_and_in_order(model: LanguageModel) -> None:
    texts = [f"text number {number}" for number in range(2_500)]
    texts[3] = ""
    annotated = list(model.annotate(texts))
    assert ["".join(s.text for s in sentences) for sentences in annotated] == texts
    assert annotated[3] == ()


def test_a_text_is_annotated_alike_alone_and_in_a_batch(model: LanguageModel) -> None:
    texts = [LETTER, "He left.", "Nobody knows " * 40, LETTER]
    assert list(model.annotate(texts)) == [model.sentences(text) for text in texts]


def test_what_breaks_taggers_is_annotated(model: LanguageModel) -> None:
    for text in (
        "\x00\x01",
        "\ud800 lone",
        "👩‍👩‍👧‍👦 hi",
        "שלום עולם",
        "!" * 9_999,
        "x" * 100_000,
        "\n" * 9_999,
    ):
        assert "".join(sentence.text for sentence in model.sentences(text)) == text


def test_the_shipped_model_needs_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object, **kwargs: object) -> None:
        raise AssertionError("the model asked for the network")

    monkeypatch.setattr(socket, "socket", refuse)
    assert LanguageModel.load.__wrapped__("en").sentences("It works."), "loaded anew, not shared"


def test_the_shipped_model_is_small() -> None:
    size = sum(
        path.stat().st_size for path in load_language("en").model.rglob("*") if path.is_file()
    )
    assert size <= 15_000_000


def test_the_shipped_model_says_nothing_of_the_machine_it_was_trained_on() -> None:
    configuration = (load_language("en").model / "config.cfg").read_text()
    assert "data = null" in configuration
    assert '"/' not in configuration


def test_the_version_names_the_content(model: LanguageModel, tagged_pipeline: Path) -> None:
    assert model.version.name == "en_prism"
    assert model.version == LanguageModel.load("en", str(load_language("en").model)).version
    assert model.version.digest != LanguageModel.load("en", str(tagged_pipeline)).version.digest
    assert model.version.digest[:12] in str(model.version)


def test_another_pipeline_can_be_named(tagged_pipeline: Path) -> None:
    other = LanguageModel.load("en", str(tagged_pipeline))
    (first, second) = other.sentences("Ada left Peru for the Louvre. An Inuit came in May.")
    assert [token.entity for token in first.tokens] == ["PER", "", "LOC", "", "", "LOC", ""]
    assert [token.entity for token in second.tokens] == ["", "ORG", "", "", "", ""]


def test_a_pipeline_that_is_missing_is_a_configuration_error() -> None:
    with pytest.raises(ConfigurationError, match="install it"):
        LanguageModel.load("en", "en_no_such_pipeline")


def test_a_pipeline_without_tags_is_a_configuration_error(other_pipeline: Path) -> None:
    with pytest.raises(ConfigurationError, match="part-of-speech"):
        LanguageModel.load("en", str(other_pipeline))


def test_a_pipeline_without_sentences_is_a_configuration_error(
    tagged_pipeline: Path, tmp_path: Path
) -> None:
    nlp = spacy.load(tagged_pipeline, exclude=["sentencizer"])
    nlp.to_disk(tmp_path / "unsplit")
    with pytest.raises(ConfigurationError, match="sentences"):
        LanguageModel.load("en", str(tmp_path / "unsplit"))


def test_threads_may_share_a_model(model: LanguageModel) -> None:
    texts = [f"{LETTER} Number {number}. Bye." for number in range(40)]
    expected = [model.sentences(text) for text in texts]
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(model.sentences, texts)) == expected


def test_a_reader_that_pauses_does_not_hold_the_model(model: LanguageModel) -> None:
    paused = model.annotate([LETTER, LETTER])
    first = next(paused)
    assert model.sentences(LETTER) == first
    assert next(paused) == first


def test_a_forked_child_can_use_the_model_while_threads_use_it(model: LanguageModel) -> None:
    expected = words(model.sentences(LETTER))
    with ThreadPoolExecutor(2) as pool:
        busy = [pool.submit(lambda: list(model.annotate([LETTER] * 200))) for _ in range(2)]
        children = [_fork(lambda: words(model.sentences(LETTER)) == expected) for _ in range(3)]
        assert [os.waitpid(child, 0)[1] for child in children] == [0, 0, 0]
        for future in busy:
            future.result()


def _fork(check) -> int:  # type: ignore[no-untyped-def]
    child = os.fork()
    if child == 0:
        os._exit(0 if check() else 1)
    return child


def test_a_model_goes_to_another_process_by_name(tagged_pipeline: Path) -> None:
    sent = LanguageModel.load("en", str(tagged_pipeline))
    arrived = pickle.loads(pickle.dumps(sent))  # noqa: S301 (our own bytes)
    assert arrived.version == sent.version
    assert arrived.sentences(LETTER) == sent.sentences(LETTER)


def test_memory_does_not_grow_with_the_words_met(model: LanguageModel) -> None:
    vocabulary = model._nlp.vocab
    model.sentences(LETTER)
    lexemes = sum(1 for _ in vocabulary)
    for batch in range(3):
        model.sentences(" ".join(f"w{batch}x{number}" for number in range(1_000)))
    assert sum(1 for _ in vocabulary) == lexemes
    # Names of features, a closed set, are kept when they are first seen; words are not.
    assert [text for text in vocabulary.strings if re.search(r"w\dx", text)] == []


def test_the_tables_of_words_do_not_grow_with_the_words_met(
    model: LanguageModel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("prism_core.language.language_model._MOST_WORDS", 1_000)
    texts = model._nlp.vocab.strings
    read = model.sentences(LETTER)
    for batch in range(4):
        model.sentences(" ".join(f"w{batch}v{number}" for number in range(5_000)))
    assert texts._map.capacity < 3.4 * len(texts)  # it doubles when six places of ten are taken
    assert model.sentences(LETTER) == read


@pytest.mark.slow
def test_resident_memory_is_bounded_over_many_documents(model: LanguageModel) -> None:
    def annotate(batch: int) -> None:
        for number in range(50):
            model.sentences(" ".join(f"w{batch}y{number}z{word} was" for word in range(100)))

    annotate(0)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for batch in range(1, 6):
        annotate(batch)
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 20_000  # KiB
