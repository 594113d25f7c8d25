"""Sentences as vectors of what they mean, by a model of sentence embeddings in a local folder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from prism_core.errors import ConfigurationError

Embedder = Callable[[Sequence[Sequence[str]]], NDArray[np.float64]]
"""A row for each sentence, given as its words: of length 1, or 0 where no word is known."""
_MODEL_FILES = ("config.json", "model.safetensors", "tokenizer.json")


def load_embedder(folder: Path) -> Embedder:
    """The static model of Model2Vec (Tulkens & van Dongen 2024) in ``folder``.

    Nothing is downloaded. Raises ``ConfigurationError`` where the folder holds no such model, or
    the optional library is missing.
    """
    missing = [name for name in _MODEL_FILES if not (folder / name).is_file()]
    if missing:
        raise ConfigurationError(
            f"The folder given as --embeddings lacks {', '.join(missing)}. Give it a static model "
            "as Model2Vec saves one (such as potion-base-8M), downloaded before."
        )
    try:
        from model2vec import StaticModel
    except ModuleNotFoundError:
        raise ConfigurationError(
            "Embeddings are read with model2vec, which is optional. Install it: "
            "pip install 'prism-translate[embeddings]'"
        ) from None
    try:
        model = StaticModel.from_pretrained(folder)
    except Exception:  # noqa: BLE001 - each of its libraries raises errors of its own
        raise ConfigurationError(
            "The model in the folder given as --embeddings cannot be read. Download it anew."
        ) from None

    def embed(sentences: Sequence[Sequence[str]]) -> NDArray[np.float64]:
        vectors = np.asarray(model.encode([" ".join(words) for words in sentences]), np.float64)
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors / np.where(lengths > 0, lengths, 1)

    return embed
