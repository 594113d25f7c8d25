"""An example of a mechanism: all that is written to add one."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import ClassVar, Literal, Self

from prism_core.mechanisms.base import MechanismSpec
from prism_core.mechanisms.every_token import VocabularyMechanism
from prism_core.mechanisms.vocabulary import Vocabulary
from prism_core.settings import MechanismFigures, MechanismSettings


class AlwaysSettings(MechanismSettings):
    """The ``[mechanism]`` table of always."""

    bounds_epsilon: ClassVar[bool] = True
    looks_for_identifiers: ClassVar[bool] = False

    name: Literal["always"] = "always"

    def figures(self) -> MechanismFigures:
        return MechanismFigures(
            threshold=self.threshold, replace_probability=1.0, minimum_pool=self.minimum_pool
        )

    def stronger(self) -> Iterator[Self]:
        return iter(())


class Always(VocabularyMechanism):
    """Every token becomes a word of V, each as likely as any other."""

    name = "always"
    guarantee = "Guarantee: what is sent says nothing of the words (ε = 0)."

    @property
    def epsilon_word(self) -> float:
        return 0.0

    def replace_word(self, word: str, rng: Random) -> str:  # noqa: ARG002 (all are alike)
        return self._words.uniform(rng)


def _make(settings: AlwaysSettings, dictionary, _tagger) -> Always:
    words = Vocabulary(dictionary, settings.threshold, settings.minimum_pool)
    return Always(dictionary, words, replace_probability=1.0)


MECHANISM = MechanismSpec(AlwaysSettings, _make)
