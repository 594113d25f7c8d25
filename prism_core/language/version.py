"""Which language model is there, said without loading it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path

from prism_core.errors import ConfigurationError


@dataclass(frozen=True)
class ModelVersion:
    """Which model annotated; ``digest`` is the SHA-256 of its files, in hexadecimal."""

    name: str
    version: str
    digest: str

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.digest[:12]})"


def read_version(folder: Path) -> ModelVersion:
    """The version of the model in ``folder``; raises ``ConfigurationError`` when there is none."""
    digest = hashlib.sha256()
    try:
        meta = json.loads((folder / "meta.json").read_bytes())
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".md":
                digest.update(path.relative_to(folder).as_posix().encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
        name, version = f"{meta['lang']}_{meta['name']}", str(meta["version"])
    except (OSError, ValueError, KeyError):
        raise ConfigurationError(describe_missing(None)) from None
    return ModelVersion(name, version, digest.hexdigest())


def describe_missing(name: str | None) -> str:
    """What to say of a model that is not there; ``name`` None is the one that ships."""
    if name is None:
        return (
            "The language model that comes with PRISM is missing or damaged; install PRISM again."
        )
    return (
        f"There is no spaCy pipeline {name!r}: install it (python -m spacy download NAME), give "
        "the path of its folder, or name none to use the one that comes with PRISM."
    )
