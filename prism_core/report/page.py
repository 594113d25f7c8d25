"""The audit page: one self-contained HTML file, for a person who was not there.

It fetches nothing, runs nothing, prints well, and says what was measured and what was not. It
never judges whether a law is met.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup, escape

from prism_core.errors import OutputError
from prism_core.report.rows import SCHEMA_VERSION, DocumentRow, Outcome, RunSummary

SHOWN_DOCUMENTS = 1000
"""Rows of the page's table; the Parquet file has them all."""


_UNKNOWN = "\N{EN DASH}"


@dataclass(frozen=True, slots=True)
class Bar:
    """One part of a chart: its name, how many, its share of the whole in [0, 1], its place."""

    name: str
    meaning: str
    css: str
    count: int
    share: float
    start: float


def write_page(
    files: tuple[Path, ...], summary: RunSummary, documents: tuple[DocumentRow, ...]
) -> None:
    """Write the page to each of ``files``, in one step each; raises ``OutputError``."""
    text = render_page(summary, documents)
    try:
        for file in files:
            partial = file.with_name(f".{file.name}.partial")
            partial.write_text(text, encoding="utf-8")
            partial.replace(file)
    except OSError as error:
        raise OutputError(f"the audit page cannot be written: {error.strerror}") from None


def render_page(summary: RunSummary, documents: tuple[DocumentRow, ...]) -> str:
    """The page as HTML. ``documents`` are shown worst first."""
    template = _environment().get_template("index.html")
    return template.render(
        facts=summary.facts,
        totals=summary.totals,
        heads=summary.chain_heads,
        schema_version=SCHEMA_VERSION,
        fates=fates(summary),
        outcomes=outcomes(summary),
        failures=Counter(d.failure for d in documents if d.failure).most_common(),
        documents=sorted(documents, key=_badness)[:SHOWN_DOCUMENTS],
        remaining=max(len(documents) - SHOWN_DOCUMENTS, 0),
        not_evaluated=not_evaluated(documents),
    )


def fates(summary: RunSummary) -> list[Bar]:
    """Tokens by what became of them on the way to the translator."""
    t = summary.totals
    return _bars(
        ("replaced", "sent as another word of the same kind", "replaced", t.tokens_replaced),
        (
            "identifiers",
            "names, numbers, codes: sent as surrogates",
            "identifier",
            t.tokens_identifier,
        ),
        (
            "unknown words",
            "not in the dictionary: sent as another word",
            "unknown",
            t.tokens_unknown,
        ),
        ("in clear", "sent as they are: the translator saw them", "clear", t.tokens_kept),
        ("withheld", "in sentences that were not sent", "withheld", t.tokens_withheld),
    )


def outcomes(summary: RunSummary) -> list[Bar]:
    """Documents by what became of them."""
    t = summary.totals
    return _bars(
        ("translated", "every sentence", "good", t.documents_translated),
        ("partly translated", "some sentences stayed as they were", "fair", t.documents_partly),
        ("unchanged", "nothing new since an earlier run", "same", t.documents_unchanged),
        ("failed", "not written; see the class and the advice", "bad", t.documents_failed),
    )


def not_evaluated(documents: tuple[DocumentRow, ...]) -> list[str]:
    """What this run did not measure, in words, from columns that are null in every row."""
    questions = {
        "identifiers_detected": "how many identifiers the documents hold, by class",
        "identifiers_remaining": "whether an independent check finds identifiers in what was sent",
        "privacy_score": "how much an adversary with the dictionary can recover",
    }
    return [
        words
        for name, words in questions.items()
        if all(getattr(document, name) is None for document in documents)
    ]


def _bars(*parts: tuple[str, str, str, int]) -> list[Bar]:
    whole = sum(count for *_, count in parts)
    bars, start = [], 0.0
    for name, meaning, css, count in parts:
        share = count / whole if whole else 0.0
        bars.append(Bar(name, meaning, css, count, share, start))
        start += share
    return bars


_ORDER = (Outcome.FAILED, Outcome.PARTLY, Outcome.TRANSLATED, Outcome.UNCHANGED)


def _badness(document: DocumentRow) -> tuple[int, str, float]:
    return _ORDER.index(Outcome(document.outcome)), document.failure, -document.tokens_kept


def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("prism_core.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": _number,
        "percent": _percent,
        "utc": _utc,
        "epsilon": _epsilon,
        "prose": _prose,
    }
    return environment


def _number(value: float | None) -> str:
    """Thousands separated, one decimal only when there is one; a dash for what is not known."""
    if value is None:
        return _UNKNOWN
    return f"{value:,.0f}" if value == int(value) else f"{value:,.1f}"


def _percent(part: float, whole: float = 1.0) -> str:
    """A share; never rounded to 100 % or 0 % when it is not."""
    if not whole:
        return _UNKNOWN
    share = part / whole
    if 0 < share < 0.001:
        return "< 0.1 %"
    if 0.999 < share < 1:
        return "> 99.9 %"
    return f"{share:.1%}".replace(".0%", "%").replace("%", " %")


def _utc(value: datetime | None) -> str:
    return _UNKNOWN if value is None else f"{value:%Y-%m-%d %H:%M:%S} UTC"


def _epsilon(value: float | None) -> str:
    if value is None:
        return "not evaluated"
    return "∞ (no bound claimed)" if math.isinf(value) else f"{value:.3f}"


def _prose(text: str) -> Markup:
    """Paragraphs of a docstring as HTML, with its ``names`` as code."""
    escaped = str(escape(text))
    paragraphs = re.sub(r"``(.+?)``", r"<code>\1</code>", escaped).split("\n\n")
    return Markup("").join(Markup(f"<p>{paragraph}</p>") for paragraph in paragraphs)  # noqa: S704 - escaped above
