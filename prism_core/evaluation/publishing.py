"""Publishing of a folder's results: tables, figures, one page.

The page is HTML that needs nothing else; the same is written as Markdown, with a page for the long
tables of each corpus.

Entry: ``publish`` takes ``summaries`` of the results, draws, and writes ``write_markdown``,
``write_settings`` of each, ``write_html`` and the tables as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from pathlib import Path

from prism_core.errors import ConfigurationError, OutputError
from prism_core.evaluation.figures import draw_all, file_name
from prism_core.evaluation.findings import read_attacks
from prism_core.evaluation.methods import METHODS
from prism_core.evaluation.results import Results
from prism_core.evaluation.summary import CorpusSummary, summaries
from prism_core.evaluation.tables import (
    ResultTable,
    comparing_tables,
    markdown,
    setting_tables,
    summary_as_json,
)
from prism_core.files import make_file, make_folder


@dataclass(frozen=True)
class Published:
    """Results of a folder that were published, and the files that were written."""

    summaries: tuple[CorpusSummary, ...]
    files: tuple[Path, ...]


def publish(folder: Path, target: Path | None = None, *, draw: bool = True) -> Published:
    """Draw and write all that the results in ``folder`` give, into ``target`` or the same folder.

    The same results give the same bytes. Without ``draw`` the tables alone are written. Raises
    ``ConfigurationError`` when there are no results, ``OutputError`` when it cannot be written.
    """
    target = target or folder
    found = summaries(Results(folder), list(METHODS))
    if not found:
        raise ConfigurationError(
            f"{folder} holds no results of this version of PRISM: make some with prism evaluate "
            f"--out {folder}."
        )
    try:
        make_folder(target)
        pictures = draw_all(found, read_attacks(folder), target) if draw else []
        texts = {
            "results.md": write_markdown(found, pictures),
            **{_settings_page(summary): write_settings(summary) for summary in found},
            "index.html": write_html(found, pictures),
            "summary.json": json.dumps([summary_as_json(summary) for summary in found], indent=1)
            + "\n",
        }
        for name, text in texts.items():
            make_file(target / name)
            (target / name).write_text(text, "utf-8")
    except OSError as error:
        raise OutputError(f"{target} cannot be written: {error.strerror}.") from None
    return Published(tuple(found), (*pictures, *(target / name for name in texts)))


def write_markdown(summaries: Sequence[CorpusSummary], pictures: Sequence[Path] = ()) -> str:
    """Provenance, figures and comparing tables of every summary; the others have their own page."""
    parts = [
        "# What was measured\n",
        "Written by `prism evaluate figures`; how to read it: [evaluation](../evaluation.md).\n",
    ]
    for summary in summaries:
        own = _own(summary, pictures)
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


def write_html(summaries: Sequence[CorpusSummary], pictures: Sequence[Path] = ()) -> str:
    """Write the same as one page, with the figures as SVG."""
    body = "".join(
        "".join(
            (
                f"<h2>{escape(summary.corpus)}</h2>",
                *(f'<p class="made">{escape(line)}</p>' for line in summary.provenance()),
                *map(_figure, _own(summary, pictures)),
                *map(_html_table, (*comparing_tables(summary), *setting_tables(summary))),
            )
        )
        for summary in summaries
    ) + "".join(_figure(picture) for picture in pictures if picture.stem == "attacks")
    style = (files("prism_core.evaluation") / "page.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>PRISM: what was measured</title><style>\n{style}</style></head>"
        f"<body><h1>PRISM: what was measured</h1>{body}</body></html>\n"
    )


def _own(summary: CorpusSummary, pictures: Iterable[Path]) -> list[Path]:
    return [picture for picture in pictures if picture.stem.startswith(f"{file_name(summary)}-")]


def _figure(picture: Path) -> str:
    drawing = picture.with_suffix(".svg").read_text("utf-8")
    return f"<figure>{drawing[drawing.index('<svg') :]}</figure>"


def _html_table(table: ResultTable) -> str:
    heads = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    ranks = {1: ' class="best"', 2: ' class="second"'}
    rows = "".join(
        "<tr>"
        + "".join(f"<td{ranks.get(cell.rank, '')}>{escape(cell.text)}</td>" for cell in row)
        + "</tr>"
        for row in table.rows
    )
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return (
        f"<h3>{escape(table.title)}</h3><table><thead><tr>{heads}</tr></thead>"
        f"<tbody>{rows}</tbody></table>{note}"
    )
