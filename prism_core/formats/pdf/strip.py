"""Remove source text, and everything that reveals it, from a PDF that is to be translated.

Entry: `Stripper.strip` removes text from the drawing instructions of a page and of its forms
(`_remove_text`), `overlay_page` draws the translation over it; `remove_stale_parts` removes
descriptions, signatures and copies of the source. Named destinations are removed too, since names
are words of the source: links then point to the destinations directly.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count

import pikepdf
from pikepdf import Name, Operator

from prism_core.formats.pdf.geometry import Matrix, invert
from prism_core.formats.pdf.libraries import (
    SHOWS_TEXT,
    as_dictionary,
    drop,
    find_inherited,
    find_signed_fields,
)
from prism_core.formats.pdf.properties import iterate_bookmarks, list_annotations

_MAX_DEPTH = 20
_OF_THE_STREAM = ("/Length", "/Filter", "/DecodeParms", "/PieceInfo", "/Metadata")
"""Keys of a form that describe its own bytes and do not hold for its copy."""
_OPERATORS = frozenset(
    "b B b* B* BDC BMC BT BX c cm CS cs d d0 d1 Do DP EMC ET EX f F f* G g gs h i j J K k l m M "
    "MP n q Q re RG rg ri s S SC sc SCN scn sh T* Tc Td TD Tf Tj TJ TL Tm Tr Ts Tw Tz v w W W* y ' "
    '"'.split()
) | {"INLINE IMAGE"}
Instruction = pikepdf.ContentStreamInstruction | pikepdf.ContentStreamInlineImage


class Stripper:
    """Remover of text from pages; forms are copied, since pages that stay may draw them too."""

    def __init__(self, pdf: pikepdf.Pdf) -> None:
        self._pdf = pdf
        self._forms: dict[tuple[object, ...], pikepdf.Object] = {}

    def strip(self, page: pikepdf.Page, keep: Collection[int]) -> None:
        """Drop operators that show text, but those in ``keep`` (see ``Glyph.show``)."""
        resources = self._strip_resources(page.obj, keep, 0)
        remaining, names = _remove_text(pikepdf.parse_content_stream(page), keep)
        depth = lowest = 0
        in_text = False
        for name in names:
            if name == "q" or name == "Q":
                depth += 1 if name == "q" else -1
                lowest = min(lowest, depth)
            elif name == "BT" or name == "ET":
                in_text = name == "BT"
        # balance q/Q, so that content added later starts from the page's own coordinates
        opening, closing = b"q\n" * (1 - lowest), b"\nQ" * (1 - lowest + depth)
        closing = b"\nET" * in_text + closing
        content = opening + pikepdf.unparse_content_stream(remaining) + closing
        page.obj[Name.Resources] = resources
        page.obj[Name.Contents] = self._pdf.make_stream(content)
        drop(page.obj, Name.Thumb, Name.PieceInfo, Name.Metadata, Name.StructParents)

    def _strip_resources(
        self, holder: pikepdf.Object, keep: Collection[int], depth: int
    ) -> pikepdf.Dictionary:
        copied = pikepdf.Dictionary()
        for key, value in as_dictionary(find_inherited(holder, Name.Resources)).items():
            copied[key] = value
        objects = copied.get(Name.XObject)
        if isinstance(objects, pikepdf.Dictionary):
            copied[Name.XObject] = pikepdf.Dictionary()
            for name, xobject in objects.items():
                copied[Name.XObject][name] = self._strip_form(xobject, keep, depth + 1)
        return copied

    def _strip_form(
        self, xobject: pikepdf.Object, keep: Collection[int], depth: int
    ) -> pikepdf.Object:
        is_form = isinstance(xobject, pikepdf.Stream) and xobject.get(Name.Subtype) == Name.Form
        if not is_form or -xobject.objgen[0] in keep or depth > _MAX_DEPTH:
            return xobject
        key = (xobject.objgen, frozenset(show for show in keep if show < 0))
        if key not in self._forms:
            nothing = self._pdf.make_stream(b"")  # stands in for a form that draws itself
            nothing[Name.Type], nothing[Name.Subtype] = Name.XObject, Name.Form
            nothing[Name.BBox] = pikepdf.Array([0, 0, 0, 0])
            self._forms[key] = nothing
            remaining, _ = _remove_text(pikepdf.parse_content_stream(xobject), ())
            copied = self._pdf.make_stream(pikepdf.unparse_content_stream(remaining))
            for name, value in xobject.items():
                if name not in _OF_THE_STREAM:
                    copied[name] = value
            if Name.Resources in xobject:
                copied[Name.Resources] = self._strip_resources(xobject, keep, depth)
            self._forms[key] = copied
        return self._forms[key]


def overlay_page(
    pdf: pikepdf.Pdf, page: pikepdf.Page, drawing: pikepdf.Page, shown: Matrix
) -> None:
    """Draw ``drawing`` over ``page``; ``shown`` maps the page's coordinates to those as shown."""
    form = pdf.copy_foreign(drawing.as_form_xobject())
    resources = page.obj[Name.Resources]
    objects = resources.get(Name.XObject, pikepdf.Dictionary())
    number = next(number for number in count(1) if f"/Translation{number}" not in objects)
    name = Name(f"/Translation{number}")
    objects[name] = form
    resources[Name.XObject] = objects
    numbers = " ".join(f"{value:.6f}" for value in invert(shown))
    page.contents_add(f"\nq {numbers} cm {name} Do Q\n".encode())


