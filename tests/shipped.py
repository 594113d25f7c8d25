"""What stays in the processes of tests, and in those that runs are forked from."""

from __future__ import annotations

import gc
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from prism_core import dictionary
from prism_core.resources import SHIPPED


def read_once(read: Callable[..., object]) -> Callable[..., object]:
    """``read``, but of a path that ships once for those that follow each other.

    No test changes what ships, and nobody writes to what was read of it. A dictionary takes half a
    second each time, and most who ask for one look for something else.
    """
    known = lru_cache(maxsize=3)(read)
    return lambda path, *more: (known if path.is_relative_to(SHIPPED) else read)(path, *more)


def _load_dictionary(path: Path, translator: str = "") -> dictionary.Dictionary:
    from prism_core.dictionary import parquet

    return parquet.load_dictionary(path, translator)


def read_dictionaries_once() -> None:
    """To be called before a module asks for ``load_dictionary``."""
    dictionary.load_dictionary = read_once(_load_dictionary)


def freeze() -> None:
    """Look no more, for garbage, at what there is: it stays to the end.

    Whoever reads a dictionary asks whether anything is frozen, and Python would count it all.
    """
    gc.freeze()
    frozen = gc.get_freeze_count()
    gc.get_freeze_count = lambda: frozen
