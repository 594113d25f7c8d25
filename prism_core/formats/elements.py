"""A line of text nodes, each within elements, and a translation shared out among them.

HTML and Markdown are alike here: ``The <b>red</b> house`` and ``The **red** house`` are three
nodes, the second within an element. Elements of looks are opened again, or given up, as words
move; all others are there exactly once, in their order, around the words they were around.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from prism_core.formats.inline import respaced
from prism_core.formats.placement import Group, place

DEEPEST: Final = 40
"""Elements around one text node; with more, a line is not taken apart."""


@dataclass(eq=False, slots=True)
class Element:
    """An element of the line, written ``opener`` … ``closer``; ``once`` if it is more than a look.

    Two elements are never equal. ``filled`` says that there is text in it.
    """

    opener: str
    closer: str
    once: bool
    filled: bool = False


Around = tuple[Element, ...]
"""The elements around a place, the outermost first."""


@dataclass(frozen=True, slots=True)
class Node:
    """A text node; ``hard`` says that something which must keep its place stands before it."""

    text: str
    around: Around
    hard: bool

    @property
    def look(self) -> str:
        """Equal for nodes that look alike in the same element."""
        return "".join(element.opener for element in self.around[len(self.frame) :])

    @property
    def frame(self) -> Around:
        """The elements out to the last one that is there once."""
        last = max((i for i, element in enumerate(self.around, 1) if element.once), default=0)
        return self.around[:last]


@dataclass(frozen=True, slots=True)
class Run:
    """Text and the elements that are to be around it."""

    text: str
    around: Around


@dataclass(frozen=True, slots=True)
class Shared:
    """The runs that come in the place of each node, and how many looks are nowhere."""

    runs: tuple[tuple[Run, ...], ...]
    lost: int


def share_out(nodes: Sequence[Node], translation: str) -> Shared:
    """Share ``translation``, aligned to the text of ``nodes``, out among them.

    The texts of all runs, joined, give it back.
    """
    groups = _grouped(nodes)
    owners: dict[Element, int] = {}
    placed = place([_as_group(nodes, group, owners) for group in groups], translation, movable=True)
    runs: list[list[Run]] = [[] for _ in nodes]
    for group, text in zip(groups, placed.slices, strict=True):
        for index, own in _carried(nodes, group, text):
            runs[index].append(Run(own, nodes[index].around))
    ahead: list[list[Run]] = [[] for _ in nodes]
    for copy in placed.copies:
        beside, like = groups[copy.beside], nodes[groups[copy.like].start]
        looks = like.around[len(like.frame) :]
        place_of = runs[beside.stop - 1] if copy.after else ahead[beside.start]
        place_of.append(Run(copy.text, (*nodes[beside.start].frame, *looks)))
    return Shared(tuple((*a, *b) for a, b in zip(ahead, runs, strict=True)), placed.lost)


def spaced(
    nodes: Sequence[str], held: Sequence[int], runs: Sequence[Sequence[Run]]
) -> list[list[Run]]:
    """``runs`` in place of ``nodes``, with the spaces around what is ``held`` as they were."""
    texts = ["".join(run.text for run in own) for own in runs]
    again = respaced(nodes, held, texts)
    made = [list(own) for own in runs]
    for own, text, new in zip(made, texts, again, strict=True):
        if own and new != text:
            before, _, after = new.partition(text)
            own[0] = Run(before + own[0].text, own[0].around)
            own[-1] = Run(own[-1].text + after, own[-1].around)
    return made


def _grouped(nodes: Sequence[Node]) -> list[range]:
    """Neighbours that look alike and have nothing in between; blanks go with what precedes."""
    groups: list[range] = []
    for index, node in enumerate(nodes):
        before = nodes[groups[-1].start] if groups else None
        if (
            before is None
            or node.hard
            or _owner(before) is not _owner(node)
            or (node.text.strip() and before.look != node.look)
        ):
            groups.append(range(index, index + 1))
        else:
            groups[-1] = range(groups[-1].start, index + 1)
    return groups


def _owner(node: Node) -> Element | None:
    return node.frame[-1] if node.frame else None


def _as_group(nodes: Sequence[Node], group: range, owners: dict[Element, int]) -> Group:
    first, owner = nodes[group.start], _owner(nodes[group.start])
    before = _owner(nodes[group.start - 1]) if group.start else owner
    number = 0 if owner is None else owners.setdefault(owner, len(owners) + 1)
    text = "".join(nodes[index].text for index in group)
    return Group(text, first.look, number, first.hard or before is not owner)


def _carried(nodes: Sequence[Node], group: range, text: str) -> list[tuple[int, str]]:
    """The nodes of ``group`` that get ``text``: the first with words, and a blank one its blank."""
    if not text:
        return []
    carrier = max(group, key=lambda index: bool(nodes[index].text.strip()))
    last = group.stop - 1
    if last > carrier and not nodes[last].text.strip() and text.endswith(" ") and text.strip():
        return [(carrier, text[:-1]), (last, " ")]
    return [(carrier, text)]


def transition(before: Around, after: Around) -> list[tuple[Element, bool]]:
    """The elements to close (False) and to open (True) on the way from one place to another."""
    shared = 0
    while shared < min(len(before), len(after)) and before[shared] is after[shared]:
        shared += 1
    closed = [(element, False) for element in reversed(before[shared:])]
    return closed + [(element, True) for element in after[shared:]]
