"""Takes the source text out of a page's drawing instructions and puts an overlay in its place.

entry: `Stripper.strip` for a page -> `_stripped_resources` -> `_stripped_form`; then
`overlay_page`.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import count

import pikepdf
from pikepdf import Name, Operator

from prism_core.formats.pdf.geometry import Matrix, invert
from prism_core.formats.pdf.libraries import drop, inherited

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
            self._forms[key] = self._nothing()  # a form that draws itself ends here
            self._forms[key] = self._without_text(xobject, keep, depth)
        return self._forms[key]

    def _nothing(self) -> pikepdf.Object:
        """A form that draws nothing."""
        form = self._pdf.make_stream(b"")
        form[Name.Type], form[Name.Subtype] = Name.XObject, Name.Form
        form[Name.BBox] = pikepdf.Array([0, 0, 0, 0])
        return form

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
