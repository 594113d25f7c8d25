"""Nested: PRISM* applied to the output of PRISM-R, reading nothing else."""

from __future__ import annotations

from dataclasses import replace
from inspect import cleandoc
from random import Random
from typing import Literal

from prism_core.dictionary import Dictionary
from prism_core.errors import ConfigurationError
from prism_core.language import Sentence, Token
from prism_core.mechanisms import (
    ChanceSettings,
    MechanismSpec,
    PrismR,
    PrismStarThreshold,
    PublicRules,
    Selection,
    SentToken,
    Tagger,
    TokenMechanism,
    record_of,
)


class NestedSettings(ChanceSettings):
    """The ``[mechanism]`` table of nested: that of PRISM-R, whose ``threshold`` is PRISM*'s too."""

    name: Literal["nested"] = "nested"


class Nested(TokenMechanism):
    """PRISM-R, followed by the default PRISM* over the resulting sentence."""

    name = "nested"
    guarantee = cleandoc("""
    PRISM-R, and the default PRISM* over the sentence that it gave.

    Guarantee: ε-differential privacy per word with the ε of PRISM-R, ln((r + |V|(1 - r)) / r),
    since PRISM* reads nothing but PRISM-R's output: the language model tags that output anew, and
    neither the original, its tags nor what else the archive holds is asked (post-processing). What
    PRISM-R says of neighbours, V, sends and what is not covered holds here too. A sentence for
    which PRISM* finds no substitute is withheld.

    PRISM* adds no bound of its own. It hides the words that PRISM-R kept among those of their slot.
    """)

    def __init__(
        self, dictionary: Dictionary, first: PrismR, second: PrismStarThreshold, tagger: Tagger
    ) -> None:
        self._dictionary = dictionary
        self._first = first
        self._second = second
        self._tagger = tagger

    @property
    def epsilon_word(self) -> float:
        """ε of one token, in nats."""
        return self._first.epsilon_word

    @property
    def vocabulary(self) -> int:
        """|V| of PRISM-R."""
        return self._first.vocabulary

    @property
    def public_rules(self) -> PublicRules:
        """V, and the rules of PRISM*, which state what was replaced."""
        second = self._second.public_rules
        return replace(second, words=self._first.public_rules.words)

    def choose(self, sentence: Sentence, always: frozenset[int], rng: Random) -> Selection:
        """Replace each token by chance, then the result by words of its slot.

        H records the way from the original to what is sent, w → u₂, in one step. PRISM* receives no
        forbidden words: to forbid one would read more than PRISM-R's output.
        """
        sent = self._first.draw(sentence, always, rng)
        bare = [  # the output of PRISM-R, stripped of every annotation of the original
            Token(sent[i].word if i in sent else token.text, token.whitespace, tag="")
            for i, token in enumerate(sentence.tokens)
        ]
        between = self._tagger(Sentence(tuple(bare)))
        selection = self._second.choose(between, frozenset(), lambda _word: False, rng)
        if selection.withheld:
            return selection
        for replacement in selection.record:
            sent[replacement.position] = SentToken(
                replacement.substitute, replacement.tag, replacement.pool
            )
        return Selection(record_of(sentence, sent, self._dictionary))


def _make(settings: NestedSettings, dictionary: Dictionary, tagger: Tagger | None) -> Nested:
    if tagger is None:
        raise ConfigurationError(
            "The mechanism nested tags the output of PRISM-R and needs a language model for it: "
            "pass LanguageModel.retag as tagger to load_encoder or make_mechanism."
        )
    first = PrismR(dictionary, settings.vocabulary(dictionary), settings.replace_probability)
    second = PrismStarThreshold(
        dictionary,
        settings.threshold,
        settings.minimum_pool,
        "source",
        draw_from=settings.drawn_from(dictionary.draw_from),
        phrases=False,  # H is composed token by token
    )
    return Nested(dictionary, first, second, tagger)


MECHANISM = MechanismSpec(NestedSettings, _make)
