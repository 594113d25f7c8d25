"""Find alterations in a report: of a row, a table, a run, or the order of runs.

Entry: ``verify_report``; then ``verify_run`` for each run (its facts, its tables, its signature) ->
``_check_succession`` of their order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from prism_core.explained import ExplainedEnum
from prism_core.report.chain import (
    BEGINNING,
    NO_RUN,
    PREFIX,
    Link,
    Signer,
    column_types,
    expect_hashes,
    genesis,
    last_link,
    read_link,
    report_name,
    row_bytes,
    run_folders,
    run_head,
)
from prism_core.report.overview import is_signed
from prism_core.report.page import PAGE, hash_page
from prism_core.report.parquet_schema import (
    HASH,
    OTHER_VERSION,
    PROOF,
    RUN_COLUMNS,
    TABLES,
    make_schema,
    read_version,
)
from prism_core.report.rows import SCHEMA_VERSION

_BATCH_ROWS = 2_000
"""Number of rows that are checked at a time."""
_UNREADABLE = (OSError, pa.ArrowException, LookupError, TypeError, ValueError)
_ROW = "was changed, or rows before it were removed, added or moved"
"""Meaning of a hash that does not follow: a changed row and a removed row look alike, and the
number of rows tells which it was."""


_CHANGED = "was changed since it was written"
_FORGED = "the signature does not match this hash under the key that it names: forged"
_OTHER_KEY = (
    "is signed with a key that is not here, and no later report confirms it: give the key with "
    "--key-file, or it may be forged"
)


class Signed(ExplainedEnum):
    """State of the signature of a run.

    ``held`` is confirmed by a later report whose key is here, or by the state store's record: a key
    that was replaced and destroyed is not needed. ``wrong`` is of another key, or another hash.
    """

    VALID = "valid", "signed with this key"
    NOT_CHECKED = "not-checked", "signed, not checked: there is no key here"
    NONE = "none", "not signed"
    HELD = "held", "signed with a key that is not here, confirmed by a later one that is"
    WRONG = "wrong", "with a signature that was not made with this key"


@dataclass(frozen=True, slots=True)
class Alteration:
    """A thing that is not as it was written.

    ``table`` is empty when it concerns the whole run, ``row`` counts from 1 in the order of the
    file, None when it is no single row; ``run`` is the name of the folder after ``run=``.
    """

    run: str
    table: str
    row: int | None
    problem: str

    def __str__(self) -> str:
        run = f"run {self.run}" if self.run else ""
        place = [run, self.table, f"row {self.row}" if self.row else ""]
        return f"{', '.join(filter(None, place))}: {self.problem}"


@dataclass(frozen=True, slots=True)
class Verdict:
    """Result of a verification; if ``findings`` is empty, no alteration was detected.

    ``signed`` has one entry for each run that can be read.
    """

    runs: int
    rows: int
    signed: tuple[Signed, ...]
    findings: tuple[Alteration, ...]


def verify_report(
    report: Path, signers: Sequence[Signer] = (), remembered: Link = BEGINNING
) -> Verdict:
    """Verify every run in the folder ``report``, and their succession.

    ``signers`` hold the keys that may have signed; without any, signatures are not checked.
    ``remembered`` is the last report as the state store knows it.
    """
    folders = run_folders(report)
    verdicts = [verify_run(folder, signers) for folder in folders]
    links = [link for folder in folders if (link := read_link(folder))]
    verdicts = _accept_held(folders, verdicts, links, remembered)
    return Verdict(
        runs=len(folders),
        rows=sum(verdict.rows for verdict in verdicts),
        signed=tuple(signed for verdict in verdicts for signed in verdict.signed),
        findings=(
            *(finding for verdict in verdicts for finding in verdict.findings),
            *_check_succession(links, remembered),
            *_check_overview(report, signers),
        ),
    )


def _accept_held(
    folders: Sequence[Path], verdicts: Sequence[Verdict], links: Sequence[Link], remembered: Link
) -> list[Verdict]:
    """Drop findings about missing keys from ``verdicts`` where a later hash can be trusted.

    The later report was signed when it confirmed the earlier ones; a chain that is broken between
    them is a finding.
    """
    places = {link.name: link for link in links}
    known = places.get(remembered.name)
    trusted = remembered.sequence + 1 if known and known.head == remembered.head else 0
    link_of_folder = [places.get(report_name(folder), BEGINNING) for folder in folders]
    valid = (
        link.sequence
        for link, verdict in zip(link_of_folder, verdicts, strict=True)
        if verdict.signed == (Signed.VALID,)
    )
    last = max(trusted, 0, *valid)
    accepted = []
    for link, verdict in zip(link_of_folder, verdicts, strict=True):
        left = tuple(finding for finding in verdict.findings if finding.problem != _OTHER_KEY)
        if 0 < link.sequence < last and left != verdict.findings:
            accepted.append(replace(verdict, signed=(Signed.HELD,), findings=left))
        else:
            accepted.append(verdict)
    return accepted


def verify_run(folder: Path, signers: Sequence[Signer] = ()) -> Verdict:
    """Verify the one run in ``folder``: its tables, its facts, its signature; not its place."""
    name = report_name(folder)
    try:
        stored = pq.ParquetFile(folder / "run.parquet").read()
        version = read_version(stored.schema)
        if version != SCHEMA_VERSION:
            problem = OTHER_VERSION.format("it", version)
            return Verdict(1, 0, (), (Alteration(name, "run", None, problem),))
        (run,) = stored.to_pylist()
        rows, findings = _check_tables(folder, stored, run)
        findings += _check_files(folder, run)
        signed = Signed.NONE
        if run["signature"] is not None and signers:
            valid = any(signer.has_signed(run["run_head"], run["signature"]) for signer in signers)
            signed = Signed.VALID if valid else Signed.WRONG
        elif run["signature"] is not None:
            signed = Signed.NOT_CHECKED
        problems = list(_find_run_problems(name, stored, run, signed, signers))
    except _UNREADABLE:
        return Verdict(1, 0, (), (Alteration(name, "run", None, "is missing or cannot be read"),))
    of_run = (Alteration(name, "run", None, problem) for problem in problems)
    return Verdict(1, rows, (signed,), (*of_run, *findings))


def _find_run_problems(
    name: str, stored: pa.Table, run: dict[str, Any], signed: Signed, signers: Sequence[Signer]
) -> Iterator[str]:
    number = run.get("report", 1)  # ``.2`` is the second report of a run
    if name != (run["run_id"] if number == 1 else f"{run['run_id']}.{number}"):
        yield "its folder has another name"
    if not _has_documented_columns(stored.schema, *RUN_COLUMNS):
        yield "its columns are not those of its schema"
    if run_head(stored) != run["run_head"]:
        yield "the facts, totals or last hashes of the run were changed"
    if signed is Signed.WRONG:
        names_ours = run["signature_key"] in {signer.key_id for signer in signers}
        yield _FORGED if names_ours else _OTHER_KEY
    if signed is Signed.NONE and signers:
        yield "the run is not signed"


def _has_documented_columns(schema: pa.Schema, *row_types: type) -> bool:
    return column_types(schema) == column_types(make_schema(*row_types))


def _check_tables(
    folder: Path, stored: pa.Table, run: dict[str, Any]
) -> tuple[int, list[Alteration]]:
    """Return the number of checked rows, and their alterations."""
    suffix = "_chain_head"
    tables = [name.removesuffix(suffix) for name in stored.schema.names if name.endswith(suffix)]
    rows, findings = 0, []
    for table in tables:
        try:
            checked = _CheckedTable(folder, table, run["run_id"])
        except _UNREADABLE:
            problem = "is missing or cannot be read, or its columns are not those of a report"
            findings.append(Alteration(report_name(folder), table, None, problem))
            continue
        rows += checked.rows
        wrong = checked.problems(run[f"{table}_rows"], run[f"{table}_chain_head"])
        findings += [Alteration(report_name(folder), table, row, problem) for row, problem in wrong]
    return rows, findings


class _CheckedTable:
    """A table, read once: its rows, its last hash, and the first row that does not follow."""

    def __init__(self, folder: Path, table: str, run_id: str) -> None:
        self.rows, self._broken, self._first = 0, 0, 0
        with pq.ParquetFile(folder / f"{table}.parquet") as parquet:
            schema = parquet.schema_arrow
            if schema.names[-1] != HASH.name:
                raise ValueError(table)
            covered = pa.schema(list(schema)[:-1])
            self._head = genesis(SCHEMA_VERSION, table, run_id, covered)
            documented = table in TABLES and _has_documented_columns(covered, TABLES[table])
            self._as_documented = documented
            for batch in parquet.iter_batches(_BATCH_ROWS):
                stated = batch.column(HASH.name).to_pylist()
                rows = row_bytes(batch.select(batch.schema.names[:-1]))
                hashes = expect_hashes(self._head, rows, stated)
                pairs = enumerate(zip(hashes, stated, strict=True))
                if wrong := [i for i, (expected, found) in pairs if expected != found]:
                    self._first = self._first or self.rows + wrong[0] + 1
                    self._broken += len(wrong)
                self.rows += len(stated)
                self._head = stated[-1]

    def problems(self, rows: int, head: str) -> Iterator[tuple[int | None, str]]:
        """Yield the problems and their first rows; ``rows`` and ``head`` are those of the run."""
        if not self._as_documented:
            yield None, "its columns are not those of its schema"
        if self._broken:
            more = f"; so do {self._broken - 1} more" if self._broken > 1 else ""
            yield self._first, f"{_ROW}{more}"
        if self.rows != rows:
            missing = self.rows < rows
            problem = "there were {:,} rows when it was written: {}"
            yield None, problem.format(rows, "some are missing" if missing else "some were added")
        if self._head != head and not self._broken:
            yield None, "does not end with the row that it ended with"


def _check_files(folder: Path, run: dict[str, Any]) -> Iterator[Alteration]:
    """Yield what is wrong with the page, and with the proof about data subjects, if there is one.

    Most runs have no proof. Parquet files that no report has are named, because a reader of all
    files would take them for rows.
    """
    for name, stated in ((PAGE, run["page_hash"]), (PROOF, run["proof_hash"])):
        try:
            found = (
                hash_page(folder, run["run_head"])
                if name == PAGE
                else sha256((folder / name).read_bytes()).hexdigest()
            )
        except OSError:
            found = None
        if found != stated:
            problem = _CHANGED if found else "is missing or cannot be read"
            yield Alteration(report_name(folder), name, None, problem if stated else "was added")
    known = {folder / f"{table}.parquet" for table in (*TABLES, "run")}
    for file in sorted(set(folder.rglob("*.parquet")) - known):
        yield Alteration(report_name(folder), str(file.relative_to(folder)), None, "was added")


def _check_overview(report: Path, signers: Sequence[Signer]) -> Iterator[Alteration]:
    """Yield the finding that the page over all runs was changed; without the key nothing tells."""
    last = last_link(report)
    try:
        row = pq.read_table(report / f"{PREFIX}{last.name}" / "run.parquet", partitioning=None)
        (key,) = row["signature_key"].to_pylist()
    except _UNREADABLE:
        return  # which is a finding of its own
    signer = next((signer for signer in signers if signer.key_id == key), None)
    if signer and (report / PAGE).exists() and not is_signed(report, signer):
        yield Alteration("", PAGE, None, _CHANGED)


def _check_succession(links: Sequence[Link], remembered: Link) -> Iterator[Alteration]:
    """Yield what is wrong with the order of runs: a run that is missing, added or moved."""
    by_name = {link.name: link for link in links}
    previous = BEGINNING
    for link in sorted(links, key=lambda link: link.sequence):
        follows = by_name.get(link.previous_run)
        if link.sequence == previous.sequence:
            yield Alteration(
                link.name, "", None, f"has the place of run {previous.name}: one was added"
            )
        elif link.sequence > previous.sequence + 1:
            missing = link.sequence - previous.sequence - 1
            runs = "1 run before it is" if missing == 1 else f"{missing} runs before it are"
            yield Alteration(link.name, "", None, f"{runs} missing")
        elif link.previous_run and follows is None:
            yield Alteration(
                link.name, "", None, f"the run before it, {link.previous_run}, is missing"
            )
        elif link.previous_head != (follows.head if follows else NO_RUN):
            yield Alteration(
                link.name, "", None, "does not follow the run before it: one was altered"
            )
        previous = link
    if remembered.sequence:
        found = by_name.get(remembered.name)
        if found is None:
            problem = "is missing: the state store remembers it as the last one"
            yield Alteration(remembered.name, "", None, problem)
        elif found.head != remembered.head:
            problem = "is not the one that the state store remembers"
            yield Alteration(remembered.name, "", None, problem)
