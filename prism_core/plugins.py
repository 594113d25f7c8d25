"""Plugins: modules that are imported when first used.

Parts that are chosen by name in the settings are one module each, in the folder of their kind. A
module's file name is the part's name with ``_`` for ``-``. Other distributions add parts by entry
points, whose group is the name of that package. Nothing lists parts a second time, and naming all
of them imports none.

Entry: ``plugin_names`` and ``load_plugin``; ``lazy_door`` for the names of a package;
``require_distribution`` and ``how_to_install`` for parts that are installed by an extra.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint, PackageNotFoundError, distribution, entry_points
from pathlib import Path
from types import ModuleType

from prism_core.errors import ConfigurationError

_ROOT = Path(__file__).resolve().parent.parent


def plugin_names(package: str) -> tuple[str, ...]:
    """Return the names of the parts of ``package`` (dotted), sorted; import nothing."""
    return tuple(sorted({*_modules_in(package), *find_entry_points(package)}))


def _modules_in(package: str) -> set[str]:
    """Return the names of the parts that are modules of ``package``."""
    folder = _ROOT.joinpath(*package.split("."))
    return {path.stem.replace("_", "-") for path in folder.glob("[!_]*.py")}


@cache
def find_entry_points(group: str) -> dict[str, EntryPoint]:
    """Return the parts that other distributions add to ``group``, by name and sorted."""
    points = sorted(entry_points(group=group), key=lambda point: point.name)
    return {point.name: point for point in points}


def load_plugin(package: str, name: str) -> ModuleType:
    """Import the part ``name`` of ``package``. Raises ``KeyError`` when there is none."""
    if name in _modules_in(package):
        return import_module(f"{package}.{name.replace('-', '_')}")
    module: ModuleType = find_entry_points(package)[name].load()
    return module


def require_distribution(extra: str, purpose: str) -> None:
    """Raise ``ConfigurationError`` unless the distribution of ``extra`` is installed."""
    try:
        distribution(f"prism-{extra}")
    except PackageNotFoundError:
        raise ConfigurationError(f"{purpose} is not installed. {how_to_install(extra)}") from None


def how_to_install(extra: str) -> str:
    """Return the advice to install ``extra``."""
    return f"Install it: pip install 'prism-translate[{extra}]'"


def lazy_door(package: str) -> Callable[[str], object]:
    """Make the ``__getattr__`` of ``package``, which imports each name when it is first used.

    The names are those that the package imports for type checkers, from the same modules.
    """

    def load(name: str) -> object:
        module = _imports_for_type_checkers(package).get(name)
        if module is None:
            raise AttributeError(name)
        return getattr(import_module(module), name)

    return load


@cache
def _imports_for_type_checkers(package: str) -> dict[str, str]:
    """Return the module of each name that ``package`` imports under ``TYPE_CHECKING``."""
    import ast

    tree = ast.parse(Path(str(import_module(package).__file__)).read_text(encoding="utf-8"))
    blocks = (node for node in tree.body if isinstance(node, ast.If))
    return {
        alias.name: node.module
        for block in blocks
        for node in block.body
        if isinstance(node, ast.ImportFrom) and node.module and node.module != package
        for alias in node.names
    }
