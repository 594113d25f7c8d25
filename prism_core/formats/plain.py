"""Plain text: finds the lines that form one paragraph, and lays out its translation again.

Wrapped lines are joined into one text and wrapped again at their former width. Headings, addresses,
verses, list items and table cells keep their lines. Everything that is not words (indents, bullets,
quote marks, rules, blank lines, column gaps) stays as it is.

Entry: ``TextFormat`` for files, ``split_plain`` for text elsewhere; ``PlainLayout.join`` goes back.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from pathlib import Path
from typing import Final

from prism_core.alignment import Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import (
    DEFAULT_OPTIONS,
    Document,
    FormatOptions,
    Formats,
    Segment,
    refuse_more,
)
from prism_core.formats.character_sets import decode_text, read_text
from prism_core.formats.code_lines import find_code
from prism_core.formats.text import has_words

_LINE: Final = re.compile(r"([^\r\n]*)(\r\n|\r|\n|$)")
_MARGIN: Final = re.compile(
    r"(?P<quote>(?:[ \t]?>)*)"
    r"(?P<indent>[ \t\f\v\ufeff\u00a0]*)"
    r"(?P<bullet>(?:(?:[-*+•◦▪–—·o]|\d{1,3}[.)]|[a-z]\)|\((?:\d{1,3}|[a-z])\))[ \t\u00a0]+)?)"
)
_GAP: Final = re.compile(r" *\t[ \t]*| {3,}|(?<![.!?:;,\"')\]\u2019\u201d])  ")
"""Separator of the cells of a row: a tab, three spaces, or two that do not follow a sentence."""
_BAR: Final = re.compile(r"[ \t]*\|[ \t]*")
_FEWEST_BARS: Final = 2
"""Number of bars that make a line a row; then only the bars separate its cells."""

_NARROW: Final = 45
"""Width below which lines are no wrapped paragraph, but an address, a list or a poem."""
_WIDE: Final = 140
"""Width above which nobody wraps lines by hand: each such line is a paragraph."""
_MOST_FOR_SENTENCE: Final = 280
"""Characters that ``count_sentences`` counts as one sentence at most."""
_UNSPACED: Final = re.compile(r"\S{57,}")
"""Data in lines, or what is no word."""
_SENTENCE_END: Final = re.compile(r"[.!?:;…][\"')\]\u2019\u201d]*$")
_ABBREVIATION: Final = re.compile(r"(?:\b[A-Z][a-z]{0,3}|\b\w|\.\w)\.$")
"""Short word with a stop, such as ``Dr.``: the sentence goes on after it."""
_LABEL: Final = re.compile(r"[^\W\d_a-zß-ÿ][^.!?:;]{0,40}:(?:[ \t]|$)")
"""Words with a colon at the start of a line, as in minutes and forms: ``Present: …``."""


class TextFormat:
    """Text files in any encoding that can be detected; unchanged texts give the same bytes."""

    name = "txt"

    def __init__(self, formats: Formats | None = None) -> None:
        self._options = DEFAULT_OPTIONS if formats is None else formats.options

    def read(self, path: Path) -> Document:
        """Return the paragraphs; raise ``DocumentError``: binary, empty, too large."""
        decoded = read_text(path, decode_text)
        layout = split_plain(decoded.text, options=self._options)
        if not layout.texts:
            raise DocumentError(DocumentFailure.EMPTY)
        return Document(path, self.name, layout.segments, decoded.notices + layout.notices)

    def write(
        self, document: Document, translations: Sequence[Translation], path: Path
    ) -> tuple[str, ...]:
        """Write the translated text; a notice says when the encoding had to become UTF-8."""
        decoded = read_text(document.path, decode_text)
        layout = split_plain(decoded.text)
        if layout.texts != tuple(segment.text for segment in document.segments):
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
        return decoded.write(layout.join(translations), path)


@dataclass(frozen=True, slots=True)
class _Line:
    """Line: ``margin`` (quote marks, indent, bullet), ``body``, trailing space, line ending."""

    margin: str
    quote: str
    bullet: bool
    body: str
    tail: str
    newline: str

    @classmethod
    def read(cls, content: str, newline: str) -> _Line:
        margin = _MARGIN.match(content)
        assert margin is not None  # noqa: S101 (every part of a margin may be empty)
        rest = content[margin.end() :]
        body = rest.rstrip()
        bullet, tail = bool(margin["bullet"]), rest[len(body) :]
        return cls(margin[0], margin["quote"], bullet, body, tail, newline)

    @property
    def source(self) -> str:
        return self.margin + self.body + self.tail + self.newline

    @property
    def width(self) -> int:
        return len(self.margin.expandtabs()) + len(self.body)

    @property
    def is_row(self) -> bool:
        return self.gaps.search(self.body) is not None

    @property
    def gaps(self) -> re.Pattern[str]:
        """Pattern that separates the cells of the line, if it is a row."""
        return _BAR if self.body.count("|") >= _FEWEST_BARS else _GAP

    def split_cells(self) -> list[_Unit | _Verbatim]:
        """Split a row of a table: its cells are texts, the gaps between them keep the columns."""
        gaps = list(self.gaps.finditer(self.body))
        starts = [0, *(gap.end() for gap in gaps)]
        ends = [*(gap.start() for gap in gaps), len(self.body)]
        pieces: list[_Unit | _Verbatim] = [_Verbatim(self.margin)]
        for start, end, gap in zip(starts, ends, [*gaps, None], strict=True):
            cell = self.body[start:end]
            pieces.append(_Unit(cell, cell) if has_words(cell) else _Verbatim(cell))
            if gap:
                pieces.append(_Verbatim(gap[0], gap=not gap[0].strip() and "\t" not in gap[0]))
        return [*pieces, _Verbatim(self.tail + self.newline)]


@dataclass(frozen=True, slots=True)
class _Unit:
    """Text with its source, and the layout for another text in its place.

    ``first`` and ``rest`` are the margins of the first and of further lines. ``width`` is in
    characters, 0 for a text that is never wrapped. ``soft`` ends every line but the last.
    """

    source: str
    text: str
    first: str = ""
    rest: str = ""
    width: int = 0
    newline: str = "\n"
    tail: str = ""
    soft: str = ""

    def lay_out(self, translation: str) -> str:
        """Lay ``translation`` out in place of the text, or return the source of an equal one."""
        if translation == self.text:
            return self.source
        words = re.sub(r"[\r\n]+", " ", translation)
        if not self.width:
            return self.first + words + self.tail
        rest = self.width - len(self.rest.expandtabs())
        first = self.width - len(self.first.expandtabs())
        lines = wrap(words, max(first, 20), max(rest, 20))
        joint = self.soft + self.newline + self.rest
        return self.first + joint.join(lines) + self.tail


@dataclass(frozen=True, slots=True)
class _Verbatim:
    """Source that holds no words: blank lines, rules, gaps, line endings."""

    source: str
    gap: bool = False
    code: bool = False


@dataclass(frozen=True, slots=True)
class PlainLayout:
    """Text taken apart: the texts to translate, and everything around them."""

    pieces: tuple[_Unit | _Verbatim, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """Paragraphs, lines and cells in order; none holds a line break or a tab."""
        return tuple(piece.text for piece in self.pieces if isinstance(piece, _Unit))

    @property
    def segments(self) -> tuple[Segment, ...]:
        """``texts`` as segments."""
        return tuple(map(Segment, self.texts))

    @property
    def notices(self) -> tuple[str, ...]:
        """Notice of code or data that stays as it is."""
        kept = any(isinstance(piece, _Verbatim) and piece.code for piece in self.pieces)
        return ("code-kept",) if kept else ()

    def join(self, translations: Sequence[Translation]) -> str:
        """Return the text with ``translations``; its own ``texts`` give the source itself."""
        if len(translations) != len(self.texts):
            raise ValueError("one translation is needed for each text")
        remaining = iter(translations)
        parts: list[str] = []
        grown = 0
        for piece in self.pieces:
            if isinstance(piece, _Verbatim):
                gap = piece.source
                if piece.gap:  # after a cell that grew; at least two spaces stay
                    gap = " " * max(min(2, len(gap)), len(gap) - grown)
                parts.append(gap)
                grown = 0
            else:
                parts.append(piece.lay_out(next(remaining).text))
                grown = len(parts[-1]) - len(piece.source)
        return "".join(parts)


def split_plain(
    text: str, flowed: bool = False, options: FormatOptions = DEFAULT_OPTIONS
) -> PlainLayout:
    """Take ``text`` apart. ``flowed`` reads and writes soft breaks as RFC 3676 marks them.

    Raise ``DocumentError`` (too large) for more text than ``options`` allow sentences.

    Line endings of every kind are understood and kept. Code and data within the
    text (patches, files in armour) hold no words.
    """
    unspaced = sum(len(word[0]) for word in _UNSPACED.finditer(text))
    refuse_more((len(text) - unspaced) // _MOST_FOR_SENTENCE, options)
    pieces: list[_Unit | _Verbatim] = []
    units = position = 0
    for start, end in (*find_code(text), (len(text), len(text))):
        for piece in _split_lines(text[position:start], flowed):
            pieces.append(piece)
            units += isinstance(piece, _Unit)
            refuse_more(units, options)
        if start < end:
            pieces.append(_Verbatim(text[start:end], code=True))
        position = end
    return PlainLayout(tuple(pieces))


def _split_lines(text: str, flowed: bool) -> Iterator[_Unit | _Verbatim]:
    lines = (_Line.read(*match.groups()) for match in _LINE.finditer(text) if match[0])
    # Lines with text form a block if they have the same quote marks.
    blocks = groupby(lines, lambda line: line.quote if has_words(line.body) else None)
    for quote, run in blocks:
        if quote is None:
            yield from (_Verbatim(line.source) for line in run)
            continue
        block = list(run)
        # the width cannot be told from a line with a word that is too long to wrap
        wrapped = [line.width for line in block if max(map(len, line.body.split())) <= 30]
        width = max(wrapped or [line.width for line in block])
        for paragraph in _group_paragraphs(block, width, flowed):
            yield from _split_pieces(paragraph, width, flowed)


def _group_paragraphs(block: Sequence[_Line], width: int, flowed: bool) -> list[list[_Line]]:
    full = sum(_is_full(a, b, width) for a, b in pairwise(block))
    by_chance = full == 1 and len(block) > 3
    # In wrapped prose few lines end where a sentence does.
    by_sentence = sum(map(_ends_sentence, block[:-1])) * 2 >= len(block) - 1
    paragraphs = [[block[0]]]
    for before, after in pairwise(block):
        if flowed:
            soft = before.tail.startswith(" ") and before.body != "--"
        elif (by_sentence and _ends_sentence(before)) or (
            _LABEL.match(after.body) and _LABEL.match(paragraphs[-1][0].body)
        ):  # a sentence, or the value of a label, has ended
            soft = False
        else:
            soft = _is_soft(paragraphs[-1], after, width, by_chance)
        if soft:
            paragraphs[-1].append(after)
        else:
            paragraphs.append([after])
    return paragraphs


def _ends_sentence(line: _Line) -> bool:
    return bool(_SENTENCE_END.search(line.body)) and not _ABBREVIATION.search(line.body)


def _is_soft(paragraph: Sequence[_Line], after: _Line, width: int, by_chance: bool) -> bool:
    """Return True if ``after`` continues ``paragraph``, which was full (not ``by_chance``)."""
    before = paragraph[-1]
    if after.bullet or before.is_row or after.is_row or not _NARROW <= width <= _WIDE:
        return False
    indent, usual = len(after.margin.expandtabs()), len(before.margin.expandtabs())
    # The second line sets the margin of the rest; under a bullet it may hang, else outdent.
    most = usual + 2 if before.bullet else usual
    if indent > most or (len(paragraph) > 1 and indent != usual):
        return False
    runs_on = after.body[0].islower() and not _SENTENCE_END.search(before.body)
    if runs_on and before.width * 2 >= width:
        return True
    return _is_full(before, after, width) and not by_chance


def _is_full(before: _Line, after: _Line, width: int) -> bool:
    return before.width + 1 + len(after.body.split()[0]) > width


def _split_pieces(paragraph: Sequence[_Line], width: int, flowed: bool) -> list[_Unit | _Verbatim]:
    last = paragraph[-1]
    if len(paragraph) == 1 and last.is_row:
        return last.split_cells()
    wraps = len(paragraph) > 1 or (_NARROW <= width <= _WIDE and last.width > width * 0.6)
    rest, quote = last.margin, last.quote
    if len(paragraph) > 1:
        rest = paragraph[1].margin
    elif last.bullet:  # blanked out under its line
        rest = quote + re.sub(r"\S", " ", rest[len(quote) :])
    bodies = [paragraph[0].body]
    for before, line in pairwise(paragraph):  # a word broken at its own hyphen is whole again
        hyphenated = re.fullmatch(r"\w-", before.body[-2:]) and line.body[0].islower()
        bodies.append(line.body if hyphenated else " " + line.body)
    source, text = "".join(line.source for line in paragraph), "".join(bodies)
    unit = _Unit(
        source=source[: len(source) - len(last.newline)],
        text=re.sub(r"[\t\f\v]+", " ", text),
        first=paragraph[0].margin,
        rest=rest,
        width=min(max(width, _NARROW), 78 if flowed else _WIDE) if wraps else 0,
        newline=paragraph[0].newline or "\n",
        tail=last.tail,
        soft=" " if flowed else "",
    )
    return [unit, _Verbatim(last.newline)]


def wrap(text: str, first: int, rest: int) -> list[str]:
    """Wrap ``text`` into lines of ``first``, then ``rest`` characters; long words stay whole."""
    lines, line, room = [], "", first
    for gap, word in re.findall(r"(\s*)(\S+)", text):
        if line and len(line) + len(gap) + len(word) > room:
            lines.append(line)
            line, room = word, rest
        else:
            line += gap + word
    return [*lines, line]
