"""Items of a Markdown paragraph in order: text, marks around words, and content that stays.

markdown-it-py tells marks from text, but not their positions: its inline rules are wrapped here to
note the span of everything they consume.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from markdown_it import MarkdownIt
from markdown_it.rules_inline import (
    StateInline,
    autolink,
    backtick,
    emphasis,
    entity,
    escape,
    html_inline,
    image,
    link,
    newline,
    strikethrough,
)
from markdown_it.token import Token

from prism_core.formats.character_sets import UNSEEN

_PLACES: Final = "places"
_MARKS: Final = "[]*_~`<!\\&"
_MOST_WORK: Final = 1_000_000_000
"""Limit of the marks of a paragraph times its characters."""
_KEPT: Final = re.compile(
    r"\[\^[^\]\s]{1,100}\]:?"
    r"|\$\$.{1,2000}?\$\$"
    r"|\$(?![\s$])(?=[^$\n]{0,300}[\\^_={}<>+*/]|[A-Za-z]\w{0,2}\$)[^$\n]{1,300}?(?<![\s\\])\$(?!\w)"
    r"|\{\{.{0,300}?\}\}|\{%.{0,300}?%\}|\{[#.:][^}\n]{1,200}\}",
    re.DOTALL,
)
"""Footnote marks, formulas, shortcodes and attributes, which Markdown itself does not know."""
_KEPT_FIRST: Final = re.compile(r"\[[ xX]\](?=[ \t])|\[![A-Za-z]+\][-+]?|:{3,}[^\n]*|: ")
"""Signs at the start of a line: a box to tick, a callout, a container fence, a definition."""
_OWN_LINE_NEXT: Final = re.compile(r"\[\^[^\]\s]{1,100}\]:|: |:::|\{[#.:]|\[[ xX]\] ")
_OWN_LINE: Final = re.compile(r"\[![A-Za-z]+\]|:::|\$\$")
_LINE_BREAK: Final = re.compile(r"<br\s*/?>", re.IGNORECASE)
_HALF, _INNER = -1, -2
"""Labels of the halves of ``**``, of which the parser turns the inner one into a mark."""

_Rule = Callable[[StateInline, bool], bool]


class ItemKind(Enum):
    """Kind of an item: text; a mark that opens or closes; other content; a visible line break."""

    TEXT = 1
    OPEN = 2
    CLOSE = 3
    ANCHOR = 4
    BREAK = 5


_SIDES: Final = {"open": ItemKind.OPEN, "close": ItemKind.CLOSE}
"""Kind by the end of a token's type, for the marks of formatting."""


@dataclass(frozen=True, slots=True)
class InlineItem:
    """Item in ``start:end``; ``link`` marks stay; ``label`` is where that of a picture ends."""

    kind: ItemKind
    start: int
    end: int
    text: str = ""
    link: bool = False
    label: int = 0


@dataclass(slots=True)
class _ConsumedSpan:
    """Source that a rule consumed, from ``start`` to ``end``, and the token made of it."""

    rule: str
    start: int
    end: int
    token: Token
    label: int = 0


def make_parser() -> MarkdownIt:
    """Return a parser of blocks whose inline rules note the spans of what they find."""
    markdown = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    markdown.core.ruler.enableOnly(["normalize", "block"])
    markdown.inline.ruler2.disable("fragments_join")
    rules: dict[str, _Rule] = {
        "newline": newline,
        "escape": escape,
        "backticks": backtick,
        "strikethrough": strikethrough.tokenize,
        "emphasis": emphasis.tokenize,
        "link": link,
        "image": image,
        "autolink": autolink,
        "html_inline": html_inline,
        "entity": entity,
    }
    for name, rule in rules.items():
        markdown.inline.ruler.at(name, _note_places(name, rule))
    markdown.inline.ruler.before("escape", "kept", _note_places("kept", _consume_kept))
    return markdown


def is_too_dense(content: str) -> bool:
    """Return True if parsing would take seconds: for each of many marks, all text is searched."""
    return sum(map(content.count, _MARKS)) * len(content) > _MOST_WORK


def read_items(markdown: MarkdownIt, content: str, references: Any) -> list[InlineItem]:
    """Return the items of ``content``; they follow each other without gaps."""
    places: list[_ConsumedSpan] = []
    env = {"references": references, _PLACES: places}
    markdown.inline.parse(content, markdown, env, [])
    marks = list[InlineItem]()
    for item in sorted(_make_marks(content, places), key=lambda item: (item.start, item.end)):
        last = marks[-1] if marks else item
        opens, closes = item.kind is ItemKind.OPEN, last.kind is ItemKind.CLOSE
        if {last.label, item.label} == {_HALF, _INNER} and (opens or closes):
            kind = ItemKind.OPEN if opens else ItemKind.CLOSE
            marks[-1] = InlineItem(kind, last.start, item.end)  # joined to its other half
        else:
            marks.append(item)
    items, position = list[InlineItem](), 0
    for item in marks:
        if item.start > position:
            items.append(_make_text(content, position, item.start))
        if item.end > position:
            items.append(item)
        position = max(position, item.end)
    if position < len(content):
        items.append(_make_text(content, position, len(content)))
    return items


