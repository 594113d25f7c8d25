"""Compact Transformer for translation, of layers whose gradients can be told apart.

These are linear maps, lookups and layer normalisation, each with weights of its own. Its shape is
the one that CTranslate2 runs: normalisation before each part, queries, keys and
values from one linear map, sinusoidal places. Nothing in it mixes sentences. Embeddings are not
tied to the output, so that ghost clipping is exact.

Entry: ``Transformer`` of a ``ModelShape``; ``freeze`` excludes parts of it, or of a pretrained
model, from training: they cost no gradient, no noise and no memory for both.
"""

from __future__ import annotations

import math
import pickle
import struct
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal, get_args

import torch
from torch import Tensor, nn
from torch.nn import functional

from prism_core.errors import ConfigurationError

PADDING = 0
BEGIN = 1
END = 2
UNKNOWN = 3

BROKEN = (
    *(OSError, RuntimeError, ValueError, LookupError, TypeError, ArithmeticError, MemoryError),
    *(EOFError, pickle.UnpicklingError, struct.error),
)
"""Errors that reading an altered file of weights may raise."""


@dataclass(frozen=True, slots=True)
class ModelShape:
    """Size of a model: ``width`` is a multiple of ``heads``; ``longest`` counts pieces."""

    vocabulary: int
    width: int = 256
    heads: int = 4
    inner: int = 1024
    encoder: int = 3
    decoder: int = 3
    longest: int = 512


