"""Tables of the settings: language to decoding, documents, the gate, the end of a run, its state.

Entry: a section for each; ``Settings`` puts them together.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import Field, field_serializer, field_validator, model_validator

from prism_core.connections import is_this_machine
from prism_core.files import ReadableBy
from prism_core.settings.section import Section
from prism_core.storage import ObjectAddress, parse_address

_Variable = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_]*$")]
_Mailbox = Annotated[str, Field(pattern=r"^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+$")]
_Host = Annotated[str, Field(pattern=r"^[A-Za-z0-9.:-]+$")]

_Stated = Annotated[str, Field(max_length=500, pattern=r"^[^\x00-\x08\x0b-\x1f]*$")]
LEFT_BEHIND = ("Thumbs.db", "desktop.ini", ".DS_Store", "._*", "~$*", ".~lock.*#")
"""Names of files that systems and office programs leave beside documents."""


class LanguageSettings(Section):
    """Linguistic pipeline: None is the shipped one, else the name of an installed spaCy pipeline.

    ``identify`` keeps lines, and whole documents, in other languages as they are. ``experimental``
    accepts a source language that is not yet fit for confidential documents.
    """

    model: str | None = None
    identify: bool = True
    experimental: bool = False


class DictionarySettings(Section):
    """Substitution dictionary: None is ``dictionaries/{source}-{target}.parquet``.

    ``glossary`` are files of the user's own terms (CSV or TBX), which override every dictionary; of
    a term in several files the last file counts.
    """

    path: Path | None = None
    glossary: tuple[Path, ...] = ()

    @field_validator("glossary", mode="before")
    @classmethod
    def _accept_one_file(cls, files: object) -> object:
        """Take one file for a list."""
        return [files] if isinstance(files, str | Path) else files


class MemorySettings(Section):
    """Translation memories of the user: their sentences are translated from them, and never sent.

    ``files`` are TMX, memories that PRISM exported sealed, or UTF-8 text with two columns; of
    contradictory translations the last one counts. A review also shows units whose source is at
    least ``fuzzy_threshold`` percent like a sentence, after the penalties of units that a machine
    translated, or that are marked as drafts.
    """

    files: tuple[Path, ...] = ()
    fuzzy_threshold: int = Field(default=75, ge=50, le=100)
    machine_penalty: int = Field(default=10, ge=0, le=50)
    unreviewed_penalty: int = Field(default=5, ge=0, le=50)


class DecodingSettings(Section):
    """Search for the words of a sentence in the translator's answer.

    ``elimination`` is a strategy that errs more than the others. It is used when no further
    encoding of the sentence may be sent (``last``), for each encoding, which saves sends
    (``always``), or ``never``. ``redraws`` limits the additional encodings of sentences whose
    answer lost a substitute, on average over all sentences sent in a run; 0 allows none.
    """

    elimination: Literal["last", "always", "never"] = "last"
    redraws: float = Field(default=0.3, ge=0, le=2)


class DocumentSettings(Section):
    """Selection and rebuilding of documents; see ``FormatOptions``.

    Files are documents when a pattern of ``include`` matches and none of ``exclude``: shell
    patterns for the name or, with a slash in it, for the path below the input, in any letter case.
    ``file_names`` are those in the output. ``prune`` destroys the translations of documents that
    are no longer in the input. ``copy_untranslated`` copies documents that have nothing to
    translate, or failed, in clear as they are. ``tracked_changes`` of Word documents are kept,
    accepted, rejected, or a reason to refuse the document. ``csv_columns`` of CSV files, by name or
    number from 1, are translated; by default, those of prose are. ``mark_untranslated`` marks
    each passage in the output that was left untranslated or is unsure, and ``mark_translation``
    says in the properties of each document that a machine translated it.
    """

    include: tuple[str, ...] = ("*",)
    exclude: tuple[str, ...] = LEFT_BEHIND
    prune: bool = False
    copy_untranslated: bool = False
    file_names: Literal["keep", "translate"] = "keep"
    attachment_names: Literal["keep", "translate"] = "keep"
    pdf_output: Literal["pdf", "docx"] = "pdf"
    ocr: bool = False
    tracked_changes: Literal["keep", "final", "original", "refuse"] = "keep"
    csv_columns: tuple[Annotated[int, Field(ge=1)] | str, ...] = ()
    mark_untranslated: bool = False
    mark_translation: bool = True


class LimitSettings(Section):
    """Limits of one document (size, sentences, processor seconds, memory), a wave and a chunk.

    At most ``workers`` processes work on chunks at the same time: None is one for each core that
    this process may use, 1 is this process alone.
    """

    document_mb: float = Field(default=100, gt=0)
    document_sentences: int = Field(default=100_000, ge=1)
    seconds: float = Field(default=120, gt=0)
    memory_mb: int = Field(default=2048, ge=128)
    wave_documents: int = Field(default=200, ge=1)
    wave_sentences: int = Field(default=50_000, ge=1)
    chunk_documents: int = Field(default=50, ge=1, le=1000)
    workers: int | None = Field(default=None, ge=1, le=1024)


Unsent = Literal["send", "withhold", "local"]


class GateSettings(Section):
    """Thresholds of the gate for a document, before anything of it is sent; see docs/gate.md.

    The same gate has a threshold for a whole run: ``translator.accept_losses`` lifts that.

    ``minimum_restored`` is the share of its sent sentences that are restored, ``maximum_loss`` the
    loss in points of chrF; with neither the gate is off. ``below`` is the action for a document
    expected to fall short: send it all the same, and report it (``send``); send nothing
    (``withhold``); or translate it with the model on this machine (``local``). Where nothing can
    be predicted, ``unknown`` applies, by default the same. ``model`` is a file of ``prism gate
    train``; None is the shipped one.
    """

    minimum_restored: float | None = Field(default=None, gt=0, le=1)
    maximum_loss: float | None = Field(default=None, gt=0, le=100)
    below: Unsent = "send"
    unknown: Unsent | None = None
    model: Path | None = None

    @model_validator(mode="after")
    def _check_complete(self) -> GateSettings:
        """Refuse settings without effect: users would believe them in force."""
        if not self.is_on and (self.below != "send" or self.unknown):
            raise ValueError("gate has no limit: set minimum_restored or maximum_loss")
        return self

    @property
    def is_on(self) -> bool:
        """True if the gate has a limit."""
        return self.minimum_restored is not None or self.maximum_loss is not None

    @property
    def otherwise(self) -> Unsent:
        """Action for a document of which nothing is known."""
        return self.unknown or self.below


class NotifySettings(Section):
    """A webhook, mail, a file of metrics, or (by default) none of them; see docs/notifications.md.

    ``label`` is the operator's own word for the job. ``webhook_secret_env`` and
    ``smtp_password_env`` are *names* of environment variables. ``smtp_security`` may be ``none``
    only towards this machine. ``metrics_file`` is read by Prometheus. ``timeout_seconds`` limits
    all channels together.
    """

    label: str = Field(default="", pattern=r"^[A-Za-z0-9 _.-]{0,60}$")
    metrics_file: Path | None = None
    webhook: str | None = None
    webhook_secret_env: _Variable | None = None
    mail_to: tuple[_Mailbox, ...] = ()
    mail_from: _Mailbox | None = None
    smtp_host: _Host | None = None
    smtp_port: int = Field(default=587, ge=1, le=65_535)
    smtp_security: Literal["starttls", "tls", "none"] = "starttls"
    smtp_user: str | None = Field(default=None, min_length=1)
    smtp_password_env: _Variable | None = None
    timeout_seconds: float = Field(default=15, gt=0, le=120)

    @field_validator("webhook")
    @classmethod
    def _check_webhook(cls, address: str | None) -> str | None:
        if address is None:
            return None
        parts = urlsplit(address)
        host, _ = parts.hostname or "", parts.port
        if parts.scheme not in ("http", "https") or not host:
            raise ValueError("must start with https:// and name a host")
        if parts.username or parts.password or parts.fragment:
            raise ValueError("must hold no credentials and no fragment")
        if parts.scheme == "http" and not is_this_machine(host):
            raise ValueError("must start with https://; http:// is for this machine alone")
        return address

    @model_validator(mode="after")
    def _check_complete(self) -> NotifySettings:
        """Refuse settings without effect: users would believe them in force."""
        if self.webhook_secret_env and not self.webhook:
            raise ValueError("webhook_secret_env is there, webhook is missing")
        if self.mail_to and not (self.mail_from and self.smtp_host):
            raise ValueError("mail_to needs mail_from and smtp_host")
        if not self.mail_to and (self.mail_from or self.smtp_host):
            raise ValueError("mail_from or smtp_host is there, mail_to is missing")
        if (self.smtp_user is None) is not (self.smtp_password_env is None):
            raise ValueError("smtp_user and smtp_password_env go together")
        if self.smtp_security == "none" and not is_this_machine(self.smtp_host or "localhost"):
            raise ValueError("smtp_security may be none only where smtp_host is this machine")
        return self


class NightSettings(Section):
    """Effect of documents that failed or are partly translated on the result of a run.

    With ``known_failures`` ``pass`` only documents count that did not fail in the previous run too.
    A Prefect flow fails if more than the share ``most_failed`` of the documents count. If more than
    the share ``most_partly`` is partly in the source language, the exit code is 9.
    """

    known_failures: Literal["count", "pass"] = "count"
    most_failed: float = Field(default=0.5, ge=0, le=1)
    most_partly: float = Field(default=1, ge=0, le=1)


class ReportSettings(Section):
    """Location of the report (None: ``OUT/prism-report``), and the operator's statements in it.

    ``readable_by`` sets who may read it, by the modes of its files and folders. ``privacy_scores``
    estimates the PPS of every document before it is sent, not only where a policy asks for it; each
    document is encoded once more for that.
    """

    path: Path | ObjectAddress | None = None
    readable_by: ReadableBy = "owner"
    purpose: _Stated = ""
    retention: _Stated = ""
    region: _Stated = ""
    privacy_scores: bool = False

    @field_validator("path", mode="before")
    @classmethod
    def _parse_path(cls, path: object) -> object:
        return parse_address(path) if isinstance(path, str) else path

    @field_serializer("path")
    def _serialize_path(self, path: Path | ObjectAddress | None) -> Path | str | None:
        return str(path) if isinstance(path, ObjectAddress) else path


class StateSettings(Section):
    """Location of the state store: ``OUT/.prism/state.db``, or a database by SQLAlchemy ``url``.

    ``folder`` is its location on this machine when the output is in a bucket.
    """

    url: str | None = None
    folder: Path | None = None

    @model_validator(mode="after")
    def _check_one_location(self) -> Self:
        if self.url is not None and self.folder is not None:
            raise ValueError("url and folder are two places; the state has one")
        if self.folder is not None and "://" in str(self.folder):
            raise ValueError("folder is a folder of this machine")
        return self


class ShardSettings(Section):
    """Division of a run among several processes or machines; see docs/shards.md.

    ``count`` is the number of shards, 1 is no division. ``deployment`` is the Prefect deployment
    that runs a shard, as ``flow/deployment``; None is that of the run itself. A shard that gives no
    sign of life for ``lease_seconds`` is started again elsewhere, at most ``attempts`` times in a
    phase.
    """

    count: int = Field(default=1, ge=1, le=256)
    deployment: str | None = Field(default=None, pattern=r"^[^/]+/[^/]+$")
    lease_seconds: float = Field(default=60, ge=1, le=3600)
    attempts: int = Field(default=5, ge=1)


class KeySettings(Section):
    """Source of the state store's key; the key itself is never a setting.

    ``file`` None is ``prism/key`` in the user's state folder.
    """

    source: Literal["file", "env", "keyring"] = "file"
    file: Path | None = None
