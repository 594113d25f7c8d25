"""Outlook messages (``.msg``): read from their OLE file, rebuilt as Internet messages."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from prism_core.alignment import Translation
from prism_core.formats.base import Document
from prism_core.formats.embedded import Formats
from prism_core.formats.mail.eml import as_document, read_message, rebuild
from prism_core.formats.mail.outlook_message import to_internet_message
from prism_core.formats.mail.rewriting import Survey
from prism_core.formats.mail.survey import survey


class OutlookFormat:
    """Outlook messages. What is written is a new Internet message with the same parts.

    Its headers are those the message travelled with, else sender, recipients, subject and date.
    """

    name = "msg"

    def __init__(self, formats: Formats) -> None:
        self._formats = formats

    def read(self, path: Path) -> Document:
        """The subject, then the bodies and attachments. Raises ``DocumentError``."""
        with tempfile.TemporaryDirectory() as folder:
            return as_document(path, self.name, self._survey(path, Path(folder)))

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write the translated message as ``.eml``. Raises ``DocumentError``."""
        with tempfile.TemporaryDirectory() as folder:
            surveyed = self._survey(document.path, Path(folder))
            return rebuild(surveyed, document, translations, path)

    def _survey(self, path: Path, folder: Path) -> Survey:
        converted = to_internet_message(read_message(path))
        surveyed = survey(converted.message, self._formats, folder)
        return replace(surveyed, notices=surveyed.notices + converted.notices)
