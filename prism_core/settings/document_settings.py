"""Settings of documents, their limits, and the gate for documents that would lose too much."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from pydantic import Field, model_validator

from prism_core.settings.section import Section

LEFT_BEHIND = ("Thumbs.db", "desktop.ini", ".DS_Store", "._*", "~$*", ".~lock.*#")
"""Names of files that systems and office programs leave beside documents."""


class DocumentSettings(Section):
    """Selection and rebuilding of documents; see ``FormatOptions``.

    Files are documents when a pattern of ``include`` matches and none of ``exclude``: shell
    patterns for the name or, with a slash in it, for the path below the input, in any letter case.
    ``file_names`` are those in the output. ``prune`` destroys the translations of documents that
    are no longer in the input. ``copy_untranslated`` copies documents that have nothing to
    translate, or failed, in clear as they are. ``mark_untranslated`` marks each passage in the
    output that was left untranslated or is unsure.
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
    """Limits of one document (size, sentences, processor seconds, memory), a wave and a chunk.

    At most ``workers`` processes work on chunks at the same time: None is one for each core that
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
    loss in points of chrF; with neither the gate is off. ``below`` is the action for a document
    expected to fall short: send it all the same, and report it (``send``); send nothing
    (``withhold``); translate it with the model on this machine (``local``); ask another of the
    listed translators alone (``other-translator``); or hide fewer of its words (``weaken``), down
    to ``weakest_threshold`` (τ of prism-star). Where the action does not suffice, or nothing can be
    predicted, ``unknown`` applies. Its default is ``below`` if that sends nothing or everything,
    else nothing is sent. ``strengthen`` hides more of a document as long as it is still expected to
    suffice. ``model`` is a file of ``prism gate train``; None is the shipped one.
    """

    minimum_restored: float | None = Field(default=None, gt=0, le=1)
    maximum_loss: float | None = Field(default=None, gt=0, le=100)
    below: Below = "send"
    unknown: Literal["send", "withhold", "local"] | None = None
    weakest_threshold: float | None = Field(default=None, gt=0, le=1)
    strengthen: bool = False
    model: Path | None = None

    @model_validator(mode="after")
    def _check_complete(self) -> GateSettings:
        """Refuse settings without effect: users would believe them in force."""
        if not self.is_on and (self.below != "send" or self.unknown or self.strengthen):
            raise ValueError("gate has no limit: set minimum_restored or maximum_loss")
        if (self.below == "weaken") != (self.weakest_threshold is not None):
            raise ValueError(
                "gate.weakest_threshold and gate.below = weaken need each other: it bounds how "
                "few words may be hidden"
            )
        return self

    @property
    def is_on(self) -> bool:
        """True if the gate has a limit."""
        return self.minimum_restored is not None or self.maximum_loss is not None

    @property
    def otherwise(self) -> Literal["send", "withhold", "local"]:
        """Action for a document of which nothing is known, or for which no action suffices."""
        if self.unknown is not None:
            return self.unknown
        return self.below if self.below in ("send", "local") else "withhold"

    @property
    def keeps_here(self) -> bool:
        """True if a model on this machine may have to translate a document."""
        return self.is_on and "local" in (self.below, self.otherwise)
