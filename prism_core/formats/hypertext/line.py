"""Text in HTML, and a paragraph as tags and text nodes with a translation put among them.

Tags are only moved where a translation has its words in another order: then the tags of looks are
written again, or left out. All other tags stay where they are. A paragraph whose tags overlap is
not taken apart.

Entry: ``rewrite``; then the tags read in order -> the words shared out -> changes of the source,
which ``base.apply_edits`` makes.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

from prism_core.alignment import Translation
from prism_core.formats.plain import wrap
from prism_core.formats.text.nested import (
    Around,
    Element,
    NestedPlace,
    Nesting,
    Nodes,
    NodeText,
    Tangled,
    transition,
)

_SPACE: Final = re.compile(r"[ \t\r\n\f\v\u00a0]+")
UNSEEN: Final = re.compile("[\u00ad\u200b\u200c\u2060\ufeff]")
"""Soft hyphens and spaces of no width: they would hide a name from its detectors."""
_WRAP: Final = 76
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
Span = tuple[int, int]
_Place = NestedPlace[Span]
SourceChange = tuple[int, int, str]
"""Put a text in place of the characters from the one offset to the other."""
Write = Callable[[str, int], str]
"""Gives a text as the source of the node with this index has it."""


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
    return "\n".join(wrap(escaped, _WRAP, _WRAP)) + escaped[len(escaped.rstrip()) :]


@dataclass(frozen=True, slots=True)
class HtmlLine:
    """The paragraph ``source[start:end]``: its text ``nodes``, and the ``spans`` of these."""

    source: str
    start: int
    end: int
    spans: tuple[Span, ...]
    nodes: Nodes


def rewrite(
    line: HtmlLine, translation: Translation, write: Write
) -> tuple[list[SourceChange], int] | None:
    """What to change so that ``line`` says ``translation``, and how many looks that loses.

    The translation is aligned to the text of the nodes. None where the tags of the line are not
    in order.
    """
    try:
        nesting = _read(line)
        said, lost = nesting.share_out(translation)
        return list(_TagWriter(nesting, write).changes(said)), lost
    except Tangled:
        return None


def _read(line: HtmlLine) -> Nesting[Span]:
    """The tags and text nodes of ``line`` in order. Raises ``Tangled`` if its tags overlap."""
    nesting = Nesting[Span](line.nodes)
    position = line.start
    for index, (start, end) in enumerate([*line.spans, (line.end, line.end)]):
        for markup in MARKUP.finditer(line.source, position, start):
            if position < markup.start():
                nesting.add((position, markup.start()))
            position = markup.end()
            tag = (markup["tag"] or "").lower()
            if tag and markup["close"]:
                nesting.close(markup.span(), tag, markup[0])
            elif tag and tag not in _HOLLOW and not markup[0].endswith("/>"):
                names = _ATTRIBUTE.findall(line.source, markup.end("tag"), position - 1)
                look = tag in _LOOKS and all(name.lower() in _STYLING for name in names)
                nesting.open(markup.span(), Element(markup[0], f"</{tag}>", not look, name=tag))
            else:
                nesting.add(markup.span())
        if position < start:
            nesting.add((position, start))
        if index < len(line.spans):
            nesting.add((start, end), index)
        position = end
    nesting.end()
    return nesting


@dataclass(slots=True)
class _TagWriter:
    """Goes over the places of a line and gives what to change."""

    nesting: Nesting[Span]
    write: Write
    current: Around = ()
    pending: list[_Place] = field(default_factory=list)

    def changes(self, said: dict[int, list[NodeText]]) -> Iterator[SourceChange]:
        """All changes; those at one place are in order."""
        self.current = self.nesting.before
        for place in self.nesting.places:
            start, end = place.source
            if place.is_mark:
                self.pending.append(place)
            elif place.index not in said:
                yield from self._go(place.around, start)
            elif not said[place.index]:
                yield start, end, ""
            else:
                runs, text = said[place.index], ""
                yield from self._go(runs[0].around, start)
                for run in runs:
                    steps = transition(self.current, run.around)
                    text += "".join(e.opener if opens else e.closer for e, opens in steps)
                    text += self.write(run.text, place.index)
                    self.current = run.around
                # What is open and not around the text ends before blanks that follow it.
                ends = [e for e, opens in transition(self.current, place.around) if not opens]
                self.current = self.current[: len(self.current) - len(ends)]
                yield start, end, text + "".join(e.closer for e in ends)
        yield from self._go(self.nesting.after, self.nesting.places[-1].source[1])

    def _go(self, around: Around, at: int) -> Iterator[SourceChange]:
        """Make the pending tags lead from where the last text stood to ``around``."""
        pending, self.pending = self.pending, []
        for element, opens in transition(self.current, around):
            found = _find(pending, element, opens)
            if found is not None:
                yield from _leave_out(pending[:found])
                pending = pending[found + 1 :]
            elif element.once:
                raise Tangled
            else:
                start = pending[0].source[0] if pending else at
                yield start, start, element.opener if opens else element.closer
        yield from _leave_out(pending)
        self.current = around


def _find(pending: Sequence[_Place], element: Element, opens: bool) -> int | None:
    """Where a tag stands among those of the source, before one that must stay."""
    for number, place in enumerate(pending):
        if place.element is element and place.opens is opens:
            return number
        if place.element is not None and place.element.once:
            return None
    return None


def _leave_out(places: Sequence[_Place]) -> Iterator[SourceChange]:
    for place in places:
        if place.element is not None and place.element.once:
            raise Tangled
        yield *place.source, ""
