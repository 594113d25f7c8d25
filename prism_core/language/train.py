"""Train the shipped pipeline: ``python -m prism_core.language.train --data FOLDER --output OUT``.

``FOLDER`` holds spaCy ``DocBin`` files named ``*_train.spacy`` and ``*_dev.spacy``: words, spaces,
Penn tags, UPOS, morphology, lemmas, sentence starts and entities PER, ORG and LOC. Same data, same
seed, same library versions: same model.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import spacy
from spacy import registry
from spacy.language import Language
from spacy.training import Example
from spacy.training.loop import train as run_training
from spacy.util import fix_random_seed, load_config, load_model_from_config

from prism_core.language.augmentation import TaggedText, vary
from prism_core.language.tokenizer import adjust_tokenizer
from prism_core.language.treebank import read_docs

CONFIG = Path(__file__).parents[2] / "data" / "training" / "config.cfg"
_SEED = 160
_META = {
    "name": "prism",
    "version": "0.1.0",
    "description": "English: tags, morphology, lemmas, sentences, names; for PRISM",
    "license": "CC BY-SA 4.0",
    "author": "The PRISM authors",
}


@registry.callbacks("prism.adjust_tokenizer.v1")
def _tokenizer_adjuster() -> Callable[[Language], Language]:
    return adjust_tokenizer


@registry.readers("prism.TreebankText.v1")
def treebank_text(
    folder: Path, split: str, augment: bool
) -> Callable[[Language], Iterator[Example]]:
    """Read the texts of one split; with ``augment``, shuffled and each read as a fresh variant."""
    rng = Random(_SEED)  # one stream over all epochs: every epoch differs, every training agrees

    def read(nlp: Language) -> Iterator[Example]:
        paths = sorted(Path(folder).glob(f"*_{split}.spacy"))
        texts = [TaggedText.of(doc) for doc in read_docs(paths, nlp.vocab)]
        if augment:
            rng.shuffle(texts)
        for text in texts:
            reference = (vary(text, rng) if augment else text).doc(nlp.vocab)
            yield Example(nlp.make_doc(reference.text), reference)

    return read


def train(data: Path, output: Path, max_steps: int | None = None) -> None:
    """Train on ``data`` and write the best pipeline to ``output``, which is replaced."""
    overrides: dict[str, object] = {"paths.data": str(data)}
    if max_steps is not None:
        overrides["training.max_steps"] = max_steps
    config = load_config(CONFIG, overrides=overrides, interpolate=True)
    fix_random_seed(_SEED)
    nlp = load_model_from_config(config, auto_fill=True)
    examples = list(treebank_text(data, "train", augment=False)(nlp))
    nlp.initialize(lambda: examples)
    with tempfile.TemporaryDirectory() as folder:
        run_training(nlp, Path(folder), stdout=sys.stderr, stderr=sys.stderr)
        save_without_origin(spacy.load(Path(folder) / "model-best"), output)


def save_without_origin(nlp: Language, output: Path) -> None:
    """Write ``nlp`` to ``output``, which is replaced, without the paths of its training."""
    for section in (
        nlp.config["paths"],
        nlp.config["corpora"]["train"],
        nlp.config["corpora"]["dev"],
    ):
        for key in ("data", "folder"):
            if key in section:
                section[key] = None
    nlp.meta.update(_META)
    nlp.meta.pop("performance", None)  # measured on the dev set; the model card has the test sets
    if output.exists():
        shutil.rmtree(output)
    nlp.to_disk(output)


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of *.spacy files")
    parser.add_argument("--output", type=Path, required=True, help="folder to write, replaced")
    parser.add_argument("--max-steps", type=int, help="shorter than the configuration says")
    arguments = parser.parse_args()
    train(arguments.data, arguments.output, arguments.max_steps)


if __name__ == "__main__":
    main()
