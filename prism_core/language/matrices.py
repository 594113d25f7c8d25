"""Matrix products of spaCy's models with NumPy's OpenBLAS, on one thread.

Entry: ``use_openblas`` once for a pipeline, then ``use_one_thread`` around each use of it.
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
"""Names of the functions in NumPy's wheels, and in builds of distributions."""


class _Threads(NamedTuple):
    """Functions that read and set the number of threads of OpenBLAS in this process."""

    read: Callable[[], int]
    write: Callable[[int], None]


class _ActiveUsers:
    """Number of callers that use one thread now; the last one restores the number before."""

    def __init__(self) -> None:
        self.reset()

    def reset(self) -> None:
        """Start over, as a child process must whose parent was forked during use."""
        self.lock = threading.Lock()
        self.count = 0
        self.threads_before = 1


_ACTIVE = _ActiveUsers()


@cache
def _openblas_threads() -> _Threads | None:
    """Return the thread functions of NumPy's OpenBLAS; None with any other library."""
    try:  # a library is looked through with all that it was linked to
        library = ctypes.CDLL(np.linalg._umath_linalg.__file__)
    except (AttributeError, OSError):
        return None
    for name in _NAMES:
        if hasattr(library, name.format("set")):
            os.register_at_fork(after_in_child=_ACTIVE.reset)
            return _Threads(
                getattr(library, name.format("get")), getattr(library, name.format("set"))
            )
    return None


def use_openblas(pipeline: Pipeline) -> bool:
    """Make all models of ``pipeline`` use OpenBLAS; return False if there is none.

    Models that do not compute with NumPy stay as they are.
    """
    if _openblas_threads() is None:
        return False
    for _, component in pipeline.pipeline:
        model = getattr(component, "model", None)
        for node in model.walk() if isinstance(model, Model) else ():
            if type(node.ops) is NumpyOps:
                node.ops = NumpyOps(use_blis=False)
    return True


@contextmanager
def use_one_thread() -> Iterator[None]:
    """Limit OpenBLAS to one thread while the block lasts.

    The products of a sentence are too small to be parallelized: more threads only take more
    processor time. Several callers may be inside at the same time. A process forked meanwhile stays
    on one thread.
    """
    threads = _openblas_threads()
    if threads is None:
        yield
        return
    with _ACTIVE.lock:
        if not _ACTIVE.count:
            _ACTIVE.threads_before = threads.read()
            threads.write(1)
        _ACTIVE.count += 1
    try:
        yield
    finally:
        with _ACTIVE.lock:
            _ACTIVE.count -= 1
            if not _ACTIVE.count:
                threads.write(_ACTIVE.threads_before)
