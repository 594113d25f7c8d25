"""The Apertium stream format: how a sentence is written so that it comes back as one sentence.

Characters with a meaning in the stream are escaped; whatever stands in ``[...]`` is passed along
untouched. Reference: https://wiki.apertium.org/wiki/Apertium_stream_format.
"""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"[\\\[\]{}^$/<>@]")
_LOST = "~"
"""The post-generator eats it even when escaped; as a blank it survives."""
_ESCAPED_OR_BLANK = re.compile(r"\\(.)|\[([^\[\]\\]*)\]", re.DOTALL)
_END = "[].[]"
"""Ends the sentence for the tagger, as ``apertium-destxt`` does at the end of a paragraph; the
empty blank before it keeps the last word from being read as an abbreviation with that point."""


def to_stream(text: str) -> bytes:
    """One sentence in the stream format, without the NUL that separates sentences."""
    escaped = _SPECIAL.sub(r"\\\g<0>", text).replace(_LOST, f"[{_LOST}]")
    return (escaped + _END).encode()


def from_stream(answer: bytes) -> str | None:
    """The sentence back, without what ``to_stream`` put at its end; None if that end is missing."""
    try:
        stream = answer.decode()
    except UnicodeDecodeError:
        return None
    text = _ESCAPED_OR_BLANK.sub(lambda found: found[1] or found[2] or "", stream).rstrip()
    return text[:-1].strip() if text.endswith(".") else None
