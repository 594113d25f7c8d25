"""What a page says of its language and direction, and what it says once it is translated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from prism_core.formats.base import FormatOptions
from prism_core.formats.html_attributes import Value, plain
from prism_core.formats.html_text import Change

_WHOLE: Final = ("html", "body")
_RIGHT_TO_LEFT: Final = frozenset(
    ("ar", "ckb", "dv", "fa", "he", "iw", "ps", "sd", "ug", "ur", "yi")
)


@dataclass(frozen=True, slots=True)
class Label:
    """A language (``lang``) or direction (``dir``) that a tag names, in ``start:end``.

    Where the page names no direction, ``value`` is empty, and one can be put at ``start``.
    ``whole`` says that it holds for the whole page.
    """

    name: str
    start: int
    end: int
    value: str
    quote: str
    whole: bool


def labels(tag: str, attributes: Mapping[str, Value], name_end: int) -> Iterator[Label]:
    """What the start tag ``tag``, whose name ends at ``name_end``, says of the language."""
    whole = tag in _WHOLE
    named = ["lang", "xml:lang"]
    if tag == "meta" and plain(attributes, "http-equiv") == "content-language":
        named, whole = ["content"], True
    for name in named:
        if name in attributes:
            yield _label("lang", attributes[name], whole)
    if tag in _WHOLE and "dir" in attributes:
        yield _label("dir", attributes["dir"], whole)
    elif tag == "html":
        yield Label("dir", name_end, name_end, "", "", whole)


def _label(name: str, value: Value, whole: bool) -> Label:
    return Label(name, value.start, value.end, value.raw.strip(), value.quote, whole)


def relabelled(found: Sequence[Label], options: FormatOptions) -> Iterator[Change]:
    """Name the target where the source was named; nothing where the target is not known.

    A direction changes only with the language, and parts in a third language keep theirs.
    """
    if not options.target:
        return
    for label in found:
        new = _language(label, options) if label.name == "lang" else _direction(label, options)
        if new and new != label.value.lower():
            text = label.quote + new + label.quote if label.value else f' dir="{new}"'
            yield Change(label.start, label.end, text)


def _language(label: Label, options: FormatOptions) -> str:
    named = re.split("[-_]", label.value.lower())[0]
    known = named == options.source or (label.whole and not options.source)
    return options.target if known and named != options.target else ""


def _direction(label: Label, options: FormatOptions) -> str:
    before, after = _written(options.source), _written(options.target)
    if before == after or label.value.lower() not in ("", before):
        return ""
    return after if label.value or after == "rtl" else ""


def _written(language: str) -> str:
    return "rtl" if language in _RIGHT_TO_LEFT else "ltr"
