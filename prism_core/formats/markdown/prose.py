"""Paragraph, heading or cell of Markdown: its texts, and how to replace them.

A translation goes around the marks of the source: links, code, pictures and notes occur once each,
whatever the translator returns; bold and italic are given up when no words are left for them. The
result is parsed again before it is accepted. If a reader would not see the translation, it is
written with more escapes or fewer marks.

Entry: ``InlineReader.read`` and ``InlineReader.write``, which tries one strategy after the other.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from markdown_it import MarkdownIt

from prism_core.alignment import Translation
from prism_core.formats.base import Segment
from prism_core.formats.markdown.inline_items import InlineItem, ItemKind, read_items
from prism_core.formats.markdown.line import MarkdownLine, guard, read_lines, wrap
from prism_core.formats.text import has_words, is_description

_ACTIVE: Final = re.compile(r"[\\`*_\[\]<>&~|$]|(?<=\{)[%{#.:]")
_HASHES: Final = re.compile(r"(?<=\s)#+$")
_GLUE: Final = "\ufdd0"
"""Substitute for a space at which no line may be broken."""
_NARROW, _WIDE = 45, 140
_TITLE: Final = re.compile(r"\s(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')\s*\)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Aside:
    """Alternative text or title of an item, and its span."""

    start: int
    end: int
    text: str
    quote: str = ""


@dataclass(frozen=True)
class Inline:
    """Content of a paragraph or cell; ``begins`` if its lines begin lines of the source."""

    content: str
    items: tuple[InlineItem, ...]
    kind: str
    begins: bool

    @cached_property
    def lines(self) -> tuple[MarkdownLine, ...]:
        """Content between line breaks; not all of it holds words."""
        return tuple(read_lines(self.content, self.items))

    @cached_property
    def asides(self) -> tuple[_Aside, ...]:
        """Alternative texts of pictures and titles of links."""
        found: list[_Aside] = []
        for item in self.items:
            pictured = item.kind is ItemKind.ANCHOR and item.label > 1
            if pictured:
                found += _find_aside(self.content, item.start + 2, item.start + item.label)
            if pictured or (item.link and item.kind is ItemKind.CLOSE):
                title = _TITLE.search(self.content, item.start, item.end)
                if title:
                    found += _find_aside(
                        self.content, title.start(1) + 1, title.end(1) - 1, title[1][0]
                    )
        return tuple(found)

    @cached_property
    def looks(self) -> tuple[InlineItem, ...]:
        """Marks that begin formatting."""
        return tuple(item for item in self.items if item.kind is ItemKind.OPEN and not item.link)

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """Texts of ``lines`` that have words, then those of ``asides``."""
        from_lines = (
            Segment(line.nodes.text, self.kind, line.looks(self.content))
            for line in self.lines
            if has_words(line.nodes.text)
        )
        return (*from_lines, *(Segment(aside.text, "caption") for aside in self.asides))


class InlineReader:
    """Parser of content. ``references`` are the link targets that the source names."""

    def __init__(self, markdown: MarkdownIt, references: Any) -> None:
        self._markdown = markdown
        self._references = references

    def read(self, content: str, kind: str, begins: bool) -> Inline:
        """Parse ``content``."""
        items = read_items(self._markdown, content, self._references)
        return Inline(content, tuple(items), kind, begins)

    def write(self, inline: Inline, translations: Sequence[Translation]) -> tuple[str, int | None]:
        """Return ``inline`` with ``translations``, one for each segment, in place of its segments.

        The second item counts the changes of formatting that were given up; None if nothing was
        written.

        ``inline`` stays as it is when no result reads as it should, white space aside.
        """
        given = []
        for translation, segment in zip(translations, inline.segments, strict=True):
            text = " ".join(translation.text.split())  # aligned only if it had no line breaks
            given.append(
                translation
                if text and text == translation.text
                else Translation(text or segment.text)
            )
        wanted = [re.sub(r"\s", "", translation.text) for translation in given]
        strategies = (
            _STRATEGIES if any(translation.is_aligned for translation in given) else _STRATEGIES[2:]
        )
        for strategy in strategies:
            writer = _InlineWriter(inline, given, strategy)
            content = writer.content()
            if not inline.begins:  # hashes at the end of a heading are no text
                content = _HASHES.sub(r"\\\g<0>", content)
            again = self.read(content, inline.kind, inline.begins)
            shown = [re.sub(r"\s", "", segment.text) for segment in again.segments]
            as_marked = not strategy.moved or len(again.looks) == writer.written
            if as_marked and shown == wanted and _kept_content(again) == _kept_content(inline):
                return content, writer.lost
        return inline.content, None


@dataclass(frozen=True, slots=True)
class _WritingStrategy:
    """Writing strategy: with all ``escapes``, with formatting ``marks``, ``moved`` with words."""

    escapes: bool
    marks: bool
    moved: bool


_STRATEGIES: Final = tuple(
    _WritingStrategy(escapes, marks, moved)
    for marks, moved in ((True, True), (True, False), (False, False))
    for escapes in (False, True)
)
"""Strategies in order; the first whose result reads as it should is taken."""


def _kept_content(inline: Inline) -> list[str]:
    """Return the code, links, notes … of ``inline`` in order, without alternative texts."""
    found = []
    for item in inline.items:
        if item.kind is ItemKind.ANCHOR and not item.label:
            found.append(" ".join(inline.content[item.start : item.end].split()))
        elif item.kind in (ItemKind.ANCHOR, ItemKind.BREAK) or item.link:
            found.append(item.kind.name)
    return found


class _InlineWriter:
    """Writer that puts the items of one paragraph together again around new texts."""

    def __init__(self, inline: Inline, given: Sequence[Translation], way: _WritingStrategy) -> None:
        self._inline = inline
        self._given = given
        self._way = way
        self._out: list[tuple[str, InlineItem | None]] = []
        self._fresh = inline.begins
        self._edits: list[tuple[_Aside, str]] = []
        self.lost = self.written = 0

    def content(self) -> str:
        """Return the new content; a text of several lines is wrapped into several lines again."""
        remaining = iter(self._given)
        lines = [
            (line, next(remaining) if has_words(line.nodes.text) else None)
            for line in self._inline.lines
        ]
        self._edits = [(aside, next(remaining).text) for aside in self._inline.asides]
        width = min(max(_NARROW, *map(len, self._inline.content.split("\n"))), _WIDE)
        written = []
        for line, translation in lines:
            self._out = []
            kept = translation is None or translation.text == line.nodes.text
            if translation is None or kept:
                for source, gap in zip(line.sources, [*line.gaps, ()], strict=True):
                    self._emit(source)
                    for item in gap:
                        self._emit(self._edit_item(item), item)
            else:  # marks move with its words, or all stay in place
                aligned = self._way.moved and translation.is_aligned
                marked = line.mark(self._inline.content, translation) if aligned else None
                steps, lost = marked or (line.refill(translation.text), 0)
                self.lost += lost
                for step in steps:
                    if isinstance(step, str):
                        text = _ACTIVE.sub(r"\\\g<0>", step) if self._way.escapes else step
                        self._emit(guard(text) if self._fresh else text)
                    else:
                        self._add_mark(step)
            made = "".join(part for part, _ in self._out)
            wraps = not kept and any("\n" in source.strip() for source in line.sources)
            written.append(wrap(made, width) if wraps else made)
        return "".join(written).replace(_GLUE, " ")

    def _emit(self, text: str, item: InlineItem | None = None) -> None:
        if text:
            self.written += item in self._inline.looks
            self._out.append((text, item))
            _, newline, line = text.rpartition("\n")
            fresh = self._fresh or (bool(newline) and self._inline.begins)
            self._fresh = fresh and not line.strip()

    def _add_mark(self, item: InlineItem) -> None:
        if item.kind is ItemKind.BREAK:
            self._emit(self._inline.content[item.start : item.end], item)
        elif item.kind is ItemKind.ANCHOR or item.link:
            source = self._edit_item(item)
            if item.link and item.kind is ItemKind.CLOSE and source in ("]", "][]"):
                before = [i for i in self._inline.items if i.link and i.start <= item.start]
                source = _write_label(source, self._inline.content[before[-2].end : item.start])
            self._emit(re.sub(r"\s*\n\s*| ", _GLUE, source), item)
        elif not self._way.marks:
            self.lost += item.kind is ItemKind.OPEN
        elif item.kind is ItemKind.CLOSE and self._out and self._out[-1][1] in self._inline.looks:
            self._out.pop()
            self.lost += 1
        else:
            self._emit(self._inline.content[item.start : item.end], item)

    def _edit_item(self, item: InlineItem) -> str:
        """Return the source of an item, with new alternative texts and titles."""
        source = self._inline.content[item.start : item.end]
        for aside, text in reversed(self._edits):
            if item.start <= aside.start < item.end and text != aside.text:
                start, end = aside.start - item.start, aside.end - item.start
                old, tail = source[start:end], source[end:]
                if aside.quote:
                    new = text.replace("\\", "\\\\").replace(aside.quote, "\\" + aside.quote)
                else:
                    new, tail = _ACTIVE.sub(r"\\\g<0>", text), _write_label(tail, old)
                source = source[:start] + new + tail
        return source


def _write_label(tail: str, label: str) -> str:
    """Return the end of a link or picture whose label was its target, now that its text changed."""
    return f"][{' '.join(label.split())}]" if tail in ("]", "][]") else tail


def _find_aside(content: str, start: int, end: int, quote: str = "") -> Iterator[_Aside]:
    text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", content[start:end])
    text = " ".join(text.split())
    if is_description(text):
        yield _Aside(start, end, text, quote)
