"""Is a model of Firefox Translations read right? Its translations beside those of the engine.

    python -m benchmarks.firefox_forward MODELS/pt-en LINES [--first 1000] [--floats]

The engine counts in 8 bits, greedily and, here, without a shortlist. ``Engine`` does the same in
PyTorch, operation by operation: activations of 8 bits, sums of two products that are cut off at 16
bits (as AVX2 does), other sums one by one in 32-bit floating point. ``--floats`` compares the model
as it is trained instead. It prints how many lines are the same.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from prism_core.training.firefox_base import (
    FirefoxModel,
    MarianArray,
    MarianStack,
    load_firefox_model,
)
from prism_core.translators import ModelFiles

_AT_ONCE = 25
_SHORT = 2**15


def main() -> None:
    """Compare, and print how many lines are the same."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("lines", type=Path)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--floats", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    texts = arguments.lines.read_text(encoding="utf-8").split("\n")[: arguments.first]
    same = sum(compare(arguments.folder, texts, floats=arguments.floats))
    print(f"{same} of {len(texts)} lines are translated the same")


def compare(folder: Path, texts: Sequence[str], *, floats: bool = False) -> list[bool]:
    """Whether each text is translated as the engine does."""
    model, vocabulary = load_firefox_model(folder)
    model.eval().requires_grad_(requires_grad=False)
    if not floats:
        count_as_the_engine(model)
    found: list[str] = []
    for start in range(0, len(texts), _AT_ONCE):
        found += model.answers(texts[start : start + _AT_ONCE], vocabulary)
    return [a == b for a, b in zip(found, engine_answers(folder, texts), strict=True)]


def engine_answers(folder: Path, texts: Sequence[str], *, shortlist: bool = False) -> list[str]:
    """What the engine makes of ``texts``."""
    import fxtranslate

    files = ModelFiles.find(folder)
    chosen = files.shortlist.read_bytes() if shortlist and files.shortlist else None
    vocabularies = files.source_vocabulary.read_bytes(), files.target_vocabulary.read_bytes()
    engine = fxtranslate.Translator(files.model.read_bytes(), *vocabularies, chosen)
    return [engine.translate(text) for text in texts]


def count_as_the_engine(model: FirefoxModel) -> None:
    """Let ``model`` count as the engine does."""
    for side in (model.encoder, model.decoder):
        side.__class__ = EngineStack
        for name, part in side.maps.items():
            full = f"{side.side}_{name}"
            side.maps[name] = EngineMap(part, model.items[full], model.items[f"{full}_QuantMultA"])
    items = model.items
    model.output = EngineMap(model.output, items["Wemb"], items["none_QuantMultA"])  # type: ignore[assignment]
    # The engine multiplies by the inverse: a division differs in the last bit of a tenth.
    scale = torch.tensor(items["Wemb"].scale)
    model.embedding.weight.copy_(torch.round(model.embedding.weight * scale) * (1 / scale))
    width = model.positions.shape[1]
    share, later = (torch.arange(width) % (width // 2)).float(), torch.arange(width) // (width // 2)
    speeds = _rounded(lambda x: torch.tensor(1e-4).double() ** x, share / (width // 2 - 1))
    angles = torch.arange(len(model.positions))[:, None].float() * speeds
    model.positions = _rounded(torch.sin, angles + later.float() * torch.tensor(math.pi / 2))


class EngineMap(nn.Module):
    """A linear map in 8 bits: activations are moved by 127, so that they have no sign."""

    def __init__(self, part: Any, item: MarianArray, multiplier: MarianArray) -> None:
        super().__init__()
        self.weight = torch.round(part.weight.double() * item.scale)
        self.multiplier = multiplier.floats()[0]
        self.unit = 1 / (self.multiplier * torch.tensor(item.scale))
        bias = torch.zeros(len(self.weight)) if part.bias is None else part.bias
        self.bias = bias - 127.0 * self.unit * self.weight.float().sum(1)
        pairs = 254 * self.weight.unflatten(1, (-1, 2))
        cut = (pairs.clamp_min(0).sum(2) >= _SHORT) | (pairs.clamp_max(0).sum(2) < -_SHORT)
        self.outer, self.pair = cut.nonzero().T

    def forward(self, given: Tensor) -> Tensor:
        """Apply the map; two products whose sum is beyond 16 bits are cut off there."""
        rounded = (torch.round(given * self.multiplier).clamp(-127, 127) + 127).double()
        summed = rounded @ self.weight.T
        first, second = 2 * self.pair, 2 * self.pair + 1
        two = rounded[..., first] * self.weight[self.outer, first]
        two += rounded[..., second] * self.weight[self.outer, second]
        excess = two - two.clamp(-_SHORT, _SHORT - 1)
        return summed.index_add(-1, self.outer, -excess).float() * self.unit + self.bias


class EngineStack(MarianStack):
    """The parts between the maps, with sums one by one."""

    def _add(self, norm: str, states: Tensor, more: Tensor) -> Tensor:
        part: Any = self.norms[norm]
        added = more + states
        apart = added - (_sum(added) / added.shape[-1])[..., None]
        spread = (_sum(apart * apart) / added.shape[-1] + part.eps).sqrt()
        result: Tensor = part.weight * (apart / spread[..., None]) + part.bias
        return result

    def _attend(self, name: str, states: Tensor, encoded: Tensor, source_mask: Tensor) -> Tensor:
        query, key, value = self.split(name, states, encoded)
        scores = _sum(query[..., None, :] * key[..., None, :, :])
        scores = scores * torch.tensor(1 / math.sqrt(query.shape[-1]))
        scores = scores.masked_fill(source_mask, -math.inf)
        weights = _rounded(torch.exp, scores - scores.max(-1, keepdim=True).values)
        weights = weights / _sum(weights)[..., None]
        seen = _sum(weights[..., None, :] * value.mT[..., None, :, :])
        attended: Tensor = self.maps[f"{name}_Wo"](seen.transpose(1, 2).flatten(2))
        return attended

    def _gate(self, scores: Tensor) -> Tensor:
        return 1 / (1 + _rounded(torch.exp, -scores))


def _sum(values: Tensor) -> Tensor:
    """The sum over the last dimension, from the first to the last."""
    total = torch.zeros(values.shape[:-1])
    for part in values.unbind(-1):
        total = total + part
    return total


def _rounded(function: Callable[[Tensor], Tensor], values: Tensor) -> Tensor:
    return function(values.double()).float()


if __name__ == "__main__":
    main()
