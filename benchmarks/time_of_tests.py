"""Where the processor time of tests goes: by folder, file and test, all processes counted.

    python -m benchmarks.time_of_tests tests/flows            # the dearest 30 tests, and the sums
    python -m benchmarks.time_of_tests tests -n 2 --dist loadscope

What follows the command is given to pytest. Every process that a test starts is counted, those
that it leaves behind too: they come to this one (a subreaper), whose whole tree is summed up.
A test is charged with what its process and the processes below that used while it ran, fixtures
included, so a fixture of a module is charged to the module's first test.
"""

import ctypes
import json
import os
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Generator
from pathlib import Path

import pytest

_FOLDER = "TESTS_TIME_NOTES"
_PR_SET_CHILD_SUBREAPER = 36
_DEAREST = 30


def tree_seconds(process: int) -> float:
    """Processor time of a process, of those below it, and of those of them that ended."""
    try:
        fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
        threads = list(Path(f"/proc/{process}/task").iterdir())
        below = [int(child) for at in threads for child in (at / "children").read_text().split()]
    except OSError:  # it ended just now, and is counted by whoever waited for it
        return 0.0
    ticks = sum(int(field) for field in fields[11:15])
    return ticks / os.sysconf("SC_CLK_TCK") + sum(tree_seconds(child) for child in below)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Note what a test used, all its fixtures and processes included."""
    before = tree_seconds(os.getpid())
    result = yield
    used = tree_seconds(os.getpid()) - before
    with (Path(os.environ[_FOLDER]) / str(os.getpid())).open("a") as notes:
        notes.write(json.dumps([item.nodeid, used]) + "\n")
    return result


def _print_sums(title: str, seconds: dict[str, float], most: int) -> None:
    print(f"\n{title}")
    for name, used in sorted(seconds.items(), key=lambda pair: -pair[1])[:most]:
        print(f"{used:8.1f}  {name}")


def main() -> int:
    """Run pytest, and print what used how much."""
    ctypes.CDLL(None).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    with tempfile.TemporaryDirectory(prefix="prism-tests-") as folder:
        ran = subprocess.run(
            [sys.executable, "-m", "pytest", "-p", "benchmarks.time_of_tests", *sys.argv[1:]],
            env=os.environ | {_FOLDER: folder},
            check=False,
        )
        notes = [json.loads(line) for at in Path(folder).iterdir() for line in at.open()]
    folders: dict[str, float] = defaultdict(float)
    files: dict[str, float] = defaultdict(float)
    tests: dict[str, float] = defaultdict(float)
    for test, used in notes:
        path = Path(test.partition("::")[0])
        folders[str(path.parent)] += used
        files[str(path)] += used
        tests[test] += used
    _print_sums("folders, s", folders, len(folders))
    _print_sums("files, s", files, _DEAREST)
    _print_sums("tests, s", tests, _DEAREST)
    print(f"\n{tree_seconds(os.getpid()):8.1f}  in all, start and collection included")
    return ran.returncode


if __name__ == "__main__":
    sys.exit(main())
