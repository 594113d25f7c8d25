"""Attributes of HTML: where their values lie, which of them a reader meets, and which name a
language or a direction, that of the translation then."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from prism_core.alignment import Translation
from prism_core.formats.base import FormatOptions, Segment
from prism_core.formats.hypertext.line import SourceChange, visible_text
from prism_core.formats.text import has_words

_ATTRIBUTE: Final = re.compile(
    r"(?P<name>[^\s\"'<>/=]+)"
    r"(?:\s*=\s*(?:\"(?P<double>[^\"]*)\"|'(?P<single>[^']*)'|(?P<bare>[^\s\"'=<>`]+)))?"
)
_SAID: Final = frozenset(
    ("alt", "title", "placeholder", "aria-label", "aria-description", "aria-placeholder")
)
"""Attributes that a reader sees or hears."""
_META: Final = frozenset(
    ("description", "keywords", "og:title", "og:description", "twitter:title",
     "twitter:description", "dc.title", "dc.description", "dc.subject")
)  # fmt: skip
_FILE_NAME: Final = re.compile(r"\S+\.\w{2,5}")
_WHOLE: Final = ("html", "body")
_RIGHT_TO_LEFT: Final = frozenset(
    ("ar", "ckb", "dv", "fa", "he", "iw", "ps", "sd", "ug", "ur", "yi")
)


@dataclass(frozen=True, slots=True)
class AttributeValue:
    """Where the value of an attribute lies, and the quotes that another one would need.

    ``start`` and ``end`` lie within the quotes, if there are any.
    """

    start: int
    end: int
    raw: str
    quote: str

    def change(self, value: str) -> SourceChange:
        """Put ``value`` in its place."""
        return self.start, self.end, self.quote + value + self.quote


@dataclass(frozen=True, slots=True)
class Attribute:
    """What the value of an ``alt``, ``title`` … says."""

    value: AttributeValue
    text: str
    kind: str

    @property
    def segments(self) -> tuple[Segment, ...]:
        """What it says."""
        return (Segment(self.text, self.kind),)

    def rewrite(self, translations: Sequence[Translation]) -> tuple[list[SourceChange], int]:
        """Put the one translation in its place, with quotes where it needs them."""
        return [self.value.change(html.escape(translations[0].text))], 0


def attributes(markup: re.Match[str]) -> dict[str, AttributeValue]:
    """The attributes of a tag that have a value, by name."""
    found: dict[str, AttributeValue] = {}
    for match in _ATTRIBUTE.finditer(markup.string, markup.end("tag"), markup.end() - 1):
        for group, quote in (("double", ""), ("single", ""), ("bare", '"')):
            if match[group]:
                value = AttributeValue(match.start(group), match.end(group), match[group], quote)
                found.setdefault(match["name"].lower(), value)
    return found


def plain(attributes: Mapping[str, AttributeValue], name: str) -> str:
    """The value of an attribute in lower case; empty when it has none."""
    return attributes[name].raw.strip().lower() if name in attributes else ""


def is_kept(attributes: Mapping[str, AttributeValue]) -> bool:
    """Whether the page asks to leave an element as it is."""
    return (
        plain(attributes, "translate") == "no"
        or "notranslate" in plain(attributes, "class").split()
    )


def shown_attributes(tag: str, attributes: Mapping[str, AttributeValue]) -> Iterator[Attribute]:
    """The values of ``attributes`` that a reader meets: descriptions, labels, words on buttons."""
    if tag in ("link", "style"):  # their titles name style sheets and feeds
        return
    names, kind = set(_SAID), "caption"
    if tag == "meta":
        named = plain(attributes, "name") or plain(attributes, "property")
        names, kind = {"content"} if named in _META else set(), "property"
    elif tag == "input" and plain(attributes, "type") in ("button", "reset", "submit"):
        names.add("value")
    elif tag in ("option", "optgroup", "track"):
        names.add("label")
    for name, value in attributes.items():
        text = visible_text(value.raw).strip()
        if name in names and has_words(text) and not _FILE_NAME.fullmatch(text):
            yield Attribute(value, text, kind)


@dataclass(frozen=True, slots=True)
class LanguageLabel:
    """A language (``lang``) or direction (``dir``) that a tag names.

    Where the page names no direction, ``value`` is empty, and one can be put there. ``whole`` says
    that it holds for the whole page.
    """

    name: str
    value: AttributeValue
    whole: bool


def labels(
    tag: str, attributes: Mapping[str, AttributeValue], name_end: int
) -> Iterator[LanguageLabel]:
    """What the start tag ``tag``, whose name ends at ``name_end``, says of the language."""
    whole = tag in _WHOLE
    named = ["lang", "xml:lang"]
    if tag == "meta" and plain(attributes, "http-equiv") == "content-language":
        named, whole = ["content"], True
    for name in named:
        if name in attributes:
            yield LanguageLabel("lang", attributes[name], whole)
    if tag in _WHOLE and "dir" in attributes:
        yield LanguageLabel("dir", attributes["dir"], whole)
    elif tag == "html":
        yield LanguageLabel("dir", AttributeValue(name_end, name_end, "", ""), whole)


def relabel(found: Sequence[LanguageLabel], options: FormatOptions) -> Iterator[SourceChange]:
    """Name the target where the source was named; nothing where the target is not known.

    A direction changes only with the language, and parts in a third language keep theirs.
    """
    if not options.target:
        return
    languages = (options.source, options.target)
    before, after = ("rtl" if name in _RIGHT_TO_LEFT else "ltr" for name in languages)
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
