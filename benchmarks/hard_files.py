"""Files that are hostile, or as large as one may be: does the job end, in how long, with how much?

    python -m benchmarks.hard_files hostile [--json]
    python -m benchmarks.hard_files large [NAME ...] [--json]

``hostile``: those that the tests of formats craft, and copies of each format's sample that chance
has damaged, in one job. Rows of outcomes, then what files have no row of the report, or several.
``large``: each file of up to 100 MB in a job of its own: seconds, on a busy machine the processor's
too, and the memory of all processes.
"""

from __future__ import annotations

import base64
import os
import random
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path

import docx
import xlsxwriter
from PIL import Image
from reportlab.lib.pagesizes import A4
from reportlab.pdfgen.canvas import Canvas

from benchmarks.corpus import run
from benchmarks.documents.job import lost_files, read_rows
from benchmarks.measure import argument_parser, show
from tests.formats.damage import mutated, mutated_member
from tests.formats.hostile_files import CRAFTED
from tests.formats.hostile_texts import TEXTS
from tests.formats.samples import SAMPLES

_DAMAGED = 20
"""Copies of each sample."""
_WORDS = (
    "the garden house river letter winter is was has green old large and of in a road teacher "
    "paper small window answers begins writes opens carries over under with quiet"
).split()
_NOBODY = "http://localhost"


