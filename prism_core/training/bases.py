"""Models that a training begins from and ends in: the only module that knows all their formats.

A format is a module with a model, which has the interface of ``Transformer`` and states its
``origin`` for the card; each line here that names one names all.

Entry: ``is_of_others`` and ``load_base``; ``write_model``.
"""

from __future__ import annotations

from pathlib import Path

from prism_core.errors import OutputError
from prism_core.training.ctranslate2_export import export_model
from prism_core.training.data import SubwordTokeniser
from prism_core.training.firefox_base import FirefoxModel, is_firefox_model
from prism_core.training.model_folder import Card, ModelFolder
from prism_core.training.pretrained import (
    OWN,
    Pieces,
    Pretrained,
    find_pretrained,
    load_pretrained,
    save_pretrained,
)
from prism_core.training.subwords import SubwordVocabulary
from prism_core.training.transformer import Transformer

Model = Transformer | FirefoxModel | Pretrained


def is_of_others(folder: Path) -> bool:
    """Return True if ``folder`` holds a model of others, which is taken to be public."""
    return is_firefox_model(folder) or find_pretrained(folder) is not None


def load_base(
    folder: Path, source: str, target: str, dropout: float
) -> tuple[Model, SubwordTokeniser]:
    """Load the base in ``folder``, in training mode. Raises ``ConfigurationError``."""
    if (pretrained := find_pretrained(folder)) is not None:
        return load_pretrained(pretrained, source, target)
    return ModelFolder(folder).load(dropout)


def write_model(folder: ModelFolder, model: Model, vocabulary: SubwordTokeniser, card: Card) -> str:
    """Write a model in its format, with its card. Raises ``OutputError``.

    Returns the reason why ``local`` cannot run it, "" if it can.
    """
    unusable = ""
    try:
        if isinstance(model, Pretrained):
            assert isinstance(vocabulary, Pieces)  # noqa: S101
            unusable = save_pretrained(model, vocabulary, folder.folder)
            card.write(folder.folder / OWN)
        else:
            assert isinstance(vocabulary, SubwordVocabulary)  # noqa: S101
            if isinstance(model, FirefoxModel):
                model.save(folder.folder, vocabulary, card.source + card.target)
            else:
                folder.save_weights(model)
                export_model(model, vocabulary, folder.folder)
        card.write(folder.folder)
    except (OSError, RuntimeError) as error:  # PyTorch says a full disk by the latter
        said = getattr(error, "strerror", None) or "is the disk full?"
        raise OutputError(f"{folder.folder} cannot be written: {said}") from None
    return unusable
