"""What was parsed of a PDF waits for its writer, sealed; large documents have more time."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from prism_core.formats import Sandbox, SandboxLimits
from prism_core.jobs import LOCAL_STAGES, translate
from prism_core.stages import Run, StageResult
from prism_core.state import Chunk
from tests.formats.pdf_samples import drawn_pdf, lines, read_back, words
from tests.stages.archive import Backwards, backwards, install, make_job

TEXT = "The old doctor opened the heavy window."


@pytest.mark.parametrize("damage", [None, b"", b"short", bytes(4_000)])
def test_a_pdf_is_written_from_what_was_sealed_or_without_it(tmp_path: Path, damage) -> None:
    install(Backwards(tmp_path / "log"))
    (tmp_path / "in").mkdir()
    drawn_pdf(tmp_path / "in" / "letter.pdf", lines(TEXT))
    seen = []

    def write(run: Run, chunk: Chunk) -> StageResult:
        for kept in (run.job.output / ".prism-partial").glob("parsed-*"):
            seen.append(kept.read_bytes())
            if damage is not None:
                kept.write_bytes(damage)
        return LOCAL_STAGES.write(run, chunk)

    job = make_job(tmp_path)
    translate(job, replace(LOCAL_STAGES, write=write))
    assert words(read_back(job.output / "letter.pdf")[0]) == words(backwards(TEXT))
    (sealed,) = seen
    assert b"doctor" not in sealed
    assert b"PdfContent" not in sealed
    assert not (job.output / ".prism-partial").exists()


def test_a_large_document_has_as_many_times_more_time_as_it_is_larger() -> None:
    sandbox = Sandbox(SandboxLimits(seconds=1))
    seconds = [
        sandbox.with_time_for_size(size).limits.seconds for size in (0, 20_000_000, 1_000_000_000)
    ]
    assert seconds == [1, 1, 50]
