"""Elements of HTML: text, attributes, and a paragraph as tags and text nodes.

Tags move only where a translation has its words in another order: then the tags of formatting are
written again, or left out. All other tags stay in place. A paragraph whose tags overlap is not
taken apart. Attributes: the spans of their values, the attributes that a reader meets, and those
that name a language or a direction, which the translation changes.

Entry: ``rewrite`` for a line; ``parse_attributes`` for a tag.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from prism_core.alignment import Span, Translation
from prism_core.formats.base import FormatOptions, Segment, is_right_to_left
from prism_core.formats.character_sets import UNSEEN
from prism_core.formats.plain import wrap
from prism_core.formats.text import is_description
from prism_core.formats.text.nested_text import (
    Around,
    Element,
    NestedPlace,
    Nesting,
    Nodes,
    NodeText,
    Tangled,
    transition,
)

_SPACE: Final = re.compile(r"[ \t\r\n\f\v\u00a0]+")
_WRAP: Final = 76
MARKUP: Final = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<[!?][^>]*>"
    r"|<(?P<close>/?)(?P<tag>[A-Za-z][^\s/>]*+)(?:=\s*+(?:\"[^\"]*+\"|'[^']*+')|[^>])*+>",
    re.DOTALL,
)
_LOOKS: Final = frozenset(
    ("b", "big", "cite", "em", "font", "i", "mark", "s", "small", "span", "strike", "strong",
     "sub", "sup", "tt", "u", "var")
)  # fmt: skip
_STYLING: Final = frozenset(("class", "color", "dir", "face", "lang", "size", "style"))
"""Attributes that may occur twice; an ``id``, a ``name``, an address or a script may not."""
_HOLLOW: Final = frozenset(("br", "img", "input", "wbr"))
"""Elements without content that stand in a line."""
_Place = NestedPlace[Span]
SourceChange = tuple[int, int, str]
"""Text to put in place of the characters from one offset to the other."""
Write = Callable[[str, int], str]
"""Function that returns a text as the source of the node with this index writes it."""
_ATTRIBUTE: Final = re.compile(
    r"(?P<name>[^\s\"'<>/=]+)"
    r"(?:\s*=\s*(?:\"(?P<double>[^\"]*+)\"|'(?P<single>[^']*+)'|(?P<bare>[^\s\"'=<>`]++)))?"
)
_TEXT_ATTRIBUTES: Final = frozenset(
    ("alt", "title", "placeholder", "aria-label", "aria-description", "aria-placeholder")
)
"""Attributes that a reader sees or hears."""
_META: Final = frozenset(
    ("description", "keywords", "og:title", "og:description", "twitter:title",
     "twitter:description", "dc.title", "dc.description", "dc.subject")
)  # fmt: skip
_WHOLE: Final = ("html", "body")


def visible_text(raw: str) -> str:
    """Return ``raw`` as a reader sees it: entities as characters, runs of space as one."""
    return _SPACE.sub(" ", UNSEEN.sub("", html.unescape(raw)))


def text_start(raw: str) -> int:
    """Return the offset where the text of a node begins, after spaces and entities of space."""
    match = re.match(r"(?:\s|&nbsp;|&#160;|&#xa0;)*", raw, re.IGNORECASE)
    return match.end() if match else 0


def text_end(raw: str) -> int:
    """Return the offset where the text of a node ends, before spaces and entities of space."""
    end = len(raw)
    while True:
        cut = len(raw[:end].rstrip())
        if raw[:cut].lower().endswith(("&nbsp;", "&#160;", "&#xa0;")):
            cut -= 6
        if cut == end:
            return end
        end = cut


def escape(text: str, wrapped: bool) -> str:
    """Return ``text`` as HTML, on several lines if the source had them."""
    escaped = html.escape(text, quote=False)
    if not wrapped or len(escaped) <= _WRAP:
        return escaped
    return "\n".join(wrap(escaped, _WRAP, _WRAP)) + escaped[len(escaped.rstrip()) :]


@dataclass(frozen=True, slots=True)
class HtmlLine:
    """Paragraph ``source[start:end]``: its text ``nodes``, and the ``spans`` of these."""

    source: str
    start: int
    end: int
    spans: tuple[Span, ...]
    nodes: Nodes

    @property
    def looks(self) -> tuple[Span, ...]:
        """Formatting spans, see ``Segment``; none where the tags are not in order."""
        try:
            return _read_nesting(self).looks if len(self.spans) > 1 else ()
        except Tangled:
            return ()


def rewrite(
    line: HtmlLine, translation: Translation, write: Write
) -> tuple[list[SourceChange], int] | None:
    """Return the changes for ``translation``, and lost looks; None if tags are in disorder."""
    try:
        nesting = _read_nesting(line)
        shares, lost = nesting.share_out(translation)
        return list(_TagWriter(nesting, write).changes(shares)), lost
    except Tangled:
        return None


def _read_nesting(line: HtmlLine) -> Nesting[Span]:
    """Return the tags and text nodes of ``line`` in order; raise ``Tangled`` if tags overlap."""
    nesting = Nesting[Span](line.nodes)
    position = line.start
    for index, (start, end) in enumerate([*line.spans, (line.end, line.end)]):
        for markup in MARKUP.finditer(line.source, position, start):
            if position < markup.start():
                nesting.add((position, markup.start()))
            position = markup.end()
            tag = (markup["tag"] or "").lower()
            if tag and markup["close"]:
                nesting.close(markup.span(), tag, markup[0])
            elif tag and tag not in _HOLLOW and not markup[0].endswith("/>"):
                named = _ATTRIBUTE.finditer(line.source, markup.end("tag"), position - 1)
                look = tag in _LOOKS and all(each["name"].lower() in _STYLING for each in named)
                nesting.open(markup.span(), Element(markup[0], f"</{tag}>", not look, name=tag))
            else:
                nesting.add(markup.span())
        if position < start:
            nesting.add((position, start))
        if index < len(line.spans):
            nesting.add((start, end), index)
        position = end
    nesting.end()
    return nesting


@dataclass(slots=True)
class _TagWriter:
    """Walk over the places of a line that makes the changes."""

    nesting: Nesting[Span]
    write: Write
    current: Around = ()
    pending: list[_Place] = field(default_factory=list)

    def changes(self, shares: dict[int, list[NodeText]]) -> Iterator[SourceChange]:
        """Yield all changes; those at one offset are in order."""
        self.current = self.nesting.before
        for place in self.nesting.places:
            start, end = place.source
            if place.is_mark:
                self.pending.append(place)
            elif place.index not in shares:
                yield from self._move_to(place.around, start)
            elif not shares[place.index]:
                yield start, end, ""
            else:
                runs, text = shares[place.index], ""
                yield from self._move_to(runs[0].around, start)
                for run in runs:
                    steps = transition(self.current, run.around)
                    text += "".join(e.opener if opens else e.closer for e, opens in steps)
                    text += self.write(run.text, place.index)
                    self.current = run.around
                # Elements that do not surround the text close before blanks that follow it.
                ends = [e for e, opens in transition(self.current, place.around) if not opens]
                self.current = self.current[: len(self.current) - len(ends)]
                yield start, end, text + "".join(e.closer for e in ends)
        yield from self._move_to(self.nesting.after, self.nesting.places[-1].source[1])

    def _move_to(self, around: Around, at: int) -> Iterator[SourceChange]:
        """Make the pending tags lead from the last text to the elements ``around`` the next one."""
        pending, self.pending = self.pending, []
        for element, opens in transition(self.current, around):
            # the tag among those of the source, before one that must stay
            tags = [(place.element, place.opens) for place in pending]
            stays = (n for n, (other, _) in enumerate(tags) if other and other.once)
            last = next(stays, len(tags) - 1)
            if (element, opens) in tags[: last + 1]:
                found = tags.index((element, opens))
                yield from _leave_out(pending[:found])
                pending = pending[found + 1 :]
            elif element.once:
                raise Tangled
            else:
                start = pending[0].source[0] if pending else at
                yield start, start, element.opener if opens else element.closer
        yield from _leave_out(pending)
        self.current = around


def _leave_out(places: Sequence[_Place]) -> Iterator[SourceChange]:
    for place in places:
        if place.element is not None and place.element.once:
            raise Tangled
        yield *place.source, ""


@dataclass(frozen=True, slots=True)
class AttributeValue:
    """Span of an attribute's value within its quotes, and the quotes that another value needs."""

    start: int
    end: int
    raw: str
    quote: str

    def change(self, value: str) -> SourceChange:
        """Replace the value by ``value``."""
        return self.start, self.end, self.quote + value + self.quote


