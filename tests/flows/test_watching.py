"""A watched folder: what is put into it is translated when it has stopped changing."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest

from prism_core.errors import ConfigurationError, StoreInUse
from prism_core.jobs import translate, watch
from prism_core.report import ReportFolder
from prism_core.settings import Job, Settings, TranslatorSettings
from prism_core.stages import Summary


class Watched:
    """Runs of a watch, which ends when there were ``wanted``; ``busy`` of them find it in use."""

    def __init__(self, folder: Path, wanted: int = 1, busy: int = 0) -> None:
        (folder / "in").mkdir(exist_ok=True)
        firefox = TranslatorSettings.choose(name="firefox", sees="clear")
        settings = Settings(target="pt", translator=firefox)
        self.job = Job(input=folder / "in", output=folder / "out", settings=settings, still=0.4)
        self.wanted, self.busy = wanted, busy
        self.jobs: list[Job] = []
        self.found: list[Summary] = []
        self.errors: list[Exception] = []

    def run(self, job: Job) -> None:
        if self.busy:
            self.busy -= 1
            raise StoreInUse("another run is at work")
        self.jobs.append(job)
        self.found.append(translate(job))
        if len(self.found) == self.wanted:
            raise KeyboardInterrupt

    def watch(self) -> None:
        with pytest.raises(KeyboardInterrupt):
            watch(self.job, self.run, self.errors.append, every=0.05)


def test_a_file_is_taken_when_it_has_stopped_growing(tmp_path: Path) -> None:
    watched = Watched(tmp_path, wanted=2)
    (tmp_path / "in/ready.txt").write_text("The door is open.\n", encoding="utf-8")

    def grow() -> None:
        while not watched.found:
            with (tmp_path / "in/growing [1].txt").open("a", encoding="utf-8") as file:
                file.write("The door is open.\n\n")
            time.sleep(0.1)

    growing = threading.Thread(target=grow)
    growing.start()
    watched.watch()
    growing.join()
    first, second = watched.found
    assert first.documents == 1
    assert (second.documents, second.documents_unchanged) == (2, 1)
    written = (tmp_path / "out/growing [1].txt").read_text("utf-8")
    source = (tmp_path / "in/growing [1].txt").read_text("utf-8")
    assert written == source.replace("The door is open.", "A porta está aberta.")
    assert (tmp_path / "out/ready.txt").read_text("utf-8") == "A porta está aberta.\n"
    assert watched.jobs[0].run_id != watched.jobs[1].run_id
    assert all(ReportFolder(job.report_folder).find(job.run_id) for job in watched.jobs)


def test_a_watch_that_was_ended_translates_only_what_is_new(tmp_path: Path) -> None:
    watched = Watched(tmp_path)
    (tmp_path / "in/a.txt").write_text("The door is open.\n", encoding="utf-8")
    watched.watch()
    (tmp_path / "in/b.txt").write_text("The door is open.\n", encoding="utf-8")
    time.sleep(0.5)
    again = Watched(tmp_path)
    again.watch()
    assert (again.found[0].documents_unchanged, again.found[0].documents_written) == (1, 1)


def test_a_state_in_use_is_tried_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("prism_core.jobs.translation._RETRY", 0.01)
    watched = Watched(tmp_path, busy=2)
    (tmp_path / "in/a.txt").write_text("The door is open.\n", encoding="utf-8")
    watched.watch()
    assert [str(error) for error in watched.errors] == ["another run is at work"] * 2
    assert watched.found[0].documents_written == 1


def test_only_a_folder_is_watched(tmp_path: Path) -> None:
    job = Job(input=tmp_path / "none", output=tmp_path / "out", settings=Settings(target="pt"))
    with pytest.raises(ConfigurationError, match="not a folder"):
        watch(job, print, print)
