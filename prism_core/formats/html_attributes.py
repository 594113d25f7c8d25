"""Attributes of HTML: where their values lie, and which of them a reader meets."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from prism_core.formats.base import Segment
from prism_core.formats.html_text import Change, has_words, seen

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


@dataclass(frozen=True, slots=True)
class Value:
    """Where the value of an attribute lies, and the quotes that another one would need."""

    start: int
    end: int
    raw: str
    quote: str


@dataclass(frozen=True, slots=True)
class Attribute:
    """The value of an ``alt``, ``title`` …; ``start`` and ``end`` lie within its quotes, if any."""

    start: int
    end: int
    text: str
    kind: str
    quote: str

    @property
    def segments(self) -> tuple[Segment, ...]:
        """What it says."""
        return (Segment(self.text, self.kind),)

    def changes(self, translations: Sequence[str]) -> Iterator[Change]:
        """Put the one translation in its place, with quotes where it needs them."""
        value = self.quote + html.escape(translations[0]) + self.quote
        yield Change(self.start, self.end, value)


def attributes(markup: re.Match[str]) -> dict[str, Value]:
    """The attributes of a tag that have a value, by name."""
    found: dict[str, Value] = {}
    for match in _ATTRIBUTE.finditer(markup.string, markup.end("tag"), markup.end() - 1):
        for group, quote in (("double", ""), ("single", ""), ("bare", '"')):
            if match[group]:
                value = Value(match.start(group), match.end(group), match[group], quote)
                found.setdefault(match["name"].lower(), value)
    return found


def plain(attributes: Mapping[str, Value], name: str) -> str:
    """The value of an attribute in lower case; empty when it has none."""
    return attributes[name].raw.strip().lower() if name in attributes else ""


def is_kept(attributes: Mapping[str, Value]) -> bool:
    """Whether the page asks to leave an element as it is."""
    return (
        plain(attributes, "translate") == "no"
        or "notranslate" in plain(attributes, "class").split()
    )


def said(tag: str, attributes: Mapping[str, Value]) -> Iterator[Attribute]:
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
        text = seen(value.raw).strip()
        if name in names and has_words(text) and not _FILE_NAME.fullmatch(text):
            yield Attribute(value.start, value.end, text, kind, value.quote)
