"""Reader of the files of the user's own terms, CSV or TBX.

The terms are private like the archive: no message quotes one.

Entry: ``read_glossaries`` -> ``_read_csv`` or ``_read_tbx`` -> ``_find_fault`` of each row.
"""

from __future__ import annotations

import csv
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from io import StringIO
from pathlib import Path

from prism_core.dictionary.glossary import TAG_OF_KIND, Term
from prism_core.errors import ConfigurationError
from prism_core.languages import Language
from prism_core.safe_xml import elements, language, local_name

_HEADINGS = {
    **dict.fromkeys(("source", "term", "word"), "source"),
    **dict.fromkeys(("target", "translation"), "target"),
    **dict.fromkeys(("kind", "tag", "pos"), "kind"),
}
"""Column headings of a CSV file, besides the language codes."""
_MOST_REPORTED = 5
"""Rows that a message names at most."""
_WORD = re.compile(r"[^\W_]+")


def read_glossaries(paths: Iterable[Path], source: Language, target: str) -> list[Term]:
    """Return the terms of ``paths``, of which the last file counts; see ``_read_glossary``."""
    found = list[Term]()
    for path in paths:
        terms = _read_glossary(path, source, target)
        kinds = defaultdict[str, set[str]](set)
        for term in terms:
            kinds[term.source].add(term.kind)
        # a row without a kind is about every kind of the word
        found = [
            term
            for term in found
            if not kinds[term.source] & {term.kind, ""} and (term.kind or not kinds[term.source])
        ] + terms
    return found


def _read_glossary(path: Path, source: Language, target: str) -> list[Term]:
    """Return the terms of ``path``: TBX when it ends in ``.tbx`` or ``.xml``, else CSV.

    CSV is UTF-8, with commas, semicolons or tabs, and two columns, or a heading that names
    ``source``, ``target`` (or the languages) and perhaps ``kind``. Raises ``ConfigurationError``
    for a file that is neither, and for rows that cannot be used, with their numbers and the fix.
    """
    is_xml = path.suffix.lower() in (".tbx", ".xml")
    read = _read_tbx if is_xml else _read_csv
    terms = list(read(path, source.code, target))
    if not terms:
        raise ConfigurationError(f"{path} holds no terms from {source.code} to {target}.")
    faults, first = [], dict[tuple[str, str], Term]()
    for term in terms:
        reason = _find_fault(term, source)
        earlier = first.setdefault((term.source, term.kind), term)
        if not reason and earlier.targets[:1] != term.targets[:1]:
            reason = f"another translation than in row {earlier.row}; delete one of the two rows"
        if reason:
            faults.append(f"row {term.row}: {reason}")
    if faults:
        reported = faults[:_MOST_REPORTED]
        if more := len(faults) - len(reported):
            reported.append(f"and {more} more rows")
        raise ConfigurationError(
            f"The glossary {path} cannot be used as it is. {'; '.join(reported)}."
        )
    return list(first.values())


def _find_fault(term: Term, source: Language) -> str:
    """Return why ``term`` cannot be used and the fix; empty if it can. Quotes nothing of it."""
    words = _WORD.findall(term.source)
    checks = (
        (not term.source, "it has no source term; write one, or delete the row"),
        (not any(term.targets), "it has no translation; write one, or delete the row"),
        (
            not any(map(str.isalpha, term.source)),
            "the source term has no letter; numbers are put back as they are, delete the row",
        ),
        (len(term.source) == 1, "the source term is a single letter; write more of it"),
        (
            all(map(source.is_function_word, words)),
            "the source term is function words alone, which are never replaced; delete the row",
        ),
        (
            not all(any(map(str.isalnum, target)) for target in term.targets),
            "the translation has no letter; write one, or delete the row",
        ),
        (
            bool(term.kind) and term.kind not in source.frames.of_tags,
            "its kind is not known; write noun, verb, adjective or adverb, or leave it empty",
        ),
    )
    return next((reason for is_wrong, reason in checks if is_wrong), "")


def _read_csv(path: Path, source: str, target: str) -> Iterator[Term]:
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"{path} is not UTF-8 text; save it as CSV in UTF-8.") from None
    if "\0" in text:
        raise ConfigurationError(f"{path} is not a CSV file; save it as CSV in UTF-8.")
    begin = text.partition("\n")[0]
    delimiter = max(",;\t", key=begin.count)
    if delimiter not in begin:
        raise ConfigurationError(f"{path} has no two columns: a comma, semicolon or tab is needed.")
    rows = csv.reader(StringIO(text), delimiter=delimiter)
    headings = {source: "source", target: "target", **_HEADINGS}
    first = [cell.strip().lower() for cell in next(rows)]
    columns = [headings.get(cell, "") for cell in first]
    if not {"source", "target"}.issubset(columns):  # no heading
        columns = ["source", "target", "kind"][: max(2, len(first))]
        rows = csv.reader(StringIO(text), delimiter=delimiter)
    for row in rows:
        cells: dict[str, str] = {}
        for column, cell in zip(columns, row, strict=False):
            cells.setdefault(column, " ".join(cell.split()))
        if any(cell.strip() for cell in row):
            targets = tuple(filter(None, [cells.get("target")]))
            kind = cells.get("kind", "")
            tag = TAG_OF_KIND.get(kind.lower(), kind.upper())
            yield Term(rows.line_num, cells.get("source", ""), targets, tag)


def _read_tbx(path: Path, source: str, target: str) -> Iterator[Term]:
    for concept in elements(path, ("termEntry", "conceptEntry")):
        sides: dict[str, list[str]] = {}
        for section in concept:
            if local_name(section) in ("langSet", "langSec"):
                words = (inner for inner in section.iter() if local_name(inner) == "term")
                texts = (" ".join("".join(map(str, word.itertext())).split()) for word in words)
                sides.setdefault(language(section), []).extend(filter(None, texts))
        notes = (e for e in concept.iter() if local_name(e) in ("termNote", "partOfSpeech"))
        kinds = (
            (note.text or "").strip().lower()
            for note in notes
            if local_name(note) == "partOfSpeech" or note.get("type") == "partOfSpeech"
        )
        tag = TAG_OF_KIND.get(next(kinds, ""), "")
        row = int(str(concept.sourceline))
        targets = tuple(sides.get(target, ()))
        for word in sides.get(source, ()) if targets else ():
            yield Term(row, word, targets, tag)