def main() -> None:
    """Make the files, run the job, print the rows."""
    parser = argument_parser(__doc__)
    parser.add_argument("kind", choices=("hostile", "large"))
    parser.add_argument("names", nargs="*", help=f"of the large ones: {', '.join(LARGE)}")
    parser.add_argument("--translator", default="apertium")
    parser.add_argument("--workers", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    if arguments.kind == "hostile":
        rows = hostile(arguments.translator, arguments.workers)
    else:
        rows = [large(n, arguments.translator, arguments.workers) for n in arguments.names or LARGE]
    show(rows, as_json=arguments.json)


def hostile(translator: str, workers: int) -> list[Mapping[str, object]]:
    """Rows of one job over all hostile files."""
    with tempfile.TemporaryDirectory() as place:
        folder, output = Path(place, "in"), Path(place, "out")
        folder.mkdir()
        for make in (_make_crafted, _make_damaged):
            make(folder)
        usage = run(folder, output, translator, workers)
        rows = read_rows(folder, output)
        counted = Counter((row.outcome, row.failure) for row in rows)
        found = Counter(finding.check for finding in lost_files(folder, rows))
        return [
            *(
                {"outcome": outcome, "failure": failure, "count": count}
                for (outcome, failure), count in sorted(counted.items())
            ),
            {
                "files": sum(path.is_file() for path in folder.rglob("*")),
                "rows": len(rows),
                **found,
                "seconds": usage.seconds,
                "peak_mb": usage.peak_mb,
                "exit_code": usage.code,
                "tracebacks": usage.errors.count("Traceback"),
            },
        ]


def _make_crafted(folder: Path) -> None:
    """``name: what is wrong`` becomes a file of that type."""
    for number, (name, make) in enumerate({**CRAFTED, **TEXTS}.items()):
        kind = name.partition(":")[0] if ":" in name else "txt"
        make(folder / f"crafted-{number}.{kind}", _NOBODY)


def _make_damaged(folder: Path) -> None:
    """Copies of each sample: damaged as they lie there, and packages in one of their members."""
    for kind, make in SAMPLES.items():
        make(whole := folder / f"whole.{kind}")
        for number in range(_DAMAGED):
            copy = folder / f"damaged-{number}.{kind}"
            copy.write_bytes(whole.read_bytes())
            if number % 2 and zipfile.is_zipfile(copy):
                mutated_member(copy, number)
            else:
                copy.write_bytes(mutated(whole.read_bytes(), number))


def large(name: str, translator: str, workers: int) -> Mapping[str, object]:
    """A row of the job over the one file that ``LARGE[name]`` makes."""
    with tempfile.TemporaryDirectory() as place:
        folder, output = Path(place, "in"), Path(place, "out")
        folder.mkdir()
        LARGE[name](path := folder / f"large.{name.partition('-')[0]}")
        usage = run(folder, output, translator, workers)
        row = next(iter(read_rows(folder, output)), None)
        return {
            "name": name,
            "mb": path.stat().st_size / 1e6,
            "outcome": row.outcome if row else "none",
            "failure": row.failure if row else "",
            "notices": " ".join(row.notices) if row else "",
            "seconds": usage.seconds,
            "cpu_seconds": usage.cpu_seconds,
            "peak_mb": usage.peak_mb,
            "largest_mb": usage.largest_mb,
            "exit_code": usage.code,
        }


def sentences(count: int, length: int = 12) -> Iterator[str]:
    """``count`` different sentences of ``length`` words, the same every time."""
    chance = random.Random(0)
    for number in range(count):
        words = " ".join(chance.choices(_WORDS, k=length - 1))
        yield f"{words.capitalize()} {number}."


def _sheet(count: int) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        with xlsxwriter.Workbook(path) as book:
            sheet = book.add_worksheet()
            for number, text in enumerate(sentences(count, 6)):
                sheet.write_string(number // 10, number % 10, text)

    return make


def _text(lines: Iterable[str], between: str = "\n") -> Callable[[Path], None]:
    def make(path: Path) -> None:
        with path.open("w", encoding="utf-8") as file:
            for line in lines:
                file.write(line + between)

    return make


def _word(path: Path) -> None:
    document = docx.Document()
    first = document.add_paragraph("@")._p
    for text in sentences(50_000):
        copy = document.element.body[0].__copy__()
        copy.r_lst[0].text = text
        first.addprevious(copy)
    document.save(path)


def _pages(count: int) -> Callable[[Path], None]:
    def make(path: Path) -> None:
        canvas, lines = Canvas(str(path), pagesize=A4), sentences(count * 30)
        for _ in range(count):
            for number in range(30):
                canvas.drawString(72, 780 - 20 * number, next(lines))
            canvas.showPage()
        canvas.save()

    return make


def _pictures(path: Path) -> None:
    canvas, chance = Canvas(str(path), pagesize=A4), random.Random(0)
    with tempfile.TemporaryDirectory() as place:
        for number, text in enumerate(sentences(19)):
            size = (1000, 1000)
            noise = Image.frombytes("RGB", size, chance.randbytes(3_000_000))
            noise.save(picture := Path(place, f"{number}.jpg"), quality=100, subsampling=0)
            canvas.drawString(72, 780, text)
            canvas.drawImage(str(picture), 72, 100, 450, 450)
            canvas.showPage()
        canvas.save()


def _mail(path: Path) -> None:
    data = base64.encodebytes(random.Random(0).randbytes(65_000_000)).decode("ascii")
    head = "From: a@b.example\nTo: c@d.example\nSubject: The garden\nMIME-Version: 1.0\n"
    path.write_text(
        f"{head}Content-Type: multipart/mixed; boundary=x\n\n--x\nContent-Type: text/plain\n\n"
        "The garden is green again.\n--x\nContent-Type: application/octet-stream\n"
        f"Content-Transfer-Encoding: base64\nContent-Disposition: attachment; filename=a.bin\n\n"
        f"{data}\n--x--\n"
    )


def _nested_zip(path: Path) -> None:
    """A Word file that embeds one that embeds one ..., with all they hold ever again."""
    SAMPLES["docx"](path)
    for _ in range(40):
        inner = path.read_bytes()
        SAMPLES["docx"](path)
        with zipfile.ZipFile(path, "a") as package:
            package.writestr("word/embeddings/inner.docx", inner)


LARGE: Mapping[str, Callable[[Path], None]] = {
    "xlsx-100,000 strings": _sheet(100_000),
    "xlsx-1,000,000 strings": _sheet(1_000_000),
    "txt-one sentence of 5 MB": _text(["the garden is green and "] * 210_000, ""),
    "txt-100 MB": _text(sentences(1_400_000)),
    "md-20 MB": _text(f"# Part\n\n- {a} **bold** [link](x)\n" for a in sentences(200_000)),
    "md-1.2 MB of brackets": _text(["# The house\n\n", "[" * 1_200_000]),
    "html-50 MB": _text(f"<p>{a}</p>" for a in sentences(600_000)),
    "html-depth": _text(["<html><body>", "<div>" * 1_000_000, "The garden", "</div>" * 1_000_000]),
    "pdf-2,000 pages": _pages(2000),
    "pdf-100 MB of pictures": _pictures,
    "docx-50,000 paragraphs": _word,
    "docx-40 deep": _nested_zip,
    "eml-90 MB attached": _mail,
}
"""What makes each, by its type and what is large about it."""


if __name__ == "__main__":
    main()
