"""A paragraph, heading or cell of Markdown: what it says, and how to make it say something else.

A translation goes around the marks of the source: links, code, pictures and notes are there once
each, whatever comes back; bold and italic are given up when no words are left for them. What was
written is read again before it counts, and written with more escapes or fewer marks if a reader
would not see what the translation says.

Entry: ``InlineReader.read`` and ``InlineReader.write``; writing tries one way after the other:
``_InlineWriter`` puts lines and marks together, and what it made is read again.
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
"""Stands for a space at which no line may be broken."""
_NARROW, _WIDE = 45, 140
_TITLE: Final = re.compile(r"\s(\"(?:[^\"\\]|\\.)*\"|'(?:[^'\\]|\\.)*')\s*\)\Z", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Aside:
    """The alternative text or the title of an item: where it stands, and what it says."""

    start: int
    end: int
    text: str
    quote: str = ""


@dataclass(frozen=True)
class Inline:
    """The content of one paragraph, heading or cell, without its margins.

    ``begins`` says that its lines begin lines of the source, with nothing but a margin before.
    """

    content: str
    items: tuple[InlineItem, ...]
    kind: str
    begins: bool

    @cached_property
    def lines(self) -> tuple[MarkdownLine, ...]:
        """What stands between line breaks; not all of it holds words."""
        return tuple(read_lines(self.content, self.items))

    @cached_property
    def asides(self) -> tuple[_Aside, ...]:
        """Alternative texts of pictures and titles of links."""
        found: list[_Aside] = []
        for item in self.items:
            pictured = item.kind is ItemKind.ANCHOR and item.label > 1
            if pictured:
                found += _aside(self.content, item.start + 2, item.start + item.label)
            if pictured or (item.link and item.kind is ItemKind.CLOSE):
                title = _TITLE.search(self.content, item.start, item.end)
                if title:
                    found += _aside(self.content, title.start(1) + 1, title.end(1) - 1, title[1][0])
        return tuple(found)

    @cached_property
    def looks(self) -> tuple[InlineItem, ...]:
        """The marks that open a look."""
        return tuple(item for item in self.items if item.kind is ItemKind.OPEN and not item.link)

    @cached_property
    def segments(self) -> tuple[Segment, ...]:
        """The texts of ``lines`` that have words, then those of ``asides``."""
        said = (
            Segment(line.nodes.text, self.kind, line.looks(self.content))
            for line in self.lines
            if has_words(line.nodes.text)
        )
        return (*said, *(Segment(aside.text, "caption") for aside in self.asides))


class InlineReader:
    """Takes content apart. ``references`` are the targets that the source gives names to."""

    def __init__(self, markdown: MarkdownIt, references: Any) -> None:
        self._markdown = markdown
        self._references = references

    def read(self, content: str, kind: str, begins: bool) -> Inline:
        """``content`` taken apart."""
        items = read_items(self._markdown, content, self._references)
        return Inline(content, tuple(items), kind, begins)

    def write(self, inline: Inline, translations: Sequence[Translation]) -> tuple[str, int | None]:
        """``inline`` with ``translations``, one for each segment, in place of its segments.

        With the content comes how many changes of formatting were given up; None if all was.

        It stays as it is when nothing that could be written reads, white space aside, as it should.
        """
        given = []
        for said, segment in zip(translations, inline.segments, strict=True):
            text = " ".join(said.text.split())  # aligned only if it had no line breaks
            given.append(said if text and text == said.text else Translation(text or segment.text))
        wanted = [re.sub(r"\s", "", said.text) for said in given]
        ways = _WAYS if any(said.is_aligned for said in given) else _WAYS[2:]
        for way in ways:
            writer = _InlineWriter(inline, given, way)
            content = writer.content()
            if not inline.begins:  # hashes at the end of a heading are no text
                content = _HASHES.sub(r"\\\g<0>", content)
            again = self.read(content, inline.kind, inline.begins)
            shown = [re.sub(r"\s", "", segment.text) for segment in again.segments]
            as_marked = not way.moved or len(again.looks) == writer.written
            if as_marked and shown == wanted and _stays(again) == _stays(inline):
                return content, writer.lost
        return inline.content, None


@dataclass(frozen=True, slots=True)
class _Way:
    """How to write: with all ``escapes``, with the ``marks`` of looks, ``moved`` with words."""

    escapes: bool
    marks: bool
    moved: bool


_WAYS: Final = tuple(
    _Way(escapes, marks, moved)
    for marks, moved in ((True, True), (True, False), (False, False))
    for escapes in (False, True)
)
"""The first that reads as it should is taken."""


def _stays(inline: Inline) -> list[str]:
    """The code, links, notes … of ``inline`` in order, without alternative texts."""
    found = []
    for item in inline.items:
        if item.kind is ItemKind.ANCHOR and not item.label:
            found.append(" ".join(inline.content[item.start : item.end].split()))
        elif item.kind in (ItemKind.ANCHOR, ItemKind.BREAK) or item.link:
            found.append(item.kind.name)
    return found


class _InlineWriter:
    """Puts the items of one paragraph together again around new texts."""

    def __init__(self, inline: Inline, given: Sequence[Translation], way: _Way) -> None:
        self._inline = inline
        self._given = given
        self._way = way
        self._out: list[tuple[str, InlineItem | None]] = []
        self._fresh = inline.begins
        self._edits: list[tuple[_Aside, str]] = []
        self.lost = self.written = 0

    def content(self) -> str:
        """The new content; a text that went over several lines does so again."""
        remaining = iter(self._given)
        lines = [
            (line, next(remaining) if has_words(line.nodes.text) else None)
            for line in self._inline.lines
        ]
        self._edits = [(aside, next(remaining).text) for aside in self._inline.asides]
        width = min(max(_NARROW, *map(len, self._inline.content.split("\n"))), _WIDE)
        written = []
        for line, said in lines:
            self._out = []
            kept = said is None or said.text == line.nodes.text
            if said is None or kept:
                for source, gap in zip(line.sources, [*line.gaps, ()], strict=True):
                    self._emit(source)
                    for item in gap:
                        self._emit(self._edit_item(item), item)
            else:
                self._change(line, said)
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

    def _change(self, line: MarkdownLine, said: Translation) -> None:
        """Write what is ``said``: marks go with its words, or all stay as they stand.

        Spaces that no mark may begin or end with go outside it.
        """
        aligned = self._way.moved and said.is_aligned
        marked = line.mark(self._inline.content, said) if aligned else None
        steps, lost = marked or (line.refill(said.text), 0)
        self.lost += lost
        for step in steps:
            if isinstance(step, str):
                text = _ACTIVE.sub(r"\\\g<0>", step) if self._way.escapes else step
                self._emit(guard(text) if self._fresh else text)
            else:
                self._add_mark(step)

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
        """The source of an item, with new alternative texts and titles."""
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
    """The end of a link or picture that named its target by its own text, which has changed."""
    return f"][{' '.join(label.split())}]" if tail in ("]", "][]") else tail


def _aside(content: str, start: int, end: int, quote: str = "") -> Iterator[_Aside]:
    text = re.sub(r"\\([!-/:-@\[-`{-~])", r"\1", content[start:end])
    text = " ".join(text.split())
    if is_description(text):
        yield _Aside(start, end, text, quote)
