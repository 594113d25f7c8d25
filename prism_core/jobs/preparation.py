"""Make a ``Job`` from the words of a person or a deployment; imports nothing heavy."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from prism_core.errors import ConfigurationError
from prism_core.formats import FORMATS
from prism_core.languages import load_language, require_source, require_source_into
from prism_core.plugins import require_distribution
from prism_core.settings import AUTO, Job, Settings, load_settings, new_run_id
from prism_core.storage import ObjectAddress, parse_address


def prepare_job(
    archive: Path | ObjectAddress | str,
    output: Path | ObjectAddress | str,
    settings_file: Path | None = None,
    flags: Mapping[str, object] | None = None,
    run_id: str | None = None,
    *,
    asks_nobody: bool = False,
) -> Job:
    """Make a job of the two folders and of settings from file, environment and flags.

    Raises ``ConfigurationError`` before any work is done. Without ``run_id`` it is a new run.
    ``asks_nobody``: see ``load_settings``.
    """
    settings = check_settings(settings_file, flags, asks_nobody=asks_nobody)
    if not asks_nobody:
        accepts = settings.language.experimental
        if settings.source == AUTO:
            require_source_into(settings.target, experimental=accepts)
        else:
            load_language(settings.source)  # raises for a language that PRISM does not have
            require_source(settings.source, experimental=accepts)
    return Job(
        input=parse_address(archive),
        output=parse_address(output),
        settings=settings,
        run_id=run_id or new_run_id(),
    )


def check_settings(
    file: Path | None = None,
    flags: Mapping[str, object] | None = None,
    *,
    asks_nobody: bool = False,
) -> Settings:
    """Load settings from ``file``, environment and ``flags``, and check the formats of policies.

    Raises ``ConfigurationError``. ``asks_nobody``: see ``load_settings``.
    """
    settings = load_settings(file, os.environ, flags, asks_nobody=asks_nobody)
    if settings.documents.pdf_output == "docx":
        require_distribution("pdf-word", "documents.pdf_output = docx")
    for policy in settings.policies:
        if unknown := [name for name in policy.formats if name not in FORMATS]:
            raise ConfigurationError(
                f"policy {policy.name}: {unknown[0]!r} is not a format; formats are "
                f"{', '.join(FORMATS)}"
            )
    return settings


def to_environment_variables(flags: Mapping[str, object]) -> dict[str, str]:
    """Return environment variables equivalent to ``flags``, such as ``PRISM_TRANSLATOR__NAME``."""
    variables = {}
    for name, value in flags.items():
        if value is not None:
            # Several paths or names are separated as in ``PATH``; an empty list is ``none``.
            parts = [str(part) for part in value] if isinstance(value, list | tuple) else None
            text = str(value) if parts is None else os.pathsep.join(parts) or "none"
            variables["PRISM_" + name.upper().replace(".", "__")] = text
    return variables
