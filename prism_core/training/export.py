"""A trained model as CTranslate2 runs it, so that ``--translator local`` translates with it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from torch import nn

from prism_core.training.model import Attention, Layer, Side, Translator
from prism_core.training.vocabulary import Vocabulary


def export_model(model: Translator, vocabulary: Vocabulary, folder: Path) -> None:
    """Write ``model`` to ``folder`` with weights of eight bits, and its pieces beside it."""
    from ctranslate2.specs import TransformerSpec

    shape = model.shape
    spec = TransformerSpec.from_config((shape.encoder, shape.decoder), shape.heads, pre_norm=True)
    spec.register_source_vocabulary(vocabulary.pieces())
    spec.register_target_vocabulary(vocabulary.pieces())
    spec.config.add_source_eos = True
    spec.config.layer_norm_epsilon = model.encoder.norm.eps
    _fill_side(spec.encoder, spec.encoder.embeddings[0], model.encoder)
    _fill_side(spec.decoder, spec.decoder.embeddings, model.decoder)
    _fill(spec.decoder.projection, model.output)
    spec.validate()
    spec.optimize(quantization="int8")
    spec.save(str(folder))
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes(vocabulary.model)


def _fill_side(spec: Any, embeddings: Any, side: Side) -> None:
    embeddings.weight = _copied(side.embedding.weight)
    spec.scale_embeddings = True
    spec.position_encodings.encodings = _copied(side.places)
    _fill_norm(spec.layer_norm, side.norm)
    for layer_spec, layer in zip(spec.layer, side.layers, strict=True):
        assert isinstance(layer, Layer)  # noqa: S101
        _fill_attention(layer_spec.self_attention, layer.attention, layer.norms[0])
        if layer.crossing is not None:
            _fill_attention(layer_spec.attention, layer.crossing, layer.norms[1])
        _fill(layer_spec.ffn.linear_0, layer.widen)
        _fill(layer_spec.ffn.linear_1, layer.narrow)
        _fill_norm(layer_spec.ffn.layer_norm, layer.norms[-1])


def _fill_attention(spec: Any, attention: Attention, norm: nn.Module) -> None:
    for linear_spec, linear in zip(
        spec.linear, [*attention.inward, attention.outward], strict=True
    ):
        _fill(linear_spec, linear)
    _fill_norm(spec.layer_norm, norm)


def _fill(spec: Any, part: Any) -> None:
    spec.weight = _copied(part.weight)
    spec.bias = _copied(part.bias)


def _fill_norm(spec: Any, norm: Any) -> None:
    spec.gamma = _copied(norm.weight)
    spec.beta = _copied(norm.bias)


def _copied(weights: Any) -> Any:
    """An array of its own: CTranslate2 scales what it is given in its place."""
    return weights.detach().cpu().numpy().copy()
