"""Publishing of a folder's results: figures, a page, and a page for each corpus's long tables.

Entry: ``publish`` takes ``summaries`` of the results, draws, and writes ``write_markdown``,
``write_settings`` of each, and the tables as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from prism_core.errors import OutputError
from prism_core.evaluation.figures import draw_all, file_name
from prism_core.evaluation.findings import read_attacks
from prism_core.evaluation.methods import METHODS
from prism_core.evaluation.results import Results
from prism_core.evaluation.summary import CorpusSummary, summaries
from prism_core.evaluation.tables import (
    comparing_tables,
    markdown,
    setting_tables,
    summary_as_json,
)
from prism_core.files import make_file, make_folder


def publish(folder: Path, target: Path | None = None, *, draw: bool = True) -> list[Path]:
    """Draw and write all that the results in ``folder`` give, into ``target`` or the same folder.

    Returns the files that were written. The same results give the same bytes. Without ``draw`` the
    tables alone are written. Raises ``ConfigurationError`` when there are no results,
    ``OutputError`` when it cannot be written.
    """
    target = target or folder
    found = summaries(Results.required(folder), list(METHODS))
    try:
        make_folder(target)
        pictures = draw_all(found, read_attacks(folder), target) if draw else []
        texts = {
            "results.md": write_markdown(found, pictures),
            **{_settings_page(summary): write_settings(summary) for summary in found},
            "summary.json": json.dumps([summary_as_json(summary) for summary in found], indent=1)
            + "\n",
        }
        for name, text in texts.items():
            make_file(target / name)
            (target / name).write_text(text, "utf-8")
    except OSError as error:
        raise OutputError(f"{target} cannot be written: {error.strerror}.") from None
    return [*pictures, *(target / name for name in texts)]


def write_markdown(summaries: Sequence[CorpusSummary], pictures: Sequence[Path] = ()) -> str:
    """Provenance, figures and comparing tables of every summary; the others have their own page."""
    parts = [
        "# What was measured\n",
        "Written by `prism evaluate figures`; how to read it: [evaluation](../evaluation.md).\n",
    ]
    for summary in summaries:
        own = [path for path in pictures if path.stem.startswith(f"{file_name(summary)}-")]
        parts += [
            f"## {summary.corpus}\n",
            *(f"* {line}" for line in summary.provenance()),
            "",
            *(f"![{picture.stem.replace('-', ' ')}]({picture.name})\n" for picture in own),
            *map(markdown, comparing_tables(summary)),
            f"[Every setting, and errors by class]({_settings_page(summary)})\n",
        ]
    parts += [f"![Attacks]({path.name})\n" for path in pictures if path.stem == "attacks"]
    return "\n".join(parts) + "\n"


def write_settings(summary: CorpusSummary) -> str:
    """Write the tables of a summary with a row for each setting."""
    head = f"# {summary.corpus}: setting by setting"
    where = "Over what, and compared: [results](results.md)."
    return "\n\n".join((head, where, *map(markdown, setting_tables(summary))))


def _settings_page(summary: CorpusSummary) -> str:
    return f"{file_name(summary)}-settings.md"