def _note_places(name: str, rule: _Rule) -> _Rule:
    """Wrap ``rule`` so that it adds the spans of its tokens to those of the paragraph."""

    def note(state: StateInline, silent: bool) -> bool:
        places: list[_ConsumedSpan] = state.env[_PLACES]
        start, taken, known = state.pos, len(state.tokens), len(places)
        if silent or not rule(state, silent):
            return silent and rule(state, silent)
        if name == "image":  # its content is the alternative text
            del places[known:]
        # Text that holds no marks preceded the source that the rule consumed.
        tokens = state.tokens[taken:]
        marks = [
            t for t in tokens if t.type != "text" or (t.content and not t.content.strip("*_~"))
        ]
        places += _places(name, state, start, marks)
        return True

    return note


def _places(
    name: str, state: StateInline, start: int, tokens: Sequence[Token]
) -> Iterator[_ConsumedSpan]:
    if name in ("emphasis", "strikethrough"):
        end = state.pos
        for token in reversed(tokens):
            if end <= start:
                break
            yield _ConsumedSpan(name, end - len(token.content), end, token)
            end -= len(token.content)
    elif name == "link":
        label = state.md.helpers.parseLinkLabel(state, start, True)
        opening = next(token for token in tokens if token.type == "link_open")
        yield _ConsumedSpan(name, start, start + 1, opening)
        yield _ConsumedSpan(name, label, state.pos, tokens[-1], 1)
    elif name == "image":
        label = state.md.helpers.parseLinkLabel(state, start + 1, False)
        yield _ConsumedSpan(name, start, state.pos, tokens[-1], label - start)
    elif tokens and (name != "backticks" or tokens[-1].type == "code_inline"):
        yield _ConsumedSpan(name, start, state.pos, tokens[-1])


def _consume_kept(state: StateInline, silent: bool) -> bool:
    """Consume source that Markdown's extensions keep from being text; an inline rule."""
    match = _KEPT.match(state.src, state.pos)
    if match is None and (state.pos == 0 or state.src[state.pos - 1] == "\n"):
        match = _KEPT_FIRST.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        state.push("kept", "", 0)
    state.pos = match.end()
    return True


def _make_marks(content: str, places: Sequence[_ConsumedSpan]) -> Iterator[InlineItem]:
    """Yield the spans as items, now that the parser has decided which marks are marks."""
    for place in places:
        kind = place.token.type
        side = None if place.rule == "autolink" else _SIDES.get(kind.rpartition("_")[2])
        if place.rule == "newline" or kind == "hardbreak":
            start = len(content[: place.start].rstrip(" "))
            line = content[content.rfind("\n", 0, start) + 1 : start]
            on_own_line = _OWN_LINE.match(line) or _OWN_LINE_NEXT.match(content, place.end)
            if kind == "hardbreak" or on_own_line:
                yield InlineItem(ItemKind.BREAK, start, place.end)
            else:
                yield InlineItem(ItemKind.TEXT, start, place.end, " ")
        elif kind == "text_special":
            yield InlineItem(ItemKind.TEXT, place.start, place.end, place.token.content)
        elif place.rule == "link":
            side = ItemKind.CLOSE if place.label else ItemKind.OPEN
            yield InlineItem(side, place.start, place.end, link=True)
        elif side:
            half = _INNER if kind.startswith("strong") else 0
            yield InlineItem(side, place.start, place.end, label=half)
        elif kind == "text":  # half of a double mark, or a mark that opens and closes nothing
            if not place.token.content:
                yield InlineItem(ItemKind.ANCHOR, place.start, place.end, label=_HALF)
        elif _LINE_BREAK.fullmatch(content, place.start, place.end):
            yield InlineItem(ItemKind.BREAK, place.start, place.end)
        else:
            yield InlineItem(ItemKind.ANCHOR, place.start, place.end, label=place.label)


def _make_text(content: str, start: int, end: int) -> InlineItem:
    seen = UNSEEN.sub("", content[start:end])
    return InlineItem(ItemKind.TEXT, start, end, re.sub(r"[\s\u00a0]", " ", seen))
