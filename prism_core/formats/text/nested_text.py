"""Line of text nodes within elements, and a translation distributed among them.

HTML and Markdown are alike here: ``The <b>red</b> house`` and ``The **red** house`` are three
nodes, the second within an element. Formatting elements are opened again, or given up, as words
move; all others occur exactly once, in their order, around the words they were around.

Content that is not translated (a piece of code, a picture) may stand between two nodes. It is no
part of the text and keeps its place among the nodes.

Entry: ``Nodes.text``; ``Nodes.refill`` without an alignment, else ``Nesting.share_out``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Generic, TypeVar

from prism_core.alignment import Span, Translation
from prism_core.formats.text.placement import place_words
from prism_core.formats.text.runs import ANCHOR, Anchor, TextRun, unite
from prism_core.formats.text.splitting import distribute
from prism_core.formats.text.word_alignment import looks_of

_DEEPEST: Final = 40
"""Limit of elements around one text node; a line with more is not taken apart."""
_CLOSING: Final = re.compile(r"[.!?:;,)]+\s*\Z")
_STOPS: Final = (*".,;:!?)",)


@dataclass(frozen=True)
class Nodes:
    """Text nodes of a line. Content that is no text stands before the nodes in ``held``."""

    texts: tuple[str, ...]
    held: frozenset[int]

    @cached_property
    def text(self) -> str:
        """Text in one line, in which held content leaves no trace."""
        return "".join(self.shares())

    @cached_property
    def wanted(self) -> range:
        """Nodes from the first to the last with text; there must be one."""
        filled = [index for index, text in enumerate(self.texts) if text.strip()]
        return range(filled[0], filled[-1] + 1)

    def shares(self) -> list[str]:
        """Return each node's share of their ``text``."""
        last = max((i for i, text in enumerate(self.texts) if text.strip()), default=-1)
        found: list[str] = []
        text = ""
        for index, node in enumerate(self.texts):
            if index in self.held:
                if index == last and _CLOSING.match(node):
                    text = _strip_end(found)
                elif text[-1:].isalnum() and node[:1].isalnum():
                    node = " " + node
            share = re.sub(" {2,}", " ", node)
            share = share[1:] if share.startswith(" ") and text[-1:] in ("", " ") else share
            found.append(share)
            text = share or text
        _strip_end(found)
        for index, share in enumerate(found):
            found[index] = share.lstrip()
            if found[index]:
                break
        return found

    def refill(self, translation: str) -> list[str]:
        """Distribute a ``translation`` without alignment over the ``wanted`` nodes."""
        wanted = self.wanted
        return self.respace(distribute(self.texts[wanted.start : wanted.stop], translation))

    def respace(self, pieces: Sequence[str]) -> list[str]:
        """Return ``pieces`` for the ``wanted`` nodes, with the spaces around held content."""
        first, pieces = self.wanted.start, list(pieces)
        for node in self.held:
            index = node - first
            if not 0 < index < len(pieces):
                continue
            if self.texts[node - 1].endswith(" ") and pieces[index - 1][-1:] not in ("", " "):
                pieces[index - 1] += " "
            if self.texts[node].startswith(" ") and pieces[index][:1] not in ("", " ", *_STOPS):
                pieces[index] = " " + pieces[index]
        return pieces


def _strip_end(texts: list[str]) -> str:
    """Strip the white space from the end of ``texts``; return the last text that is not empty."""
    for index in reversed(range(len(texts))):
        texts[index] = texts[index].rstrip()
        if texts[index]:
            return texts[index]
    return ""


@dataclass(eq=False, slots=True)
class Element:
    """Element of the line, written ``opener`` … ``closer``; ``once`` if it is more than formatting.

    Two elements are never equal. ``filled`` says that it contains text. The mark that closes it
    bears its ``name``.
    """

    opener: str
    closer: str
    once: bool
    filled: bool = False
    name: str = ""


Around = tuple[Element, ...]
"""Elements around a place, the outermost first."""


def _frame(around: Around) -> Around:
    """Return the elements out to the last one that occurs once; the others are formatting."""
    last = max((i for i, element in enumerate(around, 1) if element.once), default=0)
    return around[:last]


@dataclass(frozen=True, slots=True, kw_only=True)
class Node(TextRun):
    """Share of the node ``index`` in the text."""

    index: int
    around: Around

    @property
    def looks(self) -> Around:
        """Elements that make its formatting."""
        return self.around[len(_frame(self.around)) :]


@dataclass(frozen=True, slots=True)
class NodeText:
    """Text and the elements that are to surround it."""

    text: str
    around: Around


class Tangled(Exception):
    """Error raised when the elements of a line are no tree, too many, or must move but may not."""


T = TypeVar("T")


@dataclass(slots=True)
class NestedPlace(Generic[T]):
    """Text node (``index``), mark of ``element``, or other content; ``source`` is the format's."""

    source: T
    index: int = -1
    element: Element | None = None
    opens: bool = False
    around: Around = ()

    @property
    def is_mark(self) -> bool:
        """True if it opens or closes an element that holds text; others are one unit."""
        return self.element is not None and self.element.filled


