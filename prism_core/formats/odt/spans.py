"""Words that changed their place in an OpenDocument paragraph: spans are added, others parted.

For that, every text of the paragraph becomes an element of its own for a while.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from lxml import etree

from prism_core.formats.odt.names import TEXT
from prism_core.formats.odt.slots import OWNED, Slot
from prism_core.formats.pieces import Fit, Insertion, Kind

_SPAN: Final = f"{TEXT}span"
_STYLING: Final = frozenset({f"{TEXT}style-name", f"{TEXT}class-names"})
"""Attributes that may be there twice, unlike a name or data of its own."""
_RUN: Final = "run"
_TRACKED: Final = (f"{TEXT}change", f"{TEXT}change-start", f"{TEXT}change-end")


def can_move(paragraph: etree._Element, slots: Sequence[Slot]) -> bool:
    """Whether the texts of ``paragraph`` stand in spans, links and fields only.

    With tracked changes nothing moves: they say who wrote what.
    """
    if next(paragraph.iter(*_TRACKED), None) is not None:
        return False
    holders = (_holder(slot) for slot in slots if slot.kind is Kind.TEXT)
    around = {e for holder in set(holders) for e in _out_to(holder, paragraph)}
    return all(
        element.tag in OWNED or (element.tag == _SPAN and _STYLING.issuperset(element.attrib))
        for element in around
    )


def rearrange(paragraph: etree._Element, slots: Sequence[Slot], fit: Fit[Slot]) -> None:
    """Make the changes and insertions of ``fit`` among ``slots``, all pieces of ``paragraph``."""
    runs = {slot: _set_apart(slot) for slot in slots if slot.kind is Kind.TEXT}
    looks = {i.like: list(map(_opened_again, _spans(runs[i.like]))) for i in fit.insertions}
    before: Insertion[Slot] | None = None
    last: etree._Element | None = None
    for insertion in fit.insertions:
        made = _made(looks[insertion.like], insertion.text)
        follows = before is not None and _same_place(before, insertion)
        if follows and last is not None:
            last.addnext(made)
        else:
            _insert(made, runs, insertion)
        before, last = insertion, made
    for change in fit.changes:
        carrier = max(change.pieces, key=lambda slot: bool(slot.text.strip()))
        for slot in change.pieces:
            runs[slot].text = change.text if slot is carrier else None
    _clean_up(paragraph, runs.values())


def _holder(slot: Slot) -> etree._Element | None:
    return slot.element.getparent() if slot.behind else slot.element


def _out_to(element: etree._Element | None, end: etree._Element) -> Iterator[etree._Element]:
    while element is not None and element is not end:
        yield element
        element = element.getparent()


def _set_apart(slot: Slot) -> etree._Element:
    """Make the text of ``slot`` an element."""
    run = etree.Element(_RUN)
    run.text = slot.text
    slot.put("")
    if slot.behind:
        slot.element.addnext(run)
    else:
        slot.element.insert(0, run)
    return run


def _spans(run: etree._Element) -> list[etree._Element]:
    """The spans around ``run``, out to a link, a field or the paragraph; the outermost first."""
    spans: list[etree._Element] = []
    element = run.getparent()
    while element is not None and element.tag == _SPAN:
        spans.append(element)
        element = element.getparent()
    return spans[::-1]


def _opened_again(span: etree._Element) -> etree._Element:
    """An empty span that looks like ``span``."""
    made = etree.Element(_SPAN)
    for name, value in span.attrib.items():
        made.set(name, value)
    return made


def _made(spans: Sequence[etree._Element], text: str) -> etree._Element:
    """``text`` within copies of ``spans``, the outermost first."""
    made = etree.Element(_RUN)
    made.text = text
    for span in reversed(spans):
        outer = _opened_again(span)
        outer.append(made)
        made = outer
    return made


def _same_place(one: Insertion[Slot], other: Insertion[Slot]) -> bool:
    return one.beside[0] is other.beside[0] and one.after == other.after


def _insert(
    made: etree._Element, runs: Mapping[Slot, etree._Element], insertion: Insertion[Slot]
) -> None:
    """Put ``made`` beside its run, and outside of all spans there, which are parted if need be."""
    place = runs[insertion.beside[-1 if insertion.after else 0]]
    for span in reversed(_spans(place)):
        others = list(place.itersiblings(preceding=not insertion.after))
        if others:
            rest = _opened_again(span)
            rest.extend(others if insertion.after else others[::-1])
            (span.addnext if insertion.after else span.addprevious)(rest)
        place = span
    (place.addnext if insertion.after else place.addprevious)(made)


def _clean_up(paragraph: etree._Element, runs: Iterable[etree._Element]) -> None:
    """Take away spans that say nothing any more, and turn runs into text again."""
    for run in runs:
        element, parent = run, run.getparent()
        while parent is not None and not element.text and not len(element):
            parent.remove(element)
            if parent.tag != _SPAN:
                break
            element, parent = parent, parent.getparent()
    for parent in {run.getparent() for run in paragraph.iter(_RUN)}:
        if parent is not None:
            _dissolve(parent)


def _dissolve(parent: etree._Element) -> None:
    """Put their text in the place of all runs in ``parent``."""
    before: etree._Element | None = None
    for child in list(parent):
        if child.tag != _RUN:
            before = child
            continue
        if before is None:
            parent.text = (parent.text or "") + (child.text or "")
        else:
            before.tail = (before.tail or "") + (child.text or "")
        parent.remove(child)
