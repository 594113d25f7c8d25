"""Imports run one way: flows -> tasks -> prism_core, and a library has one place.

Read from the source, imports inside functions included, so nothing has to be loaded for it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("prism_core", "tasks", "flows")

HOME = {
    "docx": ("prism_core.formats.pdf.flowing.word",),
    "olefile": ("prism_core.formats.compound", "prism_core.formats.mail"),
    "pdfminer": ("prism_core.formats.pdf",),
    "pikepdf": ("prism_core.formats.pdf",),
    "pypdf": ("prism_core.formats.pdf",),
    "pypdfium2": ("prism_core.formats.pdf",),
    "reportlab": ("prism_core.formats.pdf",),
    "markdown_it": ("prism_core.formats.markdown",),
    "lxml": ("prism_core.formats", "prism_core.safe_xml"),
    "openai": (
        "prism_core.translators.openai_client",
        "prism_core.translators.openai_batch",
        "prism_core.translators.openai_interfaces",
        "prism_core.translators.openai_errors",
    ),
    "httpx2": (
        "prism_core.translators.connection",
        "prism_core.translators.http_post",
        "prism_core.notification.webhook",
    ),
    "smtplib": ("prism_core.notification.mail",),
    "deepl": ("prism_core.translators.deepl", "prism_core.translators.deepl_errors"),
    "requests": ("prism_core.translators.deepl",),
    "ctranslate2": ("prism_core.translators.local",),
    "sentencepiece": ("prism_core.translators.local",),
    "spacy": ("prism_core.language",),
    "sqlalchemy": ("prism_core.state",),
    "sqlite3": ("prism_core.state",),
    "cryptography": ("prism_core.cipher", "prism_core.translators.google_token"),
    "keyring": ("prism_core.state.key",),
    "jinja2": ("prism_core.report",),
    "sacrebleu": ("prism_core.evaluation.overlap",),
    "matplotlib": ("prism_core.evaluation.look",),
    "prefect": ("tasks", "flows"),
    "typer": ("flows",),
    "rich": ("flows",),
}
"""Where a library may be imported: the one seam that hides it from everything else."""

STRANGERS = ("formats", "translators", "mechanisms")
"""Packages of ``prism_core`` that never import each other."""


def modules() -> Iterator[tuple[str, Path]]:
    """The dotted name and the file of every module."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


def imports(module: str, path: Path) -> Iterator[str]:
    """What ``module`` imports, as absolute dotted names."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above, node.module or ""]) if node.level else node.module or ""
            yield from (f"{base.strip('.')}.{alias.name}" for alias in node.names)


EDGES = [(module, name) for module, path in modules() for name in imports(module, path)]


def is_in(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def test_the_reader_of_imports_sees_them() -> None:
    assert len(EDGES) > 300
    assert ("prism_core.stages.report", "prism_core.settings.job.Job") in EDGES
    assert any(is_in(name, "prefect") for module, name in EDGES if is_in(module, "tasks"))


@pytest.mark.parametrize(
    ("package", "forbidden"),
    [
        ("prism_core", "prefect"),
        ("prism_core", "tasks"),
        ("prism_core", "flows"),
        ("tasks", "flows"),
        *[("prism_core." + a, "prism_core." + b) for a in STRANGERS for b in STRANGERS if a != b],
        *[(f"prism_core.{a}", f"prism_core.{b}") for a in STRANGERS for b in ("stages", "state")],
        ("prism_core.language", "prism_core.stages"),
        ("prism_core.state", "prism_core.stages"),
        ("prism_core.state", "prism_core.formats"),
        ("prism_core.state", "prism_core.translators"),
        ("prism_core.report", "prism_core.state"),
        ("prism_core", "tests"),
        ("flows", "tests"),
    ],
)
def test_imports_run_one_way(package: str, forbidden: str) -> None:
    wrong = [(m, name) for m, name in EDGES if is_in(m, package) and is_in(name, forbidden)]
    assert wrong == []


@pytest.mark.parametrize("library", HOME)
def test_a_library_is_imported_in_its_own_place_only(library: str) -> None:
    users = {module for module, name in EDGES if is_in(name, library)}
    strangers = {user for user in users if not any(is_in(user, home) for home in HOME[library])}
    assert strangers == set()


def test_names_that_hide_a_second_job_are_not_used() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "managers"}
    assert [name for name, _ in modules() if vague & set(name.split("."))] == []
