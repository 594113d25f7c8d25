"""HTML bodies: the text between the tags, block by block, and nothing else.

The source is only measured, never parsed into a tree and written anew: mail HTML is rarely valid,
and what is not text (tags, styles, scripts, comments for Outlook) stays character for character.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from prism_core.formats.base import Segment
from prism_core.formats.mail.inline import distribute
from prism_core.formats.plain import PlainLayout, split_plain

_MARKUP: Final = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<[!?][^>]*>"
    r"|<(?P<close>/?)(?P<tag>[A-Za-z][^\s/>]*+)(?:=\s*+(?:\"[^\"]*+\"|'[^']*+')|[^>])*+>",
    re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(
    r"(?P<name>[^\s\"'<>/=]+)(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'))?"
)
_RAW: Final = frozenset(
    ("script", "style", "textarea", "xmp", "iframe", "noembed", "noframes", "svg", "math")
)
"""Elements whose content is no text of the message."""
# fmt: off
_INLINE: Final = frozenset((
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "blink", "cite", "code", "data", "del",
    "dfn", "em", "font", "i", "img", "ins", "kbd", "label", "mark", "nobr", "q", "rp", "rt",
    "ruby", "s", "samp", "small", "span", "strike", "strong", "sub", "sup", "time", "tt", "u",
    "var", "wbr", "o:p", "st1:place", "st1:city", "st1:country-region",
))
# fmt: on
"""Elements that run on in the line; every other one, known or not, ends the paragraph."""
_KINDS: Final = {"title": "property", "td": "cell", "th": "cell", "caption": "caption"} | {
    f"h{level}": "heading" for level in range(1, 7)
}
_SPACE: Final = re.compile(r"[ \t\r\n\f\v\u00a0]+")
_UNSEEN: Final = re.compile("[\u00ad\u200b\u200c\u2060\ufeff]")
"""Soft hyphens and spaces of no width: they would hide a name from its detectors."""
_WRAP: Final = 76


@dataclass(frozen=True, slots=True)
class Change:
    """Put ``text`` in place of the characters from ``start`` to ``end``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph: the spans of its text nodes, which inline tags may part, and what they say."""

    source: str
    spans: tuple[tuple[int, int], ...]
    nodes: tuple[str, ...]
    segments: tuple[Segment, ...]

    def changes(self, translations: Sequence[str]) -> Iterator[Change]:
        filled = [index for index, node in enumerate(self.nodes) if node.strip()]
        first, last = filled[0], filled[-1]
        inner = self.nodes[first : last + 1]
        for index, piece in enumerate(distribute(inner, translations[0]), first):
            start, end = self.spans[index]
            raw = self.source[start:end]
            before = raw[: _lead(raw)] if index == first else ""
            after = raw[_trail(raw) :] if index == last else ""
            yield Change(start, end, before + _escaped(piece, "\n" in raw.strip()) + after)


def _block(source: str, spans: Sequence[tuple[int, int]], kind: str) -> _Block | None:
    """The paragraph that ``spans`` form; None when it says nothing."""
    nodes = tuple(_seen(source[start:end]) for start, end in spans)
    text = re.sub(" {2,}", " ", "".join(nodes)).strip()
    if not _has_words(text):
        return None
    return _Block(source, tuple(spans), nodes, (Segment(text, kind),))


@dataclass(frozen=True, slots=True)
class _Preformatted:
    """A text node of ``<pre>``, laid out as plain text is."""

    start: int
    end: int
    layout: PlainLayout

    @property
    def segments(self) -> tuple[Segment, ...]:
        return tuple(map(Segment, self.layout.texts))

    def changes(self, translations: Sequence[str]) -> Iterator[Change]:
        text = html.escape(self.layout.join(translations), quote=False)
        yield Change(self.start, self.end, text)


@dataclass(frozen=True, slots=True)
class _Attribute:
    """The value of an ``alt`` or ``title``; ``start`` and ``end`` lie within its quotes."""

    start: int
    end: int
    text: str

    @property
    def segments(self) -> tuple[Segment, ...]:
        return (Segment(self.text, "caption"),)

    def changes(self, translations: Sequence[str]) -> Iterator[Change]:
        yield Change(self.start, self.end, html.escape(translations[0]))


_Place = _Block | _Preformatted | _Attribute


@dataclass(frozen=True, slots=True)
class HtmlLayout:
    """An HTML text taken apart: what to translate, and everything around it."""

    source: str
    places: tuple[_Place, ...]

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Paragraphs, cells, headings and descriptions in order."""
        return tuple(segment for place in self.places for segment in place.segments)

    def join(self, translations: Sequence[str]) -> str:
        """The HTML with ``translations``, one for each segment, in their places.

        A place whose translations equal its segments stays as it is, entities and spaces included.
        """
        changes: list[Change] = []
        taken = 0
        for place in self.places:
            segments = place.segments
            given = translations[taken : taken + len(segments)]
            taken += len(segments)
            if any(s.text != text for s, text in zip(segments, given, strict=True)):
                changes += place.changes(given)
        return _applied(self.source, changes)


