"""Pipelines of spaCy as files and as a library: their version and their vectors.

Entry: ``read_version`` and ``read_pipeline_vectors`` load no model; ``import_spacy_alone`` wraps
the first import of spaCy to leave out what PRISM does not need: its command line of 350 modules,
and PyTorch, which spaCy would load wherever it is installed.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from prism_core.errors import ConfigurationError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class ModelVersion:
    """Identity of the annotating model; ``digest`` is the SHA-256 of its files, in hexadecimal."""

    name: str
    version: str
    digest: str

    def __str__(self) -> str:
        return f"{self.name} {self.version} ({self.digest[:12]})"


def read_version(folder: Path) -> ModelVersion:
    """Read the version of the model in ``folder``; raise ``ConfigurationError`` without one."""
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
    """Return the message for a missing model; ``name`` None is the shipped one."""
    if name is None:
        return (
            "The language model that comes with PRISM is missing or damaged; install PRISM again."
        )
    return (
        f"There is no spaCy pipeline {name!r}: install it (python -m spacy download NAME), give "
        "the path of its folder, or name none to use the one that comes with PRISM."
    )


_NEED_TORCH = ("spacy_transformers", "spacy_curated_transformers", "spacy_experimental")
"""Extensions of spaCy whose pipelines are PyTorch models."""


@contextmanager
def import_spacy_alone() -> Iterator[None]:
    """Import spaCy, and let the imports within the block run, without PyTorch.

    ``spacy.cli`` can be imported afterwards as usual; ``spacy.info`` does so when it is called.
    PyTorch is available afterwards, and within the block where an extension of spaCy needs it.
    """
    stand_ins: dict[str, ModuleType | None] = {}
    if not {"spacy", "spacy.cli"} & sys.modules.keys():  # for its command line alone
        package, info = ModuleType("spacy.cli"), ModuleType("spacy.cli.info")
        package.__path__ = []
        vars(info)["info"] = lambda *given, **named: import_module("spacy.cli").info(
            *given, **named
        )
        stand_ins = {module.__name__: module for module in (package, info)}
    if "torch" not in sys.modules and not any(map(find_spec, _NEED_TORCH)):
        stand_ins["torch"] = None
    sys.modules.update(stand_ins)  # type: ignore[arg-type]  # None: it cannot be imported
    try:
        import_module("spacy")
        yield
    finally:
        for name in stand_ins:
            del sys.modules[name]


def read_pipeline_vectors(folder: Path) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Yield each word of the pipeline in ``folder`` that has a vector, with the vector.

    Words may share a vector. Nothing but the words and vectors of the pipeline is loaded. Raises
    ``OSError``, ``ValueError`` or ``KeyError`` where it has none that can be read.
    """
    import numpy as np  # which most commands do without

    with import_spacy_alone():
        from spacy.vocab import Vocab

    vocabulary = Vocab().from_disk(folder / "vocab")
    vectors = vocabulary.vectors
    for key, row in vectors.key2row.items():
        yield vocabulary.strings[key], np.asarray(vectors.data[row], dtype=np.float32)
