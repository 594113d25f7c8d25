"""A folder of reports and the report of one run in it: write, read back, verify.

Entry: ``ReportFolder(path)``; then ``write`` or ``verify``, or ``runs`` and ``find`` ->
``RunReport``, whose tables are read on first use.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import pyarrow as pa

from prism_core.errors import OutputError
from prism_core.files import ReadableBy, grant_read
from prism_core.report.answer import OfficerAnswers, make_answer
from prism_core.report.chain import (
    BEGINNING,
    PREFIX,
    Link,
    Signer,
    read_link,
    report_name,
    run_folders,
)
from prism_core.report.overview import write_overview
from prism_core.report.parquet_schema import TABLES, check_version
from prism_core.report.reading import (
    find_run_folder,
    identifiers_by_class,
    make_document_row,
    make_record,
    read_receivers,
    read_rows,
    read_run_rows,
)
from prism_core.report.rows import NOT_REACHED, DocumentRow, IdentifierRow, Outcome, Row, RunFacts
from prism_core.report.totals import RunTotals
from prism_core.report.verifying import Verdict, verify_report, verify_run
from prism_core.report.writing import WrittenReport, write_tables
from prism_core.storage import ObjectAddress, ObjectStore, Scratch

_RUN: Final = "run.parquet"
_EARLIER_REPORTS: Final = 8
"""Number of reports fetched before a run's, to tell which of its failures are new."""


@dataclass(frozen=True)
class RunReport:
    """The report of one run; ``row`` is the row of ``run.parquet``.

    If the report itself is in a bucket, ``copied`` is the copy that holds ``folder``, and ``place``
    is the report's address; else ``place`` is None.
    """

    folder: Path
    row: Mapping[str, Any]
    copied: ReportCopy | None = field(default=None, repr=False, compare=False)
    place: Path | ObjectAddress | None = None

    @property
    def html_path(self) -> str:
        """Path of the run's HTML report."""
        return str((self.place or self.folder) / "index.html")

    @staticmethod
    def is_named(name: str) -> bool:
        """Return True if the folder of one report could have that name."""
        return name.startswith(PREFIX)

    @classmethod
    def load(cls, folder: Path) -> RunReport:
        """Load the report in ``folder``.

        Raises ``OutputError`` for one of another version, and the errors of reading for a damaged
        one.
        """
        check_version(folder / "run.parquet")
        (row,) = read_rows(folder / "run.parquet")
        return cls(folder, row)

    @classmethod
    def read(cls, folder: Path) -> RunReport:
        """Read the report in ``folder``. Raises ``OutputError`` when it cannot be read."""
        try:
            report = cls.load(folder)
            report.failure_counts, report.identifiers  # noqa: B018 (read now, to fail now)
        except (OSError, pa.ArrowException, LookupError, ValueError):
            raise OutputError(
                f"{folder} does not hold a complete report; prism audit verify says what is missing"
            ) from None
        return report

    @cached_property
    def facts(self) -> RunFacts:
        """Facts of the run that were known without counting."""
        facts: RunFacts = make_record(RunFacts, self.row)
        return facts

    @cached_property
    def totals(self) -> RunTotals:
        """Totals over its rows."""
        totals: RunTotals = make_record(RunTotals, self.row)
        return totals

    @property
    def rows(self) -> Iterator[Row]:
        """Rows of all its tables, read when needed."""
        for table, row_type in TABLES.items():
            for stored in read_rows(self.folder / f"{table}.parquet"):
                yield make_record(row_type, stored)

    @property
    def documents(self) -> Iterator[DocumentRow]:
        """Its documents, in stored order, each read when needed: 100,000 of them take 250 MB."""
        return map(make_document_row, read_rows(self.folder / "documents.parquet"))

    @cached_property
    def answer(self) -> OfficerAnswers:
        """Answers to a data protection officer's questions about the run, in plain words."""
        return make_answer(self.facts, self.totals, read_receivers(self.folder))

    @cached_property
    def failures(self) -> tuple[DocumentRow, ...]:
        """Documents that were not translated."""
        return tuple(row for row in self.documents if row.outcome == Outcome.FAILED)

    @cached_property
    def failed_anew(self) -> tuple[DocumentRow, ...]:
        """Failed documents that did not fail for the same cause in the last earlier run with them.

        Earlier reports are read, back to one of a whole archive or one that is missing. Documents
        that this run did not reach do not count. A cause is a class and the advice about it.
        """
        waiting = {row.document_id: (row.failure, row.advice) for row in self.failures}
        known_failures, report = set[str](), self
        while waiting and (name := report.row["previous_run"]):
            try:
                report = RunReport.load(self.folder.parent / f"{PREFIX}{name}")
                columns = ["document_id", "failure", "advice"]
                rows = read_rows(report.folder / "documents.parquet", columns)
                before = {row["document_id"]: (row["failure"], row["advice"]) for row in rows}
            except (OSError, OutputError, pa.ArrowException, LookupError, ValueError):
                break
            if report.row["run_id"] == self.row["run_id"]:
                continue  # the same run was reported again
            for document in waiting.keys() & before.keys():
                if before[document][0] != NOT_REACHED and waiting.pop(document) == before[document]:
                    known_failures.add(document)
            if NOT_REACHED not in (failure for failure, _ in before.values()):
                break
        new_failures = (row for row in self.failures if row.failure != NOT_REACHED)
        return tuple(row for row in new_failures if row.document_id not in known_failures)

    @cached_property
    def failure_counts(self) -> Counter[str]:
        """Number of failed documents by class."""
        rows = read_rows(self.folder / "documents.parquet", ["failure"])
        return Counter(row["failure"] for row in rows if row["failure"])

    @cached_property
    def identifiers(self) -> list[IdentifierRow]:
        """Counts of each class of identifiers in the run."""
        return identifiers_by_class(self.folder)

    def document_ids(self) -> list[str]:
        """Return the keyed ids of its documents."""
        rows = read_rows(self.folder / "documents.parquet", ["document_id"])
        return [str(row["document_id"]) for row in rows]


