"""BERTScore: similarity in meaning of translations to a person's, as an encoder sees it.

Each piece of the one text is matched with the piece of the other whose vector has the largest
cosine; the mean over the pieces of the translation is the precision, over those of the reference
the recall, and F₁ of both is the score (Zhang et al. 2020), without weights of rarity and without
a rescaled baseline. Special pieces may be matched and count for nothing, as in the authors' code.

The encoder is a folder as transformers writes it (the extra ``pretrained``). Nothing is fetched,
and no code of the folder is run. Entry: ``measure_likeness``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from prism_core.errors import ConfigurationError
from prism_core.evaluation.summary import BoundedFigure, estimate, weights

if TYPE_CHECKING:
    from torch import Tensor

_AT_ONCE = 32
_DRAWS = 500
_UNSTATED = 1_000_000
"""Limit above which a tokeniser's stated longest text is no statement."""


def measure_likeness(
    texts: Sequence[str], references: Sequence[str], folder: Path, layer: int | None = None
) -> BoundedFigure:
    """Return the mean F₁ of ``texts`` and their references, in [-1, 1], with an interval.

    ``layer``: whose vectors are taken, from 1; None: at three quarters of the encoder's height,
    about where the authors found it to agree best with people. Raises ``ConfigurationError`` for a
    folder that holds no encoder, and for a layer that it has not.
    """
    scores = np.array(list(_scores(texts, references, folder, layer)))
    draws = weights(len(scores), _DRAWS) @ scores / max(1, len(scores))
    return estimate(float(scores.mean()) if len(scores) else None, draws.tolist())


def _scores(
    texts: Sequence[str], references: Sequence[str], folder: Path, layer: int | None
) -> Iterator[float]:
    import torch

    tokeniser, encoder = _load(folder)
    layers = int(encoder.config.num_hidden_layers)
    layer = max(1, round(0.75 * layers)) if layer is None else layer
    if not 1 <= layer <= layers:
        raise ConfigurationError(f"{folder} has layers 1 to {layers}, and no {layer}")
    pairs = list(zip(texts, references, strict=True))
    with torch.inference_mode():
        for start in range(0, len(pairs), _AT_ONCE):
            some = pairs[start : start + _AT_ONCE]
            sides = [_embed(tokeniser, encoder, side, layer) for side in zip(*some, strict=True)]
            yield from _match(*sides).tolist()


def _load(folder: Path) -> tuple[Any, Any]:
    if find_spec("torch") is None or find_spec("transformers") is None:
        raise ConfigurationError(
            "BERTScore needs PyTorch and transformers: "
            "pip install 'prism-translate[train,pretrained]'"
        )
    if not (folder / "config.json").is_file():  # else it would be taken for a name to be fetched
        raise ConfigurationError(f"{folder} holds no encoder of transformers: no config.json")
    from transformers import AutoModel, AutoTokenizer
    from transformers.utils.logging import disable_progress_bar

    disable_progress_bar()
    try:
        model = AutoModel.from_pretrained(str(folder), local_files_only=True)
        tokeniser = AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    except (OSError, RuntimeError, ValueError, ImportError, LookupError, TypeError):
        raise ConfigurationError(f"the encoder in {folder} cannot be loaded") from None
    encoder = model.get_encoder() if model.config.is_encoder_decoder else model
    return tokeniser, encoder.eval()


def _embed(
    tokeniser: Any, encoder: Any, texts: Sequence[str], layer: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Return vectors [n, t, width] of length 1, where a piece is, and where it counts [n, t]."""
    from torch.nn import functional

    longest = tokeniser.model_max_length
    if longest > _UNSTATED:
        longest = getattr(encoder.config, "max_position_embeddings", 514) - 2
    found = tokeniser(
        list(texts),
        padding=True,
        truncation=True,
        max_length=longest,
        return_special_tokens_mask=True,
        return_tensors="pt",
    )
    present = found["attention_mask"].bool()
    counts = present & ~found["special_tokens_mask"].bool()
    hidden = encoder(
        input_ids=found["input_ids"],
        attention_mask=found["attention_mask"],
        output_hidden_states=True,
    ).hidden_states[layer]
    return functional.normalize(hidden.float(), dim=-1), present, counts


def _match(here: tuple[Tensor, Tensor, Tensor], there: tuple[Tensor, Tensor, Tensor]) -> Tensor:
    """Return F₁ of each pair of texts [n]; 0 where one has no piece that counts."""
    (ours, has, counts), (theirs, had, counted) = here, there
    cosines = (ours @ theirs.mT).masked_fill(~(has[:, :, None] & had[:, None, :]), -1.0)
    precision = (cosines.amax(2) * counts).sum(1) / counts.sum(1)
    recall = (cosines.amax(1) * counted).sum(1) / counted.sum(1)
    return (2 * precision * recall / (precision + recall)).nan_to_num(0.0)