def _remove_text(
    instructions: Sequence[Instruction], keep: Collection[int]
) -> tuple[list[Instruction], list[str]]:
    """Return the instructions without text and wording of tags, and the names of all."""
    remaining: list[Instruction] = []
    names: list[str] = []
    number = -1
    for instruction in instructions:
        name = str(instruction.operator)
        operands = list(instruction.operands) if name == "BDC" or name in SHOWS_TEXT else []
        if name not in _OPERATORS or (name == "Tf" and len(instruction.operands) != 2):
            continue  # readers disagree on content after an unknown operator
        names.append(name)
        if name in SHOWS_TEXT:
            number += 1
        if name in SHOWS_TEXT and number not in keep:
            # keep its side effects, on which kept text after it relies
            if name == '"' and len(operands) > 2:
                remaining.append(_make_instruction("Tw", operands[0]))
                remaining.append(_make_instruction("Tc", operands[1]))
            if name == "'" or (name == '"' and len(operands) > 2):
                remaining.append(_make_instruction("T*"))
        elif name == "BDC" and operands and operands[0] != Name.OC:
            # a tag, without its properties (ActualText, Alt); those of layers stay
            remaining.append(_make_instruction("BMC", operands[0]))
        else:
            remaining.append(instruction)
    return remaining, names


def _make_instruction(name: str, *operands: pikepdf.Object) -> Instruction:
    return pikepdf.ContentStreamInstruction(operands, Operator(name))


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
"""Keys of the document information that any program writes; others are private source text."""
_MOST_ACTIONS = 50
"""Limit of actions that follow each other at one place."""


def remove_stale_parts(pdf: pikepdf.Pdf, pages_changed: bool, properties_changed: bool) -> None:
    """Remove from ``pdf`` everything that no longer holds once text has been replaced."""
    if pages_changed or properties_changed:
        unname_destinations(pdf)
        info = as_dictionary(pdf.trailer.get(Name.Info))
        drop(info, *(info.keys() - _TOLD))
        for obj in pdf.objects:  # metadata of pictures, pages, colour profiles
            if isinstance(obj, pikepdf.Dictionary | pikepdf.Stream):
                drop(obj, "/Metadata")
    drop(pdf.Root, *(_STALE if pages_changed else (Name.Metadata,)))
    # the fields remain; XFA holds a second copy of their text
    drop(as_dictionary(pdf.Root.get(Name.AcroForm)), Name.XFA, Name.SigFlags)
    # a copy must not look signed, neither by data nor by seal
    for field in find_signed_fields(pdf):
        drop(field, Name.V, Name.AP)


def unname_destinations(pdf: pikepdf.Pdf) -> None:
    """Replace named destinations by the destinations, and drop the names."""
    names = as_dictionary(pdf.Root.get(Name.Names))
    destinations = dict(
        as_dictionary(pdf.Root.get(Name.Dests)).items()
    )  # keys with a slash, as in PDF 1.1
    tree = names.get(Name.Dests)
    if isinstance(tree, pikepdf.Dictionary):
        destinations |= {str(key): value for key, value in pikepdf.NameTree(tree).items()}
    actions = [pdf.Root.get(Name.OpenAction)]
    named = list[tuple[pikepdf.Object, Name]]()
    for holder in [*iterate_bookmarks(pdf), *(a for p in pdf.pages for a in list_annotations(p))]:
        if isinstance(holder.get(Name.Dest), pikepdf.String | pikepdf.Name):
            named.append((holder, Name.Dest))
        actions.append(holder.get(Name.A))
    for first in actions:
        action = first
        for _ in range(_MOST_ACTIONS):
            if not isinstance(action, pikepdf.Dictionary):
                break
            is_named = isinstance(action.get(Name.D), pikepdf.String | pikepdf.Name)
            if is_named and action.get(Name.S) == Name.GoTo:
                named.append((action, Name.D))
            action = action.get(Name.Next)
    for holder, key in named:
        destination = destinations.get(str(holder[key]))
        array = (
            destination.get(Name.D) if isinstance(destination, pikepdf.Dictionary) else destination
        )
        if isinstance(array, pikepdf.Array):
            holder[key] = array
    drop(pdf.Root, Name.Dests)
    drop(names, Name.Dests)
