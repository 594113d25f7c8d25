"""Formatted text, as all formats read and write it: lines of runs, and words placed in them.

A format reads a paragraph into a ``Line``: runs of text with a look (their formatting), breaks, and
anchors that text moves around. It asks where the words of a translation go, and writes the answer
into its own file. ``place_words`` does one line, ``fit_translation`` a paragraph with breaks,
``nested_text`` lines whose formatting is elements within elements (HTML, Markdown).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Final

from prism_core.alignment import Translation
from prism_core.formats.text.placement import place_words
from prism_core.formats.text.runs import (
    ANCHOR,
    Anchor,
    Break,
    Group,
    Line,
    Loss,
    Placed,
    R,
    TextRun,
    clean_translation,
    edges_of,
    has_letter,
    has_several_words,
    has_words,
    is_description,
    unite,
)
from prism_core.formats.text.splitting import partition
from prism_core.formats.text.word_alignment import looks_of, project_looks

__all__ = [
    "ANCHOR",
    "Anchor",
    "Break",
    "Group",
    "Loss",
    "Placed",
    "TextRun",
    "clean_translation",
    "edges_of",
    "fit_translation",
    "has_letter",
    "has_several_words",
    "has_words",
    "is_description",
    "looks_of",
    "place_words",
    "project_looks",
    "unite",
]

_BREAK: Final = re.compile(r"[\t\n]")


def fit_translation(
    line: Line[R], translation: Translation, *, movable: bool = False
) -> tuple[list[Placed[R]], Loss]:
    """Return the groups to change so that ``line`` says ``translation``, and the loss.

    White space around the text stays; every break and anchor stays exactly once. Texts are inserted
    beside others only if looks are ``movable``.
    """
    whole = "".join(item.text for item in line)
    wanted = translation.framed(*edges_of(whole))
    lines: list[list[R | Anchor]] = [[]]  # the content between breaks
    for item in line:
        if isinstance(item, Break):
            lines.append([])
        else:
            lines[-1].append(item)
    sources = ["".join(run.text for run in runs) for runs in lines]
    texts, targets = _BREAK.split(wanted.text), list[Translation]()
    moved = [bool(text.strip()) for text in texts] != [bool(text.strip()) for text in sources]
    if moved:  # over the lines that had words, in proportion
        filled = [source for source in sources if source.strip()]
        words = _BREAK.sub(" ", translation.text.strip())
        slices = iter(partition(filled, [True] * (len(filled) - 1), words)[0])
        targets = [Translation(next(slices) if text.strip() else text) for text in sources]
    else:
        source_at = target_at = 0
        for source, text in zip(sources, texts, strict=True):
            ends = source_at + len(source), target_at + len(text)
            targets.append(wanted.part((source_at, ends[0]), (target_at, ends[1])))
            source_at, target_at = ends[0] + 1, ends[1] + 1
    placed: list[Placed[R]] = []
    lost = 0
    for runs, source, target in zip(lines, sources, targets, strict=True):
        if source != target.text and (source.strip() or target.text.strip()):
            groups, missing = place_words(unite(runs), target, movable=movable)
            placed += _space_marks(groups)
            lost += missing
    return [p for p in placed if p.is_new or p.ahead or p.behind], Loss(lost, int(moved))


def _space_marks(placed: Sequence[Placed[R]]) -> Sequence[Placed[R]]:
    """Put a blank on both sides of a mark that had them: translators take two for one gap."""
    if any(p.ahead or p.behind for p in placed):
        return placed
    spaced = [p.text for p in placed]
    for index, (left, right) in enumerate(pairwise(p.group for p in placed)):
        before, after = spaced[index], spaced[index + 1]
        blanks = left.text.endswith(" ") and right.text.startswith(" ")
        if right.hard and blanks and before.strip() and after.strip():
            inner = len(after) - len(after.lstrip(" ")) + len(before) - len(before.rstrip(" "))
            spaced[index] = before.rstrip(" ") + " "
            spaced[index + 1] = " " * max(1, inner - 1) + after.lstrip(" ")
    return [replace(p, text=text) for p, text in zip(placed, spaced, strict=True)]
