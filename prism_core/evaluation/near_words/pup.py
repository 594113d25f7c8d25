"""PUP, the baseline of the paper: d_X-privacy over a whole vocabulary, without decoding."""

from __future__ import annotations

from inspect import cleandoc
from typing import Literal

from prism_core.dictionary import Dictionary
from prism_core.errors import ConfigurationError
from prism_core.evaluation.near_words.dx import DistanceSettings, Dx
from prism_core.mechanisms import MechanismSpec, Tagger, WordSet, in_case_of


class PupSettings(DistanceSettings):
    """Settings of the ``[mechanism]`` table of pup: that of dx."""

    name: Literal["pup"] = "pup"


class Pup(Dx):
    """Mechanism that replaces each word that has a vector by one that has."""

    name = "pup"
    guarantee = cleandoc("""
    Each word that has a vector becomes any word that has, a near one more often than a far one, and
    what comes back is taken as it is: a baseline for measurements, not for documents.

    Guarantee: d_X-privacy. All requests of a run together are at most e^(ε d) times as probable as
    under an archive of the same structure that differs in one word, any other with a vector, with d
    the distance of the two and ε counted per unit of d. A token without a vector becomes any word,
    each as likely: it is hidden among all such tokens. Letter case and punctuation marks are shown,
    and nothing is claimed for them or for structure. A document made with it has other words in
    place of its own.
    """)
    restores = False

    def read(self, word: str) -> str:
        """Return the word in lower case, as vectors are kept."""
        return word.lower()

    def write(self, drawn: str, word: str) -> str:
        """Return ``drawn`` in the letter case of ``word``."""
        return in_case_of(drawn, word)


def _make(settings: PupSettings, dictionary: Dictionary, _tagger: Tagger | None) -> Pup:
    vectors = settings.read_vectors()
    if len(vectors.words) < max(2, settings.minimum_pool):
        raise ConfigurationError("mechanism.vectors has fewer words than mechanism.minimum_pool.")
    classes = [(vectors.words, settings.open_draws(vectors.table))]
    return Pup(dictionary, WordSet(vectors.words), classes, settings)


MECHANISM = MechanismSpec(PupSettings, _make)
