"""Parts of a model that are not trained: they cost no gradient, no noise and no memory for both."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal, get_args

from torch import nn

from prism_core.errors import ConfigurationError

Part = Literal["embeddings", "encoder", "decoder", "norms"]
PARTS: tuple[Part, ...] = get_args(Part)

_IS: dict[Part, Callable[[str, nn.Module], bool]] = {
    "embeddings": lambda _, part: isinstance(part, nn.Embedding),
    "encoder": lambda name, _: name.rpartition(".")[2] == "encoder",
    "decoder": lambda name, _: name.rpartition(".")[2] == "decoder",
    "norms": lambda _, part: "norm" in type(part).__name__.lower(),
}


def freeze(model: nn.Module, parts: Iterable[Part]) -> None:
    """Train nothing of ``parts``, nor what shares a weight with them: an output that is tied to the
    embeddings. Raises ``ConfigurationError`` where nothing is left, or a part is not there."""
    for part in parts:
        if part not in PARTS:
            raise ConfigurationError(f"what can be frozen is {', '.join(PARTS)}")
        found = [module for name, module in model.named_modules() if _IS[part](name, module)]
        if not found:
            raise ConfigurationError(f"the model has no {part} to freeze")
        for module in found:
            module.requires_grad_(False)
    if not any(weight.requires_grad for weight in model.parameters()):
        raise ConfigurationError("all of the model is frozen, so nothing is left to be trained")
