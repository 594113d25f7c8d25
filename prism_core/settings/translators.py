"""What a user may say about the translator, checked once and immutable after it."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from pydantic import Field, field_validator, model_validator

from prism_core.settings.section import Section

_WHO_AND_HOW = {
    "name", "base_url", "target_code", "model", "api", "prompt", "answer_format",
    "region", "project", "program", "mode", "folder", "style",
}  # fmt: skip

_BILLED_BY_TOKENS = {"openai", "openai-batch"}


class TranslatorSettings(Section):
    """The ``[translator]`` table of the settings.

    The key of a provider is never a setting: ``api_key_env`` is the *name* of the environment
    variable that holds it. A field that the chosen translator has no use for is ignored.
    """

    name: Literal[
        "apertium",
        "openai",
        "openai-batch",
        "deepl",
        "azure",
        "google",
        "libretranslate",
        "apertium-apy",
        "local",
        "fake",
    ] = "apertium"
    """Which adapter of the registry."""

    base_url: str | None = None
    """All but apertium, local and fake: address of the endpoint; None is the provider's own."""
    api_key_env: str | None = Field(default=None, pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")
    """Name of the environment variable with the key; None is the one usual for the provider."""
    allow_plain_http: bool = False
    """Permit ``http://`` to a host other than this machine."""
    target_code: str | None = Field(default=None, pattern=r"^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*$")
    """deepl, azure, google, libretranslate: the target as the provider writes it: ``pt-BR``."""

    model: str = "gpt-4.1-mini"
    """openai, openai-batch: the model as the endpoint names it."""
    api: Literal["chat", "responses"] = "chat"
    """openai, openai-batch: which of its interfaces."""
    prompt: Literal["production", "paper"] = "production"
    """openai, openai-batch: ``paper`` is that of the paper, one sentence a request."""
    answer_format: Literal["json_schema", "json_object"] = "json_schema"
    """openai, openai-batch: ``json_object`` for endpoints that do not know strict schemas."""
    temperature: Annotated[float, Field(ge=0, le=2)] | Literal["default"] = 0.0
    """openai, openai-batch: 0 for the least variation; ``default`` says nothing, for models
    that refuse it."""

    region: str | None = Field(default=None, pattern=r"^[a-z0-9-]+$")
    """azure: region of the resource. google: location, None is ``global``."""
    project: str | None = Field(default=None, pattern=r"^[a-z0-9][a-z0-9.:-]*$")
    """google: number or id of the project."""

    program: str = "apertium"
    """apertium: name or path of the program."""
    mode: str | None = Field(default=None, pattern=r"^[A-Za-z_]+-[A-Za-z_]+$")
    """apertium, apertium-apy: the mode, e.g. ``eng-spa``; None picks it from the languages."""

    folder: Path | None = None
    """local: where the model is."""

    style: Literal["mark", "identity", "reverse"] = "mark"
    """fake: what it does to each word."""

    timeout_seconds: float = Field(default=120.0, gt=0, le=3600)
    """Longest wait for one request."""
    poll_seconds: float = Field(default=120.0, gt=0, le=3600)
    """openai-batch: longest wait between two looks at a batch; the first come sooner."""

    texts_per_request: int | None = Field(default=None, ge=1, le=10_000)
    characters_per_request: int | None = Field(default=None, ge=1)
    requests_per_minute: int | None = Field(default=None, ge=1)
    characters_per_minute: int | None = Field(default=None, ge=1)
    tokens_per_minute: int | None = Field(default=None, ge=1)
    concurrency: int | None = Field(default=None, ge=1, le=256)

    shared_pace: str | Path | None = None
    """File, or ``postgresql://user@host/database``, in which all processes that name it count
    together what they send. None: each for itself."""
    account: str | None = Field(default=None, pattern=r"^[\w.@:/+-]{1,200}$")
    """What the limits are of: one for all that share the pace under this name; None is
    ``name@host`` of the translator."""

    price_per_million: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """What a million ``price_unit`` sent cost; None is the list price, where one is known."""
    price_per_million_answered: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """What a million of those in answers cost; None is nothing."""
    price_unit: Literal["characters", "tokens"] | None = None
    """None is tokens for openai and openai-batch, characters for all others."""
    price_currency: str = Field(default="USD", pattern=r"^[A-Z]{3}$")
    max_cost: float | None = Field(default=None, ge=0, allow_inf_nan=False)
    """The budget of a run or a build, in the currency of the price; None is no budget."""

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
    def _account_is_heeded(self) -> TranslatorSettings:
        """Refuse what would not be heeded: someone would believe it in force."""
        if self.account is not None and self.shared_pace is None:
            raise ValueError("account names what a shared_pace is shared for: set that too")
        return self

    @model_validator(mode="after")
    def _price_is_whole(self) -> TranslatorSettings:
        """Refuse half a price: a budget that counts by it would not hold."""
        sent, answered = self.price_per_million, self.price_per_million_answered
        if sent is None and answered is not None:
            raise ValueError("price_per_million is missing: the price of what is sent")
        if sent and answered is None and self.unit_of_price == "tokens":
            raise ValueError(
                "price_per_million_answered is missing: who bills tokens bills those of answers"
            )
        return self

    def asked_of(self) -> str:
        """Who is asked, and how: equal for settings that differ in pace or account alone."""
        return self.model_dump_json(include=_WHO_AND_HOW)

    @property
    def unit_of_price(self) -> Literal["characters", "tokens"]:
        """What ``price_per_million`` is of: stated, or usual for the provider."""
        return self.price_unit or ("tokens" if self.name in _BILLED_BY_TOKENS else "characters")
