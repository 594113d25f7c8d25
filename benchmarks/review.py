"""Reviews of a folder of real files: is the XLIFF valid, does it hold all, is it read back?

    python -m benchmarks.review [FOLDER] [--json] [--translator apertium] [--keep OUT]

Runs the ``prism`` command as a user would, exports all of its sentences in both versions of XLIFF,
validates these against the schemas of OASIS and takes them in again. A row for each version:
``units``, of so many ``documents``, with so many formatting ``marks``; what is ``invalid`` by the
schema, ``left_out`` since XML cannot hold it, and ``differs`` when it is read back.
"""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from lxml import etree

from benchmarks.corpus import run
from benchmarks.measure import argument_parser, show
from prism_core.cat.jobs.reviewing import export_review
from prism_core.cat.review import read_review
from prism_core.record import Reason
from prism_core.settings import Job, Settings

SHARED = Path(os.environ.get("PRISM_SHARED_DATA", "../shared/data"))
SCHEMAS = Path(__file__).parents[1] / "tests" / "review" / "schemas"
_OF = {"1.2": "xliff-1.2.xsd", "2.1": "xliff_core_2.0.xsd"}
_MARKS = ("{*}g", "{*}x", "{*}pc", "{*}ph")


def main() -> None:
    """Run the job unless ``--keep`` has one, and look at its exports."""
    parser = argument_parser(__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=SHARED / "documents")
    parser.add_argument("--translator", default="apertium")
    parser.add_argument("--keep", type=Path)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        output = arguments.keep or Path(temporary) / "out"
        if not (output / "prism-report").is_dir():
            run(arguments.folder, output, arguments.translator, len(os.sched_getaffinity(0)))
        job = Job(input=arguments.folder, output=output, settings=Settings(target="es"))
        rows = [look_at(job, Path(temporary), version) for version in _OF]
    show(rows, as_json=arguments.json)


def look_at(job: Job, folder: Path, version: str) -> dict[str, object]:
    """The row of one version."""
    file = folder / f"{version}.xlf"
    exported = export_review(job, file, only=frozenset(Reason), newest=version == "2.1")
    parser = etree.XMLParser(no_network=True, huge_tree=True)
    schema = etree.XMLSchema(etree.parse(SCHEMAS / _OF[version], parser))
    tree = etree.parse(file, parser)
    schema.validate(tree)
    units = tree.getroot().iter("{*}trans-unit", "{*}unit")
    held = {str(unit.get("id")): "".join(unit.find(".//{*}source").itertext()) for unit in units}
    read = {one.id: one for one in read_review(file, lambda: b"")}
    return {
        "version": version,
        "units": exported.units,
        "documents": exported.documents,
        "marks": sum(1 for _ in tree.getroot().iter(*_MARKS)),
        "invalid": len(schema.error_log),
        "left_out": exported.left_out,
        "differs": sum(one.broken or one.source != held[one.id] for one in read.values()),
    }


if __name__ == "__main__":
    main()
