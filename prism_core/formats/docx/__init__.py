"""Word documents: DOCX, DOCM, DOTX, DOTM, transitional and strict."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from prism_core.alignment import Translation
from prism_core.formats.base import Document
from prism_core.formats.docx.content import Content, drop_data_bindings, kept_notices
from prism_core.formats.units import replace_texts, save, segments
from prism_core.formats.zip_package import open_package


class DocxFormat:
    """Reads all text of a Word document; rebuilds it with everything else as it was.

    Members of the zip that hold no translated text keep their bytes. Deleted text of tracked
    changes stays as it is; so do hidden text and building blocks that no page shows, and the
    notices of the document count them.
    """

    name = "docx"

    def read(self, path: Path) -> Document:
        """The paragraphs of ``path`` in the order of its parts. Raises ``DocumentError``."""
        with open_package(path) as package:
            content = Content(package)
            told = kept_notices(package, content.trees.values(), content.glossaries)
            return Document(path, self.name, segments(content.units), told)

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Rebuild the document at ``path``; the notices count what could not be kept.

        ``formatting-simplified:N`` changes of formatting inside paragraphs were given up,
        ``breaks-moved:N`` paragraphs came back with other tabs or line breaks.
        """
        with open_package(document.path) as package:
            content = Content(package)
            trees, told = replace_texts(content.units, content.trees, document, translations)
            for tree in trees.values():
                drop_data_bindings(tree)
            save(package, trees, document, path)
            return told
