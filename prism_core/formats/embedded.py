"""What a format is given to read the documents that it finds inside its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from prism_core.formats.base import DEFAULT_OPTIONS, DocumentFormat, FormatOptions


@dataclass(frozen=True, slots=True)
class OutputType:
    """What a document is written as: both are empty where that is the type that was read."""

    suffix: str = ""
    media_type: str = ""


@dataclass(frozen=True, slots=True)
class Formats:
    """The registry as attachments need it: ``detect`` names a file's format, ``get`` gives it, and
    ``output_type`` says what it writes."""

    detect: Callable[[Path], str]
    get: Callable[[str], DocumentFormat]
    options: FormatOptions = DEFAULT_OPTIONS
    output_type: Callable[[str], OutputType] = lambda _name: OutputType()
