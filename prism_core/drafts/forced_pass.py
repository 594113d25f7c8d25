"""Forward pass of a Marian transformer whose decoder is made to write given texts.

Arrays are of texts, pieces and features. The encoder reads a text and its end; before piece *n* of
the target the decoder has read the *n* pieces before it.

Entry: ``ForcedPass.run``.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from prism_core.drafts.marian_model import Embeddings, Floats, Ids, MarianModel

_MASKED = np.float32(-1e8)
_EPSILON = np.float32(1e-9)
_LONGEST_WAVE = 10_000
IMPROBABLE = np.float32(10)
"""Improbability, in nats, of a piece that cannot be written."""


class Forced(NamedTuple):
    """Result of a pass, before each piece of the target."""

    states: Floats
    """Last state of the decoder."""
    attention: Floats
    """Weights of the pieces of the source in the head that was trained to align."""


class ForcedPass:
    """Forward pass of one model; threads may share it."""

    def __init__(self, model: MarianModel) -> None:
        self._model = model
        self._weights = model.weights

    def run(self, sources: Ids, lengths: Ids, targets: Ids) -> Forced:
        """Return what the decoder computes while it writes ``targets``.

        Rows are padded with any piece; ``lengths`` counts the pieces of each source.
        """
        padding = np.arange(sources.shape[1]) >= lengths[:, None]
        mask = np.where(padding, _MASKED, np.float32(0))[:, None, None, :]
        context = self._embed(self._model.source_embeddings, sources)
        for n in range(1, self._model.encoder_layers + 1):
            context, _ = self._attend(f"encoder_l{n}_self", context, context, mask)
            context = self._feed_forward(f"encoder_l{n}_ffn", context)
        layer = self._embed(self._model.target_embeddings, targets[:, :-1], begins=True)
        for n in range(1, self._model.decoder_layers + 1):
            name = f"decoder_l{n}"
            layer = self._recur(f"{name}_rnn", layer)
            layer, attention = self._attend(f"{name}_context", layer, context, mask)
            layer = self._feed_forward(f"{name}_ffn", layer)
        return Forced(layer, attention[:, 0])

    def judge(self, states: Floats, written: Ids, pieces: Ids | None) -> tuple[Floats, Floats]:
        """Return the entropy of what the decoder would write after each of ``states``, in nats.

        It may write ``pieces``, sorted; None: any. The second result is how improbable the pieces
        ``written`` are, ``IMPROBABLE`` at most.
        """
        chosen = slice(None) if pieces is None else pieces
        scores = states @ self._outputs[chosen].T
        if "decoder_ff_logit_out_b" in self._weights:
            scores += np.ravel(self._weights["decoder_ff_logit_out_b"])[chosen]
        scores -= scores.max(axis=1, keepdims=True)
        chances = np.exp(scores)
        totals = chances.sum(axis=1)
        means = np.einsum("ij,ij->i", chances, scores) / totals
        logs = np.log(totals)
        places = written if pieces is None else np.searchsorted(pieces, written)
        places = np.minimum(places, scores.shape[1] - 1)
        surprises = logs - scores[np.arange(len(written)), places]
        if pieces is not None:
            surprises[pieces[places] != written] = IMPROBABLE
        return logs - means, np.minimum(surprises, IMPROBABLE)

    @cached_property
    def _outputs(self) -> Floats:
        """Vectors of all pieces of the target."""
        vectors = self._model.target_embeddings
        return vectors.of(np.arange(len(vectors.rows)))

    def _embed(self, embeddings: Embeddings, ids: Ids, *, begins: bool = False) -> Floats:
        """Return the vectors of ``ids`` in their places, after one of nothing if it ``begins``."""
        vectors = embeddings.of(ids) * math.sqrt(embeddings.rows.shape[1])
        if begins:
            vectors = np.pad(vectors, ((0, 0), (1, 0), (0, 0)))
        pieces, features = vectors.shape[1:]
        waves = features // 2  # the signal of each position: sines, then cosines, of longer waves
        speeds = _LONGEST_WAVE ** (-np.arange(waves) / (waves - 1))
        angles = np.arange(pieces)[:, None] * speeds
        signal = np.concatenate([np.sin(angles), np.cos(angles)], axis=1)
        return vectors + signal.astype(np.float32)

    def _recur(self, name: str, layer: Floats) -> Floats:
        """Apply the simplest recurrent unit (SSRU), whose gate mixes its state with the input."""
        inputs = _multiply(layer, self._weights[f"{name}_W"])
        gates: Any = 1 / (1 + np.exp(-self._project(name, "f", layer)))
        inputs *= 1 - gates
        state = np.zeros_like(inputs[:, 0])
        for n in range(layer.shape[1]):
            state = gates[:, n] * state + inputs[:, n]
            inputs[:, n] = state
        return self._add(f"{name}_ffn", np.maximum(inputs, 0), layer)

    def _attend(
        self, name: str, layer: Floats, context: Floats, mask: Floats
    ) -> tuple[Floats, Floats]:
        """Return the next layer, and the weights of ``context`` by text and head."""
        queries = self._split(self._project(name, "q", layer))
        keys = self._split(self._project(name, "k", context))
        values = self._split(self._project(name, "v", context))
        scores: Floats = queries @ keys.swapaxes(2, 3) / math.sqrt(keys.shape[3]) + mask
        scores -= scores.max(axis=3, keepdims=True)
        np.exp(scores, out=scores)
        scores /= scores.sum(axis=3, keepdims=True)
        joined: Floats = (scores @ values).swapaxes(1, 2).reshape(layer.shape)
        return self._add(f"{name}_Wo", self._project(name, "o", joined), layer), scores

    def _split(self, vectors: Floats) -> Floats:
        texts, pieces, features = vectors.shape
        heads = self._model.heads
        return vectors.reshape(texts, pieces, heads, features // heads).swapaxes(1, 2)

    def _feed_forward(self, name: str, layer: Floats) -> Floats:
        inner = self._project(name, "1", layer)
        np.maximum(inner, 0, out=inner)
        return self._add(f"{name}_ffn", self._project(name, "2", inner), layer)

    def _project(self, name: str, kind: str, layer: Floats) -> Floats:
        product = _multiply(layer, self._weights[f"{name}_W{kind}"])
        product += self._weights[f"{name}_b{kind}"]
        return product

    def _add(self, name: str, change: Floats, layer: Floats) -> Floats:
        """Add ``change`` to ``layer`` and normalise the sum."""
        total = change + layer
        total -= total.mean(axis=2, keepdims=True)
        deviation = np.sqrt(np.square(total).mean(axis=2, keepdims=True) + _EPSILON)
        total /= deviation
        total *= self._weights[f"{name}_ln_scale"]
        total += self._weights[f"{name}_ln_bias"]
        return total


def _multiply(layer: Floats, weights: Floats) -> Floats:
    """Return ``layer @ weights``, as one product; NumPy makes one of each text, which is slower."""
    product: Floats = layer.reshape(-1, len(weights)) @ weights
    return product.reshape(*layer.shape[:-1], -1)
