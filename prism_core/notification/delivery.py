"""Delivers a notice in every way that is set up, within its time, and never raises."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping

from prism_core.notification.notice import NotDelivered, Notice
from prism_core.settings import NotifySettings

_NOT_SENT = "the summary of the run could not be sent by {}: {}; see [notify] in the settings"
Way = Callable[[NotifySettings, Notice, Mapping[str, str]], None]


def deliver(
    settings: NotifySettings, notice: Notice, environment: Mapping[str, str]
) -> tuple[str, ...]:
    """Send ``notice`` by webhook and mail, as set up; gives what went wrong, a line a way.

    Both ways together have ``settings.timeout_seconds``: each is a thread that nobody waits for
    longer. The libraries bound each step; a server that answers a byte at a time would have for
    ever. ``environment`` has the secrets that the settings name.
    """
    ways: dict[str, Way] = {}  # what they need is imported only where they are set up
    if settings.webhook:
        from prism_core.notification.webhook import post

        ways["webhook"] = post
    if settings.mail_to:
        from prism_core.notification.mail import send

        ways["mail"] = send
    problems = dict.fromkeys(ways, "it took too long")

    def attempt(name: str, way: Way) -> None:
        try:
            way(settings, notice, environment)
            problems[name] = ""
        except NotDelivered as error:
            problems[name] = str(error)
        except Exception as error:  # noqa: BLE001 - telling must not end the run; no foreign words
            problems[name] = f"a fault of PRISM ({type(error).__name__})"

    threads = [threading.Thread(target=attempt, args=way, daemon=True) for way in ways.items()]
    for thread in threads:
        thread.start()
    until = time.monotonic() + settings.timeout_seconds
    for thread in threads:
        thread.join(max(until - time.monotonic(), 0))
    return tuple(_NOT_SENT.format(*problem) for problem in problems.items() if problem[1])
