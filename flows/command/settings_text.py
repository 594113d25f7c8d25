"""Settings as a TOML file: what ``prism settings show`` prints."""

from __future__ import annotations

import json
from collections.abc import Iterator

from pydantic import BaseModel

from prism_core.settings.mechanisms import MechanismSettings
from prism_core.settings.sections import Settings


def settings_as_toml(settings: Settings) -> str:
    """Every setting with its value; one that is not set is a comment. Reads back as it is."""
    return "\n".join(_lines(settings)) + "\n"


def _lines(section: BaseModel, place: str = "") -> Iterator[str]:
    values = section.model_dump(mode="json")
    tables: list[tuple[str, str, BaseModel]] = []
    for name, field in type(section).model_fields.items():
        value = getattr(section, name)
        if isinstance(value, BaseModel):
            tables.append((place + name, f"[{place}{name}]", value))
        elif _lists_tables(value):
            tables += [(place + name, f"[[{place}{name}]]", one) for one in value]
        elif value is None:
            yield f"# {name} = (not set)" if field.default is None else f'{name} = "none"'
        else:
            yield f"{name} = {json.dumps(values[name], ensure_ascii=False)}"
    if isinstance(section, MechanismSettings):
        for name, _ in section.every_field():
            if name not in type(section).model_fields:
                yield f"# {name} = (for {', '.join(section.users_of(name))})"
    for inner, heading, table in tables:
        yield f"\n{heading}"
        yield from _lines(table, f"{inner}.")


def _lists_tables(value: object) -> bool:
    return isinstance(value, tuple) and any(isinstance(one, BaseModel) for one in value)
