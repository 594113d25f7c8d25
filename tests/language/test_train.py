"""The training command makes a pipeline that the language model loads."""

import subprocess
import sys
from pathlib import Path

import pytest
from spacy.tokens import DocBin
from spacy.vocab import Vocab

from prism_core.language.language_model import LanguageModel
from tests.shared_data import shared


@pytest.fixture
def small_treebank(tmp_path: Path) -> Path:
    """Thirty short texts of each of two splits."""
    folder = tmp_path / "treebank"
    folder.mkdir()
    for split in ("train", "dev"):
        docs = DocBin().from_disk(shared(f"english/ewt_{split}.spacy")).get_docs(Vocab())
        few = [doc for doc in docs if len(doc) < 60][:30]
        DocBin(
            attrs=["TAG", "POS", "MORPH", "LEMMA", "SENT_START", "ENT_IOB", "ENT_TYPE"], docs=few
        ).to_disk(folder / f"small_{split}.spacy")
    return folder


@pytest.mark.slow
def test_the_training_command_makes_a_model(small_treebank: Path, tmp_path: Path) -> None:
    output = tmp_path / "trained"
    command = [sys.executable, "-m", "scripts.training.train"]
    command += ["--data", str(small_treebank), "--output", str(output), "--steps", "3"]
    finished = subprocess.run(command, capture_output=True, text=True, check=False)
    assert finished.returncode == 0, finished.stderr[-2_000:]
    assert str(small_treebank) not in (output / "config.cfg").read_text()
    (sentence, *_) = LanguageModel.load("en", str(output)).sentences("It works.")
    assert sentence.tokens[0].text == "It"
