"""Real PDFs, read and written: what became of each, and whether a word of the source is left.

    python -m benchmarks.pdf [FOLDER] [--json] [--files]

Every PDF below FOLDER is read in the sandbox and written twice: with its own texts, and with a made
translation in which every word is another and about a fifth longer. Then pdfium, pypdf and a walk
through all objects look for words of the source (four letters or more) in the second, outside the
parts that a notice calls unchanged. ``--files`` adds a row for each file with a finding.
"""

from __future__ import annotations

import itertools
import os
import re
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks import pdf_words
from benchmarks.measure import argument_parser, show
from prism_core.errors import DocumentError
from prism_core.formats import Translation, read_document, write_document
from prism_core.formats.base import Document
from prism_core.formats.sandbox import Sandbox, SandboxLimits

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
run = Sandbox(SandboxLimits(seconds=120.0)).call
_WORD = re.compile(r"[^\W\d_]+")
_VOWELS, _CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxyz"
_PART_KEPT = re.compile(r"(page-unchanged|unreadable-pages|scan-pages):(.+)")
_NOTED = ("blocks-shrunk", "blocks-overflowing", "blocks-unchanged", "signs-lost")


@dataclass
class Finding:
    """What became of one file; words of the source are counted, never printed."""

    name: str
    outcome: str = "rebuilt"
    failure: str = ""
    pages: int = 0
    pages_unchanged: int = 0
    has_text: bool = False
    left: int = 0
    places: Counter[str] = field(default_factory=Counter)
    identity: bool = True
    same_counts: bool = True
    notices: tuple[str, ...] = ()


def main() -> None:
    """Measure every file and print the rows."""
    parser = argument_parser(__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED / "documents" / "pdf")
    parser.add_argument("--files", action="store_true", help="a row for each file with a finding")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    paths = sorted(arguments.folder.rglob("*.pdf"))
    with ThreadPoolExecutor(arguments.workers) as pool:
        findings = list(pool.map(measured, paths))
    rows = [*by_file(findings)] if arguments.files else []
    show([*rows, *by_class(findings), totals(findings)], as_json=arguments.json)


def measured(path: Path) -> Finding:
    """Read, write and check one file."""
    found = Finding(path.name)
    before = _surveyed(path, unpacked=False)
    found.has_text = bool(before["permitted"]) and any(before["pages"])
    found.pages = len(before["pages"])
    with tempfile.TemporaryDirectory() as folder:
        try:
            document = run(read_document, path)
            _check_identity(found, document, Path(folder) / "same.pdf")
            _check_translation(found, document, before, Path(folder) / "translated.pdf")
        except DocumentError as error:
            found.outcome, found.failure = "failed", error.failure.value
    return found


def made(text: str) -> str:
    """``text`` with every word another one, a fifth longer, in Latin letters and signs."""
    latin = "".join(char if char < "\u0250" or char.isalpha() else "-" for char in text)
    return _WORD.sub(lambda match: _made_word(match[0]), latin)


