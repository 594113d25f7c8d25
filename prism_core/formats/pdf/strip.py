"""Takes out of a PDF what its translation must not carry on: source text, and what tells of it.

entry: `Stripper.strip` takes the text out of the drawing instructions of a page
(`_stripped_resources` -> `_stripped_form`), `overlay_page` puts another in its place;
`remove_stale_parts` removes descriptions, signatures and copies of the source. Names of places go
too: they are words of the source, so links lead to the places directly.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import count

import pikepdf
from pikepdf import Name, Operator

from prism_core.formats.pdf.geometry import Matrix, invert
from prism_core.formats.pdf.libraries import drop, inherited
from prism_core.formats.pdf.properties import bookmarks, well_formed_annotations

_SHOWS = frozenset({"Tj", "TJ", "'", '"'})
_MAX_DEPTH = 20
Instruction = pikepdf.ContentStreamInstruction | pikepdf.ContentStreamInlineImage


class Stripper:
    """Removes text from the pages of one document.

    Form XObjects are copied, never changed, for a page that stays as it is may draw them too.
    """

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._forms: dict[tuple[object, ...], pikepdf.Object] = {}

    def strip(self, page: pikepdf.Page, keep: Collection[int]) -> None:
        """Drop every operator of ``page`` that shows text, but those whose number is in ``keep``.

        ``keep`` uses the numbers of ``Glyph.show``; a form in it stays whole.
        """
        resources = self._stripped_resources(page.obj, keep, 0)
        instructions = pikepdf.parse_content_stream(page)
        remaining = _remove_text(instructions, keep)
        page.obj[Name.Resources] = resources
        page.obj[Name.Contents] = self._pdf.make_stream(_balance(remaining))
        drop(page.obj, Name.Thumb, Name.PieceInfo, Name.Metadata, Name.StructParents)

    def _stripped_resources(
        self, holder: pikepdf.Object, keep: Collection[int], depth: int
    ) -> pikepdf.Dictionary:
        found = inherited(holder, Name.Resources)
        copied = pikepdf.Dictionary()
        if isinstance(found, pikepdf.Dictionary):
            for key, value in found.items():
                copied[key] = value
        objects = copied.get(Name.XObject)
        if isinstance(objects, pikepdf.Dictionary):
            fresh = pikepdf.Dictionary()
            for name, xobject in objects.items():
                fresh[name] = self._stripped_form(xobject, keep, depth + 1)
            copied[Name.XObject] = fresh
        return copied

    def _stripped_form(
        self, xobject: pikepdf.Object, keep: Collection[int], depth: int
    ) -> pikepdf.Object:
        is_form = isinstance(xobject, pikepdf.Stream) and xobject.get(Name.Subtype) == Name.Form
        if not is_form or -xobject.objgen[0] in keep or depth > _MAX_DEPTH:
            return xobject
        kept_forms = frozenset(show for show in keep if show < 0)
        key = (xobject.objgen, kept_forms)
        if key not in self._forms:
            nothing = self._pdf.make_stream(b"")  # at which a form that draws itself ends
            nothing[Name.Type], nothing[Name.Subtype] = Name.XObject, Name.Form
            nothing[Name.BBox] = pikepdf.Array([0, 0, 0, 0])
            self._forms[key] = nothing
            self._forms[key] = self._without_text(xobject, keep, depth)
        return self._forms[key]

    def _without_text(
        self, form: pikepdf.Object, keep: Collection[int], depth: int
    ) -> pikepdf.Object:
        instructions = pikepdf.parse_content_stream(form)
        copied = self._pdf.make_stream(
            pikepdf.unparse_content_stream(_remove_text(instructions, ()))
        )
        for key, value in form.items():
            if key not in ("/Length", "/Filter", "/DecodeParms", "/PieceInfo", "/Metadata"):
                copied[key] = value
        if Name.Resources in form:
            copied[Name.Resources] = self._stripped_resources(form, keep, depth)
        return copied


def overlay_page(
    pdf: pikepdf.Pdf, page: pikepdf.Page, drawing: pikepdf.Page, shown: Matrix
) -> None:
    """Draw ``drawing`` over ``page``; ``shown`` leads from the page's coordinates to its own."""
    form = pdf.copy_foreign(drawing.as_form_xobject())
    resources = page.obj[Name.Resources]
    objects = resources.get(Name.XObject, pikepdf.Dictionary())
    number = next(number for number in count(1) if f"/Translation{number}" not in objects)
    name = Name(f"/Translation{number}")
    objects[name] = form
    resources[Name.XObject] = objects
    numbers = " ".join(f"{value:.6f}" for value in invert(shown))
    page.contents_add(f"\nq {numbers} cm {name} Do Q\n".encode())


def _remove_text(instructions: Sequence[Instruction], keep: Collection[int]) -> list[Instruction]:
    """Without operators that show text, and without the wording that tags may carry."""
    remaining: list[Instruction] = []
    number = -1
    for instruction in instructions:
        name = str(instruction.operator)
        if name in _SHOWS:
            number += 1
            if number not in keep:
                remaining += _moves(instruction, name)
                continue
        remaining.append(_plain_tag(instruction) if name == "BDC" else instruction)
    return remaining


def _moves(instruction: Instruction, name: str) -> list[Instruction]:
    """What an operator does beside showing text, on which kept text after it relies."""
    if name == "'":
        return [_instruction([], "T*")]
    if name == '"' and len(instruction.operands) > 2:
        word, character = instruction.operands[0], instruction.operands[1]
        return [
            _instruction([word], "Tw"),
            _instruction([character], "Tc"),
            _instruction([], "T*"),
        ]
    return []


def _instruction(operands: list[pikepdf.Object], name: str) -> Instruction:
    return pikepdf.ContentStreamInstruction(operands, Operator(name))


def _plain_tag(instruction: Instruction) -> Instruction:
    """A tag without its properties (ActualText, Alt), save for layers."""
    operands = list(instruction.operands)
    if not operands or operands[0] == Name.OC:
        return instruction
    return _instruction([operands[0]], "BMC")


def _balance(instructions: Sequence[Instruction]) -> bytes:
    """The instructions wrapped so that what follows starts from the page's own coordinates."""
    depth = lowest = 0
    for instruction in instructions:
        name = str(instruction.operator)
        depth += (name == "q") - (name == "Q")
        lowest = min(lowest, depth)
    opening = b"q\n" * (1 - lowest)
    closing = b"\nQ" * (1 - lowest + depth)
    return bytes(opening + pikepdf.unparse_content_stream(instructions) + closing)


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
        info = pdf.trailer.get(Name.Info)
        if isinstance(info, pikepdf.Dictionary):
            for key in [str(key) for key in info.keys() if key not in _TOLD]:  # noqa: SIM118
                del info[key]
        for obj in pdf.objects:  # what pictures, pages, profiles of colours say of themselves
            if isinstance(obj, pikepdf.Dictionary | pikepdf.Stream):
                drop(obj, Name.Metadata)
    drop(pdf.Root, *(_STALE if changed else (Name.Metadata,)))
    form = pdf.Root.get(Name.AcroForm)
    if isinstance(form, pikepdf.Dictionary):  # the fields remain; XFA holds their text once more
        drop(form, Name.XFA, Name.SigFlags)
    for obj in pdf.objects:  # a copy must not look signed: neither by its data nor by its seal
        if isinstance(obj, pikepdf.Dictionary) and obj.get(Name.FT) == Name.Sig and Name.V in obj:
            drop(obj, Name.V, Name.AP)


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
