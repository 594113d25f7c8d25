"""Languages as a provider writes them, where that is not ISO 639-1."""

from __future__ import annotations

from collections.abc import Mapping

from prism_core.errors import Misconfigured
from prism_core.settings.translators import TranslatorSettings


def target_code(settings: TranslatorSettings, target: str, codes: Mapping[str, str]) -> str:
    """``translator.target_code`` if given, else what ``codes`` says of ``target``, else itself.

    Raises ``Misconfigured`` when the setting is of another language than ``target``.
    """
    known = codes.get(target, target)
    chosen = settings.target_code
    if chosen is None:
        return known
    if _language(chosen) not in {target, _language(known)}:
        raise Misconfigured(
            f"translator.target_code is {chosen}, but the translation is to be into {target}."
        )
    return chosen


def _language(code: str) -> str:
    return code.replace("_", "-").partition("-")[0].lower()
