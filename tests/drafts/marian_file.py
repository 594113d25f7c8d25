"""Writes files in the binary format of Marian, with random weights."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

FLOATS, INTEGERS, LETTERS = 0x0404, 0x4101, 0x0101
FEATURES, PIECES = 8, 20

CONFIG = {
    "type": "transformer",
    "transformer-decoder-autoreg": "rnn",
    "dec-cell": "ssru",
    "enc-depth": "1",
    "dec-depth": "1",
    "transformer-heads": "2",
    "transformer-preprocess": '""',
    "transformer-postprocess": "dan",
    "transformer-guided-alignment-layer": "last",
}


def make_weights() -> dict[str, np.ndarray]:
    """Weights of a model of one layer each, by name."""
    random = np.random.default_rng(1)
    shapes: dict[str, tuple[int, int]] = {"Wemb": (PIECES, FEATURES)}
    for part in ("encoder_l1_self", "decoder_l1_context"):
        shapes |= {f"{part}_W{kind}": (FEATURES, FEATURES) for kind in "qkvo"}
        shapes |= {f"{part}_b{kind}": (1, FEATURES) for kind in "qkvo"}
        shapes |= {f"{part}_Wo_ln_{kind}": (1, FEATURES) for kind in ("scale", "bias")}
    for part in ("encoder_l1_ffn", "decoder_l1_ffn"):
        shapes |= {f"{part}_W1": (FEATURES, 16), f"{part}_W2": (16, FEATURES)}
        shapes |= {f"{part}_b1": (1, 16), f"{part}_b2": (1, FEATURES)}
        shapes |= {f"{part}_ffn_ln_{kind}": (1, FEATURES) for kind in ("scale", "bias")}
    shapes |= {f"decoder_l1_rnn_{kind}": (FEATURES, FEATURES) for kind in ("W", "Wf")}
    shapes |= {f"decoder_l1_rnn_{kind}": (1, FEATURES) for kind in ("bf", "ffn_ln_scale")}
    shapes["decoder_l1_rnn_ffn_ln_bias"] = (1, FEATURES)
    return {name: random.normal(size=shape).astype(np.float32) for name, shape in shapes.items()}


@dataclass
class MarianFile:
    """What a file says; ``write`` makes it."""

    config: dict[str, str] = field(default_factory=lambda: dict(CONFIG))
    weights: dict[str, np.ndarray] = field(default_factory=make_weights)
    multiplier: float = 30.0
    version: int = 1

    def write(self, path: Path) -> Path:
        """Write the file, matrices as integers."""
        lines = "\n".join(f"{key}: {value}" for key, value in self.config.items())
        letters = f"{lines}\n".encode() + b"\0"
        items = [("special:model.yml", LETTERS, (len(letters),), letters)]
        for name, values in self.weights.items():
            if values.shape[0] > 1:
                stored = values if "Wemb" in name else values.T
                integers = np.rint(np.clip(stored * self.multiplier, -127, 127)).astype(np.int8)
                data = integers.tobytes() + struct.pack("<f", self.multiplier)
                items.append((name, INTEGERS, values.shape, data + bytes(-len(data) % 256)))
                items.append((f"{name}_QuantMultA", FLOATS, (1, 1), struct.pack("<f", 9)))
            else:
                items.append((name, FLOATS, values.shape, values.tobytes()))
        head = struct.pack("<2Q", self.version, len(items))
        for name, kind, shape, data in items:
            head += struct.pack("<4Q", len(name) + 1, kind, len(shape), len(data))
        head += b"".join(name.encode() + b"\0" for name, *_ in items)
        head += b"".join(struct.pack(f"<{len(shape)}i", *shape) for _, _, shape, _ in items)
        gap = -(len(head) + 8) % 256
        head += struct.pack("<Q", gap) + bytes(gap)
        path.write_bytes(head + b"".join(data for *_, data in items))
        return path