@dataclass(frozen=True, slots=True)
class Attribute:
    """Text of an ``alt``, ``title`` … attribute."""

    value: AttributeValue
    text: str
    kind: str

    @property
    def segments(self) -> tuple[Segment, ...]:
        """Text of the attribute."""
        return (Segment(self.text, self.kind),)

    def rewrite(self, translations: Sequence[Translation]) -> tuple[list[SourceChange], int]:
        """Replace the value by the one translation, with quotes where it needs them."""
        return [self.value.change(html.escape(translations[0].text))], 0


def parse_attributes(markup: re.Match[str]) -> dict[str, AttributeValue]:
    """Return the attributes of a tag that have a value, by name."""
    found: dict[str, AttributeValue] = {}
    for match in _ATTRIBUTE.finditer(markup.string, markup.end("tag"), markup.end() - 1):
        for group, quote in (("double", ""), ("single", ""), ("bare", '"')):
            if match[group]:
                value = AttributeValue(match.start(group), match.end(group), match[group], quote)
                found.setdefault(match["name"].lower(), value)
    return found


def attribute_value(attributes: Mapping[str, AttributeValue], name: str) -> str:
    """Return the value of an attribute in lower case; empty when it has none."""
    return attributes[name].raw.strip().lower() if name in attributes else ""


