"""What is known of the translators before a document is opened."""

from __future__ import annotations

from pathlib import Path

import pytest

from prism_core.settings import TranslatorSettings
from prism_core.stages import Run, ingest
from prism_core.translators.adapters.fake import FakeSettings
from tests.adapters import put_in_place_for_a_test
from tests.stages.archive import Backwards, make_job, write_archive


def test_a_translator_is_made_once_to_be_checked_and_to_have_its_pace_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made: list[str] = []

    def make(settings: FakeSettings, _source: str, _target: str) -> Backwards:
        made.append(settings.style)
        return Backwards(tmp_path / "received.jsonl")

    put_in_place_for_a_test(monkeypatch, "fake", make)
    write_archive(tmp_path / "in")
    first, second = (
        TranslatorSettings.choose(name="fake", style=style, shared_pace=tmp_path / "pace.db")
        for style in ("mark", "reverse")
    )
    job = make_job(tmp_path, translator=first, other_translators=[second])
    with Run.open(job) as run:
        run.store.runs.begin(job.run_id)
        assert ingest(run).documents == 3
    assert made == ["mark", "reverse"]
    assert (tmp_path / "pace.db").exists()
