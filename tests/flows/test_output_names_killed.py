"""A run that is killed and one that is not give the same names of files."""

from __future__ import annotations

import os
import secrets
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from prism_core.jobs import translate
from prism_core.state import data_keys
from tests.child_process import KILLED, die
from tests.flows.killing import kill_at_request, kill_at_transaction, run_in_child
from tests.flows.test_output_names import TRANSLATE_NAMES, again, failures, job_over, texts
from tests.stages.archive import (
    Backwards,
    install,
    outputs,
    write_archive,
)

pytestmark = pytest.mark.usefixtures("log")


@pytest.fixture
def _same_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two stores with one key name their documents alike: the order of names is that of ids."""
    fixed = SimpleNamespace(token_bytes=bytes, randbelow=secrets.randbelow)
    monkeypatch.setattr(data_keys, "secrets", fixed)


@pytest.mark.usefixtures("_same_ids")
@pytest.mark.parametrize("number", [3])
def test_a_run_killed_at_a_request_gives_the_same_names(
    tmp_path: Path, log: Path, number: int
) -> None:
    check_killed(tmp_path, lambda: kill_at_request(log, number, "after")())


@pytest.mark.usefixtures("_same_ids")
@pytest.mark.parametrize("committed", [False, True])
@pytest.mark.parametrize("number", [16, 25])
def test_a_run_killed_at_a_transaction_gives_the_same_names(
    tmp_path: Path, log: Path, number: int, committed: bool
) -> None:
    check_killed(tmp_path, lambda: kill_at_transaction(log, number, committed=committed)())


@pytest.mark.usefixtures("_same_ids")
@pytest.mark.parametrize("moment", ["before", "between", "after"])
def test_a_run_killed_while_a_file_is_put_in_place_gives_the_same_names(
    tmp_path: Path, log: Path, moment: str
) -> None:
    def prepare() -> None:
        folder: Any = import_module("prism_core.storage.folder_location")
        place, free = folder.put_in_place, folder._move_if_absent

        def placing(partial: Path, source: Path, final: Path, *, replace: bool) -> None:
            if moment == "before":
                die()
            place(partial, source, final, replace=replace)
            die()

        def linking(partial: Path, final: Path) -> None:
            os.link(partial, final)
            die()

        folder.put_in_place = placing
        folder._move_if_absent = linking if moment == "between" else free
        install(Backwards(log))

    check_killed(tmp_path, prepare)


CLASHING = {
    "a/old_letter.txt": "The old doctor opened the window.\n",
    "a/Old_letter.txt": "The quiet farmer cleaned the table.\n",
    "a/old_letter.md": "# The heavy table\n\nThe soldier moved the ladder.\n",
    "a/dlo_rettel.txt": "The teacher carried a basket.\n",
    "b/old_letter.txt": "The dog followed the farmer.\n",
}


def check_killed(folder: Path, prepare: Callable[[], None]) -> None:
    """A run that is killed and one that is not give the same files, whatever else is there."""
    mine = {"b/dlo_rettel.txt": "Mine.\n"}
    job = job_over(folder, CLASHING, documents=TRANSLATE_NAMES)
    write_archive(job.output, mine)
    assert run_in_child(job, prepare) == KILLED
    translate(again(job))
    whole = again(job).model_copy(update={"output": folder / "whole"})
    write_archive(whole.output, mine)
    translate(whole)
    assert len(outputs(job)) == len(CLASHING) + 1
    assert outputs(job) == outputs(whole)
    assert texts(job)["b/dlo_rettel.txt"] == "Mine.\n"
    assert failures(job) == {}
