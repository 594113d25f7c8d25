"""What a reader sees that is not drawn as text of the page: values of forms, notes, links.

entry: `read_beside` finds it; `insert_values`, `attach_notes` and `attach_links` put it to the
pieces.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import pikepdf
import pypdfium2
from pikepdf import Name

from prism_core.formats.pdf.content import PageContent
from prism_core.formats.pdf.flowing.items import Facts, Link, Piece, find_place
from prism_core.formats.pdf.geometry import Box, transform
from prism_core.formats.pdf.libraries import inherited
from prism_core.formats.pdf.properties import properties_of, well_formed_annotations
from prism_core.formats.pdf.style import Style

_ADDRESS = re.compile(r"(https?://|mailto:)[^\s<>\"{}|\\^`]{1,2000}", re.IGNORECASE)
_LARGEST = 11.0
_MOST_LEVELS = 50
_HIDDEN = 2


@dataclass(slots=True)
class Beside:
    """``values`` are pieces by page; ``notes`` and ``links`` by page, with their place; ``drawn``
    the places of stamps and of what was drawn by hand.

    ``left_out`` counts texts that a flowing document has no place for: bookmarks, names of layers,
    what fields and links say when pointed at.
    """

    facts: Facts = field(default_factory=Facts)
    values: dict[int, list[Piece]] = field(default_factory=lambda: defaultdict(list))
    notes: dict[int, list[tuple[Box, str]]] = field(default_factory=lambda: defaultdict(list))
    links: dict[int, list[tuple[Box, str]]] = field(default_factory=lambda: defaultdict(list))
    drawn: dict[int, list[Box]] = field(default_factory=lambda: defaultdict(list))
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class _Spot:
    page: int
    box: Box


def read_beside(
    pdf: pikepdf.Pdf, pages: Sequence[PageContent | None], texts: Sequence[str]
) -> Beside:
    """Everything beside the text of the pages, with ``texts`` for the properties."""
    found = Beside()
    spots = dict(_spots(pdf, pages))
    info = pdf.trailer.get(Name.Info)
    seen: set[tuple[int, int]] = set()
    for item, text in zip(properties_of(pdf), texts, strict=True):
        spot = spots.get(item.holder.objgen)
        if isinstance(info, pikepdf.Dictionary) and item.holder.objgen == info.objgen != (0, 0):
            found.facts = replace(found.facts, **{str(item.key)[1:].lower(): text})
        elif spot is None or item.key not in (Name.Contents, Name.V):
            found.left_out += 1
        elif item.key == Name.V or item.holder.get(Name.Subtype) == Name.FreeText:
            found.values[spot.page].append(_value(item.text, text, spot))
        elif item.holder.get(Name.Subtype) in (Name.Link, Name.Widget):
            found.left_out += 1
        else:
            found.notes[spot.page].append((spot.box, text))
    for page, annotation, box in _annotations(pdf, pages):
        if is_drawn(annotation):
            found.drawn[page].append(box)
        address = _address(annotation)
        if address:
            found.links[page].append((box, address))
        mark = _tick_of(annotation) or _choice_of(annotation)
        if mark and annotation.objgen not in seen:
            seen.add(annotation.objgen)
            found.values[page].append(_value(mark, mark, _Spot(page, box)))
    return found


def _value(source: str, text: str, spot: _Spot) -> Piece:
    rows = source.count("\n") + 1
    size = min(max(spot.box.height / rows * 0.75, 6.0), _LARGEST)
    return Piece(source, text, spot.page, spot.box, size, Style())


def _annotations(
    pdf: pikepdf.Pdf, pages: Sequence[PageContent | None]
) -> Iterator[tuple[int, pikepdf.Object, Box]]:
    for page, content in zip(pdf.pages, pages, strict=False):
        if content is None:
            continue
        for annotation in well_formed_annotations(page):
            corners = annotation.get(Name.Rect)
            if isinstance(corners, pikepdf.Array) and len(corners) == 4:
                x0, y0, x1, y1 = (float(value) for value in corners.as_list())
                box = transform(Box(x0, y0, x1, y1), content.page.ctm)
                yield content.page.number, annotation, box


def _spots(
    pdf: pikepdf.Pdf, pages: Sequence[PageContent | None]
) -> Iterator[tuple[tuple[int, int], _Spot]]:
    """Where annotations stand, and the fields that they show, by object number; the first page
    wins."""
    found: dict[tuple[int, int], _Spot] = {}
    for page, annotation, box in _annotations(pdf, pages):
        node: pikepdf.Object | None = annotation
        for _ in range(_MOST_LEVELS):
            if not isinstance(node, pikepdf.Dictionary):
                break
            found.setdefault(node.objgen, _Spot(page, box))
            node = node.get(Name.Parent) if Name.FT not in node or node is annotation else None
    found.pop((0, 0), None)
    yield from found.items()


def is_drawn(annotation: pikepdf.Object) -> bool:
    """Whether it is a stamp, or drawn by hand, as many sign."""
    hidden = int(annotation.get(Name.F, 0)) & _HIDDEN
    return annotation.get(Name.Subtype) in (Name.Stamp, Name.Ink) and not hidden


def _address(annotation: pikepdf.Object) -> str:
    """Where a link leads, if to the web or to a mailbox."""
    action = annotation.get(Name.A)
    if annotation.get(Name.Subtype) != Name.Link or not isinstance(action, pikepdf.Dictionary):
        return ""
    uri = action.get(Name.URI)
    text = str(uri) if isinstance(uri, pikepdf.String) else ""
    return text if _ADDRESS.fullmatch(text) else ""


def _tick_of(widget: pikepdf.Object) -> str:
    """A box, ticked or empty, for a check box or radio button."""
    if widget.get(Name.Subtype) != Name.Widget or inherited(widget, Name.FT) != Name.Btn:
        return ""
    flags = inherited(widget, Name.Ff)
    if int(flags or 0) & 1 << 16:  # a button that is pushed
        return ""
    return "\u2610" if widget.get(Name.AS, Name.Off) == Name.Off else "\u2612"


def _choice_of(widget: pikepdf.Object) -> str:
    """What is chosen from a list, which is not translated."""
    if widget.get(Name.Subtype) != Name.Widget or inherited(widget, Name.FT) != Name.Ch:
        return ""
    value = inherited(widget, Name.V)
    return str(value).strip() if isinstance(value, pikepdf.String) else ""


def insert_values(pieces: list[Piece], values: Sequence[Piece]) -> list[Piece]:
    """The pieces of a page with the values of forms where they are seen."""
    for value in sorted(values, key=lambda value: (-value.box.y1, value.box.x0)):
        pieces.insert(find_place(pieces, value.box), value)
    return pieces


def attach_notes(pieces: list[Piece], notes: Sequence[tuple[Box, str]], page: int) -> None:
    """Hang each note on the piece nearest to it; on an empty page they are its text."""
    if not pieces:
        pieces += [_value(text, text, _Spot(page, box)) for box, text in notes]
        return
    for box, text in notes:
        nearest = min(range(len(pieces)), key=lambda index: _distance(pieces[index].box, box))
        pieces[nearest] = replace(pieces[nearest], notes=(*pieces[nearest].notes, text))


def _distance(a: Box, b: Box) -> float:
    across = max(a.x0 - b.x1, b.x0 - a.x1, 0.0)
    down = max(a.y0 - b.y1, b.y0 - a.y1, 0.0)
    return across + down


def attach_links(
    pieces: list[Piece], links: Sequence[tuple[Box, str]], words: pypdfium2.PdfTextPage | None
) -> int:
    """Give each link to the words under it, where the translation has them once, or to the whole
    of a piece that it covers; returns how many find no words."""
    lost = 0
    for box, address in links:
        found = [
            index
            for index, piece in enumerate(pieces)
            if not piece.angle and piece.box.holds(*box.middle)
        ]
        linked = [index for index in found if _add_link(pieces, index, box, address, words)]
        lost += not linked
    return lost


def _add_link(
    pieces: list[Piece], index: int, box: Box, address: str, words: pypdfium2.PdfTextPage | None
) -> bool:
    piece = pieces[index]
    under = words.get_text_bounded(*box) if words else ""
    for text in (" ".join(under.split()).strip(",;()"), address, address.partition(":")[2]):
        if text and piece.text.count(text) == 1:
            whole = text == piece.text
            link = Link("" if whole else text, address)
            break
    else:
        if piece.lines > 1 or box.width < 0.85 * piece.box.width:
            return False
        link = Link("", address)
    pieces[index] = replace(piece, links=(*piece.links, link))
    return True
