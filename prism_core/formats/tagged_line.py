"""A paragraph of HTML as tags and text nodes, and a translation put among them.

Tags are only moved where a translation has its words in another order: then the tags of looks are
written again, or left out. All other tags stay where they are. A paragraph whose tags overlap is
not taken apart.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from prism_core.formats.elements import (
    DEEPEST,
    Around,
    Element,
    Node,
    Run,
    share_out,
    spaced,
    transition,
)
from prism_core.formats.html_text import Change
from prism_core.formats.inline import shares

MARKUP: Final = re.compile(
    r"<!--.*?(?:-->|\Z)"
    r"|<[!?][^>]*>"
    r"|<(?P<close>/?)(?P<tag>[A-Za-z][^\s/>]*+)(?:=\s*+(?:\"[^\"]*+\"|'[^']*+')|[^>])*+>",
    re.DOTALL,
)
_LOOKS: Final = frozenset(
    ("b", "big", "cite", "em", "font", "i", "mark", "s", "small", "span", "strike", "strong",
     "sub", "sup", "tt", "u", "var")
)  # fmt: skip
_STYLING: Final = frozenset(("class", "color", "dir", "face", "lang", "size", "style"))
"""Attributes that may be there twice; an ``id``, a ``name``, an address or a script may not."""
_ATTRIBUTE: Final = re.compile(
    r"([^\s\"'<>/=]+)(?:\s*=\s*(?:\"[^\"]*+\"|'[^']*+'|[^\s\"'=<>`]++))?"
)
_HOLLOW: Final = frozenset(("br", "img", "input", "wbr"))
"""Elements without content that stand in a line."""


@dataclass(frozen=True, slots=True)
class Line:
    """The paragraph ``source[start:end]``: the ``spans`` of its text nodes, and what they say.

    Something that is not translated stands before the nodes whose index is ``held``.
    """

    source: str
    start: int
    end: int
    spans: tuple[tuple[int, int], ...]
    nodes: tuple[str, ...]
    held: frozenset[int]

    @property
    def filled(self) -> tuple[int, int]:
        """The first and the last node that says something."""
        found = [index for index, node in enumerate(self.nodes) if node.strip()]
        return found[0], found[-1]


Write = Callable[[str, int], str]
"""Gives a text as the source of the node with this index has it."""


@dataclass(slots=True)
class _Token:
    """A tag that opens or closes ``element``; a text node (``index``); or what stays as it is."""

    start: int
    end: int
    element: Element | None = None
    opens: bool = False
    index: int = -1
    around: Around = ()

    @property
    def is_tag(self) -> bool:
        return self.element is not None and self.element.filled


class _Tangled(Exception):
    """The tags of a line are no tree, or would have to move although they may not."""


def fitted(line: Line, translation: str, write: Write) -> tuple[list[Change], int] | None:
    """What to change so that ``line`` says ``translation``, and how many looks that loses.

    The translation is aligned to the ``joined`` text of the nodes. None where the tags of the line
    are not in order.
    """
    first, last = line.filled
    wanted = range(first, last + 1)
    try:
        reader = _Reader(line, wanted)
        nodes = list(_nodes(line, wanted, reader.tokens))
        shared = share_out(nodes, translation)
        held = [index - wanted.start for index in line.held]
        runs = spaced(line.nodes[wanted.start : wanted.stop], held, shared.runs)
        changes = list(_Writer(reader, write).changes(dict(zip(wanted, runs, strict=True))))
    except _Tangled:
        return None
    return changes, shared.lost


class _Reader:
    """Takes a line apart into ``tokens``; raises ``_Tangled`` if its tags overlap.

    ``before`` and ``after`` are the elements that are open where it begins and ends.
    """

    def __init__(self, line: Line, wanted: Collection[int]) -> None:
        self._line, self._wanted = line, wanted
        self._open: list[tuple[str, Element]] = []
        self._closed: list[tuple[int, Element]] = []
        self.tokens: list[_Token] = []
        for token in self._pieces():
            self._take(token)
        for _, element in self._open:
            element.once = True
        self.after = tuple(element for _, element in self._open if element.filled)
        self._enclose()
        self.before = tuple(element for _, element in reversed(self._closed) if element.filled)

    def _pieces(self) -> Iterator[_Token]:
        position = self._line.start
        for index, (start, end) in enumerate(self._line.spans):
            yield from self._markup(position, start)
            yield _Token(start, end, index=index)
            position = end
        yield from self._markup(position, self._line.end)

    def _markup(self, start: int, end: int) -> Iterator[_Token]:
        position = start
        for markup in MARKUP.finditer(self._line.source, start, end):
            if position < markup.start():
                yield _Token(position, markup.start())
            position = markup.end()
            yield _Token(*markup.span())
        if position < end:
            yield _Token(position, end)

    def _take(self, token: _Token) -> None:
        markup = MARKUP.fullmatch(self._line.source, token.start, token.end)
        tag = (markup["tag"] or "").lower() if markup and token.index < 0 else ""
        hollow = tag in _HOLLOW or (markup is not None and markup[0].endswith("/>"))
        if token.index in self._wanted:
            for _, element in self._open:
                element.filled = True
        if tag and markup and markup["close"]:
            self._close(tag, token)
        token.around = tuple(element for _, element in self._open)
        if tag and markup and not markup["close"] and not hollow:
            token.element, token.opens = _element(tag, markup), True
            self._open.append((tag, token.element))
        self.tokens.append(token)
        if len(self._open) + len(self._closed) > DEEPEST:
            raise _Tangled

    def _close(self, tag: str, token: _Token) -> None:
        closer = self._line.source[token.start : token.end]
        if not self._open:  # opened before the line begins
            filled = any(other.index in self._wanted for other in self.tokens)
            token.element = Element("", closer, True, filled)
            self._closed.append((len(self.tokens), token.element))
            return
        name, token.element = self._open.pop()
        if name != tag:
            raise _Tangled
        token.element.closer = closer

    def _enclose(self) -> None:
        """Note what is around each token, without elements that hold no text: they are one thing.

        What was opened before the line is around all that stands before its end.
        """
        for number, token in enumerate(self.tokens):
            outer = [element for end, element in reversed(self._closed) if number < end]
            token.around = tuple(e for e in (*outer, *token.around) if e.filled)


def _element(tag: str, markup: re.Match[str]) -> Element:
    names = _ATTRIBUTE.findall(markup.string, markup.end("tag"), markup.end() - 1)
    look = tag in _LOOKS and all(name.lower() in _STYLING for name in names)
    return Element(markup[0], f"</{tag}>", not look)


def _nodes(line: Line, wanted: Collection[int], tokens: Sequence[_Token]) -> Iterator[Node]:
    """The text nodes with what they have of the joined text."""
    texts, hard = shares(line.nodes, line.held), False
    for token in tokens:
        if token.index in wanted:
            yield Node(texts[token.index], token.around, hard or token.index in line.held)
            hard = False
        elif not token.is_tag:
            hard = True


@dataclass(slots=True)
class _Writer:
    """Goes over the tokens of a line and gives what to change."""

    reader: _Reader
    write: Write
    current: Around = ()
    pending: list[_Token] = field(default_factory=list)

    def changes(self, runs: dict[int, Sequence[Run]]) -> Iterator[Change]:
        """All changes; those at one place are in order."""
        self.current = self.reader.before
        for token in self.reader.tokens:
            if token.is_tag:
                self.pending.append(token)
            elif token.index not in runs:
                yield from self._go(token.around, token.start)
            elif not runs[token.index]:
                yield Change(token.start, token.end, "")
            else:
                yield from self._go(runs[token.index][0].around, token.start)
                text = "".join(self._texts(runs[token.index], token.index))
                yield Change(token.start, token.end, text + self._closed(token.around))
        yield from self._go(self.reader.after, self.reader.tokens[-1].end)

    def _texts(self, runs: Sequence[Run], index: int) -> Iterator[str]:
        for run in runs:
            for element, opens in transition(self.current, run.around):
                yield element.opener if opens else element.closer
            self.current = run.around
            yield self.write(run.text, index)

    def _closed(self, around: Around) -> str:
        """The ends of what is open and not ``around`` the text, before blanks that follow it."""
        steps = transition(self.current, around)
        closed = [element for element, opens in steps if not opens]
        self.current = self.current[: len(self.current) - len(closed)]
        return "".join(element.closer for element in closed)

    def _go(self, around: Around, place: int) -> Iterator[Change]:
        """Make the pending tags lead from where the last text stood to ``around``."""
        pending, self.pending = self.pending, []
        for element, opens in transition(self.current, around):
            found = _found(pending, element, opens)
            if found is not None:
                yield from _left_out(pending[:found])
                pending = pending[found + 1 :]
            elif element.once:
                raise _Tangled
            else:
                at = pending[0].start if pending else place
                yield Change(at, at, element.opener if opens else element.closer)
        yield from _left_out(pending)
        self.current = around


def _found(pending: Sequence[_Token], element: Element, opens: bool) -> int | None:
    """Where a tag stands among those of the source, before one that must stay."""
    for number, token in enumerate(pending):
        if token.element is element and token.opens is opens:
            return number
        if token.element is not None and token.element.once:
            return None
    return None


def _left_out(tokens: Sequence[_Token]) -> Iterator[Change]:
    for token in tokens:
        if token.element is not None and token.element.once:
            raise _Tangled
        yield Change(token.start, token.end, "")
