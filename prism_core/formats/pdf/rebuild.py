"""Put translations in the place of the source: plan each page, check the result, and fall back.

A page is first tried with only the changed paragraphs taken out. If another library still finds
source text on it, all its text is taken out and drawn again. If that fails too, the page stays as
it was, in the source language, and a notice names it. A document in which a second library still
reads a title, bookmark or note in its source's words is not written. Two libraries that did not
write the file check it: pdfium the pages, and pypdf the texts beside them.

Entry: `rebuild_pdf`.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import groupby

import pikepdf
from pypdf import PdfReader
from pypdf.generic import DictionaryObject, NullObject

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.base import notices
from prism_core.formats.pdf.block import PdfBlock
from prism_core.formats.pdf.content import PageContent, PdfContent
from prism_core.formats.pdf.geometry import Box, Matrix, frame_matrix, transform
from prism_core.formats.pdf.libraries import MALFORMED, save_to_bytes
from prism_core.formats.pdf.painting import COVER_FROM, PageText, can_draw, draw_pages
from prism_core.formats.pdf.properties import MAX_BOOKMARKS, find_properties
from prism_core.formats.pdf.scan_pictures import repaint
from prism_core.formats.pdf.strip import Stripper, overlay_page, remove_stale_parts
from prism_core.formats.pdf.style import Run
from prism_core.formats.pdf.text_layout import FittedText
from prism_core.formats.pdf.visual_check import (
    ChangedPage,
    ParagraphChange,
    compare_pages,
    count_characters,
    extract_page_texts,
)
from prism_core.record import DOUBTFUL

_NOT_READ = " [?]"
"""Text behind a word that OCR was not sure of, which fonts have."""
_ATTEMPTS = 8
_LEADERS = re.compile("[.·…]+")


@dataclass(frozen=True, slots=True, eq=False)
class _Plan:
    """Plan of one page; operators of ``keep`` go on showing their text."""

    content: PageContent
    drawing: PageText
    keep: frozenset[int]

    def join_shown_text(self, kept: bool) -> str:
        """Return the text of the operators that stay, or of those that go."""
        shown = self.content.shown.items()
        return "".join(text for show, text in shown if (show in self.keep) is kept)

    def shows_removed(self, found: str) -> bool:
        """Return True if ``found``, the text of a page without its removed text, still has some."""
        kept = self.join_shown_text(kept=True)
        unknown = kept.count("\ufffd") + len(kept) // 50
        return (count_characters(found) - count_characters(kept)).total() > unknown


@dataclass(frozen=True, slots=True)
class _BuildResult:
    """Rebuilt document (empty where a page ``failed``), with counts of what does not fit."""

    data: bytes
    pages: Sequence[Sequence[FittedText]]
    failed: set[int]
    overlaps: int = 0
    cramped: int = 0


def rebuild_pdf(
    content: PdfContent,
    texts: Sequence[str],
    looks: Mapping[PdfBlock, Sequence[Run]],
    right_to_left: bool,
) -> tuple[bytes, tuple[str, ...]]:
    """Write the document with ``texts`` for its segments; return it with notices.

    Args:
        content: The document as read.
        texts: The texts of its blocks, then those of its properties.
        looks: Styled runs of blocks that have several styles.
        right_to_left: The target is written from the right.

    Raises:
        DocumentError: No plan passes the checks within the limit of attempts.
    """
    blocks = content.blocks
    new = {block: block.text for page in content.pages if page for block in page.blocks}
    new.update(
        (block, text if text == block.text else text.replace(DOUBTFUL, _NOT_READ))
        for block, text in zip(blocks, texts, strict=False)
    )
    planned = {
        page.page.number: _plan_changed_blocks(page, new)
        for page in content.pages
        if page and any(new[block] != block.text for block in page.blocks)
    }
    tried, without_translation = set[int](), set[PdfBlock]()
    trial = {*planned}  # pages that failed are tried alone, before all are written again
    overlaps = dict[_Plan, int]()
    for _ in range(_ATTEMPTS):
        plans = {number: plan for number, plan in planned.items() if plan and number in trial}
        built = _build(content, plans, overlaps, texts[len(blocks) :], looks, right_to_left)
        if not built.failed:
            without_room = _find_without_room(content, plans, built.pages) - without_translation
            if not without_room and trial == planned.keys():
                break
            without_translation |= without_room
            new |= {block: block.text for block in without_room}
            for number in {block.page for block in without_room} & plans.keys():
                planned[number] = _plan_changed_blocks(plans[number].content, new)
        for number in built.failed:  # first redraw the whole page, then leave it as it was
            page, again = plans[number].content, number in tried
            planned[number] = None if again else _make_plan(page, new, page.blocks, frozenset())
        tried |= built.failed
        retried = {number for number in built.failed if planned[number]}
        trial = retried or {*planned}
    else:
        raise DocumentError(DocumentFailure.UNREBUILDABLE)
    undrawable = [b for plan in plans.values() for b in plan.drawing.kept if new[b] != b.text]
    issued = _list_notices(built, plans, len(undrawable) + len(without_translation))
    pages_without_translation = {block.page for block in without_translation} - tried
    if unchanged := planned.keys() - plans.keys() - pages_without_translation:
        issued += (f"page-unchanged:{_format_page_ranges(unchanged)}",)
    return built.data, issued


def _list_notices(
    built: _BuildResult, plans: Mapping[int, _Plan], unchanged: int
) -> tuple[str, ...]:
    """Return notices about ``plans``; ``unchanged`` is the number of blocks left untranslated."""
    fitted = [fitted_text for page in built.pages for fitted_text in page]
    counted = {
        "blocks-shrunk": sum(not math.isclose(fitted_text.scale, 1.0) for fitted_text in fitted),
        "blocks-overflowing": sum(fitted_text.overflows for fitted_text in fitted) + built.cramped,
        "texts-overlapping": built.overlaps,
        "blocks-unchanged": unchanged,
        # glyphs that cannot be redrawn because their font does not map them to text
        "signs-lost": sum(
            plan.join_shown_text(kept=False).count("\ufffd") for plan in plans.values()
        ),
    }
    return notices(counted)


def _find_without_room(
    content: PdfContent, plans: Mapping[int, _Plan], pages: Sequence[Sequence[FittedText]]
) -> set[PdfBlock]:
    """Find the blocks of paragraphs whose text would stand over other text or over the edge."""
    crowded = {
        block
        for plan, page in zip(plans.values(), pages, strict=True)
        for block, fitted in zip(plan.drawing.texts, page, strict=True)
        if fitted.overflows
    }
    return {block for chain in content.chains if crowded & {*chain} for block in chain}


def _plan_changed_blocks(page: PageContent, new: Mapping[PdfBlock, str]) -> _Plan | None:
    """Plan to redraw the blocks that change, and those drawn by the same operators."""
    changed = [b for b in page.blocks if new[b] != b.text and can_draw(b, new[b])]
    leaders = {block.leaders for block in changed}
    moved = [*changed, *(block for block in page.blocks if block.first in leaders)]
    removed = frozenset().union(*(block.shows for block in moved))
    while True:
        drawing = [block for block in page.blocks if block.shows & removed]
        wider = removed.union(*(block.shows for block in drawing))
        # operators of a chain are removed together: each begins where the one before ends
        cut = {page.chains[show] for show in wider if show in page.chains}
        wider |= {show for show, chain in page.chains.items() if chain in cut}
        if wider == removed:
            break
        removed = wider
    return _make_plan(page, new, drawing, frozenset(page.shown) - removed) if drawing else None


def _make_plan(
    page: PageContent,
    new: Mapping[PdfBlock, str],
    drawing: Sequence[PdfBlock],
    keep: frozenset[int],
) -> _Plan | None:
    if not all(can_draw(block, new[block]) for block in drawing):
        return None
    texts = {block: new[block] for block in drawing}
    kept = [block for block in page.blocks if block not in texts]
    return _Plan(page, PageText(page.page, texts, kept), keep)


def _build(
    content: PdfContent,
    plans: Mapping[int, _Plan],
    overlaps: dict[_Plan, int],
    properties: Sequence[str],
    looks: Mapping[PdfBlock, Sequence[Run]],
    right_to_left: bool,
) -> _BuildResult:
    """Carry out ``plans``, and check each once; add how many of its texts overlap."""
    with pikepdf.open(io.BytesIO(content.data)) as pdf:
        failed = _take_out_text(pdf, content.data, plans)
        drawing, pages = draw_pages([plan.drawing for plan in plans.values()], looks, right_to_left)
        drawn = dict(zip(plans, pages, strict=True))
        failed |= _find_unread(
            plans, drawn, dict(zip(plans, extract_page_texts(drawing), strict=True))
        )
        if failed:
            return _BuildResult(b"", pages, failed)
        new_plans = {number: plan for number, plan in plans.items() if plan not in overlaps}
        raw = pikepdf.StreamDecodeLevel.none  # quick, for a file that is only looked at
        options = {"compress_streams": False, "stream_decode_level": raw}
        bare = save_to_bytes(pdf, **options) if new_plans else b""
        if plans:
            with pikepdf.open(io.BytesIO(drawing)) as drawings:
                for (number, plan), overlay in zip(plans.items(), drawings.pages, strict=False):
                    overlay_page(pdf, pdf.pages[number - 1], overlay, plan.content.page.ctm)
        pairs = zip(find_properties(pdf), properties, strict=True)
        new_properties = [(item, text) for item, text in pairs if text != item.text]
        cramped = sum(not item.replace(text) for item, text in new_properties)
        remove_stale_parts(pdf, pages_changed=bool(plans), properties_changed=bool(new_properties))
        data = save_to_bytes(pdf)
    changed = [_describe_changes(plan, drawn[number]) for number, plan in new_plans.items()]
    seen = dict(compare_pages(content.data, bare, data, changed)) if changed else {}
    found = {number: page.text for number, page in seen.items()}
    if known := plans.keys() - seen.keys():
        found |= zip(known, extract_page_texts(data, known), strict=True)
    failed |= _find_unread(plans, drawn, found, whole=True)
    failed |= {
        number
        for number, page in seen.items()
        if page.hides or plans[number].shows_removed(page.bare)
    }
    overlaps |= {plans[number]: page.overlaps for number, page in seen.items()}
    if new_properties and not failed:
        refuse_remains(data, {item.text for item, _ in new_properties}, properties)
    overlapping = sum(overlaps[plan] for plan in plans.values())
    return _BuildResult(data, pages, failed, overlapping, cramped)


def _find_unread(
    plans: Mapping[int, _Plan],
    drawn: Mapping[int, Sequence[FittedText]],
    found: Mapping[int, str],
    whole: bool = False,
) -> set[int]:
    """Find pages on which a second reader finds other than the drawn (or the ``whole``) text."""
    failed = set()
    for number, plan in plans.items():
        lines = [text for fitted in drawn[number] for _, _, text in fitted.lines]
        expected = "".join(plan.drawing.texts.values())
        read = count_characters(found.get(number, ""))
        # pdfium leaves out a line that repeats the one above it
        least, most = count_characters("".join(set(lines))), count_characters("".join(lines))
        spoiled = whole and (least - read).total() > least.total() // 50
        differs = not whole and not least <= read <= most
        if _drop_leaders("".join(lines)) != _drop_leaders(expected) or spoiled or differs:
            failed.add(number)
    return failed


def _drop_leaders(text: str) -> str:
    """Return ``text`` without blanks and leaders, which are drawn as long as there is room."""
    return _LEADERS.sub("", "".join(text.split()))


def _describe_changes(plan: _Plan, fitted: Sequence[FittedText]) -> ChangedPage:
    """Return the boxes of the source text of a page, and of its translations."""
    page = plan.content.page
    shows = page.image_share >= COVER_FROM
    changes, target_ink, source_ink = [], 0.0, 0.0
    for (block, text), placed in zip(plan.drawing.texts.items(), fitted, strict=True):
        turned = frame_matrix(block.angle)
        source = tuple(transform(line, turned) for line in block.lines)
        drawn = tuple(transform(line, turned) for line in placed.boxes)
        changes.append(ParagraphChange(source, drawn, shows and block.style.invisible))
        target_ink += len(text) * placed.size**2
        source_ink += len(block.text) * block.size**2
    return ChangedPage(
        page.number,
        page.ctm,
        tuple(changes),
        target_ink / max(source_ink, 0.01),
        bool(plan.content.reading),
    )


def _take_out_text(pdf: pikepdf.Pdf, data: bytes, plans: Mapping[int, _Plan]) -> set[int]:
    """Remove from ``pdf`` all text that ``plans`` do not keep; return the malformed pages."""
    stripper, failed = Stripper(pdf), set[int]()
    # on pages read by OCR, the words that are drawn anew are painted over
    scanned: dict[int, tuple[Matrix, Sequence[Box]]] = {}
    for number, plan in plans.items():
        try:
            if reading := plan.content.reading:
                words = reading.find_ink(plan.drawing.texts)
                scanned[number] = plan.content.page.ctm, words
            else:
                stripper.strip(pdf.pages[number - 1], plan.keep)
        except MALFORMED:
            failed.add(number)
    repaint(pdf, data, scanned)
    return failed


def _format_page_ranges(numbers: Iterable[int]) -> str:
    """Format page numbers as ranges: ``3,7-9`` for 3, 7, 8, 9."""
    runs = []
    for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        members = [number for _, number in run]
        ends = [members[0], members[-1]] if len(members) > 1 else members
        runs.append("-".join(map(str, ends)))
    return ",".join(runs)


_KEYS = ("/Title", "/Subject", "/Keywords", "/Contents", "/Subj")


def refuse_remains(data: bytes, replaced: Iterable[str], given: Iterable[str]) -> None:
    """Raise ``DocumentError`` if a text beside the pages still has the words of the source.

    These are titles, subjects, keywords, bookmarks and notes, as far as pypdf can read the file.
    Texts in ``given`` may occur even if they are in ``replaced``.
    """
    gone = set(map(_keep_letters_and_digits, replaced)) - set(map(_keep_letters_and_digits, given))
    with suppress(*MALFORMED):
        for holder in _find_text_holders(PdfReader(io.BytesIO(data))):
            texts = [holder.get(key) for key in _KEYS]
            if any(
                isinstance(text, str) and _keep_letters_and_digits(text) in gone for text in texts
            ):
                raise DocumentError(DocumentFailure.UNREBUILDABLE)


def _keep_letters_and_digits(text: str) -> str:
    """Return the letters and digits of ``text``, which every reader extracts alike."""
    return "".join(filter(str.isalnum, text))


def _find_text_holders(reader: PdfReader) -> Iterator[DictionaryObject]:
    """Yield each object with a text beside the pages: document, bookmarks and annotations."""
    info = reader.trailer.get("/Info", NullObject()).get_object()
    if isinstance(info, DictionaryObject):
        yield info
    waiting, seen = [reader.root_object.get("/Outlines")], set[int]()
    while waiting and len(seen) < MAX_BOOKMARKS:
        reference = waiting.pop()
        item = reference.get_object() if reference is not None else None
        if isinstance(item, DictionaryObject) and id(item) not in seen:
            seen.add(id(item))
            yield item
            waiting += [item.get("/Next"), item.get("/First")]
    for page in reader.pages:
        for annotation in page.get("/Annots") or ():
            if isinstance(note := annotation.get_object(), DictionaryObject):
                yield note
