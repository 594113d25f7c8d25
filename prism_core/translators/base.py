"""The interface to translators: untrusted, rate-limited, each with its own limits and price.

Entry: ``Translator``, which may also be an ``Aligner`` or ``Promptable``, with its ``Limits`` and
its ``Price``; the settings override both. ``make_provider`` makes the translator that the settings
name: ``adapter_of`` -> ``Adapter.make``, stated in the provider's one file. ``terms_of`` is for
plans, which need no key.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from typing import Any, Final, Generic, Protocol, TypeVar, cast, runtime_checkable

from prism_core.alignment import Translation
from prism_core.errors import Misconfigured
from prism_core.plugins import how_to_install
from prism_core.settings import Marks, TranslatorSettings

BYTES_PER_TOKEN: Final = 4
"""UTF-8 bytes per token, as providers themselves estimate before they have read a request. Bytes,
not characters, since a letter beyond ASCII is often a token of its own."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one provider: per request, per minute, and concurrent. None means no limit.

    ``paced_concurrency``, if any, replaces ``concurrency`` where a rate is stated: the rate should
    then decide, because slow answers would otherwise keep a job below it. Where tokens are limited,
    ``characters_beside`` counts the characters of a request outside its texts (a prompt), and
    ``characters_around`` those around each text. ``answered_within`` is set for slow providers: the
    number of seconds within which an answer is promised. ``characters_per_mark`` is the number of
    characters that marking one word adds to a text.
    """

    texts_per_request: int
    characters_per_request: int
    requests_per_minute: int | None = None
    characters_per_minute: int | None = None
    tokens_per_minute: int | None = None
    concurrency: int = 1
    paced_concurrency: int | None = None
    characters_beside: int = 0
    characters_around: int = 0
    characters_per_mark: int = 0
    answered_within: float | None = None

    @property
    def is_paced(self) -> bool:
        """True if the provider states a rate."""
        rates = self.requests_per_minute, self.characters_per_minute, self.tokens_per_minute
        return any(rates)

    def override_by(self, settings: TranslatorSettings) -> Limits:
        """Return these limits of an adapter with the overrides of ``settings`` applied."""
        overrides = {limit.name: getattr(settings, limit.name, None) for limit in fields(Limits)}
        limits = replace(self, **{name: value for name, value in overrides.items() if value})
        if limits.is_paced and settings.concurrency is None and limits.paced_concurrency:
            return replace(limits, concurrency=limits.paced_concurrency)
        return limits

    def load(self, texts: Sequence[str], marks: int = 0) -> Load:
        """Return the load of a request with ``texts`` in which ``marks`` words are marked."""
        marked = marks * self.characters_per_mark
        characters = sum(map(len, texts)) + marked
        size = sum(len(text.encode("utf-8", "replace")) for text in texts) + marked
        around = self.characters_beside + len(texts) * self.characters_around
        return Load(characters, math.ceil((size + around) / BYTES_PER_TOKEN))


@dataclass(frozen=True, slots=True)
class Load:
    """Load of one request on the rate limits: code points, and tokens as estimated."""

    characters: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Price:
    """Price as data: ``amount`` of ``currency`` for a million ``unit``, on ``as_of``.

    ``unit`` is ``characters`` (code points) or ``tokens``. ``answers`` is the amount for a million
    units of the answers; None where only requests are billed. ``bills_marks``: the marks of words
    are billed like text.
    """

    amount: float
    unit: str
    currency: str = "USD"
    source: str = ""
    as_of: str = ""
    answers: float | None = None
    bills_marks: bool = True


FREE: Final = Price(0.0, "characters", source="a program on this machine", as_of="ever")
"""Price of a translator that nobody bills."""


def override_price(settings: TranslatorSettings, stated: Price | None) -> Price | None:
    """Return the price that the settings state, or else the adapter's ``stated`` one."""
    if settings.price_per_million is None:
        return stated
    return Price(
        amount=settings.price_per_million,
        unit=settings.unit_of_price,
        currency=settings.price_currency,
        source="the settings",
        as_of="now",
        answers=settings.price_per_million_answered,
        bills_marks=stated is None or stated.bills_marks,
    )


