"""Is a model of Firefox Translations read right? Its translations beside those of the engine.

    python -m benchmarks.firefox_forward MODELS/pt-en LINES [--first 1000] [--only 7 19] [--floats]

The engine counts in 8 bits, greedily and, here, without a shortlist. ``count_as_the_engine`` does
the same in PyTorch, operation by operation: activations of 8 bits, sums of two products that are
cut off at 16 bits (as AVX2 does), other sums one by one in 32-bit floating point, square roots
rounded to the nearest number, and sines and exponentials as glibc rounds them. ``--floats``
compares the model as it is trained instead. It prints how many lines are the same and, for each of
the others, where the two part: a small margin between our first and second choice is near a tie.
"""

from __future__ import annotations

import argparse
import ctypes
import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn

from prism_core.training import SubwordVocabulary
from prism_core.training.firefox_base import (
    FirefoxModel,
    MarianArray,
    MarianStack,
    load_firefox_model,
)
from prism_core.training.transformer import BEGIN, END
from prism_core.translators import ModelFiles

_AT_ONCE = 25
_SHORT = 2**15
_CUBIC, _SQUARE, _LINE = 1.6938359250920212e-06, 0.00023459809789509004, 0.021660849396613134
"""Factors of the polynomial of glibc's ``expf``."""


def main() -> None:
    """Compare, and print how many lines are the same."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("lines", type=Path)
    parser.add_argument("--first", type=int, default=1000)
    parser.add_argument("--only", type=int, nargs="+", metavar="LINE", help="numbers, from 1")
    parser.add_argument("--floats", action="store_true")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    texts = arguments.lines.read_text(encoding="utf-8").split("\n")[: arguments.first]
    numbers = arguments.only or range(1, len(texts) + 1)
    chosen = [texts[number - 1] for number in numbers]
    partings = compare(arguments.folder, chosen, floats=arguments.floats)
    for at, piece, margin in partings:
        print(f"line {numbers[at]}: parts at piece {piece}, margin {margin:.2g}")
    print(f"{len(chosen) - len(partings)} of {len(chosen)} lines are translated the same")


class Parting(NamedTuple):
    """Text (its place, from 0) that the engine translates otherwise, from ``piece`` (from 1) on.

    ``margin`` is how much more likely our first choice there is than our second, in nats.
    """

    text: int
    piece: int
    margin: float


def compare(folder: Path, texts: Sequence[str], *, floats: bool = False) -> list[Parting]:
    """Find the texts that are translated otherwise than by the engine."""
    model, vocabulary = load_firefox_model(folder)
    model.eval().requires_grad_(requires_grad=False)
    if not floats:
        count_as_the_engine(model)
    found: dict[int, str] = {}
    by_length = sorted(range(len(texts)), key=lambda at: len(texts[at]))
    for start in range(0, len(texts), _AT_ONCE):
        batch = by_length[start : start + _AT_ONCE]
        found |= zip(batch, model.answers([texts[at] for at in batch], vocabulary), strict=True)
    answers = engine_answers(folder, texts)
    return [
        Parting(at, *_part(model, vocabulary, text, answer))
        for at, (text, answer) in enumerate(zip(texts, answers, strict=True))
        if found[at] != answer
    ]


def _part(
    model: FirefoxModel, vocabulary: SubwordVocabulary, text: str, answer: str
) -> tuple[int, float]:
    """Return the first piece that does not lead to ``answer``, and its margin."""
    source, found = torch.tensor([vocabulary.source(text)]), [BEGIN]
    while True:
        scores, pieces = model(source, torch.tensor([found]))[0, -1].topk(2)
        found.append(int(pieces[0]))
        if found[-1] == END or not answer.startswith(vocabulary.text(found)):
            return len(found) - 1, float(scores[0] - scores[1])


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
    speeds = (torch.tensor(1e-4).double() ** (share / (width // 2 - 1)).double()).float()
    angles = torch.arange(len(model.positions))[:, None].float() * speeds
    angles += later.float() * torch.tensor(math.pi / 2)
    model.positions = angles.apply_(c_function("sinf"))


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
        # PyTorch's square root in 32 bits (MKL's) is off by a bit in a sixth of all cases.
        spread = (_sum(apart * apart) / added.shape[-1] + part.eps).double().sqrt().float()
        result: Tensor = part.weight * (apart / spread[..., None]) + part.bias
        return result

    def _attend(self, name: str, states: Tensor, encoded: Tensor, source_mask: Tensor) -> Tensor:
        query, key, value = self.split(name, states, encoded)
        scores = _sum(query[..., None, :] * key[..., None, :, :])
        scores = scores * torch.tensor(1 / math.sqrt(query.shape[-1]))
        scores = scores.masked_fill(source_mask, -1e9)
        weights = exponential(scores - scores.max(-1, keepdim=True).values)
        weights = weights / _sum(weights)[..., None]
        seen = _sum(weights[..., None, :] * value.mT[..., None, :, :])
        attended: Tensor = self.maps[f"{name}_Wo"](seen.transpose(1, 2).flatten(2))
        return attended

    def _gate(self, scores: Tensor) -> Tensor:
        return 1 / (1 + exponential(-scores))


def _sum(values: Tensor) -> Tensor:
    """The sum over the last dimension, from the first to the last."""
    total = torch.zeros(values.shape[:-1])
    for part in values.unbind(-1):
        total = total + part
    return total


def exponential(values: Tensor) -> Tensor:
    """Return e to the power of ``values`` to the last bit as glibc's ``expf``.

    That is 2 to a whole number of 32nds, times a polynomial for the rest: in one of 1,500 cases
    not the nearest number.
    """
    parts = values.double() * (32 / math.log(2))
    rest = parts - parts.round()
    factor = (_CUBIC * rest + _SQUARE) * rest * rest + (_LINE * rest + 1)
    return (torch.exp2(parts.round() / 32) * factor).float()


def c_function(name: str) -> Any:
    """Return a function of the C library from one number of 32 bits to another."""
    function = getattr(ctypes.CDLL(None), name)
    function.argtypes, function.restype = [ctypes.c_float], ctypes.c_float
    return function


if __name__ == "__main__":
    main()
