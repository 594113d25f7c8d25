"""Notice of a run, built from counts, classes and keyed ids, so that it cannot contain text.

Nothing here reads a sentence, a path or the message of an error; a document appears only as its
keyed id.

Entry: ``Notice.from_report``; then ``to_json``, ``to_metrics`` and ``to_text`` for each channel.
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
_SHOWN = 50
"""Newly failed documents that a mail lists."""
_CLASSES = {*map(str, DocumentFailure), NOT_REACHED}


@dataclass(frozen=True, slots=True)
class Notice:
    """Summary of a run that has ended.

    ``outcome`` is ``complete`` or the class of the error that stopped it. ``totals`` are those of
    the report, by the names of its columns; empty when the run stopped before its report.
    ``failed`` counts documents by class of failure; ``failed_anew`` has the keyed ids and classes
    of those that did not fail alike before. ``stage_seconds`` is the time of each stage; stages may
    overlap. ``label`` is the operator's word for the job.
    """

    run_id: str
    outcome: str
    exit_code: ExitCode
    ended: datetime
    label: str = ""
    seconds: float | None = None
    stage_seconds: Mapping[str, float] = field(default_factory=dict)
    totals: Mapping[str, int | float | None] = field(default_factory=dict)
    failed: Mapping[str, int] = field(default_factory=dict)
    failed_anew: tuple[tuple[str, str], ...] = ()
    currency: str | None = None
    left: str = ""
    """Statement whether anything left the machine, and to whom."""
    to_do: tuple[str, ...] = ()

    @classmethod
    def from_report(
        cls, run_id: str, outcome: str, exit_code: ExitCode, report: RunReport | None, label: str
    ) -> Notice:
        """Build the notice from the result of the run, and from its report if there is one."""
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
            stage_seconds=facts.seconds_by_stage,
            totals={
                name: value if isinstance(value, int | float) and math.isfinite(value) else None
                for name, value in asdict(report.totals).items()
            },
            failed=Counter(_class_of(row.failure) for row in report.failures),
            failed_anew=tuple((r.document_id, _class_of(r.failure)) for r in report.failed_anew),
            currency=facts.currency,
            left=report.answer.title,
            to_do=report.answer.to_do,
        )

    @property
    def title(self) -> str:
        """Single line with the job, its result, and the counts that matter most."""
        label, totals = f" {self.label}" if self.label else "", self.totals
        title = f"PRISM{label}: {self.outcome}"
        if not totals:
            return title
        failed = f"{totals['documents_failed']:,} failed ({len(self.failed_anew):,} new)"
        count = totals["sentences_to_look_at"]
        looks = f"{count:,} sentence{'' if count == 1 else 's'} to look at"
        return f"{title}, {totals['documents']:,} documents, {failed}, {looks}"

    def to_json(self) -> bytes:
        """Return the body of a webhook."""
        content = {
            "event": "prism.run.ended",
            "version": 1,
            "label": self.label,
            "run_id": self.run_id,
            "outcome": self.outcome,
            "exit_code": int(self.exit_code),
            "ended_at": self.ended.astimezone(UTC).isoformat(timespec="seconds"),
            "seconds": self.seconds,
            "stage_seconds": dict(self.stage_seconds),
            "totals": dict(self.totals) or None,
            "currency": self.currency,
            "failed_documents": dict(self.failed),
            "newly_failed_documents": Counter(failure for _, failure in self.failed_anew),
        }
        return json.dumps(content, allow_nan=False).encode()

    def to_metrics(self) -> str:
        """Return the run in Prometheus's text format: gauges, each with the operator's label."""
        values: dict[str, float | None] = {
            "exit_code": int(self.exit_code),
            "ended_timestamp_seconds": self.ended.timestamp(),
            "duration_seconds": self.seconds,
            "documents_failed_anew": len(self.failed_anew),
            **self.totals,
        }
        lines = []
        for name, value in values.items():
            if value is not None:
                gauge = f"prism_run_{name}"
                lines += [f"# TYPE {gauge} gauge", f'{gauge}{{job="{self.label}"}} {value}']
        gauge = "prism_run_stage_seconds"
        lines += [f"# TYPE {gauge} gauge"] * bool(self.stage_seconds)
        for stage, seconds in self.stage_seconds.items():
            lines.append(f'{gauge}{{job="{self.label}",stage="{stage}"}} {seconds}')
        return "\n".join(lines) + "\n"

    def counts(self) -> dict[str, int | float]:
        """Return every known count, by its name for people."""
        totals = {name.replace("_", " "): value for name, value in self.totals.items()}
        classes = {f"failed: {failure}": n for failure, n in sorted(self.failed.items())}
        return {name: n for name, n in (totals | classes).items() if n is not None}

    def to_text(self) -> str:
        """Return the body of a mail."""
        lines = [
            f"Run {self.run_id} ended: {self.outcome} (exit code {int(self.exit_code)}).",
            f"At {self.ended.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC"
            + (f", after {self.seconds:,.0f} s." if self.seconds is not None else "."),
            *((f"\n{self.left}.\n\nTo do:",) if self.left else ()),
            *(f"- {task}" for task in self.to_do),
            "",
            *self._describe_failures(),
            *(f"{name:<32}{count:>16,}" for name, count in self.counts().items()),
        ]
        if not self.totals:
            lines.append("The run stopped before its report was written.")
        return "\n".join(lines) + "\n"

    def _describe_failures(self) -> list[str]:
        """Describe new failures with advice; known ones are a count."""
        if not self.failed:
            return []
        anew = self.failed_anew
        lines = ["Failed anew:" if anew else "Nothing new failed."]
        for document, failure in anew[:_SHOWN]:
            advice = DocumentFailure(failure).meaning if failure in set(DocumentFailure) else ""
            lines.append(f"  {document}  {failure}  {advice}".rstrip())
        if len(anew) > _SHOWN:
            lines.append(f"  and {len(anew) - _SHOWN:,} more, in the report")
        known = sum(self.failed.values()) - self.failed.get(NOT_REACHED, 0) - len(anew)
        lines.append(f"Known since before: {known:,}. Names of files: prism audit names OUT")
        return [*lines, ""]


def _class_of(failure: str) -> str:
    return failure if failure in _CLASSES else "other"
