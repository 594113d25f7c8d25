"""What a user may say about a translator, checked once and immutable after it.

Here is what all providers have in common; the options of one provider stand in its adapter, whose
``ADAPTER.settings`` is the class that ``name`` chooses (see ``ChosenSection``). An option that the
chosen provider has no use for is refused.

Entry: ``TranslatorSettings``, below it the tables of servers, of those with a key, of services
made for translation and of language models.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal

from pydantic import Field, field_validator, model_validator

from prism_core.settings.section import ChosenSection

TERMS: Final = "terms"
"""Marks an option that says how fast, for how much, with which account or permission. All others
say who is asked and how, and a document is treated anew when one of them changes."""

Marks = Literal["never", "lost", "always"]
"""When a translator is asked with its words marked, so that its answer shows where each came back:
for every sentence, or for those alone that did not come back without."""

_Count = Annotated[int | None, TERMS]
_Amount = Annotated[float | None, TERMS]


class TranslatorSettings(ChosenSection):
    """The ``[translator]`` table of the settings, as far as it is the same for all providers."""

    package: ClassVar[str] = "prism_core.translators.adapters"
    export: ClassVar[str] = "ADAPTER"
    default: ClassVar[str] = "apertium"
    usual_unit: ClassVar[Literal["characters", "tokens"]] = "characters"
    """What the provider bills by."""
    answers_by_the_batch: ClassVar[bool] = False
    """Whether it is handed many requests together, and answers them within hours."""
    usual_marks: ClassVar[Marks] = "never"
    """When words are marked unless the settings say so: what is best for the provider."""

    texts_per_request: _Count = Field(default=None, ge=1, le=10_000)
    characters_per_request: _Count = Field(default=None, ge=1)
    requests_per_minute: _Count = Field(default=None, ge=1)
    characters_per_minute: _Count = Field(default=None, ge=1)
    tokens_per_minute: _Count = Field(default=None, ge=1)
    concurrency: _Count = Field(default=None, ge=1, le=256)

    shared_pace: Annotated[str | Path | None, TERMS] = None
    """File, or ``postgresql://user@host/database``, in which all processes that name it count
    together what they send. None: each for itself."""
    account: Annotated[str | None, TERMS] = Field(default=None, pattern=r"^[\w.@:/+-]{1,200}$")
    """What the limits are of: one for all that share the pace under this name; None is
    ``name@host`` of the translator."""

    price_per_million: _Amount = Field(default=None, ge=0, allow_inf_nan=False)
    """What a million ``price_unit`` sent cost; None is the list price, where one is known."""
    price_per_million_answered: _Amount = Field(default=None, ge=0, allow_inf_nan=False)
    """What a million of those in answers cost; None is nothing."""
    price_unit: Annotated[Literal["characters", "tokens"] | None, TERMS] = None
    """None is the usual one of the provider."""
    price_currency: Annotated[str, TERMS] = Field(default="USD", pattern=r"^[A-Z]{3}$")
    max_cost: _Amount = Field(default=None, ge=0, allow_inf_nan=False)
    """The budget of a run or a build, in the currency of the price; None is no budget."""
    accept_losses: Annotated[bool, TERMS] = False
    """Run also where less than half of the sentences are expected to be restored."""

    @classmethod
    def refuse_name(cls, names: Iterable[str]) -> str:
        """See ``ChosenSection``."""
        return f"there is no such translator; there are {', '.join(names)}"

    @classmethod
    def refuse_option(cls, name: str, users: Iterable[str]) -> str:
        """See ``ChosenSection``."""
        return f"{name} has no use for it; it is for {', '.join(users)}"

    @field_validator("shared_pace")
    @classmethod
    def _is_file_or_address(cls, value: str | Path | None) -> str | Path | None:
        """A path as such, and PostgreSQL alone by address."""
        if not isinstance(value, str):
            return value
        if "://" not in value:
            return Path(value).expanduser()
        if not value.startswith(("postgresql://", "postgresql+pg8000://")):
            raise ValueError("is a file's path, or postgresql://user@host/database")
        return value

    @model_validator(mode="after")
    def _holds(self) -> TranslatorSettings:
        """Refuse an account that would not be heeded, and half a price: no budget would hold."""
        if self.account is not None and self.shared_pace is None:
            raise ValueError("account names what a shared_pace is shared for: set that too")
        sent, answered = self.price_per_million, self.price_per_million_answered
        if sent is None and answered is not None:
            raise ValueError("price_per_million is missing: the price of what is sent")
        if sent and answered is None and self.unit_of_price == "tokens":
            raise ValueError(
                "price_per_million_answered is missing: who bills tokens bills those of answers"
            )
        return self

    @classmethod
    def terms(cls) -> set[str]:
        """The options that are ``TERMS``."""
        return {name for name, field in cls.model_fields.items() if TERMS in field.metadata}

    def asked_of(self) -> str:
        """Who is asked, and how: equal for settings that differ in their ``TERMS`` alone."""
        return self.model_dump_json(exclude=self.terms())

    @property
    def unit_of_price(self) -> Literal["characters", "tokens"]:
        """What ``price_per_million`` is of: stated, or usual for the provider."""
        return self.price_unit or self.usual_unit

    @property
    def asked_model(self) -> str:
        """The model that is asked, as the endpoint names it; empty where nobody chooses one."""
        return ""

    @property
    def asked_marks(self) -> Marks:
        """When it is asked with words marked: as set, or as is usual for the provider."""
        stated: Marks | None = getattr(self, "marks", None)
        return stated or self.usual_marks


class ServerSettings(TranslatorSettings):
    """Of a provider that is asked over a network."""

    base_url: str | None = None
    """Address of the endpoint; None is the provider's own."""
    allow_plain_http: Annotated[bool, TERMS] = False
    """Permit ``http://`` to a host other than this machine."""
    timeout_seconds: Annotated[float, TERMS] = Field(default=120.0, gt=0, le=3600)
    """Longest wait for one request."""


class KeyedSettings(ServerSettings):
    """Of a provider that wants a key. The key itself is never a setting."""

    api_key_env: Annotated[str | None, TERMS] = Field(
        default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$"
    )
    """*Name* of the environment variable with the key; None is the one usual for the provider."""


class ServiceSettings(KeyedSettings):
    """Of a service that is made for translation, and has codes of its own for languages."""

    marks: Marks | None = None
    """When words are marked; None is what is best for the provider."""

    target_code: str | None = Field(default=None, pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$")
    """The target as the provider writes it: ``pt-BR``."""


class ModelSettings(KeyedSettings):
    """Of a language model behind OpenAI's interface, however it is asked."""

    usual_unit: ClassVar[Literal["characters", "tokens"]] = "tokens"

    model: str = "gpt-4.1-mini"
    """The model as the endpoint names it."""
    api: Literal["chat", "responses"] = "chat"
    """Which of its interfaces: chat completions is what everybody else imitates; responses is
    OpenAI's newer one."""
    prompt: Literal["production", "paper"] = "production"
    """``paper`` is that of the paper, one sentence a request."""
    answer_format: Literal["json_schema", "json_object"] = "json_schema"
    """``json_object`` for endpoints that do not know strict schemas."""
    temperature: Annotated[float, Field(ge=0, le=2)] | Literal["default"] = 0.0
    """0 for the least variation; ``default`` says nothing, for models that refuse it."""

    @property
    def asked_model(self) -> str:
        """See ``TranslatorSettings``."""
        return self.model
