"""The audit page of a run: one self-contained HTML file, for a person who was not there.

It says what was measured and what was not, and never judges whether a law is met. Without scripts
it has everything but the rows of its table of documents beyond the first. With scripts that table
can be sorted and searched, and each document has a page of its own within it, ``#d=<id>``, which
can be linked to and printed: ten thousand files beside it would be slower to write than the report.

Entry: ``write_page``; ``read_page_data`` -> ``render_page``, and ``_yield_script_data``.
"""

from __future__ import annotations

import math
import mmap
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from markupsafe import Markup

from prism_core.report.answer import make_answer
from prism_core.report.notices import say_notice
from prism_core.report.page_data import (
    SHOWN_DOCUMENTS,
    DocumentKind,
    PageData,
    identifiers_of_documents,
    read_page_data,
)
from prism_core.report.rendering import embed_json, render, write_pieces
from prism_core.report.rows import SCHEMA_VERSION, DocumentRow, Outcome, describe, read_toml
from prism_core.report.totals import RunSummary
from prism_core.settings import Treatment


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """Display of the column ``name`` of a document on the audit page.

    ``label`` is its line on the page of the document, among what was sent, or what came ``back``;
    ``head``, if set, is its heading in the table of all documents. It is shown as a part ``of``
    another column, ``less`` a third, if these are named.
    """

    name: str
    label: str
    back: bool = False
    head: str = ""
    of: str = ""
    less: str = ""

    @property
    def kind(self) -> str:
        """The unit if the page formats it in its own way, else the type of the column."""
        (shown,) = (column for column in fields(DocumentRow) if column.name == self.name)
        unit = describe(DocumentRow, self.name).unit
        return unit if unit in ("nats", "share") else str(shown.type).partition("[")[0].split()[0]


PAGE: Final = "index.html"
NO_HEAD: Final = "?" * 64
_LOOKS: Final = dict.fromkeys(Outcome, "same") | {
    Outcome.TRANSLATED: "good",
    Outcome.PARTLY: "fair",
    Outcome.FAILED: "bad",
}
"""Style class of the mark of each outcome."""
_EMPTY = "without text, or a picture"
_IN_TARGET = "already, and copied as they are; nothing of them was sent"
_GONE = "in the archive no more; the translations are kept"
_RENAMED = "in the archive under another name; the old translations are kept"
_PRUNED = "in the archive no more; all that was made of them is destroyed"
_REFUSALS: Final = ("withheld-by-policy", "over-budget", "withheld-by-gate")
_DATA: Final = Markup("<data>")
"""Placeholder of the script's data: no text of the page can contain it, because it would be
escaped."""


@cache
def shown_columns() -> tuple[ShownColumn, ...]:
    """Return the columns that the page shows of a document; its layout follows from them alone."""
    return tuple(ShownColumn(**stated) for stated in read_toml("columns.toml")["page"]["shown"])


@dataclass(frozen=True, slots=True)
class ChartPart:
    """A part of a chart: its name, count, share of the whole in [0, 1], and start."""

    name: str
    meaning: str
    css: str
    count: int
    share: float
    start: float


@dataclass(frozen=True, slots=True)
class UnderPolicy:
    """A policy, its requirements, and the outcomes of the documents under it.

    ``stronger`` were sent with more strength than it requires; nothing was sent of ``refused``
    ones.
    """

    name: str
    asks: list[str]
    documents: int
    stronger: int
    refused: int


def write_page(folder: Path, summary: RunSummary) -> str:
    """Write ``index.html`` beside the tables of ``folder``, in one step, and return its SHA-256.

    Raises ``OutputError``. The last hash of the run covers the page, so ``summary`` has
    ``NO_HEAD`` in its place, until ``complete_page``.
    """
    hashed = sha256()

    def pieces() -> Iterator[str]:
        for piece in render_page(summary, read_page_data(folder)):
            hashed.update(piece.encode())
            yield piece

    write_pieces(folder / PAGE, pieces())
    return hashed.hexdigest()


def complete_page(folder: Path, run_head: str) -> None:
    """Write ``run_head`` in place of ``NO_HEAD`` on the page in ``folder``."""
    with (folder / PAGE).open("r+b") as page, mmap.mmap(page.fileno(), 0) as content:
        start = content.find(NO_HEAD.encode())
        content[start : start + len(NO_HEAD)] = run_head.encode()


def hash_page(folder: Path, run_head: str) -> str:
    """Return the SHA-256 of the page in ``folder`` as ``write_page`` wrote it."""
    content = (folder / PAGE).read_bytes()
    return sha256(content.replace(run_head.encode(), NO_HEAD.encode(), 1)).hexdigest()


def render_page(summary: RunSummary, data: PageData) -> Iterator[str]:
    """Yield the page as HTML, in pieces: the script's data are never in memory as a whole."""
    page = render(
        "run.html",
        script="page.js",
        facts=summary.facts,
        totals=summary.totals,
        heads=summary.chain_heads,
        schema_version=SCHEMA_VERSION,
        answer=make_answer(summary.facts, summary.totals, data.receivers),
        fates=chart_fates(summary),
        outcomes=chart_outcomes(summary),
        receivers=data.receivers,
        identifiers=data.identifiers,
        pools=data.pools,
        restored=data.restored,
        failures=data.failures,
        withheld=data.withheld,
        policies=count_policies(summary.facts.policies, data.kinds),
        notices=data.notices,
        looks=_LOOKS,
        documents=data.worst,
        listed=[shown for shown in shown_columns() if shown.head],
        remaining=max(len(data.order) - SHOWN_DOCUMENTS, 0),
        not_evaluated=data.not_evaluated,
        data=_DATA,
    )
    before, _, after = page.partition(_DATA)
    yield before
    yield from _yield_script_data(data)
    yield after


