"""The user's own lists, as they are read."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.errors import ConfigurationError
from prism_core.identifiers.lists import read_terms


def test_terms_stand_one_a_line_and_remarks_are_none(tmp_path: Path) -> None:
    file = tmp_path / "names.txt"
    file.write_text("\ufeff# clients\n Müller AG \n\nSmith\n", encoding="utf-8")
    assert read_terms(file) == ["Müller AG", "Smith"]


@pytest.mark.parametrize("content", ["", "\n\n", "# names\n", "---\n...\n"])
def test_a_list_without_a_term_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "names.txt"
    file.write_text(content, encoding="utf-8")
    with pytest.raises(ConfigurationError, match="contains no term"):
        read_terms(file)
