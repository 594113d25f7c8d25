"""The word vectors that a spaCy pipeline has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from prism_core.language.light_spacy import spacy_alone


def read_pipeline_vectors(folder: Path) -> Iterator[tuple[str, NDArray[np.float32]]]:
    """Each word of the pipeline in ``folder`` that has a row of its own or shares one, with it.

    Nothing of the pipeline but its words and vectors is loaded. Raises ``OSError``, ``ValueError``
    or ``KeyError`` where it has none that can be read.
    """
    with spacy_alone():
        from spacy.vocab import Vocab

    vocabulary = Vocab().from_disk(folder / "vocab")
    vectors = vocabulary.vectors
    for key, row in vectors.key2row.items():
        yield vocabulary.strings[key], np.asarray(vectors.data[row], dtype=np.float32)
