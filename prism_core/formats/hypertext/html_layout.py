"""HTML: the text between the tags, block by block, and nothing else.

The source is only measured, never parsed into a tree and written anew: real HTML is rarely valid,
and everything but text (tags, styles, scripts, code) stays character for character. Elements that
the page itself protects stay too: ``translate="no"``, ``class="notranslate"``.

Entry: ``split_html``; then ``HtmlLayout.rebuild``.
"""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from prism_core.alignment import Translation
from prism_core.formats.base import (
    DEFAULT_OPTIONS,
    FormatOptions,
    Segment,
    apply_edits,
    changed_parts,
    refuse_more,
)
from prism_core.formats.character_sets import UNSEEN
from prism_core.formats.code_lines import looks_like_code
from prism_core.formats.hypertext.markup import (
    MARKUP,
    Attribute,
    HtmlLine,
    LanguageLabel,
    SourceChange,
    escape,
    find_language_labels,
    find_shown_attributes,
    is_kept,
    parse_attributes,
    relabel_language,
    rewrite,
    text_end,
    text_start,
    visible_text,
)
from prism_core.formats.plain import PlainLayout, split_plain
from prism_core.formats.text import has_words
from prism_core.formats.text.nested_text import Nodes

_RAW: Final = frozenset(
    ("script", "style", "xmp", "xml", "iframe", "noembed", "noframes", "svg", "math")
)
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
"""Elements that continue the line; every other one, known or not, ends the paragraph."""
_KINDS: Final = {"title": "property", "td": "cell", "th": "cell", "caption": "caption"} | {
    f"h{level}": "heading" for level in range(1, 7)
}
_FOR_OUTLOOK: Final = re.compile(
    r"<!--\[if\b[^\]<>]{0,200}\]>(?P<inner>.*)<!\[endif\]-->", re.DOTALL
)
"""Comment that Outlook reads as part of the page."""
_BROKEN_OFF: Final = 30
"""Length of a line before a ``<br>``; a shorter one is of an address, a list or a poem."""
_NEXT_WITHIN: Final = 2_000
_NEXT: Final = re.compile(
    r"(?:\s|</?(?:a|abbr|b|em|font|i|mark|small|span|strong|u)\b[^<>]*>)*+([^\s<])", re.IGNORECASE
)
"""First letter after a ``<br>``, which inline tags may precede."""
_STOP: Final = re.compile(r"[.!?:;…>|][\"')\]\u2019\u201d]*\Z")
_SIBLINGS: Final = frozenset(("li", "dt", "dd", "td", "th", "tr", "option"))
"""Elements that end where the next one of their kind begins, outside `_LISTS`."""
_LISTS: Final = frozenset(("ul", "ol", "dl", "table", "select"))


@dataclass(frozen=True, slots=True)
class _HtmlBlock:
    """Paragraph: its text nodes, which inline tags may separate, and their text."""

    line: HtmlLine
    segments: tuple[Segment, ...]

    def rewrite(self, translations: Sequence[Translation]) -> tuple[list[SourceChange], int]:
        """Return the changes, and how many changes of formatting they lose; edges stay."""
        translation, line = translations[0], self.line
        wanted, spans = line.nodes.wanted, line.spans
        made = rewrite(line, translation, self._write_node) if translation.is_aligned else None
        if made is None:
            pieces = zip(wanted, line.nodes.refill(translation.text), strict=True)
            made = [(*spans[i], self._write_node(piece, i)) for i, piece in pieces], 0
        changes = []
        for start, end, text in made[0]:
            raw = line.source[start:end]
            before = raw[: text_start(raw)] if (start, end) == spans[wanted[0]] else ""
            after = raw[text_end(raw) :] if (start, end) == spans[wanted[-1]] else ""
            changes.append((start, end, before + text + after))
        return changes, made[1]

    def _write_node(self, piece: str, index: int) -> str:
        start, end = self.line.spans[index]
        return escape(piece, "\n" in self.line.source[start:end].strip())


@dataclass(frozen=True, slots=True)
class _Preformatted:
    """Text node of ``<pre>`` or content of ``<textarea>``, laid out like plain text."""

    start: int
    end: int
    layout: PlainLayout

    @property
    def segments(self) -> tuple[Segment, ...]:
        return self.layout.segments

    def rewrite(self, translations: Sequence[Translation]) -> tuple[list[SourceChange], int]:
        text = html.escape(self.layout.join(translations), quote=False)
        return [(self.start, self.end, text)], 0


_Place = _HtmlBlock | _Preformatted | Attribute


