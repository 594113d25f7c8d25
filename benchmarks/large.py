"""Large inputs: is time linear in their size, and memory bounded?

    python -m benchmarks.large KIND [--sizes N N N] [--set KEY=VALUE ...] [--json]

Runs the ``prism`` command (translator ``fake``, one worker) over one input of each size and prints
``kind, size, seconds, cpu_seconds, cpu_per_unit, peak_mb, largest_mb, exit_code, sentences``. What
start-up takes, a run over one document, is taken out of ``cpu_per_unit``. KIND is one of

* ``pdf``: a document of N pages, 12 lines of news each (of one thousand different);
* ``mailbox``: N megabytes of mails, each with a picture of 200 KB that a program made;
* ``workbook``: a sheet with N strings, of which one thousand are different;
* ``files``: N files of one line.

``--set`` gives settings of the run, as in the environment: ``PRISM_LIMITS__MEMORY_MB=4000``.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from email.message import EmailMessage
from itertools import cycle, islice
from pathlib import Path
from random import Random

from benchmarks.measure import argument_parser, show
from benchmarks.scale import Setting, run
from benchmarks.scale_archive import LINES, WRITERS, shared_lines, write_archive

_SETTING = Setting("local", 1, "fake", LINES)
_LINES_OF_A_PAGE = 12
_DIFFERENT = 1000
_PICTURE = 200_000
_FOLDER_FILES = 1000


def main() -> None:
    """Measure each size."""
    parser = argument_parser(__doc__)
    parser.add_argument("kind", choices=sorted(MAKERS))
    parser.add_argument("--sizes", type=int, nargs="+", required=True)
    parser.add_argument("--set", nargs="*", default=[], metavar="KEY=VALUE")
    asked = parser.parse_args()
    os.environ |= dict(one.split("=", 1) for one in asked.set)
    rows: list[Mapping[str, object]] = []
    with tempfile.TemporaryDirectory(prefix="prism-large-") as folder:
        place = Path(folder)
        one, _ = run(place, write_archive(place / "one", 1, kinds=("text",)), _SETTING)
        for size in asked.sizes:
            rows.append(measured(place, asked.kind, size, one.cpu_seconds))
            if not asked.json:
                show(rows[-1:], as_json=False)
    if asked.json:
        show(rows, as_json=True)


def measured(place: Path, kind: str, size: int, start: float) -> Mapping[str, object]:
    """The row of one size; the input is deleted when it was measured."""
    with tempfile.TemporaryDirectory(dir=place) as folder:
        MAKERS[kind](Path(folder), size)
        usage, sentences = run(place, Path(folder), _SETTING)
    return {
        "kind": kind,
        "size": size,
        "sentences": sentences,
        "seconds": usage.seconds,
        "cpu_seconds": usage.cpu_seconds,
        "cpu_per_unit": (usage.cpu_seconds - start) / size,
        "peak_mb": usage.peak_mb,
        "largest_mb": usage.largest_mb,
        "exit_code": usage.code,
    }


def lines_of(count: int) -> Iterator[str]:
    """``count`` lines of which one thousand are different: what is measured is documents."""
    return islice(cycle(shared_lines()[:_DIFFERENT]), count)


def _pdf(folder: Path, pages: int) -> None:
    WRITERS["pdf"](folder / "large", list(lines_of(pages * _LINES_OF_A_PAGE)))


def _mailbox(folder: Path, megabytes: int) -> None:
    random, lines = Random(20), lines_of(10**9)
    path, most = folder / "large.mbox", megabytes * 1_000_000
    with path.open("wb") as file:
        while file.tell() < most:
            message = EmailMessage()
            message["From"], message["To"] = "writer@example.org", "reader@example.org"
            message["Subject"], message["Date"] = next(lines), "Mon, 02 Mar 2026 09:00:00 +0000"
            message.set_content("\n\n".join(islice(lines, 4)))
            picture = b"\x89PNG\r\n\x1a\n" + random.randbytes(_PICTURE)
            message.add_attachment(picture, maintype="image", subtype="png", filename="p.png")
            file.write(b"From writer@example.org Mon Mar  2 09:00:00 2026\n")
            file.write(message.as_bytes() + b"\n")


def _workbook(folder: Path, strings: int) -> None:
    from openpyxl import Workbook  # a library of the tests

    book = Workbook(write_only=True)
    sheet = book.create_sheet("large")
    lines = lines_of(strings)
    while row := list(islice(lines, 10)):
        sheet.append(row)
    book.save(folder / "large.xlsx")


def _files(folder: Path, count: int) -> None:
    for number, line in enumerate(lines_of(count)):
        place = folder / f"{number // _FOLDER_FILES:03}"
        place.mkdir(exist_ok=True)
        (place / f"{number:06}.txt").write_text(f"{line} {number}\n", encoding="utf-8")


MAKERS: Mapping[str, Callable[[Path, int], None]] = {
    "pdf": _pdf,
    "mailbox": _mailbox,
    "workbook": _workbook,
    "files": _files,
}


if __name__ == "__main__":
    main()
