"""Which files are documents, how they are rebuilt, and what one may cost."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

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
