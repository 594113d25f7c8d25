"""Lines with their translations, read as streams from memories and from files line by line.

Entry: ``read_memory`` or ``read_parallel`` for pairs; ``ParallelText`` of several translators.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from html import unescape
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

from prism_core.errors import ConfigurationError
from prism_core.language import Sentence
from prism_core.translation_memory import is_tmx, read_columns, read_tmx, stripped_lines

if TYPE_CHECKING:
    from prism_core.language import LanguageModel


@dataclass(frozen=True)
class ParallelText:
    """Lines in the source language, and as many lines of each translator in ``targets``."""

    lines: list[str]
    targets: dict[str, list[str]]

    def annotate(self, model: LanguageModel) -> list[Sentence]:
        """Annotate each line as one sentence, so that lines and translations match."""
        return list(map(Sentence.join, model.annotate(self.lines)))


def read_memory(path: Path, source: str, target: str) -> Iterator[tuple[str, str]]:
    """Yield the pairs of ``path`` in the languages ``source`` and ``target`` (ISO 639), in order.

    A file that ends in ``.tmx`` or ``.xml`` is TMX 1.4, of which the words are taken; any other is
    UTF-8 text with a sentence, a tab and its translation on each line. Raises
    ``ConfigurationError``.
    """
    is_xml = is_tmx(path)
    units = read_tmx(path, source, target) if is_xml else read_columns(path)
    found = False
    for unit in units:
        pair = (unit.source, unit.target)
        if is_xml:
            pair = (" ".join(unit.source.split()), " ".join(unit.target.split()))
        if all(pair):
            found = True
            yield pair
    if not found:
        wanted = f"from {source} to {target}" if is_xml else "(two columns, a tab between them)"
        raise ConfigurationError(f"{path} holds no translation {wanted}.")


def read_parallel(source: Path, target: Path) -> Iterator[tuple[str, str]]:
    """Yield the pairs of two files of equally many lines; lines without both sides are left out.

    HTML escapes in a translation are replaced. Raises ``ConfigurationError``.
    """
    for text, translation in zip_longest(stripped_lines(source), stripped_lines(target)):
        if text is None or translation is None:
            raise ConfigurationError(
                f"{source} and {target} have different numbers of lines; line by line, one must "
                "be the translation of the other."
            )
        if text and translation:
            yield text, unescape(translation)