def is_kept(attributes: Mapping[str, AttributeValue]) -> bool:
    """Return True if the page asks to leave an element as it is."""
    return (
        attribute_value(attributes, "translate") == "no"
        or "notranslate" in attribute_value(attributes, "class").split()
    )


def find_shown_attributes(
    tag: str, attributes: Mapping[str, AttributeValue]
) -> Iterator[Attribute]:
    """Yield the values of ``attributes`` that a reader meets: descriptions, labels, buttons."""
    if tag in ("link", "style"):  # titles that name style sheets and feeds
        return
    names, kind = set(_TEXT_ATTRIBUTES), "caption"
    if tag == "meta":
        named = attribute_value(attributes, "name") or attribute_value(attributes, "property")
        names, kind = {"content"} if named in _META else set(), "property"
    elif tag == "input" and attribute_value(attributes, "type") in ("button", "reset", "submit"):
        names.add("value")
    elif tag in ("option", "optgroup", "track"):
        names.add("label")
    for name, value in attributes.items():
        text = visible_text(value.raw).strip()
        if name in names and is_description(text):
            yield Attribute(value, text, kind)


@dataclass(frozen=True, slots=True)
class LanguageLabel:
    """Language (``lang``) or direction (``dir``, maybe missing) of a tag, or the ``whole`` page."""

    name: str
    value: AttributeValue
    whole: bool


def find_language_labels(
    tag: str, attributes: Mapping[str, AttributeValue], name_end: int
) -> Iterator[LanguageLabel]:
    """Yield the language labels of the start tag ``tag``, whose name ends at ``name_end``."""
    whole = tag in _WHOLE
    named = ["lang", "xml:lang"]
    if tag == "meta" and attribute_value(attributes, "http-equiv") == "content-language":
        named, whole = ["content"], True
    for name in named:
        if name in attributes:
            yield LanguageLabel("lang", attributes[name], whole)
    if tag in _WHOLE and "dir" in attributes:
        yield LanguageLabel("dir", attributes["dir"], whole)
    elif tag == "html":
        yield LanguageLabel("dir", AttributeValue(name_end, name_end, "", ""), whole)


def relabel_language(
    found: Sequence[LanguageLabel], options: FormatOptions
) -> Iterator[SourceChange]:
    """Name the target, and its direction, where the source was named, if the target is known."""
    if not options.target:
        return
    languages = (options.source, options.target)
    before, after = ("rtl" if is_right_to_left(name) else "ltr" for name in languages)
    for label in found:
        value = label.value.raw.strip().lower()
        if label.name == "lang":
            named = re.split("[-_]", value)[0]
            known = named == options.source or (label.whole and not options.source)
            new = options.target if known and named != options.target else ""
        else:
            turned = before != after and value in ("", before)
            new = after if turned and (value or after == "rtl") else ""
        if new and new != value:
            yield label.value.change(new if value else f' dir="{new}"')
