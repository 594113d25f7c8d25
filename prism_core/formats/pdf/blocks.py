"""From glyphs to lines, and from lines to paragraphs: what stands together, and in what order.

entry: `blocks_of`; for lines `groups_of_lines` -> `_drop_doubles` -> `_split_at_spaces` -> pdfminer
-> `_rejoin`; for paragraphs `blocks_of_groups` -> `_starts_paragraph` (the rules one by one) ->
`_block` -> `_join_lines`.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from pdfminer.layout import LAParams, LTLayoutContainer, LTTextLine

from prism_core.formats.pdf.geometry import (
    THIN,
    Box,
    bounding_box,
    edges_of,
    frame_matrix,
    invert,
    is_parted,
    transform,
)
from prism_core.formats.pdf.glyphs import Glyph, PageGlyphs
from prism_core.formats.pdf.style import Style
from prism_core.formats.text import has_words
from prism_core.languages import LineEnds, load_language, source_languages

_PARAMS = LAParams(all_texts=True, boxes_flow=None)
_LONGEST_RAISED = 4
_NEAR = 0.08
_MOST_SPACES = 2
_PRESENTATION = re.compile("[\ufb00-\ufb06\U0001d400-\U0001d7ff]")
"""Ligatures, and letters in the italic or bold of formulas."""
_ITEM = re.compile(r"([•·▪◦‣●○■□\u2013—*-]|\(?(\d{1,3}|[A-Za-z]|[ivxIVX]{1,4})[.)])\s")
_BROKEN_WORD = re.compile(r"[^\W\d_]{2,}[-\u2010\u00ad]$")
_LEVEL = 1.5
_MOST_ENTRY_WORDS = 4
_MOST_QUESTION_WORDS = 12
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class TextLine:
    """One line of text in its frame; ``shows`` are the operators that drew it."""

    text: str
    box: Box
    baseline: float
    size: float
    style: Style
    shows: frozenset[int]
    first: int
    """The number of its earliest glyph, in drawing order."""

    @property
    def first_word_width(self) -> float:
        """About how wide its first word is drawn."""
        return self.box.width * len(self.text.split(" ", 1)[0]) / max(len(self.text), 1)


_Group = Sequence[TextLine]
"""Lines that stand close together, from the top down."""


def groups_of_lines(glyphs: Sequence[Glyph]) -> list[list[TextLine]]:
    """The lines of a frame, those that stand close together in one group, from the top down."""
    readable = [glyph for glyph in _drop_doubles(glyphs) if glyph.mapped]
    if not readable:
        return []
    frame = LTLayoutContainer(bounding_box(glyph.box for glyph in readable))
    pieces = [
        piece
        for stretch in _split_at_spaces(readable)
        for piece in frame.group_objects(_PARAMS, stretch)
        if not piece.is_empty()
    ]
    rows = [row for row in _rejoin(pieces) if not row.is_empty()]
    boxes = frame.group_textlines(_PARAMS, rows)
    return [[_line(row) for row in sorted(box, key=lambda row: -row.y1)] for box in boxes]


def _split_at_spaces(glyphs: Sequence[Glyph]) -> Iterator[list[Glyph]]:
    """Break the glyphs where several spaces stand for the gap between two columns."""
    stretch: list[Glyph] = []
    spaces: list[Glyph] = []
    for glyph in glyphs:
        if glyph.get_text().isspace():
            spaces.append(glyph)
            continue
        if len(spaces) > _MOST_SPACES and stretch:
            yield stretch
            stretch = []
        elif stretch:
            stretch += spaces
        spaces = []
        stretch.append(glyph)
    if stretch:
        yield stretch


def _drop_doubles(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Drop a glyph drawn again at nearly the same place, as programs do to feign bold or shadow.

    The first of them stands for the operators of all, so that none goes on showing the text.
    """

    def letter_and_place(glyph: Glyph) -> tuple[str, int, float]:
        level = round(glyph.baseline / max(glyph.size, 0.1) / (2 * _NEAR))
        return glyph.get_text(), level, glyph.x0

    inked = [glyph for glyph in glyphs if not glyph.get_text().isspace()]
    piles: list[list[Glyph]] = []
    for glyph in sorted(inked, key=letter_and_place):
        last = piles[-1][-1] if piles else glyph
        near = _NEAR * last.size
        if (
            piles
            and glyph.get_text() == last.get_text()
            and abs(glyph.baseline - last.baseline) < near
            and abs(glyph.x0 - last.x0) < near
        ):
            piles[-1].append(glyph)
        else:
            piles.append([glyph])
    dropped: set[int] = set()
    for pile in piles:
        first, *others = sorted(pile, key=lambda glyph: glyph.number)
        first.doubles = frozenset(glyph.show for glyph in others)
        dropped.update(glyph.number for glyph in others)
    return [glyph for glyph in glyphs if glyph.number not in dropped]