class Nesting(Generic[T]):
    """Tracker of the marks of a line, which are added in order, then ``end``.

    ``before`` and ``after`` are the elements that are open where the line begins and ends. Raises
    ``Tangled`` where the marks overlap.
    """

    def __init__(self, nodes: Nodes) -> None:
        self.places: list[NestedPlace[T]] = []
        self.before: Around = ()
        self.after: Around = ()
        self._nodes, self._wanted = nodes, nodes.wanted
        self._open: list[Element] = []
        self._closed: list[tuple[int, Element]] = []

    def add(self, source: T, index: int = -1) -> None:
        """Add a text node, or content that is neither text nor a mark."""
        for element in self._open if index in self._wanted else ():
            element.filled = True
        self._append(NestedPlace(source, index))

    def open(self, source: T, element: Element) -> None:
        """Add the mark that opens ``element``."""
        self._open.append(element)
        self._append(NestedPlace(source, element=element, opens=True))

    def close(self, source: T, name: str = "", closer: str = "") -> None:
        """Add the mark that closes the last element, which has that ``name``, by ``closer``."""
        if self._open:
            element = self._open.pop()
            if element.name != name:
                raise Tangled
            element.closer = closer
        else:  # opened before the line begins
            filled = any(place.index in self._wanted for place in self.places)
            element = Element("", closer, True, filled)
            self._closed.append((len(self.places), element))
        self._append(NestedPlace(source, element=element))

    def _append(self, place: NestedPlace[T]) -> None:
        if len(self._open) + len(self._closed) > _DEEPEST:
            raise Tangled
        place.around = tuple(self._open)
        self.places.append(place)

    def end(self) -> None:
        """Note the elements with text around each place; one opened before begins the line."""
        for element in self._open:
            element.once = True
        for number, place in enumerate(self.places):
            outer = [element for end, element in reversed(self._closed) if number < end]
            place.around = tuple(e for e in (*outer, *place.around) if e.filled)
        self.after = tuple(element for element in self._open if element.filled)
        self.before = tuple(element for _, element in reversed(self._closed) if element.filled)

    @property
    def looks(self) -> tuple[Span, ...]:
        """Formatting spans of the text of the nodes; see ``Segment``."""
        line = list[Node | Anchor]()
        for run in self._read_runs():
            line += (ANCHOR, run) if run.hard else (run,)
        return looks_of(line)

    def share_out(self, translation: Translation) -> tuple[dict[int, list[NodeText]], int]:
        """Return the runs of each wanted node for ``translation``, and the lost looks."""
        groups, lost = place_words(unite(list(self._read_runs())), translation, movable=True)
        shares: dict[int, list[NodeText]] = {index: [] for index in self._wanted}
        for placed in groups:
            first, last, carrier = placed.group.runs[0], placed.group.runs[-1], placed.group.carrier
            frame, text = _frame(first.around), placed.text
            for copy, like in placed.ahead:
                shares[first.index].append(NodeText(copy, (*frame, *like.looks)))
            if last is not carrier and not last.text.strip() and re.search(r"\S.* \Z", text, re.S):
                shares[carrier.index].append(NodeText(text[:-1], carrier.around))
                shares[last.index].append(NodeText(" ", last.around))  # a blank node: its blank
            elif text:
                shares[carrier.index].append(NodeText(text, carrier.around))
            for copy, like in placed.behind:
                shares[last.index].append(NodeText(copy, (*frame, *like.looks)))
        texts = ["".join(run.text for run in runs) for runs in shares.values()]
        for runs, old, new in zip(shares.values(), texts, self._nodes.respace(texts), strict=True):
            if runs and new != old:  # spaces around held content, as they were
                before, _, after = new.partition(old)
                runs[0] = NodeText(before + runs[0].text, runs[0].around)
                runs[-1] = NodeText(runs[-1].text + after, runs[-1].around)
        return shares, lost

    def _read_runs(self) -> Iterator[Node]:
        """Yield the wanted nodes with their share of the text."""
        shares, hard = self._nodes.shares(), False
        owners: dict[Element, int] = {}
        for item in self.places:
            index, around = item.index, item.around
            if index in self._wanted:
                frame = _frame(around)
                yield Node(
                    shares[index],
                    "".join(element.opener for element in around[len(frame) :]),
                    owners.setdefault(frame[-1], len(owners) + 1) if frame else 0,
                    hard or index in self._nodes.held,
                    index=index,
                    around=around,
                )
                hard = False
            else:
                hard = hard or not item.is_mark


def transition(before: Around, after: Around) -> list[tuple[Element, bool]]:
    """Return the elements to close (False) and to open (True) between two places."""
    shared = 0
    while shared < min(len(before), len(after)) and before[shared] is after[shared]:
        shared += 1
    closed = [(element, False) for element in reversed(before[shared:])]
    return closed + [(element, True) for element in after[shared:]]
