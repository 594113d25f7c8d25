"""The reader of Marian's files, on files that are written here."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from prism_core.drafts.forced_pass import ForcedPass
from prism_core.drafts.marian_model import MarianModel
from prism_core.errors import Misconfigured
from tests.drafts.marian_file import CONFIG, FEATURES, MarianFile


def test_weights_are_read_as_they_were_written(tmp_path: Path) -> None:
    file = MarianFile()
    model = MarianModel.read(file.write(tmp_path / "model.bin"))
    assert (model.encoder_layers, model.decoder_layers, model.heads) == (1, 1, 2)
    near = 0.51 / file.multiplier
    for name, values in file.weights.items():
        if name != "Wemb":
            np.testing.assert_allclose(model.weights[name], values, atol=near)
    ids = np.array([3, 0])
    np.testing.assert_allclose(
        model.source_embeddings.of(ids), file.weights["Wemb"][ids], atol=near
    )


def test_each_language_may_have_its_own_embeddings(tmp_path: Path) -> None:
    file = MarianFile()
    shared = file.weights.pop("Wemb")
    file.weights |= {"encoder_Wemb": shared, "decoder_Wemb": -shared}
    model = MarianModel.read(file.write(tmp_path / "model.bin"))
    assert (model.source_embeddings.rows == -model.target_embeddings.rows).all()


def test_padding_and_what_comes_later_change_nothing(tmp_path: Path) -> None:
    computed = ForcedPass(MarianModel.read(MarianFile().write(tmp_path / "model.bin")))
    short, long = [3, 4, 0], [5, 6, 7, 8, 0]
    alone = computed.run(np.array([short]), np.array([3]), np.array([[9, 10, 0]]))
    together = computed.run(
        np.array([[*short, 0, 0], long]),
        np.array([3, 5]),
        np.array([[9, 10, 0, 0], [11, 12, 13, 0]]),
    )
    np.testing.assert_allclose(together.attention[0, :3, :3], alone.attention[0], atol=1e-5)
    np.testing.assert_allclose(together.states[0, :3], alone.states[0], atol=1e-4)
    np.testing.assert_allclose(together.attention[0, :, 3:], 0, atol=1e-9)
    np.testing.assert_allclose(together.attention.sum(axis=2), 1, atol=1e-5)
    assert alone.states.dtype == np.float32
    assert alone.states.shape == (1, 3, FEATURES)


@pytest.mark.parametrize("share", [0, 0.001, 0.05, 0.5, 0.99])
def test_a_file_that_is_cut_short_is_damaged(tmp_path: Path, share: float) -> None:
    path = MarianFile().write(tmp_path / "model.bin")
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])
    with pytest.raises(Misconfigured, match="is damaged"):
        MarianModel.read(path)


def test_a_file_of_garbage_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "model.bin"
    for content in (b"\xff" * 5000, (1).to_bytes(8, "little") + b"\xff" * 5000, b"PK" * 50):
        path.write_bytes(content)
        with pytest.raises(Misconfigured, match="is damaged"):
            MarianModel.read(path)


@pytest.mark.parametrize("name", ["Wemb", "config"])
def test_a_file_without_a_part_is_damaged(tmp_path: Path, name: str) -> None:
    file = MarianFile()
    if name == "config":
        del file.config["transformer-heads"]
    else:
        del file.weights[name]
    with pytest.raises(Misconfigured, match="is damaged"):
        MarianModel.read(file.write(tmp_path / "model.bin"))


@pytest.mark.parametrize(
    "file",
    [
        MarianFile(version=2),
        MarianFile(multiplier=float("nan")),
        MarianFile(config={**CONFIG, "dec-depth": "0"}),
        MarianFile(config={**CONFIG, "transformer-heads": "many"}),
    ],
)
def test_impossible_numbers_are_damage(tmp_path: Path, file: MarianFile) -> None:
    path = tmp_path / "model.bin"
    with np.errstate(invalid="ignore"):
        file.write(path)
    with pytest.raises(Misconfigured, match="is damaged"):
        MarianModel.read(path)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("dec-cell", "gru"),
        ("transformer-decoder-autoreg", "self-attention"),
        ("type", "s2s"),
        ("transformer-preprocess", "n"),
        ("transformer-guided-alignment-layer", "1"),
    ],
)
def test_another_architecture_is_named(tmp_path: Path, key: str, value: str) -> None:
    file = MarianFile(config={**CONFIG, key: value})
    with pytest.raises(Misconfigured, match=f"has {key} '{value}'"):
        MarianModel.read(file.write(tmp_path / "model.bin"))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Misconfigured, match=r"model\.bin cannot be read"):
        MarianModel.read(tmp_path / "model.bin")
