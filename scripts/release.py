"""Build a release into a folder: four wheels, the list of what the product needs, checksums.

``python -m scripts.release FOLDER``. The list (a CycloneDX SBOM) has every package that the wheel
brings with it at the versions of ``constraints.txt``; a licence among them that is not permissive
ends the build. Equal sources make equal files, byte for byte, with the same version of Python.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PARTS = (
    "prism_core/building",
    "prism_core/training",
    "prism_core/evaluation",
    "prism_core/formats/pdf/flowing",
)
"""The distributions beside the product, each with its pyproject.toml."""
GENERATOR = "cyclonedx-bom==7.5.0"
PERMISSIVE = frozenset(
    """
    0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BSL-1.0 CC0-1.0 CNRI-Python ISC MIT MIT-0 MIT-CMU
    MPL-2.0 PSF-2.0 Python-2.0 Unlicense Zlib
""".split()
)
"""SPDX names of licences that let everybody use, change and sell; MPL-2.0 binds its own files."""
CLASSIFIERS = frozenset({
    "License :: OSI Approved :: Apache Software License",
    "License :: OSI Approved :: BSD License",
    "License :: OSI Approved :: ISC License (ISCL)",
    "License :: OSI Approved :: MIT License",
    "License :: OSI Approved :: Mozilla Public License 2.0 (MPL 2.0)",
})  # fmt: skip
READ = {
    "pypdfium2": "Apache-2.0 OR BSD-3-Clause, in files of its own: its metadata names none",
    "text-unidecode": "used under the Artistic License, one of the two it is offered under",
}
"""Packages whose licence was read by a person."""


def main(folder: Path) -> None:
    """Write the release into ``folder``. Raises ``SystemExit`` for a licence that does not fit."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in (".", *PARTS):
        _run(
            sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, at=ROOT / part
        )
    wheel = max(folder.glob("prism_translate-*.whl"), key=lambda path: path.stat().st_mtime)
    with tempfile.TemporaryDirectory() as temporary:
        bare, tools = Path(temporary) / "bare", Path(temporary) / "tools"
        for place, package in ((bare, wheel), (tools, GENERATOR)):
            _run(sys.executable, "-m", "venv", "--without-pip", place)
            pip = [sys.executable, "-m", "pip", "--python", place / "bin" / "python"]
            pinned = ["-c", "constraints.txt"] if place == bare else []
            _run(*pip, "install", "--quiet", "--no-compile", *pinned, package)
        generate = [tools / "bin" / "cyclonedx-py", "environment", "--output-reproducible"]
        described = ["--pyproject", "pyproject.toml", "--mc-type", "application"]
        found = _run(*generate, *described, bare / "bin" / "python")
    bill = without_shops(json.loads(found))
    if unfit := sorted(set(unfit_licences(bill))):
        raise SystemExit(
            "Read these licences, then add them to scripts/release.py:\n" + "\n".join(unfit)
        )
    parts = wheel.name.split("-")
    listed = folder / f"{parts[0]}-{parts[1]}.cdx.json"
    listed.write_text(json.dumps(bill, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    released = [*sorted(folder.glob("prism_*-*.whl")), listed]
    sums = [f"{sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in released]
    (folder / "SHA256SUMS").write_text("".join(sums), encoding="utf-8")


def without_shops(bill: dict[str, Any]) -> dict[str, Any]:
    """``bill`` with links to sources alone: none to where a package was, or may be, fetched."""
    kept = {**bill, "metadata": {**bill["metadata"]}}
    kept["metadata"].pop("tools", None)
    kept["components"] = [
        component
        | {
            "externalReferences": [
                link for link in component.get("externalReferences", ()) if link["type"] == "vcs"
            ]
        }
        for component in bill["components"]
    ]
    return kept


def unfit_licences(bill: dict[str, Any]) -> Iterator[str]:
    """``name: licence`` of every package whose licence is unknown here, or not permissive."""
    for component in bill["components"]:
        if component["name"] in READ:
            continue
        stated = [_name_of(entry) for entry in component.get("licenses", ())]
        for licence in stated or ["none"]:
            if licence not in CLASSIFIERS and not _is_permissive(licence):
                yield f"{component['name']}: {licence}"


def _name_of(entry: dict[str, Any]) -> str:
    licence = entry.get("license", {})
    return str(entry.get("expression") or licence.get("id") or licence.get("name"))


def _is_permissive(expression: str) -> bool:
    """Whether every name in an SPDX expression is; one of several to choose from is not enough."""
    return set(re.findall(r"[\w.+-]+", expression)) - {"AND", "OR", "WITH"} <= PERMISSIVE


def _run(*command: str | Path, at: Path = ROOT) -> str:
    """Run ``command`` in the folder ``at`` and return its output; its errors stay on screen."""
    done = subprocess.run(command, cwd=at, check=True, stdout=subprocess.PIPE, text=True)  # noqa: S603 (no part of it comes from outside)
    return done.stdout


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(description="Build what is released.")
    arguments.add_argument("folder", type=Path)
    main(arguments.parse_args().folder.absolute())
