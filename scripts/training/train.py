"""Train a shipped pipeline: ``python -m scripts.training.train --data FOLDER --output OUT``.

``--language es``, ``fr`` or ``de`` trains that of Spanish, French or German, on what
``scripts.training.foreign`` and ``silver`` write.
``FOLDER`` holds spaCy ``DocBin`` files named ``*_train.spacy`` and ``*_dev.spacy``: words, spaces,
Penn tags, UPOS, morphology, lemmas, sentence starts and entities PER, ORG and LOC. What a
``readings.json`` there says of words the tagger is shown, and goes along. Same data, same
seed, same library versions: same model.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, cast

import spacy
import srsly
from spacy.language import Language
from spacy.training import Example
from spacy.training.loop import train as run_training
from spacy.util import load_config, load_model_from_config, registry
from thinc.api import fix_random_seed

from prism_core.language.boundaries import use_plain_characters
from prism_core.language.possible_tags import FILE, PossibleTags, show_possible_tags
from scripts.training.augmentation import TaggedText, vary, vary_accents
from scripts.training.tokenizer import adjust_tokenizer
from scripts.training.treebank import read_docs

CONFIG = Path(__file__).parents[2] / "data" / "training" / "config.cfg"
_SEED = 160
_META = {"name": "prism", "version": "0.1.0", "author": "The PRISM authors"}
_LICENCES = {"fr": "LGPL-LR and CC BY-SA 4.0"}
_DESCRIPTIONS = {
    "en": "English: tags, morphology, lemmas, sentences, names; for PRISM",
    "es": "Spanish: tags with the slots of words, lemmas, sentences, names; for PRISM",
    "fr": "French: tags with the slots of words, lemmas, sentences, names; for PRISM",
    "de": "German: tags with the slots of words, lemmas, sentences, names; for PRISM",
}
_INFLECTED: dict[str, object] = {
    "nlp.pipeline": ["tok2vec", "tagger", "trainable_lemmatizer", "senter", "ner"],
    "components.tok2vec.model.embed.rows": [12_000, 1_000, 4_000, 2_500],
    "training.max_steps": 1_600,
    "training.eval_frequency": 400,
}
"""What a language with many forms of a word, whose tags tell its morphology, changes in the
configuration."""
_OF_LANGUAGE: dict[str, dict[str, object]] = {
    "en": {},
    "es": {
        "nlp.lang": "es",
        **_INFLECTED,
        "components.tok2vec.model.embed.rows": [12_000, 3_000, 4_000, 2_500],
        "training.max_steps": 2_000,
    },
    "fr": {"nlp.lang": "fr", **_INFLECTED},
    "de": {"nlp.lang": "de", **_INFLECTED},
}
_VARIANTS = {"en": vary, "es": vary_accents, "fr": vary_accents, "de": vary}


def register() -> None:
    """Make known to spaCy what the configuration names."""
    registry.callbacks.register("prism.adjust_tokenizer.v1", func=lambda: adjust_tokenizer)
    registry.readers.register("prism.TreebankText.v1", func=treebank_text)


def treebank_text(
    folder: Path, split: str, augment: bool
) -> Callable[[Language], Iterator[Example]]:
    """Read the texts of one split; with ``augment``, shuffled and each read as a fresh variant."""
    rng = Random(_SEED)  # one stream over all epochs: every epoch differs, every training agrees

    texts: list[TaggedText] = []

    def read(nlp: Language) -> Iterator[Example]:
        if not texts:
            paths = sorted(Path(folder).glob(f"*_{split}.spacy"))
            texts.extend(TaggedText.of(doc) for doc in read_docs(paths, nlp.vocab))
        if augment:
            rng.shuffle(texts)
        for text in texts:
            reference = (_VARIANTS[nlp.lang](text, rng) if augment else text).doc(nlp.vocab)
            yield Example(nlp.make_doc(reference.text), reference)

    return read


def train(data: Path, output: Path, steps: int | None = None, language: str = "en") -> None:
    """Train on ``data`` and write the pipeline to ``output``, which is replaced.

    ``steps`` overrides the number in the configuration.
    """
    register()
    overrides = {"paths.data": str(data), **_OF_LANGUAGE[language]}
    if steps is not None:
        overrides["training.max_steps"] = steps
    fix_random_seed(_SEED)
    nlp = load_model_from_config(load_config(CONFIG, overrides, interpolate=True), auto_fill=True)
    if (data / FILE).exists():
        show_possible_tags(nlp.vocab, PossibleTags.read(data / FILE))
    examples = list(treebank_text(data, "train", augment=False)(nlp))
    nlp.initialize(lambda: examples)
    with tempfile.TemporaryDirectory() as folder:
        run_training(nlp, Path(folder), stdout=sys.stderr, stderr=sys.stderr)
        save(spacy.load(Path(folder) / "model-best"), output, frequent_words(data))
    if (data / FILE).exists():
        shutil.copy(data / FILE, output)


def save(nlp: Language, output: Path, frequent: list[str]) -> None:
    """Write ``nlp`` to ``output``, which is replaced, without the traces of its training.

    Of all words met in training only the ``frequent`` ones go along, in ``meta.json``: the language
    model reads them once when it loads the pipeline, and is faster on them from then on.
    """
    nlp.config["paths"]["data"] = None
    for corpus in nlp.config["corpora"].values():
        corpus["folder"] = None
    licence = _LICENCES.get(nlp.lang, "CC BY-SA 4.0")
    description = _DESCRIPTIONS[nlp.lang]
    nlp.meta.update(_META, license=licence, description=description, frequent_words=frequent)
    nlp.meta.pop("performance", None)  # of the dev set; the model card has that of the test sets
    if output.exists():
        shutil.rmtree(output)
    nlp.to_disk(output)
    strings = sorted(set(_needed_strings(nlp)))
    (output / "vocab" / "strings.json").write_text(json.dumps(strings, ensure_ascii=False))


def _needed_strings(nlp: Language) -> Iterator[str]:
    """Every string that a component looks up by its hash, words of texts apart."""
    tagger, lemmatizer, entities = (
        cast(Any, nlp.get_pipe(name)) for name in ("tagger", "trainable_lemmatizer", "ner")
    )
    yield from (*tagger.labels, *entities.labels)
    if "morphologizer" in nlp.pipe_names:
        for label, features in cast(Any, nlp.get_pipe("morphologizer")).cfg["labels_morph"].items():
            yield from (label, features)
    for node in srsly.msgpack_loads(lemmatizer.trees.to_bytes())["trees"]:
        for hashed in (node.get("orig"), node.get("subst")):
            if hashed:
                yield nlp.vocab.strings[hashed]


def frequent_words(data: Path, number: int = 4_000) -> list[str]:
    """The most frequent words between blanks of the training texts."""
    paths = sorted(data.glob("*_train.spacy"))
    docs = read_docs(paths, spacy.blank("en").vocab)
    counts = Counter(word for doc in docs for word in use_plain_characters(doc.text).split())
    return [word for word, _ in counts.most_common(number)]


def main() -> None:
    """Read the command line and train."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="folder of *.spacy files")
    parser.add_argument("--output", type=Path, required=True, help="folder to write, replaced")
    parser.add_argument("--steps", type=int, help="instead of those of the configuration")
    parser.add_argument("--language", choices=sorted(_OF_LANGUAGE), default="en")
    arguments = parser.parse_args()
    train(arguments.data, arguments.output, arguments.steps, arguments.language)


if __name__ == "__main__":
    main()
