"""A table of the settings whose ``name`` decides which other settings it has.

Each name is a module in a folder (see ``prism_core.plugins``). What the module exports has a
``settings``: the class of the table under that name, a subclass of the one that names the folder.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import ClassVar, Self

from pydantic import BaseModel, GetCoreSchemaHandler, ValidationError
from pydantic.fields import FieldInfo
from pydantic_core import CoreSchema, InitErrorDetails, PydanticCustomError, core_schema

from prism_core.plugins import load_plugin, plugin_names
from prism_core.settings.section import Section


class ChosenSection(Section):
    """The class that names the folder is what others know; checking it gives that of ``name``."""

    folder: ClassVar[str]
    """The package with one module a name."""
    export: ClassVar[str]
    """What each module exports."""
    default: ClassVar[str]
    """The name of a table without one."""

    name: str

    @classmethod
    def choose(cls, **table: object) -> Self:
        """The settings that ``table`` describes. Raises pydantic's ``ValidationError``."""
        return cls.model_validate(table)

    @classmethod
    def kinds(cls) -> dict[str, type[Self]]:
        """The class of each name."""
        names = plugin_names(cls.folder)
        return {name: getattr(load_plugin(cls.folder, name), cls.export).settings for name in names}

    @classmethod
    def every_field(cls) -> dict[str, FieldInfo]:
        """The settings of all names together: those in common first."""
        fields = dict(cls.model_fields)
        for kind in cls.kinds().values():
            fields |= {k: field for k, field in kind.model_fields.items() if k not in fields}
        return fields

    @classmethod
    def users_of(cls, option: str) -> list[str]:
        """The names whose table has ``option``."""
        return [name for name, kind in cls.kinds().items() if option in kind.model_fields]

    @classmethod
    def _check(cls, table: object) -> object:
        """``table`` as the class of its name; what is no table is left for pydantic to refuse."""
        if not isinstance(table, Mapping):
            return table
        kinds, name = cls.kinds(), table.get("name", cls.default)
        if name not in list(kinds):
            raise _refused(cls, "name", name, f"should be {_one_of(map(repr, kinds))}")
        for option, value in table.items():
            users = cls.users_of(option)
            if users and name not in users:
                raise _refused(cls, option, value, f"is for {_one_of(users)}, not for {name}")
        return kinds[name].model_validate({**table, "name": name})

    @classmethod
    def __get_pydantic_core_schema__(
        cls, source: type[BaseModel], handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        schema = handler(source)
        if "folder" not in cls.__dict__:
            return schema
        whole = core_schema.simple_ser_schema("any")
        return core_schema.no_info_before_validator_function(
            cls._check, schema, serialization=whole
        )


def _refused(table: type, option: str, value: object, why: str) -> ValidationError:
    wrong = PydanticCustomError("not_chosen", "{why}", {"why": why})
    detail = InitErrorDetails(type=wrong, loc=(option,), input=value)
    return ValidationError.from_exception_data(table.__name__, [detail])


def _one_of(names: Iterable[str]) -> str:
    return " or ".join(", ".join(names).rsplit(", ", 1))
