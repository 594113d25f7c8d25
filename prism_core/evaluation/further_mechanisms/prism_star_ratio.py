"""PRISM* by ratio: the paper's choice of words, kept for reproduction."""

from __future__ import annotations

import math
from collections.abc import Iterator
from inspect import cleandoc
from random import Random
from typing import ClassVar, Literal, Self

from pydantic import Field

from prism_core.dictionary import Dictionary
from prism_core.errors import ConfigurationError
from prism_core.language import Sentence
from prism_core.mechanisms import (
    UNKNOWN,
    Draw,
    Forbidden,
    MechanismSpec,
    PoolMechanism,
    Pools,
    PublicRules,
    Selection,
    Tagger,
    UnknownWords,
    classify,
    draw_stand_in,
    make_replacement,
)
from prism_core.record import Kind
from prism_core.settings import MechanismFigures, MechanismSettings


class PrismStarRatioSettings(MechanismSettings):
    """The ``[mechanism]`` table of prism-star-ratio, which uses no ``threshold``.

    ``ratio`` r in [0, 1] is the share of the tokens of each sentence (the paper: of a document)
    that is replaced, most confident first. ``minimum_pool`` is for the substitutes of unknown
    words, and ``unknown_words`` decides about these as for PRISM*.
    """

    bounds_epsilon: ClassVar[bool] = False
    looks_for_identifiers: ClassVar[bool] = True

    name: Literal["prism-star-ratio"] = "prism-star-ratio"
    ratio: float = Field(default=0.5, ge=0, le=1)
    unknown_words: UnknownWords = "source"

    def figures(self) -> MechanismFigures:
        """Return the figures; see ``MechanismSettings``."""
        return MechanismFigures(
            ratio=self.ratio, minimum_pool=self.minimum_pool, unknown_words=self.unknown_words
        )

    def stronger(self) -> Iterator[Self]:
        """Yield settings with a larger ratio, up to 1."""
        return self.stepped_up("ratio")


class PrismStarRatio(PoolMechanism):
    """The paper's PRISM*, kept for reproduction."""

    name = "prism-star-ratio"
    guarantee = cleandoc("""
    The paper's choice: the ⌈rn⌉ tokens of highest confidence, replaced by the best words.

    Kept for reproduction. No guarantee: which words are replaced and by which follows from the
    dictionary, so an adversary who has it finds most replaced positions, the order of their
    confidence, and which substitutes stand for one word (docs/decisions/0001).
    Unknown words follow ``unknown_words`` as elsewhere; identifiers are replaced in any case.
    """)

    def __init__(
        self, dictionary: Dictionary, ratio: float, minimum_pool: int, unknown_words: UnknownWords
    ) -> None:
        self._dictionary = dictionary
        self._ratio = ratio
        self._minimum_pool = minimum_pool
        self._pools = Pools(dictionary, 0.0, minimum_pool)
        self._unknown_words = unknown_words

    @property
    def public_rules(self) -> PublicRules:
        """The ratio and the least size of a pool for unknown words."""
        return PublicRules(ratio=self._ratio, minimum_pool=self._minimum_pool)

    def choose(
        self, sentence: Sentence, identifiers: frozenset[int], forbidden: Forbidden, rng: Random
    ) -> Selection:
        """Replace the most confident words; see ``PoolMechanism.choose``."""
        words = {
            position: classify(token, self._dictionary)
            for position, token in enumerate(sentence.tokens)
            if position not in identifiers
        }
        unknown = [position for position, word in words.items() if word is UNKNOWN]
        if unknown and self._unknown_words == "withhold":
            return Selection((), withheld="unknown-word")
        known = [(at, word.entry) for at, word in words.items() if word.entry is not None]
        ranked = sorted(known, key=lambda found: -found[1].score)
        draw = Draw(self._dictionary, [], forbidden, rng)
        record = []
        for position, entry in ranked[: math.ceil(self._ratio * len(sentence.tokens))]:
            pool, text = self._dictionary.by_tag[entry.tag], sentence.tokens[position].text
            best = next(filter(draw.take_if_free, pool), None)
            record.append(make_replacement(text, position, best, Kind.WORD, len(pool)))
        if self._unknown_words == "source":
            record += [draw_stand_in(sentence, at, self._pools, draw) for at in unknown]
        made = [replacement for replacement in record if replacement is not None]
        if len(made) < len(record):
            return Selection((), withheld="no-substitute")
        return Selection(tuple(sorted(made, key=lambda replacement: replacement.position)))


def _make(
    settings: PrismStarRatioSettings, dictionary: Dictionary, _tagger: Tagger | None
) -> PrismStarRatio:
    if dictionary.glossary:
        raise ConfigurationError(
            "dictionary.glossary is for prism-star, which replaces terms as a whole, and "
            "prism-star-ratio does not; leave the one or the other out."
        )
    return PrismStarRatio(dictionary, settings.ratio, settings.minimum_pool, settings.unknown_words)


MECHANISM = MechanismSpec(PrismStarRatioSettings, _make)
