"""A line of text nodes within elements, and a translation shared out among them.

HTML and Markdown are alike here: ``The <b>red</b> house`` and ``The **red** house`` are three
nodes, the second within an element. Elements of looks are opened again, or given up, as words
move; all others are there exactly once, in their order, around the words they were around.

Something that is not translated (a piece of code, a picture) may stand between two nodes. It is
no part of the text and keeps its place among the nodes.

Entry: ``Nodes.text`` to read; ``Nodes.refill`` without an alignment; else a ``Nesting``, told what
the line has in order, then ``Nesting.share_out``, then ``transition`` from text to text.
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
"""Elements around one text node; with more, a line is not taken apart."""
_CLOSING: Final = re.compile(r"[.!?:;,)]+\s*\Z")
_STOPS: Final = (*".,;:!?)",)


@dataclass(frozen=True)
class Nodes:
    """The text nodes of a line. Something that is no text stands before those in ``held``."""

    texts: tuple[str, ...]
    held: frozenset[int]

    @cached_property
    def text(self) -> str:
        """What they say, in one line.

        What is held leaves no trace: words around it stay apart, and the stop behind it follows
        the word before.
        """
        return "".join(self.shares())

    @cached_property
    def wanted(self) -> range:
        """The nodes from the first to the last that says something; there must be one."""
        filled = [index for index, text in enumerate(self.texts) if text.strip()]
        return range(filled[0], filled[-1] + 1)

    def shares(self) -> list[str]:
        """What each of the nodes has of their ``text``."""
        last = max((i for i, text in enumerate(self.texts) if text.strip()), default=-1)
        found: list[str] = []
        text = ""
        for index, node in enumerate(self.texts):
            if index in self.held:
                if index == last and _CLOSING.match(node):
                    text = _shorten(found)
                elif text[-1:].isalnum() and node[:1].isalnum():
                    node = " " + node
            own = re.sub(" {2,}", " ", node)
            own = own[1:] if own.startswith(" ") and text[-1:] in ("", " ") else own
            found.append(own)
            text = own or text
        _shorten(found)
        for index, own in enumerate(found):
            found[index] = own.lstrip()
            if found[index]:
                break
        return found

    def refill(self, translation: str) -> list[str]:
        """What the ``wanted`` nodes say of ``translation``, of which nothing more is known."""
        wanted = self.wanted
        return self.respace(distribute(self.texts[wanted.start : wanted.stop], translation))

    def respace(self, pieces: Sequence[str]) -> list[str]:
        """``pieces`` for the ``wanted`` nodes, with the spaces around what is held as they were."""
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


def _shorten(texts: list[str]) -> str:
    """Take the white space from the end of ``texts``; gives the last that says something."""
    for index in reversed(range(len(texts))):
        texts[index] = texts[index].rstrip()
        if texts[index]:
            return texts[index]
    return ""


@dataclass(eq=False, slots=True)
class Element:
    """An element of the line, written ``opener`` … ``closer``; ``once`` if it is more than a look.

    Two elements are never equal. ``filled`` says that there is text in it. What closes it bears
    its ``name``.
    """

    opener: str
    closer: str
    once: bool
    filled: bool = False
    name: str = ""


Around = tuple[Element, ...]
"""The elements around a place, the outermost first."""


def _frame(around: Around) -> Around:
    """The elements out to the last one that is there once; the others are a look."""
    last = max((i for i, element in enumerate(around, 1) if element.once), default=0)
    return around[:last]


@dataclass(frozen=True, slots=True, kw_only=True)
class Node(TextRun):
    """What the node ``index`` has of the text."""

    index: int
    around: Around

    @property
    def looks(self) -> Around:
        """The elements that make its look."""
        return self.around[len(_frame(self.around)) :]


@dataclass(frozen=True, slots=True)
class NodeText:
    """Text and the elements that are to be around it."""

    text: str
    around: Around


class Tangled(Exception):
    """The elements of a line are no tree, or are too many, or would have to move but may not."""


T = TypeVar("T")


@dataclass(slots=True)
class NestedPlace(Generic[T]):
    """A text node (``index``), a mark that opens or closes ``element``, or what stays as it is.

    ``source`` is the format's own word for it.
    """

    source: T
    index: int = -1
    element: Element | None = None
    opens: bool = False
    around: Around = ()

    @property
    def is_mark(self) -> bool:
        """Whether it opens or closes an element that holds text; others are one thing."""
        return self.element is not None and self.element.filled


class Nesting(Generic[T]):
    """Follows the marks of a line, told in order, then ``end``.

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
        """Take in a text node, or what is neither text nor a mark."""
        for element in self._open if index in self._wanted else ():
            element.filled = True
        self._append(NestedPlace(source, index))

    def open(self, source: T, element: Element) -> None:
        """Take in the mark that opens ``element``."""
        self._open.append(element)
        self._append(NestedPlace(source, element=element, opens=True))

    def close(self, source: T, name: str = "", closer: str = "") -> None:
        """Take in the mark that closes the last element, of that ``name``, by ``closer``."""
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
        """Note what is around each place, now that it is known what holds text.

        What was opened before the line is around all that stands before its end.
        """
        for element in self._open:
            element.once = True
        for number, place in enumerate(self.places):
            outer = [element for end, element in reversed(self._closed) if number < end]
            place.around = tuple(e for e in (*outer, *place.around) if e.filled)
        self.after = tuple(element for element in self._open if element.filled)
        self.before = tuple(element for _, element in reversed(self._closed) if element.filled)

    @property
    def looks(self) -> tuple[Span, ...]:
        """See ``Segment``: of the text of the nodes."""
        line = list[Node | Anchor]()
        for run in self._runs():
            line += (ANCHOR, run) if run.hard else (run,)
        return looks_of(line)

    def share_out(self, translation: Translation) -> tuple[dict[int, list[NodeText]], int]:
        """What each wanted node says, in runs, and how many looks are nowhere.

        ``translation`` is aligned to the ``text`` of the nodes.
        """
        groups, lost = place_words(unite(list(self._runs())), translation, movable=True)
        said: dict[int, list[NodeText]] = {index: [] for index in self._wanted}
        for placed in groups:
            first, last, carrier = placed.group.runs[0], placed.group.runs[-1], placed.group.carrier
            frame, text = _frame(first.around), placed.text
            for copy, like in placed.ahead:
                said[first.index].append(NodeText(copy, (*frame, *like.looks)))
            if last is not carrier and not last.text.strip() and re.search(r"\S.* \Z", text, re.S):
                said[carrier.index].append(NodeText(text[:-1], carrier.around))
                said[last.index].append(NodeText(" ", last.around))  # a blank node: its blank
            elif text:
                said[carrier.index].append(NodeText(text, carrier.around))
            for copy, like in placed.behind:
                said[last.index].append(NodeText(copy, (*frame, *like.looks)))
        texts = ["".join(run.text for run in runs) for runs in said.values()]
        for runs, old, new in zip(said.values(), texts, self._nodes.respace(texts), strict=True):
            if runs and new != old:  # spaces around what is held, as they were
                before, _, after = new.partition(old)
                runs[0] = NodeText(before + runs[0].text, runs[0].around)
                runs[-1] = NodeText(runs[-1].text + after, runs[-1].around)
        return said, lost

    def _runs(self) -> Iterator[Node]:
        """The wanted nodes with what they have of the text."""
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
    """The elements to close (False) and to open (True) on the way from one place to another."""
    shared = 0
    while shared < min(len(before), len(after)) and before[shared] is after[shared]:
        shared += 1
    closed = [(element, False) for element in reversed(before[shared:])]
    return closed + [(element, True) for element in after[shared:]]
