"""Build paragraphs of the flow, and find running lines at the edges of pages, which do not flow.

Headers, footers and page numbers stand once in the header or footer of the flowing document, the
number of a page as a field.

Entry: `measure_document`; `build_paragraph` for each block; `rejoin_paragraphs` where a page cut
one. `find_running_lines`; then `_find_at_edges` -> `_repeats` -> `_find_outermost` -> `_is_steady`
-> `_merge_running_lines`, which puts fields in the place of page numbers.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, pairwise, product

from prism_core.formats.pdf.content import PageContent
from prism_core.formats.pdf.flowing.flow_model import (
    Element,
    FlowBlock,
    FlowParagraph,
    FlowSheet,
    is_right_of_on_row,
)
from prism_core.formats.pdf.geometry import Box, bounding_box
from prism_core.formats.pdf.list_markers import LABEL_SIGNS

_LABEL = re.compile(
    rf"([\u2014{LABEL_SIGNS}]|§+ ?\d+"
    r"|\d{1,3}(\.\d{1,3})*[.)]?|\(?(\d{1,2}|[A-Za-z]|[ivxIVX]{1,4})[.)]?)"
)
_SENTENCE_END = re.compile(r"[.!?:;][\"'”’)\]]*$")
_LARGER = 1.15
_LONGEST_HEADING = 200
_MOST_LEVELS = 4
_NEAR_LABEL = 60.0


@dataclass(frozen=True, slots=True)
class Measures:
    """Usual text size of a document, and the sizes of its headings, from the largest on."""

    size: float
    headings: tuple[float, ...]

    def level(self, block: FlowBlock) -> int:
        """Return 1 to 4 for a heading, 0 for other text."""
        if len(block.text) > _LONGEST_HEADING or block.lines > 4:
            return 0
        if not any(map(str.isalpha, block.source)):
            return 0
        size = _round_size(block.size)
        return min(self.headings.index(size) + 1, _MOST_LEVELS) if size in self.headings else 0


def measure_document(blocks: Sequence[FlowBlock]) -> Measures:
    """Return the size that most letters have, and the sizes clearly above it."""
    letters: Counter[float] = Counter()
    for block in blocks:
        letters[_round_size(block.size)] += len(block.source)
    size = letters.most_common(1)[0][0] if letters else 11.0
    larger = sorted(
        (letter_size for letter_size in letters if letter_size > _LARGER * size), reverse=True
    )
    return Measures(size, tuple(larger))


def _round_size(size: float) -> float:
    return round(size * 2) / 2


def is_label(left: FlowBlock, right: FlowBlock) -> bool:
    """Return True if ``left`` is the number or the bullet of an item that ``right`` begins."""
    near = right.box.x0 - left.box.x1 < _NEAR_LABEL
    return near and _LABEL.fullmatch(left.source) is not None


def find_text_area(blocks: Iterable[FlowBlock], sheet: FlowSheet) -> Box:
    """Return the area of the text of a page."""
    boxes = [block.box for block in blocks if not block.angle]
    page = Box(sheet.left, sheet.bottom, sheet.width - sheet.right, sheet.height - sheet.top)
    return bounding_box(boxes) if boxes else page


def build_paragraph(
    blocks: Sequence[FlowBlock], area: Box, columns: bool, measures: Measures, space: float
) -> FlowParagraph:
    """Build one paragraph of a page whose text stands in ``area``.

    In ``columns``, or beside other text, its position says nothing about its indent.
    """
    first, last = blocks[0], blocks[-1]
    labelled = len(blocks) > 1
    level = 0 if labelled and not first.size > _LARGER * measures.size else measures.level(last)
    align = "left" if labelled else _find_alignment(first, area, columns)
    indent = max(first.box.x0 - area.x0, 0.0)
    plain = align == "left" and not columns and not first.angle
    return FlowParagraph(
        tuple(blocks),
        level=level,
        labelled=labelled,
        align=align,
        space=min(max(space, 0.0), 24.0),
        indent=min(indent, area.width / 3) if plain and indent > 6 else 0.0,
    )


def _find_alignment(block: FlowBlock, area: Box, columns: bool) -> str:
    if block.angle:
        return "left"
    left, right = block.box.x0 - area.x0, area.x1 - block.box.x1
    crosses = block.box.x0 < (area.x0 + area.x1) / 2 < block.box.x1
    if block.lines > 1:
        return block.align
    if crosses and left > 0.08 * area.width and abs(left - right) < 0.03 * area.width:
        return "center"
    if columns:
        return "left"
    return "right" if left > 0.4 * area.width and right < 0.02 * area.width else "left"


def has_columns(blocks: Sequence[FlowBlock]) -> bool:
    """Return True if the text of a page stands in columns: tall blocks beside each other."""
    tall = [block for block in blocks if block.lines > 3 and not block.angle]
    pairs = product(tall, tall)
    return any(b.box.x0 > a.box.x1 and a.box.clip(b.box).height > 0 for a, b in pairs)


def rejoin_paragraphs(parts: Sequence[Element]) -> list[Element]:
    """Rejoin paragraphs that the end of a page or column cut in two.

    Content between the parts, such as a footnote in smaller letters, follows them.
    """
    result: list[Element] = []
    for part in parts:
        if not isinstance(part, FlowParagraph) or not _append_to_beginning(part, result):
            result.append(part)
    return result


def _append_to_beginning(part: FlowParagraph, done: list[Element]) -> bool:
    """Append ``part`` to the paragraph of ``done`` that it continues; return False if none."""
    for place in range(len(done) - 1, max(len(done) - 7, -1), -1):
        before = done[place]
        if not isinstance(before, FlowParagraph):
            return False
        if _goes_on(before, part):
            done[place] = replace(before, blocks=(*before.blocks, *part.blocks))
            return True
        if any(block.size >= 0.93 * part.blocks[0].size for block in before.blocks):
            return False
    return False


def _goes_on(before: FlowParagraph, part: FlowParagraph) -> bool:
    last, first = before.blocks[-1], part.blocks[0]
    moved = first.page == last.page + 1 or (
        first.page == last.page and first.box.y1 > last.box.y1 and first.box.x0 > last.box.x1
    )
    return (
        moved
        and not part.labelled
        and not last.angle
        and not first.angle
        and before.level == part.level == 0
        and abs(last.size - first.size) < 0.5
        and last.style.bold == first.style.bold
        and first.source[:1].islower()
        and not _SENTENCE_END.search(last.source)
    )


PAGE, PAGES = "\ue000", "\ue001"
"""Placeholders in a text for the number of the page, and for the number of pages."""

_EDGE = 0.13
"""Share of a page's height, at its top and at its bottom, where running lines stand."""
_MARGIN = 0.13
_OFTEN = 0.4
_MOST_SHORT_PAGES = 4
_NUMBER = re.compile(r"\d+")
_ROMAN = re.compile(r"[ivxlc]+|[IVXLC]+")
_LONGEST_NUMBER = 4
_FEWEST_LINES = 12
_SAME_EDGE = 8.0


