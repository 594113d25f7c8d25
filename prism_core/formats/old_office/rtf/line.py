r"""Paragraph of an RTF file, read from its control words, and a translation put in its place.

Letters keep their place in the file: formatting, font and ``\uc`` belong to the group in which they
are set. Words that moved get groups of their own, with their formatting.

Entry: ``read_paragraphs`` -> tokens -> ``_ParagraphReader`` (destinations, formatting, chunks of a
paragraph, which ends with its flow or at ``\par``) -> ``RtfParagraph.replace``, which makes the
edits that put a translation in its place.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from itertools import count, dropwhile
from typing import Final

from prism_core.alignment import Span, Translation
from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import DEFAULT_OPTIONS, Edit, FormatOptions, refuse_more
from prism_core.formats.old_office.rich_text import (
    CONTAINERS,
    FONTS,
    HIDING,
    KEPT,
    KEPT_AS_IS,
    PARAGRAPH_ENDS,
    SYMBOL,
    TEXT,
    RichGroup,
    RichTextReader,
    RichToken,
    RichTokenKind,
    encode_text,
    read_tokens,
    word_set,
)
from prism_core.formats.text import (
    ANCHOR,
    Anchor,
    Break,
    Loss,
    TextRun,
    fit_translation,
    has_letter,
    looks_of,
)

_INFO, _CONTAINER = "info", "container"
_FLOWS: Final = {
    b"header": "header", b"headerl": "header", b"headerr": "header", b"headerf": "header",
    b"footer": "footer", b"footerl": "footer", b"footerr": "footer", b"footerf": "footer",
    b"footnote": "footnote", b"annotation": "comment",
    b"shptxt": "textbox", b"dptxbxtext": "textbox",
}  # fmt: skip
"""Destinations that hold paragraphs of their own, and the kind of these."""
_PROPERTIES: Final = word_set("title subject keywords doccomm")
"""Destinations of ``info`` that are in words; the others are names, dates and numbers."""
_SHOWN: Final = word_set("fldrslt result")
"""Visible content of a field or an object: text of the paragraph around it."""
_OBJECTS: Final = word_set("pict shp shpgrp do object field footnote annotation shppict")
"""Groups with visible content; text moves around them."""
_SHOWN_FIELDS: Final = word_set(
    "chdate chdpl chdpa chtime chpgn chftn sectnum page column softpage"
)
"""Control words that show a computed value, or break the page."""
_BREAKS: Final = {b"tab": "\t", b"line": "\n", b"lbr": "\n"}
_LOOKS: Final = word_set(
    "b i strike striked scaps caps outl shad embo impr sub super cf cb highlight chcbpat fs revised"
)
"""Character properties that a reader sees; 0 turns each off."""
_SIDEWAYS: Final = word_set("sub super nosupersub")
_ENDS: Final = {
    b"ul": b"\\ulnone", b"sub": b"\\nosupersub", b"super": b"\\nosupersub", b"fs": b"\\fs24",
}  # fmt: skip
"""Control words that end formatting, where it is not the same word with a 0."""
_NUMBERED: Final = frozenset((b"cf", b"cb", b"highlight", b"chcbpat", b"fs", b"striked"))
"""Control words whose number always has a meaning."""
_REVISED: Final = b"revised"

Look = tuple[tuple[bytes, int], ...]
"""Control words in force, with their numbers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chunk(TextRun):
    r"""Text in ``start:end`` of the file.

    ``fallback`` is the number of characters after a ``\u`` for programs that do not know it.
    ``glued`` says that a control word without a blank stands right before the text. ``words`` and
    ``font`` are the control words in force, and ``language`` is the number of the language named
    last.
    """

    start: int
    end: int
    fallback: int
    glued: bool
    words: Look
    font: int
    language: int

    def edit(self, text: str, before: bytes = b"") -> Edit:
        """Return the edit that replaces the chunk by ``text``, after the groups ``before`` it."""
        content = before + encode_text(text, self.fallback)
        if self.glued and content[:1] not in (b"", b"\\", b"{"):
            content = b" " + content
        return Edit(self.start, self.end, content)


