"""Every format under texts that do not change: what is read, and what is written of it.

    python -m benchmarks.identity [FOLDER] [--json]

Each file below FOLDER is read in the sandbox, written with its own texts, and what was written is
read again. Rows of ``type, outcome, count``: the type is the folder a file is in, the outcome a
class of failure, ``copied`` (byte for byte), ``same`` (written anew, with the same words in order,
and in a PDF as many pages), or ``different``. No translator and no encoding takes part.
"""

from __future__ import annotations

import os
import tempfile
from collections import Counter
from pathlib import Path
from typing import Final

from benchmarks.measure import argument_parser, show
from benchmarks.rendering import pages
from prism_core.errors import DocumentError
from prism_core.formats import Translation, detect, read_document, write_document
from prism_core.formats.base import Document
from prism_core.formats.sandbox import Sandbox

run = Sandbox().call

SHARED: Final = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))


def main() -> None:
    """Try every file and print what became of it."""
    parser = argument_parser(__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED / "documents")
    arguments = parser.parse_args()
    found: Counter[tuple[str, str]] = Counter()
    for path in sorted(path for path in arguments.folder.rglob("*") if path.is_file()):
        kind = (
            path.relative_to(arguments.folder).parts[0] if path.parent != arguments.folder else ""
        )
        with tempfile.TemporaryDirectory() as folder:
            found[kind, outcome(path, Path(folder) / "written")] += 1
    show(
        [
            {"type": kind, "outcome": became, "count": count}
            for (kind, became), count in sorted(found.items())
        ],
        as_json=arguments.json,
    )


def outcome(path: Path, target: Path) -> str:
    """What became of ``path``, written at ``target``."""
    try:
        is_pdf = run(detect, path) == "pdf"
        document = run(read_document, path)
        run(
            write_document,
            document,
            [Translation(segment.text) for segment in document.segments],
            target,
        )
        if target.read_bytes() == path.read_bytes():
            return "copied"
        again = run(read_document, target)
    except DocumentError as error:
        return error.failure.value
    alike = _words(again) == _words(document) and (not is_pdf or pages(target) == pages(path))
    return "same" if alike else "different"


def _words(document: Document) -> list[str]:
    return [word for segment in document.segments for word in segment.text.split()]


if __name__ == "__main__":
    main()
