"""The marks of a line of Markdown around a translation whose words may have moved."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

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
from prism_core.formats.inline import shares
from prism_core.formats.markdown.items import Item, Kind

Step = str | Item
"""What comes next in a line: text, or a mark, a break, something that is not text."""


@dataclass(frozen=True, slots=True)
class Marked:
    """A line in steps, and how many looks it has lost."""

    steps: tuple[Step, ...]
    lost: int


@dataclass(slots=True)
class _Place:
    """A text node (``index``) or an item that is no mark around text, and what is around it."""

    item: Item | None
    index: int
    around: Around


def marked(
    content: str,
    nodes: Sequence[str],
    gaps: Sequence[Sequence[Item]],
    held: Collection[int],
    translation: str,
) -> Marked | None:
    """The line of ``nodes`` and the ``gaps`` of ``content`` between them, saying ``translation``.

    That is aligned to the ``joined`` text of the nodes. None if there are too many marks.
    """
    filled = [index for index, node in enumerate(nodes) if node.strip()]
    wanted = range(filled[0], filled[-1] + 1)
    reader = _Reader(content, wanted)
    if not reader.read(gaps):
        return None
    texts, arounds = shares(nodes, held), reader.arounds()
    hard = set(held) | set(reader.hard())
    shared = share_out([Node(texts[i], arounds[i], i in hard) for i in wanted], translation)
    inner = [index - wanted.start for index in held]
    runs = spaced(nodes[wanted.start : wanted.stop], inner, shared.runs)
    said = {index: [Run(node, arounds[index])] for index, node in enumerate(nodes)}
    for index, own in zip(wanted, runs, strict=True):
        between = {index, index + 1} <= set(held)
        blank = Run(" " if between and nodes[index] else "", arounds[index])
        said[index] = own or [blank]  # code must not touch code
    first, last = nodes[wanted.start], nodes[wanted.stop - 1]
    head, tail = first[: len(first) - len(first.lstrip())], last[len(last.rstrip()) :]
    said[wanted.start].insert(0, Run(head, arounds[wanted.start]))
    said[wanted.stop - 1].append(Run(tail, arounds[wanted.stop - 1]))
    return Marked(tuple(_tidied(reader.steps(said))), shared.lost)


class _Reader:
    """Follows the marks of a line; ``wanted`` are the nodes that say something."""

    def __init__(self, content: str, wanted: Collection[int]) -> None:
        self._content, self._wanted = content, wanted
        self._open: list[Element] = []
        self._closed: list[tuple[int, Element]] = []
        self._marks: dict[tuple[Element, bool], Item] = {}
        self._elements: dict[Item, Element] = {}
        self.places: list[_Place] = []

    def read(self, gaps: Sequence[Sequence[Item]]) -> bool:
        """Take nodes and what stands between them in turn; False when there is too much."""
        for index in range(len(gaps) + 1):
            for element in self._open if index in self._wanted else ():
                element.filled = True
            self.places.append(_Place(None, index, tuple(self._open)))
            for item in gaps[index] if index < len(gaps) else ():
                self._take(item)
                if len(self._open) + len(self._closed) > DEEPEST:
                    return False
        self._end()
        return True

    def arounds(self) -> dict[int, Around]:
        """What is around each node."""
        return {place.index: place.around for place in self.places}

    def _take(self, item: Item) -> None:
        if item.kind is Kind.CLOSE:
            self._close(item)
        self.places.append(_Place(item, -1, tuple(self._open)))
        if item.kind is Kind.OPEN:
            look = self._content[item.start : item.end].replace("_", "*")
            self._open.append(Element(look, "", item.link))
            self._note(item, self._open[-1])

    def _close(self, item: Item) -> None:
        if self._open:
            self._note(item, self._open.pop())
        else:  # opened before the last line break
            filled = any(place.index in self._wanted for place in self.places)
            self._closed.append((len(self.places), Element("", "", True, filled)))
            self._note(item, self._closed[-1][1])

    def _note(self, item: Item, element: Element) -> None:
        self._elements[item] = element
        self._marks[element, item.kind is Kind.OPEN] = item

    def _end(self) -> None:
        """Complete what is around each place, now that it is known what holds text."""
        for element in self._open:
            element.once = True
        for number, place in enumerate(self.places):
            outer = [element for end, element in reversed(self._closed) if number < end]
            place.around = tuple(e for e in (*outer, *place.around) if e.filled)

    def hard(self) -> Iterator[int]:
        """The nodes before which something stands that is no mark around text."""
        held = False
        for place in self.places:
            if place.item is None:
                if held:
                    yield place.index
                held = held and place.index not in self._wanted
            else:
                held = held or not self._is_mark(place.item)

    def _is_mark(self, item: Item) -> bool:
        return item in self._elements and self._elements[item].filled

    def steps(self, said: Mapping[int, Sequence[Run]]) -> Iterator[Step]:
        """The line with what is ``said`` in place of each node."""
        current = tuple(element for _, element in reversed(self._closed) if element.filled)
        for place in self.places:
            if place.item is not None and self._is_mark(place.item):
                continue
            runs = said[place.index] if place.item is None else [Run("", place.around)]
            for run in runs:
                if run.text or place.item is not None:
                    yield from self._between(current, run.around)
                    current = run.around
                    yield place.item or run.text
        yield from self._between(current, tuple(e for e in self._open if e.filled))

    def _between(self, before: Around, after: Around) -> Iterator[Step]:
        for element, opens in transition(before, after):
            if (element, opens) in self._marks:
                yield self._marks[element, opens]


def _tidied(steps: Iterator[Step]) -> Iterator[Step]:
    """``steps`` without white space behind a mark that opens or before one that closes."""
    owed = ""
    opened: list[Item] = []
    for step in steps:
        text = step if isinstance(step, str) else ""
        if isinstance(step, Item) and step.kind is Kind.OPEN:
            opened.append(step)
            continue
        if isinstance(step, Item) and step.kind is Kind.CLOSE and not opened:
            yield step
            continue
        owed = owed or text[: len(text) - len(text.lstrip(" "))]
        if isinstance(step, str) and not text.strip(" "):
            continue
        yield owed
        yield from opened
        yield text.strip(" ") if isinstance(step, str) else step
        owed, opened = text[len(text.rstrip(" ")) :], []
    yield owed
    yield from opened
