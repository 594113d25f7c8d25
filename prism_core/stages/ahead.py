"""Work on several documents at once, in order, a few ahead and no further."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

most_documents = 4
"""Documents in memory at a time, each with a child process of its own; a worker has fewer."""


def ahead(
    function: Callable[[Item], Result], items: Iterable[Item], workers: int | None = None
) -> Iterator[tuple[Item, Future[Result]]]:
    """Call ``function`` on each item in a few threads; gives each item with its future, in order.

    The threads wait for child processes, so they keep the other cores busy. At most ``workers``
    items (the cores of the machine, ``most_documents`` at most) are under way, so memory does not
    grow with ``items``. An exception waits in its item's future.
    """
    workers = workers or min(os.cpu_count() or 1, most_documents)
    with ThreadPoolExecutor(workers, thread_name_prefix="prism-documents") as pool:
        under_way: deque[tuple[Item, Future[Result]]] = deque()
        for item in items:
            under_way.append((item, pool.submit(function, item)))
            if len(under_way) >= workers:
                yield under_way.popleft()
        yield from under_way
