"""Named places of a document: their names are words of the source, so links lead there directly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pikepdf
from pikepdf import Name

from prism_core.formats.pdf.properties import bookmarks, well_formed_annotations

_MOST_ACTIONS = 50
"""Actions that follow each other at one place."""


def unname_destinations(pdf: pikepdf.Pdf) -> None:
    """Put places where links and bookmarks name them, and forget the names.

    Links of other documents to these names then lead to the first page.
    """
    places = _named(pdf)
    if places:
        for holder, key in list(_references(pdf)):
            target = places.get(str(holder[key]))
            if target is not None:
                holder[key] = target
    for owner in (pdf.Root, pdf.Root.get(Name.Names)):
        if isinstance(owner, pikepdf.Dictionary) and Name.Dests in owner:
            del owner[Name.Dests]


def _named(pdf: pikepdf.Pdf) -> Mapping[str, pikepdf.Object]:
    """Every named place, as the array that says where it is; names begin with a slash or not, as
    in the document."""
    found: dict[str, pikepdf.Object] = {}
    older = pdf.Root.get(Name.Dests)
    if isinstance(older, pikepdf.Dictionary):
        found.update(older.items())
    names = pdf.Root.get(Name.Names)
    tree = names.get(Name.Dests) if isinstance(names, pikepdf.Dictionary) else None
    if isinstance(tree, pikepdf.Dictionary):
        found.update({str(key): value for key, value in pikepdf.NameTree(tree).items()})
    arrays = {name: _array(value) for name, value in found.items()}
    return {name: array for name, array in arrays.items() if array is not None}


def _array(place: pikepdf.Object) -> pikepdf.Object | None:
    array = place.get(Name.D) if isinstance(place, pikepdf.Dictionary) else place
    return array if isinstance(array, pikepdf.Array) else None


def _references(pdf: pikepdf.Pdf) -> Iterator[tuple[pikepdf.Object, Name]]:
    """Where a place is named: the dictionary, and the key of the name."""
    holders = [*bookmarks(pdf), *(a for page in pdf.pages for a in well_formed_annotations(page))]
    for holder in holders:
        if isinstance(holder.get(Name.Dest), pikepdf.String | pikepdf.Name):
            yield holder, Name.Dest
        yield from _actions(holder.get(Name.A))
    yield from _actions(pdf.Root.get(Name.OpenAction))


def _actions(action: pikepdf.Object | None) -> Iterator[tuple[pikepdf.Object, Name]]:
    for _ in range(_MOST_ACTIONS):
        if not isinstance(action, pikepdf.Dictionary):
            return
        named = isinstance(action.get(Name.D), pikepdf.String | pikepdf.Name)
        if named and action.get(Name.S) == Name.GoTo:
            yield action, Name.D
        action = action.get(Name.Next)
