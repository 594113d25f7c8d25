"""DeepL through its own library (the optional extra ``deepl``).

The library is synchronous, so it works in a thread. By itself it would retry, follow redirects and
log requests and answers; all of that is switched off here. Its messages quote the provider, who may
quote the request, so none of them is kept.

Entry: ``DeepLTranslator.ask``; then ``_Library.answers`` -> ``request_with_backoff`` ->
``error_of``.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any, ClassVar, Literal, cast

from prism_core.connections import silence
from prism_core.errors import BadAnswer, Misconfigured, TranslatorError, Unreachable
from prism_core.settings import Marks, ServiceSettings
from prism_core.translators.alignment_tags import Tag
from prism_core.translators.base import Adapter, Limits, Price
from prism_core.translators.endpoints import address_of, key_of
from prism_core.translators.http import (
    WRONG_KEY,
    WRONG_LANGUAGES,
    MarkingTranslator,
    Meaning,
    Reply,
    error_of_status,
    later,
    slow_down,
    spent,
)

ADDRESS, FREE_ADDRESS = "https://api.deepl.com", "https://api-free.deepl.com"
KEY = "DEEPL_AUTH_KEY"

TAG = Tag("w", "i", strict=True)
TAG_OPTIONS: Mapping[str, Any] = {
    "tag_handling": "xml",
    "tag_handling_version": "v2",
    "outline_detection": False,
    "non_splitting_tags": [TAG.element],
}
"""Options by which tags stay on the words they wrap, and none ends a sentence.
[developers.deepl.com, translating XML]"""

LIMITS = Limits(
    texts_per_request=50,
    characters_per_request=10_000,
    concurrency=4,
    characters_per_mark=TAG.size,
)
"""Limits of 50 texts and 128 KiB a request. A character takes six bytes at most in JSON, so 10,000
of them, with the JSON around 50 texts, always fit. DeepL states no rates. [developers.deepl.com,
usage and limits]"""

PRICE = Price(
    amount=25.0,
    unit="characters",
    source="https://www.deepl.com/pro-api (API Pro, beside a monthly fee; free accounts pay none)",
    as_of="2026",
    bills_marks=False,  # [support.deepl.com, usage count and billing in DeepL API]
)


class DeepLSettings(ServiceSettings):
    """Settings of DeepL."""

    name: Literal["deepl"] = "deepl"
    usual_marks: ClassVar[Marks] = "lost"
    """Only for lost sentences: tags are not billed, but now and then they move and take a blank
    along. [github.com/DeepL: deepl-python 72, 136, 142, deepl-node 30, 48]"""


class DeepLTranslator(MarkingTranslator):
    """Any pair of its languages. The key is read from the environment when it is made.

    Keys that end in ``:fx`` belong to free accounts, which have an address of their own.
    """

    name = "deepl"
    codes: ClassVar = {"en": "en-US", "pt": "pt-PT", "no": "nb"}
    tag = TAG

    def __init__(self, settings: DeepLSettings, source: str, target: str) -> None:  # noqa: ARG002 - any source; DeepL decides
        import deepl

        self._key = key_of(settings, KEY)
        free = deepl.auth_key_is_free_account(self._key)
        address = address_of(settings, FREE_ADDRESS if free else ADDRESS)
        wrong: Callable[[Reply], TranslatorError] = partial(error_of, None)
        super().__init__(settings, target, address, LIMITS, PRICE, wrong)
        silence("deepl", "urllib3")

    async def request_answers(
        self, texts: list[str], source: str, target: str, *, tagged: bool
    ) -> list[str]:
        """Return the answers; see ``MarkingTranslator``. DeepL knows no variants of sources."""
        pair = "nb" if source == "no" else source, self.pair(source, target)[1]
        library = _Library(self._key, self._address.url, self.exchange)
        more = TAG_OPTIONS if tagged else {}
        answers = await asyncio.to_thread(library.answers, texts, *pair, more)
        if isinstance(answers, TranslatorError):
            raise answers
        return answers


class _Library:
    """Library's client for one request, with ``exchange`` of our event loop as its transport.

    It has no retries, no redirects, and no proxies for this machine.
    """

    def __init__(
        self, key: str, url: str, exchange: Callable[..., Coroutine[Any, Any, Reply]]
    ) -> None:
        import deepl

        self._client = deepl.DeepLClient(key, server_url=url + "/", send_platform_info=False)
        self._client._client = cast(Any, self)
        self._url, self._exchange, self._reply = url, exchange, Reply()
        self._loop = asyncio.get_running_loop()

    def answers(
        self, texts: list[str], source: str, target: str, more: Mapping[str, Any]
    ) -> list[str] | TranslatorError:
        """Return the answers, blocking. An error is returned, so that no frame is kept."""
        import deepl

        try:
            results = self._client.translate_text(
                texts, source_lang=source, target_lang=target, **more
            )
        except TranslatorError as error:
            return error.with_traceback(None)
        except deepl.DeepLException as error:
            return error_of(error, self._reply)
        except (TypeError, ValueError, LookupError, AttributeError, RecursionError):
            # The library failed on an answer that does not have the form it expects.
            return error_of(None, self._reply)
        found = results if isinstance(results, list) else [results]
        if not all(isinstance(result.text, str) for result in found):
            return BadAnswer("The provider's answer is not what its interface promises.")
        return [result.text for result in found]

    def request_with_backoff(
        self,
        method: str,  # noqa: ARG002 - a translation is always posted
        url: str,
        data: dict[str, Any] | None,  # noqa: ARG002 - it has none
        json: dict[str, Any] | None,
        headers: dict[str, str],
        stream: bool = False,  # noqa: ARG002 - a translation is read to its end
        **more: Any,  # noqa: ARG002 - nor anything else
    ) -> tuple[int, str]:
        """Send one request; return its status and body."""
        import deepl

        sent = self._exchange(url.removeprefix(self._url), headers=headers, json=json)
        reply = self._reply = asyncio.run_coroutine_threadsafe(sent, self._loop).result()
        if 300 <= reply.status < 400:
            # The library takes it for an answer without translations.
            raise deepl.DeepLException("redirect", http_status_code=reply.status)
        return reply.status, reply.content.decode("utf-8", "replace")

    def close(self) -> None:
        """Do nothing: the translator owns the connections."""


BY_STATUS: Mapping[int, Meaning] = {403: WRONG_KEY, 456: spent, 529: slow_down}

_UNKNOWN_LANGUAGE = re.compile(r"message: Value for '(source|target)_lang' not supported")
"""Message about an unknown language; DeepL has no codes. A message that quotes the request names
these parameters too."""


def _misused(_status: int, _pause: float | None) -> TranslatorError:
    return Misconfigured("DeepL's library reports an error of a feature that PRISM does not use.")


BY_CLASS: Mapping[str, Meaning | None] = {
    "AuthorizationException": WRONG_KEY,
    "QuotaExceededException": spent,
    "TooManyRequestsException": slow_down,
    "ConnectionException": lambda _status, _pause: Unreachable("The provider cannot be reached."),
    "DocumentNotReadyException": later,
    "DocumentTranslationException": _misused,
    "GlossaryNotFoundException": _misused,
    "DeepLException": None,
}
"""Every exception class the library exports, by name, so that a new one shows up in a test. None
marks its root class, used for a status that has no class and for misuse."""


def error_of(error: Exception | None, reply: Reply) -> TranslatorError:
    """Map ``error`` to one of our errors; None means the library failed on the answer."""
    kinds = type(error).__mro__ if error is not None else ()
    meaning = next((BY_CLASS[kind.__name__] for kind in kinds if kind.__name__ in BY_CLASS), None)
    if meaning is not None:
        return meaning(reply.status, reply.pause)
    status = getattr(error, "http_status_code", None) if error is not None else reply.status
    if not isinstance(status, int):
        return Misconfigured("DeepL's library refuses the settings or the languages.")
    if status == 400 and _UNKNOWN_LANGUAGE.search(str(error)):
        return WRONG_LANGUAGES(status, None)
    if error is None and status < 300:
        return BadAnswer("The provider's answer is not what its interface promises.")
    return error_of_status(status, reply.pause, BY_STATUS)


ADAPTER = Adapter(
    settings=DeepLSettings,
    make=DeepLTranslator,
    limits=lambda _settings: LIMITS,
    price=PRICE,
    error_of=error_of,
    libraries=("deepl",),
)
