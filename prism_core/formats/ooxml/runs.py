"""Runs (``w:r``, ``a:r``) that are added to a paragraph for words that changed their place."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from typing import Final

from lxml import etree

from prism_core.formats.ooxml.atoms import Atom
from prism_core.formats.ooxml.names import local_name, namespace
from prism_core.formats.pieces import Insertion

_SPACE: Final = "{http://www.w3.org/XML/1998/namespace}space"


def insert_runs(insertions: Sequence[Insertion[Atom]]) -> None:
    """Add a run for each insertion, beside the run of its piece; that is split if need be."""
    before: Insertion[Atom] | None = None
    last: etree._Element | None = None
    for insertion in insertions:
        run = _run_like(insertion.like, insertion.text)
        follows = before is not None and _same_place(before, insertion)
        if follows and last is not None:
            last.addnext(run)
        elif insertion.after:
            _ended_behind(insertion.beside[-1].element).addnext(run)
        else:
            _begun_before(insertion.beside[0].element).addprevious(run)
        before, last = insertion, run


def set_text(element: etree._Element, text: str) -> None:
    """Put ``text`` into a ``w:t`` or ``a:t``; blanks at its edges are kept."""
    element.text = text
    if "wordprocessingml" in namespace(element):
        if text != text.strip():
            element.set(_SPACE, "preserve")
        else:
            element.attrib.pop(_SPACE, "")


def _same_place(one: Insertion[Atom], other: Insertion[Atom]) -> bool:
    return one.beside[0] is other.beside[0] and one.after == other.after


def _run_like(atom: Atom, text: str) -> etree._Element:
    """A run with the properties of the run that ``atom`` is in, and ``text`` alone."""
    run = _emptied(_run_of(atom.element))
    set_text(etree.SubElement(run, f"{{{namespace(run)}}}t"), text)
    return run


def _run_of(element: etree._Element) -> etree._Element:
    run = element.getparent()
    assert run is not None  # noqa: S101 (text stands in runs)
    return run


def _ended_behind(element: etree._Element) -> etree._Element:
    """The run of ``element``, which then is the last in it; what followed is in a run behind."""
    run = _run_of(element)
    following = list(element.itersiblings())
    if following:
        rest = _emptied(run)
        rest.extend(following)
        run.addnext(rest)
    return run


def _begun_before(element: etree._Element) -> etree._Element:
    """The run of ``element``, which then is the first in it; what preceded is in a run before."""
    run = _run_of(element)
    preceding = [other for other in element.itersiblings(preceding=True) if not _is_look(other)]
    if preceding:
        rest = _emptied(run)
        rest.extend(reversed(preceding))
        run.addprevious(rest)
    return run


def _emptied(run: etree._Element) -> etree._Element:
    """A run that looks like ``run`` and says nothing."""
    made = deepcopy(run)
    made.tail = None
    for child in [child for child in made if not _is_look(child)]:
        made.remove(child)
    return made


def _is_look(element: etree._Element) -> bool:
    return local_name(element) == "rPr"
