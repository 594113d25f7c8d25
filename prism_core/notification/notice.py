"""What is told of a run: built from counts, classes and ids of ours, so that no text can be in it.

Nothing here takes a document, a sentence, a path or the words of an error.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime

from prism_core.errors import DocumentFailure, ExitCode
from prism_core.report import NOT_REACHED, RunReport

COMPLETE = "complete"
_CLASSES = {*map(str, DocumentFailure), NOT_REACHED}


@dataclass(frozen=True, slots=True)
class Notice:
    """A run that has ended.

    ``outcome`` is ``complete`` or the class of the error that stopped it. ``totals`` are those of
    the report, by the names of its columns; empty when the run did not come to its report.
    ``failed`` counts documents by class of failure. ``label`` is the operator's word for the job.
    """

    run_id: str
    outcome: str
    exit_code: ExitCode
    ended: datetime
    label: str = ""
    seconds: float | None = None
    totals: Mapping[str, int | float | None] = field(default_factory=dict)
    failed: Mapping[str, int] = field(default_factory=dict)
    currency: str | None = None
    left: str = ""
    """Whether anything left the machine, and to whom."""
    to_do: tuple[str, ...] = ()

    @classmethod
    def of(
        cls, run_id: str, outcome: str, exit_code: ExitCode, report: RunReport | None, label: str
    ) -> Notice:
        """How the run ended, and what its report counts, if it has come to one."""
        if report is None:
            return cls(run_id, outcome, exit_code, datetime.now(UTC), label)
        facts = report.facts
        return cls(
            run_id=run_id,
            outcome=outcome,
            exit_code=exit_code,
            ended=facts.finished_at,
            label=label,
            seconds=(facts.finished_at - facts.started_at).total_seconds(),
            totals={
                name: value if isinstance(value, int | float) and math.isfinite(value) else None
                for name, value in asdict(report.totals).items()
            },
            failed=Counter(
                row.failure if row.failure in _CLASSES else "other" for row in report.failures
            ),
            currency=facts.currency,
            left=report.answer.title,
            to_do=report.answer.to_do,
        )

    @property
    def title(self) -> str:
        """One line: the job, how it ended, and the two counts that matter most."""
        label, totals = f" {self.label}" if self.label else "", self.totals
        title = f"PRISM{label}: {self.outcome}"
        if not totals:
            return title
        return f"{title}, {totals['documents']:,} documents, {totals['documents_failed']:,} failed"

    def to_json(self) -> bytes:
        """The body of a webhook."""
        content = {
            "event": "prism.run.ended",
            "version": 1,
            "label": self.label,
            "run_id": self.run_id,
            "outcome": self.outcome,
            "exit_code": int(self.exit_code),
            "ended_at": self.ended.astimezone(UTC).isoformat(timespec="seconds"),
            "seconds": self.seconds,
            "totals": dict(self.totals) or None,
            "currency": self.currency,
            "failed_documents": dict(self.failed),
        }
        return json.dumps(content, allow_nan=False).encode()

    def counts(self) -> dict[str, int | float]:
        """Every count that is known, by its name for people."""
        totals = {name.replace("_", " "): value for name, value in self.totals.items()}
        classes = {f"failed: {failure}": n for failure, n in sorted(self.failed.items())}
        return {name: n for name, n in (totals | classes).items() if n is not None}

    def to_text(self) -> str:
        """The body of a mail."""
        lines = [
            f"Run {self.run_id} ended: {self.outcome} (exit code {int(self.exit_code)}).",
            f"At {self.ended.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
            + (f", after {self.seconds:,.0f} s." if self.seconds is not None else "."),
            *((f"\n{self.left}.\n\nTo do:",) if self.left else ()),
            *(f"- {one}" for one in self.to_do),
            "",
            *(f"{name:<32}{count:>16,}" for name, count in self.counts().items()),
        ]
        if not self.totals:
            lines.append("It did not come to its report.")
        return "\n".join(lines) + "\n"
