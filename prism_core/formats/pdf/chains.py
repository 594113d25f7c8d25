"""Paragraphs cut by the end of a column or page: chains of blocks that are one text."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import accumulate, pairwise

from prism_core.alignment import Span, Translation
from prism_core.formats.pdf.block import PdfBlock, begins_small, join_lines, may_continue
from prism_core.formats.pdf.list_markers import read_markers
from prism_core.formats.pdf.shaping import cut_word
from prism_core.formats.pdf.style import Run, Style, assign_styles
from prism_core.formats.text import TextRun, looks_of, place_words, unite

Chain = tuple[PdfBlock, ...]
_LEAST_LINES = 2
_MARGIN = 0.12
"""Share of a page, at its top and at its foot, in which lines repeat and notes stand."""
_WIDTHS_ALIKE = 0.15


def chain_blocks(pages: Iterable[tuple[float, Sequence[PdfBlock]]]) -> list[Chain]:
    """Chain the blocks with words of ``pages``, given by height, by the first of each paragraph."""
    chains: list[list[PdfBlock]] = []
    open_chain: list[PdfBlock] | None = None  # the last prose, without a sentence end
    for height, blocks in pages:
        for block in blocks:
            if not block.has_words:
                continue
            if open_chain and _goes_on_elsewhere(open_chain[-1], block):
                open_chain.append(block)
                continue
            chains.append([block])
            edge, is_prose = height * _MARGIN / 2, len(block.lines) >= _LEAST_LINES
            at_edge = block.box.y0 > height - edge or block.box.y1 < edge
            if is_prose and not block.angle and not at_edge:
                open_chain = chains[-1]
    return [tuple(chain) for chain in chains]


def _goes_on_elsewhere(before: PdfBlock, after: PdfBlock) -> bool:
    """Return True if ``after``, as wide, continues ``before`` in the next column or page."""
    next_column = after.page == before.page and after.box.x0 > before.box.x1 - 1
    next_page = after.page == before.page + 1
    widths = sorted((before.box.width, after.box.width))
    return (
        (next_page or (next_column and after.box.y1 > before.box.y0))
        and begins_small(after.text)
        and not read_markers(after.text)
        and may_continue(before, after)
        and (len(after.lines) == 1 or widths[0] > (1 - _WIDTHS_ALIKE) * widths[1])
        and before.box.x1 - before.lines[-1].x1 < 0.25 * before.box.width
    )


def join_chain(chain: Chain, keeps_hyphen: Collection[str]) -> str:
    """Join the text of the blocks."""
    return join_lines([block.text for block in chain], keeps_hyphen)


@dataclass(frozen=True, slots=True)
class _StyledRun(TextRun):
    """Run of a paragraph with its style, which its look names."""

    style: Style = field(default_factory=Style)


def split_styles(
    translation: Translation, chain: Chain, keeps_hyphen: Collection[str]
) -> tuple[list[list[Run]], int]:
    """Give each block's part of ``translation`` the styles of its words; count styles lost."""
    usual = max(chain, key=lambda block: len(block.text)).style
    source = _split_chain_by_style(chain, keeps_hyphen)
    groups = unite([_StyledRun(text, repr(look), style=look) for text, look in source])
    placed, lost = place_words(groups, translation, movable=True)
    letters: list[Run] = []
    for word in placed:
        for text, run in (*word.ahead, (word.text, word.group.carrier), *word.behind):
            is_mark = run.style.raised and not any(map(str.isalpha, run.text))
            of_word = replace(run.style, raised=0) if is_mark else run.style  # it raises no word
            letters += ((char, of_word if char.isalpha() else run.style) for char in text)
    left = iter(letters)
    parts = split_translation(translation.text, chain)
    return [assign_styles(part, left, usual) for part in parts], lost


def find_looks(chain: Chain, keeps_hyphen: Collection[str]) -> tuple[Span, ...]:
    """Return the looks of the joined text of the blocks: see ``Segment``."""
    if len({look for block in chain for _, look in block.runs}) < 2:
        return ()
    return looks_of(
        [TextRun(text, repr(look)) for text, look in _split_chain_by_style(chain, keeps_hyphen)]
    )


def _split_chain_by_style(chain: Chain, keeps_hyphen: Collection[str]) -> list[Run]:
    usual = max(chain, key=lambda block: len(block.text)).style
    return assign_styles(join_chain(chain, keeps_hyphen), _styled_letters(chain), usual)


def split_block_by_style(block: PdfBlock) -> list[Run]:
    """Split its text by style."""
    return assign_styles(block.text, _styled_letters((block,)), block.style)


def _styled_letters(chain: Chain) -> Iterator[Run]:
    return ((letter, look) for block in chain for text, look in block.runs for letter in text)


def split_translation(text: str, chain: Chain) -> list[str]:
    """Split ``text`` where a line may break, in proportion to the source text of each block."""
    if len(chain) == 1:
        return [text]
    words = [chunk for word in text.split() for chunk in cut_word(word + " ")]
    ends = list(accumulate(len(word) for word in words))
    source_ends = list(accumulate(len(block.text) for block in chain))
    cuts = [0]
    for source_end in source_ends[:-1]:
        target_end = source_end / source_ends[-1] * ends[-1] if ends else 0
        cuts.append(max(cuts[-1], sum(end <= target_end for end in ends)))
    cuts.append(len(words))
    return ["".join(words[start:end]).strip() for start, end in pairwise(cuts)]
