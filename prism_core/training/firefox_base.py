"""Models of Firefox Translations as bases: from Marian's 8-bit file to PyTorch, and back.

Such a student has a Transformer as encoder, and a decoder whose self-attention is replaced by a
recurrent cell (SSRU): c_t = f_t c_{t-1} + (1 - f_t) W x_t with f_t = sigmoid(W_f x_t + b_f), whose
output is relu(c_t). Normalisation follows each part. The embeddings of both sides and of the output
are one matrix. Every weight is part of a linear map, a lookup or a layer normalisation, so that
ghost clipping is exact once the embeddings are frozen.

The file's pieces have two numbers less than ours (its 0 is the end, its 1 the unknown piece); the
padding and the begin have embeddings of zeros, which is what Marian's decoder begins with.

Entry: ``is_firefox_model`` and ``load_firefox_model``; ``FirefoxModel.save`` writes what
``--translator firefox`` runs.
"""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from prism_core.drafts import read_marian_items
from prism_core.errors import ConfigurationError
from prism_core.training.subwords import SubwordVocabulary
from prism_core.training.transformer import BEGIN, BROKEN, END, PADDING, sinusoids
from prism_core.translators import ModelFiles

_INT8, _FLOAT = 0x4101, 0x404
_CONFIGURATION = "special:model.yml"
_EMBEDDINGS, _OUTPUT_BIAS = "Wemb", "decoder_ff_logit_out_b"
_NEEDED = (
    "tied-embeddings-all: true",
    "transformer-decoder-autoreg: rnn",
    "dec-cell: ssru",
    "transformer-ffn-activation: relu",
    "transformer-postprocess: dan",
    'transformer-preprocess: ""',
)
_LONGEST = 512
_NO_PIECE = -30.0
"""Score of the padding and the begin as the next piece."""
_ANSWER = 128


class MarianArray(NamedTuple):
    """Entry of a Marian file: an array of ``kind`` and ``shape``, or a text, as bytes."""

    kind: int
    shape: tuple[int, ...]
    data: bytes

    def floats(self) -> Tensor:
        """Return the values as the map applies them; those of 8 bits by row of the result."""
        if self.kind == _FLOAT:
            return torch.from_numpy(np.frombuffer(self.data, "<f4").copy())[: math.prod(self.shape)]
        values = np.frombuffer(self.data, "i1", math.prod(self.shape)).astype(np.float32)
        return torch.from_numpy(values) / self.scale

    @property
    def scale(self) -> float:
        """Number of steps of 8 bits in 1."""
        return float(np.frombuffer(self.data, "<f4", 1, math.prod(self.shape))[0])

    def with_values(self, values: Tensor) -> MarianArray:
        """Return the item with other values; those that are not altered keep all their bits.

        The scale of 8 bits stays unless a value has outgrown it.
        """
        flat = values.detach().cpu().double().flatten().numpy()
        if self.kind == _FLOAT:
            written = flat.astype("<f4").tobytes()
        else:
            scale = min(np.float32(self.scale), np.float32(127 / max(abs(flat).max(), 1e-9)))
            written = np.rint(flat * scale).clip(-127, 127).astype("i1").tobytes()
            written += scale.astype("<f4").tobytes()
        return self._replace(data=written + self.data[len(written) :])


def read_marian(content: bytes) -> dict[str, MarianArray]:
    """Read the items of a Marian file by name, in its order."""
    found = read_marian_items(content)
    return {name: MarianArray(kind, shape, bytes(data)) for name, kind, shape, data in found}


def write_marian(items: dict[str, MarianArray]) -> bytes:
    """Return the Marian file of ``items``, with its data at a multiple of 256 bytes."""
    names = [name.encode() + b"\0" for name in items]
    heads = [
        struct.pack("<4Q", len(name), item.kind, len(item.shape), len(item.data))
        for name, item in zip(names, items.values(), strict=True)
    ]
    shapes = [struct.pack(f"<{len(item.shape)}i", *item.shape) for item in items.values()]
    begin = struct.pack("<QQ", 1, len(items)) + b"".join([*heads, *names, *shapes])
    gap = -(len(begin) + 8) % 256
    data = [item.data for item in items.values()]
    return b"".join([begin, struct.pack("<Q", gap), bytes(gap), *data])


