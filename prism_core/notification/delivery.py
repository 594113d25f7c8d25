"""Delivers a notice in every way that is set up, within its time, and never raises."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from prism_core.notification.notice import NotDelivered, Notice
from prism_core.settings import NotifySettings

Way = Callable[[NotifySettings, Notice, Mapping[str, str]], None]


def deliver(
    settings: NotifySettings, notice: Notice, environment: Mapping[str, str]
) -> tuple[str, ...]:
    """Send ``notice`` by webhook and mail, as set up; gives what went wrong, a line a way.

    Both ways together have ``settings.timeout_seconds``, however slowly a server answers.
    ``environment`` has the secrets that the settings name.
    """
    waiting = [
        (name, _Attempt(way, settings, notice, environment)) for name, way in _ways(settings)
    ]
    until = time.monotonic() + settings.timeout_seconds
    problems = [(name, attempt.problem(until)) for name, attempt in waiting]
    return tuple(
        f"the summary of the run could not be sent by {name}: {problem}; see [notify] in the "
        "settings"
        for name, problem in problems
        if problem
    )


def _ways(settings: NotifySettings) -> list[tuple[str, Way]]:
    """Those that are set up, by name; what they need is imported only then."""
    ways: list[tuple[str, Way]] = []
    if settings.webhook:
        from prism_core.notification.webhook import post

        ways.append(("webhook", post))
    if settings.mail_to:
        from prism_core.notification.mail import send

        ways.append(("mail", send))
    return ways


class _Attempt:
    """One delivery in a thread that nobody waits for longer than its time.

    The libraries bound each step; a server that answers a byte at a time would have for ever.
    """

    def __init__(
        self, way: Way, settings: NotifySettings, notice: Notice, environment: Mapping[str, str]
    ) -> None:
        self._problem = "it took too long"
        arguments = (way, settings, notice, environment)
        self._thread = threading.Thread(target=self._run, args=arguments, daemon=True)
        self._thread.start()

    def problem(self, until: float) -> str:
        """What went wrong by the moment ``until``; empty when it arrived."""
        self._thread.join(max(until - time.monotonic(), 0))
        return self._problem

    def _run(
        self, way: Way, settings: NotifySettings, notice: Notice, environment: Mapping[str, str]
    ) -> None:
        try:
            way(settings, notice, environment)
        except NotDelivered as error:
            self._problem = str(error)
        except Exception as error:  # noqa: BLE001 - telling must not end the run; no foreign words
            self._problem = f"a fault of PRISM ({type(error).__name__})"
        else:
            self._problem = ""
