"""What a translated PDF must not carry on: stale descriptions, signatures, copies of the source.

Names of places go too: they are words of the source, so links lead to the places directly.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pikepdf
from pikepdf import Name

from prism_core.formats.pdf.libraries import drop
from prism_core.formats.pdf.properties import bookmarks, well_formed_annotations

_STALE = (
    Name.Metadata,  # XMP repeats the title; PDF/A and PDF/UA claims in it no longer hold
    Name.PieceInfo,  # private copies of the source kept by the program that made it
    Name.StructTreeRoot,  # tags carry the source's wording and point at removed text
    Name.MarkInfo,
    Name.Lang,
    Name.Perms,  # certification signatures
    Name.DSS,
    Name.SpiderInfo,  # where a captured web page came from
)
_TOLD = frozenset(
    "/Title /Subject /Keywords /Author /Creator /Producer /CreationDate /ModDate /Trapped".split()
)
"""What every program writes about a document; the rest is private, and in the source language."""
_MOST_ACTIONS = 50
"""Actions that follow each other at one place."""


def remove_stale_parts(pdf: pikepdf.Pdf, changed: bool, retold: bool) -> None:
    """Remove what no longer holds once text has been replaced.

    ``changed``: on pages; ``retold``: beside them, in titles, bookmarks, notes …
    """
    if changed or retold:
        unname_destinations(pdf)
        _remove_private_facts(pdf)
        _remove_descriptions(pdf)
    drop(pdf.Root, *(_STALE if changed else (Name.Metadata,)))
    _remove_xfa(pdf)
    _remove_signatures(pdf)


def _remove_private_facts(pdf: pikepdf.Pdf) -> None:
    info = pdf.trailer.get(Name.Info)
    if isinstance(info, pikepdf.Dictionary):
        for key in [str(key) for key in info.keys() if key not in _TOLD]:  # noqa: SIM118
            del info[key]


def _remove_descriptions(pdf: pikepdf.Pdf) -> None:
    """What parts of the document say of themselves in XMP: pictures, pages, profiles of colours."""
    for obj in pdf.objects:
        if isinstance(obj, pikepdf.Dictionary | pikepdf.Stream) and Name.Metadata in obj:
            del obj[Name.Metadata]


def _remove_xfa(pdf: pikepdf.Pdf) -> None:
    """The fields remain; XFA holds their source text a second time."""
    form = pdf.Root.get(Name.AcroForm)
    if isinstance(form, pikepdf.Dictionary) and Name.XFA in form:
        del form[Name.XFA]


def _remove_signatures(pdf: pikepdf.Pdf) -> None:
    """A translated copy must not look signed: neither by its data nor by its seal."""
    for obj in pdf.objects:
        is_field = isinstance(obj, pikepdf.Dictionary) and obj.get(Name.FT) == Name.Sig
        if is_field and Name.V in obj:
            for key in (Name.V, Name.AP):
                if key in obj:
                    del obj[key]
    form = pdf.Root.get(Name.AcroForm)
    if isinstance(form, pikepdf.Dictionary) and Name.SigFlags in form:
        del form[Name.SigFlags]


def unname_destinations(pdf: pikepdf.Pdf) -> None:
    """Put places where links and bookmarks name them, and forget the names.

    Links of other documents to these names then lead to the first page.
    """
    places = _named_places(pdf)
    if places:
        for holder, key in list(_references(pdf)):
            target = places.get(str(holder[key]))
            if target is not None:
                holder[key] = target
    for owner in (pdf.Root, pdf.Root.get(Name.Names)):
        if isinstance(owner, pikepdf.Dictionary):
            drop(owner, Name.Dests)


def _named_places(pdf: pikepdf.Pdf) -> Mapping[str, pikepdf.Object]:
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
    arrays = {
        name: place.get(Name.D) if isinstance(place, pikepdf.Dictionary) else place
        for name, place in found.items()
    }
    return {name: array for name, array in arrays.items() if isinstance(array, pikepdf.Array)}


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