class Attention(nn.Module):
    """Multi-head attention, to the sequence itself or to another one."""

    def __init__(self, shape: ModelShape, *, to_itself: bool) -> None:
        super().__init__()
        width = shape.width
        self.heads = shape.heads
        widths = [3 * width] if to_itself else [width, 2 * width]
        self.inward = nn.ModuleList(nn.Linear(width, out) for out in widths)
        self.outward = nn.Linear(width, width)

    def forward(self, states: Tensor, encoded: Tensor | None, mask: Tensor) -> Tensor:
        """Let ``states`` [n, t, width] attend to itself or to ``encoded`` [n, s, width].

        ``mask`` is broadcast to [n, 1, t, s] and true where nothing may be seen.
        """
        if encoded is None:
            query, key, value = self.inward[0](states).chunk(3, -1)
        else:
            query = self.inward[0](states)
            key, value = self.inward[1](encoded).chunk(2, -1)
        n, length, width = query.shape
        query, key, value = (
            part.reshape(n, -1, self.heads, width // self.heads).transpose(1, 2)
            for part in (query, key, value)
        )
        scores = query @ key.transpose(2, 3) / math.sqrt(width // self.heads)
        weights = scores.masked_fill(mask, -1e9).softmax(-1)
        return self.outward((weights @ value).transpose(1, 2).reshape(n, length, width))


class Layer(nn.Module):
    """Layer of either side; with ``crossing`` it also attends to the source."""

    def __init__(self, shape: ModelShape, dropout: float, *, crossing: bool) -> None:
        super().__init__()
        self.attention = Attention(shape, to_itself=True)
        self.crossing = Attention(shape, to_itself=False) if crossing else None
        self.widen = nn.Linear(shape.width, shape.inner)
        self.narrow = nn.Linear(shape.inner, shape.width)
        self.norms = nn.ModuleList(nn.LayerNorm(shape.width) for _ in range(3 if crossing else 2))
        self.dropout = nn.Dropout(dropout)

    def forward(
        self,
        states: Tensor,
        mask: Tensor,
        encoded: Tensor | None = None,
        source_mask: Tensor | None = None,
    ) -> Tensor:
        """Apply the layer: ``mask`` belongs to ``states``, ``source_mask`` to ``encoded``."""
        states = states + self.dropout(self.attention(self.norms[0](states), None, mask))
        if self.crossing is not None:
            states = states + self.dropout(
                self.crossing(self.norms[1](states), encoded, source_mask)
            )
        return states + self.dropout(self.narrow(self.widen(self.norms[-1](states)).relu()))


class Stack(nn.Module):
    """Encoder or decoder: pieces to vectors."""

    positions: Tensor

    def __init__(self, shape: ModelShape, layers: int, dropout: float, *, crossing: bool) -> None:
        super().__init__()
        self.embedding = nn.Embedding(shape.vocabulary, shape.width)
        nn.init.normal_(self.embedding.weight, std=shape.width**-0.5)
        self.layers = nn.ModuleList(Layer(shape, dropout, crossing=crossing) for _ in range(layers))
        self.norm = nn.LayerNorm(shape.width)
        self.dropout = nn.Dropout(dropout)
        self.register_buffer("positions", sinusoids(shape.longest, shape.width), persistent=False)

    def forward(
        self,
        pieces: Tensor,
        mask: Tensor,
        encoded: Tensor | None = None,
        source_mask: Tensor | None = None,
    ) -> Tensor:
        """Encode [n, t] pieces to [n, t, width]."""
        vectors = self.embedding(pieces) * math.sqrt(self.norm.normalized_shape[0])
        vectors = self.dropout(vectors + self.positions[: pieces.shape[1]])
        for layer in self.layers:
            vectors = layer(vectors, mask, encoded, source_mask)
        return self.norm(vectors)


class Transformer(nn.Module):
    """Encoder, decoder and the map to the vocabulary."""

    origin = "a public model"
    """Words for it in the card of a model that began from it."""

    def __init__(self, shape: ModelShape, dropout: float = 0.0) -> None:
        super().__init__()
        self.shape = shape
        self.encoder = Stack(shape, shape.encoder, dropout, crossing=False)
        self.decoder = Stack(shape, shape.decoder, dropout, crossing=True)
        self.output = nn.Linear(shape.width, shape.vocabulary)
        nn.init.normal_(self.output.weight, std=shape.width**-0.5)
        nn.init.zeros_(self.output.bias)

    @property
    def vocabulary_size(self) -> int:
        """Size of the vocabulary."""
        return self.shape.vocabulary

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return scores [n, t, vocabulary] of the pieces after each of ``target`` [n, t].

        ``target`` begins with ``BEGIN``; ``source`` [n, s] ends with ``END``. ``PADDING`` has no
        weight.
        """
        source_mask = (source == PADDING)[:, None, None, :]
        later = torch.ones(
            target.shape[1], target.shape[1], dtype=torch.bool, device=target.device
        ).triu(1)
        return self.output(
            self.decoder(target, later, self.encoder(source, source_mask), source_mask)
        )


def losses(model: nn.Module, source: Tensor, target: Tensor, smoothing: float = 0.1) -> Tensor:
    """Return the loss of each sentence [n]: the summed cross-entropy of its pieces, in nats.

    ``source`` [n, s]; ``target`` [n, t] begins with ``BEGIN`` and ends with ``END``. A row of
    padding has the loss 0.
    """
    scores = model(source, target[:, :-1])
    wanted = target[:, 1:]
    each = functional.cross_entropy(
        scores.flatten(0, 1), wanted.flatten(), reduction="none", label_smoothing=smoothing
    )
    return (each.view(wanted.shape) * (wanted != PADDING)).sum(1)


def sinusoids(places: int, width: int) -> Tensor:
    """Return sines, then cosines, of the places [places, width], as CTranslate2 counts them."""
    steps = math.log(10_000) / (width // 2 - 1)
    speeds = torch.exp(-steps * torch.arange(width // 2))
    angles = torch.arange(places)[:, None] * speeds
    return torch.cat([angles.sin(), angles.cos()], 1)


ModelPart = Literal["embeddings", "encoder", "decoder", "norms", "matrices"]
PARTS: tuple[ModelPart, ...] = get_args(ModelPart)

_IS: dict[ModelPart, Callable[[str, nn.Module], bool]] = {
    "embeddings": lambda _, part: isinstance(part, nn.Embedding),
    "encoder": lambda name, _: name.rpartition(".")[2] == "encoder",
    "decoder": lambda name, _: name.rpartition(".")[2] == "decoder",
    "norms": lambda _, part: "norm" in type(part).__name__.lower(),
    "matrices": lambda _, part: isinstance(part, (nn.Linear, nn.Embedding)),
}


def freeze(model: nn.Module, parts: Iterable[ModelPart]) -> None:
    """Exclude ``parts`` from training, with all that shares a weight with them (tied embeddings).

    Without ``matrices``, normalisations and biases are left, but not the output's bias, which has a
    weight for each piece. Raises ``ConfigurationError`` if nothing is left, or a part does not
    exist.
    """
    sizes = {part.num_embeddings for part in model.modules() if isinstance(part, nn.Embedding)}
    for part in parts:
        if part not in PARTS:
            raise ConfigurationError(f"what can be frozen is {', '.join(PARTS)}")
        found = [module for name, module in model.named_modules() if _IS[part](name, module)]
        if not found:
            raise ConfigurationError(f"the model has no {part} to freeze")
        for weight in (weight for module in found for weight in module.parameters()):
            if part != "matrices" or weight.dim() > 1 or len(weight) in sizes:
                weight.requires_grad_(False)
    if not any(weight.requires_grad for weight in model.parameters()):
        raise ConfigurationError("all of the model is frozen, so nothing is left to be trained")
