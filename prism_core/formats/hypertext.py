"""HTML: the text between the tags, block by block, and nothing else.

The source is only measured, never parsed into a tree and written anew: real HTML is rarely valid,
and what is not text (tags, styles, scripts, code, comments for Outlook) stays character for
character. So does what the page itself asks to leave: ``translate="no"``, ``class="notranslate"``.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from prism_core.formats.base import Segment
from prism_core.formats.inline import joined, refilled
from prism_core.formats.plain import PlainLayout, split_plain
from prism_core.formats.source_code import looks_like_code

_MARKUP: Final = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<[!?][^>]*>"
    r"|<(?P<close>/?)(?P<tag>[A-Za-z][^\s/>]*+)(?:=\s*+(?:\"[^\"]*+\"|'[^']*+')|[^>])*+>",
    re.DOTALL,
)
_ATTRIBUTE: Final = re.compile(
    r"(?P<name>[^\s\"'<>/=]+)"
    r"(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'=<>`]+)))?"
)
_RAW: Final = frozenset(("script", "style", "xmp", "iframe", "noembed", "noframes", "svg", "math"))
"""Elements whose content is no text of the page."""
_VOID: Final = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track")
)
"""Elements without content."""
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
_SIBLINGS: Final = frozenset(("li", "dt", "dd", "td", "th", "tr", "option"))
"""Elements that the next one of their kind ends, outside these:"""
_LISTS: Final = frozenset(("ul", "ol", "dl", "table", "select"))
_SAID: Final = frozenset(
    ("alt", "title", "placeholder", "aria-label", "aria-description", "aria-placeholder")
)
"""Attributes that a reader sees or hears."""
_META: Final = frozenset(
    ("description", "keywords", "og:title", "og:description", "twitter:title",
     "twitter:description", "dc.title", "dc.description", "dc.subject")
)  # fmt: skip
_SPACE: Final = re.compile(r"[ \t\r\n\f\v\u00a0]+")
_UNSEEN: Final = re.compile("[\u00ad\u200b\u200c\u2060\ufeff]")
"""Soft hyphens and spaces of no width: they would hide a name from its detectors."""
_FILE_NAME: Final = re.compile(r"\S+\.\w{2,5}")
_WRAP: Final = 76


@dataclass(frozen=True, slots=True)
class Change:
    """Put ``text`` in place of the characters from ``start`` to ``end``."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class _Block:
    """A paragraph: the spans of its text nodes, which inline tags may part, and what they say.

    ``held`` are the indices of nodes before which something stands that is not translated.
    """

    source: str
    spans: tuple[tuple[int, int], ...]
    held: frozenset[int]
    nodes: tuple[str, ...]
    segments: tuple[Segment, ...]

    def changes(self, translations: Sequence[str]) -> Iterator[Change]:
        filled = [index for index, node in enumerate(self.nodes) if node.strip()]
        first, last = filled[0], filled[-1]
        inner = self.nodes[first : last + 1]
        held = [index - first for index in self.held]
        for index, piece in enumerate(refilled(inner, held, translations[0]), first):
            start, end = self.spans[index]
            raw = self.source[start:end]
            before = raw[: _lead(raw)] if index == first else ""
            after = raw[_trail(raw) :] if index == last else ""
            yield Change(start, end, before + _escaped(piece, "\n" in raw.strip()) + after)


def _block(
    source: str, spans: Sequence[tuple[int, int]], held: frozenset[int], kind: str
) -> _Block | None:
    """The paragraph that ``spans`` form; None when it says nothing."""
    nodes = tuple(_seen(source[start:end]) for start, end in spans)
    text = joined(nodes, held)
    if not _has_words(text):
        return None
    return _Block(source, tuple(spans), held, nodes, (Segment(text, kind),))


