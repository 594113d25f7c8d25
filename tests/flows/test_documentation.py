from __future__ import annotations

from pathlib import Path

from prism_core.errors import ExitCode

_DOCS = Path(__file__).parents[2] / "docs"


def test_every_exit_code_is_documented() -> None:
    text = (_DOCS / "command.md").read_text(encoding="utf-8")
    documented = [line.split("|")[1].strip() for line in text.splitlines() if line[:1] == "|"]
    assert {str(int(code)) for code in ExitCode} == {cell for cell in documented if cell.isdigit()}
