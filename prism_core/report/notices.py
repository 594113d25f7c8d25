"""Notices of a document in words, which the page shows instead of ``blocks-shrunk:2``.

Entry: ``say_notice``; for the notices of many documents ``say_notices``; ``count_places`` counts
what they tell a person to look at. Their full meaning, and what to do about them, is in
``docs/notices.md``.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from prism_core.record import Remark
from prism_core.report.rows import read_toml

COPIED: Final = "copied"
PICTURE: Final = "picture"
_NOT_COUNTED: Final = ("page-unchanged",)
"""Notices that have pages after the colon, not a number."""


def read_notices() -> Mapping[str, str]:
    """Return the words for each notice, by name."""
    words: Mapping[str, str] = read_toml("notices.toml")["words"]
    return words


def count_places(notices: Iterable[str]) -> int:
    """Count the places of a document, beside sentences, that a person should look at."""
    listed = read_toml("notices.toml")["to_look_at"]
    parts = map(_split_notice, notices)
    return sum(count or 1 for name, count in parts if name.partition(":")[0] in listed)


def say_notice(notice: str) -> str:
    """Return ``notice`` in words, with its number before them, or its class or pages after."""
    name, counted = _split_notice(notice)
    words = _find_words(name)
    return f"{counted:,} {words}" if counted else words


def say_notices(counted_notices: Iterable[tuple[Iterable[str], int]]) -> list[tuple[str, int]]:
    """Return each notice in words, with its numbers added up, and its number of documents.

    ``counted_notices`` has the notices of a document, and how many documents have the same.
    """
    documents, counts = Counter[str](), defaultdict[str, int](int)
    for notices, number in counted_notices:
        parts = [_split_notice(notice) for notice in notices]
        documents.update(dict.fromkeys((name for name, _ in parts), number))
        for name, counted in parts:
            counts[name] += counted * number
    return [
        (f"{counts[name]:,} {_find_words(name)}" if counts[name] else _find_words(name), count)
        for name, count in documents.most_common()
    ]


def _split_notice(notice: str) -> tuple[str, int]:
    """Return the name of a notice, with its class or pages, and its number or 0."""
    remark = Remark(notice)
    if remark.number is None or notice.startswith(_NOT_COUNTED):
        return notice, 0
    return remark.name, remark.number


def _find_words(name: str) -> str:
    """Return the words for ``name``; a name without words is shown as it is."""
    words = read_notices()
    if name in words:
        return words[name]
    known, _, detail = name.partition(":")
    if known not in words:
        return name.replace("-", " ").replace(":", ": ")
    if known in _NOT_COUNTED:
        return f"{words[known]} {detail}"
    return words[known] + f" ({detail.replace('-', ' ')})" * (known != "encoding-changed")
