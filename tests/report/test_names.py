from __future__ import annotations

import stat
from pathlib import Path

import pytest

from prism_core.errors import OutputError
from prism_core.report.names import read_name_index, write_name_index

NAMES = {"d1": "contracts/2024, final.docx", "d2": 'a "quoted"\nname.txt', "d3": "caf\udce9.txt"}


def test_names_come_back_whatever_they_contain(tmp_path: Path) -> None:
    file = tmp_path / ".prism" / "names.csv"
    write_name_index(file, NAMES.items())
    assert read_name_index(file) == NAMES


def test_only_the_owner_can_read_the_names(tmp_path: Path) -> None:
    file = tmp_path / "names.csv"
    file.write_text("")
    file.chmod(0o644)
    write_name_index(file, NAMES.items())
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_missing_index_is_empty(tmp_path: Path) -> None:
    assert read_name_index(tmp_path / "names.csv") == {}


def test_a_disk_that_refuses_is_an_output_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError):
        write_name_index(tmp_path / "file" / "names.csv", NAMES.items())
