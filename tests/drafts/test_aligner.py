"""The aligner with a real model, on translations by somebody else."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

from prism_core.drafts.aligner import LONGEST, ForcedAligner, Links
from prism_core.drafts.forced_pass import ForcedPass
from prism_core.drafts.fusion import peak_entropy
from prism_core.drafts.marian_model import MarianModel
from prism_core.errors import Misconfigured
from prism_core.resources import installed_folder
from prism_core.translators import ModelFiles
from tests.drafts.marian_file import MarianFile

PAIRS = [
    (
        "The old sailor sold his boat to a doctor from Lisbon.",
        "O velho marinheiro vendeu o seu barco a um médico de Lisboa.",
    ),
    ("The white horse and the white cow slept.", "O cavalo branco e a vaca branca dormiram."),
    (
        "The captain gave the tired sailors fresh water.",
        "O capitão deu água doce aos marinheiros cansados.",
    ),
]
"""Sentences with translations that the model does not write itself."""

EXPECTED = [
    "old=velho sailor=marinheiro sold=vendeu boat=barco doctor=médico Lisbon=Lisboa",
    "horse=cavalo white=branco cow=vaca white=branca slept=dormiram",
    "captain=capitão gave=deu fresh=doce sailors=marinheiros tired=cansados",
]

SENTENCES = [
    "The train to the coast leaves at nine o'clock every morning.",
    "My sister reads two books a week.",
    "The committee will publish its report next month.",
    "It rained all day, so we stayed at home.",
]


@pytest.fixture(scope="module")
def folder() -> Path:
    return installed_folder("en", "pt")


@pytest.fixture(scope="module")
def aligner(folder: Path) -> ForcedAligner:
    return ForcedAligner.load(folder)


def show(pair: tuple[str, str], links: Links) -> str:
    source, target = pair
    return " ".join(f"{source[slice(*m.source)]}={target[slice(*m.target)]}" for m in links)


def test_words_are_linked_in_a_translation_by_somebody_else(aligner: ForcedAligner) -> None:
    shown = [show(*case) for case in zip(PAIRS, aligner.align(PAIRS), strict=True)]
    for found, expected in zip(shown, EXPECTED, strict=True):
        assert found == expected


def test_the_model_is_less_sure_of_a_translation_of_something_else(aligner: ForcedAligner) -> None:
    exchanged = [(source, PAIRS[n - 1][1]) for n, (source, _) in enumerate(PAIRS)]
    unusable = [("", "barco"), ("the boat " * LONGEST, "barco")]
    found = [judged.written for judged in aligner.judge([*PAIRS, *unusable, *exchanged])]
    rights, wrongs = found[: len(PAIRS)], found[-len(PAIRS) :]
    assert found[len(PAIRS) : -len(PAIRS)] == [[], []]
    for right, wrong in zip(rights, wrongs, strict=True):
        assert 0 < peak_entropy(right) < peak_entropy(wrong)
    alone = [peak_entropy(aligner.judge([pair])[0].written) for pair in PAIRS]
    assert [*map(peak_entropy, rights)] == pytest.approx(alone, rel=1e-3)


def test_equal_words_are_linked_each_to_its_own(aligner: ForcedAligner) -> None:
    (links,) = aligner.align([PAIRS[1]])
    source, target = PAIRS[1]
    places = {match.source[0]: match.target[0] for match in links}
    assert places[source.index("white")] == target.index("branco")
    assert places[source.rindex("white")] == target.index("branca")


def test_weights_are_shares_of_attention(aligner: ForcedAligner) -> None:
    weights = [weight for links in aligner.align(PAIRS) for weight in links.values()]
    assert all(0.4 <= weight <= 1.001 for weight in weights)
    assert sum(weights) / len(weights) > 0.8


def test_a_batch_gives_what_each_pair_gives_alone(aligner: ForcedAligner) -> None:
    many = [PAIRS[n % 3] for n in range(60)]
    alone = [list(aligner.align([pair])[0]) for pair in PAIRS]
    assert [list(links) for links in aligner.align(many)] == [alone[n % 3] for n in range(60)]


def test_what_cannot_be_aligned_has_no_links(aligner: ForcedAligner) -> None:
    long = "the boat " * LONGEST
    pairs = [("", "barco"), ("boat", ""), (" ", " "), (long, "barco"), ("boat", long), PAIRS[0]]
    *none, some = aligner.align(pairs)
    assert none == [{}] * 5
    assert some
    assert aligner.align([]) == []


def test_broken_characters_leave_the_other_words_their_links(aligner: ForcedAligner) -> None:
    source, target = PAIRS[1]
    broken = (f"{source} \ud800", f"\udfff {target} \x00")
    assert "horse=cavalo" in show(broken, aligner.align([broken])[0])


def test_the_pass_agrees_with_the_engine(folder: Path) -> None:
    """Of what the engine wrote each piece is the one that the pass finds the most likely."""
    import sentencepiece

    files = ModelFiles.find(folder)
    engine = files.load_engine()
    model = MarianModel.read(files.model)
    vocabulary = sentencepiece.SentencePieceProcessor(model_file=str(files.source_vocabulary))
    rows, multiplier = model.target_embeddings
    bias = model.weights["decoder_ff_logit_out_b"][0]
    agreed = []
    for sentence in SENTENCES:
        source = np.array([[*vocabulary.encode(sentence), 0]])
        target = np.array([[*vocabulary.encode(engine.translate(sentence)), 0]])
        forced = ForcedPass(model).run(source, np.array([source.shape[1]]), target)
        logits = forced.states[0] @ rows.T.astype(np.float32) / multiplier + bias
        agreed += [*(logits.argmax(axis=1) == target[0])]
    assert sum(agreed) / len(agreed) > 0.95


def test_a_model_of_other_sizes_than_its_vocabulary_is_refused(
    folder: Path, tmp_path: Path
) -> None:
    files = ModelFiles.find(folder)
    shutil.copyfile(files.source_vocabulary, tmp_path / files.source_vocabulary.name)
    MarianFile().write(tmp_path / files.model.name)
    with pytest.raises(Misconfigured, match="do not fit together"):
        ForcedAligner.load(tmp_path)


def test_a_damaged_vocabulary_is_refused(folder: Path, tmp_path: Path) -> None:
    files = ModelFiles.find(folder)
    (tmp_path / files.source_vocabulary.name).write_bytes(b"damaged")
    MarianFile().write(tmp_path / files.model.name)
    with pytest.raises(Misconfigured, match="no vocabulary"):
        ForcedAligner.load(tmp_path)


def test_a_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentencepiece", None)
    (tmp_path / "vocab.enpt.spm").touch()
    MarianFile().write(tmp_path / "model.enpt.bin")
    with pytest.raises(Misconfigured, match=r"pip install 'prism-translate\[firefox\]'"):
        ForcedAligner.load(tmp_path)
