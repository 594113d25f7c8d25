"""Test sets of WMT in a folder, with what each of several translators made of them."""

from __future__ import annotations

import html
from collections.abc import Collection, Sequence
from pathlib import Path

from prism_core.building import ParallelText
from prism_core.errors import ConfigurationError


def read_parallel_folder(
    folder: Path,
    source: str,
    target: str,
    translators: Sequence[str],
    *,
    without: Collection[str] = (),
    only: Collection[str] = (),
) -> ParallelText:
    """Every ``NAME.source`` of ``folder`` with its ``NAME.translator.target`` files.

    Names in ``without`` are left out; ``only``, when not empty, names those that are read. What a
    translator returned escaped for HTML is read as plain text. Raises ``ConfigurationError`` when
    nothing is found or line counts differ.
    """
    names = sorted(path.stem for path in folder.glob(f"*.{source}"))
    wanted = [name for name in names if name not in without and (not only or name in only)]
    if not wanted:
        raise ConfigurationError(f"{folder} has no file NAME.{source} to read.")
    lines: list[str] = []
    targets: dict[str, list[str]] = {translator: [] for translator in translators}
    for name in wanted:
        lines += _lines(folder / f"{name}.{source}")
        for translator, all_lines in targets.items():
            path = folder / f"{name}.{translator}.{target}"
            all_lines += [html.unescape(line) for line in _lines(path)]
            if len(all_lines) != len(lines):
                raise ConfigurationError(f"{path} has not as many lines as its source.")
    return ParallelText(lines, targets)


def _lines(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8").removesuffix("\n").split("\n")
    except (OSError, UnicodeDecodeError):
        raise ConfigurationError(f"{path} cannot be read; it must be UTF-8 text.") from None
