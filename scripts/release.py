"""Build a release into a folder: the wheels, lists of what the product needs, checksums.

``python -m scripts.release FOLDER``. The lists have every package that the wheel brings with it at
the versions of ``constraints.txt``: a CycloneDX SBOM, and requirements with the hashes of all their
files. A licence that is not permissive ends the build, and so does a package with a known
vulnerability, or one that pip-audit cannot look up (``--unaudited`` leaves that out). Equal sources
make equal files, byte for byte, with the same version of Python.
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
PARTS = sorted(file.parent.relative_to(ROOT) for file in ROOT.glob("prism_core/**/pyproject.toml"))
"""The distributions beside the product, each with its pyproject.toml."""
TOOLS = ("cyclonedx-bom==7.5.0", "pip-audit==2.10.1", "pip-tools==7.6.2")
HASHING = (
    "--quiet --no-config --generate-hashes --allow-unsafe --strip-extras --no-header --no-annotate "
    "--no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options"
).split()
"""Options of pip-compile that write names, versions and hashes alone: no index is named."""
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
    "uharfbuzz": "Apache-2.0, in a file of its own: its metadata names it in words",
}
"""Packages whose licence was read by a person."""


def main(folder: Path, *, is_audited: bool = True) -> None:
    """Write the release into ``folder``. Raises ``SystemExit`` for a licence that does not fit."""
    folder.mkdir(parents=True, exist_ok=True)
    for part in (".", *PARTS):
        _run(
            sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", folder, at=ROOT / part
        )
    wheel = max(folder.glob("prism_translate-*.whl"), key=lambda path: path.stat().st_mtime)
    with tempfile.TemporaryDirectory() as temporary:
        bare, tools = Path(temporary) / "bare", Path(temporary) / "tools"
        for place, packages in ((bare, ("-c", "constraints.txt", wheel)), (tools, TOOLS)):
            _run(sys.executable, "-m", "venv", "--without-pip", place)
            pip = [sys.executable, "-m", "pip", "--python", place / "bin" / "python"]
            _run(*pip, "install", "--quiet", "--no-compile", *packages)
        generate = [tools / "bin" / "cyclonedx-py", "environment", "--output-reproducible"]
        described = ["--pyproject", "pyproject.toml", "--mc-type", "application"]
        bill = without_shops(json.loads(_run(*generate, *described, bare / "bin" / "python")))
        if unfit := sorted(set(unfit_licences(bill))):
            raise SystemExit(
                "Read these licences, then add them to scripts/release.py:\n" + "\n".join(unfit)
            )
        name = "-".join(wheel.name.split("-")[:2])
        listed, hashed = folder / f"{name}.cdx.json", folder / f"{name}.requirements.txt"
        listed.write_text(json.dumps(bill, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        wanted = Path(temporary) / "wanted.in"
        wanted.write_text("\n".join(pinned_packages(bill)), encoding="utf-8")
        hashed.unlink(missing_ok=True)
        _run(tools / "bin" / "pip-compile", *HASHING, "--output-file", hashed, wanted)
        if is_audited:
            audit = [tools / "bin" / "pip-audit", "--strict", "--require-hashes", "--disable-pip"]
            _run(*audit, "--requirement", hashed)
    released = [*sorted(folder.glob("prism_*-*.whl")), listed, hashed]
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


def pinned_packages(bill: dict[str, Any]) -> list[str]:
    """``name==version`` of every package in ``bill`` but the product itself."""
    return [
        f"{component['name']}=={component['version']}"
        for component in bill["components"]
        if not component["name"].startswith("prism-")
    ]


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
    parser = argparse.ArgumentParser(description="Build what is released.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--unaudited", action="store_true", help="where pip-audit reaches nothing")
    arguments = parser.parse_args()
    main(arguments.folder.absolute(), is_audited=not arguments.unaudited)
