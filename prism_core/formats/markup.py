"""Tells web pages, Markdown and source code from other text, by what stands in them."""

from __future__ import annotations

import re
from typing import Final

_PROLOGUE: Final = re.compile(
    r"(?:\s+|\ufeff|<!--.*?-->|<\?xml\b[^>]*\?>|<\?xml-stylesheet\b[^>]*\?>)*+", re.DOTALL
)
_PAGE: Final = re.compile(r"<(?:!doctype\s+html\b|(?:html|head|body|frameset)\b)", re.IGNORECASE)
_FRAGMENT: Final = re.compile(
    r"<(?P<tag>a|article|b|blockquote|center|div|dl|em|fieldset|font|footer|form|h[1-6]|header|i"
    r"|main|nav|ol|p|pre|section|span|strong|table|title|ul)(?=[\s>])[^>]*>.*</(?P=tag)\s*>",
    re.IGNORECASE | re.DOTALL,
)
_VOID_FIRST: Final = re.compile(r"<(?:meta|link|base|hr|br|img)(?=[\s/>])[^>]*>\s*", re.IGNORECASE)
_PAGE_SUFFIXES: Final = frozenset((".html", ".htm", ".xhtml"))
_TAG: Final = re.compile(r"<[a-z][a-z0-9]*(?:\s[^<>]*)?>", re.IGNORECASE)
_UNREAD: Final = re.compile(
    r"<(script|style|pre|code|textarea)\b.*?(?:</\1\s*>|\Z)|<!--.*?(?:-->|\Z)",
    re.IGNORECASE | re.DOTALL,
)
_TEMPLATE: Final = re.compile(r"<\?(?:php\b|=)|<%|\{%")

_FENCE: Final = re.compile(
    r"^ {0,3}(`{3,}|~{3,})[^\n`]*\n.*?(?:^ {0,3}\1[`~]*[ \t]*$|\Z)", re.M | re.S
)
_MARKDOWN: Final = (
    re.compile(r"^ {0,3}#{1,6} +[^\s#]", re.MULTILINE),
    re.compile(r"\[[^\[\]\n]{1,300}\]\((?:<[^>\n]*>|[^\s()]+)(?: +[\"'][^\n]*?[\"'])?\)"),
    re.compile(r"(?<![\w*])\*\*(?![\s*])[^*\n]*[^\s*]\*\*(?!\w)"),
    re.compile(r"^ {0,3}\|?(?: *:?-{2,}:? *\|)+(?: *:?-{2,}:? *)?$", re.MULTILINE),
    re.compile(r"^ {0,3}\[[^\]\n]+\]: +\S+(?: +[\"'(].*)?$", re.MULTILINE),
    re.compile(r"(?<![`\\\w])`[^`\s](?:[^`\n]*[^`\s])?`(?![`\w_])"),
    _FENCE,
)
"""Marks that hardly anyone writes but in Markdown: headings, links, strong words, tables, labels,
code. Lists, quotes and rules are in every plain text."""
_FOREIGN: Final = re.compile(r"^(?:\.\. [\w-]+::|#\+\w+:|\\documentclass)", re.MULTILINE)
"""reStructuredText, Org mode, LaTeX."""
_MARKDOWN_SUFFIXES: Final = frozenset((".md", ".markdown", ".mdown", ".mkd", ".mkdn"))


def is_html(text: str, suffix: str) -> bool:
    """Whether ``text`` begins as a web page does, or as a piece of one: a tag with its end.

    Named as a page, it is one if there is any tag.
    """
    named = suffix.lower()
    if named in _MARKDOWN_SUFFIXES and not _PAGE.match(text):
        return False
    if named in _PAGE_SUFFIXES and "<?xml" not in text and _TAG.search(text):
        return True
    prologue = _PROLOGUE.match(text)
    start = prologue.end() if prologue else 0
    if _PAGE.match(text, start):
        return True
    if is_markdown(text, ""):  # it may begin with a piece of HTML
        return False
    if "<?xml" in text[:start]:
        return False
    while void := _VOID_FIRST.match(text, start):
        start = void.end()
        if _PAGE.match(text, start):
            return True
    return _FRAGMENT.match(text, start) is not None


def is_template(text: str) -> bool:
    """Whether a page is made by a program that stands in it (PHP, ASP, Jinja)."""
    return _TEMPLATE.search(_UNREAD.sub("", text)) is not None


def is_markdown(text: str, suffix: str) -> bool:
    """Whether ``text`` holds two kinds of marks that only Markdown has; named so, one will do."""
    if _FOREIGN.search(text):
        return False
    prose = _FENCE.sub("", text)
    fenced = prose != text
    kinds = fenced + sum(mark.search(prose) is not None for mark in _MARKDOWN[:-1])
    return kinds >= (1 if suffix.lower() in _MARKDOWN_SUFFIXES else 2)


def without_fences(text: str) -> str:
    """``text`` without fenced code."""
    return _FENCE.sub("", text)


_CODE_LINE: Final = re.compile(
    r"\s*(#include\b|#!/|import [\w.]+;?$|from [\w.]+ import |def \w+\(.*:$|class \w+.*[:{]$"
    r"|(public|private|static|const|var|let|function|return)\b.*[;{(]$|.*[;{}]$|//|/\*)"
)


def looks_like_code(text: str) -> bool:
    """Source code: at least half of the first lines look like statements."""
    lines = [line for line in text.splitlines() if line.strip()][:60]
    if lines and lines[0].startswith("#!"):
        return True
    hits = sum(1 for line in lines if _CODE_LINE.match(line))
    return len(lines) >= 4 and hits * 2 >= len(lines)
