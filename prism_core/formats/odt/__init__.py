"""OpenDocument texts: ODT, their templates (OTT), and both in one XML file (FODT)."""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from pathlib import Path

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, Segment
from prism_core.formats.odt.container import open_container
from prism_core.formats.odt.content import Content
from prism_core.formats.xml_text import clean


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
            segments = tuple(Segment(item.unit.text, item.kind) for item in content.units)
            if not segments:
                raise DocumentError(DocumentFailure.EMPTY)
            count = container.untranslated
            notices = (f"embedded-files-untranslated:{count}",) if count else ()
            return Document(path, self.name, segments, notices)

    def write(self, document: Document, translations: Sequence[str], path: Path) -> tuple[str, ...]:
        """Rebuild the document at ``path``; the notices count what could not be kept.

        ``formatting-simplified:N`` changes of formatting inside paragraphs were given up,
        ``breaks-moved:N`` paragraphs came back with other tabs or line breaks.
        """
        with open_container(document.path) as container:
            content = Content(container)
            found = [item.unit.text for item in content.units]
            if found != [segment.text for segment in document.segments]:
                raise DocumentError(DocumentFailure.UNREBUILDABLE)
            changed: set[str] = set()
            formats = breaks = 0
            for item, text, translation in zip(content.units, found, translations, strict=True):
                if text != translation:
                    loss = item.unit.replace(clean(translation))
                    formats, breaks = formats + loss.formats, breaks + loss.breaks
                    changed.add(item.part)
            if changed:
                container.save(path, {part: content.trees[part] for part in changed})
            else:
                shutil.copyfile(document.path, path)
        counts = {"formatting-simplified": formats, "breaks-moved": breaks}
        return tuple(f"{name}:{count}" for name, count in counts.items() if count)
