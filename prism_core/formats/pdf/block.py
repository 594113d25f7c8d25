"""Paragraphs of a page as blocks, and rules for joining two that follow each other."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from prism_core.formats.pdf.geometry import Box, bounding_box
from prism_core.formats.pdf.list_markers import find_leaders
from prism_core.formats.pdf.style import Run, Style
from prism_core.formats.text import has_words

_LEAST_PROSE = 4
"""Least number of words per line in a block that may go on elsewhere; cells and lists have less."""
_EDGE = 0.1
"""Share of the font size by which the ends of justified lines may differ."""
_LONE_LETTER = re.compile(r"(?<!\S)[^\W\d_](?!\S)")
SENTENCE_END = re.compile(r"[.!?:;…][\"'”’»)\]]*$|^\([^()]*\)$")
"""End of a sentence, or of a text that is in brackets as a whole."""
BROKEN_WORD = re.compile(r"[^\W\d_]{2,}[-\u2010\u00ad]$")
BROKEN_TERM = re.compile(r"[\d)\]][-\u2010]$|[(\[]$")
"""End of a line within a term, which keeps its hyphen: ``2-phenyl-4-``."""
_ADDRESS = re.compile(r"\S*(?:@|://)|www\.")


@dataclass(frozen=True, slots=True)
class PdfBlock:
    """Paragraph of a page, in a frame turned back by ``angle`` degrees.

    ``leading`` is the distance of its baselines in points, 0 with a single line; ``align`` is one
    of ``left``, ``center``, ``right``; ``shows`` are the operators that drew it (see
    ``Glyph.show``).
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
    runs: tuple[Run, ...] = ()
    """Text of its lines in order, each split by style, as they were broken."""
    leaders: int | None = None
    """``first`` of the block of the leaders to its figure, if its last line ends so."""
    is_item: bool = False
    """True if it begins an item of a list; its bullet or number may be a block of its own."""

    def __hash__(self) -> int:
        return hash((self.page, self.first, self.text))  # str caches its hash

    @property
    def last_baseline(self) -> float:
        """Baseline of its last line."""
        return self.lines[-1].y0 + self.baseline - self.lines[0].y0

    @property
    def is_justified(self) -> bool:
        """True if all its lines but the last, at least two, end at one place on the right."""
        full, slack = self.lines[:-1], _EDGE * self.size
        edge = max((line.x1 for line in full), default=0.0)
        return (
            self.align == "left"
            and len(full) > 1
            and all(edge - line.x1 < slack for line in full)
            and self.lines[-1].x1 < edge + slack
        )

    @property
    def ends_full(self) -> bool:
        """True if its last line ends where the longest does: the text may go on elsewhere."""
        return self.box.x1 - self.lines[-1].x1 < _EDGE * self.size

    @property
    def has_words(self) -> bool:
        """True if it has a letter or a digit, and is no more than leaders and a figure."""
        return has_words(self.text) and not self.is_leaders

    @property
    def is_leaders(self) -> bool:
        """True if it is the leaders of an entry, with its figure."""
        found = find_leaders(self.text)
        return bool(found and not found.start())

    @property
    def has_letters_apart(self) -> bool:
        """True if most of its words have one letter: letters set apart that were not joined."""
        words = self.text.split()
        return len(words) >= _LEAST_PROSE and 2 * len(_LONE_LETTER.findall(self.text)) > len(words)


def begins_small(text: str) -> bool:
    """Return True if ``text`` begins with a small letter, and not with an address."""
    return text[:1].islower() and not _ADDRESS.match(text)


def may_continue(before: PdfBlock, after: PdfBlock, is_cut: bool = False) -> bool:
    """Return True if ``before`` is prose (or ``is_cut``) without an end, and ``after`` alike."""
    return (
        (is_cut or len(before.text.split()) >= _LEAST_PROSE * len(before.lines))
        and not SENTENCE_END.search(before.text)
        and (_family_and_weight(before) == _family_and_weight(after) or after.text[:1].islower())
        and abs(before.size - after.size) < 0.1 * before.size
        and before.angle == after.angle
        and not after.is_item
    )


def _family_and_weight(block: PdfBlock) -> tuple[str, bool]:
    return block.style.family, block.style.bold


def join_blocks(above: PdfBlock, below: PdfBlock, keeps_hyphen: Collection[str]) -> PdfBlock:
    """Join two blocks that follow each other in a column into one paragraph."""
    return replace(
        above,
        text=join_lines([above.text, below.text], keeps_hyphen),
        box=bounding_box([above.box, below.box]),
        lines=above.lines + below.lines,
        leading=above.last_baseline - below.baseline,
        leaders=below.leaders,
        shows=above.shows | below.shows,
        first=min(above.first, below.first),
        runs=above.runs + below.runs,
    )


def join_lines(texts: Sequence[str], keeps_hyphen: Collection[str]) -> str:
    """Join the lines to one text, and rejoin a word broken at a line's end where that is safe."""
    whole = texts[0]
    for text in texts[1:]:
        if BROKEN_WORD.search(whole) and text[:1].islower():
            start = re.split(r"[\s-]", whole[:-1].lower())[-1]
            hard = whole[-1] != "\u00ad" and start in keeps_hyphen  # it has a hyphen of its own
            whole = (whole if hard else whole[:-1]) + text
        elif BROKEN_TERM.search(whole) and text[:1].islower():
            whole += text
        elif whole.endswith("\u00ad"):
            whole = whole[:-1] + text
        else:
            whole = f"{whole} {text}"
    return whole.replace("\u00ad", "")
