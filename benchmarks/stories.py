"""Public text that benchmarks read: the stories of MC160, and the names of public news."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from prism_core.evaluation import read_mctest

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
PUBLIC_TEXT = ("wmt08", "wmt09", "wmt10", "wmt11", "wmt12")


def story_paragraphs(parts: Iterable[str]) -> list[str]:
    """The paragraphs of all stories in ``parts`` of MC160 (``train``, ``dev``, ``test``)."""
    folder = SHARED / "mctest"
    found = [read_mctest(folder / f"mc160.{one}.tsv", folder / f"mc160.{one}.ans") for one in parts]
    return [p for stories in found for story in stories for p in story.paragraphs]
