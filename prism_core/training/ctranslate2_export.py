"""Export of a trained model to CTranslate2, so that ``--translator local`` can run it.

``export_model`` writes it, with weights of eight bits; ``read_export`` takes the weights back from
there, so that a folder with nothing else is a base to begin from.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from prism_core.training.subwords import SubwordVocabulary
from prism_core.training.transformer import Attention, Layer, ModelShape, Side, Transformer


def export_model(model: Transformer, vocabulary: SubwordVocabulary, folder: Path) -> None:
    """Write ``model`` to ``folder`` with 8-bit weights, and its pieces beside it."""
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
    """Copy the weights to an array: CTranslate2 scales its input in place."""
    return weights.detach().cpu().numpy().copy()


_KINDS = ("float32", "int8", "int16", "int32", "float16")
"""Names of the numbered types in ``model.bin``."""


def read_export(folder: Path, dropout: float = 0.0) -> Transformer:
    """Read the model that ``export_model`` wrote to ``folder``, as exactly as 8 bits allow.

    Raises ``OSError``, ``ValueError``, ``struct.error`` or ``LookupError`` for another file.
    """
    found = _variables((folder / "model.bin").read_bytes())
    encoder, decoder = (
        len({name.split("/")[1] for name in found if name.startswith(f"{side}/layer_")})
        - 1  # layer_norm
        for side in ("encoder", "decoder")
    )
    vocabulary, width = found["decoder/projection/weight"].shape
    inner = found["encoder/layer_0/ffn/linear_0/weight"].shape[0]
    heads = int(found["encoder/num_heads"])
    longest = found["decoder/position_encodings/encodings"].shape[0]
    shape = ModelShape(vocabulary, width, heads, inner, encoder, decoder, longest)
    model = Transformer(shape, dropout)
    with torch.no_grad():
        for name, weight in _names(model):
            value = torch.from_numpy(found[name].astype(np.float32))
            if f"{name}_scale" in found:
                value /= torch.from_numpy(found[f"{name}_scale"])[:, None]
            if value.shape != weight.shape:
                raise ValueError(name)
            weight.copy_(value)
    return model


def _variables(content: bytes) -> dict[str, Any]:
    """Read the arrays of a ``model.bin`` of version 6, by name; equal arrays are shared."""
    found, place = {}, 0

    def take(form: str) -> Any:
        nonlocal place
        values = struct.unpack_from(f"<{form}", content, place)
        place += struct.calcsize(f"<{form}")
        return values[0] if len(values) == 1 else values

    def name() -> str:
        return bytes(take(f"{take('H')}s")).rstrip(b"\0").decode()

    take("I")
    name()
    take("I")
    for _ in range(take("I")):
        key, rank = name(), take("B")
        shape = [take("I") for _ in range(rank)]
        kind, size = _KINDS[take("B")], take("I")
        found[key] = np.frombuffer(content[place : place + size], kind).reshape(shape).copy()
        place += size
    for _ in range(take("I")):
        key = name()
        found[key] = found[name()]
    return found


def _names(model: Transformer) -> Iterator[tuple[str, Tensor]]:
    """Yield every weight with its name in ``model.bin``."""
    yield from _pair("decoder/projection", model.output)
    for name, side in (("encoder", model.encoder), ("decoder", model.decoder)):
        embeddings = "embeddings_0" if name == "encoder" else "embeddings"
        yield f"{name}/{embeddings}/weight", side.embedding.weight
        yield from _norm(f"{name}/layer_norm", side.norm)
        for number, layer in enumerate(side.layers):
            assert isinstance(layer, Layer)  # noqa: S101
            at = f"{name}/layer_{number}"
            yield from _parts(f"{at}/self_attention", layer.attention, layer.norms[0])
            if layer.crossing is not None:
                yield from _parts(f"{at}/attention", layer.crossing, layer.norms[1])
            yield from _pair(f"{at}/ffn/linear_0", layer.widen)
            yield from _pair(f"{at}/ffn/linear_1", layer.narrow)
            yield from _norm(f"{at}/ffn/layer_norm", layer.norms[-1])


def _parts(name: str, part: Attention, norm: Any) -> Iterator[tuple[str, Tensor]]:
    for number, linear in enumerate([*part.inward, part.outward]):
        yield from _pair(f"{name}/linear_{number}", linear)
    yield from _norm(f"{name}/layer_norm", norm)


def _pair(name: str, part: Any) -> Iterator[tuple[str, Tensor]]:
    yield f"{name}/weight", part.weight
    yield f"{name}/bias", part.bias


def _norm(name: str, norm: Any) -> Iterator[tuple[str, Tensor]]:
    yield f"{name}/gamma", norm.weight
    yield f"{name}/beta", norm.bias
