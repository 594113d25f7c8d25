"""Base classes of the tables of settings, and of tables whose ``name`` chooses their options.

Each name of such a table is a module in a package (see ``prism_core.plugins``). The module's export
has an attribute ``settings``: the class of the table under that name, a subclass of the class that
names the package.

Entry: ``Section``; ``ChosenSection`` for a table with a ``name``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar, Self

from pydantic import (
    BaseModel,
    ConfigDict,
    GetCoreSchemaHandler,
    ValidationError,
    ValidationInfo,
    field_validator,
)
from pydantic.fields import FieldInfo
from pydantic_core import (
    CoreSchema,
    InitErrorDetails,
    PydanticCustomError,
    core_schema,
)

from prism_core.errors import ConfigurationError
from prism_core.plugins import find_entry_points, how_to_install, load_plugin, plugin_names


class Section(BaseModel):
    """A table of settings: immutable, no unknown names, no booleans where a number belongs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_truth_as_number(cls, value: object, info: ValidationInfo) -> object:
        """Refuse ``minimum_pool = true``: it would mean 1, and silently protect nobody."""
        field = cls.model_fields[info.field_name or ""]
        if isinstance(value, bool) and field.annotation is not bool:
            raise ValueError("takes no true or false")
        return value


class ChosenSection(Section):
    """A table whose ``name`` chooses its class; validation of the base gives the chosen class."""

    package: ClassVar[str]
    """Package with one module for each name."""
    export: ClassVar[str]
    """Name of each module's export."""
    default: ClassVar[str]
    """Name of a table that has none."""
    extra: ClassVar[str] = ""
    """Extra that installs further names."""

    name: str

    @classmethod
    def choose(cls, **table: object) -> Self:
        """Return the settings that ``table`` describes. Raises pydantic's ``ValidationError``."""
        return cls.model_validate(table)

    @classmethod
    def names(cls) -> tuple[str, ...]:
        """Return every name that can be chosen, in alphabetical order; imports nothing."""
        return plugin_names(cls.package)

    @classmethod
    def load(cls, name: str) -> Any:
        """Return the export of the module of ``name``. Raises ``KeyError`` when there is none."""
        return getattr(load_plugin(cls.package, name), cls.export)

    @classmethod
    def kinds(cls) -> Iterator[tuple[str, type[Self]]]:
        """Yield each name and its class; a module is loaded when its turn comes."""
        return ((name, cls.load(name).settings) for name in cls.names())

    @classmethod
    def added_fields(cls) -> Iterator[tuple[str, FieldInfo]]:
        """Yield the settings that single names add to those of this class, each once."""
        known = dict(cls.model_fields)
        for _, kind in cls.kinds():
            added = {k: field for k, field in kind.model_fields.items() if k not in known}
            known |= added
            yield from added.items()

    @classmethod
    def users_of(cls, option: str) -> list[str]:
        """Return the names whose table has ``option``."""
        return [name for name, kind in cls.kinds() if option in kind.model_fields]

    @classmethod
    def refuse_name(cls, names: Iterable[str]) -> str:
        """Return the message for a name that is none of ``names``."""
        return f"is not known; choose one of {', '.join(names)}{cls.advise_extra()}"

    @classmethod
    def advise_extra(cls) -> str:
        """Return the advice to install further names; empty if some are installed."""
        if not cls.extra or find_entry_points(cls.package):
            return ""
        return f". Is it another one? {how_to_install(cls.extra)}"

    @classmethod
    def refuse_option(cls, name: str, users: Iterable[str]) -> str:
        """Return the message for an option that ``name`` lacks and ``users`` have."""
        return f"{name} does not use it; it is for {', '.join(users)}"

    @classmethod
    def _check(cls, table: object) -> object:
        """Validate ``table`` as the class of its name; leave other values to pydantic.

        An option that the name lacks is refused with the names that have it.
        """
        if not isinstance(table, Mapping):
            return table
        name, names = table.get("name", cls.default), cls.names()
        if name not in names:
            fault = PydanticCustomError("unknown_name", "{why}", {"why": cls.refuse_name(names)})
            raise ValidationError.from_exception_data(
                cls.__name__, [{"type": fault, "loc": ("name",), "input": name}]
            )
        try:
            return cls.load(name).settings.model_validate({**table, "name": name})
        except ValidationError as error:
            faults: list[InitErrorDetails] = []
            for detail in error.errors():
                kind, why = detail["type"], detail["msg"]
                if kind == "extra_forbidden" and (users := cls.users_of(str(detail["loc"][0]))):
                    kind, why = "option_of_another", cls.refuse_option(name, users)
                told = PydanticCustomError(kind, "{why}", {"why": why})
                faults.append({"type": told, "loc": detail["loc"], "input": detail["input"]})
            raise ValidationError.from_exception_data(cls.__name__, faults) from None

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: type[BaseModel], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema = handler(source)
        if "package" not in cls.__dict__:
            return schema
        whole = core_schema.simple_ser_schema("any")
        return core_schema.no_info_before_validator_function(
            cls._check, schema, serialization=whole
        )


def file_digest(file: Path | None) -> str | None:
    """Return the SHA-256 of a file's bytes; raise ``ConfigurationError`` if it cannot be read."""
    if file is None:
        return None
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise ConfigurationError(f"{file} cannot be read: {error.strerror}") from None
