"""NoDecode: a baseline that measures how much decoding adds to translation quality."""

from __future__ import annotations

from inspect import cleandoc
from random import Random
from typing import Literal

from prism_core.language import Sentence
from prism_core.mechanisms import (
    Forbidden,
    MechanismSpec,
    PoolMechanism,
    PublicRules,
    Selection,
    StarSettings,
    make_prism_star,
)


class NoDecodeSettings(StarSettings):
    """The ``[mechanism]`` table of no-decode: that of the PRISM* inside it."""

    name: Literal["no-decode"] = "no-decode"


class NoDecode(PoolMechanism):
    """PRISM* whose replacements are not undone."""

    name = "no-decode"
    guarantee = cleandoc("""
    PRISM* whose replacements are not undone: a baseline for measurements, not for documents.

    What is sent, and so what is guaranteed, is that of the PRISM* inside it, identifiers included;
    differential privacy is not bounded. What comes back is taken as it is: a document made with it
    has the substitutes, and the surrogates of its names and numbers, in place of its own words.
    """)
    restores = False

    def __init__(self, inner: PoolMechanism) -> None:
        self._inner = inner

    @property
    def public_rules(self) -> PublicRules:
        """Rules of the PRISM* inside it."""
        return self._inner.public_rules

    def choose(
        self, sentence: Sentence, identifiers: frozenset[int], forbidden: Forbidden, rng: Random
    ) -> Selection:
        """Choose substitutes with the PRISM* inside it; see ``PoolMechanism.choose``."""
        return self._inner.choose(sentence, identifiers, forbidden, rng)


MECHANISM = MechanismSpec(NoDecodeSettings, lambda *given: NoDecode(make_prism_star(*given)))
