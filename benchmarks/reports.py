"""How long a report of many rows takes to write and to verify, and how much memory.

Invented sentences in documents of forty; each number of rows in a process of its own, whose peak
memory is that of the report and of the libraries. ``python -m benchmarks.reports --json``
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from benchmarks.measure import argument_parser, show
from prism_core.report.chain import Signer
from prism_core.report.rows import IdentifierRow, Row, SentenceRow
from prism_core.report.verifying import verify_report
from prism_core.report.writing import write_tables
from tests.report.sample_rows import FACTS, RUN, TRANSLATED

SENTENCES_OF_A_DOCUMENT = 40
_KEY = Signer(bytes(32))


def rows(sentences: int) -> Iterator[Row]:
    """So many sentences, the documents that they are in, and two classes of identifiers each."""
    for document in range(-(-sentences // SENTENCES_OF_A_DOCUMENT)):
        name = f"{document:032x}"
        first = document * SENTENCES_OF_A_DOCUMENT
        of_document = range(first, min(first + SENTENCES_OF_A_DOCUMENT, sentences))
        yield replace(TRANSLATED, document_id=name, sentences=len(of_document))
        for kind in ("name", "date"):
            yield IdentifierRow(
                run_id=RUN,
                document_id=name,
                identifier_class=kind,
                detected=document % 7 + 1,
                replaced=document % 7 + 1,
                remaining=0,
            )
        for number in of_document:
            yield _sentence(name, number)


def _sentence(document: str, number: int) -> SentenceRow:
    tokens = number % 23 + 4
    return SentenceRow(
        run_id=RUN,
        document_id=document,
        sentence_id=f"{number * 2654435761 % 2**61:032x}",
        ordinal=number % SENTENCES_OF_A_DOCUMENT,
        source="en",
        segment_kind="paragraph",
        outcome="translated",
        reason="",
        from_memory=0,
        reviewed=0,
        unsure=0,
        tokens=tokens,
        tokens_replaced=tokens // 3,
        tokens_identifier=number % 3,
        tokens_unknown=0,
        tokens_kept=tokens // 2,
        kept_marks=tokens // 8,
        kept_grammar=tokens // 2 - tokens // 8,
        kept_words=0,
        pool_smallest=number % 900 + 20,
        sends=1,
        words_to_restore=tokens // 3,
        words_restored=tokens // 3,
        words_form=tokens // 3,
        words_order=0,
        words_alignment=0,
        words_near=0,
        words_joined=0,
        words_pair=0,
        words_association=0,
        words_elimination=0,
        words_untranslated=0,
        by_local_model=0,
        epsilon=float("inf"),
    )


def measure(sentences: int) -> dict[str, object]:
    """Write and verify one report in this process; making the rows is part of the writing."""
    with tempfile.TemporaryDirectory() as folder:
        start, cpu = time.perf_counter(), time.process_time()
        written = write_tables(Path(folder), FACTS, rows(sentences), signer=_KEY)
        middle = time.perf_counter()
        verdict = verify_report(Path(folder), [_KEY], written.link)
        end, cpu = time.perf_counter(), time.process_time() - cpu
        size = sum(file.stat().st_size for file in written.folder.iterdir())
    if verdict.findings or written.summary.totals.sentences_distinct != sentences:
        raise SystemExit("the report that was just written does not verify")
    return {
        "sentences": sentences,
        "rows": verdict.rows,
        "write_seconds": round(middle - start, 2),
        "verify_seconds": round(end - middle, 2),
        "total_seconds": round(end - start, 2),
        "cpu_seconds": round(cpu, 2),
        "peak_mb": round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024),
        "file_mb": round(size / 1e6, 1),
    }


def _measured_apart(sentences: int) -> Mapping[str, object]:
    command = [sys.executable, "-m", "benchmarks.reports", "--inner", str(sentences)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, object] = json.loads(done.stdout)
    return result


def main() -> None:
    """Measure each number of sentences and print it."""
    parser = argument_parser(__doc__)
    parser.add_argument("--sentences", type=int, nargs="+", default=[100_000, 1_000_000])
    parser.add_argument("--inner", type=int, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.inner is not None:
        print(json.dumps(measure(arguments.inner)))
        return
    show([_measured_apart(number) for number in arguments.sentences], as_json=arguments.json)


if __name__ == "__main__":
    main()
