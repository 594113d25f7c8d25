"""PRISM-R (Algorithm 1 of the paper): every token at random, with a proof."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from prism_core.accounting import epsilon_prism_r
from prism_core.dictionary import Dictionary
from prism_core.language import Sentence
from prism_core.mechanisms.base import Draft, Forbidden
from prism_core.mechanisms.every_token import Sent, drawn, record_of
from prism_core.mechanisms.vocabulary import Vocabulary


class PrismR:
    """Each token is replaced with probability r by a word drawn uniformly from a public set V.

    Guarantee: ε-differential privacy per word with ε = ln((r + |V|(1 - r)) / r), and 0 at r = 1
    (theorem 3.2 of the paper). Whatever the translator sees, it is at most e^ε times as probable
    under one word as under any other in its place, known to V or not. n words that may all differ
    at once have n times that; k draws that are sent, k times.

    V holds lower-case dictionary words, function words and punctuation marks; a token outside it
    (name, number, capitalised content word, unknown word, a word of the user's list of names) is
    always replaced. Only a token's own surface decides, never a tag, another word or what else the
    archive holds. A substitute is written as it was drawn, and no draw is repeated. A sentence in
    which a never-sent term of the user's list shows is withheld; that depends on what would be sent
    and on a list fixed beforehand, so it costs nothing more.

    Not covered: the structure, which is the number of tokens and sentences, the white space, which
    pieces have no letter (copied, never sent) and which sentences are equal (sent once); and what
    is known of a word from the words around it, since words of a text depend on each other.
    """

    name: ClassVar[str] = "prism-r"
    treats_every_token: ClassVar[bool] = True
    restores: ClassVar[bool] = True

    def __init__(
        self, dictionary: Dictionary, vocabulary: Vocabulary, replace_probability: float
    ) -> None:
        self._dictionary = dictionary
        self._words = vocabulary
        self._probability = replace_probability

    @property
    def epsilon_word(self) -> float:
        """ε of one token, in nats."""
        return epsilon_prism_r(len(self._words), self._probability)

    @property
    def vocabulary(self) -> int:
        """|V|."""
        return len(self._words)

    def choose(
        self,
        sentence: Sentence,
        identifiers: frozenset[int],
        forbidden: Forbidden,  # noqa: ARG002 (what may be drawn is V, whatever else is known)
        rng: Random,
    ) -> Draft:
        """Replace each token by chance; see ``Mechanism.choose``."""
        sent = self.draw(sentence, identifiers, rng)
        return Draft(record_of(sentence, sent, self._dictionary))

    def draw(self, sentence: Sentence, always: frozenset[int], rng: Random) -> dict[int, Sent]:
        """What is sent for the tokens that are replaced, by position; the others are kept.

        Tokens at ``always`` are replaced whatever they are.
        """

        def become(_word: str) -> str | None:
            return self._words.uniform(rng) if rng.random() < self._probability else None

        return drawn(sentence, always, self._words, become, rng)
