"""Choice of the model on this machine, among those that the settings name and the installed ones.

Entry: ``prefer_local`` for the translator, ``find_local_model`` for what is not sent; ``Stay`` says
why nothing is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from prism_core.resources import is_installed
from prism_core.settings.translators import TranslatorSettings

Send = Literal["when-better", "always", "never"]
"""Policy of sending where there is a model on this machine, which is asked for what is not sent."""


class Stay(StrEnum):
    """Reason why nothing of a run is sent, as the report names it."""

    IN_CLEAR = "in-clear"
    """The translator is on this machine, and sees the text as it is."""
    NOT_BETTER = "not-better"
    """The translator was not shown to be better, through PRISM, than the model on this machine."""
    SENDING_OFF = "sending-off"
    """The settings say so."""


_MODELS = ("firefox", "local")
"""Translators that are a model in a folder of this machine."""
_DEFAULT_PAIR = {"source": "en", "target": "es"}


def prefer_local(table: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the settings in ``table`` as an installed model of the pair, if any, changes them.

    It is the translator where none is named, and translates what must not be sent unless the
    settings say what becomes of that.
    """
    pair = (str(table.get(name, usual)) for name, usual in _DEFAULT_PAIR.items())
    if not is_installed(*pair):
        return table
    stated = table.get("translator") or {}
    if isinstance(stated, Mapping) and "name" not in stated:
        table = {**table, "translator": {**stated, "name": "firefox"}}
    return {"on_withheld": "local", **table}


def find_local_model(
    folder: Path | None, translators: Sequence[TranslatorSettings], source: str, target: str
) -> TranslatorSettings | None:
    """Return the model in ``folder``, else one that is listed as a translator too.

    Without either it is the installed one from ``source`` to ``target``, or None.
    """
    if folder is not None:
        name = "firefox" if any(folder.glob("model.*.bin")) else "local"
        return TranslatorSettings.choose(name=name, folder=folder)
    listed = next((found for found in translators if found.name in _MODELS), None)
    if listed is None and is_installed(source, target):
        return TranslatorSettings.choose(name="firefox")
    return listed
