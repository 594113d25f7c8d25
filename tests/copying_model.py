"""A translation model whose translation is known, made of numbers alone: CTranslate2 runs it.

It copies its input piece by piece and turns the vowels round (a e i o u a): every position attends
to itself. Tokens and positions are vectors of plus and minus one with their own negation behind
them, so that their mean and variance are the same for all and layer normalisation changes nothing.
"""

from __future__ import annotations

import io
import string
from pathlib import Path

import numpy as np
import sentencepiece
from ctranslate2.specs import TransformerSpec

LONGEST = 512
_TURNED = str.maketrans("aeiouAEIOU", "eiouaEIOUA")
_BITS = 10
_HALF = 2 * _BITS
"""Dimensions of one code: tokens, positions and what was copied have one each."""
_WIDTH = 64


def turned(text: str) -> str:
    """What the model makes of ``text``."""
    return text.translate(_TURNED)


def make_copying_model(folder: Path) -> Path:
    """Write the model with its vocabulary as a converted Opus-MT model has them."""
    pieces = _sentence_pieces()
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("source.spm", "target.spm"):
        (folder / name).write_bytes(pieces)
    processor = sentencepiece.SentencePieceProcessor(model_proto=pieces)
    tokens = [processor.id_to_piece(n) for n in range(processor.get_piece_size())]
    spec = TransformerSpec.from_config((1, 1), 1)
    spec.register_source_vocabulary(tokens)
    spec.register_target_vocabulary(tokens)
    spec.config.add_source_eos = True
    _fill(spec, tokens)
    spec.validate()
    spec.save(str(folder))
    return folder


def _sentence_pieces() -> bytes:
    """A vocabulary of characters, and of bytes for all others."""
    written = io.BytesIO()
    sentencepiece.SentencePieceTrainer.train(
        sentence_iterator=iter([string.printable.strip() * 2, string.ascii_letters] * 3),
        model_writer=written,
        model_type="char",
        vocab_size=400,
        hard_vocab_limit=False,
        byte_fallback=True,
        character_coverage=1.0,
        normalization_rule_name="identity",
        minloglevel=2,
    )
    return written.getvalue()


def _codes(count: int) -> np.ndarray:
    """``count`` rows that are pairwise as far apart as binary numbers are, balanced."""
    bits = (np.arange(count)[:, None] >> np.arange(_BITS)) & 1
    signs = (2 * bits - 1).astype(np.float32)
    return np.concatenate([signs, -signs], axis=1)


def _at(place: int, codes: np.ndarray) -> np.ndarray:
    rows = np.zeros((len(codes), _WIDTH), np.float32)
    rows[:, place * _HALF : (place + 1) * _HALF] = codes
    return rows


def _moving(source: int, target: int, factor: float = 1.0) -> np.ndarray:
    """The matrix that copies one third of a vector to another."""
    matrix = np.zeros((_WIDTH, _WIDTH), np.float32)
    for n in range(_HALF):
        matrix[target * _HALF + n, source * _HALF + n] = factor
    return matrix


def _fill(spec: TransformerSpec, tokens: list[str]) -> None:
    token, position, copied = 0, 1, 2
    known, nothing = _codes(len(tokens)), np.zeros((_WIDTH, _WIDTH), np.float32)
    for part in (spec.encoder, spec.decoder):
        embeddings = part.embeddings[0] if isinstance(part.embeddings, list) else part.embeddings
        embeddings.weight = _at(token, known)
        part.scale_embeddings = False
        part.position_encodings.encodings = _at(position, _codes(LONGEST))
        layer = part.layer[0]
        _linear(layer.self_attention.linear, [np.concatenate([nothing] * 3), nothing])
        _norm(layer.self_attention.layer_norm, 2)
        _linear([layer.ffn.linear_0, layer.ffn.linear_1], [nothing, nothing])
        _norm(layer.ffn.layer_norm, 2)
    _norm(spec.encoder.layer_norm, 2)
    attention = spec.decoder.layer[0].attention
    here = _moving(position, position, 12.0)
    both = np.concatenate([_moving(position, position), _moving(token, copied)])
    _linear(attention.linear, [here, both, np.eye(_WIDTH, dtype=np.float32)])
    _norm(attention.layer_norm, 2)
    _norm(spec.decoder.layer_norm, 3)
    place = {text: n for n, text in enumerate(tokens)}
    source = [place.get(_unturned(text), n) for n, text in enumerate(tokens)]
    spec.decoder.projection.weight = 3 * _at(copied, known[source])
    spec.decoder.projection.bias = np.zeros(len(tokens), np.float32)


def _unturned(token: str) -> str:
    """The token whose translation ``token`` is."""
    back = {after: before for before, after in _TURNED.items()}
    return chr(back.get(ord(token), ord(token))) if len(token) == 1 else token


def _linear(layers: list[object], weights: list[np.ndarray]) -> None:
    for layer, weight in zip(layers, weights, strict=True):
        layer.weight = weight  # type: ignore[attr-defined]
        layer.bias = np.zeros(len(weight), np.float32)  # type: ignore[attr-defined]


def _norm(norm: object, codes: int) -> None:
    """Normalisation that undoes itself for vectors of so many codes."""
    deviation = np.sqrt(codes * _HALF / _WIDTH)
    norm.gamma = np.full(_WIDTH, deviation, np.float32)  # type: ignore[attr-defined]
    norm.beta = np.zeros(_WIDTH, np.float32)  # type: ignore[attr-defined]
