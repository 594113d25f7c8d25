"""Markdown files: prose is replaced in place, everything else stays as it is.

Entry: ``MarkdownFormat`` -> ``read_page``: front matter, then blocks located in the source.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.token import Token

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import Document, Formats, Segment, apply_edits, changed_parts, notices
from prism_core.formats.character_sets import decode_text, read_text
from prism_core.formats.markdown.inline_items import is_too_dense, make_parser
from prism_core.formats.markdown.prose import Inline, InlineReader
from prism_core.formats.text import has_words

_MOST_BYTES: Final = 6_000_000
"""Limit of the file size, of several books; blocks take a hundred times as much memory."""
_LINE: Final = re.compile(r"[^\r\n]*(?:\r\n|\r|\n|\Z)")
_BAR: Final = re.compile(r"(?<!\\)\|")
_MARGIN: Final = re.compile(r"(?:[ \t>*+-]|\d{1,9}[.)])*")
"""Quote marks and bullets before a row."""
_NOTE: Final = re.compile(r"\[\^[^\]\s]+\]:")
_FENCE: Final = re.compile(r"(---|\+\+\+)[ \t]*\r?\n")
_SETTING: Final = re.compile(
    r"(?:[ \t]+\S.*|#.*|-(?: .*)?|[\w\"'./-]+[ \t]*[:=].*|[\]}),].*|[ \t]*)\r?\n"
)
_VALUE: Final = re.compile(
    r"^(?:title|subtitle|description|summary)[ \t]*(?P<sign>[:=])[ \t]*"
    r"(?P<quote>[\"']?)(?P<text>[^\"'\\\r\n]+)(?P=quote)[ \t]*\r?$",
    re.MULTILINE,
)
_PLAIN: Final = re.compile(r"(?![ \[\]{}&*!|>%@`#,?:-])(?:(?!: | #)[^\"'\\])*[^:\s\"'\\]")


class MarkdownFormat:
    """CommonMark with tables, strikethrough, footnotes and front matter.

    Unchanged translations give the same bytes. Code, formulas, addresses, HTML and definitions of
    links stay; a paragraph of several lines is wrapped again at its width.
    """

    name = "md"

    def __init__(self, _formats: Formats | None = None) -> None:
        """Make the format; it has no options and embeds nothing."""

    def read(self, path: Path) -> Document:
        """Return the prose of a page; raise ``DocumentError``: empty, too large, unsupported."""
        decoded = read_text(path, decode_text, _MOST_BYTES)
        page = read_page(decoded.text)
        segments = page.segments
        if not segments:
            raise DocumentError(DocumentFailure.EMPTY)
        unplaced = notices({"blocks-unchanged": page.unplaced})
        return Document(path, self.name, segments, (*unplaced, *decoded.notices))

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write the translated page and return notices.

        ``formatting-simplified:N`` bold or italic words were written without formatting;
        ``blocks-unchanged:N`` paragraphs stay in the source language; ``encoding-changed:utf-8``
        the encoding had to become UTF-8.
        """
        decoded = read_text(document.path, decode_text, _MOST_BYTES)
        page = read_page(decoded.text)
        if page.segments != document.segments:
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        edits: list[tuple[int, int, str]] = []
        lost = unchanged = 0
        for part, given in changed_parts(page.parts, translations):
            if isinstance(part, FrontMatterValue):
                value = " ".join(given[0].text.split())
                edits.append((part.start, part.end, part.add_quotes(value)))
                continue
            content, missing = page.reader.write(part.inline, given)
            if missing is None:
                unchanged += 1
            else:
                lost += missing
                edits.append((part.start, part.end, part.lay_out(content)))
        text = apply_edits(decoded.text, edits)
        if _outline_blocks(_parse_blocks(make_parser(), text, {})) != page.outline:
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        losses = notices({"formatting-simplified": lost, "blocks-unchanged": unchanged})
        return (*losses, *decoded.write(text, path))


@dataclass(frozen=True, slots=True)
class ProseBlock:
    """Prose in ``start:end`` of the source; ``joint`` is the text between two of its lines."""

    start: int
    end: int
    inline: Inline
    joint: str = "\n"
    cell: bool = False

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Texts of the block."""
        return self.inline.segments

    def lay_out(self, content: str) -> str:
        """Lay ``content`` out as the source requires."""
        if self.cell:
            return content.replace("|", "\\|")
        return self.joint.join(line.lstrip(" \t") for line in content.split("\n"))


@dataclass(frozen=True, slots=True)
class MarkdownPage:
    """Prose of a source, its reader, the outline, and the count of what was not located."""

    parts: tuple[FrontMatterValue | ProseBlock, ...]
    reader: InlineReader
    outline: tuple[str, ...]
    unplaced: int

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Texts of the page."""
        return tuple(segment for part in self.parts for segment in part.segments)


def read_page(source: str) -> MarkdownPage:
    """Return the prose of ``source``."""
    markdown, env = make_parser(), dict[str, Any]()
    tokens = _parse_blocks(markdown, source, env)
    reader = InlineReader(markdown, env.get("references", {}))
    walk = _BlockWalk(reader, source, [line for line in _LINE.findall(source) if line])
    parts: tuple[FrontMatterValue | ProseBlock, ...] = (
        *front_matter_values(source),
        *walk.blocks(tokens),
    )
    return MarkdownPage(parts, reader, _outline_blocks(tokens), walk.unplaced)


def _outline_blocks(tokens: Sequence[Token]) -> tuple[str, ...]:
    """Return the blocks of a source and their depth, without its text."""
    return tuple(f"{token.type} {token.tag} {token.level}" for token in tokens)