@dataclass(frozen=True, slots=True)
class RtfParagraph:
    """Paragraph, its ``kind`` of text, and the offset of its first visible content.

    ``edits`` are the edits of the file that replace its text.
    """

    line: tuple[Chunk | Break | Anchor, ...]
    kind: str
    start: int
    edits: list[Edit] = field(default_factory=list)

    @property
    def text(self) -> str:
        """Text without the white space, tabs and breaks around it."""
        return "".join(item.text for item in self.line).strip()

    @property
    def looks(self) -> tuple[Span, ...]:
        """Formatting spans; see ``Segment``."""
        return looks_of(self.line)

    def replace(self, translation: Translation) -> Loss:
        """Put ``translation`` in place of the text; every break and anchor stays.

        Formatting that cannot be written again does not move: authors of changes are tracked, or
        the file does not name the font.
        """
        chunks = [chunk for chunk in self.line if isinstance(chunk, Chunk)]
        tracked = any(word == _REVISED for chunk in chunks for word, _ in chunk.words)
        fonts = {chunk.font for chunk in chunks}
        movable = not tracked and (len(fonts) < 2 or min(fonts) >= 0)
        changes, loss = fit_translation(self.line, translation, movable=movable)
        for placed in changes:
            first, last = placed.group.runs[0], placed.group.runs[-1]
            ahead = b"".join(_write_group(text, like, first) for text, like in placed.ahead)
            if placed.is_new:
                for chunk, text in placed.texts():
                    self.edits.append(chunk.edit(text, ahead if chunk is first else b""))
            else:
                self.edits.append(Edit(first.start, first.start, ahead))
            for text, like in placed.behind:
                self.edits.append(Edit(last.end, last.end, _write_group(text, like, last)))
        return loss


def _write_group(text: str, like: Chunk, around: Chunk) -> bytes:
    """Return ``text`` in a group that changes the formatting ``around`` it to that of ``like``."""
    words = b"\\f%d" % like.font if around.font != like.font else b""
    kept = {_exclusive_key(word) for word, _ in like.words}
    for word, _ in around.words:
        if _exclusive_key(word) not in kept:
            words += _ENDS.get(_property_of(word), b"\\" + word + b"0")
    for word, number in like.words:
        if (word, number) not in around.words:
            digits = b"%d" % number if word in _NUMBERED or number != 1 else b""
            words += b"\\" + word + digits
    return b"{" + words + (b" " if words else b"") + encode_text(text, around.fallback) + b"}"


def _is_underline(word: bytes) -> bool:
    """Return True if ``word`` begins or ends an underline, of which there are many kinds."""
    return word.startswith(b"ul") and word != b"ulc"


def _property_of(word: bytes) -> bytes:
    """Return the subject of ``word``, which is the same for all underlines."""
    return b"ul" if _is_underline(word) else word


def _exclusive_key(word: bytes) -> bytes:
    """Return a key that is equal for control words of which the later one ends the earlier."""
    return b"sub" if word in _SIDEWAYS else _property_of(word)


def read_paragraphs(
    content: bytes, sought: Collection[bytes], options: FormatOptions = DEFAULT_OPTIONS
) -> tuple[list[RtfParagraph], list[RichToken]]:
    """Return the paragraphs with letters, and all control words that are ``sought``.

    Paragraphs are in the order of their text in the file. Raises ``DocumentError``: corrupt (groups
    that do not match), too large (nested too deeply, or more paragraphs than ``options`` allow).
    """
    reader, words = _ParagraphReader(options), list[RichToken]()
    tokens = read_tokens(content)
    for token in dropwhile(lambda token: token.kind is not RichTokenKind.BRACE, tokens):
        if token.kind is RichTokenKind.WORD and token.value in sought:
            words.append(token)
        if not reader.take(token):
            break
    else:
        raise DocumentError(DocumentFailure.CORRUPT)
    return sorted(reader.paragraphs, key=lambda paragraph: paragraph.start), words


@dataclass(slots=True)
class _Flow:
    """Paragraphs in progress, for example of the body, a footnote or a header."""

    kind: str
    line: list[Chunk | Break | Anchor] = field(default_factory=list)
    start: int | None = None

    def add_visible(self, item: Chunk | Break, start: int) -> None:
        """Add content that the file has from ``start`` on."""
        self.line.append(item)
        if self.start is None and item.text:
            self.start = start


