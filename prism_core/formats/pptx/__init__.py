"""Presentations: PPTX, PPTM, POTX, POTM, PPSX, PPSM, transitional and strict."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from prism_core.alignment import Translation
from prism_core.formats.base import Document
from prism_core.formats.notices import notices
from prism_core.formats.ooxml.units import embedded_files
from prism_core.formats.pptx.content import Content
from prism_core.formats.units import rebuilt, save, segments
from prism_core.formats.zip_package import open_package


class PptxFormat:
    """Reads all text of a presentation; rebuilds it with everything else as it was.

    Members of the zip that hold no translated text keep their bytes. Prompts of placeholders,
    layouts that no slide uses, slide numbers and dates stay; so do names of shapes and sections.
    """

    name = "pptx"

    def read(self, path: Path) -> Document:
        """The paragraphs of ``path`` in the order of its slides. Raises ``DocumentError``."""
        with open_package(path) as package:
            content = Content(package)
            told = notices({"embedded-files-untranslated": embedded_files(package)})
            return Document(path, self.name, segments(content.units), told)

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Rebuild the presentation at ``path``; the notices count what could not be kept.

        ``formatting-simplified:N`` changes of formatting inside paragraphs were given up,
        ``breaks-moved:N`` paragraphs came back with other tabs or line breaks.
        """
        with open_package(document.path) as package:
            content = Content(package)
            trees, told = rebuilt(content.units, content.trees, document, translations)
            save(package, trees, document, path)
            return told
