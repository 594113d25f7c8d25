"""Word documents: DOCX, DOCM, DOTX, DOTM, transitional and strict."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from prism_core.formats.base import Document
from prism_core.formats.docx.content import Content, drop_data_bindings
from prism_core.formats.notices import notices
from prism_core.formats.ooxml.units import embedded_files
from prism_core.formats.units import rebuilt, segments
from prism_core.formats.zip_package import Package, open_package


class DocxFormat:
    """Reads all text of a Word document; rebuilds it with everything else as it was.

    Members of the zip that hold no translated text keep their bytes. Deleted text of tracked
    changes and hidden text stay as they are, and building blocks that no page shows.
    """

    name = "docx"

    def read(self, path: Path) -> Document:
        """The paragraphs of ``path`` in the order of its parts. Raises ``DocumentError``."""
        with open_package(path) as package:
            content = Content(package)
            return Document(path, self.name, segments(content.units), _untranslated(package))

    def write(self, document: Document, translations: Sequence[str], path: Path) -> tuple[str, ...]:
        """Rebuild the document at ``path``; the notices count what could not be kept.

        ``formatting-simplified:N`` changes of formatting inside paragraphs were given up,
        ``breaks-moved:N`` paragraphs came back with other tabs or line breaks.
        """
        with open_package(document.path) as package:
            content = Content(package)
            trees, told = rebuilt(content.units, content.trees, document, translations)
            for tree in trees.values():
                drop_data_bindings(tree)
            if trees:
                package.save(path, trees)
            else:
                shutil.copyfile(document.path, path)
            return told


def _untranslated(package: Package) -> tuple[str, ...]:
    """What else the package carries that may hold text, for the report."""
    imported = sum("afchunk" in name.lower() for name in package.names)
    embedded = embedded_files(package)
    counts = {"embedded-files-untranslated": embedded, "imported-chunks-untranslated": imported}
    return notices(counts)
