"""The mail benchmark as a user runs it, on a message and a mailbox."""

import json
import subprocess
import sys

from prism_core.resources import SHIPPED
from tests.formats.samples import SAMPLES


def test_every_format_has_one_row_and_made_messages_are_perfect(tmp_path):
    SAMPLES["eml"](tmp_path / "one.eml")
    SAMPLES["mbox"](tmp_path / "many")
    SAMPLES["txt"](tmp_path / "note.txt")
    command = [sys.executable, "-m", "benchmarks.mail", str(tmp_path), "--json", "--files"]
    done = subprocess.run(command, cwd=SHIPPED, capture_output=True, text=True, check=True)
    rows = json.loads(done.stdout)
    assert [row["format"] for row in rows] == ["eml", "mbox"]
    for row in rows:
        assert row["files"] == row["rebuilt"] == row["identical"] == row["trees"] == 1
        assert row["texts"] == row["returned"] > 4
        assert row["words"] > row["unread"] == 0
