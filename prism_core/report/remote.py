"""Copy of the reports in a bucket, for readers and writers; reports hold no text.

The copy is a private folder. It is removed with its object, or by the next copy if the process was
killed. Entry: ``ReportCopy(address)``; ``fetch_runs``, ``fetch_run`` and ``fetch_all`` fetch,
``publish`` uploads a report that was written in the copy. A report exists as soon as its
``run.parquet`` does, which is uploaded last; a partial upload of a killed run is not a report.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from prism_core.errors import OutputError
from prism_core.report.chain import PREFIX, read_link, report_name
from prism_core.storage import ObjectAddress, ObjectStore, Scratch

_RUN: Final = "run.parquet"
_EARLIER_REPORTS: Final = 8
"""Number of reports fetched before a run's, to tell which of its failures are new."""


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

    def fetch_runs(self) -> None:
        """Fetch the row of ``run.parquet`` of each report."""
        for run in self._files:
            self._fetch(run, _RUN)

    def fetch_run(self, run_id: str) -> None:
        """Fetch the reports of a run, and the failures of those before it."""
        own_reports = [
            name for name in self._files if name.removeprefix(PREFIX).partition(".")[0] == run_id
        ]
        for run in own_reports:
            self._fetch(run)
        before = max(own_reports, key=lambda run: (len(run), run), default="")
        for _ in range(_EARLIER_REPORTS):
            link = read_link(self.folder / before) if before else None
            before = f"{PREFIX}{link.previous_run}" if link and link.previous_run else ""
            if before not in self._files:
                break
            self._fetch(before, _RUN)
            self._fetch(before, "documents.parquet")

    def fetch_all(self) -> None:
        """Fetch all complete reports; partial ones are removed, as they are not for readers."""
        for run, files in self._files.items():
            if _RUN in files:
                self._fetch(run)
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

    def _fetch(self, run: str, only: str = "") -> None:
        for file in self._files[run]:
            path = self.folder / run / file
            if (not only or file == only) and not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                with path.open("w+b") as copy:
                    found = self._store.get_into(f"{run}/{file}", copy)
                if found is None:
                    path.unlink()