class _ParagraphReader(RichTextReader):
    """Collector of paragraphs with letters.

    A footnote, header or text box is a flow of paragraphs of its own.
    """

    passed_over = frozenset((KEPT_AS_IS,))

    def __init__(self, options: FormatOptions) -> None:
        super().__init__()
        self.paragraphs: list[RtfParagraph] = []
        self._options = options
        self._flows = [_Flow("paragraph")]
        self._default_font = -1
        self._owners = count(1)

    def leave(self, group: RichGroup) -> None:
        """End the flow of the group, and with the outermost group the document."""
        if group.flow:
            self._end_paragraph()
            self._flows.pop()
        if len(self.groups) == 1:
            self._end_paragraph()

    def enter_destination(self, word: bytes) -> bool:
        """Set the place of a group by its destination; see ``RichTextReader``."""
        group = self.group
        if word in _OBJECTS and group.place == TEXT:
            self._add_anchor()
        if word in _FLOWS or (word in _PROPERTIES and group.place == _INFO):
            group.flow, group.place, group.owner = True, TEXT, 0
            group.cell = group.heading = False
            self._flows.append(_Flow(_FLOWS.get(word, "property")))
        elif word in _SHOWN:
            group.place, group.owner = TEXT, next(self._owners)
        elif word == b"fonttbl":
            group.place = FONTS
        elif word in CONTAINERS:
            group.place = _INFO if word == b"info" else _CONTAINER
        elif word in KEPT or group.starred:
            group.place = KEPT_AS_IS
        else:
            return False
        return True

    def take_word(self, token: RichToken) -> None:
        """Handle words that end or break a paragraph, show something, or set formatting."""
        word, group = token.value, self.group
        if word == b"deff":
            self._default_font = group.font = token.number or 0
        elif group.place != TEXT:
            return
        elif word in PARAGRAPH_ENDS:
            group.cell = group.cell or word.endswith(b"cell")
            self._end_paragraph()
        elif word in _BREAKS:
            self._flows[-1].add_visible(Break(_BREAKS[word]), token.start)
        elif word in _SHOWN_FIELDS:
            self._add_anchor()
        elif word == b"ftnalt" and len(self._flows) > 1:
            self._flows[-1].kind = "endnote"
        elif word == b"pard":
            group.cell = group.heading = False
        elif word == b"intbl":
            group.cell = True
        elif word == b"outlinelevel":
            group.heading = True
        else:
            self._apply_formatting(word, token.number)

    def _apply_formatting(self, word: bytes, number: int | None) -> None:
        group = self.group
        if word == b"plain":
            group.look, group.hiding, group.font = (), frozenset(), self._default_font
            group.language = 0
        elif word == b"lang":
            group.language = number or 0
        elif word == b"f":
            group.font = number or 0
        elif word in HIDING:
            group.hiding = group.hiding - {word} if number == 0 else group.hiding | {word}
        elif word in _LOOKS or word in _SIDEWAYS or _is_underline(word):
            gone = _SIDEWAYS if word in _SIDEWAYS else {_property_of(word)}
            usual = word in (b"ulnone", b"nosupersub") or (word, number) == (b"fs", 24)
            off = number == 0 or usual
            added = () if off else ((word, 1 if number is None else number),)
            group.look = tuple(
                sorted([p for p in group.look if _property_of(p[0]) not in gone] + list(added))
            )

    def takes(self) -> bool:
        """Return True in a paragraph.

        Hidden text and signs of symbol fonts become anchors in it.
        """
        if self.group.place != TEXT:
            return False
        if self.group.hiding or self.font.encoding == SYMBOL:
            self._add_anchor()
            return False
        return True

    def close(self) -> None:
        """End the current chunk; it holds no tabs, breaks or control characters."""
        start, group = self.start, self.group
        if start is None:
            return
        text = "".join(
            character if character.isprintable() or character > "\x9f" else " "
            for character in self.end_stretch()
        )
        made = Chunk(
            text,
            f"{group.look}{self.font.family}",
            group.owner,
            start=start,
            end=self.end,
            fallback=group.fallback,
            glued=self.glued,
            words=group.look,
            font=group.font,
            language=group.language,
        )
        self._flows[-1].add_visible(made, start)

    def _add_anchor(self) -> None:
        self.close()
        self._flows[-1].line.append(ANCHOR)

    def _end_paragraph(self) -> None:
        flow, group = self._flows[-1], self.group
        kind = flow.kind
        if kind == "paragraph" and (group.cell or group.heading):
            kind = "cell" if group.cell else "heading"
        if flow.line:
            paragraph = RtfParagraph(tuple(flow.line), kind, flow.start or 0)
            if has_letter(paragraph.text):
                self.paragraphs.append(paragraph)
                refuse_more(len(self.paragraphs), self._options)
            flow.line.clear()
            flow.start = None