class MarianStack(nn.Module):
    """Encoder or decoder: linear maps and normalisations by their names in Marian's file."""

    def __init__(self, side: str, items: dict[str, MarianArray], heads: int) -> None:
        super().__init__()
        self.side, self.heads = side, heads
        self.maps, self.norms = nn.ModuleDict(), nn.ModuleDict()
        for name, item in items.items():
            inner = name.removeprefix(f"{side}_")
            if inner == name or name == _OUTPUT_BIAS or name.endswith("_QuantMultA"):
                continue
            if item.kind == _INT8:
                has_bias = self.bias_of(inner) in items
                self.maps[inner] = nn.Linear(*item.shape, bias=has_bias)
            elif inner.endswith("_ln_scale"):
                norm = nn.LayerNorm(item.shape[-1], eps=1e-6)
                self.norms[inner.removesuffix("_ln_scale")] = norm
        self.depth = max(int(name[1 : name.index("_")]) for name in self.maps)

    def bias_of(self, inner: str) -> str:
        """Return the name in the file of the bias of the map ``inner``: b1 of W1."""
        return f"{self.side}_" + re.sub(r"_W(\w*)$", r"_b\1", inner)

    def weights(self) -> dict[str, Tensor]:
        """Return all weights by their names in the file."""
        found: dict[str, Tensor] = {}
        for inner, part in self.maps.items():
            found[f"{self.side}_{inner}"] = part.weight
            if part.bias is not None:
                found[self.bias_of(inner)] = part.bias
        for inner, part in self.norms.items():
            found[f"{self.side}_{inner}_ln_scale"] = part.weight
            found[f"{self.side}_{inner}_ln_bias"] = part.bias
        return found

    def forward(self, states: Tensor, source_mask: Tensor, encoded: Tensor | None = None) -> Tensor:
        """Encode ``states`` [n, t, width], or decode it with ``encoded`` [n, s, width].

        ``source_mask`` [n, 1, 1, s] is true at the padding of the source.
        """
        for layer in range(1, self.depth + 1):
            if encoded is None:
                name = f"l{layer}_self"
                states = self._add(
                    f"{name}_Wo", states, self._attend(name, states, states, source_mask)
                )
            else:
                states = self._add(
                    f"l{layer}_rnn_ffn", states, self._recur(f"l{layer}_rnn", states)
                )
                name = f"l{layer}_context"
                states = self._add(
                    f"{name}_Wo", states, self._attend(name, states, encoded, source_mask)
                )
            name = f"l{layer}_ffn"
            wide = self.maps[f"{name}_W1"](states).relu()
            states = self._add(f"{name}_ffn", states, self.maps[f"{name}_W2"](wide))
        return states

    def _add(self, norm: str, states: Tensor, more: Tensor) -> Tensor:
        added: Tensor = self.norms[norm](states + more)
        return added

    def split(self, name: str, states: Tensor, encoded: Tensor) -> tuple[Tensor, ...]:
        """Return queries, keys and values [n, heads, t or s, width of a head]."""
        return tuple(
            self.maps[f"{name}_W{letter}"](given).unflatten(-1, (self.heads, -1)).transpose(1, 2)
            for letter, given in (("q", states), ("k", encoded), ("v", encoded))
        )

    def _attend(self, name: str, states: Tensor, encoded: Tensor, source_mask: Tensor) -> Tensor:
        query, key, value = self.split(name, states, encoded)
        scores = query @ key.transpose(2, 3) / math.sqrt(query.shape[-1])
        weights = scores.masked_fill(source_mask, -1e9).softmax(-1)
        attended: Tensor = self.maps[f"{name}_Wo"]((weights @ value).transpose(1, 2).flatten(2))
        return attended

    def _recur(self, name: str, states: Tensor) -> Tensor:
        kept, new = self._gate(self.maps[f"{name}_Wf"](states)), self.maps[f"{name}_W"](states)
        cell, cells = torch.zeros_like(new[:, 0]), []
        for gate, candidate in zip(kept.unbind(1), new.unbind(1), strict=True):
            cell = gate * cell + (1 - gate) * candidate
            cells.append(cell)
        return torch.stack(cells, 1).relu()

    def _gate(self, scores: Tensor) -> Tensor:
        return scores.sigmoid()


