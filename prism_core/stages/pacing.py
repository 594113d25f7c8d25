"""The pace that several processes share, if the settings name one."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from prism_core.errors import PaceUnknown, StateError
from prism_core.settings.translators import TranslatorSettings
from prism_core.state import SharedMeters
from prism_core.translators import Pacing, Provider, SharedPace


@contextmanager
def shared_pace(settings: TranslatorSettings, translator: Provider) -> Iterator[Pacing | None]:
    """What ``translator`` paces itself by while the block lasts; None for a pace of its own.

    Raises ``PaceUnknown`` when it cannot be asked, ``ConfigurationError`` for an address that is
    not understood.
    """
    if settings.shared_pace is None:
        yield None
        return
    account = settings.account or f"{translator.name}@{translator.endpoint}"
    meters = _open_meters(settings.shared_pace, account)
    try:
        yield SharedPace(translator.limits, meters)
    finally:
        meters.close()


def _open_meters(place: Path | str, account: str) -> SharedMeters:
    try:
        return SharedMeters.open(place, account)
    except StateError as error:
        fault = PaceUnknown(str(error))
    raise fault
