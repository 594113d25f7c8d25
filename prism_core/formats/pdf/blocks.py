"""Group lines into paragraphs, in reading order.

Entry: `find_blocks` -> `split_into_blocks` -> `_starts_paragraph` (the rules one by one).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from itertools import pairwise
from statistics import median

from prism_core.formats.pdf.block import (
    BROKEN_TERM,
    BROKEN_WORD,
    SENTENCE_END,
    PdfBlock,
    begins_small,
    join_blocks,
    join_lines,
    may_continue,
)
from prism_core.formats.pdf.geometry import (
    MAX_RULES,
    THIN,
    Box,
    bounding_box,
    frame_matrix,
    invert,
    is_separated_by_rule,
    split_into_edges,
    transform,
)
from prism_core.formats.pdf.glyphs import PageGlyphs
from prism_core.formats.pdf.list_items import find_drawn_bullets, find_items
from prism_core.formats.pdf.list_markers import find_leaders, read_markers
from prism_core.formats.pdf.table_cells import EXACT, Group, find_table_rows, wraps_in_cell
from prism_core.formats.pdf.text_lines import LETTER, TextLine, find_line_groups
from prism_core.languages import LineEnds, load_language, source_languages

_FARTHEST, _FARTHEST_NUMBERED = 2.7, 3.5
"""Largest distance of two lines of one paragraph, in font sizes; and where lines are numbered."""
_SPEAKER = re.compile(r"[QA]\b|[A-Z][A-Z .'’]+:")
"""Label of the person who asks, answers or speaks in a transcript."""
_LABEL = re.compile(r"[^.:]{2,40}:")
_SECTION = re.compile(r"(§ ?)?\d+(\.\d+)+\s")
_MOST_ENTRY_WORDS = 4
_MOST_QUESTION_WORDS = 12
_FEW_WORDS = 5
_MOST_INDENT, _DEEPEST = 4.5, 7.0
_NEARLY_FULL = 0.25
_OPENED = re.compile(r"[(\[][^()\[\]]*$")
_CLOSED = re.compile(r"[^()\[\]]*[)\]]")
_LINES_IN_BRACKETS = 3


def load_line_ends(language: str) -> LineEnds:
    """Load the line-end words of ``language`` (ISO 639-1), or of all languages if it is unknown."""
    known = source_languages()
    codes = [language] if language in known else known
    ends = [load_language(code).line_ends for code in codes]
    return LineEnds(
        leads_on=frozenset().union(*(found.leads_on for found in ends)),
        keeps_hyphen=frozenset().union(*(found.keeps_hyphen for found in ends)),
    )


def find_blocks(found: PageGlyphs, line_ends: LineEnds) -> list[PdfBlock]:
    """Return the paragraphs of a page in drawing order, which is most often the reading order."""
    blocks = []
    signs = list(found.find_unmapped_signs())
    found.page.rules.extend(transform(box, frame_matrix(angle)) for angle, box in signs)
    rules = split_into_edges(found.page.rules)
    drawn = (*found.page.rules[:MAX_RULES], *found.page.images)
    for angle, glyphs in found.frames.items():
        back = invert(frame_matrix(angle))
        turned = [transform(rule, back) for rule in rules]
        uprights = [rule for rule in turned if rule.width < THIN < rule.height]
        groups = find_line_groups(glyphs, uprights)
        alone = [box for sign_angle, box in signs if sign_angle == angle]
        alone += find_drawn_bullets(transform(box, back) for box in drawn)
        blocks += split_into_blocks(groups, line_ends, found.page.number, angle, turned, alone)
    return sorted(blocks, key=lambda block: block.first)


def split_into_blocks(
    groups: Sequence[Group],
    line_ends: LineEnds,
    page: int,
    angle: int,
    rules: Sequence[Box] = (),
    signs: Sequence[Box] = (),
) -> list[PdfBlock]:
    """Split groups of close lines, all in the frame of ``angle``, into paragraphs.

    ``line_ends`` are those of the language. ``rules`` are the drawn rules in that frame, which
    part paragraphs and cells. ``signs`` are glyphs in it without known text, and drawn bullets; a
    paragraph begins behind each.
    """
    across = [rule for rule in rules if rule.height < THIN < rule.width]
    uprights = [rule for rule in rules if rule.width < THIN < rule.height]
    rows, level = find_table_rows(groups), find_table_rows(groups, EXACT)
    items = find_items(groups, signs)
    blocks = []
    for group in groups:
        wordy = [line.box for line in group if line.fills_column]
        column = bounding_box(wordy or [line.box for line in group])
        usual = median(a.baseline - b.baseline for a, b in pairwise(group)) if group[1:] else 0.0
        wraps = wraps_in_cell(group, uprights, across)
        paragraphs: list[list[TextLine]] = []
        for index, line in enumerate(group):
            if (
                not index
                or line.first in items
                or (line.first in rows and not _goes_on_below(group[index - 1], line, level, wraps))
                or is_separated_by_rule(group[index - 1].box, line.box, across)
                or _starts_paragraph(group, index, column, usual, line_ends, wraps)
            ):
                paragraphs.append([])
            paragraphs[-1].append(line)
        for lines in paragraphs:
            block = _build_block(lines, column, page, angle, line_ends)
            blocks.append(replace(block, is_item=lines[0].first in items))
    cells = [block for block in blocks if block.first in rows]
    prose = [block for block in blocks if block.first not in rows]
    numbered = {line.first for group in groups for line in group if line.is_numbered}
    joined = _join_spaced(prose, across, line_ends.keeps_hyphen, numbered)
    return sorted([*cells, *joined], key=lambda block: block.first)


def _goes_on_below(before: TextLine, line: TextLine, level: Collection[int], wraps: bool) -> bool:
    """Return True if prose goes on in ``line``, or its cell ``wraps``; both are no table rows."""
    words = before.text.split()
    is_prose = (
        len(words) >= _FEW_WORDS
        and not SENTENCE_END.search(before.text)
        and begins_small(line.text)
        and abs(before.box.x0 - line.box.x0) < _MOST_INDENT * line.size
    )
    return (wraps or is_prose) and not (before.first in level and line.first in level)


def _join_spaced(
    blocks: Sequence[PdfBlock],
    rules: Sequence[Box],
    keeps_hyphen: Collection[str],
    numbered: Collection[int],
) -> list[PdfBlock]:
    """Join each block with its continuation below; lines in ``numbered`` stand at even steps."""
    joined: list[PdfBlock] = []
    open_indices: list[int] = []  # into ``joined``: blocks that a line may still continue
    for block in sorted(blocks, key=lambda block: -block.baseline):
        reach = (_FARTHEST_NUMBERED if block.first in numbered else _FARTHEST) * block.size
        open_indices = [n for n in open_indices if joined[n].last_baseline - block.baseline < 100]
        above = [
            n
            for n in open_indices
            if 0.5 * block.size < joined[n].last_baseline - block.baseline < reach
            and joined[n].box.clip(block.box).width > 0
        ]
        nearest = min(
            above, key=lambda n: (joined[n].last_baseline, -joined[n].box.x1), default=None
        )
        if nearest is not None and _goes_on(joined[nearest], block, rules, block.first in numbered):
            joined[nearest] = join_blocks(joined[nearest], block, keeps_hyphen)
        else:
            open_indices.append(len(joined))
            joined.append(block)
    return joined


def _goes_on(above: PdfBlock, below: PdfBlock, rules: Sequence[Box], is_numbered: bool) -> bool:
    last, step = above.lines[-1], above.last_baseline - below.baseline
    first_word = len(below.text.split(" ", 1)[0]) / len(below.text)
    first_word *= sum(line.width for line in below.lines)
    ends_entry = below.leaders is not None
    body = below.lines[:-1] if ends_entry else below.lines
    right = max(line.x1 for line in (*above.lines, *body))
    as_before = len(above.lines) > 1 and abs(step - above.leading) < 0.1 * above.leading
    is_lower = begins_small(below.text)
    as_before = as_before or (is_numbered and not _SPEAKER.match(below.text))
    is_cut = is_lower and (ends_entry or bool(BROKEN_TERM.search(above.text)))
    fills = right - last.x1 < first_word + 1.5 * below.size
    return (
        may_continue(above, below, is_cut)
        and above.leaders is None
        and not _begins_item(below.text, unfinished=True)
        and _is_aligned(above, below, is_numbered, is_lower)
        and (fills or is_cut or (is_numbered and is_lower))
        and (is_lower or as_before)
        and not is_separated_by_rule(last, below.lines[0], rules)
    )


def _is_aligned(above: PdfBlock, below: PdfBlock, is_numbered: bool, is_lower: bool) -> bool:
    """Return True if ``below`` begins under ``above``, or at the usual inset from its first line.

    The inset is that of an indented first line or of a list item. Where lines are numbered it may
    be any width up to half the block, and lines that begin small may be set in more, and hang.
    """
    size, begin = below.size, below.lines[0].x0
    if min(abs(begin - x) for x in (above.lines[-1].x0, above.box.x0)) < 0.6 * size:
        return True
    aside = above.lines[0].x0 - begin
    is_item = above.is_item or bool(read_markers(above.text) or _SECTION.match(above.text))
    most = 0.5 * below.box.width if is_numbered else size * (_DEEPEST if is_lower else _MOST_INDENT)
    least = -5 * size if is_item or is_lower or is_numbered else 0
    return len(above.lines) == 1 and least < aside < most


def _starts_paragraph(
    group: Group, index: int, column: Box, usual: float, line_ends: LineEnds, wraps: bool
) -> bool:
    """Return True if line ``index`` begins one; the lines are ``usual`` points apart."""
    before, line = group[index - 1], group[index]
    is_lower = begins_small(line.text)
    if is_lower and (BROKEN_WORD.search(before.text) or BROKEN_TERM.search(before.text)):
        return False
    shared = before.box.clip(line.box).height
    step = before.baseline - line.baseline
    words, following = before.text.split(), line.text.split()
    fewer, more = sorted((len(words), len(following)))
    free = (column.x1 - before.box.x1) * (2 if _is_centred(before.box, column) else 1)
    full = free <= 1.15 * line.first_word_width + 0.4 * before.size or (
        is_lower and len(words) > _FEW_WORDS and free < _NEARLY_FULL * column.width
    )
    unfinished = full and len(words) > _FEW_WORDS and not SENTENCE_END.search(before.text)
    ends_early = not _is_in_brackets(group, index) and (
        # a few words each, the second with a capital: lines of an address, a title page, a list
        (
            not wraps
            and more <= (_MOST_QUESTION_WORDS if words[-1][-1] in "?:" else _MOST_ENTRY_WORDS)
            and not following[0][0].islower()
            and words[-1][-1] not in ",-\u2013"
            and words[-1].lower() not in line_ends.leads_on
        )
        # a hard end: the next word would have fitted on the line above
        or not full
    )
    return bool(
        # it looks different, stands on one row with the line before, or clearly apart from it
        max(before.sizes[0], line.sizes[0]) > 1.2 * min(before.sizes[1], line.sizes[1])
        or (
            before.style.bold != line.style.bold
            and before.runs[-1][1].bold != line.runs[0][1].bold
            and not (unfinished and line.style.bold)
            and (not is_lower or SENTENCE_END.search(before.text))
        )
        or (line.is_lead and not before.style.bold and _LABEL.match(line.text))
        or shared > 0.6 * min(before.box.height, line.box.height)
        or before.leaders is not None
        or step > max(1.25 * usual, 1.3 * line.size, 0.1)
        # cells: figures, or a few words each with more than a text's leading between them
        or not (LETTER.search(before.text) and LETTER.search(line.text))
        or (fewer < 4 and step > 1.4 * line.size)
        or _begins_item(line.text, unfinished)
        or ends_early
        or (_is_set_in(group, index, column) and not read_markers(before.text))
    )


def _begins_item(text: str, unfinished: bool) -> bool:
    """Return True if ``text`` begins an item, unless it goes on with what is ``unfinished``."""
    if all(marker.is_bare for marker in read_markers(text)):
        return False
    marker, _, words = text.partition(" ")
    goes_on = words[:1].islower() or (words[:1].isalpha() and any(map(str.isalnum, marker)))
    return not (unfinished and goes_on)


def _is_set_in(group: Group, index: int, column: Box) -> bool:
    """Return True if a line is indented, and the lines before and after it are at the edge."""
    line = group[index]
    insets = [other.box.x0 - column.x0 for other in group[index - 1 : index + 2]]
    is_alone = insets[1] > 0.8 * line.size and max(insets[::2]) < 0.3 * line.size
    return is_alone and not _is_centred(line.box, column)


def _is_in_brackets(group: Group, index: int) -> bool:
    """Return True if line ``index`` lies in brackets opened just above it and closed just below."""
    above = " ".join(line.text for line in group[max(index - _LINES_IN_BRACKETS, 0) : index])
    below = " ".join(line.text for line in group[index : index + _LINES_IN_BRACKETS])
    return bool(_OPENED.search(above) and _CLOSED.match(below))


def _is_centred(line: Box, column: Box) -> bool:
    left, right = line.x0 - column.x0, column.x1 - line.x1
    return left > 1 and abs(left - right) < 0.1 * column.width


def _build_block(
    lines: Sequence[TextLine], column: Box, page: int, angle: int, line_ends: LineEnds
) -> PdfBlock:
    steps = [a.baseline - b.baseline for a, b in pairwise(lines)]
    box = bounding_box(line.box for line in lines)
    return PdfBlock(
        text=join_lines([line.text for line in lines], line_ends.keeps_hyphen),
        page=page,
        angle=angle,
        box=box,
        lines=tuple(line.box for line in lines),
        baseline=lines[0].baseline,
        leading=median(steps) if steps else 0.0,
        size=median(line.size for line in lines),
        style=max(lines, key=lambda line: len(line.text)).style,
        align=_find_alignment(lines, column),
        shows=frozenset().union(*(line.shows for line in lines)),
        first=min(line.first for line in lines),
        leaders=lines[-1].leaders,
        runs=tuple(run for line in lines for run in line.runs),
    )


def _find_alignment(lines: Sequence[TextLine], column: Box) -> str:
    if (found := find_leaders(lines[0].text)) and not found.start():
        return "right"
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
