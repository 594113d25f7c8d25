"""How many decoys a document gets: a whole number whose mean is the rate."""

from __future__ import annotations

import secrets
import sys
from pathlib import Path
from random import SystemRandom

import pytest

from prism_core.settings.sections import MixingSettings
from prism_core.stages import Run, encode, ingest, read
from tests.stages.archive import NOUNS, make_job, write_archive

DOCUMENTS = {f"{noun}.txt": f"The old doctor opened the {noun}.\n" for noun in NOUNS[:4]}


class Fixed(SystemRandom):
    """Draws a given number in [0, 1), and all else by chance."""

    drawn = 0.0

    def random(self) -> float:
        return self.drawn

    def getrandbits(self, k: int, /) -> int:
        return secrets.randbits(k)


@pytest.mark.parametrize(
    ("rate", "drawn", "decoys"),
    [(0.5, 0.49, 1), (0.5, 0.51, 0), (1.5, 0.49, 2), (1.5, 0.51, 1), (2.0, 0.0, 2), (2.0, 0.99, 2)],
)
def test_a_part_of_a_decoy_is_one_by_chance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rate: float, drawn: float, decoys: int
) -> None:
    monkeypatch.setattr(Fixed, "drawn", drawn)
    monkeypatch.setattr(sys.modules["prism_core.stages.encode"], "SystemRandom", Fixed)
    lines = [f"The small {noun} carried the {other}." for noun in NOUNS[:4] for other in NOUNS[4:8]]
    (tmp_path / "decoys.txt").write_text("\n".join(lines) + "\n")
    write_archive(tmp_path / "in", DOCUMENTS)
    mixing = MixingSettings(decoy_rate=rate, decoys_file=tmp_path / "decoys.txt")
    with Run.open(make_job(tmp_path, mixing=mixing)) as run:
        run.store.runs.begin(run.job.run_id)
        ingest(run)
        for chunk in [*run.unread_chunks()]:
            read(run, chunk)
            encode(run, chunk)
            encode(run, chunk)  # as a run does that goes on: those that are there count
        assert run.store.decoys.count(run.job.run_id) == decoys * len(DOCUMENTS)
