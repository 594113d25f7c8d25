"""The paragraphs of an RTF file: groups and control words followed, text collected with its place.

Formatting, font and ``\\uc`` belong to the group they are set in; a footnote, header or text box
is a flow of paragraphs of its own inside the paragraph where it stands.

Entry: ``read_paragraphs``; then tokens -> groups entered and left -> destinations, words that say
how text looks, text -> chunks of a paragraph, which ends with its flow or at ``\\par``.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count, dropwhile
from typing import Final

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.rich_text import words
from prism_core.formats.rich_text.charsets import SYMBOL, Font, decode, of_charset, of_page
from prism_core.formats.rich_text.tokens import Mark, Token, read_tokens
from prism_core.formats.rtf.line import Chunk, Look, Paragraph
from prism_core.formats.text import ANCHOR, Anchor, Break

_DEEPEST: Final = 1_000
_MOST_FALLBACK: Final = 16
_ENCODINGS: Final = {b"ansi": "cp1252", b"mac": "mac_roman", b"pc": "cp437", b"pca": "cp850"}
_TEXT, _KEPT, _FONTS, _INFO, _CONTAINER = "text", "kept", "fonts", "info", "container"


@dataclass(slots=True)
class _Group:
    """What holds inside one group; a new group starts with what holds around it."""

    place: str = _TEXT
    fresh: bool = True
    starred: bool = False
    flow: bool = False
    fallback: int = 1
    font: int = -1
    owner: int = 0
    look: Look = ()
    hiding: frozenset[bytes] = frozenset()
    cell: bool = False
    heading: bool = False

    def inner(self) -> _Group:
        return replace(self, fresh=True, starred=False, flow=False)


@dataclass(slots=True)
class _Flow:
    """Paragraphs in the making: of the body, of a footnote, of a header …"""

    kind: str
    line: list[Chunk | Break | Anchor] = field(default_factory=list)
    start: int | None = None

    def show(self, item: Chunk | Break, start: int) -> None:
        """Add what the file has from ``start`` on."""
        self.line.append(item)
        if self.start is None and item.text:
            self.start = start


@dataclass(slots=True)
class _Open:
    """A chunk in the making: bytes still to decode, then UTF-16 that is text already."""

    start: int
    end: int
    glued: bool
    raw: bytearray = field(default_factory=bytearray)
    text: list[str] = field(default_factory=list)


def read_paragraphs(content: bytes) -> list[Paragraph]:
    """The paragraphs with letters, in the order of their text in the file.

    Raises ``DocumentError``: corrupt (groups that do not match), too large (nested too deeply).
    """
    reader = _Reader()
    for token in dropwhile(lambda token: token.mark is not Mark.BRACE, read_tokens(content)):
        if not reader.take(token):
            break
    else:
        raise DocumentError(DocumentFailure.CORRUPT)
    found = [p for p in reader.paragraphs if any(map(str.isalpha, p.text))]
    return sorted(found, key=lambda paragraph: paragraph.start)


class _Reader:
    def __init__(self) -> None:
        self.paragraphs: list[Paragraph] = []
        self._groups = [_Group()]
        self._flows = [_Flow("paragraph")]
        self._fonts: dict[int, Font] = {}
        self._encoding = "cp1252"
        self._default_font = -1
        self._owners = count(1)
        self._open: _Open | None = None
        self._skip = 0
        self._glued = False

    @property
    def _group(self) -> _Group:
        return self._groups[-1]

    def take(self, token: Token) -> bool:
        """Follow one token; False when it closed the outermost group."""
        if self._skip and self._skipped(token):
            pass
        elif token.mark is Mark.BRACE:
            self._skip = 0
            if token.value == b"{":
                self._enter()
            else:
                self._leave()
        elif token.mark is not Mark.NEWLINE and self._group.place != _KEPT:
            self._follow(token)
        self._glued = token.ends_open
        return len(self._groups) > 1

    def _skipped(self, token: Token) -> bool:
        """Whether ``token`` stands for a ``\\u`` before it; text may do so in part."""
        if token.mark in (Mark.BRACE, Mark.NEWLINE):
            return False
        taken = min(self._skip, len(token.value)) if token.mark is Mark.TEXT else 1
        self._skip -= taken
        if self._open is not None:
            self._open.end = token.start + taken if token.mark is Mark.TEXT else token.end
        if token.mark is Mark.TEXT and taken < len(token.value):
            self._add(replace(token, start=token.start + taken, value=token.value[taken:]))
        return True

    def _enter(self) -> None:
        self._close()
        if len(self._groups) > _DEEPEST:
            raise DocumentError(DocumentFailure.TOO_LARGE)
        self._group.fresh = False
        self._groups.append(self._group.inner())

    def _leave(self) -> None:
        self._close()
        if self._groups.pop().flow:
            self._end_paragraph()
            self._flows.pop()
        if len(self._groups) == 1:
            self._end_paragraph()

    def _follow(self, token: Token) -> None:
        group = self._group
        if token.mark is Mark.WORD:
            if group.fresh and self._is_destination(token.value):
                group.fresh = False
                return
            self._word(token)
        elif token.mark is Mark.SYMBOL and token.value == b"*" and group.fresh:
            group.starred = True
            return
        elif token.mark is Mark.SYMBOL:
            self._symbol(token)
        elif group.place == _FONTS:
            self._font().name += token.value.decode("latin-1")
        else:
            self._add(token)
        group.fresh = False

    def _is_destination(self, word: bytes) -> bool:
        """Whether ``word`` says what its group is for; then the group is that."""
        group = self._group
        if word in words.OBJECTS and group.place == _TEXT:
            self._anchor()
        if word in words.FLOWS or (word in words.PROPERTIES and group.place == _INFO):
            group.flow, group.place, group.owner = True, _TEXT, 0
            group.cell = group.heading = False
            self._flows.append(_Flow(words.FLOWS.get(word, "property")))
        elif word in words.SHOWN:
            group.place, group.owner = _TEXT, next(self._owners)
        elif word == b"fonttbl":
            group.place = _FONTS
        elif word in words.CONTAINERS:
            group.place = _INFO if word == b"info" else _CONTAINER
        elif word in words.KEPT or group.starred:
            group.place = _KEPT
        else:
            return False
        return True

    def _word(self, token: Token) -> None:
        word, number, group = token.value, token.number, self._group
        if group.place == _FONTS:
            self._describe_font(word, number)
        elif word == b"u":
            self._unicode(token)
        elif word in words.CHARACTERS:
            self._character(token, words.CHARACTERS[word])
        else:
            self._close()
            self._set(word, number)
            if group.place == _TEXT:
                self._layout(token)

    def _set(self, word: bytes, number: int | None) -> None:
        """Words that say how text is written down."""
        if word in _ENCODINGS:
            self._encoding = _ENCODINGS[word]
        elif word == b"ansicpg":
            self._encoding = of_page(number or 0) or self._encoding
        elif word == b"deff":
            self._default_font = self._group.font = number or 0
        elif word == b"uc":
            self._group.fallback = min(max(number or 0, 0), _MOST_FALLBACK)

    def _layout(self, token: Token) -> None:
        """Words that end a paragraph, break it, show something, or say how text looks."""
        word, group = token.value, self._group
        if word in words.PARAGRAPH_ENDS:
            group.cell = group.cell or word.endswith(b"cell")
            self._end_paragraph()
        elif word in words.BREAKS:
            self._flows[-1].show(Break(words.BREAKS[word]), token.start)
        elif word in words.SHOWN_FIELDS:
            self._anchor()
        elif word == b"ftnalt" and len(self._flows) > 1:
            self._flows[-1].kind = "endnote"
        elif word == b"pard":
            group.cell = group.heading = False
        elif word == b"intbl":
            group.cell = True
        elif word == b"outlinelevel":
            group.heading = True
        else:
            self._format(word, token.number)

    def _format(self, word: bytes, number: int | None) -> None:
        group = self._group
        if word == b"plain":
            group.look, group.hiding, group.font = (), frozenset(), self._default_font
        elif word == b"f":
            group.font = number or 0
        elif word in words.HIDING:
            group.hiding = group.hiding - {word} if number == 0 else group.hiding | {word}
        elif word in words.LOOKS or word in words.SIDEWAYS or words.is_underline(word):
            gone = words.SIDEWAYS if word in words.SIDEWAYS else {words.key(word)}
            usual = word in (b"ulnone", b"nosupersub") or (word, number) == (b"fs", 24)
            off = number == 0 or usual
            added = () if off else ((word, 1 if number is None else number),)
            group.look = tuple(
                sorted([p for p in group.look if words.key(p[0]) not in gone] + list(added))
            )

    def _describe_font(self, word: bytes, number: int | None) -> None:
        if word == b"f":
            self._group.font = number or 0
            self._fonts[self._group.font] = Font()
        elif word == b"fcharset":
            self._font().encoding = of_charset(number or 0) or self._font().encoding
        elif word == b"cpg":
            self._font().encoding = of_page(number or 0) or self._font().encoding

    def _font(self) -> Font:
        return self._fonts.setdefault(self._group.font, Font())

    def _symbol(self, token: Token) -> None:
        if token.value in words.SYMBOLS:
            self._character(token, words.SYMBOLS[token.value])
            return
        self._close()
        word = words.SAME_AS.get(token.value)
        if word and self._group.place == _TEXT:
            self._layout(replace(token, value=word))

    def _character(self, token: Token, text: str) -> None:
        chunk = self._extended(token)
        if chunk is not None:
            self._flush(chunk)
            chunk.text.append(text)

    def _unicode(self, token: Token) -> None:
        self._character(token, chr((token.number or 0) % 65_536))
        self._skip = self._group.fallback

    def _add(self, token: Token) -> None:
        """Bytes of text, or one byte by its code."""
        chunk = self._extended(token)
        if chunk is not None:
            chunk.raw += token.value

    def _extended(self, token: Token) -> _Open | None:
        """The chunk that ``token`` belongs to; None where there is no text to translate."""
        group = self._group
        if group.place != _TEXT:
            return None
        if group.hiding or self._fonts.get(group.font, Font()).encoding == SYMBOL:
            self._anchor()
            return None
        if self._open is None:
            self._open = _Open(token.start, token.end, self._glued)
        self._open.end = token.end
        return self._open

    def _flush(self, chunk: _Open) -> None:
        if chunk.raw:
            font = self._fonts.get(self._group.font, Font())
            encoding = font.encoding or self._encoding
            chunk.text.append(decode(bytes(chunk.raw), encoding))
            chunk.raw.clear()

    def _close(self) -> None:
        """End the chunk in the making."""
        chunk, self._open = self._open, None
        if chunk is None:
            return
        self._flush(chunk)
        joined = "".join(chunk.text).encode("utf-16-le", "surrogatepass")
        group = self._group
        style = f"{group.look}{self._fonts.get(group.font, Font()).family}"
        made = Chunk(
            _visible(joined.decode("utf-16-le", "replace")),
            style,
            group.owner,
            start=chunk.start,
            end=chunk.end,
            fallback=group.fallback,
            glued=chunk.glued,
            words=group.look,
            font=group.font,
        )
        self._flows[-1].show(made, chunk.start)

    def _anchor(self) -> None:
        self._close()
        self._flows[-1].line.append(ANCHOR)

    def _end_paragraph(self) -> None:
        flow, group = self._flows[-1], self._group
        kind = flow.kind
        if kind == "paragraph" and (group.cell or group.heading):
            kind = "cell" if group.cell else "heading"
        if flow.line:
            self.paragraphs.append(Paragraph(tuple(flow.line), kind, flow.start or 0))
            flow.line.clear()
            flow.start = None


def _visible(text: str) -> str:
    """A text chunk holds no tabs, breaks or control characters of its own."""
    return "".join(
        character if character.isprintable() or character > "\x9f" else " " for character in text
    )
