"""What the settings know of every mechanism; each has its own table beside its code."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from pydantic import Field

from prism_core.settings.section import ChosenSection

DRAW_FROM = 0.9
"""The sureness from which words are drawn where the settings name none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MechanismFigures:
    """How strong a mechanism is, by the columns of the report; None where it has no such figure."""

    threshold: float | None = None
    draw_from: float | None = None
    ratio: float | None = None
    replace_probability: float | None = None
    table_probability: float | None = None
    minimum_pool: int
    unknown_words: str = "source"
    plausible: bool = False


class MechanismSettings(ChosenSection):
    """What is replaced, and how; see docs/privacy.md.

    ``threshold`` τ in [0, 1]: a word is replaced iff its confidence is at least τ; for a mechanism
    that draws from one set V, the confidence from which a dictionary word belongs to it.
    ``minimum_pool`` is the least number of words a substitute is drawn from.

    ``bounds_epsilon``: the loss of a word is bounded, whatever the word is.
    ``looks_for_identifiers``: names and numbers are recognised and replaced by surrogates, so that
    classes of them can be withheld.
    """

    package: ClassVar[str] = "prism_core.mechanisms.kinds"
    export: ClassVar[str] = "MECHANISM"
    default: ClassVar[str] = "prism-star"
    bounds_epsilon: ClassVar[bool]
    looks_for_identifiers: ClassVar[bool]

    threshold: float = Field(default=0.2, ge=0, le=1)
    minimum_pool: int = Field(default=20, ge=1)

    @abstractmethod
    def figures(self) -> MechanismFigures:
        """What the report says of its strength."""

    def drawn_from(self, *, is_asked: bool) -> float:
        """The sureness, in [0, 1], from which a word of the dictionary is drawn from its pool.

        ``is_asked``: the translator in use was asked for each word, so that all may be drawn.
        """
        return 0.0 if is_asked else DRAW_FROM

    @abstractmethod
    def stronger(self) -> Iterator[Self]:
        """This mechanism with more replaced, in small steps up to all that it can replace."""

    def stepped_up(self, name: str) -> Iterator[Self]:
        """This mechanism with larger values of ``name``, in steps of a tenth, the last one 1."""
        for tenth in range(1, 11):
            if (value := tenth / 10) > getattr(self, name):
                yield self.model_copy(update={name: value})
