"""Which words the strengths below the standard hide, and that they hide every identifier."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random

import pytest

from prism_core.encoding import Encoder, load_encoder
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel, Sentence, Token
from prism_core.languages import load_language, read_telling
from prism_core.record import Encoded, Fate
from prism_core.settings import load_settings
from tests.end_to_end.canary import Searcher
from tests.end_to_end.planted import NAMES, NUMBERS
from tests.shared_data import shared

WEAK = ("identifiers-only", "light")
ARTICLES = ("a", "an", "the")
"""Kept words that follow the surrogate after them."""
ENGLISH = load_language("en")
TELLING = frozenset(word for word, _ in read_telling(ENGLISH.telling)).difference(
    word for phrase in ENGLISH.words.function_phrases for word in phrase.split()
)
"""Without those of *in order to* and the like, which are grammar."""


@cache
def encoder_of(strength: str, **more: object) -> Encoder:
    return load_encoder(load_settings(flags={"strength": strength, **more}))


@cache
def sentences() -> tuple[Sentence, ...]:
    """300 lines of public text, one after another."""
    lines = shared("wmt/en-pt/flores-dev.en").read_text(encoding="utf-8").splitlines()[:300]
    return tuple(one for line in LanguageModel.load("en").annotate(lines) for one in line)


def encode_all(
    encoder: Encoder, found: tuple[Sentence, ...]
) -> Iterator[tuple[Sentence, Encoded, tuple[Token, ...]]]:
    deny_list = encoder.add_identifiers(DenyList(), found)
    rng = Random(1)
    for sentence in found:
        encoded = encoder.encode(sentence, deny_list, rng)
        yield sentence, encoded, encoder.cut(sentence, deny_list).tokens


def test_identifiers_only_changes_nothing_but_identifiers() -> None:
    withheld = replaced = 0
    for _, encoded, tokens in encode_all(encoder_of("identifiers-only"), sentences()):
        if encoded.withheld:
            withheld += 1
            continue
        position, names = (
            0,
            {
                token.text.lower()
                for token, fate in zip(tokens, encoded.fates, strict=True)
                if fate is Fate.IDENTIFIER
            },
        )
        for token, fate in zip(tokens, encoded.fates, strict=True):
            if fate.in_clear and token.text.strip() and token.text.lower() not in ARTICLES:
                position = encoded.text.index(token.text, position) + len(token.text)
            elif fate in (Fate.REPLACED, Fate.UNKNOWN):
                # a word of an identifier that stands alone too would show it
                assert token.text.lower() in names
                replaced += 1
    assert withheld <= 3
    assert replaced <= 10


def test_light_hides_the_telling_words_and_keeps_the_ordinary_ones() -> None:
    kept = hidden = 0
    for _, encoded, tokens in encode_all(encoder_of("light"), sentences()):
        for token, fate in zip(tokens, () if encoded.withheld else encoded.fates, strict=False):
            if token.text.lower() in TELLING:
                assert not fate.in_clear, "a telling word was sent"
                hidden += fate is not Fate.IDENTIFIER
            kept += fate is Fate.KEPT
    assert hidden > 400
    assert kept > 3 * hidden


@pytest.mark.parametrize("word", ["cancer", "Cancer", "heroin", "drug-dealer", "stole"])
def test_a_telling_word_is_hidden_whatever_the_tagger_makes_of_it(word: str) -> None:
    encoder, model = encoder_of("light"), LanguageModel.load("en")
    for text in (f"The {word} was in the old kitchen.", f"They will {word} the table again."):
        ((sentence,),) = model.annotate([text])
        encoded = encoder.encode(sentence, DenyList(), Random(2))
        hidden = [one.word for one in encoded.record]
        assert word in hidden or "".join(hidden) == word.replace("-", ""), hidden
        assert "table" in encoded.text or "kitchen" in encoded.text


def test_a_substitute_says_among_how_many_telling_words_it_hides() -> None:
    """Ordinary words are drawn too, and none of them can stand behind a substitute."""
    sent = [
        [
            one.pool
            for _, encoded, _ in encode_all(encoder_of(name), sentences()[:60])
            for one in encoded.record
            if one.word.lower() in TELLING and one.pool
        ]
        for name in ("light", "standard")
    ]
    light, standard = (sorted(pools)[len(pools) // 2] for pools in sent)
    assert 20 <= light < standard


@pytest.mark.parametrize("strength", WEAK)
def test_no_planted_name_or_number_is_sent(strength: str) -> None:
    names = [name for name in NAMES if not name.islower()]
    lines = [
        f"The letter that {name} sent to the office came with {number} on its second page."
        for name in names
        for number in NUMBERS
    ]
    lines += [f"{name} wrote it." for name in names] + [f"See {number}." for number in NUMBERS]
    found = tuple(one for line in LanguageModel.load("en").annotate(lines) for one in line)
    texts = [encoded.text for _, encoded, _ in encode_all(encoder_of(strength), found)]
    assert "The letter that" in texts[0]
    assert Searcher([*names, *NUMBERS]).in_bytes("\n".join(texts).encode(), "sent", 0) == set()


@pytest.mark.parametrize(("strength", "listed"), [("identifiers-only", True), ("light", False)])
def test_a_name_in_small_letters_is_hidden_as_far_as_the_strength_goes(
    strength: str, listed: bool, tmp_path: Path
) -> None:
    """No list knows it: an unknown word is hidden by light, and else the user's list is needed."""
    names = tmp_path / "names.txt"
    names.write_text("Quillonbert\n", encoding="utf-8")
    encoder = encoder_of(strength, **({"identifiers.names_file": names} if listed else {}))
    ((sentence,),) = LanguageModel.load("en").annotate(["They met quillonbert in the old office."])
    sent = encoder.encode(sentence, DenyList(), Random(1)).text
    assert "quillonbert" not in sent
    assert "old office" in sent


@pytest.mark.parametrize("strength", WEAK)
def test_a_sentence_without_identifiers_is_sent_as_it_is(strength: str) -> None:
    ((sentence,),) = LanguageModel.load("en").annotate(["They cleaned the window of the kitchen."])
    encoded = encoder_of(strength).encode(sentence, DenyList(), Random(1))
    assert encoded.text == sentence.text
    assert not encoded.record


@pytest.mark.parametrize("strength", WEAK)
def test_terms_of_the_glossary_and_the_lists_of_the_user_stay_in_force(
    strength: str, tmp_path: Path
) -> None:
    glossary, never = tmp_path / "terms.csv", tmp_path / "never.txt"
    glossary.write_text("kitchen,cocina de obra\n", encoding="utf-8")
    never.write_text("old window\n", encoding="utf-8")
    lists = {"dictionary.glossary": glossary, "identifiers.never_send_file": never}
    encoder, model = encoder_of(strength, **lists), LanguageModel.load("en")
    ((sentence,),) = model.annotate(["They cleaned the kitchen."])
    encoded = encoder.encode(sentence, DenyList(), Random(1))
    assert [one.word for one in encoded.record] == ["kitchen"]
    ((sentence,),) = model.annotate(["They cleaned the old window."])
    assert encoder.encode(sentence, DenyList(), Random(1)).withheld == "never-send"


@pytest.mark.parametrize("strength", WEAK)
def test_unknown_words_may_still_withhold_a_sentence(strength: str) -> None:
    encoder = encoder_of(strength, **{"mechanism.unknown_words": "withhold"})
    ((sentence,),) = LanguageModel.load("en").annotate(["They ate the zorblings in the kitchen."])
    assert encoder.encode(sentence, DenyList(), Random(1)).withheld == "unknown-word"
