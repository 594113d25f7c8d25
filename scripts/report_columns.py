"""Write the tables of columns in the documentation of the report from its schema.

``python -m scripts.report_columns``; a column is described in ``prism_core.report.rows`` alone.
"""

from __future__ import annotations

import re
from pathlib import Path

from prism_core.report.canonical import type_name
from prism_core.report.schema import RUN_COLUMNS, TABLES, schema_of

DOCUMENTATION = Path(__file__).parents[1] / "docs"
HEAD = "| column | type | unit | meaning |\n| --- | --- | --- | --- |\n"
_TABLE = re.compile(re.escape(HEAD) + r"(?:\|.*\n)*")


def column_table(row_type: type) -> str:
    """The columns of a row as a Markdown table."""
    lines = []
    for column in schema_of(row_type):
        said = {key.decode(): value.decode() for key, value in column.metadata.items()}
        kind = type_name(column.type) + ", may be null" * column.nullable
        lines.append(
            f"| `{column.name}` | {kind} | {said.get('unit', '')} | {said['description']} |\n"
        )
    return HEAD + "".join(lines)


def documented_file() -> Path:
    """The page that has the tables."""
    (page,) = (page for page in DOCUMENTATION.glob("*.md") if HEAD in page.read_text("utf-8"))
    return page


def fill_in(text: str) -> str:
    """``text`` with each table of columns as the schema has it, in the order of the tables."""
    tables = iter([column_table(row_type) for row_type in (*TABLES.values(), *RUN_COLUMNS)])
    return _TABLE.sub(lambda _: next(tables), text)


if __name__ == "__main__":
    page = documented_file()
    page.write_text(fill_in(page.read_text("utf-8")), encoding="utf-8")
