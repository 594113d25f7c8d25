"""What a provider's one file states, and how the translator that the settings name is made.

Entry: ``make_provider``; then ``adapter_of`` -> ``Adapter.make``. ``terms_of`` is for plans, which
need no key.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any, Generic, TypeVar, cast

from prism_core.errors import Misconfigured, TranslatorError
from prism_core.settings import Marks, TranslatorSettings
from prism_core.translators.base import Limits, Price, Provider, Translator, override_price

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
