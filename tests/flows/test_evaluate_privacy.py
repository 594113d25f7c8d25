"""The flow ``evaluate-privacy`` under a real Prefect: slow."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.errors import ConfigurationError
from prism_core.evaluation.corpora import read_texts
from prism_core.evaluation.results import Results
from tests.flows.conftest import Archive
from tests.flows.search import files_with
from tests.shared_data import SHARED_DATA

pytestmark = pytest.mark.slow


def test_the_flow_measures_in_tasks_and_prefect_learns_names_alone(
    prefect_home: Path, archive: Archive, tmp_path: Path, monkeypatch
) -> None:
    from flows.evaluate_privacy import evaluate_privacy

    monkeypatch.delenv("PRISM_DICTIONARY__PATH")
    output = tmp_path / "out"
    evaluate_privacy(
        str(output), methods=["identifiers-only"], documents=1, repeats=1, data=str(SHARED_DATA)
    )
    assert {one.run.method for one in Results(output)} == {"plain", "empty", "identifiers-only"}
    assert (output / "index.html").exists()
    story = read_texts("mctest", SHARED_DATA, "en", "es").documents[0]
    for words in (story.lines[0][:30], story.questions[0].text[:25]):
        assert files_with(words, prefect_home) == []


def test_an_error_of_the_flow_is_one_of_ours(prefect_home: Path, tmp_path: Path) -> None:
    from flows.evaluate_privacy import evaluate_privacy

    with pytest.raises(ConfigurationError, match="There is no method"):
        evaluate_privacy(str(tmp_path / "out"), methods=["pup"])
