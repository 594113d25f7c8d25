"""Sources of the settings, merged and checked once.

From lowest to highest priority: the defaults, a TOML file, environment variables (``PRISM_TARGET``,
``PRISM_MECHANISM__THRESHOLD``), and the command line. A relative path in the file is relative to
the file's folder, any other to the working directory.

Keys and passwords are refused: settings are shown, mailed and committed.

Entry: ``load_settings``; then for each source ``_Merged.add``, which calls ``_refuse_secret`` and
``_interpret``; ``_Merged.check``, and ``_Merged._explain`` for errors.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from pathlib import Path
from types import NoneType
from typing import Any, get_args

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from prism_core.errors import ConfigurationError
from prism_core.settings.section import ChosenSection
from prism_core.settings.sections import Settings


def load_settings(
    file: Path | None = None,
    environment: Mapping[str, str] | None = None,
    flags: Mapping[str, object] | None = None,
    *,
    asks_nobody: bool = False,
) -> Settings:
    """Merge all sources and check them.

    ``environment`` is usually ``os.environ``; ``flags`` maps dotted names (``translator.name``) to
    values, None meaning not given. With ``asks_nobody`` the options of an unnamed translator are
    ignored: they wait for a command that chooses one. Raises ``ConfigurationError`` with every
    problem found, one a line, each with its source.
    """
    merged = _Merged(file, environment)
    merged.add({k: v for k, v in (flags or {}).items() if v is not None}, "the command line")
    if asks_nobody and _NAME not in merged.values:
        for name in [name for name in merged.values if name.startswith(_SECTION)]:
            del merged.values[name]
    return merged.check()


def named_translator(file: Path | None, environment: Mapping[str, str]) -> str | None:
    """Return the translator that ``file`` or the environment names; None if neither does."""
    name = _Merged(file, environment).values.get(_NAME)
    return None if name is None else str(name)


def setting_names() -> list[str]:
    """Return every setting's dotted name, in the order of the tables, for all translators."""
    tables = list(Settings.model_fields)
    names = (name for name, _ in _all_fields(*tables))
    return sorted(names, key=lambda name: tables.index(name.partition(".")[0]))


_SECTION = "translator."
_NAME = "translator.name"
_RUN_OPTIONS = ("translator.max_cost", "translator.accept_losses")
"""Options that apply to any translator."""
_OTHER_TRANSLATORS = "other_translators"
_OFTEN_SECRET = ("key", "webhook", "password")
"""Parts of names of settings that may hold a secret, as many a webhook's address is one."""
_SECRET_NAME = re.compile(r"(^|[._])(api_?)?(key|secret|token|password|passphrase)$", re.IGNORECASE)
_SECRET_VALUE = re.compile(
    r"""(sk|pk|rk)-[A-Za-z0-9_-]{16,}       # OpenAI and those who copy its shape
      | AIza[0-9A-Za-z_-]{30,}              # Google
      | AKIA[0-9A-Z]{16}                    # AWS
      | (ghp|glpat|xox[abp])[_-][\w-]{16,}
      | [0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}(:fx)?   # DeepL
      | [0-9a-fA-F]{32,}                    # Azure, raw keys
    """,
    re.VERBOSE,
)
_URL_WITH_PASSWORD = re.compile(r"^[a-z0-9+.-]+://[^/@:]*:[^/@]+@", re.IGNORECASE)


