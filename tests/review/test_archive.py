"""All that a person has to look at in the sample archive is found, corrected, and in place."""

from __future__ import annotations

import re
import shutil
import signal
import subprocess
import sys
from itertools import chain
from pathlib import Path

import httpx2
import pytest
from lxml import etree

from prism_core.cat.jobs.reviewing import export_review, import_review
from prism_core.errors import ConfigurationError, ExitCode
from prism_core.formats import read_document
from prism_core.settings import Job, KeySettings, Settings
from tests.end_to_end.conftest import SAMPLES
from tests.end_to_end.job import Workplace, end

OURS = (".prism", "prism-report")
CHEAPLY = {
    "PRISM_TRANSLATOR__STYLE": "reverse",
    "PRISM_DECODING__REDRAWS": "0",
    "PRISM_LIMITS__WORKERS": "1",
}
BY_PAGE = "litigation/settlement-offer.eml"
XLIFF = "{urn:oasis:names:tc:xliff:document:1.2}"


def documents(output: Path) -> dict[str, bytes]:
    files = (path for path in output.rglob("*") if path.is_file())
    named = {str(path.relative_to(output)): path for path in files}
    return {n: p.read_bytes() for n, p in named.items() if not n.startswith(OURS)}


def numbers(path: Path) -> list[int]:
    """The numbers that corrections have, as a reader of the document sees them."""
    text = " ".join(segment.text for segment in read_document(path).segments)
    return [int(number) for number in re.findall(r"Número\s*(\d+)\.", text)]


def test_all_that_stayed_is_corrected_by_file_and_by_page_and_nothing_else_changes(
    tmp_path: Path,
) -> None:
    place = Workplace(tmp_path, CHEAPLY)
    shutil.copytree(SAMPLES, place.input)
    code = place.run("--translator", "fake", "--accept-losses", "--engine", "local")
    assert code == ExitCode.SOME_DOCUMENTS_FAILED, place.printed()
    key = KeySettings(file=place.key_file)
    job = Job(input=place.input, output=place.output, settings=Settings(target="es", key=key))
    first, before = tmp_path / "r.xlf", documents(place.output)
    exported = export_review(job, first)
    stayed = sum(int(str(row["sentences_withheld"])) for row in place.rows("documents"))
    assert exported.documents == len(before)
    assert (exported.left_out, exported.units >= stayed) == (0, True)

    tree, given = etree.parse(first), dict[str, list[int]]()
    for number, unit in enumerate(tree.iter(f"{XLIFF}trans-unit"), 1000):
        name = unit.getparent().getparent().get("original")
        if name != BY_PAGE:
            target = unit.find(f"{XLIFF}target")
            for child in target:
                target.remove(child)
            target.text = f"Número {number}."
            given.setdefault(name, []).append(number)
    tree.write(first, encoding="utf-8")
    found = import_review(job, first, "M. Ortega")
    assert (found.misfits, found.broken, found.changed) == ((), (), ())
    assert (found.corrected, found.rebuilt) == (sum(map(len, given.values())), len(given))
    after = documents(place.output)
    assert {name for name in after if after[name] != before[name]} == set(given)
    corrected = set(chain.from_iterable(given.values()))
    assert all({*theirs} <= {*numbers(place.output / name)} for name, theirs in given.items())
    assert {number for name in after for number in numbers(place.output / name)} == corrected

    serve = [sys.executable, "-m", "flows.command", "review", "serve", str(place.output)]
    server = subprocess.Popen(
        [*serve, "--reviewer", "L. Roy"],
        env=place.environment(),
        stdout=subprocess.PIPE,
        start_new_session=True,
        text=True,
    )
    try:
        assert server.stdout is not None
        address = server.stdout.readline().split()[-1]
        own = {"Origin": address.rstrip("/").rpartition("/")[0]}
        units = httpx2.get(f"{address}units").json()["units"]
        assert len(units) == exported.units - found.corrected
        for number, unit in enumerate(units, 5000):
            said = {"id": unit["id"], "translation": f"Número {number}."}
            answer = httpx2.post(f"{address}accept", json=said, headers=own, timeout=30)
            assert answer.status_code == 200
        server.send_signal(signal.SIGINT)
        assert server.wait(timeout=120) == ExitCode.OK, "the documents are written at the end"
    finally:
        end(server)
    last = documents(place.output)
    assert {name for name in last if last[name] == after[name]} == set(given)
    shown = {number for name in last for number in numbers(place.output / name)}
    assert shown == corrected | set(range(5000, 5000 + len(units)))
    with pytest.raises(ConfigurationError, match="nothing to review"):
        export_review(job, tmp_path / "again.xlf")
