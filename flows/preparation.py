"""From what a person or a deployment says to a checked ``Job``."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from prism_core.errors import ConfigurationError
from prism_core.job import Job
from prism_core.settings import load_settings


def prepare_job(
    archive: Path,
    output: Path,
    settings_file: Path | None = None,
    flags: Mapping[str, object] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Job:
    """Check settings and folders before any work is done; raises ``ConfigurationError``.

    ``environment`` is ``os.environ`` unless given.
    """
    settings = load_settings(
        settings_file, os.environ if environment is None else environment, flags
    )
    _check_folders(archive, output)
    return Job(input=archive, output=output, settings=settings)


def variables_of(flags: Mapping[str, object]) -> dict[str, str]:
    """Flags as the environment variables that say the same: ``PRISM_TRANSLATOR__NAME``."""
    return {
        "PRISM_" + name.upper().replace(".", "__"): str(value)
        for name, value in flags.items()
        if value is not None
    }


def _check_folders(archive: Path, output: Path) -> None:
    if not archive.exists():
        raise ConfigurationError(f"{archive} does not exist; give a folder or a document")
    if output.exists() and not output.is_dir():
        raise ConfigurationError(f"{output} is not a folder; give a folder for the translations")
    source, target = archive.resolve(), output.resolve()
    if source == target or source in target.parents:
        raise ConfigurationError(
            f"{output} lies inside {archive}: the next run would translate the translations. "
            "Give a folder outside it."
        )
    if target in source.parents and archive.is_dir():
        raise ConfigurationError(
            f"{archive} lies inside {output}, where translations could overwrite it. "
            "Give another output folder."
        )
