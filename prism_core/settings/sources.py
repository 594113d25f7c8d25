"""Where settings come from, checked once and merged.

From lowest to highest: the defaults, a TOML file, environment variables (``PRISM_TARGET``,
``PRISM_MECHANISM__THRESHOLD``), and what the command line says. A relative path in the file is
relative to the file's folder, any other to the working directory.

Entry: ``load_settings``; then each source ``_Merged.add`` -> ``_Merged.check`` ->
``_Merged._explain`` for what is wrong.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from types import NoneType
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from prism_core.errors import ConfigurationError
from prism_core.settings.secret_refusal import refuse_secret
from prism_core.settings.section import ChosenSection
from prism_core.settings.sections import Settings


def load_settings(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
    *,
    asks_nobody: bool = False,
) -> Settings:
    """Check all sources and merge them.

    ``environment`` is usually ``os.environ``; ``flags`` maps dotted names (``translator.name``)
    to values, None meaning not given. With ``asks_nobody`` the options of a translator that is not
    named are left alone: they wait for a command that chooses one. Raises ``ConfigurationError``
    with every problem found, one a line, each with the place it came from.
    """
    merged = _without_flags(file, environment)
    merged.add({k: v for k, v in (flags or {}).items() if v is not None}, "the command line")
    if asks_nobody and _NAME not in merged.values:
        for name in [name for name in merged.values if name.startswith(_SECTION)]:
            del merged.values[name]
    return merged.check()


def translator_without_flags(
    file: Path | None = None, environment: Mapping[str, str] | None = None
) -> str | None:
    """The translator that ``file`` and ``environment`` name; None where neither does.

    Raises ``ConfigurationError`` when one of them cannot be read.
    """
    name = _without_flags(file, environment).values.get(_NAME)
    return None if name is None else str(name)


def superseded_variables(
    flags: Mapping[str, object], file: Path | None, environment: Mapping[str, str]
) -> list[str]:
    """The variables of ``environment`` that are of another translator than ``flags`` choose.

    Raises ``ConfigurationError`` when ``file`` cannot be read.
    """
    gone = _without_flags(file, environment).options_of_another(flags.get(_NAME))
    return [name for name in environment if (_setting_named(name) or "") in gone]


def setting_names() -> list[str]:
    """Every setting's dotted name, in the order of its table; of translators those of all."""
    tables = list(Settings.model_fields)
    names = (name for name, _ in _all_fields())
    return sorted(names, key=lambda name: tables.index(name.partition(".")[0]))


_SECTION = "translator."
_NAME = "translator.name"
_BUDGET = "translator.max_cost"
"""Of the run, whoever is asked."""
_OTHERS = "other_translators"
_OFTEN_SECRET = ("key", "webhook", "password")
"""Where people may have put a secret: many a webhook's address is one."""


