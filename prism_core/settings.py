"""Settings: typed, frozen, and never a secret among them; see ``settings_sources``.

API keys, passwords and the state key are not settings. They come from the environment or a
secret store, so that a settings file can be shown, mailed and committed.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from pathlib import Path
from typing import Annotated, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    ValidationInfo,
    field_validator,
    model_validator,
)

from prism_core.errors import ConfigurationError
from prism_core.translators.settings import TranslatorSettings

_PACE_OF_TRANSLATOR = {
    "api_key_env",
    "timeout_seconds",
    "texts_per_request",
    "characters_per_request",
    "requests_per_minute",
    "characters_per_minute",
    "tokens_per_minute",
    "concurrency",
    "price_per_million",
    "price_per_million_answered",
    "price_unit",
    "price_currency",
    "max_cost",
}
"""How fast, for how much and with which account, not what: a document stays unchanged when these
change."""

DEFAULT_R = 0.5
DEFAULT_BETA = 0.25
"""Costs nothing beyond the ε of PRISM-R while β ≤ (1 − r) / (2 − r), a third at r = 0.5."""

Language = Annotated[str, Field(pattern=r"^[a-z]{2,3}$")]
"""An ISO 639 code: ``en``, ``es``."""


class Section(BaseModel):
    """A table of settings: immutable, no unknown names, no truth value where a number belongs."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @field_validator("*", mode="before")
    @classmethod
    def _refuse_truth_as_number(cls, value: object, info: ValidationInfo) -> object:
        """``minimum_pool = true`` would otherwise mean 1, and quietly protect nobody."""
        field = cls.model_fields[info.field_name or ""]
        if isinstance(value, bool) and field.annotation is not bool:
            raise ValueError("takes no true or false")
        return value


class LanguageSettings(Section):
    """The linguistic pipeline: None is the shipped one, else an installed spaCy pipeline's name.

    ``identify``: lines in other languages stay as they are, and so do whole documents.
    """

    model: str | None = None
    identify: bool = True


class DictionarySettings(Section):
    """The substitution dictionary: None is ``dictionaries/{source}-{target}.parquet``."""

    path: Path | None = None


class MechanismSettings(Section):
    """What is replaced, and how; see docs/privacy.md.

    ``prism-star`` (default), ``prism-r``, ``nested``, ``mixture``, ``no-decode``.

    ``threshold`` τ in [0, 1]: a word is replaced iff its confidence is at least τ; for prism-r and
    what is built on it, the confidence from which a dictionary word belongs to V. ``ratio`` in
    [0, 1], if given, replaces that share of the tokens instead, most confident first: the paper's
    rule, kept for reproduction, which leaks positions. ``replace_probability`` r in (0, 1] is that
    of PRISM-R (``DEFAULT_R`` if not given), ``table_probability`` β in [0, 1) that of the fixed
    table in mixture (``DEFAULT_BETA``). ``minimum_pool`` is the least number of words a substitute
    is drawn from. ``unknown_words`` says what becomes of a content word outside the dictionary:
    replaced and restored as the source word (``source``), its sentence withheld (``withhold``), or
    sent in clear (``keep``).
    """

    name: Literal["prism-star", "prism-r", "nested", "mixture", "no-decode"] = "prism-star"
    threshold: float = Field(default=0.2, ge=0, le=1)
    ratio: float | None = Field(default=None, ge=0, le=1)
    replace_probability: float | None = Field(default=None, gt=0, le=1)
    table_probability: float | None = Field(default=None, ge=0, lt=1)
    minimum_pool: int = Field(default=20, ge=1)
    unknown_words: Literal["source", "withhold", "keep"] = "source"

    @property
    def is_private(self) -> bool:
        """Whether every token is replaced by chance, with a bound on ε."""
        return self.name in ("prism-r", "nested", "mixture")

    @property
    def r(self) -> float:
        """``replace_probability`` or its default."""
        return DEFAULT_R if self.replace_probability is None else self.replace_probability

    @property
    def beta(self) -> float:
        """``table_probability`` or its default."""
        return DEFAULT_BETA if self.table_probability is None else self.table_probability

    @model_validator(mode="after")
    def _makes_sense(self) -> MechanismSettings:
        """Refuse what the mechanism would not heed: someone would believe it in force."""
        if self.is_private and self.ratio is not None:
            raise ValueError(f"ratio chooses words by confidence, {self.name} by chance: leave it")
        if self.is_private and self.unknown_words != "source":
            raise ValueError(
                f"{self.name} replaces every unknown word: unknown_words can only be source"
            )
        if not self.is_private and self.replace_probability is not None:
            raise ValueError(
                f"replace_probability is for prism-r, nested and mixture, not for {self.name}"
            )
        if self.name != "mixture" and self.table_probability is not None:
            raise ValueError(f"table_probability is for mixture, not for {self.name}")
        return self


