"""Which files are documents, how they are rebuilt, what one may cost, and what becomes of one of
which too little is expected to come back: the gate."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from prism_core.settings.section import Section

LEFT_BEHIND = ("Thumbs.db", "desktop.ini", ".DS_Store", "._*", "~$*", ".~lock.*#")
"""Names of files that systems and office programs leave beside documents."""


class DocumentSettings(Section):
    """How documents are rebuilt: see ``FormatOptions``. ``file_names`` are those in the output.

    Files are documents when a pattern of ``include`` fits, and none of ``exclude``: shell patterns
    for the name or, with a slash in it, for the path below the input, in any letter case.
    ``prune``: what was made of documents that the input has no more is destroyed.
    ``copy_untranslated``: what has nothing to translate, or failed, is copied, in clear as it is.
    ``mark_untranslated``: the output says of each place that stayed, or is unsure, that it did.
    """

    include: tuple[str, ...] = ("*",)
    exclude: tuple[str, ...] = LEFT_BEHIND
    prune: bool = False
    copy_untranslated: bool = False
    file_names: Literal["keep", "translate"] = "keep"
    attachment_names: Literal["keep", "translate"] = "keep"
    pdf_output: Literal["pdf", "docx"] = "pdf"
    ocr: bool = False
    mark_untranslated: bool = False


class LimitSettings(Section):
    """Bounds for one document (size, sentences, processor seconds, memory), a wave, a chunk of it.

    ``workers`` processes work on chunks at the same time at most: None is one for each core that
    this process may use, 1 is this process alone.
    """

    document_mb: float = Field(default=100, gt=0)
    document_sentences: int = Field(default=100_000, ge=1)
    seconds: float = Field(default=120, gt=0)
    memory_mb: int = Field(default=2048, ge=128)
    wave_documents: int = Field(default=200, ge=1)
    wave_sentences: int = Field(default=50_000, ge=1)
    chunk_documents: int = Field(default=50, ge=1, le=1000)
    workers: int | None = Field(default=None, ge=1, le=1024)


Below = Literal["send", "withhold", "local", "other-translator", "weaken"]


class GateSettings(Section):
    """Thresholds of the gate for a document, before anything of it is sent; see docs/gate.md.

    The same gate has a threshold for a whole run: ``translator.accept_losses`` lifts that.

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
