"""What a status of HTTP means to us: mapped here, once, for every provider asked over plain HTTP.

A provider lays its own table over ``BY_STATUS`` where it means something else. No word of a body
is carried over: it may quote the request.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from prism_core.errors import (
    BadAnswer,
    Misconfigured,
    QuotaExhausted,
    RateLimited,
    Rejected,
    Transient,
    TranslatorError,
)
from prism_core.translators.waiting import DEFAULT_PAUSE

Meaning = Callable[[int, float | None], TranslatorError]
"""From a status and the seconds the provider asks to wait (None: unsaid) to an error of ours."""


def slow_down(status: int, pause: float | None) -> TranslatorError:
    """The pace is too fast."""
    return RateLimited(f"The provider asks for a slower pace ({status}).", pause or DEFAULT_PAUSE)


def later(status: int, pause: float | None) -> TranslatorError:
    """It may work later; one that says when is waited for by everybody."""
    message = f"The provider cannot answer now ({status})."
    return Transient(message) if pause is None else RateLimited(message, pause)


def spent(status: int, pause: float | None) -> TranslatorError:  # noqa: ARG001 - no wait helps
    """The quota or credit is used up."""
    return QuotaExhausted(
        f"The account's quota or credit is used up ({status}); see its billing page."
    )


def refused(status: int, pause: float | None) -> TranslatorError:  # noqa: ARG001 - no wait helps
    """Something about the texts of this request."""
    return Rejected(f"The provider refuses the request ({status}).")


def unusable(status: int, pause: float | None) -> TranslatorError:  # noqa: ARG001 - no wait helps
    """No error, and no answer either."""
    return BadAnswer(f"The provider answers with a status that has no meaning here ({status}).")


def fix(advice: str) -> Meaning:
    """Something the user must set right: ``advice`` says what."""

    def misconfigured(status: int, pause: float | None) -> TranslatorError:  # noqa: ARG001 - no wait helps
        return Misconfigured(f"The provider answers {status}: {advice}.")

    return misconfigured


WRONG_KEY = fix("the key is missing, wrong, expired or revoked")
NOT_ALLOWED = fix("the key may not be used for this")
WRONG_ADDRESS = fix("translator.base_url is not the address of its interface")
REDIRECTS = fix("it redirects; set translator.base_url to where it leads")
WRONG_LANGUAGES = fix(
    "it does not know a language of the pair; see translator.target_code, and its list of languages"
)

BY_STATUS: Mapping[int, Meaning] = {
    400: refused,
    401: WRONG_KEY,
    402: spent,
    403: NOT_ALLOWED,
    404: WRONG_ADDRESS,
    405: WRONG_ADDRESS,
    407: fix("the proxy asks for credentials"),
    408: later,
    409: later,
    410: WRONG_ADDRESS,
    411: refused,
    413: refused,
    414: refused,
    415: WRONG_ADDRESS,
    422: refused,
    425: later,
    429: slow_down,
    431: WRONG_KEY,
    451: NOT_ALLOWED,
    456: spent,
}


def error_of_status(
    status: int, pause: float | None, table: Mapping[int, Meaning] | None = None
) -> TranslatorError:
    """The error that ``status`` stands for: total, and the provider's ``table`` goes first."""
    known = (table or {}).get(status) or BY_STATUS.get(status)
    by_class = (500, later), (400, refused), (300, REDIRECTS)
    return (known or next((m for least, m in by_class if status >= least), unusable))(status, pause)
