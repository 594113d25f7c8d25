"""Settings of a translator, checked once and then immutable.

This module has the options that all providers share. Those of one provider are in its adapter,
whose ``ADAPTER.settings`` is the class that ``name`` chooses (see ``ChosenSection``). An option
that the chosen provider does not use is refused.

Entry: ``TranslatorSettings``, below it the tables of servers, of servers with a key, of machine
translation services and of language models.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, ClassVar, Final, Literal
from urllib.parse import urlsplit

from pydantic import Field, field_validator, model_validator

from prism_core.connections import is_this_machine
from prism_core.settings.section import ChosenSection

TERMS: Final = "terms"
"""Marker of an option about pace, price, account or permission. All other options identify who is
asked and how; a change of one makes documents be processed again."""

Marks = Literal["never", "lost", "always"]
"""Use of markup around words, so that the answer shows where each came back: for every sentence, or
only for those with words lost without it."""

Sees = Literal["clear", "encoded"]
"""What a translator gets: the text as it is, or its encoding."""

_Count = Annotated[int | None, TERMS]
_Amount = Annotated[float | None, TERMS]


class TranslatorSettings(ChosenSection):
    """Table ``[translator]`` of the settings, as far as all providers share it."""

    package: ClassVar[str] = "prism_core.translators.adapters"
    export: ClassVar[str] = "ADAPTER"
    default: ClassVar[str] = "apertium"
    extra: ClassVar[str] = "openai"
    usual_unit: ClassVar[Literal["characters", "tokens"]] = "characters"
    """Unit that the provider bills."""
    answers_by_the_batch: ClassVar[bool] = False
    """True if the provider takes many requests together and answers them within hours."""
    usual_marks: ClassVar[Marks] = "never"
    """Default use of markup: the best for the provider."""
    runs_here: ClassVar[bool] = False
    """True if the translator is a program or a model in a process of this machine."""

    usual_sees: ClassVar[Sees] = "encoded"
    """What the translator gets by default, if it is on this machine; elsewhere it is encoded."""

    sees: Sees | None = None
    """What the translator gets: the text as it is, or its encoding. None is the default."""

    texts_per_request: _Count = Field(default=None, ge=1, le=10_000)
    characters_per_request: _Count = Field(default=None, ge=1)
    requests_per_minute: _Count = Field(default=None, ge=1)
    characters_per_minute: _Count = Field(default=None, ge=1)
    tokens_per_minute: _Count = Field(default=None, ge=1)
    concurrency: _Count = Field(default=None, ge=1, le=256)

    shared_pace: Annotated[str | Path | None, TERMS] = None
    """File, or ``postgresql://user@host/database``, in which all processes that name it share their
    rate limits. None: each process has its own."""
    account: Annotated[str | None, TERMS] = Field(
        default=None,
        pattern=r"^[\w.@:/+-]+$",
        max_length=200,  # not in the pattern: to repeat a class of Unicode 200 times takes 60 ms
    )
    """Account that the limits apply to, for all processes that share the pace; None is
    ``name@host`` of the translator."""

    price_per_million: _Amount = Field(default=None, ge=0, allow_inf_nan=False)
    """Price of a million ``price_unit`` sent; None is the list price, where one is known."""
    price_per_million_answered: _Amount = Field(default=None, ge=0, allow_inf_nan=False)
    """Price of a million units in answers; None is nothing."""
    price_unit: Annotated[Literal["characters", "tokens"] | None, TERMS] = None
    """Unit of the price; None is the usual one of the provider."""
    price_currency: Annotated[str, TERMS] = Field(default="USD", pattern=r"^[A-Z]{3}$")
    max_cost: _Amount = Field(default=None, ge=0, allow_inf_nan=False)
    """Budget of a run or a build, in the currency of the price; None is no budget."""
    accept_losses: Annotated[bool, TERMS] = False
    """Permission to run when less than half of the sentences are expected to be restored."""

    @field_validator("shared_pace")
    @classmethod
    def _is_file_or_address(cls, value: str | Path | None) -> str | Path | None:
        """Parse a path, or accept the address of a PostgreSQL database."""
        if not isinstance(value, str):
            return value
        if "://" not in value:
            return Path(value).expanduser()
        if not value.startswith(("postgresql://", "postgresql+pg8000://")):
            raise ValueError("is a file's path, or postgresql://user@host/database")
        return value

    @model_validator(mode="after")
    def _check_sees(self) -> TranslatorSettings:
        """Refuse to show the text as it is to a translator on another machine."""
        if self.sees == "clear" and not self.is_here:
            raise ValueError(
                'sees is "clear", which is for a translator on this machine: leave it out'
            )
        return self

    @model_validator(mode="after")
    def _check_prices(self) -> TranslatorSettings:
        """Refuse an account without effect, and an incomplete price: no budget would hold."""
        if self.account is not None and self.shared_pace is None:
            raise ValueError("account names what a shared_pace is shared for: set that too")
        sent, answered = self.price_per_million, self.price_per_million_answered
        if sent is None and answered is not None:
            raise ValueError("price_per_million is missing: the price of what is sent")
        if sent and answered is None and self.unit_of_price == "tokens":
            raise ValueError(
                "price_per_million_answered is missing: tokens of answers are billed too"
            )
        return self

    @classmethod
    def terms(cls) -> set[str]:
        """Return the options that are ``TERMS``."""
        return {name for name, field in cls.model_fields.items() if TERMS in field.metadata}

    @property
    def is_here(self) -> bool:
        """True if the translator is on this machine."""
        return self.runs_here

    @property
    def sees_clear(self) -> bool:
        """True if the translator gets the text as it is."""
        return (self.sees or (self.usual_sees if self.is_here else "encoded")) == "clear"

    def model_file(self, source: str, target: str) -> Path | None:  # noqa: ARG002
        """Return the file of the model from ``source`` to ``target``, if the translator is one."""
        return None

    def asked_of(self) -> str:
        """Return who is asked, and how: equal for settings that differ only in their ``TERMS``.

        What the translator sees is no part of it: a sentence that it sees as it is has no encoding.
        """
        return self.model_dump_json(exclude={*self.terms(), "sees"})

    @property
    def unit_of_price(self) -> Literal["characters", "tokens"]:
        """Unit of ``price_per_million``: as set, else the usual one of the provider."""
        return self.price_unit or self.usual_unit

    @property
    def asked_model(self) -> str:
        """Name of the requested model at the endpoint; empty where there is no choice."""
        return ""

    @property
    def asked_marks(self) -> Marks:
        """Use of markup in requests: as set, else the usual one of the provider."""
        stated: Marks | None = getattr(self, "marks", None)
        return stated or self.usual_marks


class ServerSettings(TranslatorSettings):
    """Settings of a provider that is reached over a network."""

    usual_address: ClassVar[str] = ""
    """Address of a server that its user runs on this machine; empty for other providers."""

    base_url: str | None = None
    """Address of the endpoint; None is the provider's own."""
    allow_plain_http: Annotated[bool, TERMS] = False
    """Permission to use ``http://`` to a host other than this machine."""
    timeout_seconds: Annotated[float, TERMS] = Field(default=120.0, gt=0, le=3600)
    """Longest wait for one request."""

    @property
    def is_here(self) -> bool:
        """True if the address is of this machine."""
        try:
            host = urlsplit(self.base_url or self.usual_address).hostname
        except ValueError:
            return False
        return is_this_machine(host or "")


