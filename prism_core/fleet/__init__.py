"""One pace for the processes of several runs or machines that share an account.

The product finds ``open_pace`` by the entry point of this distribution.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager

from prism_core.errors import PaceUnknown, StateError
from prism_core.fleet.shared_meters import SharedMeters
from prism_core.fleet.shared_pacing import SharedPace
from prism_core.translators import Limits

__all__ = ["SharedMeters", "SharedPace", "open_pace"]


@contextmanager
def open_pace(limits: Limits, address: str, account: str) -> Iterator[SharedPace]:
    """Open the pace of ``account`` whose meters are at ``address``, a file or a database.

    Raises ``PaceUnknown`` when it cannot be queried, ``ConfigurationError`` for an address that is
    not understood.
    """
    try:
        meters = SharedMeters.open(address, account)
    except StateError as error:
        raise PaceUnknown(str(error)) from None
    with closing(meters), closing(SharedPace(limits, meters)) as pace:
        yield pace
