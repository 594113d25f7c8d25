"""Parts that are chosen by name in the settings: one module each, in the folder of their kind.

A module's file name is the part's name with ``_`` for ``-``; a part of several modules is a
package, in a sub-folder. Nothing lists them a second time, and a module is imported when it is
first asked for, so that naming all of them stays quick.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from types import ModuleType

_ROOT = Path(__file__).resolve().parent.parent


def plugin_names(package: str) -> tuple[str, ...]:
    """The names of the parts in ``package`` (dotted), in alphabetical order; imports nothing."""
    return _names(path.stem for path in _folder(package).glob("[!_]*.py"))


def package_names(package: str) -> tuple[str, ...]:
    """The names of the parts in ``package`` that are packages themselves, as ``plugin_names``."""
    return _names(path.parent.name for path in _folder(package).glob("[!_]*/__init__.py"))


def load_plugin(package: str, name: str) -> ModuleType:
    """The module of the part ``name`` in ``package``. Raises ``KeyError`` when there is none."""
    if name not in plugin_names(package):
        raise KeyError(name)
    return _load(package, name)


def load_package(package: str, name: str) -> ModuleType:
    """The package of the part ``name`` in ``package``. Raises ``KeyError`` when there is none."""
    if name not in package_names(package):
        raise KeyError(name)
    return _load(package, name)


def _folder(package: str) -> Path:
    return _ROOT.joinpath(*package.split("."))


def _names(stems: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(stem.replace("_", "-") for stem in stems))


def _load(package: str, name: str) -> ModuleType:
    return import_module(f"{package}.{name.replace('-', '_')}")
