"""How formatting comes through a translation: looks of words kept, gone astray, given up.

    python -m benchmarks.formatting [FOLDER] [--json] [--limit 40] [--segments 400]

Rows of ``format, documents, lines, marked, kept, kept_unaligned, strayed, strayed_unaligned,
simplified, simplified_unaligned``, by Apertium from English to Spanish with the encoding in use.
Every document is written twice with the same translations: as decoding gives them, aligned to their
source, and as plain text.

* ``lines`` are those (paragraphs, cells, or lines of them) with more than one look.
* ``marked`` are words in them of which decoding knows what they stand for, and whose look is not
  the usual one of their line: ``kept`` is the share that has its look in the translation.
* ``strayed`` is the share of words of the usual look that have another one now.
* ``simplified`` counts changes of formatting that were given up, as the report does. In HTML and
  Markdown none is given up without an alignment: a look takes the words that stand in its place.

At most ``--limit`` documents of each format, and of no more than ``--segments`` segments, are
written; documents that cannot be read are left out, and so are PDFs, which have one look a block.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import accumulate
from pathlib import Path
from random import SystemRandom
from types import ModuleType

from benchmarks.dictionary import translated
from benchmarks.measure import show
from prism_core.alignment import Translation
from prism_core.decoding import align
from prism_core.encoding import load_encoder
from prism_core.errors import DocumentError
from prism_core.formats import detect, read_document, write_document
from prism_core.formats import text as paragraphs
from prism_core.formats.base import Document, Segment
from prism_core.formats.text import Group, Placed, TextRun, nested, place_words
from prism_core.formats.text.cut import distribute
from prism_core.formats.text.model import Placement
from prism_core.formats.text.nested import Node
from prism_core.formats.xlsx import cells, sheets
from prism_core.identifiers import DenyList
from prism_core.language import LanguageModel
from prism_core.settings import load_settings
from prism_core.stages.segmentation import join_segment, lay_out

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
PLACERS: tuple[ModuleType, ...] = (paragraphs, nested, cells, sheets)
"""Where the formats place words among looks."""
NOTICE = "formatting-simplified:"


@dataclass(frozen=True)
class Line:
    """A line that was placed; ``shared_out`` says that without an alignment all looks stay."""

    groups: tuple[Group[TextRun], ...]
    translation: Translation
    movable: bool
    shared_out: bool


@dataclass
class Tally:
    """The figures of one format; pairs are with and without the alignment."""

    documents: int = 0
    lines: int = 0
    marked: int = 0
    usual: int = 0
    kept: list[int] = field(default_factory=lambda: [0, 0])
    strayed: list[int] = field(default_factory=lambda: [0, 0])
    simplified: list[int] = field(default_factory=lambda: [0, 0])

    def row(self, name: str) -> dict[str, object]:
        """The figures as they are printed."""
        marked, usual = max(self.marked, 1), max(self.usual, 1)
        return {
            "format": name,
            "documents": self.documents,
            "lines": self.lines,
            "marked": self.marked,
            "kept": self.kept[0] / marked,
            "kept_unaligned": self.kept[1] / marked,
            "strayed": self.strayed[0] / usual,
            "strayed_unaligned": self.strayed[1] / usual,
            "simplified": self.simplified[0],
            "simplified_unaligned": self.simplified[1],
        }

    def add(self, line: Line) -> None:
        """Count how the words of ``line`` fare."""
        looks = Counter[str]()
        for group in line.groups:
            looks[group.look] += len(group.text.strip())
        usual = looks.most_common(1)[0][0]
        self.lines += 1
        ways = [look_of(placement) for placement in placements(line)]
        ends = list(accumulate(len(group.text) for group in line.groups))
        for (start, end), (first, last) in line.translation.matches:
            if start == end or first == last or start >= ends[-1]:
                continue
            look = next(g.look for g, e in zip(line.groups, ends, strict=True) if start < e)
            self.marked += look != usual
            self.usual += look == usual
            for number, shown in enumerate(ways):
                self.kept[number] += look != usual and shown[first] == look
                self.strayed[number] += look == usual and shown[first] != look


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED / "documents")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--limit", type=int, default=40)
    parser.add_argument("--segments", type=int, default=400)
    arguments = parser.parse_args()
    bench = Bench()
    tallies: dict[str, Tally] = {}
    for document in documents(arguments.folder, arguments.limit, arguments.segments):
        try:
            bench.measure(document, tallies.setdefault(document.format, Tally()))
        except DocumentError:
            continue
    show([tally.row(name) for name, tally in sorted(tallies.items())], as_json=arguments.json)


def documents(folder: Path, limit: int, segments: int) -> Iterator[Document]:
    """The documents of ``folder`` that are to be written."""
    taken = Counter[str]()
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        try:
            if detect(path) in ("pdf", "txt") or taken[detect(path)] >= limit:
                continue
            document = read_document(path)
        except DocumentError:
            continue
        if len(document.segments) <= segments:
            taken[document.format] += 1
            yield document


class Bench:
    """The path of a sentence from a document to its translation, without a store."""

    def __init__(self) -> None:
        self._model = LanguageModel.load("en", lemmas=False)
        self._encoder = load_encoder(load_settings())
        self._rng = SystemRandom()

    def measure(self, document: Document, tally: Tally) -> None:
        """Write ``document`` twice and add to ``tally``."""
        translations = self.translations(document.segments)
        with tempfile.TemporaryDirectory() as folder:
            target = Path(folder) / "written"
            with recorded() as lines:
                aligned = write_document(document, translations, target)
            plain = write_document(document, [Translation(t.text) for t in translations], target)
        tally.documents += 1
        for line in lines:
            tally.add(line)
        for number, notices in enumerate((aligned, plain)):
            tally.simplified[number] += sum(
                int(n.removeprefix(NOTICE)) for n in notices if n.startswith(NOTICE)
            )

    def translations(self, segments: Sequence[Segment]) -> list[Translation]:
        """What the stages make of ``segments``; what is withheld stays in its language."""
        layout, sentences = lay_out(segments, self._model)
        deny_list = DenyList()
        for sentence in sentences.values():
            for form in self._encoder.identifiers(sentence):
                deny_list.add(form)
        asked = {
            row_id: self._encoder.encode(sentence, deny_list, self._rng)
            for row_id, sentence in sentences.items()
            if self._encoder.needs_translator(sentence, deny_list)
        }
        sent = {row_id: encoded for row_id, encoded in asked.items() if not encoded.withheld}
        answers = asyncio.run(translated([encoded.text for encoded in sent.values()]))
        texts: dict[str, tuple[str, Translation | None]] = {
            row_id: (sentence.text, None) for row_id, sentence in sentences.items()
        }
        for (row_id, encoded), answer in zip(sent.items(), answers, strict=True):
            decoded = self._encoder.decode(encoded, answer)
            if not decoded.unrestored:
                source = sentences[row_id].text
                matches = align(source, encoded, decoded)
                texts[row_id] = (source, Translation(decoded.text, matches))
        return [join_segment(segment, texts)[1] for segment in layout]


@contextmanager
def recorded() -> Iterator[list[Line]]:
    """The lines with several looks that are placed while it is open."""
    lines: list[Line] = []

    def placing(
        groups: Sequence[Group[TextRun]], translation: Translation, *, movable: bool
    ) -> Placement[TextRun]:
        worded = [group for group in groups if any(map(str.isalnum, group.text))]
        if len({group.look for group in worded}) > 1 and translation.is_aligned:
            nested = isinstance(groups[0].runs[0], Node)
            lines.append(Line(tuple(groups), translation, movable, nested))
        return place_words(groups, translation, movable=movable)

    for module in PLACERS:
        vars(module)["place_words"] = placing
    try:
        yield lines
    finally:
        for module in PLACERS:
            vars(module)["place_words"] = place_words


def placements(line: Line) -> tuple[Placement[TextRun], Placement[TextRun]]:
    """How the words of ``line`` are placed with and without the alignment."""
    plain = Translation(line.translation.text)
    aligned = place_words(line.groups, line.translation, movable=line.movable)
    if line.shared_out:
        slices = distribute([group.text for group in line.groups], plain.text)
        return aligned, (list(map(Placed, line.groups, slices)), 0)
    return aligned, place_words(line.groups, plain, movable=line.movable)


def look_of(placement: Placement[TextRun]) -> Mapping[int, str]:
    """The look of every character of the translation, by its place."""
    parts: list[tuple[str, str]] = []
    for placed in placement[0]:
        parts += [(text, like.look) for text, like in placed.ahead]
        parts.append((placed.text, placed.group.look))
        parts += [(text, like.look) for text, like in placed.behind]
    return dict(enumerate(look for text, look in parts for _ in text))


if __name__ == "__main__":
    main()
