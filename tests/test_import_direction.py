"""The architecture as tests: layers, doors, no loops, and one place for each library.

Read from the source, imports inside functions included, so nothing has to be loaded for it.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("prism_core", "tasks", "flows")

COMMANDS = (
    "prism_core.building.command",
    "prism_core.cat.command",
    "prism_core.evaluation.command",
    "prism_core.training.command",
)
"""The commands that other distributions add."""

HOME = {
    "docx": ("prism_core.formats.pdf.flowing.docx_writer",),
    "olefile": ("prism_core.formats.detection", "prism_core.formats.old_office"),
    "pdfminer": ("prism_core.formats.pdf",),
    "pikepdf": ("prism_core.formats.pdf",),
    "pypdf": ("prism_core.formats.pdf",),
    "pypdfium2": ("prism_core.formats.pdf",),
    "reportlab": ("prism_core.formats.pdf",),
    "markdown_it": ("prism_core.formats.markdown",),
    "lxml": ("prism_core.formats", "prism_core.safe_xml"),
    "openai": ("prism_core.translators.openai",),
    "httpx2": (
        "prism_core.translators.response_limits",
        "prism_core.translators.http",
        "prism_core.notification.delivery",
    ),
    "smtplib": ("prism_core.notification.delivery",),
    "requests": (),
    "ctranslate2": (
        "prism_core.translators.adapters.local",
        "prism_core.training.ctranslate2_export",
        "prism_core.training.pretrained",
    ),
    "sentencepiece": (
        "prism_core.drafts.aligner",
        "prism_core.translators.adapters.local",
        "prism_core.training.subwords",
    ),
    "torch": ("prism_core.training", "prism_core.evaluation.bertscore"),
    "transformers": ("prism_core.training.pretrained", "prism_core.evaluation.bertscore"),
    "dp_accounting": ("prism_core.training.guarantee",),
    "scipy": ("prism_core.training.guarantee", "prism_core.training.membership"),
    "spacy": ("prism_core.language",),
    "sqlalchemy": ("prism_core.building.answers", "prism_core.fleet", "prism_core.state"),
    "sqlite3": ("prism_core.state",),
    "obstore": ("prism_core.storage.objects",),
    "cryptography": ("prism_core.cipher", "prism_core.translators.adapters.google"),
    "keyring": ("prism_core.state.user_key",),
    "starlette": ("prism_core.cat",),
    "unicode_rbnf": ("prism_core.languages.numbers",),
    "uvicorn": ("prism_core.cat.loopback",),
    "openpyxl": ("prism_core.cat.review.review_files",),
    "jinja2": ("prism_core.report",),
    "sacrebleu": ("prism_core.evaluation.metrics",),
    "matplotlib": ("prism_core.evaluation.figures",),
    "prefect": ("tasks", "flows"),
    "typer": ("flows", *COMMANDS),
    "rich": ("flows", *COMMANDS),
}
"""Where a library may be imported: the one seam that hides it from everything else."""

LAYERS = """
explained errors plugins resources margins connections controls safe_xml file_names files accounting
alignment record cipher storage processes settings languages language translation_memory dictionary
report notification formats mechanisms identifiers state translators decoding encoding
recovery drafts privacy_score model_card stages jobs prism
""".split()
"""The rooms of the product in ``prism_core`` from the ground up: each imports from those before it
alone."""

PARTS = """
prism_core.fleet
prism_core.cat prism_core.cat.loopback prism_core.cat.review prism_core.cat.serving
prism_core.cat.jobs prism_core.cat.command
prism_core.building prism_core.building.jobs flows.build_dictionary
prism_core.training prism_core.training.jobs flows.train_translator
prism_core.evaluation prism_core.evaluation.jobs flows.evaluate_privacy
prism_core.building.command prism_core.training.command prism_core.evaluation.command
""".split()
"""The rooms of the other distributions, above all of the product: nothing of it imports them."""

ORDER = [
    *(f"prism_core.{room}" for room in LAYERS),
    "prism_core",
    "tasks",
    "flows",
    "flows.command",
    *PARTS,
]
"""All rooms from the ground up; ``prism_core`` alone is the library's face."""


