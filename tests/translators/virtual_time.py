"""An event loop whose clock jumps: hours of pacing are tested in milliseconds, exactly."""

from __future__ import annotations

import asyncio
import selectors
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

_Result = TypeVar("_Result")


class _Impatient(selectors.DefaultSelector):
    """Instead of waiting it tells how long it would have waited."""

    skip: Callable[[float], None]

    def select(self, timeout: float | None = None) -> list[Any]:
        if timeout is None:
            raise RuntimeError("nothing is left that could ever happen")
        self.skip(max(0.0, timeout))
        return super().select(0)


class _VirtualLoop(asyncio.SelectorEventLoop):
    def __init__(self) -> None:
        self._now = 0.0
        selector = _Impatient()
        selector.skip = self._advance
        super().__init__(selector)

    def time(self) -> float:
        return self._now

    def _advance(self, seconds: float) -> None:
        self._now += seconds


def now() -> float:
    """The virtual time in seconds; the clock to inject."""
    return asyncio.get_running_loop().time()


def run(main: Coroutine[Any, Any, _Result]) -> _Result:
    """``asyncio.run`` in virtual time. Only for code that waits for nothing outside the loop."""
    with asyncio.Runner(loop_factory=_VirtualLoop) as runner:
        return runner.run(main)
