"""How lines of text may begin in Markdown, and how long they are."""

from __future__ import annotations

import re
from typing import Final

_FIRST: Final = re.compile(
    r"#{1,6}(?:\s|$)|>|[-+*](?:\s|$)|`{3}|~{3}|:{3}|:(?:\s|$)|=+\s*$|-{2,}\s*$|\[[^\]]*\]:|\|"
    r"|<[A-Za-z/!?]"
)
"""Where a line of text would begin something else: a heading, a list, a quote, a fence …"""
_NUMBERED: Final = re.compile(r"\d{1,9}(?=[.)](?:\s|$))")


def guarded(text: str) -> str:
    """``text`` with an escape if a line that begins with it would be no text."""
    body = text.lstrip(" ")
    lead = text[: len(text) - len(body)]
    number = _NUMBERED.match(body)
    if number:
        return f"{lead}{number[0]}\\{body[number.end() :]}"
    return f"{lead}\\{body}" if _FIRST.match(body) else text


def wrapped(text: str, width: int) -> str:
    """Lines of at most ``width`` characters; none begins with what would be no text there."""
    lines: list[str] = []
    first, *words = text.split(" ")
    line = first
    for word in words:
        begins = word.strip() and not _FIRST.match(word) and not _NUMBERED.match(word)
        if line.strip() and begins and len(line) + 1 + len(word) > width:
            lines.append(line.rstrip(" "))
            line = word
        else:
            line += " " + word
    return "\n".join([*lines, line])
