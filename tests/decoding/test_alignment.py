"""Decoding says which words of the translation stand for which of the source."""

from __future__ import annotations

import asyncio
from functools import cache
from random import Random

import pytest

from prism_core.decoding import align
from prism_core.encoding import Encoder, load_encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence
from prism_core.settings import Settings
from prism_core.translators import make_translator

APERTIUM = make_translator(Settings().translator, "en", "es")


@cache
def encoder() -> Encoder:
    """As it is shipped; loaded when a test needs it, not when tests are looked for."""
    return load_encoder(Settings())


def translated(text: str) -> str:
    return asyncio.run(APERTIUM.translate([text], "en", "es"))[0]


def sentence(text: str) -> Sentence:
    (sentences,) = LanguageModel.load("en").annotate([text])
    return Sentence.join(sentences)


def pairs(text: str, seed: int) -> dict[str, str] | None:
    """Source words and what stands for them; None when the draw could not be restored."""
    source = sentence(text)
    encoded = encoder().encode(source, DenyList(), Random(seed))
    decoded = encoder().decode(encoded, translated(encoded.text))
    if decoded.unrestored:
        return None
    return {
        source.text[slice(*one.source)]: decoded.text[slice(*one.target)]
        for one in align(source.text, encoded, decoded)
    }


@pytest.mark.parametrize("seed", range(5))
def test_words_that_change_their_order_are_told(seed: int) -> None:
    found = pairs("The red house has 14 windows, and Rachel Ellison lives there.", seed)
    assert found is not None
    assert found["red"] == "roja"
    assert found["house"] == "casa"
    assert found["14"] == "14"
    assert found["Ellison"] == "Ellison"
    assert "The" not in found


@pytest.mark.parametrize("seed", range(3))
def test_every_occurrence_of_a_repeated_word_is_told_apart(seed: int) -> None:
    source = sentence("A dog saw a dog, and the dog ran.")
    encoded = encoder().encode(source, DenyList(), Random(seed))
    decoded = encoder().decode(encoded, translated(encoded.text))
    found = align(source.text, encoded, decoded)
    dogs = [one for one in found if source.text[slice(*one.source)] == "dog"]
    assert [one.source[0] for one in dogs] == [2, 12, 25]
    assert [one.target for one in dogs] == sorted(one.target for one in dogs)
    assert {decoded.text[slice(*one.target)] for one in dogs} == {"perro"}
