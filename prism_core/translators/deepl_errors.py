"""What each error of DeepL's library means to us: mapped here, once, and nowhere else.

The library's messages quote the provider, who may quote the request, so none of them is kept.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import deepl

from prism_core.errors import BadAnswer, Misconfigured, Transient, TranslatorError
from prism_core.translators.http_errors import (
    WRONG_KEY,
    WRONG_LANGUAGES,
    Meaning,
    by_status,
    later,
    slow_down,
    spent,
)
from prism_core.translators.retry_after import retry_after


@dataclass(frozen=True, slots=True)
class Said:
    """What came with an answer beside its body; ``status`` 0 when none came."""

    status: int = 0
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def pause(self) -> float | None:
        """Seconds that the provider asks to wait, None when it does not say."""
        return retry_after(self.headers)


BY_STATUS: Mapping[int, Meaning] = {403: WRONG_KEY, 456: spent, 529: slow_down}

_UNKNOWN_LANGUAGE = re.compile(r"message: Value for '(source|target)_lang' not supported")
"""It has no codes; a message that quotes the request names these parameters too."""


def typed(error: Exception | None, said: Said) -> TranslatorError:
    """The error of ours that ``error`` stands for; None is an answer the library choked on."""
    if error is not None:
        for kind in type(error).__mro__:
            if kind in BY_CLASS:
                return BY_CLASS[kind](error, said)
    if said.status >= 300:
        return by_status(said.status, said.pause, BY_STATUS)
    return BadAnswer("The provider's answer is not what its interface promises.")


def _by_status(error: Exception, said: Said) -> TranslatorError:
    """The library's root class, for a status that has no class, and for misuse."""
    status = getattr(error, "http_status_code", None)
    if not isinstance(status, int):
        return Misconfigured("DeepL's library refuses the settings or the languages.")
    if status == 400 and _UNKNOWN_LANGUAGE.search(str(error)):
        return WRONG_LANGUAGES(status, None)
    return by_status(status, said.pause, BY_STATUS)


def _wrong_key(error: Exception, said: Said) -> TranslatorError:  # noqa: ARG001 - quotes the provider
    return WRONG_KEY(403, None)


def _spent(error: Exception, said: Said) -> TranslatorError:  # noqa: ARG001 - quotes the provider
    return spent(456, None)


def _too_fast(error: Exception, said: Said) -> TranslatorError:  # noqa: ARG001 - quotes the provider
    return slow_down(429, said.pause)


def _unreachable(error: Exception, said: Said) -> TranslatorError:  # noqa: ARG001 - holds the address
    return Transient("The provider cannot be reached.")


def _not_ready(error: Exception, said: Said) -> TranslatorError:  # noqa: ARG001 - quotes the provider
    return later(503, said.pause)


def _misused(error: Exception, said: Said) -> TranslatorError:  # noqa: ARG001 - quotes the provider
    return Misconfigured(f"DeepL's library was used for what it is not ({type(error).__name__}).")


BY_CLASS: Mapping[type[Exception], Callable[[Exception, Said], TranslatorError]] = {
    deepl.AuthorizationException: _wrong_key,
    deepl.QuotaExceededException: _spent,
    deepl.TooManyRequestsException: _too_fast,
    deepl.ConnectionException: _unreachable,
    deepl.DocumentNotReadyException: _not_ready,
    deepl.DocumentTranslationException: _misused,
    deepl.GlossaryNotFoundException: _misused,
    deepl.DeepLException: _by_status,
}
"""Every exception class the library exports, by name, so that a new one shows up in a test."""
