"""Translators: one interface, one registry, one scheduler.

``make_translator`` is the only way the rest of the program gets one. A provider's library is
imported when its adapter is made, not before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from prism_core.translators.base import Limits, Price, Translator
from prism_core.translators.settings import TranslatorSettings

__all__ = ["REGISTRY", "Limits", "Price", "Translator", "TranslatorSettings", "make_translator"]

Factory = Callable[[TranslatorSettings, str, str], Translator]


def _apertium(settings: TranslatorSettings, source: str, target: str) -> Translator:
    from prism_core.translators.apertium import ApertiumTranslator

    return ApertiumTranslator(settings, source, target)


def _openai(settings: TranslatorSettings, source: str, target: str) -> Translator:  # noqa: ARG001 - any pair; the model decides
    from prism_core.translators.openai_chat import OpenAIChatTranslator

    return OpenAIChatTranslator(settings)


def _fake(settings: TranslatorSettings, source: str, target: str) -> Translator:  # noqa: ARG001 - every pair is the same to it
    from prism_core.translators.fake import FakeTranslator

    return FakeTranslator(settings)


REGISTRY: Mapping[str, Factory] = {"apertium": _apertium, "openai": _openai, "fake": _fake}


def make_translator(settings: TranslatorSettings, source: str, target: str) -> Translator:
    """The translator that ``settings.name`` names, for ``source`` to ``target`` (ISO 639-1).

    Raises ``Misconfigured`` when it cannot work as set: a missing program, language pair or key.
    Nothing is sent and no process is started before the first ``translate``.
    """
    return REGISTRY[settings.name](settings, source, target)