class _Merged:
    """Values by dotted name, each with the place it came from."""

    def __init__(self) -> None:
        self.values: dict[str, object] = {}
        self.origins: dict[str, str] = {}

    def add(self, values: Mapping[str, object], origin: str, folder: Path = Path()) -> None:
        """Lay ``values`` over what is there; relative paths start at ``folder``.

        What is there of a translator goes with its name: the address, key and price of one are
        never another's.
        """
        tables = self._tables()
        self._make_room_for(values.get(_NAME), tables)
        for name, value in values.items():
            annotation = next((found for known, found in _all_fields() if known == name), None)
            refuse_secret(name, value, origin, known=annotation is not None)
            for table in value if isinstance(value, list | tuple) else ():
                for option, what in table.items() if isinstance(table, Mapping) else ():
                    refuse_secret(f"{name}.{option}", what, origin, known=False)
            self.values[name] = _meant(value, get_args(annotation), folder)
            self.origins[name] = origin
        others = self.values.get(_OTHERS)
        if _OTHERS in values and isinstance(others, tuple):
            self.values[_OTHERS] = tuple(
                tables.get(table, table) if isinstance(table, str) else table for table in others
            )

    def _tables(self) -> dict[str, dict[str, object]]:
        """What is there of each translator, by its name; of one without a name, nothing."""
        others = self.values.get(_OTHERS)
        items = others if isinstance(others, list | tuple) else []
        listed = [table for table in items if isinstance(table, dict)]
        own = {
            name.removeprefix(_SECTION): value
            for name, value in self.values.items()
            if name.startswith(_SECTION) and name != _BUDGET
        }
        return {str(table["name"]): table for table in [*listed, own] if "name" in table}

    def options_of_another(self, chosen: object) -> list[str]:
        """The names of what is there of the translator, if it is another than ``chosen``."""
        if not chosen or self.values.get(_NAME) in (None, chosen):
            return []
        return [name for name in self.values if name.startswith(_SECTION) and name != _BUDGET]

    def _make_room_for(self, chosen: object, tables: Mapping[str, Mapping[str, object]]) -> None:
        """Make room for the translator ``chosen``, with its own table, if another is there."""
        origin = self.origins.get(_NAME, "")
        gone = self.options_of_another(chosen)
        for name in gone:
            del self.values[name]
        for name, value in tables.get(str(chosen), {}).items() if gone else ():
            self.values[_SECTION + name] = value
            self.origins[_SECTION + name] = origin

    def check(self) -> Settings:
        """The settings, or one ``ConfigurationError`` that explains everything wrong."""
        nested: dict[str, Any] = {}
        for name, value in self.values.items():
            _put(nested, name.split("."), value)
        try:
            return Settings.model_validate(nested)
        except ValidationError as error:
            details = error.errors(include_url=False, include_context=False)
        raise ConfigurationError("\n".join(self._explain(detail) for detail in details))

    def _explain(self, detail: ErrorDetails) -> str:
        name = _setting_at([str(part) for part in detail["loc"]])
        origin = self.origins.get(name) or next(
            (o for n, o in self.origins.items() if n.startswith(name)), "the settings"
        )
        within = _place_within(name, detail["loc"])
        if detail["type"] == "extra_forbidden":
            suggestion = "" if within else _suggestion(name)
            return f"unknown setting {name}{within} in {origin}{suggestion}"
        said = detail["msg"].removeprefix("Value error, ").removeprefix("Input ")
        value = detail["input"]
        showable = isinstance(value, str | int | float) and not any(
            part in name for part in _OFTEN_SECRET
        )
        is_told = showable and detail["type"] != "option_of_another"
        shown = f" (it is {value!r})" if is_told else ""
        return f"{name or 'settings'}{within} in {origin}: {said}{shown}"


def _without_flags(file: Path | None, environment: Mapping[str, str] | None) -> _Merged:
    """What the file and the environment say; an empty variable counts as unset."""
    merged = _Merged()
    if file is not None:
        merged.add(_flatten(_read_toml(file)), str(file), folder=file.parent)
    named = {_setting_named(name): value for name, value in sorted((environment or {}).items())}
    set_here = {name: value for name, value in named.items() if name and value}
    merged.add(set_here, "the environment")
    return merged


def _place_within(name: str, location: tuple[int | str, ...]) -> str:
    """Where in a list of tables: ``[2].region``, counted from 1; empty for any other setting."""
    place = location[name.count(".") + 1 :]
    if not place or not isinstance(place[0], int) or len(place) == 1:
        return ""
    return f"[{place[0] + 1}].{'.'.join(map(str, place[1:]))}"


def _setting_at(place: list[str]) -> str:
    """The dotted name of ``place``, less what pydantic adds for each member of a union."""
    known = setting_names()
    prefixes = (".".join(place[:length]) for length in range(len(place), 0, -1))
    return next((prefix for prefix in prefixes if prefix in known), ".".join(place))


def _meant(value: object, accepted: tuple[object, ...], folder: Path) -> object:
    """``none`` as None, and a path from ``folder`` on, where the setting accepts such a value.

    Where it takes several paths, a text is a list of them as in ``PATH``.
    """
    if Ellipsis in accepted:
        return _each_meant(value, accepted[:1], folder)
    if isinstance(value, Mapping):
        return _table_meant(value, accepted, folder)
    if not isinstance(value, str):
        return value
    if value.lower() == "none" and NoneType in accepted:
        return None
    is_path = Path in accepted and "://" not in value
    return folder / Path(value).expanduser() if is_path else value


