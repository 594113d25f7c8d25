"""How long a provider asks to wait, read from the headers of its answer."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping
from email.utils import parsedate_to_datetime

DEFAULT_PAUSE = 5.0
"""Seconds to wait after a 429 that does not say how long."""


def retry_after(headers: Mapping[str, str], now: float | None = None) -> float | None:
    """Seconds that the provider asks to wait: milliseconds, seconds, a date, or None.

    ``headers`` finds names in lower case. ``now`` is seconds since the epoch, for tests. Nonsense
    and moments in the past count as unsaid.
    """
    for name, divisor in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        seconds = _number(headers.get(name))
        if seconds is not None:
            return seconds / divisor if seconds > 0 else None
    try:
        moment = parsedate_to_datetime(headers["retry-after"]).timestamp()
    except (KeyError, ValueError, TypeError, OverflowError):
        return None
    wait = moment - (time.time() if now is None else now)
    return wait if wait > 0 else None


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if math.isfinite(value) else None