class _Merged:
    """Values by dotted name, each with its source."""

    def __init__(self, file: Path | None, environment: Mapping[str, str] | None) -> None:
        """Read the file and the environment; an empty variable counts as unset."""
        self.values: dict[str, object] = {}
        self.origins: dict[str, str] = {}
        if file is not None:
            self.add(_flatten(_read_toml(file)), str(file), folder=file.parent)
        set_here: dict[str, str] = {}
        for variable, value in sorted((environment or {}).items()):
            name = variable.removeprefix("PRISM_").lower().replace("__", ".")
            is_setting = "." in name or name in dict(_fields(Settings))  # unlike PRISM_KEY
            if value and is_setting and variable.startswith("PRISM_"):
                set_here[name] = value
        self.add(set_here, "the environment")

    def add(self, values: Mapping[str, object], origin: str, folder: Path = Path()) -> None:
        """Overlay ``values``; relative paths start at ``folder``.

        A new name of the translator drops the options of the old one: address, key and price of one
        never apply to another. Its own table is used instead, if the list of other translators has
        one.
        """
        of_translator = {
            name: value
            for name, value in self.values.items()
            if name.startswith(_SECTION) and name not in _RUN_OPTIONS
        }
        tables = self._tables(of_translator)
        chosen, before = values.get(_NAME), self.values.get(_NAME)
        if chosen and before not in (None, chosen):
            self.values = {k: v for k, v in self.values.items() if k not in of_translator}
            for option, value in tables.get(str(chosen), {}).items():
                self.values[_SECTION + option] = value
                self.origins[_SECTION + option] = self.origins[_NAME]
        for name, value in values.items():
            fields = _all_fields(name.partition(".")[0])
            annotation = next((found for known, found in fields if known == name), None)
            _refuse_secret(name, value, origin, known=annotation is not None)
            for table in value if isinstance(value, list | tuple) else ():
                for option, what in table.items() if isinstance(table, Mapping) else ():
                    _refuse_secret(f"{name}.{option}", what, origin, known=False)
            self.values[name] = _interpret(value, get_args(annotation), folder)
            self.origins[name] = origin
        others = self.values.get(_OTHER_TRANSLATORS)
        if _OTHER_TRANSLATORS in values and isinstance(others, tuple):
            self.values[_OTHER_TRANSLATORS] = tuple(
                tables.get(table, table) if isinstance(table, str) else table for table in others
            )

    def _tables(self, of_translator: Mapping[str, object]) -> dict[str, dict[str, object]]:
        """Return the options of each translator by its name, except of one without a name."""
        others = self.values.get(_OTHER_TRANSLATORS)
        items = others if isinstance(others, list | tuple) else []
        listed = [table for table in items if isinstance(table, dict)]
        chosen = {name.removeprefix(_SECTION): value for name, value in of_translator.items()}
        return {str(table["name"]): table for table in [*listed, chosen] if "name" in table}

    def check(self) -> Settings:
        """Return the settings, or raise one ``ConfigurationError`` that explains every problem."""
        nested: dict[str, Any] = {}
        for name, value in self.values.items():
            *sections, leaf = name.split(".")
            table = nested
            for section in sections:
                table = table.setdefault(section, {})
                if not isinstance(table, dict):  # a plain value, for the check to refuse
                    break
            else:
                table[leaf] = value
        try:
            return Settings.model_validate(nested)
        except ValidationError as error:
            details = error.errors(include_url=False, include_context=False)
        raise ConfigurationError("\n".join(self._explain(detail) for detail in details))

    def _explain(self, detail: ErrorDetails) -> str:
        """Return which setting is wrong, where it comes from, and why.

        Parts that pydantic adds for each member of a union are dropped. The position in a list of
        tables is counted from 1: ``[2].region``.
        """
        parts, known = [str(part) for part in detail["loc"]], setting_names()
        prefixes = (".".join(parts[:length]) for length in range(len(parts), 0, -1))
        name = next((prefix for prefix in prefixes if prefix in known), ".".join(parts))
        origin = self.origins.get(name) or next(
            (o for n, o in self.origins.items() if n.startswith(name)), "the settings"
        )
        within = ""
        match detail["loc"][name.count(".") + 1 :]:
            case [int(number), first, *rest]:
                within = f"[{number + 1}].{'.'.join(map(str, [first, *rest]))}"
        if detail["type"] == "extra_forbidden":
            suggestion = "" if within else _suggestion(name)
            return f"unknown setting {name}{within} in {origin}{suggestion}"
        message = detail["msg"].removeprefix("Value error, ").removeprefix("Input ")
        value, shown = detail["input"], ""
        if isinstance(value, str | int | float) and detail["type"] != "option_of_another":
            shown = "" if any(part in name for part in _OFTEN_SECRET) else f" (it is {value!r})"
        return f"{name or 'settings'}{within} in {origin}: {message}{shown}"


