"""OpenDocument texts: ODT, their templates (OTT), and both in one XML file (FODT)."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from prism_core.alignment import Translation
from prism_core.formats.base import Document
from prism_core.formats.notices import notices
from prism_core.formats.odt.container import open_container
from prism_core.formats.odt.content import Content
from prism_core.formats.units import rebuilt, save, segments


class OdtFormat:
    """Reads all text of an OpenDocument text; rebuilds it with everything else as it was.

    Parts that hold no translated text keep their bytes; unchanged texts give the same file. In a
    changed paragraph, blanks may be written in another way that shows the same. Deleted text of
    tracked changes, hidden text and what fields compute (dates, page numbers) stay as they are.
    """

    name = "odt"

    def read(self, path: Path) -> Document:
        """Body, headers and footers, charts, properties. Raises ``DocumentError``."""
        with open_container(path) as container:
            content = Content(container)
            told = notices({"embedded-files-untranslated": container.untranslated})
            return Document(path, self.name, segments(content.units), told)

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Rebuild the document at ``path``; the notices count what could not be kept.

        ``formatting-simplified:N`` changes of formatting inside paragraphs were given up,
        ``breaks-moved:N`` paragraphs came back with other tabs or line breaks.
        """
        with open_container(document.path) as container:
            content = Content(container)
            trees, told = rebuilt(content.units, content.trees, document, translations)
            save(container, trees, document, path)
            return told
