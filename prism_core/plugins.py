"""Plugins: modules that are imported when first used.

Parts that are chosen by name in the settings are one module each, in the folder of their kind. A
module's file name is the part's name with ``_`` for ``-``. There is no other list of them, and
listing their names imports none.

Entry: ``plugin_names`` and ``load_plugin``; ``lazy_door`` for the names of a package.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from types import ModuleType

_ROOT = Path(__file__).resolve().parent.parent


def plugin_names(package: str) -> tuple[str, ...]:
    """Return the names of the parts in ``package`` (dotted), sorted; import nothing."""
    folder = _ROOT.joinpath(*package.split("."))
    return tuple(sorted(path.stem.replace("_", "-") for path in folder.glob("[!_]*.py")))


def load_plugin(package: str, name: str) -> ModuleType:
    """Import the part ``name`` in ``package``. Raises ``KeyError`` when there is none."""
    if name not in plugin_names(package):
        raise KeyError(name)
    return import_module(f"{package}.{name.replace('-', '_')}")


def lazy_door(package: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """Make the ``__getattr__`` of ``package``, which imports each name when it is first used.

    ``names`` maps each module to the names that it has, separated by blanks.
    """
    home = {name: module for module, listed in names.items() for name in listed.split()}

    def load(name: str) -> object:
        if name not in home:
            raise AttributeError(name)
        return getattr(import_module(f"{package}.{home[name]}"), name)

    return load