class FirefoxModel(nn.Module):
    """Model of Firefox Translations with the interface of ``Transformer``."""

    origin = "a model of Firefox Translations (MPL-2.0, as this one)"
    positions: Tensor

    def __init__(self, items: dict[str, MarianArray]) -> None:
        super().__init__()
        self.items = items
        pieces, width = items[_EMBEDDINGS].shape
        text = items[_CONFIGURATION].data.decode()
        heads = int(re.search(r"^transformer-heads: (\d+)", text, re.M)[1])  # type: ignore[index]
        self.embedding = nn.Embedding(pieces + END, width)
        self.encoder, self.decoder = (
            MarianStack(side, items, heads) for side in ("encoder", "decoder")
        )
        self.output = nn.Linear(width, pieces + END)
        self.output.weight = self.embedding.weight
        self.register_buffer("positions", sinusoids(_LONGEST, width), persistent=False)
        with torch.no_grad():
            self.embedding.weight[:END] = 0
            self.output.bias[:END] = _NO_PIECE
            for name, weight in self._weights().items():
                weight.copy_(items[name].floats().view_as(weight))

    def _weights(self) -> dict[str, Tensor]:
        """Return all weights by their names in the file, as it has them."""
        ends = {_EMBEDDINGS: self.embedding.weight[END:], _OUTPUT_BIAS: self.output.bias[END:]}
        return ends | self.encoder.weights() | self.decoder.weights()

    @property
    def vocabulary_size(self) -> int:
        """Size of the vocabulary."""
        return self.embedding.num_embeddings

    def forward(self, source: Tensor, target: Tensor) -> Tensor:
        """Return scores [n, t, vocabulary]; see ``Transformer.forward``."""
        source_mask = (source == PADDING)[:, None, None, :]
        encoded = self.encoder(self._embed(source), source_mask)
        scores: Tensor = self.output(self.decoder(self._embed(target), source_mask, encoded))
        return scores

    def _embed(self, pieces: Tensor) -> Tensor:
        vectors: Tensor = self.embedding(pieces) * math.sqrt(self.positions.shape[1])
        return vectors + self.positions[: pieces.shape[1]]

    def answers(self, texts: Sequence[str], vocabulary: SubwordVocabulary) -> list[str]:
        """Translate ``texts`` greedily, with the likeliest piece at each place."""
        sources = [torch.tensor(vocabulary.source(text)) for text in texts]
        source = nn.utils.rnn.pad_sequence(sources, batch_first=True, padding_value=PADDING)
        source_mask = (source == PADDING)[:, None, None, :]
        found = torch.full((len(texts), 1), BEGIN)
        with torch.no_grad():
            encoded = self.encoder(self._embed(source), source_mask)
            while found.shape[1] <= _ANSWER and not (found == END).any(1).all():
                last = self.decoder(self._embed(found), source_mask, encoded)[:, -1]
                found = torch.cat([found, self.output(last).argmax(-1, keepdim=True)], 1)
        return [vocabulary.text(answer) for answer in found.tolist()]

    def save(self, folder: Path, vocabulary: SubwordVocabulary, pair: str) -> None:
        """Write the model of ``pair``, ``esen``, to ``folder``, with 8 bits. Raises ``OSError``.

        No shortlist is written: that of a base knows only what the base was trained on.
        """
        weights = self._weights()
        items = {
            name: item.with_values(weights[name]) if name in weights else item
            for name, item in self.items.items()
        }
        (folder / f"model.{pair}.intgemm.alphas.bin").write_bytes(write_marian(items))
        (folder / f"vocab.{pair}.spm").write_bytes(vocabulary.model)


def is_firefox_model(folder: Path) -> bool:
    """Return True if ``folder`` holds a model of Firefox Translations."""
    return any(folder.glob("model.*.bin"))


def load_firefox_model(folder: Path) -> tuple[FirefoxModel, SubwordVocabulary]:
    """Load the model of Firefox Translations in ``folder``, in training mode.

    Raises ``ConfigurationError`` for a model of another make, and ``Misconfigured`` where files are
    missing or differ from their checksums.
    """
    files = ModelFiles.find(folder)
    files.check_sums()
    unlike = ConfigurationError(
        f"{files.model} cannot be trained: it needs an SSRU decoder, weights of 8 bits, and one "
        "vocabulary for both languages, as most models of Firefox Translations have"
    )
    try:
        items = read_marian(files.model.read_bytes())
        text = items[_CONFIGURATION].data.decode()
        model = FirefoxModel(items)
        vocabulary = SubwordVocabulary(files.source_vocabulary.read_bytes())
    except BROKEN:
        raise unlike from None
    known = {*model._weights(), _CONFIGURATION}
    rest = [name for name in items if name not in known and not name.endswith("_QuantMultA")]
    fits = all(line in text for line in _NEEDED) and len(vocabulary) == model.vocabulary_size
    if rest or not fits or files.source_vocabulary != files.target_vocabulary:
        raise unlike
    return model.train(), vocabulary
