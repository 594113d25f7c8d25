"""Settings for the end of a run: how failures count, who is notified, and what is reported."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal
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
