"""What a format is given to read the documents that it finds inside its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from prism_core.formats.base import DEFAULT_OPTIONS, DocumentFormat, FormatOptions


def _same(_name: str) -> str:
    return ""


@dataclass(frozen=True, slots=True)
class Formats:
    """The registry as attachments need it: ``detect`` names a file's format, ``get`` gives it.

    ``output_suffix`` is that of what a format writes; empty where it is the type that it read.
    """

    detect: Callable[[Path], str]
    get: Callable[[str], DocumentFormat]
    options: FormatOptions = DEFAULT_OPTIONS
    output_suffix: Callable[[str], str] = _same
