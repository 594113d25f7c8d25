"""Modules that are imported when something of them is first asked for.

Parts that are chosen by name in the settings are one module each, in the folder of their kind. A
module's file name is the part's name with ``_`` for ``-``; parts of several modules are packages,
in sub-folders. Nothing lists them a second time, and naming all of them imports none.

Entry: ``plugin_names`` and ``load_plugin``; ``lazy_door`` for the names of a package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType

_ROOT = Path(__file__).resolve().parent.parent


def plugin_names(package: str, *, packages: bool = False) -> tuple[str, ...]:
    """The names of the parts in ``package`` (dotted), in alphabetical order; imports nothing.

    With ``packages`` the parts are those that are packages themselves, else the single modules.
    """
    folder = _ROOT.joinpath(*package.split("."))
    pattern = "[!_]*/__init__.py" if packages else "[!_]*.py"
    stems = [path.parent.name if packages else path.stem for path in folder.glob(pattern)]
    return tuple(sorted(stem.replace("_", "-") for stem in stems))


def load_plugin(package: str, name: str, *, packages: bool = False) -> ModuleType:
    """The part ``name`` in ``package``. Raises ``KeyError`` when there is none."""
    if name not in plugin_names(package, packages=packages):
        raise KeyError(name)
    return import_module(f"{package}.{name.replace('-', '_')}")


def lazy_door(package: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """The ``__getattr__`` of ``package``: each of its ``names``, by the module that has them, is
    taken from there when it is first used."""
    home = {name: module for module, listed in names.items() for name in listed.split()}

    def load(name: str) -> object:
        if name not in home:
            raise AttributeError(name)
        return getattr(import_module(f"{package}.{home[name]}"), name)

    return load
