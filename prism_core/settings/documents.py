"""Which files are documents, and how they are rebuilt."""

from __future__ import annotations

from typing import Literal

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
