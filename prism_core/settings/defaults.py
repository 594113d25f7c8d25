"""Defaults that follow from other settings: from the strength, and from a model on this machine.

Entry: ``strengthen`` fills in the defaults of a strength, and ``shortcomings`` lists where the
settings fall short of it; ``prefer_local`` fills in those of an installed model of the pair, and
``find_local_model`` returns the model that a run uses.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from prism_core.resources import is_installed
from prism_core.settings.translators import TranslatorSettings
from prism_core.settings.treatment import MechanismSettings, PolicySettings

Send = Literal["when-better", "always", "never"]
"""Policy of sending where there is a model on this machine, which is asked for what is not sent."""
Strength = Literal["identifiers-only", "light", "standard", "strong", "strongest"]
"""Strengths, each of which hides more than the one before."""

_SEPARATED = {
    "mixing.split_clauses": True,
    "limits.wave_documents": 2_000,
    "limits.wave_sentences": 200_000,
}
_SPLIT = {"mixing.routing": "split"}
"""Default with several translators."""
_DECOYS = {"strong": 0.5, "strongest": 1.0}
"""Default where there is a list of decoys."""
_HIDDEN_WORDS = {"identifiers-only": "none", "light": "telling"}
"""Defaults of ``mechanism.hidden_words``, for ``prism-star``."""


def strengthen(table: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the settings in ``table``, by section, with the defaults of their ``strength``."""
    tables = {
        name: value.model_dump(exclude_unset=True) if isinstance(value, BaseModel) else value
        for name, value in table.items()
    }
    filled = dict(table)
    for name, value in _strength_defaults(tables).items():
        section, _, option = name.partition(".")
        stated = tables.setdefault(section, {})
        if isinstance(stated, Mapping) and option not in stated:
            filled[section] = tables[section] = {**stated, option: value}
    return filled


def list_shown(mechanism: MechanismSettings, policies: Sequence[PolicySettings]) -> tuple[str, ...]:
    """List cautions about the ordinary words that ``mechanism``, or that of a policy, sends."""
    shown = [mechanism.shown()]
    shown += [
        f"policy {policy.name}: {caution}"
        for policy in policies
        if policy.mechanism and policy.translators != ()
        if (caution := policy.mechanism.shown())
    ]
    return tuple(filter(None, shown))


def without_strength(mechanism: MechanismSettings) -> dict[str, object]:
    """Return the table of ``mechanism`` without what a strength may set, as it stands or not."""
    table = mechanism.model_dump()
    if mechanism.name == mechanism.default:
        del table["hidden_words"]
    return table


def shortcomings(tables: Mapping[str, Any]) -> Iterator[str]:
    """Yield where the settings in ``tables`` differ from the defaults of their ``strength``."""
    strength = tables["strength"]
    if strength == "standard":
        return
    bundle = _strength_defaults(tables)
    for name, value in bundle.items():
        section, _, option = name.partition(".")
        if (stated := tables[section][option]) != value:
            yield f"{strength} sets {name} to {value}, and it is set to {stated}"
    policies = [policy["name"] for policy in tables["policies"] if policy["mechanism"]]
    mixes = strength in _DECOYS
    lacking = {
        "one translator sees every part of a document: list another in other_translators": (
            mixes and "mixing.routing" not in bundle
        ),
        "no decoys are sent: mixing.decoys_file names none": (
            mixes and "mixing.decoy_rate" not in bundle
        ),
        "sentences are sent whole, since memory.files or a mechanism that bounds ε ask for it": (
            mixes and "mixing.split_clauses" not in bundle
        ),
        f"{strength} sets no other mechanism than {MechanismSettings.default}": (
            strength in _HIDDEN_WORDS and "mechanism.hidden_words" not in bundle
        ),
        f"policies have mechanisms of their own: {', '.join(policies)}": bool(policies),
    }
    yield from (shortcoming for shortcoming, applies in lacking.items() if applies)


def _strength_defaults(tables: Mapping[str, Any]) -> dict[str, object]:
    """Return the defaults that the strength of ``tables`` sets, by dotted name."""
    strength = tables.get("strength", "standard")
    mechanism = _as_table(tables.get("mechanism")).get("name", MechanismSettings.default)
    found = _mixing_defaults(tables) if strength in _DECOYS else {}
    if strength in _HIDDEN_WORDS and mechanism == MechanismSettings.default:
        found["mechanism.hidden_words"] = _HIDDEN_WORDS[strength]
    return found


def _mixing_defaults(tables: Mapping[str, Any]) -> dict[str, object]:
    """Return the defaults that say with what else, and to whom, a sentence is sent."""
    found: dict[str, object] = dict(_SEPARATED)
    policies = [_as_table(policy) for policy in tables.get("policies") or ()]
    chosen = [tables.get("mechanism"), *(policy.get("mechanism") for policy in policies)]
    names = {_as_table(mechanism).get("name") for mechanism in chosen}
    bounds = any(kind.bounds_epsilon for name, kind in MechanismSettings.kinds() if name in names)
    if bounds or (tables.get("memory") or {}).get("files"):
        del found["mixing.split_clauses"]
    if tables.get("other_translators"):
        found |= _SPLIT
    if (tables.get("mixing") or {}).get("decoys_file"):
        found["mixing.decoy_rate"] = _DECOYS[tables["strength"]]
    return found


def _as_table(table: object) -> Mapping[str, Any]:
    """Return a table of settings; an empty one for any other value, which is refused elsewhere."""
    return dict(table) if isinstance(table, Mapping | BaseModel) else {}


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
    """Return the model in ``folder``, else a listed one, else an installed one, or None."""
    if folder is not None:
        name = "firefox" if any(folder.glob("model.*.bin")) else "local"
        return TranslatorSettings.choose(name=name, folder=folder)
    listed = next((found for found in translators if found.name in _MODELS), None)
    if listed is None and is_installed(source, target):
        return TranslatorSettings.choose(name="firefox")
    return listed
