"""Write the tables of columns in the documentation of the report from its schema.

``python -m scripts.report_columns``; ``prism_core/report/columns.toml`` alone describes a column.
"""

from __future__ import annotations

import re
from pathlib import Path

from prism_core.report.chain import type_name
from prism_core.report.parquet_schema import RUN_COLUMNS, TABLES, make_schema

DOCUMENTATION = Path(__file__).parents[1] / "docs"
PAGES = ("report_columns.md", "report_run.md")
"""In the order of the tables of the schema."""
HEAD = "| column | type | unit | meaning |\n| --- | --- | --- | --- |\n"
_TABLE = re.compile(re.escape(HEAD) + r"(?:\|.*\n)*")


def column_table(row_type: type) -> str:
    """The columns of a row as a Markdown table."""
    lines = []
    for column in make_schema(row_type):
        said = {key.decode(): value.decode() for key, value in column.metadata.items()}
        kind = type_name(column.type) + ", may be null" * column.nullable
        lines.append(
            f"| `{column.name}` | {kind} | {said.get('unit', '')} | {said['description']} |\n"
        )
    return HEAD + "".join(lines)


def filled_pages() -> dict[Path, str]:
    """Each page that has tables of columns, with these as the schema has them."""
    tables = iter([column_table(row_type) for row_type in (*TABLES.values(), *RUN_COLUMNS)])
    return {
        page: _TABLE.sub(lambda _: next(tables), page.read_text(encoding="utf-8"))
        for page in (DOCUMENTATION / name for name in PAGES)
    }


if __name__ == "__main__":
    for page, text in filled_pages().items():
        page.write_text(text, encoding="utf-8")
