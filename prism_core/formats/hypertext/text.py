"""Text in HTML: what a reader sees of it, and how new text is written in its place."""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_SPACE: Final = re.compile(r"[ \t\r\n\f\v\u00a0]+")
UNSEEN: Final = re.compile("[\u00ad\u200b\u200c\u2060\ufeff]")
"""Soft hyphens and spaces of no width: they would hide a name from its detectors."""
_WRAP: Final = 76


@dataclass(frozen=True, slots=True)
class Change:
    """Put ``text`` in place of the characters from ``start`` to ``end``."""

    start: int
    end: int
    text: str


def apply_changes(source: str, changes: Sequence[Change]) -> str:
    """``source`` with ``changes``, which do not overlap; at one place they keep their order."""
    pieces, position = [], 0
    for change in sorted(changes, key=lambda change: change.start):
        pieces += [source[position : change.start], change.text]
        position = change.end
    return "".join([*pieces, source[position:]])


def visible_text(raw: str) -> str:
    """What a reader sees of ``raw``: entities as characters, runs of space as one."""
    return _SPACE.sub(" ", UNSEEN.sub("", html.unescape(raw)))


def lead(raw: str) -> int:
    """Where the text of a node begins, after spaces and entities of space."""
    match = re.match(r"(?:\s|&nbsp;|&#160;|&#xa0;)*", raw, re.IGNORECASE)
    return match.end() if match else 0


def trail(raw: str) -> int:
    """Where the text of a node ends, before spaces and entities of space."""
    end = len(raw)
    while True:
        cut = len(raw[:end].rstrip())
        if raw[:cut].lower().endswith(("&nbsp;", "&#160;", "&#xa0;")):
            cut -= 6
        if cut == end:
            return end
        end = cut


def escape(text: str, wrapped: bool) -> str:
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
