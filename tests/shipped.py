"""What stays in the processes of tests, and in those that runs are forked from."""

from __future__ import annotations

import gc
import os
import ssl
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from sqlalchemy.util import LRUCache

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


def read_equal_once(read: Callable[..., object]) -> Callable[..., object]:
    """``read``, but of files that do not ship once for each content: most runs have the same."""
    known: LRUCache[tuple[object, ...], object] = LRUCache(4)

    def read_equal(path: Path, *more: object) -> object:
        if path.is_relative_to(SHIPPED) or not path.is_file():
            return read(path, *more)
        asked = (path.read_bytes(), *more)
        if asked not in known:
            known[asked] = read(path, *more)
        return known[asked]

    return read_equal


def share_certificates(
    make_context: Callable[..., ssl.SSLContext],
) -> Callable[..., ssl.SSLContext]:
    """Return ``make_context``, but clients that trust the same certificates share what was read.

    To read those of the system takes .05 s for each client, most of a test of a translator.
    """
    make = lru_cache(maxsize=8)(lambda trust_env, _named: make_context(_trust_env=trust_env))

    def share(*, _trust_env: bool = True) -> ssl.SSLContext:
        return make(_trust_env, tuple(map(os.environ.get, ("SSL_CERT_FILE", "SSL_CERT_DIR"))))

    return share


def freeze() -> None:
    """Look no more, for garbage, at what there is: it stays to the end.

    Whoever reads a dictionary asks whether anything is frozen, and Python would count it all.
    """
    gc.freeze()
    frozen = gc.get_freeze_count()
    gc.get_freeze_count = lambda: frozen
