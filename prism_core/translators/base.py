"""The seam to translators: untrusted, rate-limited, and each with its own limits and price.

Entry: ``Translator``, which may be an ``Aligner`` or ``Promptable``, with its ``Limits`` and its
``Price``; both are overridden by the settings. ``make_provider`` makes the one that the settings
name: ``adapter_of`` -> ``Adapter.make``, which a provider's one file states. ``terms_of`` is for
plans, which need no key.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from importlib.util import find_spec
from typing import Any, Final, Generic, Protocol, TypeVar, cast, runtime_checkable

from prism_core.alignment import Translation
from prism_core.errors import Misconfigured, TranslatorError
from prism_core.settings import Marks, TranslatorSettings

BYTES_PER_TOKEN: Final = 4
"""What providers themselves count by before they have read a request; of UTF-8, since a letter
beyond ASCII is often a token of its own."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one provider takes: per request, per minute, and at a time. None means no limit.

    ``paced_concurrency``, if any, takes the place of ``concurrency`` where a rate is stated: it is
    the rate that should decide, and slow answers would else keep a job below it.
    Where tokens are limited, ``characters_beside`` says what a request holds beside its texts (a
    prompt), and ``characters_around`` what stands around each. ``answered_within`` is for who takes
    its time: the seconds within which it promises an answer. ``characters_per_mark`` is what the
    mark of one word adds to a text that is sent with marks.
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
        """Whether a rate is stated."""
        rates = self.requests_per_minute, self.characters_per_minute, self.tokens_per_minute
        return any(rates)

    def override_by(self, settings: TranslatorSettings) -> Limits:
        """These, which an adapter states, each as ``settings`` have it where they say so.

        With a rate stated, ``paced_concurrency`` holds unless ``concurrency`` is set.
        """
        said = {limit.name: getattr(settings, limit.name, None) for limit in fields(Limits)}
        limits = replace(self, **{name: value for name, value in said.items() if value})
        if limits.is_paced and settings.concurrency is None and limits.paced_concurrency:
            return replace(limits, concurrency=limits.paced_concurrency)
        return limits

    def load(self, texts: Sequence[str], marks: int = 0) -> Load:
        """What a request with ``texts``, in which ``marks`` words are marked, counts for."""
        marked = marks * self.characters_per_mark
        characters = sum(map(len, texts)) + marked
        size = sum(len(text.encode("utf-8", "replace")) for text in texts) + marked
        around = self.characters_beside + len(texts) * self.characters_around
        return Load(characters, math.ceil((size + around) / BYTES_PER_TOKEN))


@dataclass(frozen=True, slots=True)
class Load:
    """What one request counts for beside being one: code points, and tokens as estimated."""

    characters: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Price:
    """The price as data: ``amount`` of ``currency`` for a million ``unit``, on ``as_of``.

    ``unit`` is ``characters`` (code points) or ``tokens``. ``answers`` is the amount for a million
    of those that come back; None where only what is sent is billed. ``bills_marks``: the marks of
    words are billed like text.
    """

    amount: float
    unit: str
    currency: str = "USD"
    source: str = ""
    as_of: str = ""
    answers: float | None = None
    bills_marks: bool = True


FREE: Final = Price(0.0, "characters", source="a program on this machine", as_of="ever")
"""Of a translator that nobody bills."""


def override_price(settings: TranslatorSettings, stated: Price | None) -> Price | None:
    """The price that the settings state, or else the adapter's ``stated`` one."""
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
    """Who translates, whichever way it is asked. It may be used in one event loop after another."""

    name: str
    endpoint: str
    """The host the texts go to, without path or query; ``localhost`` for a local program."""
    limits: Limits
    price: Price | None

    async def close(self) -> None:
        """Let go of processes and connections."""
        ...


