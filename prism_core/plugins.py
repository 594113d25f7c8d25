"""Modules that are imported when something of them is first asked for.

Parts that are chosen by name in the settings are one module each, in the folder of their kind. A
module's file name is the part's name with ``_`` for ``-``. Nothing lists them a second time, and
naming all of them imports none.

Entry: ``plugin_names`` and ``load_plugin``; ``lazy_door`` for the names of a package;
``require_distribution`` for parts that are installed by an extra.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from types import ModuleType

from prism_core.errors import ConfigurationError

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


def require_distribution(extra: str, purpose: str) -> None:
    """Raise ``ConfigurationError`` unless the distribution of ``extra`` is installed."""
    try:
        distribution(f"prism-{extra}")
    except PackageNotFoundError:
        raise ConfigurationError(
            f"{purpose} is not installed. Install it: pip install 'prism-translate[{extra}]'"
        ) from None


def lazy_door(package: str, names: Mapping[str, str]) -> Callable[[str], object]:
    """The ``__getattr__`` of ``package``: each of its ``names``, by the module that has them, is
    taken from there when it is first used."""
    home = {name: module for module, listed in names.items() for name in listed.split()}

    def load(name: str) -> object:
        if name not in home:
            raise AttributeError(name)
        return getattr(import_module(f"{package}.{home[name]}"), name)

    return load
