"""Limits of processor time that hold on a machine of any speed."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

_USUAL_SECONDS = 0.02
"""Processor time of the reference workload on a machine of the usual speed."""
_WORDS = re.compile(r"\w+")
_TEXT = "The doctor opened 12 windows, and the farmer closed <b>the small garden</b>. " * 3000


@contextmanager
def processor_limit(seconds: float) -> Iterator[None]:
    """Assert that the block takes at most so many seconds of processor time at the usual speed.

    A reference workload before and after the block tells how slow the machine is at the moment.
    """
    before = _time_reference()
    began = time.process_time()
    yield
    used = time.process_time() - began
    slowness = max(1.0, before / _USUAL_SECONDS, _time_reference() / _USUAL_SECONDS)
    assert used <= seconds * slowness, f"{used:.1f} s at 1/{slowness:.1f} of the usual speed"


def _time_reference() -> float:
    """Return the processor time of what reading a text is made of: patterns, slices and counts."""
    began = time.process_time()
    Counter(word[0].lower() for word in _WORDS.findall(_TEXT))
    "".join([_TEXT[at : at + 9].replace("<", "&lt;") for at in range(0, len(_TEXT), 3)])
    return time.process_time() - began