def _each_meant(value: object, accepted: tuple[object, ...], folder: Path) -> object:
    if isinstance(value, str):
        value = [] if value.lower() == "none" else list(filter(None, value.split(os.pathsep)))
    if not isinstance(value, list | tuple):
        return value
    return tuple(_meant(item, accepted, folder) for item in value)


def _table_meant(
    value: Mapping[str, object], accepted: tuple[object, ...], folder: Path
) -> dict[str, object]:
    """One table of a list of tables."""
    models = [kind for kind in accepted if isinstance(kind, type) and issubclass(kind, BaseModel)]
    for place, model in enumerate(models):
        if issubclass(model, ChosenSection):
            name = value.get("name", model.default)
            models[place] = model.load(name).settings if name in model.names() else model
    known = {name: annotation for model in models for name, annotation in _fields(model)}
    return {name: _meant(inner, get_args(known.get(name)), folder) for name, inner in value.items()}


def _suggestion(name: str) -> str:
    """``; did you mean …?``: a near name in the same table, the same leaf elsewhere, or advice."""
    known = [*setting_names(), *Settings.model_fields]
    table, _, leaf = name.rpartition(".")
    siblings = {n.rpartition(".")[2]: n for n in known if n.rpartition(".")[0] == table}
    near = (
        [siblings[found] for found in get_close_matches(leaf, siblings, n=1)]
        or [other for other in known if other.rpartition(".")[2] == leaf]
        or get_close_matches(name, known, n=1, cutoff=0.8)
    )
    return f"; did you mean {near[0]}?" if near else "; `prism settings show` lists all settings"


def _read_toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ConfigurationError(f"settings file {file} does not exist") from None
    except OSError as error:
        raise ConfigurationError(f"settings file {file} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise ConfigurationError(f"settings file {file} is not UTF-8 text") from None
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"settings file {file} is not TOML: {error}") from None


_PREFIX = "PRISM_"


def _setting_named(variable: str) -> str | None:
    """The setting's dotted name that an environment ``variable`` stands for, if for one.

    Settings are every ``PRISM_A__B`` and the names without a section; other ``PRISM_`` variables
    are not (``PRISM_KEY``).
    """
    name = variable.removeprefix(_PREFIX).lower().replace("__", ".")
    is_setting = "." in name or any(name == known for known, _ in _fields(Settings))
    return name if is_setting and variable.startswith(_PREFIX) else None


def _flatten(table: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    """``{"a": {"b": 1}}`` as ``{"a.b": 1}``; an empty table stays, so that its name is checked."""
    flat: dict[str, object] = {}
    for name, value in table.items():
        if isinstance(value, Mapping) and value:
            flat |= _flatten(value, f"{prefix}{name}.")
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def _put(table: dict[str, Any], path: list[str], value: object) -> None:
    """Set ``value`` at ``path``; a section given as a plain value stays for the check to refuse."""
    *sections, leaf = path
    for section in sections:
        inner = table.setdefault(section, {})
        if not isinstance(inner, dict):
            return
        table = inner
    table[leaf] = value


def _all_fields() -> Iterator[tuple[str, Any]]:
    """Every leaf's dotted name and annotation; last those that a table has for some names alone.

    What has these is loaded only for those who have not found before what they look for.
    """
    yield from _fields(Settings)
    for table, field in Settings.model_fields.items():
        kind = field.annotation
        if isinstance(kind, type) and issubclass(kind, ChosenSection):
            for option, added in kind.every_field():
                if option not in kind.model_fields:
                    yield f"{table}.{option}", added.annotation


def _fields(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Every leaf's dotted name and annotation, in the order of definition."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _fields(field.annotation, f"{prefix}{name}.")
        else:
            yield prefix + name, field.annotation
