"""XLIFF 1.2 (OmegaT, Trados, memoQ) and 2.1, written and read.

Source: OASIS, XLIFF Version 1.2 (2008) and 2.1 (2018). A unit is one sentence; the documents of the
archive are the ``file`` elements. The state of a unit says whether it needs review, and changes
when a person confirms it.

Entry: ``xliff_1``, ``xliff_2``; ``read_xliff`` for both.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from xml.sax.saxutils import escape, quoteattr

from prism_core.alignment import Span
from prism_core.review.inline_tags import TagReader, write_tagged_text
from prism_core.review.review_units import Correction, ReviewUnit
from prism_core.safe_xml import elements, local_name
from prism_core.translation_memory import Opener

_NAMESPACE_1 = "urn:oasis:names:tc:xliff:document:1.2"
_NAMESPACE_2 = "urn:oasis:names:tc:xliff:document:2.0"
_CONFIRMED = frozenset({"translated", "signed-off", "final", "reviewed"})
"""States that a person has set; no unit is exported with one of them."""


def xliff_1(units: Iterable[ReviewUnit], source: str, target: str) -> Iterator[bytes]:
    """Yield a file of XLIFF 1.2 with ``units``, sorted by document, piece by piece.

    The target of a unit without a translation is the text in the document: its source.
    """
    yield f'{_HEAD}<xliff version="1.2" xmlns="{_NAMESPACE_1}">\n'.encode()
    for document, group in groupby(units, key=lambda unit: unit.document):
        yield (
            f"<file original={quoteattr(document)} source-language={quoteattr(source)} "
            f'target-language={quoteattr(target)} datatype="plaintext"><body>\n'
        ).encode()
        for unit in group:
            state, text, marks = "needs-review-translation", unit.translation, unit.shown
            if not unit.translation:  # OmegaT before 4.3 shows nothing of an empty target
                state, text, marks = "needs-translation", unit.source, unit.looks
            yield (
                f'<trans-unit id="{unit.id}" approved="no" xml:space="preserve">'
                f"<source>{_tag_xliff_1(unit.source, unit.looks)}</source>"
                f'<target state="{state}">{_tag_xliff_1(text, marks)}</target>'
                f"<note>{escape(unit.note)}</note></trans-unit>\n"
            ).encode()
        yield b"</body></file>\n"
    yield b"</xliff>\n"


def xliff_2(units: Iterable[ReviewUnit], source: str, target: str) -> Iterator[bytes]:
    """Yield the same in XLIFF 2.1."""
    yield (
        f'{_HEAD}<xliff version="2.1" xmlns="{_NAMESPACE_2}" '
        f"srcLang={quoteattr(source)} trgLang={quoteattr(target)}>\n"
    ).encode()
    by_document = groupby(units, key=lambda unit: unit.document)
    for number, (document, group) in enumerate(by_document, 1):
        yield f'<file id="f{number}" original={quoteattr(document)}>\n'.encode()
        for unit in group:
            text = _tag_xliff_2(unit.translation, unit.shown)
            target_xml = f'<target xml:space="preserve">{text}</target>' if unit.translation else ""
            yield (
                f'<unit id="{unit.id}"><notes><note>{escape(unit.note)}</note></notes>'
                f'<segment state="initial"><source xml:space="preserve">'
                f"{_tag_xliff_2(unit.source, unit.looks)}</source>{target_xml}</segment></unit>\n"
            ).encode()
        yield b"</file>\n"
    yield b"</xliff>\n"


def _tag_xliff_1(text: str, marks: Sequence[Span | None]) -> str:
    def write(number: int, inner: str | None) -> str:
        if inner is None:
            return f'<x id="{number}"/>'
        return f'<g id="{number}">{escape(inner)}</g>' if number else escape(inner)

    return "".join(write_tagged_text(text, marks, write))


def _tag_xliff_2(text: str, marks: Sequence[Span | None]) -> str:
    def write(number: int, inner: str | None) -> str:
        if inner is None:
            return f'<ph id="{number}"/>'
        return f'<pc id="{number}" type="fmt">{escape(inner)}</pc>' if number else escape(inner)

    return "".join(write_tagged_text(text, marks, write))


def read_xliff(path: Path, opener: Opener | None = None) -> Iterator[Correction]:
    """Yield the units of a file of either version that have a translation.

    A target equal to its source is no translation, unless a person confirmed it. Raises
    ``ConfigurationError`` for a file that is no XML; one that is no XLIFF has no unit.
    """
    for unit in elements(path, ("trans-unit", "unit"), opener):
        holders = [inner for inner in unit if local_name(inner) == "segment"] or [unit]
        sides = {"source": TagReader(), "target": TagReader()}
        states = ["final"] if unit.get("approved") == "yes" else []
        for holder in holders:
            for side in holder:
                if local_name(side) in sides:
                    sides[local_name(side)].read(side)
                    states.append(side.get("state", ""))
            states.append(holder.get("state", ""))
        source, target = sides.values()
        approved = not _CONFIRMED.isdisjoint(states)
        if target.text.strip() and (approved or target.text != source.text):
            yield Correction(
                unit.get("id", ""),
                source.text,
                target.text,
                approved=approved,
                marks={} if source.broken else source.tags,
                given=target.tags,
                broken=target.broken,
            )


_HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
