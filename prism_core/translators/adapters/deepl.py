"""DeepL through its own library (the optional extra ``deepl``).

The library is synchronous, so it works in a thread. It retries by itself, follows redirects and
logs requests and answers; none of that happens here. Its messages quote the provider, who may quote
the request, so none of them is kept.

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
from prism_core.errors import BadAnswer, Misconfigured, Transient, TranslatorError
from prism_core.settings import Marks, ServiceSettings
from prism_core.translators.addresses import address_of, key_of
from prism_core.translators.base import Adapter, Limits, Price
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
from prism_core.translators.marks import Tag

ADDRESS, FREE_ADDRESS = "https://api.deepl.com", "https://api-free.deepl.com"
KEY = "DEEPL_AUTH_KEY"

TAG = Tag("w", "i", strict=True)
TAG_OPTIONS: Mapping[str, Any] = {
    "tag_handling": "xml",
    "tag_handling_version": "v2",
    "outline_detection": False,
    "non_splitting_tags": [TAG.element],
}
"""Tags stay on the words they wrap, and none ends a sentence. [developers.deepl.com, translating
XML]"""

LIMITS = Limits(
    texts_per_request=50,
    characters_per_request=10_000,
    concurrency=4,
    characters_per_mark=TAG.size,
)
"""50 texts and 128 KiB a request. A character is six bytes at most in JSON, so that 10,000 of them,
with what surrounds 50 texts, are always within. It states no rates.
[developers.deepl.com, usage and limits]"""

PRICE = Price(
    amount=25.0,
    unit="characters",
    source="https://www.deepl.com/pro-api (API Pro, beside a monthly fee; free accounts pay none)",
    as_of="2026",
    bills_marks=False,  # [support.deepl.com, usage count and billing in DeepL API]
)


class DeepLSettings(ServiceSettings):
    """What can be said to DeepL."""

    name: Literal["deepl"] = "deepl"
    usual_marks: ClassVar[Marks] = "lost"
    """Tags are not billed, but now and then they move and take a blank along, so a sentence that
    comes back without them is not sent with them. [github.com/DeepL: deepl-python 72, 136, 142,
    deepl-node 30, 48]"""


class DeepLTranslator(MarkingTranslator):
    """Any pair of its languages. The key is read from the environment when it is made.

    Keys that end in ``:fx`` are of free accounts, which have an address of their own.
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

    async def ask_as(
        self, texts: list[str], source: str, target: str, *, tagged: bool
    ) -> list[str]:
        """See ``MarkingTranslator``. Of sources it knows no variants."""
        pair = "nb" if source == "no" else source, self.pair(source, target)[1]
        library = _Library(self._key, self._address.url, self.exchange)
        more = TAG_OPTIONS if tagged else {}
        answers = await asyncio.to_thread(library.answers, texts, *pair, more)
        if isinstance(answers, TranslatorError):
            raise answers
        return answers


class _Library:
    """The library's client for one request, with ``exchange`` of our event loop as its transport:
    without retries, redirects, and proxies for this machine."""

    def __init__(
        self, key: str, url: str, exchange: Callable[..., Coroutine[Any, Any, Reply]]
    ) -> None:
        import deepl

        self._client = deepl.DeepLClient(key, server_url=url + "/", send_platform_info=False)
        self._client._client = cast(Any, self)
        self._url, self._exchange, self._said = url, exchange, Reply()
        self._loop = asyncio.get_running_loop()

    def answers(
        self, texts: list[str], source: str, target: str, more: Mapping[str, Any]
    ) -> list[str] | TranslatorError:
        """Blocking. An error is returned, so that no frame of the library stays with it."""
        import deepl

        try:
            results = self._client.translate_text(
                texts, source_lang=source, target_lang=target, **more
            )
        except TranslatorError as error:
            return error.with_traceback(None)
        except deepl.DeepLException as error:
            return error_of(error, self._said)
        except (TypeError, ValueError, LookupError, AttributeError, RecursionError):
            # What the library makes of an answer that is not of the form it expects.
            return error_of(None, self._said)
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
        """One request; its status and body."""
        import deepl

        sent = self._exchange(url.removeprefix(self._url), headers=headers, json=json)
        said = self._said = asyncio.run_coroutine_threadsafe(sent, self._loop).result()
        if 300 <= said.status < 400:
            # The library takes it for an answer without translations.
            raise deepl.DeepLException("redirect", http_status_code=said.status)
        return said.status, said.content.decode("utf-8", "replace")

    def close(self) -> None:
        """The connections are the translator's."""


BY_STATUS: Mapping[int, Meaning] = {403: WRONG_KEY, 456: spent, 529: slow_down}

_UNKNOWN_LANGUAGE = re.compile(r"message: Value for '(source|target)_lang' not supported")
"""It has no codes; a message that quotes the request names these parameters too."""


def _misused(_status: int, _pause: float | None) -> TranslatorError:
    return Misconfigured("DeepL's library was used for what it is not.")


BY_CLASS: Mapping[str, Meaning | None] = {
    "AuthorizationException": WRONG_KEY,
    "QuotaExceededException": spent,
    "TooManyRequestsException": slow_down,
    "ConnectionException": lambda _status, _pause: Transient("The provider cannot be reached."),
    "DocumentNotReadyException": later,
    "DocumentTranslationException": _misused,
    "GlossaryNotFoundException": _misused,
    "DeepLException": None,
}
"""Every exception class the library exports, by name, so that a new one shows up in a test. None
is its root class, for a status that has no class, and for misuse."""


def error_of(error: Exception | None, said: Reply) -> TranslatorError:
    """The error of ours that ``error`` stands for; None is an answer the library choked on."""
    kinds = type(error).__mro__ if error is not None else ()
    meaning = next((BY_CLASS[kind.__name__] for kind in kinds if kind.__name__ in BY_CLASS), None)
    if meaning is not None:
        return meaning(said.status, said.pause)
    status = getattr(error, "http_status_code", None) if error is not None else said.status
    if not isinstance(status, int):
        return Misconfigured("DeepL's library refuses the settings or the languages.")
    if status == 400 and _UNKNOWN_LANGUAGE.search(str(error)):
        return WRONG_LANGUAGES(status, None)
    if error is None and status < 300:
        return BadAnswer("The provider's answer is not what its interface promises.")
    return error_of_status(status, said.pause, BY_STATUS)


ADAPTER = Adapter(
    settings=DeepLSettings,
    make=DeepLTranslator,
    limits=lambda _settings: LIMITS,
    price=PRICE,
    error_of=error_of,
    libraries=("deepl",),
)