@dataclass(frozen=True, slots=True)
class ReportFolder:
    """The reports of one output folder: a folder for each run, and a page over all of them.

    In a bucket they are read and written through a copy (``ReportCopy``).
    """

    path: Path | ObjectAddress
    readable_by: ReadableBy = "owner"

    @property
    def has_reports(self) -> bool:
        """True if there is any report, complete or not."""
        if isinstance(self.path, ObjectAddress):
            names = (name for name, _ in ObjectStore(self.path).list())
            return any(name.startswith(PREFIX) and "/" in name for name in names)
        return bool(run_folders(self.path))

    def has(self, run_id: str) -> bool:
        """Return True if there is a report of that run, complete or not."""
        if isinstance(self.path, ObjectAddress):
            return ObjectStore(self.path).holds_any(f"{PREFIX}{run_id}")
        return (self.path / f"{PREFIX}{run_id}").exists()

    def runs(self) -> list[RunReport]:
        """Return every report that can be read, in the order in which they were written.

        If a run was reported again, only the last report is returned: it covers the whole run. For
        reports in a bucket only ``row`` is read.
        """
        if isinstance(self.path, ObjectAddress):
            copy = ReportCopy(self.path)
            copy.fetch(None, _RUN)
            found = read_run_rows(copy.folder)
            return [
                RunReport(run_folder, row, copy, self.path / run_folder.name)
                for run_folder, row in found
            ]
        return [RunReport(folder, row) for folder, row in read_run_rows(self.path)]

    def latest(self) -> RunReport | None:
        """Return the report of the run that finished last; None when there is none."""
        last = max(self.runs(), key=lambda run: run.row["finished_at"], default=None)
        return last if last is None or last.copied is None else self.find(last.row["run_id"])

    def find(self, run_id: str) -> RunReport | None:
        """Return the last report of the run ``run_id``, or None when there is no complete one.

        Raises ``OutputError`` for one of another version.
        """
        copy, path = None, self.path
        if isinstance(path, ObjectAddress):
            copy = ReportCopy(path)
            copy.fetch_run(run_id)
            path = copy.folder
        try:
            report = RunReport.load(find_run_folder(path, run_id))
            if copy is not None:
                place = self.path / report.folder.name
                report = replace(report, copied=copy, place=place)
            report.document_ids()  # a report without them is not complete
        except (OSError, pa.ArrowException, LookupError):
            return None
        return report

    def write(
        self,
        facts: RunFacts,
        *rows: Iterable[Row],
        signer: Signer | None = None,
        remembered: Link = BEGINNING,
        proof: bytes | None = None,
    ) -> WrittenReport:
        """Write a new ``run=<id>/`` with tables and page, and ``index.html`` over all runs.

        See ``write_tables``; raises ``OutputError`` when a row does not fit or the disk refuses.
        """
        if isinstance(self.path, ObjectAddress):
            copy = ReportCopy(self.path)
            copy.fetch(None, _RUN)
            local = ReportFolder(copy.folder)
            written = local.write(facts, *rows, signer=signer, remembered=remembered, proof=proof)
            copy.publish(written.folder)
            return written
        is_new = not self.path.exists()
        written = write_tables(
            self.path, facts, *rows, signer=signer, remembered=remembered, proof=proof
        )
        write_overview(self.path, signer)
        try:
            for path in [self.path] if is_new else [written.folder, self.path / "index.html"]:
                grant_read(path, self.readable_by)
        except OSError as error:
            raise OutputError(f"the report cannot be protected: {error.strerror}") from None
        return written

    def verify(
        self,
        signers: Sequence[Signer] = (),
        remembered: Link = BEGINNING,
        only: Path | None = None,
    ) -> Verdict:
        """Verify every run and their succession, see ``verify_report``; or the run in ``only``."""
        if only is not None:
            return verify_run(only, signers)
        if isinstance(self.path, ObjectAddress):
            copy = ReportCopy(self.path)
            copy.fetch_all()
            return verify_report(copy.folder, signers, remembered)
        return verify_report(self.path, signers, remembered)


