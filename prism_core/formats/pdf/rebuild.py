"""Puts translations in the place of the source: plans each page, checks it, and falls back.

A page is first tried with only the changed paragraphs taken out. If another library still finds
source text on it, all its text is taken out and drawn again. If that fails too, the page stays as
it was, in the source language, and a notice names it. A document in which a second library still
reads a title, bookmark or note in its source's words is not written. The witnesses are pdfium, for
the pages, and pypdf, for what stands beside them; neither wrote the file.

entry: `rebuild_pdf`; then `_first_plans` -> `_build` (strip, check, draw, check, overlay) -> other
plans for the pages that failed, until none does.
"""

from __future__ import annotations

import io
import math
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import groupby

import pikepdf
from pypdf import PdfReader
from pypdf.generic import DictionaryObject, NullObject, PdfObject

from prism_core.errors import DocumentError, DocumentFailure
from prism_core.formats.pdf.blocks import PdfBlock
from prism_core.formats.pdf.content import PageContent, PdfContent
from prism_core.formats.pdf.drawing import DrawnPage, PageText, can_draw, draw_pages
from prism_core.formats.pdf.libraries import MALFORMED, pdfium_document
from prism_core.formats.pdf.properties import MAX_BOOKMARKS, properties_of
from prism_core.formats.pdf.scan_pictures import Repainting, repaint
from prism_core.formats.pdf.strip import Stripper, overlay_page, remove_stale_parts
from prism_core.formats.pdf.triage import save_to_bytes


@dataclass(frozen=True, slots=True)
class _Plan:
    """What happens to one page: ``keep`` are the operators that go on showing their text."""

    content: PageContent
    drawing: PageText
    keep: frozenset[int]

    @property
    def kept_text(self) -> str:
        return "".join(text for show, text in self.content.shown.items() if show in self.keep)

    @property
    def lost_glyphs(self) -> int:
        """Signs that cannot be drawn again because their font does not say what they are."""
        return sum(
            text.count("\ufffd")
            for show, text in self.content.shown.items()
            if show not in self.keep
        )


@dataclass(slots=True)
class _Outcome:
    """A rebuilt document, and the pages whose check failed."""

    data: bytes
    pages: list[DrawnPage]
    failed: set[int] = field(default_factory=set)


def rebuild_pdf(content: PdfContent, texts: Sequence[str]) -> tuple[bytes, tuple[str, ...]]:
    """The document with ``texts`` for its segments, and notices of what could not be done."""
    blocks = content.blocks
    new = {block: block.text for page in content.pages if page for block in page.blocks}
    new.update(zip(blocks, texts, strict=False))
    properties = texts[len(blocks) :]
    plans, unchanged = _first_plans(content, new)
    for draws_all in (True, False):  # each page that failed: all of it anew, then as it was
        outcome = _build(content, plans, properties)
        if not outcome.failed:
            break
        for number in outcome.failed:
            page = plans[number].content
            plan = _plan(page, new, page.blocks, frozenset()) if draws_all else None
            if plan is None:
                del plans[number]
                unchanged.add(number)
            else:
                plans[number] = plan
    else:
        outcome = _build(content, plans, properties)
        if outcome.failed:
            raise DocumentError(DocumentFailure.UNREBUILDABLE)
    return outcome.data, tuple(_notices(plans, outcome, unchanged, new))


def _first_plans(
    content: PdfContent, new: Mapping[PdfBlock, str]
) -> tuple[dict[int, _Plan], set[int]]:
    """Plans by page number, and the pages with changed text that no plan can draw."""
    plans, unchanged = {}, set()
    for page in content.pages:
        if page is None or all(new[block] == block.text for block in page.blocks):
            continue
        plan = _plan_changed_blocks(page, new)
        if plan is None:
            unchanged.add(page.page.number)
        else:
            plans[page.page.number] = plan
    return plans, unchanged


