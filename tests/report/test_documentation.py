from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.report.rows import (
    SCHEMA_VERSION,
    DocumentRow,
    RequestRow,
    RunFacts,
    RunTotals,
    SentenceRow,
)
from prism_core.report.schema import schema_of

DOCUMENTATION = Path(__file__).parents[2] / "docs" / "report.md"


@pytest.mark.parametrize("row", [DocumentRow, SentenceRow, RequestRow, RunFacts, RunTotals])
def test_every_column_is_documented_in_the_words_of_its_schema(row: type) -> None:
    documented = DOCUMENTATION.read_text(encoding="utf-8")
    for column in schema_of(row):
        line = next(
            line for line in documented.splitlines() if line.startswith(f"| `{column.name}` |")
        )
        assert column.metadata[b"description"].decode() in documented
        assert ("may be null" in line) == column.nullable


def test_the_version_of_the_schema_is_the_documented_one() -> None:
    assert f"Schema version {SCHEMA_VERSION}" in DOCUMENTATION.read_text(encoding="utf-8")
