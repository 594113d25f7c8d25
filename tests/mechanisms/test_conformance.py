"""What holds of every mechanism that ``mechanism.name`` can name, through the encoder."""

from __future__ import annotations

import math
from dataclasses import asdict, fields
from pathlib import Path
from random import Random

import pytest

from prism_core.dictionary import FUNCTION_TAG, Dictionary, Entry, Form, load_dictionary
from prism_core.encoding import Encoder, make_encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence
from prism_core.languages import load_language
from prism_core.mechanisms import make_mechanism
from prism_core.record import Kind
from prism_core.report.rows import RunFacts
from prism_core.resources import shipped_dictionary
from prism_core.settings import MechanismSettings
from tests.examples import examples
from tests.mechanisms.points import scatter, write_points
from tests.words import with_one_article

TEXTS = (
    "The deposition of Daniel Kovacs took place on June 9, 2026 in our office.",
    "Don't worry: she can't re-elect Mr. O'Neill (MRN-48213-B)!",
    "I asked for help; nobody came.",
    'He paid "1,234.50" and/or €5 to jo@firm.com — in Columbus.',
    "A Zorgle and the old man's well-known red house",
)
CHANGES = [
    *({"name": name} for name in MechanismSettings.names()),
    {"name": "prism-r", "replace_probability": 1.0},
    {"name": "mixture", "replace_probability": 1.0, "table_probability": 0.9},
    {"name": "nested", "replace_probability": 1.0},
    {"name": "dx", "epsilon": 100.0},
    {"name": "dx", "draws": "ranks", "distance": "cosine"},
    {"name": "dx", "draws": "truncated", "distance": "mahalanobis", "cutoff": 2.0},
]
NAMES = [" ".join(map(str, change.values())) for change in CHANGES]
DRAWS = examples(25)


@pytest.fixture(scope="module")
def model() -> LanguageModel:
    return LanguageModel.load("en")


@pytest.fixture(scope="module")
def identity() -> Dictionary:
    """The shipped words, as a translator that changes nothing gives them back."""
    shipped = load_dictionary(shipped_dictionary("en", "es"))
    plain = [one for one in shipped if one.tag != FUNCTION_TAG and " " not in one.word]
    entries = [_same(one.word, one.tag, one.agreement, one.confidence) for one in plain]
    entries += [
        _same(word, FUNCTION_TAG)
        for word in load_language("en").words.function_words
        if word.isalpha()
    ]
    entries += [_same(name, tag) for tag, names in shipped.names.items() for name in names]
    return Dictionary(entries, {}, "identity")


def _same(word: str, tag: str, agreement: str = "", confidence: float = 1.0) -> Entry:
    form = "I" if word == "i" else word
    return Entry(word, tag, (Form(form, 9.0, ("same",)),), agreement, confidence, 0)


@pytest.fixture(scope="module")
def vectors(identity, tmp_path_factory) -> Path:
    file = tmp_path_factory.mktemp("vectors") / "words.txt"
    return write_points(file, scatter(dict.fromkeys(entry.word for entry in identity), 3))


@pytest.fixture(scope="module", params=CHANGES, ids=NAMES)
def settings(request, vectors) -> MechanismSettings:
    chosen = MechanismSettings.choose(**request.param)
    has_points = "vectors" in type(chosen).model_fields
    return chosen.model_copy(update={"vectors": vectors}) if has_points else chosen


@pytest.fixture(scope="module")
def encoder(settings, identity, model) -> Encoder:
    return make_encoder(identity, make_mechanism(settings, identity, model.retag))


def as_one(model: LanguageModel, text: str) -> Sentence:
    return Sentence(tuple(token for one in model.sentences(text) for token in one.tokens))


@pytest.fixture(scope="module")
def sentences(model) -> dict[str, Sentence]:
    return {text: as_one(model, text) for text in TEXTS}


@pytest.fixture(scope="module")
def drawn(encoder, sentences):
    """Encodings of every text, many times over."""
    rng = Random(5)
    return [
        (text, encoder.encode(sentence, DenyList(), rng))
        for text, sentence in sentences.items()
        for _ in range(DRAWS)
    ]


