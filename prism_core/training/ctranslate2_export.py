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
from torch import Tensor

from prism_core.training.subwords import SubwordVocabulary
from prism_core.training.transformer import Attention, Layer, ModelShape, Transformer


def export_model(model: Transformer, vocabulary: SubwordVocabulary, folder: Path) -> None:
    """Write ``model`` to ``folder`` with 8-bit weights, and its pieces beside it."""
    from ctranslate2.specs import TransformerSpec
    from ctranslate2.specs.model_spec import index_spec

    shape = model.shape
    spec = TransformerSpec.from_config((shape.encoder, shape.decoder), shape.heads, pre_norm=True)
    spec.register_source_vocabulary(vocabulary.pieces())
    spec.register_target_vocabulary(vocabulary.pieces())
    spec.config.add_source_eos = True
    spec.config.layer_norm_epsilon = model.encoder.norm.eps
    for stack_spec, stack in ((spec.encoder, model.encoder), (spec.decoder, model.decoder)):
        stack_spec.scale_embeddings = True
        stack_spec.position_encodings.encodings = _copy(stack.positions)
    for name, weight in _list_weights(model):
        part, _, kind = name.rpartition("/")
        setattr(index_spec(spec, part), kind, _copy(weight))
    spec.validate()
    spec.optimize(quantization="int8")
    spec.save(str(folder))
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes(vocabulary.model)


def _copy(weights: Tensor) -> Any:
    """Copy the weights to an array: CTranslate2 scales its input in place."""
    return weights.detach().cpu().numpy().copy()


_KINDS = ("float32", "int8", "int16", "int32", "float16")
"""Names of the numbered types in ``model.bin``."""


def read_export(folder: Path, dropout: float = 0.0) -> Transformer:
    """Read the model that ``export_model`` wrote to ``folder``, as exactly as 8 bits allow.

    Raises ``OSError``, ``ValueError``, ``struct.error`` or ``LookupError`` for another file.
    """
    found = _read_arrays((folder / "model.bin").read_bytes())
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
        for name, weight in _list_weights(model):
            value = torch.from_numpy(found[name].astype(np.float32))
            if f"{name}_scale" in found:
                value /= torch.from_numpy(found[f"{name}_scale"])[:, None]
            if value.shape != weight.shape:
                raise ValueError(name)
            weight.copy_(value)
    return model


def _read_arrays(content: bytes) -> dict[str, Any]:
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


def _list_weights(model: Transformer) -> Iterator[tuple[str, Tensor]]:
    """Yield every weight with its name in ``model.bin``."""
    yield from _list_linear("decoder/projection", model.output)
    for name, side in (("encoder", model.encoder), ("decoder", model.decoder)):
        embeddings = "embeddings_0" if name == "encoder" else "embeddings"
        yield f"{name}/{embeddings}/weight", side.embedding.weight
        yield from _list_norm(f"{name}/layer_norm", side.norm)
        for number, layer in enumerate(side.layers):
            assert isinstance(layer, Layer)  # noqa: S101
            at = f"{name}/layer_{number}"
            yield from _list_attention(f"{at}/self_attention", layer.attention, layer.norms[0])
            if layer.crossing is not None:
                yield from _list_attention(f"{at}/attention", layer.crossing, layer.norms[1])
            yield from _list_linear(f"{at}/ffn/linear_0", layer.widen)
            yield from _list_linear(f"{at}/ffn/linear_1", layer.narrow)
            yield from _list_norm(f"{at}/ffn/layer_norm", layer.norms[-1])


def _list_attention(name: str, part: Attention, norm: Any) -> Iterator[tuple[str, Tensor]]:
    for number, linear in enumerate([*part.inward, part.outward]):
        yield from _list_linear(f"{name}/linear_{number}", linear)
    yield from _list_norm(f"{name}/layer_norm", norm)


def _list_linear(name: str, part: Any) -> Iterator[tuple[str, Tensor]]:
    yield f"{name}/weight", part.weight
    yield f"{name}/bias", part.bias


def _list_norm(name: str, norm: Any) -> Iterator[tuple[str, Tensor]]:
    yield f"{name}/gamma", norm.weight
    yield f"{name}/beta", norm.bias
