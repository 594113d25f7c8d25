"""NoDecode: a baseline that tells how much of a translation's quality decoding brings."""

from __future__ import annotations

from random import Random
from typing import ClassVar

from prism_core.language import Sentence
from prism_core.mechanisms.base import Draft, Forbidden
from prism_core.mechanisms.prism_star import PrismStarRatio, PrismStarThreshold


class NoDecode:
    """PRISM* whose replacements are not undone: a baseline for measurements, not for documents.

    What is sent, and so what is guaranteed, is that of the PRISM* inside it, identifiers included;
    differential privacy is not bounded. What comes back is taken as it is: a document made with it
    has the substitutes, and the surrogates of its names and numbers, in place of its own words.
    """

    name: ClassVar[str] = "no-decode"
    treats_every_token: ClassVar[bool] = False
    restores: ClassVar[bool] = False

    def __init__(self, inner: PrismStarThreshold | PrismStarRatio) -> None:
        self._inner = inner

    @property
    def epsilon_word(self) -> float:
        """Infinite."""
        return self._inner.epsilon_word

    @property
    def vocabulary(self) -> None:
        """None: substitutes come from pools."""
        return self._inner.vocabulary

    def choose(
        self, sentence: Sentence, identifiers: frozenset[int], forbidden: Forbidden, rng: Random
    ) -> Draft:
        """As the PRISM* inside it does; see ``Mechanism.choose``."""
        return self._inner.choose(sentence, identifiers, forbidden, rng)