@dataclass(frozen=True, slots=True)
class HtmlLayout:
    """HTML text taken apart: the texts to translate, and everything around them."""

    source: str
    places: tuple[_Place, ...]
    labels: tuple[LanguageLabel, ...] = ()

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Paragraphs, cells, headings and descriptions in order."""
        return tuple(segment for place in self.places for segment in place.segments)

    def rebuild(
        self, translations: Sequence[Translation], options: FormatOptions = DEFAULT_OPTIONS
    ) -> tuple[str, int]:
        """Return the HTML with ``translations``, and lost formatting; equal texts stay."""
        changes: list[SourceChange] = []
        lost = 0
        for place, given in changed_parts(self.places, translations):
            made, missing = place.rewrite(given)
            changes += made
            lost += missing
        named = list(relabel_language(self.labels, options)) if changes else []
        if named:  # first, because tags that name a language may be written again
            return split_html(apply_edits(self.source, named)).rebuild(translations)
        return apply_edits(self.source, changes), lost


def split_html(source: str, options: FormatOptions = DEFAULT_OPTIONS) -> HtmlLayout:
    """Take any HTML apart; raise ``DocumentError`` (too large) for more than ``options`` allow."""
    reader = _PageReader(source, 0, len(source))
    places = list[_Place]()
    for place in reader.places():
        places.append(place)
        refuse_more(len(places), options)
    return HtmlLayout(source, tuple(places), tuple(reader.labels))


class _PageReader:
    """Walk over tags and text, once, that gathers text nodes until a tag ends the paragraph."""

    def __init__(self, source: str, start: int, end: int) -> None:
        self.labels: list[LanguageLabel] = []
        self._source = source
        self._start, self._end = start, end
        self._begun = start  # where the paragraph begins
        self._spans: list[tuple[int, int]] = []
        self._held: set[int] = set()
        self._asides: list[_Place] = []
        self._line = 0  # the first span after the last line break
        self._kind = "paragraph"
        self._pre = self._code = 0
        self._kept: list[str] = []  # the element to leave as it is, and those open within it

    def places(self) -> Iterator[_Place]:
        position = self._start
        # No tag ends after the last ``>``: anything that looks like a tag there is text.
        end = self._source.rfind(">", self._start, self._end) + 1
        while markup := MARKUP.search(self._source, position, end):
            self._add_text(position, markup.start())
            position = markup.end()
            tag = (markup["tag"] or "").lower()
            comment = None if tag or self._kept else _FOR_OUTLOOK.fullmatch(markup[0])
            if comment:  # a separate page, whose tags need not match the tags around it
                start, stop = (markup.start() + place for place in comment.span("inner"))
                inner = _PageReader(self._source, start, stop)
                self._asides += inner.places()
                self.labels += inner.labels
            elif tag == "br" and self._runs_on(position):
                self._held.add(len(self._spans))
                self._line = len(self._spans)
            elif tag and tag not in _INLINE:
                yield from self._flush(markup.start(), tag)
                self._begun = markup.end()
            if tag and markup["close"]:
                self._close(tag)
            elif tag:
                position = self._open(tag, markup)
        self._add_text(position, self._end)
        yield from self._flush(self._end)

    def _runs_on(self, position: int) -> bool:
        """Return True if a ``<br>`` breaks a long line without a stop before a small letter."""
        if self._pre or self._kept or self._code:
            return False
        spans = self._spans[self._line :]
        before = "".join(visible_text(self._source[start:stop]) for start, stop in spans).strip()
        if len(before) < _BROKEN_OFF or _STOP.search(before):
            return False
        following = _NEXT.match(self._source, position, min(self._end, position + _NEXT_WITHIN))
        return following is not None and following[1].islower()

    def _add_text(self, start: int, end: int) -> None:
        if start >= end:
            return
        if self._kept or self._code:
            self._held.add(len(self._spans))
        else:
            self._spans.append((start, end))

    def _open(self, tag: str, markup: re.Match[str]) -> int:
        """Note the start of ``tag``, and return the position to go on from."""
        found = parse_attributes(markup)
        content = tag not in _VOID and not markup[0].endswith("/>")
        if tag in _SIBLINGS and self._kept[:1] == [tag] and _LISTS.isdisjoint(self._kept):
            self._kept = []
        kept = bool(self._kept) or is_kept(found)
        if not kept:
            self._asides += find_shown_attributes(tag, found)
            self.labels += find_language_labels(tag, found, markup.end("tag"))
        elif content:
            self._kept.append(tag)
        if tag in _RAW or tag == "textarea":  # holds no tags; the content of a text area is text
            closing = re.compile(rf"</{re.escape(tag)}\b", re.IGNORECASE)
            closed = closing.search(self._source, markup.end(), self._end)
            end = closed.start() if closed else self._end
            if tag == "textarea" and not self._kept:
                self._asides += self._lay_out_preformatted([(markup.end(), end)])
            return end
        if content:
            self._pre += tag == "pre"
            self._code += tag == "code"
        if tag not in _INLINE:
            self._kind = _KINDS.get(tag, "paragraph")
        return markup.end()

    def _close(self, tag: str) -> None:
        """Note the end of ``tag``; an element to keep ends with its parent, closed or not."""
        if tag != "p" or self._kept[-1:] == ["p"]:  # otherwise that paragraph ended before
            while self._kept and self._kept.pop() != tag:
                pass
        if tag == "pre":
            self._pre = max(0, self._pre - 1)
        if tag == "code":
            self._code = max(0, self._code - 1)
        if tag not in _INLINE:
            self._kind = "paragraph"

    def _flush(self, end: int, tag: str = "br") -> Iterator[_Place]:
        """End the paragraph; code in the line, and a ``p`` to keep, end with any ``tag`` but br."""
        if self._pre:
            yield from self._lay_out_preformatted(self._spans)
        elif self._spans:
            texts = tuple(visible_text(self._source[first:last]) for first, last in self._spans)
            nodes = Nodes(texts, frozenset(self._held))
            text = nodes.text
            if has_words(text):
                line = HtmlLine(self._source, self._begun, end, tuple(self._spans), nodes)
                yield _HtmlBlock(line, (Segment(text, self._kind, line.looks),))
        yield from self._asides
        self._spans, self._asides, self._held, self._line = [], [], set(), 0
        if tag != "br":
            self._code = self._code if self._pre else 0
            self._kept = [] if self._kept[:1] == ["p"] else self._kept

    def _lay_out_preformatted(self, spans: Sequence[tuple[int, int]]) -> Iterator[_Preformatted]:
        """Yield the lines of ``spans``, unless they are source code."""
        texts = [UNSEEN.sub("", html.unescape(self._source[start:end])) for start, end in spans]
        if looks_like_code("".join(texts)):
            return
        for (start, end), text in zip(spans, texts, strict=True):
            layout = split_plain(text)
            if layout.texts:
                yield _Preformatted(start, end, layout)
