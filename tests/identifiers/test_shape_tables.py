"""Tables of ``data/identifiers``: what a file adds, and what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.identifiers import shape_tables
from prism_core.identifiers.base import Strength
from prism_core.identifiers.detectors import states
from prism_core.languages import load_language

TABLE = r"""
sign = "resident"
addresses = ['{NUMBER} (?P<name>[A-Z][a-z]+) Lane']

[parts]
NUMBER = '\d{1,4}'

[[rows]]
label = "NATIONAL_ID"
pattern = ['\d{3}/\d{6}', 'ID\d{4}']

[[rows]]
label = "ACCOUNT"
pattern = '\d{16}'
check = "luhn"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for module in (shape_tables, states):
        monkeypatch.setattr(module, "SHIPPED_IDENTIFIERS", tmp_path)
    return tmp_path


def test_a_state_is_added_by_a_file(folder: Path) -> None:
    (folder / "en.toml").write_text(TABLE)
    detector = states.StateDetector(load_language("en"))
    text = "123/456789 and ID1234, 4111111111111111 or 4111111111111112, at 12 Baker Lane"
    assert detector.may_find(text)
    found = {text[match.start : match.end]: match for match in detector.find(text)}
    assert found.keys() == {"123/456789", "ID1234", "4111111111111111", "12 Baker Lane"}
    assert found["ID1234"].strength is Strength.NAMED
    assert found["4111111111111111"].strength is Strength.CHECKED
    parts = [text[part.start : part.end] for part in found["12 Baker Lane"].parts]
    assert parts == ["12", "Baker"]


def test_a_state_without_a_file_has_no_numbers(folder: Path) -> None:
    assert not states.StateDetector(load_language("en")).may_find("123/456789")


def test_a_misspelt_field_is_refused(folder: Path) -> None:
    (folder / "en.toml").write_text(TABLE.replace("check =", "chek ="))
    with pytest.raises(ValueError, match=r"en\.toml: rows have no field chek"):
        states.StateDetector(load_language("en"))
