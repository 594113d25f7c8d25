"""Parts that are chosen by name in the settings: one module each, in the folder of their kind.

A module's file name is the part's name with ``_`` for ``-``. Nothing lists them a second time, and
a module is imported when it is first asked for, so that naming all of them stays quick.
"""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import ModuleType

_ROOT = Path(__file__).resolve().parent.parent


def plugin_names(package: str) -> tuple[str, ...]:
    """The names of the parts in ``package`` (dotted), in alphabetical order; imports nothing."""
    folder = _ROOT.joinpath(*package.split("."))
    files = (path.stem for path in folder.glob("[!_]*.py"))
    return tuple(sorted(name.replace("_", "-") for name in files))


def load_plugin(package: str, name: str) -> ModuleType:
    """The module of the part ``name`` in ``package``. Raises ``KeyError`` when there is none."""
    if name not in plugin_names(package):
        raise KeyError(name)
    return import_module(f"{package}.{name.replace('-', '_')}")