class ReportCopy:
    """A copy of a part of the reports at ``address``, in ``folder``, which lives as long as it."""

    def __init__(self, address: ObjectAddress) -> None:
        self._address = address
        self._store = ObjectStore(address)
        self._scratch = Scratch()
        self.folder = self._scratch.make_folder()
        self._files: dict[str, list[str]] = {}
        for name, _ in self._store.list():
            run, slash, file = name.partition("/")
            if slash and run.startswith(PREFIX):
                self._files.setdefault(run, []).append(file)
        for run in self._files:  # an incomplete report also takes its name
            (self.folder / run).mkdir()

    def fetch(self, runs: Iterable[str] | None = None, *only: str) -> None:
        """Fetch the files ``only``, by default all, of ``runs``, by default of every report."""
        for run in self._files if runs is None else runs:
            for file in self._files[run]:
                path = self.folder / run / file
                if (not only or file in only) and not path.exists():
                    path.parent.mkdir(parents=True, exist_ok=True)
                    with path.open("w+b") as copy:
                        found = self._store.get_into(f"{run}/{file}", copy)
                    if found is None:
                        path.unlink()

    def fetch_run(self, run_id: str) -> None:
        """Fetch the reports of a run, and the failures of those before it."""
        own_reports = [
            name for name in self._files if name.removeprefix(PREFIX).partition(".")[0] == run_id
        ]
        self.fetch(own_reports)
        before = max(own_reports, key=lambda run: (len(run), run), default="")
        for _ in range(_EARLIER_REPORTS):
            link = read_link(self.folder / before) if before else None
            before = f"{PREFIX}{link.previous_run}" if link and link.previous_run else ""
            if before not in self._files:
                break
            self.fetch([before], _RUN, "documents.parquet")

    def fetch_all(self) -> None:
        """Fetch all complete reports; partial ones are removed, as they are not for readers."""
        for run, files in self._files.items():
            if _RUN in files:
                self.fetch([run])
            else:
                (self.folder / run).rmdir()

    def publish(self, written: Path) -> None:
        """Upload the report in ``written``, and the page over all. Raises ``OutputError``."""
        files = sorted((file for file in written.iterdir()), key=lambda file: file.name == _RUN)
        for file in files:
            name, content = f"{written.name}/{file.name}", file.read_bytes()
            if not self._store.put_if_absent(name, content):
                found = self._store.get(name)
                if found is None or found[0] != content:
                    name = report_name(written)
                    raise OutputError(
                        f"{self._address} holds another report called {name}; run again"
                    )
        self._store.put("index.html", (self.folder / "index.html").read_bytes())