def _plan_changed_blocks(page: PageContent, new: Mapping[PdfBlock, str]) -> _Plan | None:
    """Take out what changes, and what was drawn by the same operators."""
    changed = [b for b in page.blocks if new[b] != b.text and can_draw(b, new[b])]
    removed = frozenset().union(*(block.shows for block in changed))
    while True:
        drawing = [block for block in page.blocks if block.shows & removed]
        wider = removed.union(*(block.shows for block in drawing))
        # with an operator goes what begins where it ends, and what it begins after
        cut = {page.chains[show] for show in wider if show in page.chains}
        wider |= {show for show, chain in page.chains.items() if chain in cut}
        if wider == removed:
            break
        removed = wider
    return _plan(page, new, drawing, frozenset(page.shown) - removed) if drawing else None


def _plan(
    page: PageContent,
    new: Mapping[PdfBlock, str],
    drawing: Sequence[PdfBlock],
    keep: frozenset[int],
) -> _Plan | None:
    if not all(can_draw(block, new[block]) for block in drawing):
        return None
    redrawn = set(drawing)
    return _Plan(
        content=page,
        drawing=PageText(
            page=page.page,
            blocks=tuple(drawing),
            texts=tuple(new[block] for block in drawing),
            kept=tuple(block for block in page.blocks if block not in redrawn),
        ),
        keep=keep,
    )


def _build(content: PdfContent, plans: Mapping[int, _Plan], properties: Sequence[str]) -> _Outcome:
    with pikepdf.open(io.BytesIO(content.data)) as pdf:
        failed = _strip_pages(
            pdf, {n: plan for n, plan in plans.items() if not plan.content.reading}
        )
        repaintings = {  # of pages that OCR has read: where the words stand that are drawn anew
            number: Repainting(plan.content.page.ctm, reading.ink_of(plan.drawing.blocks))
            for number, plan in plans.items()
            if (reading := plan.content.reading)
        }
        repaint(pdf, content.data, repaintings)
        failed |= _still_showing(save_to_bytes(pdf), plans)
        drawing, pages = draw_pages([plan.drawing for plan in plans.values()])
        failed |= _badly_drawn(drawing, plans, pages)
        if not failed:
            if plans:
                with pikepdf.open(io.BytesIO(drawing)) as drawings:
                    for (number, plan), page in zip(plans.items(), drawings.pages, strict=False):
                        overlay_page(pdf, pdf.pages[number - 1], page, plan.content.page.ctm)
            pairs = zip(properties_of(pdf), properties, strict=True)
            retold = [(item, text) for item, text in pairs if text != item.text]
            for item, text in retold:
                item.replace(text)
            remove_stale_parts(pdf, changed=bool(plans), retold=bool(retold))
            data = save_to_bytes(pdf)
            if retold:
                refuse_remains(data, {item.text for item, _ in retold}, properties)
            return _Outcome(data, pages)
        return _Outcome(save_to_bytes(pdf), pages, failed)


def _strip_pages(pdf: pikepdf.Pdf, plans: Mapping[int, _Plan]) -> set[int]:
    stripper, failed = Stripper(pdf), set()
    for number, plan in plans.items():
        try:
            stripper.strip(pdf.pages[number - 1], plan.keep)
        except MALFORMED:
            failed.add(number)
    return failed


def _still_showing(data: bytes, plans: Mapping[int, _Plan]) -> set[int]:
    """Pages on which text is found that should have been taken out."""
    failed = set()
    for number, text in enumerate(_page_texts(data), start=1):
        if number in plans:
            kept = plans[number].kept_text
            unknown = kept.count("\ufffd") + len(kept) // 50
            if surplus(text, kept) > unknown:
                failed.add(number)
    return failed


