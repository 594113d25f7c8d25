"""PRISM-R (Algorithm 1 of the paper): replaces every token at random, with a proof."""

from __future__ import annotations

from inspect import cleandoc
from random import Random
from typing import Literal

from prism_core.accounting import epsilon_prism_r
from prism_core.mechanisms.base import MechanismSpec
from prism_core.mechanisms.every_token import ChanceSettings, VocabularyMechanism


class PrismRSettings(ChanceSettings):
    """The ``[mechanism]`` table of prism-r."""

    name: Literal["prism-r"] = "prism-r"


class PrismR(VocabularyMechanism):
    """PRISM-R with probability r over the set V."""

    name = "prism-r"
    guarantee = cleandoc("""
    Each token is replaced with probability r by a word drawn uniformly from a public set V.

    Guarantee: ε-differential privacy per word with ε = ln((r + |V|(1 - r)) / r), and 0 at r = 1
    (theorem 3.2 of the paper). All requests of a run together are at most e^ε times as probable
    under one archive as under a neighbour. Neighbours have the same documents, formats, lines,
    sentences, white space, pieces without a letter and tokens, but for one token, which may be any
    other, known to V or not.
    n words that may all differ at once have n times that; k draws that are sent, k times.

    V holds lower-case dictionary words, function words and punctuation marks; a token outside it
    (name, number, capitalised content word, unknown word, a word of the user's list of names) is
    always replaced. Only a token's own surface decides, never a tag, another word, its language or
    what else the archive holds. Equal sentences are drawn for and sent each, and counted so. No
    memory and no review keeps a sentence from being sent, and what an answer lost is not asked for
    again. A substitute is written as it was drawn, and no draw is repeated. A sentence in which a
    never-sent term of the user's list shows is withheld; that depends on what would be sent and on
    a list fixed beforehand, so it costs nothing more.

    Not covered: the structure, which is the documents and their formats, the number of tokens and
    sentences, the white space, and which pieces have no letter (copied, never sent); how long a run
    takes; from run to run, which sentences of a document are new, since what was sent of it is not
    sent again; a sentence that breaks the encoder, which is withheld; and what is known of a word
    from the words around it, since words of a text depend on each other.
    """)

    @property
    def epsilon_word(self) -> float:
        """ε of one token, in nats."""
        return epsilon_prism_r(len(self._words), self._replace)

    def replace_word(self, word: str, rng: Random) -> str | None:  # noqa: ARG002 (all words are alike)
        """Return any word of V, with probability r; else None."""
        return self._words.uniform(rng) if rng.random() < self._replace else None


MECHANISM = MechanismSpec(
    PrismRSettings,
    lambda settings, dictionary, _tagger: PrismR(
        dictionary, settings.vocabulary(dictionary), settings.replace_probability
    ),
)
