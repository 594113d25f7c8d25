"""See the package."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import benchmarks.documents as package
from benchmarks.documents import lines, office, pdf
from benchmarks.documents.findings import Finding, summed
from benchmarks.documents.job import Translated, lost_files, read_rows, translate_folder
from benchmarks.documents.sheet import draw_sheets
from benchmarks.measure import show
from benchmarks.processes import Usage
from benchmarks.rendering import converted

CHECKS: Mapping[str, Callable[[Translated], Iterable[Finding]]] = {
    "pdf": pdf.check,
    **dict.fromkeys(("eml", "mbox", "msg", "html", "htm", "md", "txt", "ics"), lines.check),
}
"""What is looked for, by the format that the report names or the suffix says; and see `office`."""
SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))


def main() -> None:
    """Run the job, check each file, print the rows."""
    parser = argparse.ArgumentParser(description=package.__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED / "documents")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--files", action="store_true", help="a row for each finding")
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--sheet", type=Path)
    parser.add_argument("--pages", action="store_true", help="lay office files out, too")
    parser.add_argument("--translator", default="apertium")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        output = arguments.keep or Path(temporary) / "out"
        usage = translate_folder(arguments.folder, output, arguments.translator, arguments.workers)
        rows = read_rows(arguments.folder, output)
        made = _convert(rows, Path(temporary), arguments.pages)
        with ThreadPoolExecutor(arguments.workers) as pool:
            findings = [one for found in pool.map(partial(_check, made), rows) for one in found]
        findings += lost_files(arguments.folder, rows)
        if arguments.sheet:
            draw_sheets(arguments.sheet, rows, findings)
    said = [vars(one) for one in findings if one.count] if arguments.files else []
    show([*said, *outcomes(rows), *summed(findings), totals(rows, usage)], as_json=arguments.json)


def _convert(rows: Iterable[Translated], folder: Path, pages: bool) -> office.Conversions:
    """What LibreOffice is to convert, all that becomes the same at once."""
    wanted: dict[str, list[Path]] = {}
    for row in filter(_is_office, rows):
        for path, form in office.conversions(row, pages):
            wanted.setdefault(form, []).append(path)
    return {
        (path, form): one
        for form, paths in wanted.items()
        for path, one in zip(paths, converted(paths, folder / form, form), strict=True)
    }


def _is_office(row: Translated) -> bool:
    return (row.format or row.source.suffix.lower()[1:]) in (*office.FORMATS, *office.SUFFIXES)


def _check(made: office.Conversions, row: Translated) -> list[Finding]:
    if _is_office(row):
        return list(office.check(row, made))
    check = CHECKS.get(row.format or row.source.suffix.lower()[1:])
    return list(check(row)) if check else []


def outcomes(rows: Iterable[Translated]) -> list[Mapping[str, object]]:
    """How many documents of each format had which outcome."""
    counted = Counter((row.format, row.outcome, row.failure) for row in rows)
    names = ("format", "outcome", "failure")
    return [
        dict(zip(names, key, strict=True)) | {"count": count}
        for key, count in sorted(counted.items())
    ]


def totals(rows: list[Translated], usage: Usage | None) -> Mapping[str, object]:
    """Of the run: without ``usage`` it was made earlier."""
    if usage is None:
        return {"documents": len(rows)}
    return {
        "documents": len(rows),
        "seconds": usage.seconds,
        "cpu_seconds": usage.cpu_seconds,
        "peak_mb": usage.peak_mb,
        "exit_code": usage.code,
        "tracebacks": usage.errors.count("Traceback"),
    }


if __name__ == "__main__":
    main()
