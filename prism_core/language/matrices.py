"""The matrix products of spaCy's models on the OpenBLAS that NumPy brings, on one thread.

Entry: ``use_openblas`` once for a pipeline, then ``one_thread`` around each use of it.
"""

from __future__ import annotations

import ctypes
import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from typing import NamedTuple

import numpy as np
from spacy.language import Language as Pipeline
from thinc.api import Model, NumpyOps

_NAMES = (
    "scipy_openblas_{}_num_threads64_",
    "openblas_{}_num_threads64_",
    "openblas_{}_num_threads",
)
"""In NumPy's wheels, and where a distribution has built it."""


class _Threads(NamedTuple):
    """How many threads OpenBLAS takes for one product, in the whole process."""

    read: Callable[[], int]
    write: Callable[[int], None]


class _Users:
    """Who multiplies on one thread at this moment: the last of them gives the others back."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """Begin anew, as a child process must whose parent was forked while others were at work."""
        self.lock = threading.Lock()
        self.count = 0
        self.threads_before = 1


_USERS = _Users()


@cache
def _threads() -> _Threads | None:
    """Those of the OpenBLAS that NumPy is linked to; None where it is linked to another library."""
    try:  # a library is looked through with all that it was linked to
        library = ctypes.CDLL(np.linalg._umath_linalg.__file__)
    except (AttributeError, OSError):
        return None
    for name in _NAMES:
        if hasattr(library, name.format("set")):
            os.register_at_fork(after_in_child=_USERS.forget)
            return _Threads(
                getattr(library, name.format("get")), getattr(library, name.format("set"))
            )
    return None


def use_openblas(pipeline: Pipeline) -> bool:
    """Have all models of ``pipeline`` multiply by OpenBLAS; whether there is one.

    Models that compute elsewhere than with NumPy stay as they are.
    """
    if _threads() is None:
        return False
    for _, component in pipeline.pipeline:
        model = getattr(component, "model", None)
        for node in model.walk() if isinstance(model, Model) else ():
            if type(node.ops) is NumpyOps:
                node.ops = NumpyOps(use_blis=False)
    return True


@contextmanager
def one_thread() -> Iterator[None]:
    """OpenBLAS on one thread; then on as many as it had, for whoever else uses it.

    The products of a sentence are too small to be shared out: more threads only take more time of
    processors. Several may be within at a time. A process forked meanwhile stays on one.
    """
    threads = _threads()
    if threads is None:
        yield
        return
    with _USERS.lock:
        if not _USERS.count:
            _USERS.threads_before = threads.read()
            threads.write(1)
        _USERS.count += 1
    try:
        yield
    finally:
        with _USERS.lock:
            _USERS.count -= 1
            if not _USERS.count:
                threads.write(_USERS.threads_before)
