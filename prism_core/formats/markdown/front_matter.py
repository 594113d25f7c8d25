"""Front matter: settings of a page in YAML or TOML before its Markdown."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from prism_core.formats.base import Segment

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


@dataclass(frozen=True, slots=True)
class Value:
    """A title or description, from ``start`` to ``end``, its quotes included."""

    start: int
    end: int
    text: str
    quote: str

    @property
    def segments(self) -> tuple[Segment, ...]:
        """What it says."""
        return (Segment(self.text, "property"),)

    def written(self, text: str) -> str:
        """``text`` in the quotes of the value, or in those that it needs."""
        if not self.quote and _PLAIN.fullmatch(text):
            return text
        if self.quote == "'" and "'" not in text:
            return f"'{text}'"
        escaped = text.replace("\\", "\\\\").replace('"', '\\"')
        return f'"{escaped}"'


def front_matter_end(source: str) -> int:
    """Where the front matter of ``source`` ends; 0 if it has none."""
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


def front_matter_values(source: str, end: int) -> Iterator[Value]:
    """The titles and descriptions in front matter that ends at ``end``."""
    for match in _VALUE.finditer(source, 0, end):
        text = match["text"].strip()
        toml = match["sign"] == "="
        simple = match["quote"] or (not toml and _PLAIN.fullmatch(text))
        if simple and any(map(str.isalnum, text)):
            start, quote = match.start("quote"), match["quote"]
            length = len(match["text"]) if quote else len(match["text"].rstrip())
            yield Value(start, start + length + 2 * len(quote), text, quote)