def split_html(source: str) -> HtmlLayout:
    """Take the HTML ``source`` apart. Anything is accepted; what is no tag is text."""
    return HtmlLayout(source, tuple(_Reader(source).places()))


class _Reader:
    """Walks over tags and text once, and gathers text nodes until a tag ends the paragraph."""

    def __init__(self, source: str) -> None:
        self._source = source
        self._spans: list[tuple[int, int]] = []
        self._attributes: list[_Attribute] = []
        self._kind = "paragraph"
        self._pre = self._code = 0

    def places(self) -> Iterator[_Place]:
        position = 0
        end = self._source.rfind(">") + 1  # no tag ends after it: what looks like one is text
        while markup := _MARKUP.search(self._source, position, end):
            self._add_text(position, markup.start())
            position = markup.end()
            tag = (markup["tag"] or "").lower()
            if tag and tag not in _INLINE:
                yield from self._flush()
            if tag and markup["close"]:
                self._close(tag)
            elif tag:
                position = self._open(tag, markup)
        self._add_text(position, len(self._source))
        yield from self._flush()

    def _add_text(self, start: int, end: int) -> None:
        if start < end and not (self._pre and self._code):
            self._spans.append((start, end))

    def _open(self, tag: str, markup: re.Match[str]) -> int:
        """Note what ``tag`` begins; gives the position to go on from."""
        self._attributes += _read_attributes(markup)
        if tag in _RAW:
            closing = re.compile(rf"</{re.escape(tag)}\b", re.IGNORECASE)
            end = closing.search(self._source, markup.end())
            return end.start() if end else len(self._source)
        self._pre += tag == "pre"
        self._code += tag == "code"
        if tag not in _INLINE:
            self._kind = _KINDS.get(tag, "paragraph")
        return markup.end()

    def _close(self, tag: str) -> None:
        if tag == "pre":
            self._pre = max(0, self._pre - 1)
        if tag == "code":
            self._code = max(0, self._code - 1)
        if tag not in _INLINE:
            self._kind = "paragraph"

    def _flush(self) -> Iterator[_Place]:
        if self._pre:
            for start, end in self._spans:
                layout = split_plain(_UNSEEN.sub("", html.unescape(self._source[start:end])))
                if layout.texts:
                    yield _Preformatted(start, end, layout)
        elif self._spans:
            block = _block(self._source, self._spans, self._kind)
            if block:
                yield block
        yield from self._attributes
        self._spans, self._attributes = [], []


def _read_attributes(markup: re.Match[str]) -> Iterator[_Attribute]:
    for match in _ATTRIBUTE.finditer(markup.string, markup.end("tag"), markup.end() - 1):
        value = match["double"] if match["double"] is not None else match["single"]
        if match["name"].lower() not in ("alt", "title") or not value:
            continue
        group = "double" if match["double"] is not None else "single"
        text = _seen(value).strip()
        if _has_words(text) and not re.fullmatch(r"\S+\.\w{2,5}", text):
            yield _Attribute(match.start(group), match.end(group), text)


def _seen(raw: str) -> str:
    """What a reader sees of ``raw``: entities as characters, runs of space as one."""
    return _SPACE.sub(" ", _UNSEEN.sub("", html.unescape(raw)))


def _lead(raw: str) -> int:
    """Where the text of a node begins, after spaces and entities of space."""
    match = re.match(r"(?:\s|&nbsp;|&#160;|&#xa0;)*", raw, re.IGNORECASE)
    return match.end() if match else 0


def _trail(raw: str) -> int:
    """Where the text of a node ends, before spaces and entities of space."""
    end = len(raw)
    while True:
        cut = len(raw[:end].rstrip())
        if raw[:cut].lower().endswith(("&nbsp;", "&#160;", "&#xa0;")):
            cut -= 6
        if cut == end:
            return end
        end = cut


def _escaped(text: str, wrapped: bool) -> str:
    """``text`` as HTML; on several lines if the source had them."""
    escaped = html.escape(text, quote=False)
    if not wrapped or len(escaped) <= _WRAP:
        return escaped
    lines, line = [], ""
    for word in re.findall(r"\s*\S+|\s+\Z", escaped):
        if line.strip() and word.strip() and len(line) + len(word) > _WRAP:
            lines.append(line)
            line = word.lstrip()
        else:
            line += word
    return "\n".join([*lines, line])


def _has_words(text: str) -> bool:
    return any(character.isalnum() for character in text)


def _applied(source: str, changes: Sequence[Change]) -> str:
    pieces, position = [], 0
    for change in sorted(changes, key=lambda change: change.start):
        pieces += [source[position : change.start], change.text]
        position = change.end
    return "".join([*pieces, source[position:]])
