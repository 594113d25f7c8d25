"""Word documents: DOCX, DOCM, DOTX, DOTM, transitional and strict."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, Segment
from prism_core.formats.docx.content import Content, Located, drop_data_bindings
from prism_core.formats.xml_text import clean
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
            segments = tuple(Segment(item.unit.text, item.kind) for item in content.units)
            if not segments:
                raise DocumentError(DocumentFailure.EMPTY)
            return Document(path, self.name, segments, _untranslated(package))

    def write(self, document: Document, translations: Sequence[str], path: Path) -> tuple[str, ...]:
        """Rebuild the document at ``path``; the notices count what could not be kept.

        ``formatting-simplified:N`` changes of formatting inside paragraphs were given up,
        ``breaks-moved:N`` paragraphs came back with other tabs or line breaks.
        """
        with open_package(document.path) as package:
            content = Content(package)
            found = tuple(item.unit.text for item in content.units)
            if found != tuple(segment.text for segment in document.segments):
                raise DocumentError(DocumentFailure.UNREBUILDABLE)
            changes = [
                (item, translation)
                for item, text, translation in zip(content.units, found, translations, strict=True)
                if text != translation
            ]
            if not changes:
                shutil.copyfile(document.path, path)
                return ()
            notices = _replace(changes)
            trees = {item.member: content.trees[item.member] for item, _ in changes}
            for tree in trees.values():
                drop_data_bindings(tree)
            package.save(path, trees)
            return notices


def _replace(changes: Sequence[tuple[Located, str]]) -> tuple[str, ...]:
    formats = breaks = 0
    for item, translation in changes:
        loss = item.unit.replace(clean(translation))
        formats, breaks = formats + loss.formats, breaks + loss.breaks
    counts = {"formatting-simplified": formats, "breaks-moved": breaks}
    return tuple(f"{name}:{count}" for name, count in counts.items() if count)


def _untranslated(package: Package) -> tuple[str, ...]:
    """What else the package carries that may hold text, for the report."""
    embedded = sum("/embeddings/" in name for name in package.names)
    imported = sum("afchunk" in name.lower() for name in package.names)
    counts = {"embedded-files-untranslated": embedded, "imported-chunks-untranslated": imported}
    return tuple(f"{name}:{count}" for name, count in counts.items() if count)
