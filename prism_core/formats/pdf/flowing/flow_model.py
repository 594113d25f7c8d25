"""Model of a flowing document: texts and pictures with their old position, paragraphs, tables.

Entry, for the order on a page: `sort_for_reading` for blocks as drawn, `find_place` for items that
are inserted between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from prism_core.formats.pdf.geometry import Box, bounding_box
from prism_core.formats.pdf.style import Style

_SLACK = 2.0
_LEAP = 40.0
_MOST_RUNS = 1_000


@dataclass(frozen=True, slots=True)
class FlowLink:
    """Address, and the words that link to it; they are empty where the whole paragraph does."""

    words: str
    address: str


@dataclass(frozen=True, slots=True)
class FlowBlock:
    """Segment, or a block without words; ``source`` is its text, ``text`` the translation.

    ``box`` is where it stood, in the frame of its ``angle`` (see ``PdfBlock``); ``notes`` are
    comments of readers on it.
    """

    source: str
    text: str
    page: int
    box: Box
    size: float
    style: Style
    align: str = "left"
    angle: int = 0
    lines: int = 1
    notes: tuple[str, ...] = ()
    links: tuple[FlowLink, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """PNG or JPEG file, and its position."""

    data: bytes
    page: int
    box: Box
    angle: int = 0


FlowItem = FlowBlock | Picture


@dataclass(frozen=True, slots=True)
class FlowParagraph:
    """Blocks that form one paragraph.

    They are joined by a space where a page cut it, and by a tab behind the number of a list item
    (``labelled``).

    ``level`` is that of a heading, 0 for other text; ``space`` in points above it; ``indent`` from
    the left edge of the text.
    """

    blocks: tuple[FlowBlock, ...]
    level: int = 0
    labelled: bool = False
    align: str = "left"
    space: float = 0.0
    indent: float = 0.0


@dataclass(frozen=True, slots=True)
class FlowCell:
    """Cell over ``columns`` and ``rows`` of the grid, from ``column`` on."""

    column: int
    items: tuple[FlowItem, ...]
    columns: int = 1
    rows: int = 1


@dataclass(frozen=True, slots=True)
class FlowTable:
    """Rows of cells; ``widths`` of the columns in points; ``ruled`` when lines are drawn."""

    rows: tuple[tuple[FlowCell, ...], ...]
    widths: tuple[float, ...]
    ruled: bool


Element = FlowParagraph | FlowTable | Picture


@dataclass(frozen=True, slots=True)
class FlowSheet:
    """Page of the flowing document, in points: its size and the margins of its text."""

    width: float
    height: float
    left: float
    right: float
    top: float
    bottom: float

    @property
    def text_width(self) -> float:
        """Width of the text in points."""
        return self.width - self.left - self.right

    @property
    def text_height(self) -> float:
        """Height of the text in points."""
        return self.height - self.top - self.bottom


@dataclass(frozen=True, slots=True)
class Facts:
    """Document properties."""

    title: str = ""
    subject: str = ""
    keywords: str = ""


@dataclass(slots=True)
class Flow:
    """Flowing document; ``title_page``: the first page has no running lines."""

    sheet: FlowSheet
    facts: Facts
    body: list[Element] = field(default_factory=list)
    header: list[FlowParagraph] = field(default_factory=list)
    footer: list[FlowParagraph] = field(default_factory=list)
    title_page: bool = False


def is_right_of_on_row(left: FlowItem, right: FlowItem) -> bool:
    """Return True if ``right`` stands beside ``left``, further to the right."""
    if left.angle or right.angle:
        return False
    beside = right.box.x0 >= left.box.x1 - 1
    shared = left.box.clip(right.box).height
    return beside and shared > 0.5 * min(left.box.height, right.box.height)


def sort_for_reading(blocks: Sequence[FlowBlock]) -> list[FlowBlock]:
    """Sort the blocks of a page as drawn, but none behind those below it in its column.

    Blocks drawn from the top down stay together: a column, a table, a header drawn last.
    """
    runs = _split_at_jumps(blocks)
    if len(runs) > _MOST_RUNS:
        return list(blocks)
    result: list[tuple[Box | None, list[FlowBlock]]] = []
    for run in runs:
        upright = [block.box for block in run if not block.angle]
        box = bounding_box(upright) if upright else None
        below = (index for index, (other, _) in enumerate(result) if _stands_above(box, other))
        result.insert(next(below, len(result)), (box, run))
    return [block for _, run in result for block in run]


def _split_at_jumps(blocks: Sequence[FlowBlock]) -> list[list[FlowBlock]]:
    """Split the blocks into runs, each block beside or close below the one drawn before it."""
    runs: list[list[FlowBlock]] = []
    last: FlowBlock | None = None
    for block in blocks:
        jumps = (
            last is not None
            and not block.angle
            and (block.box.y0 >= last.box.y1 - _SLACK or block.box.y1 < last.box.y0 - _LEAP)
        )
        if jumps or not runs:
            runs.append([])
        runs[-1].append(block)
        last = last if block.angle else block
    return runs


def _stands_above(above: Box | None, below: Box | None) -> bool:
    if above is None or below is None:
        return False
    apart = above.x1 < below.x0 or above.x0 > below.x1
    return not apart and above.y0 >= below.y1 - _SLACK


def find_place(items: Sequence[FlowItem], box: Box) -> int:
    """Return the index among ``items``, in reading order, at which to insert an item at ``box``.

    It comes after items to its left on the same row, before items to its right, behind the row
    above it, else before the first item that stands below.
    """
    at = FlowBlock("", "", 0, box, 0.0, Style())
    left = [index for index, item in enumerate(items) if is_right_of_on_row(item, at)]
    if left:
        return 1 + max(left, key=lambda index: items[index].box.x1)
    right = [index for index, item in enumerate(items) if is_right_of_on_row(at, item)]
    if right:
        return min(right, key=lambda index: items[index].box.x0)
    above = [
        index for index, item in enumerate(items) if not item.angle and _stands_above(item.box, box)
    ]
    if above:
        end = 1 + min(above, key=lambda index: (items[index].box.y0, -index))
        while end < len(items) and is_right_of_on_row(items[end - 1], items[end]):
            end += 1
        return end
    below = (index for index, item in enumerate(items) if item.box.y1 <= box.y1)
    return next(below, len(items))
