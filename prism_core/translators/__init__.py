"""Translators: one interface, one registry, one scheduler.

``make_translator`` is the only way the rest of the program gets one. A provider's library is
imported when its adapter is made, not before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from prism_core.errors import Misconfigured
from prism_core.settings.translators import TranslatorSettings
from prism_core.translators.base import Limits, Price, Translator
from prism_core.translators.batch_provider import BatchTranslator

__all__ = [
    "BATCH_REGISTRY",
    "REGISTRY",
    "BatchTranslator",
    "Limits",
    "Price",
    "Translator",
    "TranslatorSettings",
    "answers_by_the_batch",
    "make_batch_translator",
    "make_provider",
    "make_translator",
]

Factory = Callable[[TranslatorSettings, str, str], Translator]
BatchFactory = Callable[[TranslatorSettings, str, str], BatchTranslator]


def _apertium(settings: TranslatorSettings, source: str, target: str) -> Translator:
    from prism_core.translators.apertium import ApertiumTranslator

    return ApertiumTranslator(settings, source, target)


def _apertium_apy(settings: TranslatorSettings, source: str, target: str) -> Translator:  # noqa: ARG001 - any pair; the server decides
    from prism_core.translators.apertium_apy import ApertiumApyTranslator

    return ApertiumApyTranslator(settings)


def _azure(settings: TranslatorSettings, source: str, target: str) -> Translator:
    from prism_core.translators.azure import AzureTranslator

    return AzureTranslator(settings, source, target)


def _deepl(settings: TranslatorSettings, source: str, target: str) -> Translator:
    try:
        from prism_core.translators.deepl import DeepLTranslator
    except ModuleNotFoundError:
        raise _without("deepl") from None
    return DeepLTranslator(settings, source, target)


def _google(settings: TranslatorSettings, source: str, target: str) -> Translator:
    from prism_core.translators.google import GoogleTranslator

    return GoogleTranslator(settings, source, target)


def _libretranslate(settings: TranslatorSettings, source: str, target: str) -> Translator:
    from prism_core.translators.libretranslate import LibreTranslator

    return LibreTranslator(settings, source, target)


def _local(settings: TranslatorSettings, source: str, target: str) -> Translator:  # noqa: ARG001 - the model knows one pair
    try:
        from prism_core.translators.local import LocalTranslator
    except ModuleNotFoundError:
        raise _without("local") from None
    return LocalTranslator(settings)


def _openai(settings: TranslatorSettings, source: str, target: str) -> Translator:  # noqa: ARG001 - any pair; the model decides
    from prism_core.translators.openai_translator import OpenAITranslator

    return OpenAITranslator(settings)


def _openai_batch(settings: TranslatorSettings, source: str, target: str) -> BatchTranslator:  # noqa: ARG001 - any pair; the model decides
    from prism_core.translators.openai_batch import OpenAIBatchTranslator

    return OpenAIBatchTranslator(settings)


def _fake(settings: TranslatorSettings, source: str, target: str) -> Translator:  # noqa: ARG001 - every pair is the same to it
    from prism_core.translators.fake import FakeTranslator

    return FakeTranslator(settings)


def _without(extra: str) -> Misconfigured:
    return Misconfigured(
        f"The translator {extra} needs its library, which is optional. Install it: "
        f"pip install 'prism-translate[{extra}]'"
    )


REGISTRY: Mapping[str, Factory] = {
    "apertium": _apertium,
    "openai": _openai,
    "deepl": _deepl,
    "azure": _azure,
    "google": _google,
    "libretranslate": _libretranslate,
    "apertium-apy": _apertium_apy,
    "local": _local,
    "fake": _fake,
}

BATCH_REGISTRY: Mapping[str, BatchFactory] = {"openai-batch": _openai_batch}
"""Who answers by the batch, within hours; all others answer at once."""


def make_translator(settings: TranslatorSettings, source: str, target: str) -> Translator:
    """The translator that ``settings.name`` names, for ``source`` to ``target`` (ISO 639-1).

    Raises ``Misconfigured`` when it cannot work as set: a missing program, language pair or key.
    It is one that answers at once. Nothing is sent and no process is started before the first
    ``translate``.
    """
    if answers_by_the_batch(settings):
        raise Misconfigured(
            f"The translator {settings.name} answers within hours: it is for prism translate. "
            'Here one is needed that answers at once, such as "openai".'
        )
    return REGISTRY[settings.name](settings, source, target)


def answers_by_the_batch(settings: TranslatorSettings) -> bool:
    """Whether ``settings`` name one to whom many requests are handed in together."""
    return settings.name in BATCH_REGISTRY


def make_batch_translator(
    settings: TranslatorSettings, source: str, target: str
) -> BatchTranslator:
    """The same for a translator that answers by the batch."""
    return BATCH_REGISTRY[settings.name](settings, source, target)


def make_provider(
    settings: TranslatorSettings, source: str, target: str
) -> Translator | BatchTranslator:
    """Whoever ``settings`` name, for what they have in common: name, endpoint, limits, price."""
    if answers_by_the_batch(settings):
        return make_batch_translator(settings, source, target)
    return make_translator(settings, source, target)
