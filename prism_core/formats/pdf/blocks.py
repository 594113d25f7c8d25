"""From lines to paragraphs: which lines belong together, in what order, and how they join.

entry: `blocks_of`; then `blocks_of_groups` -> `_starts_paragraph` (the rules one by one) ->
`_block` -> `_join_lines`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from prism_core.formats.pdf.geometry import (
    THIN,
    Box,
    bounding_box,
    edges_of,
    is_parted,
    rotation,
    transform_all,
)
from prism_core.formats.pdf.glyphs import PageGlyphs
from prism_core.formats.pdf.lines import TextLine, groups_of_lines
from prism_core.formats.pdf.style import Style

_ITEM = re.compile(r"([•·▪◦‣●○■□\u2013—*-]|\(?(\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})[.)])\s")
_BROKEN_WORD = re.compile(r"[^\W\d_]{2,}[-\u2010\u00ad]$")
_LEVEL = 1.5
_MOST_ENTRY_WORDS = 4
_MOST_QUESTION_WORDS = 12
_LEADS_ON = frozenset(
    {
        *("a", "an", "and", "as", "at", "by", "de", "for", "from", "in", "into", "la", "of", "on"),
        *("or", "our", "over", "per", "than", "that", "the", "to", "under", "with", "your", "&"),
    }
)
_LETTER = re.compile(r"[^\W\d_]")
_KEEPS_HYPHEN = frozenset(
    {
        *("all", "anti", "co", "cross", "ex", "half", "high", "long", "low", "mid", "multi", "non"),
        *("off", "post", "pre", "pro", "pseudo", "quasi", "self", "semi", "short", "sub", "two"),
        *("three", "under", "up", "vice", "well"),
    }
)


@dataclass(frozen=True, slots=True)
class PdfBlock:
    """One paragraph of a page, in a frame turned back by ``angle`` degrees.

    ``leading`` is the distance of its baselines in points, 0 with a single line; ``align`` one of
    ``left``, ``center``, ``right``; ``shows`` the operators that drew it (see ``Glyph.show``).
    """

    text: str
    box: Box
    lines: tuple[Box, ...]
    baseline: float
    size: float
    style: Style
    leading: float = 0.0
    align: str = "left"
    page: int = 0
    angle: int = 0
    shows: frozenset[int] = frozenset()
    first: int = 0

    @property
    def has_words(self) -> bool:
        """Whether there is a letter or a digit in it."""
        return any(map(str.isalnum, self.text))


def blocks_of(found: PageGlyphs) -> list[PdfBlock]:
    """The paragraphs of a page in drawing order, which is most often the order of reading."""
    blocks = []
    rules = edges_of(found.page.rules)
    for angle, glyphs in found.frames.items():
        turned = transform_all(rules, rotation(-angle))
        across = [rule for rule in turned if rule.height < THIN < rule.width]
        blocks += blocks_of_groups(groups_of_lines(glyphs), found.page.number, angle, across)
    return sorted(blocks, key=lambda block: block.first)


def blocks_of_groups(
    groups: Sequence[Sequence[TextLine]], page: int, angle: int, rules: Sequence[Box] = ()
) -> list[PdfBlock]:
    """The paragraphs of lines that stand together in groups, all in the frame of ``angle``.

    ``rules`` are horizontal rules in that frame, which part paragraphs.
    """
    rows = _table_rows(groups)
    blocks = []
    for group in groups:
        column = bounding_box(line.box for line in group)
        usual = median(a.baseline - b.baseline for a, b in pairwise(group)) if group[1:] else 0.0
        paragraphs: list[list[TextLine]] = []
        for index, line in enumerate(group):
            if (
                not index
                or line.first in rows
                or is_parted(group[index - 1].box, line.box, rules)
                or _starts_paragraph(group, index, column, usual)
            ):
                paragraphs.append([])
            paragraphs[-1].append(line)
        blocks += [_block(lines, column, page, angle) for lines in paragraphs]
    return sorted(blocks, key=lambda block: block.first)


def _table_rows(groups: Sequence[Sequence[TextLine]]) -> set[int]:
    """The lines (by ``Line.first``) that stand on one row with figures of other columns.

    One figure to the left alone is no sign of a table: it may be the number of the line.
    """
    levels: dict[int, list[tuple[int, TextLine]]] = {}
    for number, group in enumerate(groups):
        for line in group:
            levels.setdefault(round(line.baseline / _LEVEL), []).append((number, line))
    rows = set()
    for level, lines in levels.items():
        near = [*levels.get(level - 1, ()), *lines, *levels.get(level + 1, ())]
        for number, line in lines:
            figures = [
                other for own, other in near if own != number and not _LETTER.search(other.text)
            ]
            if len(figures) > 1 or any(other.box.x0 > line.box.x1 for other in figures):
                rows.add(line.first)
    return rows


def _starts_paragraph(group: Sequence[TextLine], index: int, column: Box, usual: float) -> bool:
    """Whether line ``index`` begins one; the lines of ``group`` are ``usual`` points apart."""
    before, line = group[index - 1], group[index]
    if _BROKEN_WORD.search(before.text) and line.text[:1].islower():
        return False
    smaller, larger = sorted((before.size, line.size))
    shared = before.box.clip(line.box).height
    step = before.baseline - line.baseline
    words, following = before.text.split(), line.text.split()
    fewer, more = sorted((len(words), len(following)))
    free = (column.x1 - before.box.x1) * (2 if _is_centred(before.box, column) else 1)
    insets = [other.box.x0 - column.x0 for other in group[index - 1 : index + 2]]
    return bool(
        # it looks different, stands on one row with the line before, or clearly apart from it
        larger > 1.2 * smaller
        or before.style.bold != line.style.bold
        or shared > 0.6 * min(before.box.height, line.box.height)
        or step > max(1.25 * usual, 1.3 * line.size, 0.1)
        # cells: figures, or a few words each with more than a text's leading between them
        or not (_LETTER.search(before.text) and _LETTER.search(line.text))
        or (fewer < 4 and step > 1.4 * line.size)
        or _ITEM.match(line.text)
        # a few words each, the second with a capital: lines of an address, a title page, a list
        or (
            more <= (_MOST_QUESTION_WORDS if words[-1][-1] in "?:" else _MOST_ENTRY_WORDS)
            and not following[0][0].islower()
            and words[-1][-1] not in ",-\u2013"
            and words[-1].lower() not in _LEADS_ON
        )
        # the line above ends early although the next word would have fitted: a hard end
        or free > 1.15 * line.first_word_width + 0.4 * before.size
        # a first line set in from the left, with the lines before and after it at the edge
        or (
            insets[1] > 0.8 * line.size
            and max(insets[::2]) < 0.3 * line.size
            and not _is_centred(line.box, column)
            and not _ITEM.match(before.text)
        )
    )


def _is_centred(line: Box, column: Box) -> bool:
    left, right = line.x0 - column.x0, column.x1 - line.x1
    return left > 1 and abs(left - right) < 0.1 * column.width


def _block(lines: Sequence[TextLine], column: Box, page: int, angle: int) -> PdfBlock:
    steps = [a.baseline - b.baseline for a, b in pairwise(lines)]
    box = bounding_box(line.box for line in lines)
    return PdfBlock(
        text=_join_lines([line.text for line in lines]),
        page=page,
        angle=angle,
        box=box,
        lines=tuple(line.box for line in lines),
        baseline=lines[0].baseline,
        leading=median(steps) if steps else 0.0,
        size=median(line.size for line in lines),
        style=max(lines, key=lambda line: len(line.text)).style,
        align=_alignment_of(lines, column),
        shows=frozenset().union(*(line.shows for line in lines)),
        first=min(line.first for line in lines),
    )


def _alignment_of(lines: Sequence[TextLine], column: Box) -> str:
    slack = 0.25 * lines[0].size
    lefts = [line.box.x0 - column.x0 for line in lines]
    rights = [column.x1 - line.box.x1 for line in lines]
    if max(lefts) <= slack or (len(lines) > 1 and max(lefts[1:]) <= slack):
        return "left"
    if max(rights) <= slack and max(lefts) > slack:
        return "right"
    if all(abs(left - right) <= 2 * slack for left, right in zip(lefts, rights, strict=True)):
        return "center"
    return "left"


def _join_lines(texts: Sequence[str]) -> str:
    """The lines as one text, a word broken at a line's end made whole where that is safe."""
    whole = texts[0]
    for text in texts[1:]:
        if _BROKEN_WORD.search(whole) and text[:1].islower():
            start = re.split(r"[\s-]", whole[:-1].lower())[-1]
            hard = whole[-1] != "\u00ad" and start in _KEEPS_HYPHEN  # it is written with a hyphen
            whole = (whole if hard else whole[:-1]) + text
        elif whole.endswith("\u00ad"):
            whole = whole[:-1] + text
        else:
            whole = f"{whole} {text}"
    return whole.replace("\u00ad", "")