def _rejoin(pieces: list[LTTextLine]) -> list[LTTextLine]:
    """Put raised, lowered and separately drawn pieces back into the line they stand in."""
    rows: list[LTTextLine] = []
    for piece in sorted(pieces, key=lambda piece: piece.x0):
        for row in reversed(rows[-200:]):
            if _continues(row, piece):
                for glyph in _glyphs(piece):
                    row.add(glyph)
                break
        else:
            rows.append(piece)
    return sorted(rows, key=lambda row: min(_glyphs(row), key=lambda glyph: glyph.number).number)


def _continues(row: LTTextLine, piece: LTTextLine) -> bool:
    height = min(row.height, piece.height)
    gap = piece.x0 - row.x1
    if not -0.3 * height < gap < 0.35 * height:
        return False
    smaller = min((row, piece), key=lambda each: each.height)
    alike = max(row.height, piece.height) < 1.25 * height
    return bool(
        row.is_voverlap(piece)
        and row.voverlap(piece) > 0.45 * height
        and (alike or len(_glyphs(smaller)) <= _LONGEST_RAISED)
    )


def _glyphs(row: Iterable[object]) -> list[Glyph]:
    return [item for item in row if isinstance(item, Glyph)]


def _line(row: LTTextLine) -> TextLine:
    glyphs = _glyphs(row)
    inked = [glyph for glyph in glyphs if not glyph.get_text().isspace()]
    spelled = _PRESENTATION.sub(
        lambda match: unicodedata.normalize("NFKC", match[0]), row.get_text()
    )
    return TextLine(
        text=" ".join(spelled.split()),
        box=bounding_box(glyph.box for glyph in inked),
        baseline=Counter(round(glyph.baseline, 1) for glyph in inked).most_common(1)[0][0],
        size=median(glyph.size for glyph in inked),
        style=Counter(glyph.style for glyph in inked).most_common(1)[0][0],
        shows=frozenset(show for glyph in glyphs for show in (glyph.show, *glyph.doubles)),
        first=min(glyph.number for glyph in glyphs),
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
        return has_words(self.text)


def line_ends_of(language: str) -> LineEnds:
    """What tells lines of ``language`` (ISO 639-1), or of any where that is none we know."""
    known = source_languages()
    codes = [language] if language in known else known
    ends = [load_language(code).line_ends for code in codes]
    return LineEnds(
        leads_on=frozenset().union(*(each.leads_on for each in ends)),
        keeps_hyphen=frozenset().union(*(each.keeps_hyphen for each in ends)),
    )


def blocks_of(found: PageGlyphs, words: LineEnds) -> list[PdfBlock]:
    """The paragraphs of a page in drawing order, which is most often the order of reading."""
    blocks = []
    rules = edges_of(found.page.rules)
    for angle, glyphs in found.frames.items():
        turned = [transform(rule, invert(frame_matrix(angle))) for rule in rules]
        across = [rule for rule in turned if rule.height < THIN < rule.width]
        groups = groups_of_lines(glyphs)
        blocks += blocks_of_groups(groups, words, found.page.number, angle, across)
    return sorted(blocks, key=lambda block: block.first)


def blocks_of_groups(
    groups: Sequence[_Group],
    words: LineEnds,
    page: int,
    angle: int,
    rules: Sequence[Box] = (),
) -> list[PdfBlock]:
    """The paragraphs of lines that stand together in groups, all in the frame of ``angle``.

    ``words`` are those of the language; ``rules`` are horizontal rules in that frame, which part
    paragraphs.
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
                or _starts_paragraph(group, index, column, usual, words)
            ):
                paragraphs.append([])
            paragraphs[-1].append(line)
        blocks += [_block(lines, column, page, angle, words) for lines in paragraphs]
    return sorted(blocks, key=lambda block: block.first)


def _table_rows(groups: Sequence[_Group]) -> set[int]:
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


def _starts_paragraph(group: _Group, index: int, column: Box, usual: float, ends: LineEnds) -> bool:
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
            and words[-1].lower() not in ends.leads_on
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


def _block(
    lines: Sequence[TextLine], column: Box, page: int, angle: int, words: LineEnds
) -> PdfBlock:
    steps = [a.baseline - b.baseline for a, b in pairwise(lines)]
    box = bounding_box(line.box for line in lines)
    return PdfBlock(
        text=_join_lines([line.text for line in lines], words.keeps_hyphen),
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


def _join_lines(texts: Sequence[str], keeps_hyphen: Collection[str]) -> str:
    """The lines as one text, a word broken at a line's end made whole where that is safe."""
    whole = texts[0]
    for text in texts[1:]:
        if _BROKEN_WORD.search(whole) and text[:1].islower():
            start = re.split(r"[\s-]", whole[:-1].lower())[-1]
            hard = whole[-1] != "\u00ad" and start in keeps_hyphen  # it is written with a hyphen
            whole = (whole if hard else whole[:-1]) + text
        elif whole.endswith("\u00ad"):
            whole = whole[:-1] + text
        else:
            whole = f"{whole} {text}"
    return whole.replace("\u00ad", "")