class IdentifierSettings(Section):
    """The user's own lists, UTF-8 text with one term a line, and what else looks for identifiers.

    ``names_file``: names of clients, patients, staff; replaced wherever they stand.
    ``never_send_file``: a sentence that still shows one of these is withheld.
    ``presidio``: ask Presidio's pattern recognisers too (optional extra ``presidio``).
    """

    names_file: Path | None = None
    never_send_file: Path | None = None
    presidio: bool = False


class MemorySettings(Section):
    """The user's own translations: what they hold is translated from them, and never sent.

    ``files``: TMX, memories that PRISM exported sealed, or UTF-8 text with two columns; of
    translations that contradict each other the last one counts.
    """

    files: tuple[Path, ...] = ()


class DocumentSettings(Section):
    """How documents are rebuilt: see ``FormatOptions``. ``file_names`` are those in the output."""

    file_names: Literal["keep", "translate"] = "keep"
    attachment_names: Literal["keep", "translate"] = "keep"
    pdf_output: Literal["pdf", "docx"] = "pdf"
    ocr: bool = False


class LimitSettings(Section):
    """Bounds for one document (size, processor seconds, memory), a wave, and a chunk of a wave.

    ``workers`` processes work on chunks at the same time at most: None is one for each core that
    this process may use, 1 is this process alone.
    """

    document_mb: float = Field(default=100, gt=0)
    seconds: float = Field(default=120, gt=0)
    memory_mb: int = Field(default=2048, ge=128)
    wave_documents: int = Field(default=200, ge=1)
    wave_sentences: int = Field(default=50_000, ge=1)
    chunk_documents: int = Field(default=50, ge=1, le=1000)
    workers: int | None = Field(default=None, ge=1, le=1024)


class StateSettings(Section):
    """Where the state store is: None is ``OUT/.prism/state.db``, else an SQLAlchemy URL."""

    url: str | None = None


class KeySettings(Section):
    """Where the key of the state store comes from; the key itself is never a setting.

    ``file`` None is ``prism/key`` in the user's state folder.
    """

    source: Literal["file", "env", "keyring"] = "file"
    file: Path | None = None


class ReportSettings(Section):
    """Where the report goes (None: ``OUT/prism-report``), and what the operator states in it."""

    path: Path | None = None
    purpose: str = ""
    retention: str = ""
    region: str = ""


class Settings(Section):
    """Everything a run can be told, except secrets."""

    source: Language = "en"
    target: Language = "es"
    language: LanguageSettings = LanguageSettings()
    dictionary: DictionarySettings = DictionarySettings()
    mechanism: MechanismSettings = MechanismSettings()
    identifiers: IdentifierSettings = IdentifierSettings()
    translator: TranslatorSettings = TranslatorSettings()
    memory: MemorySettings = MemorySettings()
    documents: DocumentSettings = DocumentSettings()
    limits: LimitSettings = LimitSettings()
    state: StateSettings = StateSettings()
    key: KeySettings = KeySettings()
    report: ReportSettings = ReportSettings()

    @model_validator(mode="after")
    def _translates_into_another_language(self) -> Settings:
        if self.source == self.target:
            raise ValueError("source and target are the same language")
        return self

    def memory_digest(self) -> str:
        """A SHA-256 (hex) of the translation memories' bytes; empty when there are none.

        Apart from ``digest``, which is asked for all the time: these files may be large.
        """
        files = [_file_digest(file) for file in self.memory.files]
        return hashlib.sha256(json.dumps(files).encode()).hexdigest() if files else ""

    def digest(self, key: bytes | None = None) -> str:
        """A stable SHA-256 (hex) of what changes the output, the dictionary file's bytes included.

        With ``key`` it is an HMAC and also covers the user's own lists: use that to decide
        whether a document is unchanged. Without, it is fit for the report: a plain hash over a
        short list of names could be guessed.
        """
        outcome = self.model_dump(
            mode="json",
            include={"source", "target", "language", "mechanism", "translator", "documents"},
            exclude={"translator": _PACE_OF_TRANSLATOR},
        )
        content = {"settings": outcome, "dictionary": _file_digest(self.dictionary.path)}
        if self.identifiers.presidio:
            content["presidio"] = "on"
        if key is not None:
            content["names"] = _file_digest(self.identifiers.names_file)
            content["never_send"] = _file_digest(self.identifiers.never_send_file)
        canonical = json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
        return hmac.new(key or b"", canonical, hashlib.sha256).hexdigest()


def _file_digest(file: Path | None) -> str | None:
    """SHA-256 of a file's bytes; raises ``ConfigurationError`` when it cannot be read."""
    if file is None:
        return None
    try:
        with file.open("rb") as opened:
            return hashlib.file_digest(opened, "sha256").hexdigest()
    except OSError as error:
        raise ConfigurationError(f"{file} cannot be read: {error.strerror}") from None
