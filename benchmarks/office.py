"""Office files there and back: what readers miss, what writers change, whether pages agree.

    python -m benchmarks.office [FOLDER] [--json] [--render N]

Every Word file, workbook, presentation, OpenDocument and Rich Text below FOLDER is read in the
sandbox and written three times: with the texts as they are; with every letter replaced by one of
another script, so that a letter left behind is one that was missed; and from there with the
letters put back, which rewrites every paragraph. The first row counts the outcomes, the second
what was found, then a row for each file with a difference. ``--render N`` lays out the first N
files and what came back (``all`` for all of them) with LibreOffice and compares their pages.
"""

from __future__ import annotations

import argparse
import os
import re
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from benchmarks.measure import show
from benchmarks.packages import Walked, walk
from benchmarks.rendering import converted, pages
from prism_core.alignment import Match, Translation
from prism_core.errors import DocumentError
from prism_core.formats import detect, read_document, write_document
from prism_core.formats.base import Document
from prism_core.formats.sandbox import Sandbox

run = Sandbox().call

SHARED: Final = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
FORMATS: Final = ("docx", "odt", "pptx", "rtf", "xlsx")
COUNTED: Final = (
    *("texts changed", "letters missed", "words left", "paragraphs changed"),
    *("letters that look otherwise", "structure", "anchors"),
)
_AWAY: Final = 0x20000
"""Rare Chinese characters, a plane above the letters of all other scripts: no file has them."""
_WORD: Final = re.compile(r"[^\W\d_]{4,}")


def shifted(text: str) -> str:
    """``text`` with every letter replaced by one of a script that no document uses."""
    return "".join(chr(ord(c) + _AWAY) if _is_letter(c) else c for c in text)


def unshifted(text: str) -> str:
    """What ``shifted`` made ``text`` from."""
    return "".join(chr(ord(c) - _AWAY) if ord(c) >= _AWAY else c for c in text)


def word_by_word(source: str, translation: str) -> Translation:
    """``translation``, each word of which stands for the one in its place in ``source``."""
    words = [re.finditer(r"\w+", text) for text in (source, translation)]
    pairs = zip(*words, strict=True)
    matches = tuple(Match(one.span(), other.span()) for one, other in pairs)
    return Translation(translation, matches)


def _is_letter(character: str) -> bool:
    there = ord(character) + _AWAY
    return character.isalpha() and ord(character) < 0x10000 and chr(there).isalpha()


@dataclass
class Tried:
    """What became of one file. Counts of zero are as it should be."""

    name: str
    format: str = ""
    failure: str = ""
    copied: bool = True
    """Unchanged texts give the file byte for byte."""
    counts: Counter[str] = field(default_factory=Counter)
    kept: Counter[str] = field(default_factory=Counter)
    """Letters that stay for a reason, by the reason."""
    notices: tuple[str, ...] = ()
    pages: tuple[int | None, int | None] | None = None

    @property
    def differs(self) -> bool:
        """Whether anything is not as it was."""
        moved = self.pages is not None and self.pages[0] != self.pages[1]
        return bool(+self.counts) or not self.copied or moved