def chart_fates(summary: RunSummary) -> list[ChartPart]:
    """Chart the tokens by how they were sent to the translator."""
    t = summary.totals
    return _make_bars(
        ("words", "sent as another word of the same kind", "replaced", t.tokens_replaced),
        ("identifiers", "names, numbers, codes: sent as others", "identifier", t.tokens_identifier),
        ("unknown words", "not in the dictionary: sent as another", "unknown", t.tokens_unknown),
        ("words in clear", "carry meaning, and were sent as they are", "clear", t.kept_words),
        ("function words", "the, of, not: sent as they are", "grammar", t.kept_grammar),
        ("marks", "punctuation and signs: sent as they are", "marks", t.kept_marks),
        ("withheld", "in sentences that were not sent", "withheld", t.tokens_withheld),
    )


def chart_outcomes(summary: RunSummary) -> list[ChartPart]:
    """Chart the documents by outcome."""
    t = summary.totals
    rare = (
        ("nothing to translate", _EMPTY, "same", t.documents_empty),
        ("in the target language", _IN_TARGET, "same", t.documents_in_target),
        ("gone", _GONE, "same", t.documents_gone),
        ("renamed", _RENAMED, "same", t.documents_renamed),
        ("pruned", _PRUNED, "same", t.documents_pruned),
    )
    return _make_bars(
        ("translated", "every sentence", "good", t.documents_translated),
        ("partly translated", "some text is in the source language", "fair", t.documents_partly),
        ("unchanged", "nothing new since an earlier run", "same", t.documents_unchanged),
        ("failed", "not written; see the class and the advice", "bad", t.documents_failed),
        *(part for part in rare if part[-1]),
    )


def count_policies(policies: Iterable[str], kinds: Mapping[DocumentKind, int]) -> list[UnderPolicy]:
    """Count the documents by policy; a policy that no document fits is included with 0."""
    every, stronger, refused = Counter[str](), Counter[str](), Counter[str]()
    for kind, count in kinds.items():
        treatment = Treatment(kind.treatment or "")
        every[treatment.policy] += count
        if kind.failure in _REFUSALS or treatment.stays_here:
            refused[treatment.policy] += count
        elif treatment.level:
            stronger[treatment.policy] += count
    described = (policy.partition(": ") for policy in policies)
    return [
        UnderPolicy(name, asks.split(), every[name], stronger[name], refused[name])
        for name, _, asks in described
    ]


def _make_bars(*parts: tuple[str, str, str, int]) -> list[ChartPart]:
    whole = sum(count for *_, count in parts)
    bars, start = [], 0.0
    for name, meaning, css, count in parts:
        share = count / whole if whole else 0.0
        bars.append(ChartPart(name, meaning, css, count, share, start))
        start += share
    return bars


def _yield_script_data(data: PageData) -> Iterator[str]:
    """Yield every document for the page's script, as JSON in pieces.

    ``columns`` name the values in ``rows``, which are in stored order, and ``order`` has their
    indices with the worst first. ``shown`` says how they are laid out; ``looks`` has the style
    class of each outcome. Many documents share an advice, so rows have its number in ``advice``.
    ``notices`` has the words for each notice; ``identifiers`` has the counts of each class by
    document.
    """
    advice = list(dict.fromkeys(kind.advice for kind in data.kinds))
    codes = dict.fromkeys(code for kind in data.kinds for code in kind.notices)
    named = {name for shown in shown_columns() for name in (shown.name, shown.of, shown.less)}
    named |= {"document_id", "outcome", "failure", "advice"}
    columns = tuple(column.name for column in fields(DocumentRow) if column.name in named)
    schema = {
        "columns": columns,
        "looks": _LOOKS,
        "shown": [asdict(s) | {"kind": s.kind} for s in shown_columns()],
        "notices": {code: say_notice(code) for code in codes},
    }
    yield f'{embed_json(schema | {"advice": advice})[:-1]},"rows":['
    numbers = {text: number for number, text in enumerate(advice)}
    rows = (row | {"advice": numbers[row["advice"]]} for row in data.rows(columns))
    # JSON has no infinity, and no ε is negative, so -1 stands for infinity.
    values = ([-1.0 if v == math.inf else v for v in row.values()] for row in rows)
    yield from _join_json(values)
    yield '],"order":['
    yield from _join_json(map(int, data.order))
    yield '],"identifiers":{'
    yield from _join_json(
        {document: found} for document, found in identifiers_of_documents(data.folder)
    )
    yield "}}"


def _join_json(values: Iterable[int | list[Any] | dict[str, Any]]) -> Iterator[str]:
    """Yield ``values`` as JSON separated by commas; of an object the part between its braces."""
    for number, value in enumerate(values):
        written = embed_json(value)
        yield "," * (number > 0) + (written[1:-1] if isinstance(value, dict) else written)