class Translator(Provider, Protocol):
    """One translation engine. Stateless between calls, safe to call concurrently.

    One that gives texts back as they are on purpose (an identity for tests) says so with an
    attribute ``answers_unchanged = True``; of all others an unchanged answer is doubted. One that
    answers within hours, many requests at a time, is a ``BatchTranslator`` instead.
    """

    async def translate(self, texts: Sequence[str], source: str, target: str) -> list[str]:
        """Translate ``texts`` from ``source`` to ``target`` (ISO 639-1).

        Same length, same order. Raises ``Transient``, ``QuotaExhausted``, ``Rejected`` or
        ``Misconfigured``; foreign errors never escape.
        """
        ...


@runtime_checkable
class Aligner(Translator, Protocol):
    """A translator that can say which characters of its answer stand for which of the text.

    ``marks`` says when it is to be asked so. It marks all content words of a text alike, which
    ones depends on nothing but the text (``words_to_mark``).
    """

    marks: Marks

    async def align(
        self, texts: Sequence[str], source: str, target: str
    ) -> list[Translation | None]:
        """As ``translate``, with the words of the texts marked. Public text only.

        The matches of an answer are from words of the text to its own characters. None where marks
        may have spoilt the answer: that text is to be asked for without them. Raises as above.
        """
        ...


@runtime_checkable
class Promptable(Translator, Protocol):
    """A translator that can be asked other things too."""

    async def ask(self, content: str) -> str:
        """What the model writes when it is told ``content`` and nothing else. Raises as above."""
        ...


_Settings = TypeVar("_Settings", bound=TranslatorSettings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Adapter(Generic[_Settings]):
    """All there is to know of a provider before it is asked.

    ``settings`` are its options, and ``make`` its translator for a source and a target (ISO 639-1);
    it raises ``Misconfigured`` for one that cannot work as set, sends nothing and starts nothing.
    ``limits`` and ``price`` are what the provider states; None is a price that nobody here knows.
    ``error_of`` is the one place where its errors become ours: total, None where there are none to
    map. ``libraries`` are those that it needs of the optional extra that has its name.
    """

    settings: type[_Settings]
    make: Callable[[_Settings, str, str], Provider]
    limits: Callable[[_Settings], Limits]
    price: Price | None
    error_of: Callable[..., TranslatorError] | None
    libraries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Terms:
    """``limits``, ``price`` and ``marks`` as the settings have them; a price of None is not known.

    ``remark`` says why the translator cannot be used as it is set up; empty when it can.
    """

    limits: Limits
    price: Price | None
    remark: str = ""
    marks: Marks = "never"


def adapter_of(settings: TranslatorSettings) -> Adapter[Any]:
    """The adapter that ``settings`` are for."""
    adapter: Adapter[Any] = settings.load(settings.name)
    return adapter


def make_provider(settings: TranslatorSettings, source: str, target: str) -> Provider:
    """The translator that ``settings.name`` names, for ``source`` to ``target`` (ISO 639-1).

    Raises ``Misconfigured`` when it cannot work as set: a missing program, language pair or key.
    Nothing is sent and no process is started before it is first asked.
    """
    adapter = adapter_of(settings)
    if any(find_spec(library) is None for library in adapter.libraries):
        raise Misconfigured(
            f"The translator {settings.name} needs its library, which is optional. Install it: "
            f"pip install 'prism-translate[{settings.name}]'"
        )
    return adapter.make(settings, source, target)


def make_translator(settings: TranslatorSettings, source: str, target: str) -> Translator:
    """The same, where one is needed that answers at once."""
    if settings.answers_by_the_batch:
        raise Misconfigured(
            f"The translator {settings.name} answers within hours: it is for prism translate. "
            'Here one is needed that answers at once, such as "openai".'
        )
    return cast(Translator, make_provider(settings, source, target))


def terms_of(settings: TranslatorSettings, source: str, target: str) -> Terms:
    """The terms of the translator that ``settings`` name, whether or not it can be made."""
    adapter, remark = adapter_of(settings), ""
    try:
        make_provider(settings, source, target)
    except Misconfigured as fault:
        remark = str(fault)
    limits: Limits = adapter.limits(settings)
    price = override_price(settings, adapter.price)
    return Terms(limits.override_by(settings), price, remark, settings.asked_marks)