def test_most_sentences_can_be_sent(drawn) -> None:
    assert sum(not one.withheld for _, one in drawn) > len(drawn) * 0.9


def test_what_is_withheld_shows_nothing(drawn) -> None:
    assert all((one.text, one.record) == ("", ()) for _, one in drawn if one.withheld)


def test_fates_and_record_tell_the_same_story(drawn) -> None:
    for _, one in drawn:
        hidden = [
            position
            for r in one.record
            if r.kind is not Kind.KEPT
            for position in range(r.position, r.position + r.length)
        ]
        assert len(set(hidden)) == len(hidden), "one replacement a token"
        told = [i for i, fate in enumerate(one.fates) if not fate.in_clear]
        assert one.withheld or sorted(hidden) == told


def test_the_record_leads_from_the_source_to_what_is_sent(drawn) -> None:
    for text, one in drawn:
        if one.withheld:
            continue
        source, sent = "", with_one_article(one.text)
        rest = text
        for r in one.record:
            kept, rest = rest.split(r.word, 1)
            shown = with_one_article(kept + r.written)
            assert sent.startswith(shown)
            source, sent = source + kept + r.word, sent[len(shown) :]
        assert sent.split() == with_one_article(rest).split()


def test_an_identity_translator_gives_the_source_back(drawn, encoder) -> None:
    restored = 0
    for text, one in drawn:
        decoded = encoder.decode(one, one.text)
        if encoder.mechanism.restores and not one.withheld and not decoded.unrestored:
            assert with_one_article(decoded.text) == with_one_article(text)
            restored += 1
    assert restored > len(drawn) * 0.8 or not encoder.mechanism.restores


def test_without_decoding_what_came_back_is_left_alone(drawn, encoder) -> None:
    for _, one in drawn:
        decoded = encoder.decode(one, "otra cosa")
        assert encoder.mechanism.restores or decoded.text == "otra cosa"


def test_the_same_randomness_gives_the_same_encoding(encoder, model) -> None:
    one = as_one(model, TEXTS[0])
    first, second = (encoder.encode(one, DenyList(), Random(3)) for _ in range(2))
    assert first == second


def test_every_mechanism_states_its_guarantee_and_its_numbers(encoder, settings) -> None:
    mechanism = encoder.mechanism
    assert "guarantee" in mechanism.guarantee.lower()
    assert settings.name in mechanism.name
    assert (mechanism.vocabulary is None) == math.isinf(mechanism.epsilon_word)
    assert mechanism.epsilon_word >= 0


def test_settings_promise_what_the_encoder_does(encoder, settings) -> None:
    mechanism = encoder.mechanism
    assert settings.bounds_epsilon == encoder.bounds_epsilon
    assert settings.bounds_epsilon == math.isfinite(mechanism.epsilon_word)
    assert settings.is_relative == (mechanism.distance is not None)
    assert settings.looks_for_identifiers == encoder.looks_for_identifiers
    assert encoder.most_draws == (3 if encoder.looks_for_identifiers else 1)


def test_every_figure_of_a_mechanism_is_a_column_of_the_report(settings) -> None:
    columns = {field.name for field in fields(RunFacts)}
    assert asdict(settings.figures()).keys() <= columns
    assert type(settings).model_fields.keys() - {"name"} <= asdict(settings.figures()).keys()


def test_what_is_stronger_replaces_more_and_nothing_is_stronger_than_all(settings) -> None:
    levels = list(settings.stronger())
    assert all(type(level) is type(settings) for level in levels)
    assert len({settings, *levels}) == len(levels) + 1
    assert not levels or not list(levels[-1].stronger())


def test_no_own_word_is_sent_when_each_is_replaced_for_certain(identity, model) -> None:
    """At r = 1 a word of the source is sent no more often than any other word."""
    settings = MechanismSettings.choose(name="prism-r", replace_probability=1.0)
    made = make_encoder(identity, make_mechanism(settings, identity))
    rng = Random(9)
    sent = [made.encode(as_one(model, TEXTS[0]), DenyList(), rng).text for _ in range(100)]
    assert not any("Kovacs" in text or "2026" in text or "June" in text for text in sent)
    assert sum("deposition" in text.split() for text in sent) <= 5
