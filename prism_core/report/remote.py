"""Reports in a bucket: who reads or writes works on a copy of what is needed, in a private folder
that goes with it, or with the next such copy where a process was killed. Reports hold no text.

Entry: ``ReportCopy(address)``; ``runs``, ``run`` and ``everything`` fetch, ``publish`` puts a
report that was written in the copy. There is a report from the moment its ``run.parquet`` is there,
which is put last; what a killed run left of one is none.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from prism_core.errors import OutputError
from prism_core.report.chain import PREFIX, link_of, name_of
from prism_core.storage import ObjectAddress, ObjectStore, Scratch

_RUN: Final = "run.parquet"
_BEFORE: Final = 8
"""Reports before one that are fetched with it, to tell which of its failures are new."""


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
        for run in self._files:  # the name is taken, also by what is not whole
            (self.folder / run).mkdir()

    def runs(self) -> None:
        """Fetch what each report says of its run."""
        for run in self._files:
            self._fetch(run, _RUN)

    def run(self, run_id: str) -> None:
        """Fetch the reports of a run, and of those before it what failed."""
        named = [r for r in self._files if r.removeprefix(PREFIX).partition(".")[0] == run_id]
        for run in named:
            self._fetch(run)
        before = max(named, key=lambda run: (len(run), run), default="")
        for _ in range(_BEFORE):
            link = link_of(self.folder / before) if before else None
            before = f"{PREFIX}{link.previous_run}" if link and link.previous_run else ""
            if before not in self._files:
                break
            self._fetch(before, _RUN)
            self._fetch(before, "documents.parquet")

    def everything(self) -> None:
        """Fetch all reports, whole; what is left of others is not for readers."""
        for run, files in self._files.items():
            if _RUN in files:
                self._fetch(run)
            else:
                (self.folder / run).rmdir()

    def publish(self, written: Path) -> None:
        """Put the report that was ``written``, and the page over all. Raises ``OutputError``."""
        files = sorted((file for file in written.iterdir()), key=lambda file: file.name == _RUN)
        for file in files:
            name, content = f"{written.name}/{file.name}", file.read_bytes()
            if not self._store.put_if_absent(name, content):
                found = self._store.get(name)
                if found is None or found[0] != content:
                    raise OutputError(
                        f"{self._address} holds another report called {name_of(written)}; run again"
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
