"""The commands ``prism audit …``: verify, show and export the reports of earlier runs.

Entry: a function for each -> ``_locate`` the report -> ``prism_core.jobs.auditing`` ->
``audit_console``. Like the rest of the command they import nothing heavy before it is needed.
"""

from __future__ import annotations

import csv
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from flows.command import options
from flows.command.command_line import command, open_console, settings_of
from prism_core.errors import ConfigurationError, ExitCode

if TYPE_CHECKING:
    from prism_core.jobs import auditing
    from prism_core.settings import Settings

_HELP = """
Verify, show and export the reports of earlier runs.

PLACE is an output folder, its folder prism-report, or one run=… folder in it. A report holds no \
text and no file names; names are shown only where the state store and its key are available.
"""
audit_app = typer.Typer(help=_HELP, no_args_is_help=True)

Where = Annotated[
    Path, typer.Argument(metavar="PLACE", help="OUT, OUT/prism-report, or a run=… folder in it.")
]
OfRun = Annotated[
    str | None, typer.Option("--run", help="The id of a run.", show_default="the last one")
]


@command(audit_app, "verify")
def verify(
    place: Where,
    key_file: Annotated[
        list[Path] | None,
        typer.Option(help="Also accept signatures of this earlier key. May be repeated."),
    ] = None,
    no_key: Annotated[
        bool, typer.Option("--no-key", help="Check only hashes: no signatures, no state store.")
    ] = False,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
    as_json: options.AsJson = False,
) -> None:
    """Check that reports were not altered since they were written.

    Every row carries a hash of itself and the row before it, and every run a hash of its facts and
    the run before it. The command names each row, table or run that was changed, removed, added or
    moved, and ends with exit code 8. Where the key of the state is available, it also checks the
    signature of each run, which cannot be made without the key. Where the state store is available,
    it also checks that the last report is present.

    [bold]Examples[/]

      prism audit verify contracts-es/

      prism audit verify contracts-es/prism-report/run=5f3a… --json

      prism audit verify /media/copy/prism-report --no-key
    """
    from flows.command.audit_console import print_audit
    from prism_core.jobs import auditing

    where, loaded = _locate(place, settings)
    audit = auditing.verify(where, loaded, use_key=not no_key, key_files=key_file or ())
    if as_json or not quiet or audit.verdict.findings:
        print_audit(open_console(), audit, as_json=as_json)
    if audit.verdict.findings:
        raise typer.Exit(ExitCode.REPORT_ALTERED)


@command(audit_app, "show")
def show(
    place: Where,
    run: OfRun = None,
    settings: options.SettingsFile = None,
    as_json: options.AsJson = False,
) -> None:
    """Show a run in the terminal: the last one unless --run names another.

    Each document has a page in the run's index.html.

    [bold]Examples[/]

      prism audit show contracts-es/

      prism audit show contracts-es/ --run 5f3a9c0e11d2b7a4 --json
    """
    from flows.command.audit_console import print_run
    from prism_core.jobs import auditing
    from prism_core.report import RunReport

    where, _ = _locate(place, settings)
    report = RunReport.read(auditing.select_report(where, run))
    print_run(open_console(), report, as_json=as_json)


@command(audit_app, "summary")
def summary(
    place: Where, settings: options.SettingsFile = None, as_json: options.AsJson = False
) -> None:
    """List all runs, one line each: what was translated, what was sent in clear, which identifiers remained.

    [bold]Example[/]

      prism audit summary contracts-es/
    """  # noqa: E501 (the first line is its summary)
    from flows.command.audit_console import print_runs
    from prism_core.report import ReportFolder

    where, _ = _locate(place, settings)
    rows = [report.row for report in ReportFolder(where.report).runs()]
    print_runs(open_console(), rows, as_json=as_json)


@command(audit_app, "export")
def export(
    place: Where,
    target: Annotated[Path, typer.Option("--csv", metavar="DIR", help="Folder for the files.")],
    run: Annotated[
        str | None, typer.Option(help="The id of a run.", show_default="all runs")
    ] = None,
    external: Annotated[
        bool, typer.Option("--external", help="Write ranges for counts, days for times, new ids.")
    ] = False,
    settings: options.SettingsFile = None,
    quiet: options.Quiet = False,
) -> None:
    """Write the tables of all runs, or of the run that --run names, as CSV for a spreadsheet.

    With --external the copy reveals less, for readers outside your organisation: counts become
    ranges (1 to 10, 11 to 20, 21 to 40 …), times become days, ids are replaced by new random ones,
    and hashes and the table of sentences are left out. Existing files are never overwritten.

    [bold]Examples[/]

      prism audit export contracts-es/ --csv for-the-officer/

      prism audit export contracts-es/ --csv for-the-client/ --external
    """
    from prism_core.jobs import auditing
    from prism_core.report import ReportFolder, export_csv

    where, _ = _locate(place, settings)
    is_single = run is not None or where.folder is not None
    every = [report.folder for report in ReportFolder(where.report).runs()]
    folders = [auditing.select_report(where, run)] if is_single else every
    written = export_csv(folders, target, external=external)
    if not quiet:
        for table, rows in written.items():
            typer.echo(f"{rows:,} rows in {target / f'{table}.csv'}")


@command(audit_app, "names")
def list_names(place: Where, run: OfRun = None, settings: options.SettingsFile = None) -> None:
    """Print the file name of each document id of a run, as CSV.

    A report holds only ids, so that it can be passed on; the names are sealed in OUT/.prism.
    """
    from prism_core.jobs import auditing

    where, _ = _locate(place, settings)
    folder = auditing.select_report(where, run)
    if where.job is None:
        raise ConfigurationError(
            f"there is no state store beside {where.report}, and only it knows the names; give "
            "the output folder"
        )
    names = auditing.read_file_names(where.job, folder)
    writer = csv.writer(sys.stdout)
    writer.writerow(("document_id", "path"))
    writer.writerows(names.items())


def _locate(place: Path, settings: Path | None) -> tuple[auditing.ReportLocation, Settings]:
    from prism_core.jobs import auditing

    loaded = settings_of(settings, asks_nobody=True)
    return auditing.find_reports(place, loaded), loaded
