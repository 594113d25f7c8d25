"""The limits and the price of every translator, known without making it: it may have no key yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from prism_core.errors import Misconfigured
from prism_core.settings.translators import TranslatorSettings
from prism_core.translators import make_provider
from prism_core.translators.base import Limits, Price, override_limits, override_price


@dataclass(frozen=True, slots=True)
class Terms:
    """``limits`` and ``price`` as the settings have them; None is not known.

    ``remark`` says why the translator cannot be used as it is set up; empty when it can.
    """

    limits: Limits | None
    price: Price | None
    remark: str = ""


def terms_of(settings: TranslatorSettings, source: str, target: str) -> Terms:
    """The terms of the translator that ``settings`` name, whether or not it can be made."""
    try:
        translator = make_provider(settings, source, target)
    except Misconfigured as fault:
        remark = str(fault)
    else:
        return Terms(translator.limits, translator.price)
    try:
        limits, price = _STATED[settings.name](settings)
    except ModuleNotFoundError:  # its library is not installed
        return Terms(None, None, remark)
    return Terms(override_limits(settings, limits), override_price(settings, price), remark)


_Stated = tuple[Limits, Price | None]


def _apertium(_settings: TranslatorSettings) -> _Stated:
    from prism_core.translators.apertium import LIMITS
    from prism_core.translators.base import FREE

    return LIMITS, FREE


def _apertium_apy(_settings: TranslatorSettings) -> _Stated:
    from prism_core.translators.apertium_apy import LIMITS

    return LIMITS, None


def _azure(_settings: TranslatorSettings) -> _Stated:
    from prism_core.translators.azure import LIMITS, PRICE

    return LIMITS, PRICE


def _deepl(_settings: TranslatorSettings) -> _Stated:
    from prism_core.translators.deepl_terms import LIMITS, PRICE

    return LIMITS, PRICE


def _fake(_settings: TranslatorSettings) -> _Stated:
    from prism_core.translators.base import FREE
    from prism_core.translators.fake import LIMITS

    return LIMITS, FREE


def _google(_settings: TranslatorSettings) -> _Stated:
    from prism_core.translators.google import LIMITS, PRICE

    return LIMITS, PRICE


def _libretranslate(_settings: TranslatorSettings) -> _Stated:
    from prism_core.translators.libretranslate import LIMITS

    return LIMITS, None


def _local(_settings: TranslatorSettings) -> _Stated:
    from prism_core.translators.base import FREE
    from prism_core.translators.local import LIMITS

    return LIMITS, FREE


def _openai(settings: TranslatorSettings) -> _Stated:
    from prism_core.translators.openai_translator import limits_of

    return limits_of(settings), None


def _openai_batch(settings: TranslatorSettings) -> _Stated:
    from prism_core.translators.openai_batch import limits_of

    return limits_of(settings), None


_STATED: Mapping[str, Callable[[TranslatorSettings], _Stated]] = {
    "apertium": _apertium,
    "apertium-apy": _apertium_apy,
    "azure": _azure,
    "deepl": _deepl,
    "fake": _fake,
    "google": _google,
    "libretranslate": _libretranslate,
    "local": _local,
    "openai": _openai,
    "openai-batch": _openai_batch,
}
