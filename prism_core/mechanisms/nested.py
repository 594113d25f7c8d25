"""Nested: PRISM* over the output of PRISM-R, reading nothing else."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from prism_core.dictionary import Dictionary
from prism_core.language import Sentence, Token
from prism_core.mechanisms.base import Draft, Forbidden, Tagger
from prism_core.mechanisms.every_token import Sent, record_of
from prism_core.mechanisms.prism_r import PrismR
from prism_core.mechanisms.prism_star import PrismStarThreshold


class Nested:
    """PRISM-R, and PRISM* by threshold over the sentence that it gave.

    Guarantee: ε-differential privacy per word with the ε of PRISM-R, ln((r + |V|(1 - r)) / r),
    since PRISM* reads nothing but PRISM-R's output: the language model tags that output anew, and
    neither the original, its tags nor what else the archive holds is asked (post-processing). What
    PRISM-R says of V, structure, sends and what is not covered holds here too. A sentence for which
    PRISM* finds no substitute is withheld.

    PRISM* adds no bound of its own. It hides the words that PRISM-R kept among those of their slot.
    """

    name: ClassVar[str] = "nested"
    treats_every_token: ClassVar[bool] = True
    restores: ClassVar[bool] = True

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

    def choose(
        self,
        sentence: Sentence,
        identifiers: frozenset[int],
        forbidden: Forbidden,  # noqa: ARG002 (it may know more than PRISM-R's output)
        rng: Random,
    ) -> Draft:
        """Replace each token by chance, then what came out by its like; see ``Mechanism.choose``.

        H tells of the way from the original to what is sent, w → u₂, in one step.
        """
        sent = self._first.draw(sentence, identifiers, rng)
        between = self._tagger(_shown(sentence, sent))
        draft = self._second.choose(between, frozenset(), _nothing, rng)
        if draft.withheld:
            return draft
        for one in draft.record:
            sent[one.position] = Sent(one.substitute, one.tag, one.pool)
        return Draft(record_of(sentence, sent, self._dictionary))


def _shown(sentence: Sentence, sent: dict[int, Sent]) -> Sentence:
    """The output of PRISM-R, stripped of every annotation of the original."""
    tokens = [
        Token(sent[i].word if i in sent else token.text, token.whitespace, tag="")
        for i, token in enumerate(sentence.tokens)
    ]
    return Sentence(tuple(tokens))


def _nothing(_word: str) -> bool:
    return False
