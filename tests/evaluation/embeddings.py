"""A small model of sentence embeddings, saved as Model2Vec saves one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from model2vec import StaticModel
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

SIZE = 24


def save_model(folder: Path, groups: Sequence[Sequence[str]], seed: int = 1) -> Path:
    """A model in ``folder`` that knows these words; those of a group mean nearly the same."""
    rng = np.random.default_rng(seed)
    words = [word for group in groups for word in group]
    meanings = [
        meaning + 0.1 * rng.normal(size=SIZE)
        for group in groups
        for meaning in [rng.normal(size=SIZE)]
        for _ in group
    ]
    tokenizer = Tokenizer(
        WordLevel({word: at for at, word in enumerate(["[UNK]", *words])}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = Whitespace()
    vectors = np.array([np.zeros(SIZE), *meanings], np.float32)
    StaticModel(vectors, tokenizer, normalize=True).save_pretrained(folder)
    return folder
