from __future__ import annotations

import base64
from pathlib import Path

import pytest

from tests.flows.search import files_with


@pytest.mark.parametrize("before", ["", "a", "ab", "abc"])
@pytest.mark.parametrize("after", ["", "x", "xy"])
def test_the_search_finds_a_word_in_each_form(tmp_path: Path, before: str, after: str) -> None:
    text = f"{before}Zorbanquist{after}"
    (tmp_path / "plain").write_text(text)
    (tmp_path / "wide").write_text(text, encoding="utf-16")
    (tmp_path / "base64").write_bytes(base64.b64encode(text.encode()))
    (tmp_path / "other").write_bytes(base64.b64encode(b"nothing of the kind here"))
    assert files_with("Zorbanquist", tmp_path) == ["base64", "plain", "wide"]
