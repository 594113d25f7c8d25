"""Where the report is that somebody wants to look at, and what may be known beside it.

A report can be read by itself, on any machine. Where the state store and its key are, it is also
known which file an id stands for, which report was written last, and whether signatures are valid.
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
from prism_core.storage import ObjectAddress, parse_address


@dataclass(frozen=True, slots=True)
class ReportPlace:
    """A folder of reports, the one report that was asked for, if so, and the job it is of.

    ``job`` is None where there is no state beside the report. ``copied``: the copy that they are
    in, of reports in a bucket.
    """

    report: Path
    folder: Path | None
    job: Job | None
    copied: ReportCopy | None = None


@dataclass(frozen=True, slots=True)
class Audit:
    """What verifying gave, and whether the state store was asked which report was the last."""

    place: ReportPlace
    verdict: Verdict
    asked_store: bool


def locate(place: Path | ObjectAddress, settings: Settings) -> ReportPlace:
    """What ``place`` is: an output folder, a folder of reports, or one report in it.

    Raises ``ConfigurationError`` when it is none of them.
    """
    place = parse_address(place)
    if isinstance(place, ObjectAddress):
        return _fetch(place, settings)
    place = place.expanduser().absolute()
    if RunReport.is_at(place):
        return ReportPlace(place.parent, place, _job_of(place.parent, settings))
    if ReportFolder(place).has_reports:
        return ReportPlace(place, None, _job_of(place, settings))
    job = Job(input=place, output=place, settings=settings)
    report = job.report_folder
    if isinstance(report, ObjectAddress):
        return replace(_fetch(report, settings), job=job if StatePlace.of(job).exists else None)
    if ReportFolder(report).has_reports:
        return ReportPlace(report, None, job if StatePlace.of(job).exists else None)
    raise _no_report(place)


def _fetch(place: ObjectAddress, settings: Settings) -> ReportPlace:
    """The same of a place in a bucket, with a copy of all its reports."""
    if RunReport.is_named(place.name):
        parent = _fetch(place.parent, settings)
        return replace(parent, folder=parent.report / place.name)
    job = Job(input=place, output=place, settings=settings)
    outputs = [(place, job.report_folder), (place.parent, place)]
    for output, report in outputs:
        if not isinstance(report, ObjectAddress) or not ReportFolder(report).has_reports:
            continue
        copy = ReportCopy(report)
        copy.everything()
        job = job.model_copy(update={"input": output, "output": output})
        known = job.report_folder == report and StatePlace.of(job).exists
        return ReportPlace(copy.folder, None, job if known else None, copy)
    raise _no_report(place)


def _no_report(place: Path | ObjectAddress) -> ConfigurationError:
    return ConfigurationError(
        f"{place} holds no report; give the output folder of a run, its folder prism-report, or "
        "one of the folders run=… in that"
    )


def report_folder(place: ReportPlace, run: str | None) -> Path:
    """The report that was asked for: by its folder, by its run, else the last one.

    Raises ``ConfigurationError`` when there is no such run.
    """
    if place.folder is not None:
        return place.folder
    found = {report.row["run_id"]: report.folder for report in ReportFolder(place.report).runs()}
    if run is None and found:
        return list(found.values())[-1]
    if run not in found:
        raise ConfigurationError(
            f"{place.report} has no complete report of that run; prism audit summary lists them"
        )
    return found[run]


def verify(
    place: ReportPlace, settings: Settings, *, use_key: bool = True, key_files: Sequence[Path] = ()
) -> Audit:
    """Verify what ``place`` names; nothing is made or changed.

    Signatures are checked with the key of ``settings``, those that rotations have left beside it,
    and those in ``key_files``, if ``use_key`` and where there is one. Raises
    ``ConfigurationError`` for a key that cannot be read.
    """
    own = UserKey(settings.key)
    ours = [own.find(), *own.earlier()]
    if not use_key:
        ours, key_files = [], ()
    for file in key_files:
        key = UserKey.in_file(file).find()
        if key is None:
            raise ConfigurationError(f"key file {file} does not exist; check --key-file")
        ours.append(key)
    signers = [Signer(key) for key in ours if key is not None]
    reports = ReportFolder(place.report)
    if place.folder is not None:
        return Audit(place, reports.verify(signers, only=place.folder), asked_store=False)
    remembered = None
    if use_key and place.job:
        with suppress(StateError), _view(place.job) as run:  # else the store cannot be asked
            remembered = run.last_report()
    verdict = reports.verify(signers, remembered or Link())
    return Audit(place, verdict, asked_store=remembered is not None)


def names_in(job: Job, folder: Path) -> dict[str, str]:
    """The file behind each document id of the report in ``folder``, as far as it is still known.

    The store is only looked at. Raises ``StateError`` or ``ConfigurationError``.
    """
    with _view(job) as run:
        return run.store.documents.paths(RunReport.read(folder).document_ids())


def _view(job: Job) -> Run:
    key = UserKey(job.settings.key).find()
    if key is None:
        raise StateError("the key of the state store is not here, so names cannot be read")
    return Run(job, Store.view(StatePlace.of(job), key))


def _job_of(report: Path, settings: Settings) -> Job | None:
    job = Job(input=report.parent, output=report.parent, settings=settings)
    is_its = isinstance(job.report_folder, Path) and job.report_folder.absolute() == report
    return job if is_its and StatePlace.of(job).exists else None
