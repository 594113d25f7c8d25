"""The gate: what becomes of a document of which too little is expected to come back."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from prism_core.settings.section import Section

Below = Literal["send", "withhold", "local", "other-translator", "weaken"]


class GateSettings(Section):
    """What a document must be expected to keep, before anything of it is sent; see docs/gate.md.

    ``minimum_restored`` is the share of its sent sentences that are restored, ``maximum_loss`` the
    loss in points of chrF; with neither the gate is off. ``below``: what becomes of a document that
    is expected to fall short: it is sent all the same and the report tells (``send``), nothing of
    it is sent (``withhold``), the model on this machine translates it (``local``), another of the
    listed translators alone is asked (``other-translator``), or fewer of its words are hidden
    (``weaken``), down to ``weakest_threshold`` (τ of prism-star). Where that does not suffice, and
    where nothing can be predicted, ``unknown`` says what becomes of it; by itself what ``below``
    says if that sends nothing or everything, else nothing is sent. ``strengthen``: more is hidden
    of a document as long as it is expected to suffice all the same. ``model`` is one of
    ``prism gate train``; None: the one that ships.
    """

    minimum_restored: float | None = Field(default=None, gt=0, le=1)
    maximum_loss: float | None = Field(default=None, gt=0, le=100)
    below: Below = "send"
    unknown: Literal["send", "withhold", "local"] | None = None
    weakest_threshold: float | None = Field(default=None, gt=0, le=1)
    strengthen: bool = False
    model: Path | None = None

    @model_validator(mode="after")
    def _is_whole(self) -> GateSettings:
        """Refuse what would not be heeded: someone would believe it in force."""
        if not self.is_on and (self.below != "send" or self.unknown or self.strengthen):
            raise ValueError("gate has no limit: set minimum_restored or maximum_loss")
        if (self.below == "weaken") != (self.weakest_threshold is not None):
            raise ValueError(
                "gate.weakest_threshold and gate.below = weaken are for each other: it bounds how "
                "few words may be hidden"
            )
        return self

    @property
    def is_on(self) -> bool:
        """Whether anything is asked of a document."""
        return self.minimum_restored is not None or self.maximum_loss is not None

    @property
    def otherwise(self) -> Literal["send", "withhold", "local"]:
        """What becomes of a document of which nothing is known, or for which nothing suffices."""
        if self.unknown is not None:
            return self.unknown
        return self.below if self.below in ("send", "local") else "withhold"

    @property
    def keeps_here(self) -> bool:
        """Whether a model on this machine may have to translate a document."""
        return self.is_on and "local" in (self.below, self.otherwise)
