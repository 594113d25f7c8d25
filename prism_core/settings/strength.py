"""How strongly an archive is protected, in one word; it sets the defaults of other settings.

Entry: ``strengthen`` fills in what a table of settings does not say itself; ``shortcomings`` says
what of the strength asked for is not so.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import BaseModel

from prism_core.settings.treatment import MechanismSettings

Strength = Literal["standard", "strong", "strongest"]

_APART = {
    "mixing.split_clauses": True,
    "limits.wave_documents": 2_000,
    "limits.wave_sentences": 200_000,
}
_ALONE = {"mixing.routing": "split"}
"""With several translators."""
_DECOYS = {"strong": 0.5, "strongest": 1.0}
"""Where there is a list of them."""
_WORDS = {"mechanism.threshold": 0.0}
"""No content word is kept: of ``prism-star``."""


def strengthen(table: Mapping[str, Any]) -> Mapping[str, Any]:
    """``table``, of settings by section, with what its ``strength`` sets and it does not say."""
    tables = {
        name: value.model_dump(exclude_unset=True) if isinstance(value, BaseModel) else value
        for name, value in table.items()
    }
    filled = dict(table)
    for name, value in _bundle(tables).items():
        section, _, option = name.partition(".")
        said = tables.setdefault(section, {})
        if isinstance(said, Mapping) and option not in said:
            filled[section] = tables[section] = {**said, option: value}
    return filled


def shortcomings(tables: Mapping[str, Any]) -> Iterator[str]:
    """What makes the settings in ``tables`` weaker than their ``strength`` asks for, or other."""
    strength = tables["strength"]
    if strength == "standard":
        return
    bundle = _bundle(tables)
    for name, value in bundle.items():
        section, _, option = name.partition(".")
        if (own := tables[section][option]) != value:
            yield f"{strength} sets {name} to {value}, and it is set to {own}"
    policies = [policy["name"] for policy in tables["policies"] if policy["mechanism"]]
    lacking = {
        "one translator sees every part of a document: list another in other_translators": (
            "mixing.routing" not in bundle
        ),
        "no decoys are sent: mixing.decoys_file names none": "mixing.decoy_rate" not in bundle,
        "sentences are sent whole, since memory.files or a mechanism that bounds ε ask for it": (
            "mixing.split_clauses" not in bundle
        ),
        "strongest sets no other mechanism than prism-star by threshold": (
            strength == "strongest" and "mechanism.threshold" not in bundle
        ),
        f"policies have mechanisms of their own: {', '.join(policies)}": bool(policies),
    }
    yield from (said for said, is_so in lacking.items() if is_so)


def _bundle(tables: Mapping[str, Any]) -> dict[str, object]:
    """What the strength of the settings in ``tables`` sets, by dotted name."""
    strength = tables.get("strength", "standard")
    if strength not in _DECOYS:
        return {}
    found: dict[str, object] = dict(_APART)
    if (tables.get("memory") or {}).get("files") or _bounds_epsilon(tables):
        del found["mixing.split_clauses"]
    if tables.get("other_translators"):
        found |= _ALONE
    if (tables.get("mixing") or {}).get("decoys_file"):
        found["mixing.decoy_rate"] = _DECOYS[strength]
    mechanism = {"name": "prism-star", "ratio": None, **(tables.get("mechanism") or {})}
    by_threshold = (mechanism["name"], mechanism["ratio"]) == ("prism-star", None)
    return found | (_WORDS if strength == "strongest" and by_threshold else {})


def _bounds_epsilon(tables: Mapping[str, Any]) -> bool:
    """Return True if a mechanism in ``tables``, that of a policy too, bounds ε."""
    policies = [_read(policy) for policy in tables.get("policies") or ()]
    chosen = [tables.get("mechanism"), *(policy.get("mechanism") for policy in policies)]
    names = {_read(mechanism).get("name") for mechanism in chosen}
    return any(kind.bounds_epsilon for name, kind in MechanismSettings.kinds() if name in names)


def _read(table: object) -> Mapping[str, Any]:
    """Return a table of settings; an empty one for what is none, which is refused elsewhere."""
    return dict(table) if isinstance(table, Mapping | BaseModel) else {}