class KeyedSettings(ServerSettings):
    """Settings of a provider that needs a key. The key itself is never a setting."""

    api_key_env: Annotated[str | None, TERMS] = Field(
        default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$"
    )
    """*Name* of the environment variable with the key; None is the usual one of the provider."""


class ServiceSettings(KeyedSettings):
    """Settings of a machine translation service, which has its own language codes."""

    marks: Marks | None = None
    """Use of markup around words; None is the best for the provider."""

    target_code: str | None = Field(default=None, pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$")
    """Target language as the provider writes it: ``pt-BR``."""


class ModelSettings(KeyedSettings):
    """Settings of a language model behind OpenAI's interface."""

    usual_unit: ClassVar[Literal["characters", "tokens"]] = "tokens"

    model: str = "gpt-4.1-mini"
    """Model as the endpoint names it."""
    api: Literal["chat", "responses"] = "chat"
    """Interface: most other providers imitate chat completions; responses is OpenAI's newer one."""
    prompt: Literal["production", "paper"] = "production"
    """Prompt; ``paper`` is that of the paper, one sentence a request."""
    answer_format: Literal["json_schema", "json_object"] = "json_schema"
    """Answer format; ``json_object`` for endpoints without strict schemas."""
    temperature: Annotated[float, Field(ge=0, le=2)] | Literal["default"] = 0.0
    """Temperature: 0 for the least variation; ``default`` sends none, for models that refuse it."""

    @property
    def asked_model(self) -> str:
        """Name of the model, which the user chooses."""
        return self.model
