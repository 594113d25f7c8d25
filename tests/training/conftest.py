from __future__ import annotations

import random

import pytest
import torch

from prism_core.training.gradients import Batch
from prism_core.training.lot_sampling import Bits
from prism_core.training.transformer import BEGIN, END, PADDING, ModelShape, Transformer

torch.set_num_threads(1)  # tests run beside each other


@pytest.fixture
def bits() -> Bits:
    """Bits that are the same each time."""
    return random.Random(20).randbytes


@pytest.fixture
def model() -> Transformer:
    """A small one, without chance in it."""
    torch.manual_seed(1)
    return Transformer(ModelShape(90, 16, 2, 24, 2, 2, 32))


def made_up_batch(documents: int, sentences: int, pieces: int = 7) -> Batch:
    """Documents of unequal length, of random pieces, filled up with padding."""
    drawn = torch.Generator().manual_seed(documents * 100 + sentences)
    source = torch.randint(4, 90, (documents, sentences, pieces), generator=drawn)
    target = torch.randint(4, 90, (documents, sentences, pieces + 2), generator=drawn)
    target[:, :, 0] = BEGIN
    source[0, 0, 3:], target[0, 0, 4:] = PADDING, PADDING
    source[0, 0, 2], target[0, 0, 3] = END, END
    if sentences > 1:
        source[-1, 1:], target[-1, 1:] = PADDING, PADDING
    return Batch(source, target)