class Provider(Protocol):
    """Provider of translations, however it is asked; usable from one event loop after another."""

    name: str
    endpoint: str
    """Host that receives the texts, without path or query; ``localhost`` for a local program."""
    limits: Limits
    price: Price | None

    async def close(self) -> None:
        """Release processes and connections."""
        ...


class Translator(Provider, Protocol):
    """Translation engine. Stateless between calls, safe to call concurrently.

    A translator that returns texts unchanged on purpose (an identity for tests) sets the attribute
    ``answers_unchanged = True``; an unchanged answer of any other translator is doubted. A provider
    that answers within hours, many requests at a time, is a ``BatchTranslator`` instead.
    """

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Translate ``texts`` from ``source`` to ``target`` (ISO 639-1).

        The answers have the same length and the same order. Raises ``Transient``,
        ``QuotaExhausted``, ``Rejected`` or ``Misconfigured``; foreign errors never escape.
        """
        ...


@runtime_checkable
class Aligner(Translator, Protocol):
    """Translator that can align the characters of its answer with those of the text.

    ``marks`` says when alignment is requested. All content words of a text are marked alike; the
    selection depends on nothing but the text (``words_to_mark``).
    """

    marks: Marks

    async def align(
        self, texts: Sequence[str], source: str, target: str
    ) -> list[Translation | None]:
        """Translate as ``translate`` does, with the words of the texts marked. Public text only.

        The matches of an answer link words of the text to characters of the answer. An answer is
        None where marks may have damaged it: that text is to be sent again without marks. Raises as
        ``translate``.
        """
        ...


@runtime_checkable
class Promptable(Translator, Protocol):
    """Translator whose model can be given other prompts too."""

    async def ask(self, content: str) -> str:
        """Return the model's answer to ``content`` and nothing else. Raises as ``translate``."""
        ...


_Settings = TypeVar("_Settings", bound=TranslatorSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter(Generic[_Settings]):
    """Description of a provider: all that is known before it is asked.

    ``settings`` is the type of its options. ``make`` makes its translator for a source and a target
    (ISO 639-1); it raises ``Misconfigured`` if the translator cannot work as set, sends nothing and
    starts nothing. ``limits`` and ``price`` are those the provider states; a price of None is
    unknown. ``libraries`` are those it needs from the optional extra of its name.
    """

    settings: type[_Settings]
    make: Callable[[_Settings, str, str], Provider]
    limits: Callable[[_Settings], Limits]
    price: Price | None
    libraries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """Limits, price and marks as the settings have them; a price of None is unknown.

    ``remark`` says why the translator cannot be used as it is set up; empty when it can.
    """

    limits: Limits
    price: Price | None
    remark: str = ""
    marks: Marks = "never"


def adapter_of(settings: TranslatorSettings) -> Adapter[Any]:
    """Return the adapter that ``settings`` belong to."""
    adapter: Adapter[Any] = settings.load(settings.name)
    return adapter


def make_provider(settings: TranslatorSettings, source: str, target: str) -> Provider:
    """Make the translator that ``settings.name`` names, for ``source`` to ``target`` (ISO 639-1).

    Raises ``Misconfigured`` when it cannot work as set: a missing program, language pair or key.
    Nothing is sent and no process is started before it is first asked.
    """
    adapter = adapter_of(settings)
    if any(find_spec(library) is None for library in adapter.libraries):
        raise Misconfigured(
            f"The translator {settings.name} needs its library, which is optional. "
            f"{how_to_install(settings.name)}"
        )
    return adapter.make(settings, source, target)


def make_translator(settings: TranslatorSettings, source: str, target: str) -> Translator:
    """Make a translator that answers at once. Raises ``Misconfigured`` for any other."""
    if settings.answers_by_the_batch:
        raise Misconfigured(
            f"The translator {settings.name} answers within hours: use it with prism translate. "
            'This command needs a translator that answers at once, such as "openai".'
        )
    return cast(Translator, make_provider(settings, source, target))


def terms_of(settings: TranslatorSettings, source: str, target: str) -> Terms:
    """Return the terms of the translator that ``settings`` name, even if it cannot be made."""
    adapter, remark = adapter_of(settings), ""
    try:
        make_provider(settings, source, target)
    except Misconfigured as fault:
        remark = str(fault)
    limits: Limits = adapter.limits(settings)
    price = override_price(settings, adapter.price)
    return Terms(limits.override_by(settings), price, remark, settings.asked_marks)