@dataclass(frozen=True, slots=True)
class _Preformatted:
    """A text node of ``<pre>`` or the content of ``<textarea>``, laid out as plain text is."""

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
    """The value of an ``alt``, ``title`` …; ``start`` and ``end`` lie within its quotes, if any."""

    start: int
    end: int
    text: str
    kind: str
    quote: str

    @property
    def segments(self) -> tuple[Segment, ...]:
        return (Segment(self.text, self.kind),)

    def changes(self, translations: Sequence[str]) -> Iterator[Change]:
        value = self.quote + html.escape(translations[0]) + self.quote
        yield Change(self.start, self.end, value)


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
        self._held: set[int] = set()
        self._asides: list[_Preformatted | _Attribute] = []
        self._kind = "paragraph"
        self._pre = self._code = 0
        self._kept: list[str] = []  # the element to leave as it is, and those open within it

    def places(self) -> Iterator[_Place]:
        position = 0
        end = self._source.rfind(">") + 1  # no tag ends after it: what looks like one is text
        while markup := _MARKUP.search(self._source, position, end):
            self._add_text(position, markup.start())
            position = markup.end()
            tag = (markup["tag"] or "").lower()
            if tag and tag not in _INLINE:
                yield from self._flush()
                self._end_unclosed(tag)
            if tag and markup["close"]:
                self._close(tag)
            elif tag:
                position = self._open(tag, markup)
        self._add_text(position, len(self._source))
        yield from self._flush()

    def _add_text(self, start: int, end: int) -> None:
        if start >= end:
            return
        if self._kept or self._code:
            self._held.add(len(self._spans))
        else:
            self._spans.append((start, end))

    def _end_unclosed(self, tag: str) -> None:
        """Code in the line ends with its paragraph at the latest, and so does a ``p`` to keep."""
        if tag != "br" and not self._pre:
            self._code = 0
        if self._kept[:1] == ["p"] and tag != "br":
            self._kept = []

    def _open(self, tag: str, markup: re.Match[str]) -> int:
        """Note what ``tag`` begins; gives the position to go on from."""
        attributes = _attributes(markup)
        content = tag not in _VOID and not markup[0].endswith("/>")
        if tag in _SIBLINGS and self._kept[:1] == [tag] and _LISTS.isdisjoint(self._kept):
            self._kept = []
        kept = bool(self._kept) or _is_kept(attributes)
        if not kept:
            self._asides += _said(tag, attributes)
        elif content:
            self._kept.append(tag)
        if tag in _RAW or tag == "textarea":
            return self._pass_raw(tag, markup.end())
        if content:
            self._pre += tag == "pre"
            self._code += tag == "code"
        if tag not in _INLINE:
            self._kind = _KINDS.get(tag, "paragraph")
        return markup.end()

    def _pass_raw(self, tag: str, start: int) -> int:
        """The end of an element that holds no tags; what stands in a text area is text."""
        closing = re.compile(rf"</{re.escape(tag)}\b", re.IGNORECASE)
        found = closing.search(self._source, start)
        end = found.start() if found else len(self._source)
        if tag == "textarea" and not self._kept:
            self._asides += self._preformatted([(start, end)])
        return end

    def _close(self, tag: str) -> None:
        self._leave_kept(tag)
        if tag == "pre":
            self._pre = max(0, self._pre - 1)
        if tag == "code":
            self._code = max(0, self._code - 1)
        if tag not in _INLINE:
            self._kind = "paragraph"

    def _leave_kept(self, tag: str) -> None:
        """A tag that closes what is open outside ends what is to be kept, closed or not."""
        if tag == "p" and self._kept[-1:] != ["p"]:  # ends one that ended long ago
            return
        while self._kept and self._kept.pop() != tag:
            pass

    def _flush(self) -> Iterator[_Place]:
        if self._pre:
            yield from self._preformatted(self._spans)
        elif self._spans:
            block = _block(self._source, self._spans, frozenset(self._held), self._kind)
            if block:
                yield block
        yield from self._asides
        self._spans, self._asides, self._held = [], [], set()

    def _preformatted(self, spans: Sequence[tuple[int, int]]) -> Iterator[_Preformatted]:
        """The lines of ``spans``, unless they are source code."""
        texts = [_UNSEEN.sub("", html.unescape(self._source[start:end])) for start, end in spans]
        if looks_like_code("".join(texts)):
            return
        for (start, end), text in zip(spans, texts, strict=True):
            layout = split_plain(text)
            if layout.texts:
                yield _Preformatted(start, end, layout)


@dataclass(frozen=True, slots=True)
class _Value:
    """Where the value of an attribute lies, and the quotes that another one would need."""

    start: int
    end: int
    raw: str
    quote: str


def _attributes(markup: re.Match[str]) -> dict[str, _Value]:
    """The attributes of a tag that have a value, by name."""
    found: dict[str, _Value] = {}
    for match in _ATTRIBUTE.finditer(markup.string, markup.end("tag"), markup.end() - 1):
        for group, quote in (("double", ""), ("single", ""), ("bare", '"')):
            if match[group]:
                value = _Value(match.start(group), match.end(group), match[group], quote)
                found.setdefault(match["name"].lower(), value)
    return found


def _plain(attributes: dict[str, _Value], name: str) -> str:
    return attributes[name].raw.strip().lower() if name in attributes else ""


def _is_kept(attributes: dict[str, _Value]) -> bool:
    """Whether the page asks to leave an element as it is."""
    return (
        _plain(attributes, "translate") == "no"
        or "notranslate" in _plain(attributes, "class").split()
    )


def _said(tag: str, attributes: dict[str, _Value]) -> Iterator[_Attribute]:
    """The values of ``attributes`` that a reader meets: descriptions, labels, words on buttons."""
    if tag in ("link", "style"):  # their titles name style sheets and feeds
        return
    names, kind = set(_SAID), "caption"
    if tag == "meta":
        named = _plain(attributes, "name") or _plain(attributes, "property")
        names, kind = {"content"} if named in _META else set(), "property"
    elif tag == "input" and _plain(attributes, "type") in ("button", "reset", "submit"):
        names.add("value")
    elif tag in ("option", "optgroup", "track"):
        names.add("label")
    for name, value in attributes.items():
        text = _seen(value.raw).strip()
        if name in names and _has_words(text) and not _FILE_NAME.fullmatch(text):
            yield _Attribute(value.start, value.end, text, kind, value.quote)


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
