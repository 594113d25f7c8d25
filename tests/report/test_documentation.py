from __future__ import annotations

import hashlib
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

from prism_core.report.chain import column_types
from prism_core.report.parquet_schema import RUN_COLUMNS, TABLES, make_schema
from prism_core.report.reading import read_rows
from prism_core.report.rows import SCHEMA_VERSION
from prism_core.report.totals import SUMMED, SUMMED_WHERE_KNOWN
from prism_core.report.writing import write_tables
from scripts.report_columns import HEAD, filled_pages
from tests.report.sample_rows import DOCUMENTS, FACTS, IDENTIFIERS, REQUESTS, RUN, SENTENCES

DOCUMENTATION = Path(__file__).parents[2] / "docs"
COLUMNS = "".join(
    (DOCUMENTATION / page).read_text(encoding="utf-8")
    for page in ("report_columns.md", "report_run.md")
)
VERIFICATION = (DOCUMENTATION / "report_verification.md").read_text(encoding="utf-8")


def test_the_tables_of_columns_are_those_of_the_schema() -> None:
    """``make report-columns`` writes them: a column is described in one place."""
    pages = filled_pages()
    assert sum(text.count(HEAD) for text in pages.values()) == len(TABLES) + len(RUN_COLUMNS)
    for page, filled in pages.items():
        assert page.read_text(encoding="utf-8") == filled


def test_what_a_run_sums_follows_from_the_columns_that_it_shares_with_its_documents() -> None:
    """So a count is added in its two rows and where it is counted, and summed without a word."""
    assert SUMMED[0] == "sentences"
    assert len(SUMMED) == 33
    assert SUMMED_WHERE_KNOWN == (
        "identifiers_detected",
        "identifiers_replaced",
        "identifiers_remaining",
    )


def test_the_version_of_the_schema_is_the_documented_one() -> None:
    assert f"Schema version {SCHEMA_VERSION}" in COLUMNS


def test_a_report_with_other_columns_has_another_version() -> None:
    """When this fails, raise ``SCHEMA_VERSION`` and write down both: else an older report counts
    as altered."""
    every = [column_types(make_schema(row)) for row in (*TABLES.values(), *RUN_COLUMNS)]
    digest = hashlib.sha256(repr(every).encode()).hexdigest()[:16]
    assert (SCHEMA_VERSION, digest) == ("10", "8ace144a83ccb07a")


def test_the_hashes_can_be_made_again_by_the_documented_lines_alone(tmp_path: Path) -> None:
    code = re.search(r"```python\n(import hashlib.*?)```", VERIFICATION, re.S)
    assert code is not None
    documented: dict[str, Any] = {}
    exec(code[1], documented)  # noqa: S102 - our own documentation
    last_hash = documented["last_hash"]
    write_tables(tmp_path, replace(FACTS, run_id="run-before"), DOCUMENTS)
    written = write_tables(tmp_path, FACTS, DOCUMENTS, SENTENCES, IDENTIFIERS, REQUESTS)
    (run,) = read_rows(written.folder / "run.parquet")
    for table in TABLES:
        made = last_hash(written.folder, table, SCHEMA_VERSION, RUN, "row_hash")
        assert made == run[f"{table}_chain_head"]
    previous = run["previous_head"]
    made = last_hash(written.folder, "run", SCHEMA_VERSION, RUN, "run_head", previous)
    assert made == run["run_head"]