@dataclass(frozen=True, slots=True)
class RunningLines:
    """Running lines; ``block_ids`` are the ids of blocks that do not flow.

    ``left_out`` counts those that stand nowhere: they differ on every page, as a number stamped on
    it does.
    """

    block_ids: frozenset[int]
    header: tuple[FlowParagraph, ...]
    footer: tuple[FlowParagraph, ...]
    left_out: int
    title_page: bool


def find_running_lines(pages: Sequence[tuple[PageContent, Sequence[FlowBlock]]]) -> RunningLines:
    """Find the running lines at the edges of ``pages``, by the ``id`` of their blocks."""
    groups: dict[tuple[str, str], list[FlowBlock]] = defaultdict(list)
    for page, blocks in pages:
        for spot, block in _find_at_edges(page, blocks):
            # the key that running lines of several pages share; at the side it has their position,
            # since line numbers and watermarks stand there, or else the text of the page
            if spot == "side":
                name = f"{block.source} {[round(edge / 4) for edge in block.box]}"
            else:
                name = _mask_numbers(block.source)
            groups[spot, name].append(block)
    repeated = {
        key: blocks_of_group
        for key, blocks_of_group in groups.items()
        if _repeats(blocks_of_group, key[0], len(pages))
    }
    outermost = set(
        _find_outermost(
            pages, {id(p) for blocks_of_group in repeated.values() for p in blocks_of_group}
        )
    )
    lines: dict[str, list[FlowBlock]] = {"top": [], "bottom": []}
    removed = {id(block) for _, blocks in pages for block in _find_line_numbers(blocks)}
    left_out = len(removed)
    for (spot, _), blocks_of_group in repeated.items():
        remaining = [
            p
            for p in blocks_of_group
            if id(p) not in removed and (spot == "side" or id(p) in outermost)
        ]
        if _repeats(remaining, spot, len(pages)) and _is_steady(remaining):
            removed |= {id(block) for block in remaining}
            line = None if spot == "side" else _merge_running_lines(remaining, len(pages))
            if line is None:
                left_out += len(remaining)
            else:
                lines[spot].append(line)
    first = pages[0][1] if pages else ()
    return RunningLines(
        block_ids=frozenset(removed),
        header=tuple(_join_rows(lines["top"])),
        footer=tuple(_join_rows(lines["bottom"])),
        left_out=left_out,
        title_page=any(lines.values()) and not any(id(block) in removed for block in first),
    )


def _find_at_edges(
    page: PageContent, blocks: Sequence[FlowBlock]
) -> Iterator[tuple[str, FlowBlock]]:
    """Yield the blocks at the ``top``, the ``bottom`` or the ``side``, with that word."""
    height, width = page.page.height, page.page.width
    for block in blocks:
        beside = block.box.x1 < _MARGIN * width or block.box.x0 > (1 - _MARGIN) * width
        at_edge = block.box.y0 > (1 - _EDGE) * height or block.box.y1 < _EDGE * height
        if not block.angle and at_edge:
            yield "top" if block.box.y0 > height / 2 else "bottom", block
        elif block.angle or beside:
            yield "side", block