def _interpret(value: object, accepted: tuple[object, ...], folder: Path) -> object:
    """Convert ``none`` to None, and text to a path below ``folder``, if the setting accepts it.

    A setting of several paths accepts a text that lists them as in ``PATH``.
    """
    if Ellipsis in accepted:
        if isinstance(value, str):
            value = [] if value.lower() == "none" else list(filter(None, value.split(os.pathsep)))
        if not isinstance(value, list | tuple):
            return value
        return tuple(_interpret(item, accepted[:1], folder) for item in value)
    if isinstance(value, Mapping):
        known: dict[str, Any] = {}
        for model in accepted:
            if isinstance(model, type) and issubclass(model, BaseModel):
                name = str(value.get("name", getattr(model, "default", "")))
                if issubclass(model, ChosenSection) and name in model.names():
                    model = model.load(name).settings
                known |= dict(_fields(model))
        return {name: _interpret(v, get_args(known.get(name)), folder) for name, v in value.items()}
    if not isinstance(value, str):
        return value
    if value.lower() == "none" and NoneType in accepted:
        return None
    is_path = Path in accepted and "://" not in value
    return folder / Path(value).expanduser() if is_path else value


def _refuse_secret(name: str, value: object, origin: str, *, known: bool) -> None:
    """Raise ``ConfigurationError`` when a setting is a secret by its name or by its look.

    ``known`` says that ``name`` is a setting, whatever it sounds like. The message names the source
    and the fix, and never repeats the value.
    """
    if not known and _SECRET_NAME.search(name):
        fix = "set it in the environment and name that variable in translator.api_key_env"
        raise ConfigurationError(
            f"{name} in {origin}: keys and passwords are never settings; {fix}."
        )
    if isinstance(value, str) and _SECRET_VALUE.fullmatch(value.strip()):
        raise ConfigurationError(
            f"{name} in {origin} looks like an API key. Keys are never settings; put it in an "
            "environment variable (OPENAI_API_KEY, DEEPL_AUTH_KEY ..., or one that "
            "translator.api_key_env names)."
        )
    if isinstance(value, str) and _URL_WITH_PASSWORD.match(value):
        raise ConfigurationError(
            f"{name} in {origin} holds a password. Leave it out of the address and give it to the "
            "driver instead (PGPASSWORD or ~/.pgpass for PostgreSQL)."
        )


def _suggestion(name: str) -> str:
    """Suggest a near name in the same table, the same leaf elsewhere, or the list of settings."""
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


def _flatten(table: Mapping[str, object], prefix: str = "") -> dict[str, object]:
    """Flatten ``{"a": {"b": 1}}`` to ``{"a.b": 1}``; an empty table stays."""
    flat: dict[str, object] = {}
    for name, value in table.items():
        if isinstance(value, Mapping) and value:
            flat |= _flatten(value, f"{prefix}{name}.")
        else:
            flat[f"{prefix}{name}"] = value
    return flat


def _all_fields(*tables: str) -> Iterator[tuple[str, Any]]:
    """Yield every leaf's dotted name and annotation; last those of names ``tables`` choose.

    The modules of those are loaded only for callers that have not found their name before.
    """
    yield from _fields(Settings)
    for table, field in Settings.model_fields.items():
        kind = field.annotation
        if table in tables and isinstance(kind, type) and issubclass(kind, ChosenSection):
            for option, added in kind.added_fields():
                yield f"{table}.{option}", added.annotation


def _fields(model: type[BaseModel], prefix: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every leaf's dotted name and annotation, in the order of definition."""
    for name, field in model.model_fields.items():
        if isinstance(field.annotation, type) and issubclass(field.annotation, BaseModel):
            yield from _fields(field.annotation, f"{prefix}{name}.")
        else:
            yield prefix + name, field.annotation
