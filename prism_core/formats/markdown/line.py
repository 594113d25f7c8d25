"""Text between two line breaks of Markdown, and a translation put between its marks.

Entry: ``read_lines``; writing, ``mark`` where marks may move with words, else ``refill``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from prism_core.alignment import Span, Translation
from prism_core.formats.markdown.inline_items import InlineItem, ItemKind
from prism_core.formats.text.nested_text import (
    Around,
    Element,
    Nesting,
    Nodes,
    NodeText,
    Tangled,
    transition,
)

_FIRST: Final = re.compile(
    r"#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|`{3}|~{3}|:{3}|:(?:\s|$)|=+\s*$|-{2,}\s*$|\[[^\]]*\]:|\|"
    r"|<[A-Za-z/!?]"
)
"""Start of a line that would not be text: a heading, a list, a quote, a fence …"""
_NUMBERED: Final = re.compile(r"\d{1,9}(?=[.)](?:\s|$))")
Step = str | InlineItem
"""Next element of a line: text, or a mark, a break, or other content."""
_Source = InlineItem | None
"""Item of a place in a line; None for a text node."""


@dataclass(frozen=True, slots=True)
class MarkdownLine:
    """Text nodes, the items between each two of them, and the ``sources`` of the nodes."""

    nodes: Nodes
    gaps: tuple[tuple[InlineItem, ...], ...]
    sources: tuple[str, ...]

    def looks(self, content: str) -> tuple[Span, ...]:
        """Return the formatting spans, see ``Segment``; none where there are too many marks."""
        try:
            return self._read_nesting(content)[0].looks if self.gaps else ()
        except Tangled:
            return ()

    def refill(self, translation: str) -> list[Step]:
        """Return the line with ``translation``, its marks and outer white space in place."""
        texts, wanted = self.nodes.texts, self.nodes.wanted
        pieces = list(texts)
        pieces[wanted.start : wanted.stop] = self.nodes.refill(translation)
        for index in wanted[1:-1]:
            if self._is_between(index) and not pieces[index] and texts[index]:
                pieces[index] = " "
        head, tail = self._edges()
        pieces[wanted[0]] = head + pieces[wanted[0]].lstrip(" ")
        pieces[wanted[-1]] = pieces[wanted[-1]].rstrip(" ") + tail
        steps: list[Step] = []
        for piece, gap in zip(pieces, [*self.gaps, ()], strict=True):
            steps += [piece, *gap]
        return list(_tidy_spaces(steps))

    def mark(self, content: str, translation: Translation) -> tuple[list[Step], int] | None:
        """Return the line with ``translation``, and lost formatting; None for too many marks."""
        texts, wanted = self.nodes.texts, self.nodes.wanted
        try:
            nesting, marks = self._read_nesting(content)
        except Tangled:
            return None
        around = {place.index: place.around for place in nesting.places}
        runs_of_nodes = {index: [NodeText(text, around[index])] for index, text in enumerate(texts)}
        shared, lost = nesting.share_out(translation)
        for index, runs in shared.items():
            blank = " " if self._is_between(index) and texts[index] else ""
            runs_of_nodes[index] = runs or [NodeText(blank, around[index])]
        head, tail = self._edges()
        runs_of_nodes[wanted[0]].insert(0, NodeText(head, around[wanted[0]]))
        runs_of_nodes[wanted[-1]].append(NodeText(tail, around[wanted[-1]]))
        return list(_tidy_spaces(_write_steps(nesting, marks, runs_of_nodes))), lost

    def _is_between(self, index: int) -> bool:
        """Return True for a node between two items that are not text; code must not touch code."""
        return {index, index + 1} <= self.nodes.held

    def _edges(self) -> tuple[str, str]:
        """Return the white space before the first text and after the last."""
        texts, wanted = self.nodes.texts, self.nodes.wanted
        first, last = texts[wanted[0]], texts[wanted[-1]]
        return first[: len(first) - len(first.lstrip())], last[len(last.rstrip()) :]

    def _read_nesting(self, content: str) -> tuple[Nesting[_Source], _Marks]:
        """Return the nodes and the items between them in turn, and the marks of each element."""
        nesting = Nesting[_Source](self.nodes)
        for index in range(len(self.gaps) + 1):
            nesting.add(None, index)
            for item in self.gaps[index] if index < len(self.gaps) else ():
                if item.kind is ItemKind.CLOSE:
                    nesting.close(item)
                elif item.kind is ItemKind.OPEN:
                    look = content[item.start : item.end].replace("_", "*")
                    nesting.open(item, Element(look, "", item.link))
                else:
                    nesting.add(item)
        nesting.end()
        marks = {(p.element, p.opens): p.source for p in nesting.places if p.element and p.source}
        return nesting, marks


_Marks = Mapping[tuple[Element, bool], InlineItem]


def read_lines(content: str, items: Sequence[InlineItem]) -> Iterator[MarkdownLine]:
    """Yield the items between line breaks; a break belongs to the line that it ends."""
    nodes, sources, gaps = [""], [""], list[tuple[InlineItem, ...]]()
    for item in items:
        source = content[item.start : item.end]
        if item.kind is ItemKind.TEXT:
            nodes[-1] += item.text
            sources[-1] += source
            continue
        if sources[-1] or not gaps:
            gaps.append(())
            nodes.append("")
            sources.append("")
        gaps[-1] = (*gaps[-1], item)
        if item.kind is ItemKind.BREAK:
            yield _make_line(nodes, gaps, sources)
            nodes, sources, gaps = [""], [""], []
    yield _make_line(nodes, gaps, sources)


def _make_line(
    nodes: Sequence[str], gaps: Sequence[tuple[InlineItem, ...]], sources: Sequence[str]
) -> MarkdownLine:
    anchored = (i for i, gap in enumerate(gaps, 1) if any(e.kind is ItemKind.ANCHOR for e in gap))
    return MarkdownLine(Nodes(tuple(nodes), frozenset(anchored)), tuple(gaps), tuple(sources))


def _write_steps(
    nesting: Nesting[_Source], marks: _Marks, said: Mapping[int, Sequence[NodeText]]
) -> Iterator[Step]:
    """Yield the line with the runs of ``said`` in place of each node."""

    def write_marks(before: Around, after: Around) -> Iterator[Step]:
        for step in transition(before, after):
            if step in marks:
                yield marks[step]

    current = nesting.before
    for place in nesting.places:
        if place.is_mark:
            continue
        runs = said[place.index] if place.source is None else [NodeText("", place.around)]
        for run in runs:
            if run.text or place.source is not None:
                yield from write_marks(current, run.around)
                current = run.around
                yield place.source or run.text
    yield from write_marks(current, nesting.after)


def _tidy_spaces(steps: Iterable[Step]) -> Iterator[Step]:
    """Move white space out of marks: none follows a mark that opens or precedes one that closes."""
    pending = ""
    opened: list[InlineItem] = []
    for step in steps:
        text = step if isinstance(step, str) else ""
        if isinstance(step, InlineItem) and step.kind is ItemKind.OPEN:
            opened.append(step)
            continue
        if isinstance(step, InlineItem) and step.kind is ItemKind.CLOSE and not opened:
            yield step
            continue
        pending = pending or text[: len(text) - len(text.lstrip(" "))]
        if isinstance(step, str) and not text.strip(" "):
            continue
        yield pending
        yield from opened
        yield text.strip(" ") if isinstance(step, str) else step
        pending, opened = text[len(text.rstrip(" ")) :], []
    yield pending
    yield from opened


def guard(text: str) -> str:
    """Escape ``text`` if a line that begins with it would be no text."""
    body = text.lstrip(" ")
    lead = text[: len(text) - len(body)]
    number = _NUMBERED.match(body)
    if number:
        return f"{lead}{number[0]}\\{body[number.end() :]}"
    return f"{lead}\\{body}" if _FIRST.match(body) else text


def wrap(text: str, width: int) -> str:
    """Wrap ``text`` at ``width`` characters; no line begins with a sign of other content."""
    lines: list[str] = []
    first, *words = text.split(" ")
    line = first
    for word in words:
        begins = word.strip() and not _FIRST.match(word) and not _NUMBERED.match(word)
        if line.strip() and begins and len(line) + 1 + len(word) > width:
            lines.append(line.rstrip(" "))
            line = word
        else:
            line += " " + word
    return "\n".join([*lines, line])
