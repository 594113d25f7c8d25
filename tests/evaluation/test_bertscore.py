"""BERTScore over an encoder from a folder: the matching is the authors', and nothing is fetched."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
import transformers

from prism_core.errors import ConfigurationError
from prism_core.evaluation.bertscore import measure_likeness

WORDS = "the old doctor opened a heavy window dog followed farmer ##s".split()


@pytest.fixture(scope="module")
def encoder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny BERT that begins by chance, with whole words as pieces."""
    folder = tmp_path_factory.mktemp("bert")
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *WORDS]
    (folder / "vocab.txt").write_text("\n".join(vocabulary))
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(str(folder))
    torch.manual_seed(3)
    config = transformers.BertConfig(
        vocab_size=len(vocabulary),
        hidden_size=16,
        num_hidden_layers=4,
        num_attention_heads=2,
        intermediate_size=32,
        initializer_range=0.5,
    )
    transformers.BertModel(config).save_pretrained(str(folder))
    return folder


def by_hand(folder: Path, text: str, reference: str, layer: int) -> float:
    """F₁ piece by piece, each text by itself."""
    tokeniser = transformers.AutoTokenizer.from_pretrained(str(folder))
    model = transformers.AutoModel.from_pretrained(str(folder)).eval()
    sides = []
    for said in (text, reference):
        with torch.no_grad():
            given = tokeniser(said, return_tensors="pt")
            vectors = model(**given, output_hidden_states=True).hidden_states[layer][0]
        sides.append([vector / vector.norm() for vector in vectors])
    ours, theirs = sides
    precision = [max(float(a @ b) for b in theirs) for a in ours[1:-1]]
    recall = [max(float(a @ b) for b in ours) for a in theirs[1:-1]]
    p, r = sum(precision) / len(precision), sum(recall) / len(recall)
    return 2 * p * r / (p + r)


@pytest.mark.parametrize("layer", [None, 1])
def test_a_score_is_the_mean_over_pieces_matched_by_hand(encoder: Path, layer: int | None) -> None:
    texts = ["the dog followed the farmer", "a window", "the old doctor opened a heavy window"]
    references = ["a dog followed the farmers", "the heavy window", "the doctor opened the window"]
    true = [by_hand(encoder, *pair, layer or 3) for pair in zip(texts, references, strict=True)]
    found = measure_likeness(texts, references, encoder, layer)
    assert found.value == pytest.approx(sum(true) / 3, abs=1e-5)
    assert found.low is not None
    assert found.high is not None
    assert min(true) - 1e-5 <= found.low < found.value < found.high <= max(true) + 1e-5


def test_the_same_text_has_1_and_no_text_has_0(encoder: Path) -> None:
    same = measure_likeness(["the old dog"], ["the old dog"], encoder)
    assert same.value == pytest.approx(1, abs=1e-5)
    assert measure_likeness([""], ["the old dog"], encoder).value == 0


def test_a_folder_without_an_encoder_and_a_layer_that_is_not_there_are_refused(
    encoder: Path, tmp_path: Path
) -> None:
    with pytest.raises(ConfigurationError, match="no encoder"):
        measure_likeness(["a"], ["a"], tmp_path / "bert-base-uncased")
    with pytest.raises(ConfigurationError, match="layers 1 to 4"):
        measure_likeness(["a"], ["a"], encoder, 5)
