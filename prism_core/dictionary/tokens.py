"""Target-side words: the one tokenizer that the builder and the decoder share."""

from __future__ import annotations

import re
from unicodedata import combining, normalize

_TOKEN = re.compile(r"[^\W_]+|[^\w\s]|_")


def target_tokens(text: str) -> list[str]:
    """Words and punctuation marks of ``text``, in lower case."""
    return _TOKEN.findall(text.lower())


def target_spans(text: str) -> list[tuple[str, int, int]]:
    """Each word of ``text`` in lower case, with its ``(start, end)``."""
    return [(m[0].lower(), *m.span()) for m in _TOKEN.finditer(text)]


def without_accents(text: str) -> str:
    """``text`` less everything that is written above or below a letter."""
    if text.isascii():
        return text
    return "".join(c for c in normalize("NFD", text) if not combining(c))
