"""Find the report to look at, and what is known beside it.

A report can be read by itself, on any machine. Where the state store and its key are available, it
is also known which file an id stands for, which report was written last, and whether signatures are
valid.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path

from prism_core.errors import ConfigurationError, StateError
from prism_core.report import Link, ReportCopy, ReportFolder, RunReport, Signer, Verdict
from prism_core.settings import Job, Settings
from prism_core.stages import Run
from prism_core.state import StatePlace, Store, UserKey
from prism_core.storage import ObjectAddress, make_absolute, parse_address


@dataclass(frozen=True, slots=True)
class ReportLocation:
    """Location of a folder of reports, of one report in it if that was selected, and their job.

    ``job`` is None where there is no state beside the report. ``copied`` is the local copy of
    reports in a bucket.
    """

    report: Path
    folder: Path | None
    job: Job | None
    copied: ReportCopy | None = None


@dataclass(frozen=True, slots=True)
class Audit:
    """Result of a verification; ``asked_store`` is True if the store named the last report."""

    location: ReportLocation
    verdict: Verdict
    asked_store: bool


def find_reports(place: Path | ObjectAddress, settings: Settings) -> ReportLocation:
    """Find the reports at ``place``: an output folder, a folder of reports, or one report in it.

    Reports in a bucket are copied. Raises ``ConfigurationError`` when it is none of them.
    """
    place = make_absolute(parse_address(place))
    is_bucket = isinstance(place, ObjectAddress)
    if RunReport.is_named(place.name) and (is_bucket or Path(str(place)).is_dir()):
        found = find_reports(place.parent, settings)
        return replace(found, folder=found.report / place.name)
    for output in (place.parent, place):
        job = Job(input=output, output=output, settings=settings)
        own = make_absolute(job.report_folder)
        report = own if output == place else place
        if ReportFolder(report).has_reports:
            known = job if own == report and StatePlace.of(job).exists else None
            if isinstance(report, Path):
                return ReportLocation(report, None, known)
            copy = ReportCopy(report)
            copy.fetch_all()
            return ReportLocation(copy.folder, None, known, copy)
    raise ConfigurationError(
        f"{place} holds no report; give the output folder of a run, its folder prism-report, or "
        "one of the folders run=… in that"
    )


def select_report(location: ReportLocation, run: str | None) -> Path:
    """Return the folder of the selected report: that of ``location``, that of ``run``, or the last.

    Raises ``ConfigurationError`` when there is no such run.
    """
    if location.folder is not None:
        return location.folder
    found = {report.row["run_id"]: report.folder for report in ReportFolder(location.report).runs()}
    if run is None and found:
        return list(found.values())[-1]
    if run not in found:
        raise ConfigurationError(
            f"{location.report} has no complete report of that run; prism audit summary lists them"
        )
    return found[run]


def verify(
    location: ReportLocation,
    settings: Settings,
    *,
    use_key: bool = True,
    key_files: Sequence[Path] = (),
) -> Audit:
    """Verify the reports of ``location``; nothing is made or changed.

    Signatures are checked with the key of ``settings``, the keys that rotations have left beside
    it, and those in ``key_files``, if ``use_key`` is set and a key exists. Raises
    ``ConfigurationError`` for a key that cannot be read.
    """
    user_key = UserKey(settings.key)
    keys = [user_key.find(), *user_key.earlier()]
    if not use_key:
        keys, key_files = [], ()
    for file in key_files:
        key = UserKey.in_file(file).find()
        if key is None:
            raise ConfigurationError(f"key file {file} does not exist; check --key-file")
        keys.append(key)
    signers = [Signer(key) for key in keys if key is not None]
    reports = ReportFolder(location.report)
    if location.folder is not None:
        return Audit(location, reports.verify(signers, only=location.folder), asked_store=False)
    remembered = None
    if use_key and location.job:
        with suppress(StateError), _view_run(location.job) as run:  # the store may be unusable
            remembered = run.last_report()
    verdict = reports.verify(signers, remembered or Link())
    return Audit(location, verdict, asked_store=remembered is not None)


def read_file_names(job: Job, folder: Path) -> dict[str, str]:
    """Return the file of each document id of the report in ``folder``, as far as still known.

    The store is only read. Raises ``StateError`` or ``ConfigurationError``.
    """
    with _view_run(job) as run:
        return run.store.documents.paths(RunReport.read(folder).document_ids())


def _view_run(job: Job) -> Run:
    key = UserKey(job.settings.key).find()
    if key is None:
        raise StateError("the key of the state store is not here, so names cannot be read")
    return Run(job, Store.view(StatePlace.of(job), key))
