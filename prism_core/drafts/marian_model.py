"""Models in the binary format of Marian, as Firefox Translations publishes them.

A file has a version and a number of items; a header for each item (size of its name, type, number
of dimensions, size of its data); all names; all shapes; a gap; all data. A matrix of eight-bit
integers is transposed, and its multiplier follows it. Embeddings alone are not transposed.

Entry: ``MarianModel.read``; ``read_marian_items`` of a file's content.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from prism_core.errors import Misconfigured

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]

_VERSION = 1
_FLOATS, _INTEGERS = 0x0404, 0x4101
_CONFIG = "special:model.yml"
_OF_ACTIVATIONS = "_QuantMultA"
"""End of the names of items that only arithmetic in integers needs."""

_ARCHITECTURE = {
    "type": "transformer",
    "transformer-decoder-autoreg": "rnn",
    "dec-cell": "ssru",
    "dec-cell-base-depth": "2",
    "layer-normalization": "false",
    "lemma-dim-emb": "0",
    "transformer-ffn-activation": "relu",
    "transformer-ffn-depth": "2",
    "transformer-guided-alignment-layer": "last",
    "transformer-no-projection": "false",
    "transformer-pool": "false",
    "transformer-postprocess": "dan",
    "transformer-postprocess-emb": "d",
    "transformer-postprocess-top": "",
    "transformer-preprocess": "",
    "transformer-tied-layers": "[]",
    "transformer-train-position-embeddings": "false",
}
"""Settings of the only architecture that ``ForcedPass`` computes."""


class Embeddings(NamedTuple):
    """Vectors of the pieces of a vocabulary, as integers to save memory."""

    rows: NDArray[np.int8]
    multiplier: float

    def of(self, ids: Ids) -> Floats:
        """Return the vectors of ``ids``."""
        return self.rows[ids].astype(np.float32) / self.multiplier


@dataclass(frozen=True, slots=True)
class MarianModel:
    """Weights of a model by name, matrices so that they stand on the right of a product."""

    weights: Mapping[str, Floats]
    source_embeddings: Embeddings
    target_embeddings: Embeddings
    encoder_layers: int
    decoder_layers: int
    heads: int

    @classmethod
    def read(cls, path: Path) -> MarianModel:
        """Read ``path``. Raises ``Misconfigured`` if it is damaged or of another architecture."""
        try:
            items = {
                item.name: item
                for item in read_marian_items(path.read_bytes())
                if not item.name.endswith(_OF_ACTIVATIONS)
            }
            # Its settings of one line; the rest is lists.
            settings = bytes(items.pop(_CONFIG).data).rstrip(b"\0").decode().splitlines()
            parts = (line.partition(":") for line in settings)
            config = {key: value.strip().strip('"') for key, _, value in parts}
            for key, value in _ARCHITECTURE.items():
                if config.get(key, value) != value:
                    raise Misconfigured(
                        f"{path} has {key} {config[key]!r}; only {value!r} is supported."
                    )
            named = {name: item.embeddings for name, item in items.items() if "Wemb" in name}
            source, target = (
                named[side] if side in named else named["Wemb"]
                for side in ("encoder_Wemb", "decoder_Wemb")
            )
            sizes = [int(config[key]) for key in ("enc-depth", "dec-depth", "transformer-heads")]
            if min(sizes) < 1:
                raise ValueError
            weights = {name: item.weights for name, item in items.items() if name not in named}
            return cls(weights, source, target, *sizes)
        except OSError as error:
            raise Misconfigured(f"{path} cannot be read: {error.strerror}.") from None
        except (KeyError, ValueError, struct.error):
            raise Misconfigured(
                f"{path} is damaged, or is no model of Marian with weights of eight bits. Add the "
                "model again with prism models add."
            ) from None


class Shortlist(NamedTuple):
    """Pieces of the target that the model may write, by pieces of the source.

    The file has six numbers (a mark, a checksum, of frequent pieces, the most for a piece, sizes of
    both lists), where the list of each piece of the source begins, and these lists.
    """

    frequent: int
    starts: NDArray[np.uint64]
    pieces: NDArray[np.uint32]

    @classmethod
    def read(cls, path: Path) -> Shortlist:
        """Read ``path``. Raises ``Misconfigured`` if it is damaged."""
        try:
            content = path.read_bytes()
            _, _, frequent, _, starts, pieces = map(int, np.frombuffer(content, "<u8", 6))
            read = cls(
                frequent,
                np.frombuffer(content, "<u8", starts, offset=6 * 8),
                np.frombuffer(content, "<u4", pieces, offset=(6 + starts) * 8),
            )
        except (OSError, ValueError):
            raise Misconfigured(f"{path} is no shortlist of Firefox Translations.") from None
        return read

    def of(self, source: Ids) -> Ids:
        """Return the pieces that may translate those of ``source``, sorted."""
        lists = [self.pieces[self.starts[n] : self.starts[n + 1]] for n in source.tolist()]
        return np.unique(np.concatenate([np.arange(self.frequent), *lists]).astype(np.int64))


class MarianItem(NamedTuple):
    """Entry of a file: an array, or a text, as bytes."""

    name: str
    kind: int
    shape: tuple[int, ...]
    data: memoryview

    @property
    def weights(self) -> Floats:
        """Values of an array, a matrix as it stands on the right of a product."""
        if self.kind == _FLOATS:
            numbers = np.frombuffer(self.data, "<f4", math.prod(self.shape))
            return numbers.reshape(self.shape).astype(np.float32)
        rows, multiplier = self.embeddings
        return (rows.reshape(self.shape[::-1]).astype(np.float32) / multiplier).T

    @property
    def embeddings(self) -> Embeddings:
        """Eight-bit rows of a matrix, with their multiplier. Raises ``ValueError`` for others."""
        if self.kind != _INTEGERS:
            raise ValueError
        count = math.prod(self.shape)
        (multiplier,) = struct.unpack_from("<f", self.data, count)
        if not 0 < multiplier < math.inf:
            raise ValueError
        rows = np.frombuffer(self.data, np.int8, count).reshape(self.shape)
        return Embeddings(rows.copy(), multiplier)


def read_marian_items(content: bytes) -> Iterator[MarianItem]:
    """Yield the items of a file, in its order. Raises ``ValueError`` if it is cut short."""
    rest = memoryview(content)

    def take(size: int) -> memoryview:
        nonlocal rest
        if size > len(rest):
            raise ValueError
        taken, rest = rest[:size], rest[size:]
        return taken

    def take_numbers(count: int, kind: str = "Q") -> tuple[int, ...]:
        form = f"<{count}{kind}"
        return struct.unpack(form, take(struct.calcsize(form)))

    version, count = take_numbers(2)
    if version != _VERSION:
        raise ValueError
    headers = [take_numbers(4) for _ in range(count)]
    names = [bytes(take(size)).rstrip(b"\0").decode() for size, _, _, _ in headers]
    shapes = [take_numbers(dimensions, "i") for _, _, dimensions, _ in headers]
    if any(size <= 0 for shape in shapes for size in shape):
        raise ValueError
    take(*take_numbers(1))
    for name, shape, (_, kind, _, size) in zip(names, shapes, headers, strict=True):
        yield MarianItem(name, kind, shape, take(size))