def _made_word(word: str) -> str:
    letters = [_made_letter(letter) for letter in word]
    extra = itertools.islice(itertools.cycle("on"), (len(word) + 2) // 5)
    return "".join((*letters, *extra))


def _made_letter(letter: str) -> str:
    small = letter.lower()
    for letters in (_VOWELS, _CONSONANTS):
        if small in letters:
            after = letters[(letters.index(small) + 1) % len(letters)]
            return after.upper() if letter != small else after
    return _CONSONANTS[ord(letter) % len(_CONSONANTS)]


def _check_identity(found: Finding, document: Document, path: Path) -> None:
    run(write_document, document, [Translation(s.text) for s in document.segments], path)
    try:
        before = run(pdf_words.texts_by_pdfium, document.path)
        found.identity = before == run(pdf_words.texts_by_pdfium, path)
    except DocumentError:
        found.identity = False


def _check_translation(
    found: Finding, document: Document, before: Mapping[str, Any], path: Path
) -> None:
    texts = [made(segment.text) for segment in document.segments]
    told = run(write_document, document, [*map(Translation, texts)], path)
    found.notices = (*document.notices, *told)
    after = _surveyed(path, unpacked=True)
    found.same_counts = (
        len(before["pages"]) == len(after["pages"]) and before["images"] <= after["images"]
    )
    given = {word for text in texts for word in pdf_words.words(text)}
    source = _all_words(before["pages"], before["places"]) - given
    source -= _allowed(found, before, after)
    for number, page in enumerate(after["pages"], start=1):
        left = source & set(page)
        found.places["page"] += len(left)
        source -= left
        if left and number > 0:
            found.left += len(left)
    for place, held in after["places"].items():
        left = source & set(held)
        found.places[place] += len(left)
        found.left += len(left)


def _allowed(found: Finding, before: Mapping[str, Any], after: Mapping[str, Any]) -> set[str]:
    """The words of pages that a notice says are unchanged, and that are."""
    told = [match for notice in found.notices if (match := _PART_KEPT.fullmatch(notice))]
    numbers = [_numbers(match[2]) for match in told if match[1] == "page-unchanged"]
    unchanged = {number for group in numbers for number in group}
    found.pages_unchanged = len(unchanged)
    if any(match[1] != "page-unchanged" for match in told):
        pairs = zip(before["pages"], after["pages"], strict=False)
        unchanged |= {n for n, (old, new) in enumerate(pairs, start=1) if old == new}
    return {word for number in unchanged for word in before["pages"][number - 1]}


def _numbers(ranges: str) -> list[int]:
    found: list[int] = []
    for part in ranges.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last or first) + 1)
    return found


def _all_words(pages: Sequence[Sequence[str]], places: Mapping[str, Sequence[str]]) -> set[str]:
    return {word for group in (*pages, *places.values()) for word in group}


def _surveyed(path: Path, unpacked: bool) -> dict[str, Any]:
    try:
        return run(pdf_words.survey, path, unpacked)
    except DocumentError:
        return {"pages": [], "places": {}, "permitted": False, "images": 0, "attached": 0}


def by_file(findings: Sequence[Finding]) -> list[dict[str, object]]:
    """A row for each file that is not in order."""
    return [
        {
            "file": one.name,
            "outcome": one.outcome,
            "failure": one.failure,
            "text": one.has_text,
            "pages_unchanged": one.pages_unchanged,
            "words_left": one.left,
            "places": " ".join(f"{k}={v}" for k, v in one.places.items() if v),
            "identity": one.identity,
            "same_counts": one.same_counts,
            "notices": " ".join(one.notices),
        }
        for one in findings
        if one.failure
        or one.left
        or one.pages_unchanged
        or one.notices
        or not (one.identity and one.same_counts)
    ]


def by_class(findings: Sequence[Finding]) -> list[dict[str, object]]:
    """Counts by outcome, failure class, and whether there is text that may be taken out."""
    counts = Counter((one.outcome, one.failure, one.has_text) for one in findings)
    return [
        {"outcome": outcome, "failure": failure, "text_and_permission": text, "files": count}
        for (outcome, failure, text), count in sorted(counts.items())
    ]


def totals(findings: Sequence[Finding]) -> dict[str, object]:
    """The figures that the goals are about."""
    texts = [one for one in findings if one.has_text]
    rebuilt = [one for one in findings if one.outcome == "rebuilt"]
    whole = [one for one in texts if one.outcome == "rebuilt" and not one.pages_unchanged]
    return {
        "files": len(findings),
        "with_text_and_permission": len(texts),
        "rebuilt": sum(one.outcome == "rebuilt" for one in texts),
        "rebuilt_on_every_page": len(whole),
        "share_rebuilt": sum(one.outcome == "rebuilt" for one in texts) / max(len(texts), 1),
        "pages": sum(one.pages for one in rebuilt),
        "pages_unchanged": sum(one.pages_unchanged for one in rebuilt),
        "files_with_source_words": sum(one.left > 0 for one in rebuilt),
        "identity_differs": sum(not one.identity for one in rebuilt),
        "page_or_image_count_differs": sum(not one.same_counts for one in rebuilt),
        **{name: _noted(rebuilt, name) for name in _NOTED},
    }


def _noted(findings: Sequence[Finding], name: str) -> int:
    notices = [notice for one in findings for notice in one.notices]
    return sum(int(n.partition(":")[2]) for n in notices if n.startswith(f"{name}:"))


if __name__ == "__main__":
    main()