def _badly_drawn(data: bytes, plans: Mapping[int, _Plan], pages: Sequence[DrawnPage]) -> set[int]:
    """Pages on which the words drawn are not the words given."""
    failed = set()
    for plan, page, text in zip(plans.values(), pages, _page_texts(data), strict=True):
        given = " ".join(plan.drawing.texts).split()
        if page.words != given or not shows_lines(text, page.lines):
            failed.add(page.number)
    return failed


def _notices(
    plans: Mapping[int, _Plan],
    outcome: _Outcome,
    unchanged: Collection[int],
    new: Mapping[PdfBlock, str],
) -> Iterable[str]:
    fitted = [each for page in outcome.pages for each in page.fitted]
    lost = sum(plan.lost_glyphs for plan in plans.values())
    undrawable = sum(
        new[block] != block.text for plan in plans.values() for block in plan.drawing.kept
    )
    for name, count in (
        ("blocks-shrunk", sum(not math.isclose(each.scale, 1.0) for each in fitted)),
        ("blocks-overflowing", sum(each.overflows for each in fitted)),
        ("blocks-unchanged", undrawable),
        ("signs-lost", lost),
    ):
        if count:
            yield f"{name}:{count}"
    if unchanged:
        yield f"page-unchanged:{_page_ranges(unchanged)}"


def _page_ranges(numbers: Iterable[int]) -> str:
    """``3,7-9`` for 3, 7, 8, 9."""
    runs = []
    for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        members = [number for _, number in run]
        ends = [members[0], members[-1]] if len(members) > 1 else members
        runs.append("-".join(map(str, ends)))
    return ",".join(runs)


_UNSTABLE = re.compile("[\\s\\-\u2010\u00ad\u0000-\u001f\ufffe\uffff]")
"""White space and hyphens: pdfium adds and drops them at the ends of lines."""
_KEYS = ("/Title", "/Subject", "/Keywords", "/Contents", "/Subj")


def _page_texts(data: bytes) -> Iterator[str]:
    """The text of each page, in the order pdfium gives it; of none for a document without pages.

    Raises ``pypdfium2.PdfiumError``.
    """
    if not data:
        return
    with pdfium_document(data) as document:
        for page in document:
            words = page.get_textpage()
            yield words.get_text_range()
            words.close()
            page.close()


def characters(text: str) -> Counter[str]:
    """How often each character occurs, without those that do not survive extraction."""
    return Counter(_UNSTABLE.sub("", text))


def shows_lines(found: str, lines: Sequence[str]) -> bool:
    """Whether ``found`` holds the characters of ``lines`` and no others, in any order.

    pdfium leaves out a line that repeats the one above it, so a repeated line may be missing.
    """
    read = characters(found)
    return characters("".join(set(lines))) <= read <= characters("".join(lines))


def surplus(found: str, allowed: str) -> int:
    """How many characters of ``found`` are beyond those of ``allowed``."""
    return (characters(found) - characters(allowed)).total()


def refuse_remains(data: bytes, replaced: Iterable[str], given: Iterable[str]) -> None:
    """Raise ``DocumentError`` when a title, subject, keywords, a bookmark or a note still says what
    was ``replaced``, as far as pypdf can read the file; what is ``given`` may be said."""
    gone = set(map(_bare, replaced)) - set(map(_bare, given))
    with suppress(*MALFORMED):
        for holder in _holders(PdfReader(io.BytesIO(data))):
            texts = (
                [holder.get(key) for key in _KEYS] if isinstance(holder, DictionaryObject) else ()
            )
            if any(isinstance(text, str) and _bare(text) in gone for text in texts):
                raise DocumentError(DocumentFailure.UNREBUILDABLE)


def _bare(text: str) -> str:
    """The letters and digits of ``text``, which is what any reader makes of it."""
    return "".join(filter(str.isalnum, text))


def _holders(reader: PdfReader) -> Iterator[PdfObject | None]:
    """What holds a text beside the pages: the document, its bookmarks, and annotations."""
    yield reader.trailer.get("/Info", NullObject()).get_object()
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
            yield annotation.get_object()