def modules() -> Iterator[tuple[str, Path]]:
    """The dotted name and the file of every module."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts), path


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def nodes_of(path: Path) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(tree_of(path)))


def imports(module: str, path: Path) -> Iterator[str]:
    """What ``module`` imports, as absolute dotted names."""
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in nodes_of(path):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join([*above, node.module or ""]) if node.level else node.module or ""
            yield from (f"{base.strip('.')}.{alias.name}" for alias in node.names)


FILES = dict(modules())


@cache
def edges() -> list[tuple[str, str]]:
    """Every module with each name that it imports."""
    return [(module, name) for module, path in FILES.items() for name in imports(module, path)]


@cache
def own_edges() -> list[tuple[str, str]]:
    """Those of ``edges`` that lead to a module of ours."""
    return [(module, name) for module, name in edges() if name.split(".")[0] in PACKAGES]


def is_in(name: str, package: str) -> bool:
    return name == package or name.startswith(package + ".")


def test_the_reader_of_imports_sees_them() -> None:
    assert len(edges()) > 300
    assert ("prism_core.stages.run", "prism_core.settings.Job") in edges()
    assert any(is_in(name, "prefect") for module, name in edges() if is_in(module, "tasks"))


@cache
def room_of(name: str) -> str:
    """The room that a module or a name of it is in: the longest that fits."""
    return max((room for room in ORDER if is_in(name, room)), key=len, default="")


def module_of(name: str) -> str:
    """The module that an imported name is, or is from."""
    while name not in FILES:
        name = name.rpartition(".")[0]
    return name


def test_every_module_is_in_a_room_of_the_layers() -> None:
    rooms = {room_of(name) for name in FILES}
    assert rooms - {"prism_core"} == set(ORDER) - {"prism_core"}
    assert [n for n in FILES if room_of(n) == "prism_core" and n != "prism_core"] == []


@pytest.mark.parametrize("room", ORDER)
def test_a_room_imports_from_lower_rooms_alone(room: str) -> None:
    higher = ORDER[ORDER.index(room) + 1 :]
    wrong = [(m, name) for m, name in own_edges() if room_of(m) == room and room_of(name) in higher]
    assert wrong == []


def test_the_product_imports_no_other_distribution() -> None:
    """It finds what they add by entry points."""
    folders = [file.parent for file in ROOT.glob("prism_core/**/pyproject.toml")]
    parts = [".".join(folder.relative_to(ROOT).parts) for folder in folders]
    assert len(parts) > 4

    def is_product(name: str) -> bool:
        return not any(is_in(name, part) for part in parts) and room_of(name) not in PARTS

    assert [(m, name) for m, name in own_edges() if is_product(m) and not is_product(name)] == []


@pytest.mark.parametrize("room", ORDER)
def test_a_room_is_entered_by_its_door_alone(room: str) -> None:
    """What others import from a package stands in ``__all__`` of its ``__init__``."""
    entered = [(m, name) for m, name in own_edges() if room_of(name) == room and room_of(m) != room]
    public = public_names(room)
    past = [(m, n) for m, n in entered if n != room and n.removeprefix(room + ".") not in public]
    assert past == []


def public_names(room: str) -> set[str]:
    """``__all__`` of a package; what has no underscore before it in a single module."""
    tree = tree_of(FILES[room])
    if FILES[room].name != "__init__.py":
        return {name for name in names_defined(tree) if not name.startswith("_")}
    listed = [
        node.value
        for node in tree.body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__"
    ]
    return set(ast.literal_eval(listed[0])) if listed else set()


def names_defined(tree: ast.Module) -> Iterator[str]:
    for node in tree.body:
        match node:
            case (
                ast.ClassDef(name=name)
                | ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
            ):
                yield name
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield name


def test_no_modules_import_each_other_in_a_loop() -> None:
    arrows: dict[str, set[str]] = {}
    for module, name in own_edges():
        arrows.setdefault(module, set()).add(module_of(name))
    order = TopologicalSorter({m: {n for n in arrows[m] if n != m} for m in arrows})
    order.prepare()  # raises CycleError with the loop


@pytest.mark.parametrize("library", HOME)
def test_a_library_is_imported_in_its_own_place_only(library: str) -> None:
    users = {module for module, name in edges() if is_in(name, library)}
    strangers = {user for user in users if not any(is_in(user, home) for home in HOME[library])}
    assert strangers == set()


def test_names_that_hide_a_second_job_are_not_used() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "managers"}
    assert [name for name, _ in modules() if vague & set(name.split("."))] == []


MOST_LINES = 400
LINES_WITHOUT_A_MAP = 150
SHARED_NAMES = {"Item", "MeterLease"}
"""Classes of one name: entries of a model file and texts to send; a protocol and what keeps it."""


def test_no_module_has_two_jobs() -> None:
    """One that grows past so many lines has."""
    long = {name for name, path in FILES.items() if len(lines_of(path)) > MOST_LINES}
    assert long == set()


def test_a_long_module_begins_with_a_map() -> None:
    """Its docstring says where to enter it, and the order of what that calls."""
    long = [path for path in FILES.values() if len(lines_of(path)) > LINES_WITHOUT_A_MAP]
    maps = {path: ast.get_docstring(tree_of(path)) for path in long}
    assert [path for path, said in maps.items() if len((said or "").splitlines()) < 3] == []


def test_no_other_name_of_a_class_is_used_twice() -> None:
    classes = Counter(
        node.name
        for path in FILES.values()
        for node in nodes_of(path)
        if isinstance(node, ast.ClassDef)
    )
    assert {name for name, count in classes.items() if count > 1} <= SHARED_NAMES


def test_what_a_process_keeps_follows_from_no_run_and_no_settings() -> None:
    """A cached function has what follows from its arguments, shipped data or the machine."""
    cached = [
        (path, node)
        for path in FILES.values()
        for node in nodes_of(path)
        if isinstance(node, ast.FunctionDef)
        and any(re.match(r"(lru_)?cache\b", ast.unparse(one)) for one in node.decorator_list)
    ]
    assert len(cached) > 20
    ambient = re.compile(r"\b(Run|Job|Store|\w*Settings|environ|getenv)\b")
    assert [(path, node.name) for path, node in cached if ambient.search(ast.unparse(node))] == []


def lines_of(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").splitlines()
