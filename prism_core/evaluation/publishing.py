"""From the results of a folder to everything a person reads: tables, figures, one page."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from prism_core.errors import ConfigurationError, OutputError
from prism_core.evaluation.attack_rows import read_attacks
from prism_core.evaluation.figures import draw_all
from prism_core.evaluation.lineup import METHODS
from prism_core.evaluation.page import as_html, as_markdown
from prism_core.evaluation.results import Result, Results
from prism_core.evaluation.summary import Summary, summaries
from prism_core.evaluation.tables import as_json


@dataclass(frozen=True)
class Published:
    """What was made of the results of a folder, and the files that were written."""

    summaries: tuple[Summary, ...]
    files: tuple[Path, ...]


def summaries_of(results: Sequence[Result]) -> list[Summary]:
    """Summaries with the methods in the order of the line-up."""
    return summaries(results, list(METHODS))


def publish(folder: Path, target: Path | None = None, *, draw: bool = True) -> Published:
    """Draw and write all that the results in ``folder`` give, into ``target`` or the same folder.

    The same results give the same bytes. Without ``draw`` the tables alone are written. Raises
    ``ConfigurationError`` when there are no results, ``OutputError`` when it cannot be written.
    """
    target = target or folder
    found = summaries_of(list(Results(folder)))
    if not found:
        raise ConfigurationError(
            f"{folder} holds no results of this version of PRISM: make some with prism evaluate "
            f"--out {folder}."
        )
    try:
        target.mkdir(parents=True, exist_ok=True)
        pictures = draw_all(found, read_attacks(folder), target) if draw else []
        texts = {
            "results.md": as_markdown(found, pictures),
            "index.html": as_html(found, pictures),
            "summary.json": json.dumps([as_json(one) for one in found], indent=1) + "\n",
        }
        for name, text in texts.items():
            (target / name).write_text(text, "utf-8")
    except OSError as error:
        raise OutputError(f"{target} cannot be written: {error.strerror}.") from None
    return Published(tuple(found), (*pictures, *(target / name for name in texts)))