def _find_line_numbers(blocks: Sequence[FlowBlock]) -> list[FlowBlock]:
    """Return the numbers 1, 2, 3 … of the lines of a pleading or transcript, below each other."""
    numbers: list[FlowBlock] = []
    for block in sorted(blocks, key=lambda block: -block.box.y1):
        counted = block.source == str(len(numbers) + 1) and not block.angle
        if counted and (not numbers or abs(block.box.x1 - numbers[0].box.x1) < _SAME_EDGE):
            numbers.append(block)
    first = min((block.box.x0 for block in numbers), default=0.0)
    wordy = (block for block in blocks if not block.angle and any(map(str.isalpha, block.source)))
    leftmost = all(block.box.x0 >= first for block in wordy)
    return numbers if len(numbers) >= _FEWEST_LINES and leftmost else []


def _mask_numbers(text: str) -> str:
    """Return the text with its numbers masked: the part of a line that pages share."""
    return "#" if _ROMAN.fullmatch(text.strip("-– ")) else _NUMBER.sub("#", text)


def _repeats(blocks: Sequence[FlowBlock], spot: str, pages: int) -> bool:
    """Return True if the line is on enough pages: two of a few, three of many.

    Numbers alone, and text at the side, must be on most.
    """
    on = {block.page for block in blocks}
    if spot == "side":
        return len(on) > 2 and len(on) >= _OFTEN * pages
    if blocks and not any(map(str.isalpha, _mask_numbers(blocks[0].source))):
        return len(on) > 1 and len(on) >= 0.5 * pages
    return len(on) >= (2 if pages <= _MOST_SHORT_PAGES else 3)


def _find_outermost(
    pages: Sequence[tuple[PageContent, Sequence[FlowBlock]]], candidates: Collection[int]
) -> Iterator[int]:
    """Yield the ids of candidates with only candidates between them and the edge of the page."""
    for _, blocks in pages:
        upright = [block for block in blocks if not block.angle]
        others = [block for block in upright if id(block) not in candidates]
        top = max((block.box.y1 for block in others), default=0.0)
        bottom = min((block.box.y0 for block in others), default=0.0)
        for block in upright:
            at_edge = block.box.y1 >= top or block.box.y0 <= bottom
            if id(block) in candidates and at_edge:
                # beside several texts that do not repeat it is in a table row, no header
                y0, y1 = block.box.y0, block.box.y1
                if sum(other.box.y0 < y1 and other.box.y1 > y0 for other in others) < 2:
                    yield id(block)


def _merge_running_lines(blocks: Sequence[FlowBlock], pages: int) -> FlowBlock | None:
    """Return the line that stands for all of ``blocks``, with fields for page numbers.

    Returns None where hardly any page has it (the title of a chapter, which its heading says too),
    and where a number goes up but is no page number: one stamped on each.
    """
    if pages > _MOST_SHORT_PAGES and len({block.page for block in blocks}) < _OFTEN * pages:
        return None
    first = blocks[0]
    if all(block.source == first.source for block in blocks):
        return first
    if _ROMAN.fullmatch(first.source):
        return replace(first, text=PAGE)
    text: str | None = first.text
    for values in reversed(_read_numbers(blocks)):
        if len(set(values)) > 1:
            longest = max(map(len, values))
            stamped = longest > _LONGEST_NUMBER or any(value.startswith("0") for value in values)
            text = None if stamped else _replace_number(text, values[0], PAGE)
        elif (
            values[0] == str(pages)
            and text
            and PAGES not in text
            and len(_read_numbers(blocks)) > 1
        ):
            text = _replace_number(text, values[0], PAGES) or text
    return None if text is None else replace(first, text=text)


def _read_numbers(blocks: Sequence[FlowBlock]) -> list[tuple[str, ...]]:
    """Return the values of each number of a line, page by page."""
    return list(zip(*(_NUMBER.findall(block.source) for block in blocks), strict=False))


def _is_steady(blocks: Sequence[FlowBlock]) -> bool:
    """Return True if its numbers stay, or go up by one from page to page."""
    for values in _read_numbers(blocks):
        ahead = [int(value[-9:]) - block.page for block, value in zip(blocks, values, strict=True)]
        if len(set(values)) > 1 and max(map(ahead.count, set(ahead))) <= 0.7 * len(ahead):
            return False
    return True


def _replace_number(text: str | None, number: str, by: str) -> str | None:
    """Replace ``number`` in ``text``; return None if it is not there."""
    if text is None:
        return None
    changed, count = re.subn(rf"(?<!\d){number}(?!\d)", by, text, count=1)
    return changed if count else None


def _join_rows(blocks: Iterable[FlowBlock]) -> Iterator[FlowParagraph]:
    """Yield the lines from the top down; blocks at one height join one line."""
    ordered = sorted(blocks, key=lambda block: (-round(block.box.y0 / 4), block.box.x0))
    for _, row in groupby(ordered, key=lambda block: round(block.box.y0 / 4)):
        line = list(row)
        is_one_line = all(is_right_of_on_row(a, b) for a, b in pairwise(line))
        for line_blocks in [line] if is_one_line else [[block] for block in line]:
            yield FlowParagraph(tuple(line_blocks))