def _parse_blocks(markdown: MarkdownIt, source: str, env: dict[str, Any]) -> list[Token]:
    """Parse the blocks after the front matter; their line numbers are those of ``source``."""
    before = len([line for line in _LINE.findall(source[: front_matter_end(source)]) if line])
    lines = [line.rstrip("\r\n") for line in _LINE.findall(source) if line]
    return markdown.parse("\n".join([""] * before + lines[before:]), env)


class _BlockWalk:
    """Walk over the tokens of a source that locates each piece of prose in its lines."""

    def __init__(self, reader: InlineReader, source: str, lines: Sequence[str]) -> None:
        self._reader = reader
        self._source = source
        self._lines = lines
        self._offsets = [0, *accumulate(map(len, lines))]
        self.unplaced = 0

    def blocks(self, tokens: Sequence[Token]) -> Iterator[ProseBlock]:
        row: list[Token] | None = None
        for before, token in pairwise([Token("", "", 0), *tokens]):
            if token.type == "tr_open":
                row = []
            elif token.type == "tr_close":
                yield from self._read_row(row or [])
                row = None
            elif token.type == "inline" and row is not None:
                row.append(token)
            elif token.type == "inline" and token.map and has_words(token.content):
                mark = before.markup if before.markup.startswith("#") else ""
                spans = self._locate_lines(token.content, token.map[0], mark)
                if spans is None or is_too_dense(token.content):
                    self.unplaced += 1
                    continue
                kind = "heading" if before.type == "heading_open" else "paragraph"
                kind = "footnote" if _NOTE.match(token.content) else kind
                joint = "\n"
                if spans[1:]:
                    joint = self._source[spans[0][1] : spans[1][0]].lstrip(" \t\\")
                inline = self._reader.read(token.content, kind, not mark)
                yield ProseBlock(spans[0][0], spans[-1][1], inline, joint)

    def _locate_lines(self, content: str, first: int, mark: str) -> list[tuple[int, int]] | None:
        """Return the span of each line of ``content``; None if the lines say something else."""
        spans: list[tuple[int, int]] = []
        for number, wanted in enumerate(content.split("\n"), first):
            text = wanted.strip(" \t")
            line = self._line(number)
            at = line.find(text, line.find(mark) + len(mark)) if mark else len(line) - len(text)
            if at < 0 or not line.startswith(text, at):
                return None
            start = self._offsets[number] + at
            spans.append((start, start + len(text)))
        return spans

    def _line(self, number: int) -> str:
        return self._lines[number].rstrip("\r\n \t") if number < len(self._lines) else ""

    def _read_row(self, cells: Sequence[Token]) -> Iterator[ProseBlock]:
        """Yield the cells of one row, separated as the parser does."""
        number = cells[0].map[0] if cells and cells[0].map else 0
        first = cells[0].content if cells else ""
        line = self._line(number)
        bars = [match.start() for match in _BAR.finditer(line)]
        edges = [(a + 1, b) for a, b in pairwise([-1, *bars, len(line)])]
        margin = line[: edges[0][1]].rstrip(" \t")
        if _MARGIN.fullmatch(margin) and (not first or not margin.endswith(first)):
            edges = edges[1:]
        else:
            edges[0] = (len(margin) - len(first), len(margin))
        for index, cell in enumerate(cells):
            if not has_words(cell.content):
                continue
            left, right = edges[index] if index < len(edges) else (0, 0)
            text = line[left:right]
            start = self._offsets[number] + right - len(text.lstrip())
            end = start + len(text.strip())
            found = self._source[start:end].replace("\\|", "|")
            if found != cell.content or is_too_dense(found):
                self.unplaced += 1
                continue
            inline = self._reader.read(cell.content, "cell", False)
            yield ProseBlock(start, end, inline, cell=True)


@dataclass(frozen=True, slots=True)
class FrontMatterValue:
    """Title or description, from ``start`` to ``end``, its quotes included."""

    start: int
    end: int
    text: str
    quote: str

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Text of the value."""
        return (Segment(self.text, "property"),)

    def add_quotes(self, text: str) -> str:
        """Return ``text`` in the quotes of the value, or in those that it needs."""
        if not self.quote and _PLAIN.fullmatch(text):
            return text
        if self.quote == "'" and "'" not in text:
            return f"'{text}'"
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'


def front_matter_end(source: str) -> int:
    """Return the offset where the front matter of ``source`` ends; 0 if it has none."""
    start = len(source) - len(source.lstrip("\ufeff"))
    fence = _FENCE.match(source, start)
    position = fence.end() if fence else 0
    while fence and position < len(source):
        closing = re.compile(re.escape(fence[1]) + r"[ \t]*(?:\r?\n|\Z)").match(source, position)
        if closing:
            return closing.end() if position > fence.end() else 0
        line = _SETTING.match(source, position)
        if line is None:
            return 0
        position = line.end()
    return 0


def front_matter_values(source: str) -> Iterator[FrontMatterValue]:
    """Yield the titles and descriptions in front matter."""
    for match in _VALUE.finditer(source, 0, front_matter_end(source)):
        text = match["text"].strip()
        toml = match["sign"] == "="
        simple = match["quote"] or (not toml and _PLAIN.fullmatch(text))
        if simple and any(map(str.isalnum, text)):
            start, quote = match.start("quote"), match["quote"]
            length = len(match["text"]) if quote else len(match["text"].rstrip())
            yield FrontMatterValue(start, start + length + 2 * len(quote), text, quote)
