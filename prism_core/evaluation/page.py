"""What was measured as one page of HTML that needs nothing else, and as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from prism_core.evaluation.bootstrap import DRAWS, SEED
from prism_core.evaluation.summary import Summary
from prism_core.evaluation.tables import Cell, Table, markdown, tables_of

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #222; max-width: 1180px; margin: 2.5em auto;
  padding: 0 1.5em; }
h1 { font-size: 1.6em; } h2 { margin-top: 2.4em; border-bottom: 1px solid #ddd; }
table { border-collapse: collapse; font-size: 12.5px; margin: 1em 0; display: block;
  overflow-x: auto; }
th, td { padding: .25em .8em; text-align: right; white-space: nowrap; }
th { border-bottom: 1.5px solid #888; font-weight: 600; } td { border-bottom: 1px solid #eee; }
th:first-child, td:first-child { text-align: left; }
.best { font-weight: 700; } .second { text-decoration: underline; }
.note, .made { color: #666; font-size: 13px; } figure { margin: 1.5em 0; }
svg { width: 100%; height: auto; }
"""


def provenance(summary: Summary) -> list[str]:
    """Over what, by whom, when, where and with what it was measured, a line each."""
    days = sorted(one.date[:10] for one in summary.made)
    machines = sorted({one.machine for one in summary.made})
    versions = {f"{name} {number}" for one in summary.made for name, number in one.versions.items()}
    cpu = sum(one.cpu_seconds for one in summary.made)
    asked = f", {summary.questions} questions" if summary.questions else ", nothing asked"
    seeds = ", ".join(map(str, summary.seeds))
    return [
        f"Corpus: {summary.corpus}, {summary.documents} documents{asked}, {summary.languages}.",
        f"Translator: {summary.translator}. Adversary and reader: {summary.panel}.",
        _frame(summary),
        f"{_intervals(summary)} Substitutes drawn with seeds {seeds}.",
        f"Measured {days[0]}{'' if days[0] == days[-1] else f' to {days[-1]}'} on "
        f"{'; '.join(machines)}: {cpu:,.0f} s of processor time in {len(summary.made)} runs.",
        f"Versions: {', '.join(sorted(versions))}.",
    ]


def _intervals(summary: Summary) -> str:
    if summary.documents < 2:
        return "No intervals: there is a single document."
    return (
        f"Intervals: percentile bootstrap over the {summary.documents} documents, {DRAWS} draws "
        f"(seed {SEED}), 95 %."
    )


def _frame(summary: Summary) -> str:
    if not summary.questions:
        return "Nothing is asked about this corpus, so it has no PPS and no QS."
    floor, ceiling = summary.floor("pps"), summary.ceiling("pps")
    best, least = summary.ceiling("qs"), summary.floor("qs")
    return (
        f"An empty text has PPS {floor} and QS {least}: no method can hide more, and none should "
        f"be read without it. The source itself has PPS {ceiling} and QS {best}."
    )


def as_markdown(summaries: Sequence[Summary], pictures: Sequence[Path] = ()) -> str:
    """Provenance, figures and tables of every summary."""
    return "\n".join(_markdown_parts(summaries, pictures)) + "\n"


def _markdown_parts(summaries: Sequence[Summary], pictures: Sequence[Path]) -> Iterator[str]:
    yield "# What was measured\n"
    yield "Written by `prism evaluate figures`; how to read it: [evaluation](../evaluation.md).\n"
    for summary in summaries:
        yield f"## {summary.corpus}\n"
        yield from (f"* {line}" for line in provenance(summary))
        yield ""
        yield from (f"![{_caption(one)}]({one.name})\n" for one in _own(summary, pictures))
        yield from (markdown(table) for table in tables_of(summary))
    yield from (f"![Attacks]({one.name})\n" for one in pictures if one.stem == "attacks")


def as_html(summaries: Sequence[Summary], pictures: Sequence[Path] = ()) -> str:
    """The same as one page; the figures are in it as SVG."""
    body = "".join(_html_parts(summaries, pictures))
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>PRISM: what was measured</title><style>{_STYLE}</style></head>"
        f"<body><h1>PRISM: what was measured</h1>{body}</body></html>\n"
    )


def _html_parts(summaries: Sequence[Summary], pictures: Sequence[Path]) -> Iterator[str]:
    for summary in summaries:
        yield f"<h2>{escape(summary.corpus)}</h2>"
        yield "".join(f'<p class="made">{escape(line)}</p>' for line in provenance(summary))
        yield from (_figure(one) for one in _own(summary, pictures))
        yield from (_html_table(table) for table in tables_of(summary))
    yield from (_figure(one) for one in pictures if one.stem == "attacks")


def _own(summary: Summary, pictures: Iterable[Path]) -> list[Path]:
    name = summary.corpus.replace("/", "-")
    return [one for one in pictures if one.stem.startswith(f"{name}-")]


def _caption(picture: Path) -> str:
    return picture.stem.replace("-", " ")


def _figure(picture: Path) -> str:
    drawing = picture.with_suffix(".svg").read_text("utf-8")
    return f"<figure>{drawing[drawing.index('<svg') :]}</figure>"


def _html_table(table: Table) -> str:
    heads = "".join(f"<th>{escape(name)}</th>" for name in table.columns)
    rows = "".join(f"<tr>{''.join(map(_html_cell, row))}</tr>" for row in table.rows)
    note = f'<p class="note">{escape(table.note)}</p>' if table.note else ""
    return (
        f"<h3>{escape(table.title)}</h3><table><thead><tr>{heads}</tr></thead>"
        f"<tbody>{rows}</tbody></table>{note}"
    )


def _html_cell(cell: Cell) -> str:
    kind = {1: ' class="best"', 2: ' class="second"'}.get(cell.rank, "")
    return f"<td{kind}>{escape(cell.text)}</td>"