def main() -> None:
    """Try every file and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED / "documents")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--render", default="0", metavar="N")
    arguments = parser.parse_args()
    files = list(_office_files(arguments.folder))
    most = len(files) if arguments.render == "all" else int(arguments.render)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        tried = [try_file(path, work / f"{index}") for index, path in enumerate(files)]
        _lay_out(files, tried, work, most)
    show(list(rows(tried)), as_json=arguments.json)


def _office_files(folder: Path) -> Iterator[Path]:
    """Files that are of an office format by content, or by name where the content is damaged."""
    for path in sorted(path for path in folder.rglob("*") if path.is_file()):
        by_name = path.suffix.lower()[1:4] in ("doc", "dot", "odt", "ott", "ppt", "rtf", "xls")
        try:
            if by_name or run(detect, path) in FORMATS:
                yield path
        except DocumentError:
            continue


def try_file(path: Path, work: Path) -> Tried:
    """Read ``path`` and write it three times into the new folder ``work``; ``back`` stays there."""
    work.mkdir()
    result = Tried(path.name)
    try:
        result.format = run(detect, path)
        document = run(read_document, path)
        _write(document, str, work / "same")
        result.notices = _write(document, shifted, work / "away")
        away = run(read_document, work / "away")
        _write(away, unshifted, work / f"back{path.suffix}")
    except DocumentError as error:
        result.failure = error.failure.value
        return result
    result.copied = (work / "same").read_bytes() == path.read_bytes()
    wanted = [shifted(segment.text) for segment in document.segments]
    result.counts["texts changed"] = _unequal(wanted, [segment.text for segment in away.segments])
    if result.format != "rtf":
        counts, result.kept = compare(walk(path), walk(work / "away"))
        result.counts += counts
    for name in ("same", "away"):
        (work / name).unlink()
    return result


def _write(document: Document, change: Callable[[str], str], path: Path) -> tuple[str, ...]:
    texts = [segment.text for segment in document.segments]
    translations = [word_by_word(text, change(text)) for text in texts]
    return run(write_document, document, translations, path)


def compare(before: Walked, after: Walked) -> tuple[Counter[str], Counter[str]]:
    """What differs between a file and its copy in the other script, and letters that may stay.

    Both are counts, the second by the reason; nothing in the first is as it should be.
    """
    counts: Counter[str] = Counter()
    kept: Counter[str] = Counter()
    for text in after.texts:
        letters = sum(map(_is_letter, text.words))
        if text.reason:
            kept[text.reason] += letters
        else:
            counts["letters missed"] += letters
            counts["words left"] += len(_WORD.findall("".join(_known(text.words))))
    words = [tuple(map(unshifted, paragraph)) for paragraph in after.paragraphs]
    counts["paragraphs changed"] = _unequal(before.paragraphs, words)
    looks = zip(before.looks, after.looks, strict=False)
    counts["letters that look otherwise"] = sum(_unequal(a, b) for a, b in looks)
    counts["structure"] = _unequal(before.skeleton, after.skeleton)
    anchors = (before.anchors - after.anchors) + (after.anchors - before.anchors)
    counts["anchors"] = anchors.total()
    return counts, kept


def _known(text: str) -> Iterator[str]:
    """``text`` with a gap for every letter of the other script."""
    return (c if ord(c) < _AWAY else " " for c in text)


def _unequal(first: Sequence[object], second: Sequence[object]) -> int:
    """How many items differ, one by one."""
    different = sum(a != b for a, b in zip(first, second, strict=False))
    return different + abs(len(first) - len(second))


def _lay_out(files: list[Path], tried: list[Tried], work: Path, most: int) -> None:
    """Set the pages of the first ``most`` files that were written, before and after."""
    wanted = [index for index, one in enumerate(tried) if not one.failure][:most]
    before = converted([files[index] for index in wanted], work / "before")
    back = [work / str(index) / f"back{files[index].suffix}" for index in wanted]
    after = converted(back, work / "after")
    for index, first, second in zip(wanted, before, after, strict=True):
        tried[index].pages = (first and pages(first), second and pages(second))


def rows(tried: list[Tried]) -> Iterator[Mapping[str, object]]:
    """Outcomes, totals, and every file in which something differs."""
    yield dict(Counter(f"{one.format} {one.failure or 'written'}".strip() for one in tried))
    counts = Counter(dict.fromkeys(COUNTED, 0))
    kept: Counter[str] = Counter()
    for one in tried:
        counts.update(one.counts)
        kept.update(one.kept)
    yield {"files": len(tried), **counts, **{f"kept, {name}": n for name, n in kept.items()}}
    laid = [one.pages for one in tried if one.pages is not None and one.pages[0] is not None]
    yield {"laid out": len(laid), "same pages": sum(a == b for a, b in laid)}
    for one in tried:
        if one.differs:
            found = {name: count for name, count in one.counts.items() if count}
            yield {"file": one.name, **found, "copied": one.copied, "pages": one.pages}


if __name__ == "__main__":
    main()
