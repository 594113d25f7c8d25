"""Reads documents and writes them with translations, as the tests of every format do."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats import read_document, write_document
from tests.formats.aligned import wrap


def found(path: Path) -> list[tuple[str, str]]:
    """Kind and text of every segment."""
    return [(segment.kind, segment.text) for segment in read_document(path).segments]


def texts(path: Path) -> list[str]:
    """The text of every segment."""
    return [text for _, text in found(path)]


def translated(
    tmp_path: Path, source: Path, translate: Callable[[str], str]
) -> tuple[Path, tuple[str, ...]]:
    """The written file, and the notices; ``translate`` maps a text to its translation."""
    read = read_document(source)
    target = tmp_path / f"translated{source.suffix}"
    answers = [translate(segment.text) for segment in read.segments]
    return target, write_document(read, wrap(answers), target)


def failure_of(call: Callable[..., object], *args: Any) -> DocumentFailure:
    """The class with which ``call`` refuses, without the error that led to it."""
    with pytest.raises(DocumentError) as caught:
        call(*args)
    assert caught.value.__cause__ is None
    return caught.value.failure
